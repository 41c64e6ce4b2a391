// Which conversions are pages of a run: those whose originals are not pages of it.
#include "profile/page_conversions.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace paraprint {
namespace {

struct Entry {
  std::string id;
  std::string made_from = {};
};

class PageConversionsTest : public ::testing::Test {
 protected:
  // The ids that are left, in order; each entry is a batch of its own if `in_batches`.
  std::vector<std::string> left_of(const std::vector<Entry>& entries, bool in_batches = false) {
    auto log = PageLog::create_nameless(std::filesystem::temp_directory_path());
    EXPECT_TRUE(log);
    PageBatch batch;
    for (const Entry& entry : entries) {
      Page page;
      page.id = entry.id;
      page.made_from = entry.made_from;
      batch.append_page(page, {}, "profile", {});
      if (!in_batches) continue;
      EXPECT_TRUE((*log)->append(std::exchange(batch, {})));
    }
    EXPECT_TRUE((*log)->append(batch));
    const Result<std::uint64_t> count = leave_out_conversions(**log, nullptr);
    EXPECT_TRUE(count);
    std::vector<std::string> left;
    EXPECT_TRUE((*log)->read(
        [&](const LoggedPage& page) -> Status {
          left.emplace_back(page.id);
          return {};
        },
        [](const PageBatch&) -> Status { return {}; }));
    EXPECT_EQ(*count, entries.size() - left.size());
    return left;
  }
  using Ids = std::vector<std::string>;
};

TEST_F(PageConversionsTest, OriginalMayComeBeforeOrAfter) {
  for (const bool in_batches : {false, true}) {
    EXPECT_EQ(left_of({{"a"}, {"text of a", "a"}, {"b"}}, in_batches), (Ids{"a", "b"}));
    EXPECT_EQ(left_of({{"text of a", "a"}, {"b"}, {"a"}}, in_batches), (Ids{"b", "a"}));
    EXPECT_EQ(left_of({{"text of a", "a"}, {"html of a", "a"}, {"a"}}, in_batches), (Ids{"a"}));
  }
}

// A WET file alone: its originals are in another file, which is not read.
TEST_F(PageConversionsTest, ConversionsWithoutTheirOriginalsArePages) {
  EXPECT_EQ(left_of({{"1", "a"}, {"2", "b"}, {"3", "b"}, {"4"}}), (Ids{"1", "2", "3", "4"}));
}

TEST_F(PageConversionsTest, OfConversionsOfEachOtherTheFirstIsAPage) {
  EXPECT_EQ(left_of({{"a"}, {"html", "a"}, {"text", "html"}}), (Ids{"a"}));
  EXPECT_EQ(left_of({{"html", "pdf"}, {"text", "html"}}), (Ids{"html"}));
  EXPECT_EQ(left_of({{"a", "b"}, {"b", "a"}}), (Ids{"a"}));
  EXPECT_EQ(left_of({{"a", "a"}}), (Ids{"a"}));
  EXPECT_EQ(left_of({{"a", "a"}, {"a", "a"}}), (Ids{"a"}));
}

TEST_F(PageConversionsTest, AgreesWithAPlainSearch) {
  std::mt19937 random(5);
  for (int round = 0; round < 300; ++round) {
    std::vector<Entry> entries(random() % 12);
    for (Entry& entry : entries) {
      entry.id = std::to_string(random() % 8);
      if (random() % 2 == 0) entry.made_from = std::to_string(random() % 8);
    }
    Ids expected;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      bool has_original = false;
      for (std::size_t j = 0; j < entries.size() && !entries[i].made_from.empty(); ++j) {
        const bool may_be = entries[j].made_from.empty() || j < i;
        has_original = has_original || (may_be && entries[j].id == entries[i].made_from);
      }
      if (!has_original) expected.push_back(entries[i].id);
    }
    EXPECT_EQ(left_of(entries, round % 2 == 0), expected);
  }
}

}  // namespace
}  // namespace paraprint
