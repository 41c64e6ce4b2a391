#include "base/stop.h"

#include <gtest/gtest.h>

#include "base/ordered_parallel.h"
#include "memory/external_sort.h"

namespace paraprint {
namespace {

TEST(Stop, InnermostScopeApplies) {
  const std::atomic<bool> asked{true};
  const std::atomic<bool> not_asked{false};
  EXPECT_TRUE(check_stop().has_value());
  {
    const StopScope outer(&asked);
    EXPECT_EQ(check_stop().error().code, ErrorCode::kCancelled);
    {
      const StopScope inner(&not_asked);
      EXPECT_TRUE(check_stop().has_value());
    }
    {
      const StopScope without_flag(nullptr);  // a call made by a long call, without a control of its own
      EXPECT_FALSE(check_stop().has_value());
    }
    EXPECT_FALSE(check_stop().has_value());
    std::thread([] { EXPECT_TRUE(check_stop().has_value()); }).join();  // scopes do not affect other threads
  }
  EXPECT_TRUE(check_stop().has_value());
}

// Workers check the flag of the thread that started them, and a prefix of the source is consumed.
TEST(Stop, EndsRunInOrder) {
  for (const unsigned threads : {1U, 4U}) {
    std::atomic<bool> stop{false};
    const StopScope scope(&stop);
    std::atomic<int> seen_by_workers{0};
    int produced = 0;
    int consumed = 0;
    const Status status = run_in_order<int, int>(
        threads, [&]() -> Result<std::optional<int>> { return std::optional<int>{produced++}; },
        [&](unsigned, int&& piece) {
          if (StopScope::current() == &stop) ++seen_by_workers;
          return piece;
        },
        [&](int&& piece) -> Status {
          EXPECT_EQ(piece, consumed++);
          if (consumed == 100) stop.store(true);
          return {};
        });
    ASSERT_FALSE(status.has_value());
    EXPECT_EQ(status.error().code, ErrorCode::kCancelled);
    EXPECT_GE(consumed, 100);
    EXPECT_LT(consumed, 200);
    EXPECT_EQ(seen_by_workers, produced);
  }
}

TEST(StopCheck, LooksOncePerSomeUnitsAndRemembers) {
  std::atomic<bool> flag{true};
  StopCheck stop(&flag);
  EXPECT_FALSE(stop.after(StopCheck::kStopUnits - 1));
  EXPECT_TRUE(stop.status());
  EXPECT_TRUE(stop.after(1));
  EXPECT_EQ(stop.status().error().code, ErrorCode::kCancelled);
  flag = false;  // too late
  EXPECT_TRUE(stop.after(0));
  EXPECT_TRUE(stop.after(2 * StopCheck::kStopUnits));
  EXPECT_TRUE(stop.is_stopped());
  StopCheck never;
  EXPECT_FALSE(never.after(std::uint64_t{1} << 40));
}

TEST(StopCheck, EndsALoopBetweenPieces) {
  std::atomic<bool> flag{false};
  StopCheck stop(&flag);
  std::size_t done = 0;
  const auto work = [&](std::size_t begin, std::size_t end) {
    EXPECT_EQ(begin, done);
    done = end;
  };
  EXPECT_TRUE(in_pieces(100'000, stop, work));
  EXPECT_EQ(done, 100'000U);
  done = 0;
  flag = true;
  EXPECT_FALSE(in_pieces(100'000, stop, work));
  EXPECT_LE(done, 2 * StopCheck::kStopUnits / StopCheck::kUnitsPerNode);
}

struct Number {
  std::uint64_t value = 0;
  friend bool operator<(const Number& x, const Number& y) { return x.value < y.value; }
};
struct NumberTraits {
  static std::uint64_t key(const Number& number) { return number.value; }
  static bool combine(Number&, const Number&) { return false; }
};

TEST(Stop, EndsAnEndlessSort) {
  const std::atomic<bool> asked{true};
  const StopScope scope(&asked);
  ExternalSorter<Number, NumberTraits> sorter({});
  std::uint64_t pushed = 0;
  Status status;
  while (status) status = sorter.push({pushed++});
  EXPECT_EQ(status.error().code, ErrorCode::kCancelled);
  EXPECT_LT(pushed, 1'000'000U);
}

}  // namespace
}  // namespace paraprint
