#include "index/sketch_join.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <tuple>
#include <utility>
#include <vector>

#include "memory/memory_budget.h"

namespace paraprint {
namespace {

using Sketch = std::vector<std::uint8_t>;
using SketchPairs = std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t>;

// As many characters as bytes, so that the number of common characters is the number of equal bytes.
constexpr std::uint32_t kCharacters = PageSketch::kPairHashes;

Sketch random_sketch(std::mt19937& random) {
  Sketch sketch(PageSketch::kPairHashes);
  for (std::uint8_t& byte : sketch) byte = static_cast<std::uint8_t>(random());
  return sketch;
}

// A copy of `original` with `equal` scattered bytes unchanged and all others changed.
Sketch edited(const Sketch& original, std::size_t equal, std::mt19937& random) {
  std::vector<std::size_t> places(original.size());
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = i;
  std::shuffle(places.begin(), places.end(), random);
  Sketch result = original;
  for (std::size_t i = equal; i < places.size(); ++i)
    result[places[i]] = static_cast<std::uint8_t>(result[places[i]] + 1);
  return result;
}

std::size_t count_equal(const Sketch& a, const Sketch& b) {
  std::size_t equal = 0;
  for (std::size_t i = 0; i < a.size(); ++i) equal += a[i] == b[i] ? 1 : 0;
  return equal;
}

SketchPairs joined(const std::vector<Sketch>& sketches, const GroupCaps& caps = {},
                   SketchJoinStatistics* statistics = nullptr) {
  SketchJoin join;
  for (std::uint32_t i = 0; i < sketches.size(); ++i)
    EXPECT_TRUE(join.add_page(10 * i, kCharacters, sketches[i]).has_value());
  SketchPairs pairs;
  const Result<SketchJoinStatistics> found = join.join(caps, [&](const SketchJoin::Meeting& pair) -> Status {
    EXPECT_LT(pair.page_a, pair.page_b);
    const bool is_new = pairs.emplace(std::pair{pair.page_a / 10, pair.page_b / 10}, pair.common_characters).second;
    EXPECT_TRUE(is_new || caps.group_cap < sketches.size());
    return {};
  });
  EXPECT_TRUE(found.has_value());
  if (statistics != nullptr) *statistics = *found;
  return pairs;
}

TEST(SketchJoin, FindsNearlyAllPairsAboveTheMinimum) {
  std::mt19937 random(7);
  std::vector<Sketch> sketches;
  for (int family = 0; family < 300; ++family) {
    sketches.push_back(random_sketch(random));
    const std::size_t equal = kSketchEqualBytesMinimum - 10 + random() % 60;
    sketches.push_back(edited(sketches.back(), equal, random));
  }
  const SketchPairs found = joined(sketches);
  std::size_t wanted = 0;
  for (std::uint32_t a = 0; a < sketches.size(); ++a) {
    for (std::uint32_t b = a + 1; b < sketches.size(); ++b) {
      const std::size_t equal = count_equal(sketches[a], sketches[b]);
      const auto at = found.find({a, b});
      if (equal < kSketchEqualBytesMinimum) {
        EXPECT_EQ(at, found.end());
        continue;
      }
      ++wanted;
      if (at != found.end()) {
        EXPECT_EQ(at->second, equal);
      }
    }
  }
  EXPECT_GT(wanted, 200U);
  EXPECT_GE(found.size(), wanted - wanted / 50);
}

TEST(SketchJoin, IgnoresPagesWithoutASketch) {
  std::mt19937 random(1);
  const Sketch sketch = random_sketch(random);
  const SketchPairs found = joined({sketch, {}, sketch});
  EXPECT_EQ(found, (SketchPairs{{{0, 2}, PageSketch::kPairHashes}}));
}

TEST(SketchJoin, LinksLargeBucketsThinly) {
  std::mt19937 random(2);
  const std::vector<Sketch> sketches(1000, random_sketch(random));
  SketchJoinStatistics statistics;
  const SketchPairs found = joined(sketches, GroupCaps{}, &statistics);
  EXPECT_EQ(found.size(), 4 * 1000 - 10 + 996 * 8 - 36);  // four stars, and eight successors of each page
  EXPECT_EQ(statistics.buckets_over_cap, PageSketch::kPairHashes / 3);
}

// More pairs of one band than are compared at a time.
TEST(SketchJoin, ComparesAllPairsOfAnyNumber) {
  std::mt19937 random(5);
  const Sketch original = random_sketch(random);
  std::vector<Sketch> sketches;
  for (int page = 0; page < 500; ++page) {
    sketches.push_back(edited(original, 60 + page % 68, random));
    std::copy_n(original.begin(), kSketchBandBytes, sketches.back().begin());
  }
  GroupCaps caps;
  caps.group_cap = 1000;
  SketchPairs wanted;
  for (std::uint32_t a = 0; a < sketches.size(); ++a) {
    for (std::uint32_t b = a + 1; b < sketches.size(); ++b) {
      const std::size_t equal = equal_sketch_bytes(std::span<const std::uint8_t, PageSketch::kPairHashes>(sketches[a]),
                                                   std::span<const std::uint8_t, PageSketch::kPairHashes>(sketches[b]));
      if (equal > 0) wanted[{a, b}] = equal;
    }
  }
  SketchJoinStatistics statistics;
  EXPECT_EQ(joined(sketches, caps, &statistics), wanted);
  EXPECT_EQ(statistics.pairs_met, 500 * 499 / 2);
  EXPECT_GT(wanted.size(), 20000U);
}

// Unrelated pages that agree in the first band only, so that its bucket is above a cap of 16; two of them, which the
// thin graph of that bucket does not link, are similar and alone in their other buckets.
std::vector<Sketch> crowded_first_band(std::mt19937& random) {
  std::vector<Sketch> sketches;
  for (int page = 0; page < 40; ++page) sketches.push_back(random_sketch(random));
  sketches[30] = edited(sketches[10], 100, random);
  for (Sketch& sketch : sketches) std::fill_n(sketch.begin(), kSketchBandBytes, std::uint8_t{7});
  return sketches;
}

TEST(SketchJoin, FindsAPairThatACrowdedBandSkipped) {
  std::mt19937 random(3);
  const std::vector<Sketch> sketches = crowded_first_band(random);
  GroupCaps caps;
  caps.group_cap = 16;
  const SketchPairs found = joined(sketches, caps);
  EXPECT_EQ(found, (SketchPairs{{{10, 30}, count_equal(sketches[10], sketches[30])}}));
}

TEST(SketchJoin, FindsTheSameInPartsAsInOnePass) {
  std::mt19937 random(4);
  std::vector<Sketch> sketches = crowded_first_band(random);
  for (std::size_t page = 11; page < 30; ++page) sketches[page] = edited(sketches[10], 70 + page, random);
  // How often a pair is reported with and without `is_whole`; with it, once is as good as several times.
  using Reports = std::map<std::pair<std::uint32_t, std::uint32_t>, std::pair<bool, int>>;
  const auto add_to = [](Reports& reports) {
    return [&reports](const SketchJoin::Meeting& pair) -> Status {
      auto& [is_whole, others] = reports[{pair.page_a, pair.page_b}];
      if (pair.is_whole) is_whole = true;
      if (!pair.is_whole) ++others;
      return {};
    };
  };
  for (const std::uint32_t cap : {4U, 16U, 256U}) {
    GroupCaps caps;
    caps.group_cap = cap;
    SketchJoin join;
    for (std::uint32_t i = 0; i < sketches.size(); ++i) ASSERT_TRUE(join.add_page(i, kCharacters, sketches[i]));
    Reports whole;
    const auto all = join.join(caps, add_to(whole));
    ASSERT_TRUE(all.has_value());
    EXPECT_GT(whole.size(), 100U);
    for (const std::uint32_t parts : {2U, 7U, 500U}) {
      Reports divided;
      std::uint64_t over_cap = 0;
      for (std::uint32_t part = 0; part < parts; ++part) {
        SketchJoin own;
        std::vector<std::uint32_t> needed;
        for (std::uint32_t i = 0; i < sketches.size(); ++i) {
          find_sketch_parts(SketchBytes(sketches[i]), parts, needed);
          if (std::find(needed.begin(), needed.end(), part) == needed.end()) continue;
          ASSERT_TRUE(own.add_page(i, kCharacters, sketches[i]));
        }
        const auto found = own.join(caps, add_to(divided), 1, {part, parts});
        ASSERT_TRUE(found.has_value());
        over_cap += found->buckets_over_cap;
      }
      EXPECT_EQ(divided, whole) << "cap " << cap << ", parts " << parts;
      EXPECT_EQ(over_cap, all->buckets_over_cap);
    }
  }
}

// Enough pages for threads, and families so large that their pairs take several batches; a budget that leaves room for
// one band at a time, or for all.
TEST(SketchJoin, ReportsTheSameInTheSameOrderOnAnyNumberOfThreads) {
  std::mt19937 random(6);
  std::vector<Sketch> sketches;
  for (int family = 0; family < 8; ++family) {
    const Sketch original = random_sketch(random);
    for (int page = 0; page < 260; ++page) {
      sketches.push_back(edited(original, 60 + page % 68, random));
      if (page % 2 == 0) std::copy_n(original.begin(), kSketchBandBytes, sketches.back().begin());
    }
  }
  std::shuffle(sketches.begin(), sketches.end(), random);
  using Report = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, bool>;
  const auto report = [&](unsigned threads, std::uint64_t target_bytes, SketchJoinStatistics& statistics) {
    MemoryBudget budget(target_bytes, ::testing::TempDir());
    SketchJoin join(&budget);
    for (std::uint32_t i = 0; i < sketches.size(); ++i) EXPECT_TRUE(join.add_page(i, kCharacters, sketches[i]));
    GroupCaps caps;
    caps.group_cap = 120;  // some of the first bands' buckets are below it
    caps.star_pages = 20;
    caps.neighbour_pages = 60;
    std::vector<Report> reports;
    const auto found = join.join(
        caps,
        [&](const SketchJoin::Meeting& pair) -> Status {
          reports.emplace_back(pair.page_a, pair.page_b, pair.common_characters, pair.is_whole);
          return {};
        },
        threads);
    EXPECT_TRUE(found.has_value());
    statistics = *found;
    return reports;
  };
  SketchJoinStatistics alone;
  const std::vector<Report> expected = report(1, 1 << 30, alone);
  EXPECT_GT(expected.size(), std::size_t{2} << 16);
  EXPECT_GT(alone.buckets_over_cap, 0U);
  for (const unsigned threads : {2U, 64U}) {
    for (const std::uint64_t target_bytes : {std::uint64_t{1} << 20, std::uint64_t{1} << 30}) {
      SketchJoinStatistics statistics;
      EXPECT_EQ(report(threads, target_bytes, statistics), expected) << threads << " threads, " << target_bytes;
      EXPECT_EQ(statistics.pairs_met, alone.pairs_met);
      EXPECT_EQ(statistics.pairs_kept, alone.pairs_kept);
      EXPECT_EQ(statistics.buckets_over_cap, alone.buckets_over_cap);
    }
  }
}

TEST(SketchJoin, EndsAtTheFirstErrorOfTheCallback) {
  std::mt19937 random(8);
  const std::vector<Sketch> sketches(3000, random_sketch(random));
  for (const unsigned threads : {1U, 3U}) {
    SketchJoin join;
    for (std::uint32_t i = 0; i < sketches.size(); ++i) ASSERT_TRUE(join.add_page(i, kCharacters, sketches[i]));
    int calls = 0;
    const auto found = join.join(
        GroupCaps{},
        [&](const SketchJoin::Meeting&) -> Status {
          return ++calls == 10 ? Status(failure(ErrorCode::kNoSpace, "full")) : Status();
        },
        threads);
    ASSERT_FALSE(found.has_value());
    EXPECT_EQ(found.error().code, ErrorCode::kNoSpace);
    EXPECT_EQ(calls, 10);
  }
}

}  // namespace
}  // namespace paraprint
