// Arrays with a memory budget: equal content in memory and in files, bounded resident size, errors on a full disk.
#include "memory/spill_array.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <map>
#include <random>
#include <thread>
#include <vector>

#include "memory/spill_hash_table.h"
#include "sanitized.h"

namespace paraprint {
namespace {

namespace fs = std::filesystem;

// Reports a growing resident size, always over the target: large arrays move, and every check drops pages.
class Over {
 public:
  explicit Over(bool is_over = true) : is_over_(is_over) {}
  std::uint64_t operator()() { return is_over_ ? resident_bytes_ += std::uint64_t{1} << 40 : 0; }

 private:
  bool is_over_;
  std::uint64_t resident_bytes_ = 0;
};

constexpr std::uint64_t kFarOver = std::uint64_t{1} << 40;
constexpr std::uint64_t kTargetBytes = std::uint64_t{1} << 20;

class SpillArrayTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("paraprint-spill-" + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  fs::path folder_;
};

struct Row {
  std::uint64_t key = 0;
  std::uint32_t value = 0;
  friend bool operator==(const Row&, const Row&) = default;
};

TEST_F(SpillArrayTest, BehavesLikeAVectorInMemoryAndInFiles) {
  for (const bool is_over : {false, true}) {
    MemoryBudget budget(kTargetBytes, folder_.string(), Over(is_over));
    SpillArray<Row> array(&budget);
    std::vector<Row> expected;
    std::mt19937_64 random(1);
    for (std::uint32_t i = 0; i < 200'000; ++i) {
      const Row row{random(), i};
      ASSERT_TRUE(array.push_back(row).has_value());
      expected.push_back(row);
      if (i % 7 == 0) {
        array[i / 2].value = i;
        expected[i / 2].value = i;
      }
    }
    EXPECT_TRUE(std::equal(array.begin(), array.end(), expected.begin(), expected.end()));
    std::sort(array.begin(), array.end(), [](const Row& x, const Row& y) { return x.key < y.key; });
    std::sort(expected.begin(), expected.end(), [](const Row& x, const Row& y) { return x.key < y.key; });
    budget.checkpoint();
    EXPECT_TRUE(std::equal(array.begin(), array.end(), expected.begin(), expected.end()));
    SpillArray<Row> moved = std::move(array);
    ASSERT_TRUE(moved.append(std::vector<Row>(5, Row{1, 2})).has_value());
    EXPECT_EQ(moved.size(), expected.size() + 5);
    EXPECT_EQ(moved.back(), (Row{1, 2}));
    ASSERT_TRUE(moved.assign(100, Row{3, 4}).has_value());
    EXPECT_TRUE(std::all_of(moved.begin(), moved.end(), [](const Row& row) { return row == Row{3, 4}; }));
    EXPECT_EQ(budget.bytes_spilled() > 0, is_over);
    EXPECT_TRUE(budget.status().has_value());
    EXPECT_TRUE(fs::is_empty(folder_));  // the files are unnamed
  }
}

std::uint64_t resident_bytes() {
  std::uint64_t pages = 0;
  FILE* file = std::fopen("/proc/self/statm", "r");
  if (file == nullptr || std::fscanf(file, "%*u %lu", &pages) != 1) pages = 0;
  if (file != nullptr) std::fclose(file);
  return pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

// 128 MiB of rows, written in order and read at random, with 24 MiB of room; without a bound they use all 128 MiB.
TEST_F(SpillArrayTest, StaysBelowItsTarget) {
  constexpr std::size_t kRows = std::size_t{128} << 17;  // of 8 bytes
  for (const bool is_bounded : {true, false}) {
    const std::uint64_t before = resident_bytes();
    if (before == 0 || is_sanitized()) GTEST_SKIP() << "the resident size is unknown or includes a sanitizer's";
    const std::uint64_t target = is_bounded ? before + (24 << 20) : kFarOver;
    MemoryBudget budget(target, folder_.string());
    SpillArray<std::uint64_t> array(&budget);
    std::uint64_t most = 0;
    for (std::size_t i = 0; i < kRows; ++i) {
      ASSERT_TRUE(array.push_back(i).has_value());
      if (i % 4096 == 0) most = std::max(most, resident_bytes());
    }
    std::mt19937_64 random(2);
    for (int i = 0; i < 20'000; ++i) {
      budget.tick();
      const std::size_t at = random() % kRows;
      ASSERT_EQ(array[at] % kRows, at);
      array[at] += kRows;
      if (i % 64 == 0) most = std::max(most, resident_bytes());
    }
    if (is_bounded) {
      EXPECT_LT(most, target);
    } else {
      EXPECT_GT(most, before + (100 << 20));
    }
  }
}

// Threads read while the array moves to a file and loses its pages.
TEST_F(SpillArrayTest, CanBeReadWhileItMoves) {
  std::atomic<std::uint64_t> resident = 0;
  MemoryBudget budget(kTargetBytes, folder_.string(), [&] { return resident == 0 ? 0 : resident += kFarOver; });
  SpillArray<std::uint64_t> array(&budget);
  constexpr std::size_t kRows = 400'000;
  for (std::size_t i = 0; i < kRows; ++i) ASSERT_TRUE(array.push_back(i).has_value());
  resident = kFarOver;
  std::vector<std::thread> readers;
  std::atomic<int> wrong = 0;
  for (unsigned reader = 0; reader < 3; ++reader) {
    readers.emplace_back([&, reader] {
      for (std::size_t i = 0; i < kRows; ++i) {
        const std::size_t at = (i * 7919 + reader) % kRows;
        if (array[at] != at) ++wrong;
        if (i % 512 == 0) budget.checkpoint();
      }
    });
  }
  for (std::thread& reader : readers) reader.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_GT(budget.bytes_spilled(), 0U);
}

TEST_F(SpillArrayTest, AFullDiskIsAnErrorAndLosesNothing) {
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  std::uint64_t resident = 0;
  const auto resident_bytes = [&] { return resident == 0 ? 0 : resident += kFarOver; };
  MemoryBudget budget(kTargetBytes, folder_.string(), resident_bytes);
  SpillArray<std::uint64_t> array(&budget);
  for (std::uint64_t i = 0; i < 100'000; ++i) ASSERT_TRUE(array.push_back(i).has_value());
  rlimit small = before;
  small.rlim_cur = 1000;
  setrlimit(RLIMIT_FSIZE, &small);
  resident = kFarOver;
  budget.checkpoint();  // cannot move
  EXPECT_EQ(budget.status().error().code, ErrorCode::kNoSpace);
  EXPECT_NE(budget.status().error().message.find(folder_.string()), std::string::npos);
  setrlimit(RLIMIT_FSIZE, &before);

  MemoryBudget moved_budget(kTargetBytes, folder_.string(), resident_bytes);
  SpillArray<std::uint64_t> in_file(&moved_budget);
  for (std::uint64_t i = 0; i < 100'000; ++i) ASSERT_TRUE(in_file.push_back(i).has_value());
  small.rlim_cur = 1 << 20;
  setrlimit(RLIMIT_FSIZE, &small);
  Status pushed;
  std::uint64_t size = in_file.size();
  for (; size < 1'000'000 && pushed; ++size) pushed = in_file.push_back(size);  // cannot grow
  setrlimit(RLIMIT_FSIZE, &before);
  ASSERT_FALSE(pushed.has_value());
  EXPECT_EQ(pushed.error().code, ErrorCode::kNoSpace);
  for (std::uint64_t i = 0; i < in_file.size(); ++i) ASSERT_EQ(in_file[i], i);
  for (std::uint64_t i = 0; i < array.size(); ++i) ASSERT_EQ(array[i], i);
}

TEST_F(SpillArrayTest, NamesAMissingFolder) {
  MemoryBudget budget(kTargetBytes, (folder_ / "absent").string(), Over());
  SpillArray<std::uint64_t> array(&budget);
  for (std::uint64_t i = 0; i < 100'000; ++i) ASSERT_TRUE(array.push_back(i).has_value());
  EXPECT_EQ(budget.status().error().code, ErrorCode::kNotFound);
  EXPECT_NE(budget.status().error().message.find("absent"), std::string::npos);
}

TEST_F(SpillArrayTest, HashTableAgreesWithAMap) {
  for (const bool is_over : {false, true}) {
    MemoryBudget budget(kTargetBytes, folder_.string(), Over(is_over));
    SpillHashTable<std::uint64_t, std::uint32_t> table(&budget);
    std::map<std::uint64_t, std::uint32_t> expected;
    std::mt19937_64 random(3);
    EXPECT_EQ(table.find(1), 0U);
    for (std::uint32_t i = 1; i < 100'000; ++i) {
      const std::uint64_t key = random() % 40'000;  // includes 0, which is a valid key
      const auto value = table.find_or_add(key, i);
      ASSERT_TRUE(value.has_value());
      ASSERT_EQ(**value, expected.try_emplace(key, i).first->second);
    }
    EXPECT_EQ(table.size(), expected.size());
    for (std::uint64_t key = 0; key < 40'000; ++key) {
      ASSERT_EQ(table.find(key), expected.contains(key) ? expected[key] : 0);
    }
    std::size_t visited = 0;
    table.for_each([&](std::uint64_t key, std::uint32_t value) { visited += expected.at(key) == value; });
    EXPECT_EQ(visited, expected.size());
  }
}

// A loop that stays below the level at which room is made is checked at most once per 250 ticks; one that then touches
// as much as a tick may bring in is still noticed before it reaches the target.
TEST_F(SpillArrayTest, ChecksAreRareWhileNothingGrowsAndInTimeWhenItDoes) {
  constexpr std::uint64_t kMegabyte = std::uint64_t{1} << 20;
  constexpr std::uint64_t kTarget = 1024 * kMegabyte;
  std::uint64_t resident_bytes = 959 * kMegabyte;  // room is made from 960 on
  std::uint64_t checks = 0;
  std::uint64_t last_checked_bytes = 0;
  MemoryBudget budget(kTarget, folder_.string(), [&] {
    ++checks;
    return last_checked_bytes = resident_bytes;
  });
  constexpr std::uint64_t kTicks = 100'000;
  for (std::uint64_t i = 0; i < kTicks; ++i) budget.tick();
  EXPECT_LE(checks, kTicks / 250);
  EXPECT_GE(checks, kTicks / 4096);
  while (last_checked_bytes <= 960 * kMegabyte && resident_bytes < 2 * kTarget) {
    resident_bytes += std::uint64_t{128} << 10;
    budget.tick();
  }
  EXPECT_LT(resident_bytes, kTarget);
}

}  // namespace
}  // namespace paraprint
