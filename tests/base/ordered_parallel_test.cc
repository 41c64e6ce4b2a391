#include "base/ordered_parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <new>

namespace paraprint {
namespace {

struct RunResult {
  std::vector<int> consumed;
  Status status;
};

RunResult run(unsigned threads, int pieces, int fail_producing_at = -1, int fail_consuming_at = -1) {
  RunResult result;
  int next = 0;
  result.status = run_in_order<int, int>(
      threads,
      [&]() -> Result<std::optional<int>> {
        if (next == fail_producing_at) return failure(ErrorCode::kInputOutput, "source");
        if (next == pieces) return std::optional<int>{};
        return std::optional<int>{next++};
      },
      [](unsigned, int piece) {
        if (piece % 7 == 0) std::this_thread::sleep_for(std::chrono::microseconds(200));
        return piece * 2;
      },
      [&](int output) -> Status {
        if (output == 2 * fail_consuming_at) return failure(ErrorCode::kNoSpace, "sink");
        result.consumed.push_back(output);
        return {};
      });
  return result;
}

TEST(OrderedParallel, KeepsTheSourceOrderWithAnyNumberOfThreads) {
  for (const unsigned threads : {1U, 2U, 3U, 8U}) {
    const RunResult result = run(threads, 500);
    ASSERT_TRUE(result.status.has_value());
    ASSERT_EQ(result.consumed.size(), 500U);
    for (int i = 0; i < 500; ++i) ASSERT_EQ(result.consumed[static_cast<std::size_t>(i)], 2 * i);
  }
}

TEST(OrderedParallel, AnErrorEndsTheRunWithAPrefixConsumed) {
  for (const unsigned threads : {1U, 4U}) {
    const RunResult source = run(threads, 100, 50);
    ASSERT_FALSE(source.status.has_value());
    EXPECT_EQ(source.status.error().message, "source");
    for (std::size_t i = 0; i < source.consumed.size(); ++i) EXPECT_EQ(source.consumed[i], 2 * static_cast<int>(i));
    const RunResult sink = run(threads, 100, -1, 30);
    ASSERT_FALSE(sink.status.has_value());
    EXPECT_EQ(sink.status.error().code, ErrorCode::kNoSpace);
    EXPECT_EQ(sink.consumed.size(), 30U);
  }
}

TEST(OrderedParallel, RethrowsExceptionsToTheCaller) {
  for (const unsigned threads : {1U, 4U}) {
    for (int thrower = 0; thrower < 3; ++thrower) {
      int next = 0;
      std::vector<int> consumed;
      const auto throw_if = [&](bool is_it) {
        if (is_it) throw std::bad_alloc();
      };
      const auto run_all = [&] {
        return run_in_order<int, int>(
            threads,
            [&]() -> Result<std::optional<int>> {
              throw_if(thrower == 0 && next == 40);
              return std::optional<int>{next++};
            },
            [&](unsigned, int piece) {
              throw_if(thrower == 1 && piece == 40);
              return piece;
            },
            [&](int output) -> Status {
              throw_if(thrower == 2 && output == 40);
              consumed.push_back(output);
              return {};
            });
      };
      EXPECT_THROW(static_cast<void>(run_all()), std::bad_alloc);
      ASSERT_LE(consumed.size(), 40U);
      for (std::size_t i = 0; i < consumed.size(); ++i) EXPECT_EQ(consumed[i], static_cast<int>(i));
    }
  }
}

TEST(OrderedParallel, AcceptsAnEmptySource) {
  EXPECT_TRUE(run(4, 0).status.has_value());
}

}  // namespace
}  // namespace paraprint
