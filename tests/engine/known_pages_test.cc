#include "engine/known_pages.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <map>
#include <random>

#include "temporary_folder.h"

namespace paraprint {
namespace {

struct Expected {
  std::string id;
  std::string url;
  Verdict verdict = Verdict::kSame;
  float resemblance = 0;
};

void expect_equal(const KnownPages& pages, const std::map<std::uint32_t, Expected>& expected) {
  ASSERT_EQ(pages.size(), expected.size());
  for (std::uint32_t page = 0; page < 5000; ++page) {
    const auto wanted = expected.find(page);
    EXPECT_EQ(pages.contains(page), wanted != expected.end());
    const std::optional<KnownPage> found = pages.find(page);
    ASSERT_EQ(found.has_value(), wanted != expected.end()) << page;
    if (!found) continue;
    EXPECT_EQ(found->id, wanted->second.id);
    EXPECT_EQ(found->url, wanted->second.url);
    EXPECT_EQ(found->verdict, wanted->second.verdict);
    EXPECT_EQ(found->resemblance, wanted->second.resemblance);
  }
}

// With parameter true, the process appears to grow far above its target, so large arrays move to disk.
class KnownPagesTest : public ::testing::TestWithParam<bool> {
 protected:
  TemporaryFolder folder_;
  std::uint64_t resident_bytes_ = 0;
  MemoryBudget budget_{std::uint64_t{1} << 20, folder_.path(),
                       [this] { return GetParam() ? resident_bytes_ += std::uint64_t{64} << 20 : 0; }};
};

TEST_P(KnownPagesTest, RoundTripThroughMemoryAndFile) {
  std::mt19937 random(3);
  KnownPages pages(&budget_);
  std::map<std::uint32_t, Expected> expected;
  for (std::uint32_t page = 0; page < 4000; ++page) {
    if (random() % 3 != 0) continue;
    if (!expected.empty() && random() % 4 == 0) {
      const std::size_t earlier = random() % expected.size();
      ASSERT_TRUE(pages.add_like(page, earlier));
      expected[page] = std::next(expected.begin(), static_cast<std::ptrdiff_t>(earlier))->second;
    } else {
      Expected made{std::string(random() % 500, 'i') + std::to_string(page), std::string(random() % 90, 'u'),
                    random() % 2 == 0 ? Verdict::kNear : Verdict::kSame, static_cast<float>(page) / 4096};
      ASSERT_TRUE(pages.add(page, {made.id, made.url, made.verdict, made.resemblance, 1, 1}));
      expected[page] = std::move(made);
    }
    budget_.checkpoint();
  }
  expect_equal(pages, expected);
  EXPECT_EQ(budget_.bytes_spilled() > 0, GetParam());
  const std::string path = folder_ / "known";
  ASSERT_TRUE(write_known_pages(path, 17, "index", pages));
  const Result<StoredKnownPages> stored = read_known_pages(path, &budget_);
  ASSERT_TRUE(stored) << stored.error().message;
  EXPECT_EQ(stored->log_bytes, 17U);
  EXPECT_EQ(stored->source, "index");
  expect_equal(stored->pages, expected);
}

INSTANTIATE_TEST_SUITE_P(Memory, KnownPagesTest, ::testing::Bool());

TEST(KnownPages, DamagedFilesAreRejected) {
  const TemporaryFolder folder;
  const std::string path = folder / "known";
  KnownPages pages;
  ASSERT_TRUE(pages.add(3, {"a", "b"}));
  ASSERT_TRUE(pages.add(9, {"c", ""}));
  ASSERT_TRUE(write_known_pages(path, 1, "index", pages));
  std::ifstream file(path, std::ios::binary);
  const std::string whole((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 1);
    std::ofstream(path, std::ios::binary) << damaged;
    EXPECT_FALSE(read_known_pages(path)) << at;
    std::ofstream(path, std::ios::binary) << whole.substr(0, at);
    EXPECT_FALSE(read_known_pages(path)) << at;
  }
}

}  // namespace
}  // namespace paraprint
