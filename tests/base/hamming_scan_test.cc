// Each vector instruction set of this processor gives what counting bit by bit gives.
#include "base/hamming_scan.h"

#include <gtest/gtest.h>
#include <hwy/highway.h>

#include <bit>
#include <random>

namespace paraprint {
namespace {

// Lets the functions use one instruction set alone, each of them in turn.
class HammingScan : public ::testing::Test {
 protected:
  ~HammingScan() override { hwy::GetChosenTarget().DeInit(); }

  template <class Check>
  static void with_each_target(Check check) {
    for (std::int64_t left = hwy::SupportedTargets(); left != 0; left &= left - 1) {
      const std::int64_t target = left & -left;
      hwy::GetChosenTarget().Update(target);
      SCOPED_TRACE(hwy::TargetName(target));
      check();
    }
  }

  // Near the query and far from it, with padding that is near it.
  void draw(std::size_t size) {
    query_ = {random_(), random_()};
    columns_.clear();
    for (std::size_t i = 0; i < size + kScanPadding; ++i) {
      Fingerprint128 value = random_() % 3 == 0 ? Fingerprint128{random_(), random_()} : query_;
      for (std::size_t flips = i < size ? random_() % 30 : 0; flips > 0; --flips)
        (flips % 2 == 0 ? value.high : value.low) ^= std::uint64_t{1} << random_() % 64;
      columns_.push_back(value);
    }
    size_ = size;
    searched_.assign(columns_, [](const Fingerprint128& value) -> const Fingerprint128& { return value; });
  }
  FingerprintRun run(bool has_low) const {
    FingerprintRun run = searched_.run(0, size_);
    if (!has_low) run.low = nullptr;
    return run;
  }
  int distance(std::size_t place, bool has_low) const {
    return std::popcount(columns_[place].high ^ query_.high) +
           (has_low ? std::popcount(columns_[place].low ^ query_.low) : 0);
  }

  std::mt19937_64 random_{1};
  Fingerprint128 query_;
  std::vector<Fingerprint128> columns_;
  std::size_t size_ = 0;
  FingerprintColumns searched_;
};

constexpr int kLimits[] = {0, 6, 20, 64, 128};

TEST_F(HammingScan, FindsAllWithinTheDistance) {
  for (const std::size_t size : {0, 1, 3, 4, 7, 8, 9, 64, 301}) {
    draw(size);
    with_each_target([&] {
      for (const bool has_low : {false, true}) {
        for (const int limit : kLimits) {
          std::vector<std::uint32_t> expected = {9};
          for (std::uint32_t place = 0; place < size; ++place) {
            if (distance(place, has_low) <= limit) expected.push_back(place);
          }
          std::vector<std::uint32_t> places = {9};
          find_close_in_run(run(has_low), query_, limit, places);
          EXPECT_EQ(places, expected) << size << " within " << limit;
        }
      }
    });
  }
}

TEST_F(HammingScan, WritesAllDistancesAndCountsTheCloseOnes) {
  for (const std::size_t size : {0, 1, 3, 4, 7, 8, 9, 64, 301}) {
    draw(size);
    with_each_target([&] {
      for (const bool has_low : {false, true}) {
        for (const int limit : kLimits) {
          std::vector<std::uint8_t> distances(size + kScanPadding);
          std::size_t close = 0;
          for (std::size_t place = 0; place < size; ++place) close += distance(place, has_low) <= limit ? 1 : 0;
          EXPECT_EQ(distances_in_run(run(has_low), query_, limit, distances.data()), close) << size;
          for (std::size_t place = 0; place < size; ++place)
            ASSERT_EQ(distances[place], distance(place, has_low)) << place << " of " << size;
        }
      }
    });
  }
}

}  // namespace
}  // namespace paraprint
