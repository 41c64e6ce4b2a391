// The rules by which pages become profiles have a number (profile/profile_versions.h), which an index stores with its
// texts. The digests of the profiles of all pages of the demo crawl and of the golden pages are recorded for that
// number: if one differs, the rules have changed, and the number has to be raised.
//
// profile_rules.txt has the versions that the digests belong to, then a line per page. With
// PARAPRINT_GOLDEN_WRITE=rules it is written, unless a page has changed under the same number. The text tables of other
// systems give other digests.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string>

#include "base/hash.h"
#include "paraprint/engine.h"
#include "profile/profile_codec.h"
#include "profile/profile_versions.h"

namespace paraprint {
namespace {

constexpr const char* kRecordPath = PARAPRINT_SOURCE_ROOT "/tests/golden/profile_rules.txt";

struct Record {
  std::string versions;                        // rules_identity()
  std::map<std::string, std::string> digests;  // by page
};

Record read_record() {
  Record record;
  std::ifstream file(kRecordPath);
  std::getline(file, record.versions);
  for (std::string line; std::getline(file, line);) {
    const std::size_t space = line.find(' ');
    if (space != std::string::npos) record.digests[line.substr(space + 1)] = line.substr(0, space);
  }
  return record;
}

void write_record(const Record& record) {
  std::ofstream file(kRecordPath);
  file << record.versions << '\n';
  for (const auto& [page, digest] : record.digests) file << digest << ' ' << page << '\n';
}

Record record_of_this_build() {
  Record record;
  record.versions = rules_identity();
  PageStreamOptions options;
  options.inputs = {PARAPRINT_SOURCE_ROOT "/examples/demo-crawl", PARAPRINT_SOURCE_ROOT "/tests/golden/pages"};
  const Result<PageStreamOutcome> read = for_each_page(options, [&](const StreamedPage& page) -> Status {
    std::string bytes;
    encode_profile(page.profile, bytes);
    // Files are pages whose ids are their paths.
    std::string id = page.page.id;
    const std::size_t root = id.find(PARAPRINT_SOURCE_ROOT "/");
    if (root != std::string::npos) id.erase(root, std::string_view(PARAPRINT_SOURCE_ROOT "/").size());
    record.digests[id] = fmt::format("{:016x}", hash64(bytes));
    return {};
  });
  EXPECT_TRUE(read) << read.error().message;
  return record;
}

// The pages that both have, with different digests.
std::string differing_pages(const Record& before, const Record& now) {
  std::string pages;
  for (const auto& [page, digest] : now.digests) {
    const auto known = before.digests.find(page);
    if (known != before.digests.end() && known->second != digest) pages += "  " + page + "\n";
  }
  return pages;
}

TEST(ProfileRules, HaveAnotherNumberIfAnyProfileDiffers) {
  const Record now = record_of_this_build();
  EXPECT_GT(now.digests.size(), 100U);
  const Record before = read_record();
  const std::string differing = differing_pages(before, now);
  if (before.versions == now.versions) {
    ASSERT_TRUE(differing.empty())
        << "These pages have other profiles than the ones recorded for rules " << kProfileRulesVersion
        << ". Indexes have profiles of both: raise kProfileRulesVersion (src/profile/profile_versions.h), so that they "
           "say so, and run this test with PARAPRINT_GOLDEN_WRITE=rules.\n"
        << differing;
  }
  const char* const written = std::getenv("PARAPRINT_GOLDEN_WRITE");
  if (written != nullptr && std::string_view(written) == "rules") {
    write_record(now);
    return;
  }
  const std::string rules = fmt::format(" rules={} ", kProfileRulesVersion);
  ASSERT_NE(before.versions.find(rules), std::string::npos)
      << "profile_rules.txt is of other rules; run this test with PARAPRINT_GOLDEN_WRITE=rules";
  if (before.versions != now.versions) GTEST_SKIP() << "recorded with other tables:" << before.versions;
  for (const auto& [page, digest] : now.digests) {
    EXPECT_TRUE(before.digests.contains(page)) << page << " is new; run this test with PARAPRINT_GOLDEN_WRITE=rules";
  }
}

}  // namespace
}  // namespace paraprint
