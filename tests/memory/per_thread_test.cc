// Values that each thread makes for itself.
#include "memory/per_thread.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

namespace paraprint {
namespace {

std::atomic<int> made{0};
std::atomic<int> destroyed{0};

struct Counted {
  Counted() { ++made; }
  ~Counted() { ++destroyed; }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;
  int uses = 0;
};

TEST(PerThread, EachThreadHasAValueUntilItEnds) {
  static PerThread<Counted> values;
  const auto make = [] { return std::make_unique<Counted>(); };
  constexpr int kThreads = 8;
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      for (int use = 0; use < 100; ++use) EXPECT_EQ(values.get(make).uses++, use);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(made, kThreads);
  EXPECT_EQ(destroyed, kThreads);
}

TEST(PerThread, AFailureToMakeItIsNotKept) {
  static PerThread<int> values;
  const auto fail = []() -> std::unique_ptr<int> { throw std::runtime_error("no"); };
  EXPECT_THROW(values.get(fail), std::runtime_error);
  EXPECT_EQ(values.get([] { return std::make_unique<int>(7); }), 7);
  EXPECT_EQ(values.get(fail), 7);
}

TEST(PerThread, IsMadeAgainAfterAReset) {
  static PerThread<Counted> values;
  const auto make = [] { return std::make_unique<Counted>(); };
  const int destroyed_before = destroyed;
  values.reset();
  EXPECT_EQ(destroyed, destroyed_before);
  values.get(make).uses = 1;
  values.reset();
  EXPECT_EQ(destroyed, destroyed_before + 1);
  EXPECT_EQ(values.get(make).uses, 0);
}

}  // namespace
}  // namespace paraprint
