#include "memory/external_sort.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <map>
#include <random>

namespace paraprint {
namespace {

using ::testing::HasSubstr;

struct Entry {
  std::uint64_t key = 0;
  std::uint32_t first = 0;
  std::uint32_t second = 0;
  friend auto operator<=>(const Entry&, const Entry&) = default;
};

struct PlainTraits {
  static std::uint64_t key(const Entry& entry) { return entry.key; }
  static bool combine(Entry&, const Entry&) { return false; }
};

// Adds up `second` of entries with equal (key, first).
struct CountTraits {
  static std::uint64_t key(const Entry& entry) { return entry.key; }
  static bool combine(Entry& into, const Entry& from) {
    if (into.key != from.key || into.first != from.first) return false;
    into.second += from.second;
    return true;
  }
};

class ExternalSort : public ::testing::Test {
 protected:
  void SetUp() override {
    directory_ = ::testing::TempDir() + "external_sort_" + std::to_string(::getpid());
    std::filesystem::create_directories(directory_);
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  template <class Traits>
  std::vector<Entry> sorted(const std::vector<Entry>& entries, std::uint64_t limit_bytes) {
    ExternalSorter<Entry, Traits> sorter({limit_bytes, directory_});
    for (const Entry& entry : entries) EXPECT_TRUE(sorter.push(entry).has_value());
    EXPECT_TRUE(sorter.finish().has_value());
    EXPECT_TRUE(std::filesystem::is_empty(directory_));  // a killed run would leave nothing behind
    std::vector<Entry> result;
    EXPECT_TRUE(sorter.for_each([&](const Entry& entry) { result.push_back(entry); }).has_value());
    EXPECT_EQ(sorter.statistics().records_pushed, entries.size());
    runs_ = sorter.statistics().runs_spilled;
    return result;
  }

  std::string directory_;
  std::uint64_t runs_ = 0;
};

std::vector<Entry> random_entries(std::uint64_t seed, std::size_t count, std::uint64_t keys) {
  std::mt19937_64 random(seed);
  std::vector<Entry> entries(count);
  for (Entry& entry : entries) {
    const std::uint64_t key = random() % keys;
    entry = {key << (random() % 2 * 40), static_cast<std::uint32_t>(random() % 4),
             1 + static_cast<std::uint32_t>(random() % 3)};
  }
  return entries;
}

TEST_F(ExternalSort, EqualsAnInMemorySortUnderAnyLimit) {
  for (const std::uint64_t keys : {1ULL, 7ULL, 5000ULL, ~0ULL}) {
    std::vector<Entry> entries = random_entries(keys, 20000, keys);
    std::vector<Entry> expected = entries;
    std::sort(expected.begin(), expected.end());
    for (const std::uint64_t limit_bytes : {0ULL, 1000ULL, 40000ULL, 1ULL << 30}) {
      EXPECT_EQ(sorted<PlainTraits>(entries, limit_bytes), expected) << limit_bytes;
      EXPECT_EQ(runs_ > 0, limit_bytes < 20000 * sizeof(Entry));
      std::shuffle(entries.begin(), entries.end(), std::mt19937(1));
    }
  }
}

TEST_F(ExternalSort, CombinesTheSameUnderAnyLimit) {
  for (const std::uint64_t keys : {1ULL, 7ULL, 5000ULL, ~0ULL}) {
    std::vector<Entry> entries = random_entries(keys, 20000, keys);
    std::map<std::pair<std::uint64_t, std::uint32_t>, std::uint32_t> counts;
    for (const Entry& entry : entries) counts[{entry.key, entry.first}] += entry.second;
    std::vector<Entry> expected;
    for (const auto& [key, count] : counts) expected.push_back({key.first, key.second, count});
    for (const std::uint64_t limit_bytes : {0ULL, 1000ULL, 40000ULL, 1ULL << 30}) {
      EXPECT_EQ(sorted<CountTraits>(entries, limit_bytes), expected) << limit_bytes;
      std::shuffle(entries.begin(), entries.end(), std::mt19937(1));
    }
  }
}

TEST_F(ExternalSort, SortsNoRecords) {
  EXPECT_TRUE(sorted<PlainTraits>({}, 0).empty());
}

TEST_F(ExternalSort, CanBeMovedWhileReading) {
  ExternalSorter<Entry, PlainTraits> sorter({0, directory_});
  for (std::uint32_t i = 0; i < 1000; ++i) ASSERT_TRUE(sorter.push({1000 - i, 0, 0}).has_value());
  ASSERT_TRUE(sorter.finish().has_value());
  Entry entry;
  ASSERT_TRUE(sorter.next(entry));
  ExternalSorter<Entry, PlainTraits> moved(std::move(sorter));
  for (std::uint64_t key = 2; key <= 1000; ++key) {
    ASSERT_TRUE(moved.next(entry));
    ASSERT_EQ(entry.key, key);
  }
  EXPECT_FALSE(moved.next(entry));
  EXPECT_TRUE(moved.status().has_value());
}

Status push_many(const std::string& directory) {
  ExternalSorter<Entry, PlainTraits> sorter({4096, directory});
  for (std::uint32_t i = 0; i < 100000; ++i) {
    if (Status pushed = sorter.push({i, 0, 0}); !pushed) return pushed;
  }
  return sorter.finish();
}

TEST_F(ExternalSort, NamesTheDirectoryWhenTheDiskIsFull) {
  // A file size limit simulates a full disk: the write fails in the same place.
  struct rlimit old_limit {};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &old_limit), 0);
  struct rlimit small_limit = old_limit;
  small_limit.rlim_cur = 10000;
  auto* old_handler = std::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small_limit), 0);
  const Status status = push_many(directory_);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &old_limit), 0);
  std::signal(SIGXFSZ, old_handler);
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().code, ErrorCode::kNoSpace);
  EXPECT_THAT(status.error().message, HasSubstr(directory_));
}

TEST_F(ExternalSort, NamesAMissingDirectory) {
  const Status status = push_many(directory_ + "/missing");
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().code, ErrorCode::kNotFound);
  EXPECT_THAT(status.error().message, HasSubstr(directory_ + "/missing"));
}

}  // namespace
}  // namespace paraprint
