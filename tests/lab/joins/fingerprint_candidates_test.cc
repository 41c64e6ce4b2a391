#include "lab/joins/fingerprint_candidates.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <filesystem>
#include <set>

namespace paraprint {
namespace {

using PagePair = std::pair<std::uint32_t, std::uint32_t>;

// A fingerprinter with a plan chosen by the test; similarity is not used.
class PlannedFingerprinter final : public PageFingerprinter {
 public:
  explicit PlannedFingerprinter(IndexPlan plan) : plan_(std::move(plan)) {}
  void fingerprint(const FingerprinterInput&, PageFingerprint&) override {}
  FingerprintSimilarity similarity(const PageFingerprint&, const PageFingerprint&) const override { return {}; }
  bool has_shape(const PageFingerprint&) const override { return true; }
  double threshold() const override { return 1; }
  IndexPlan index_plan(double) const override { return plan_; }
  void index_fingerprints(const PageFingerprint& fingerprint,
                          std::vector<Fingerprint128>& fingerprints) const override {
    for (const std::uint64_t value : fingerprint.values) fingerprints.push_back({value, 0});
  }

 private:
  IndexPlan plan_;
};

PageFingerprint usable(std::vector<std::uint64_t> values) {
  PageFingerprint fingerprint;
  fingerprint.state = FingerprintState::kUsable;
  fingerprint.values = std::move(values);
  return fingerprint;
}

std::vector<PagePair> candidates(IndexPlan plan, const std::vector<PageFingerprint>& fingerprints,
                                 const std::vector<std::uint8_t>& is_left_out = {}, std::uint32_t group_cap = 256) {
  FingerprintCandidateOptions options;
  options.caps.group_cap = group_cap;
  options.spill = {std::filesystem::temp_directory_path(), std::uint64_t{1} << 20};
  std::vector<PagePair> pairs;
  Counters counters;
  const Status found = find_fingerprint_candidates(PlannedFingerprinter(plan), fingerprints, is_left_out, options,
                                                   counters, [&](std::uint32_t a, std::uint32_t b) -> Status {
                                                     pairs.emplace_back(a, b);
                                                     return {};
                                                   });
  EXPECT_TRUE(found);
  return pairs;
}

// All pairs for which `is_pair` holds, in order.
template <class IsPair>
std::vector<PagePair> all_pairs(const std::vector<PageFingerprint>& fingerprints, IsPair&& is_pair) {
  std::vector<PagePair> pairs;
  for (std::uint32_t a = 0; a < fingerprints.size(); ++a) {
    for (std::uint32_t b = a + 1; b < fingerprints.size(); ++b) {
      if (is_pair(fingerprints[a].values, fingerprints[b].values)) pairs.emplace_back(a, b);
    }
  }
  return pairs;
}

RC_GTEST_PROP(FingerprintCandidates, EqualKeysAgreeWithBruteForce, ()) {
  EqualKeysPlan plan;
  plan.common_keys_minimum = *rc::gen::inRange<std::uint32_t>(1, 4);
  std::vector<PageFingerprint> fingerprints;
  // Each page has a subset of twelve keys, given by the bits of a number.
  for (const int bits : *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 1 << 12))) {
    std::vector<std::uint64_t> keys;
    for (std::uint64_t key = 0; key < 12; ++key) {
      if ((bits >> key & 1) != 0) keys.push_back(key);
    }
    fingerprints.push_back(usable(std::move(keys)));
  }
  const auto expected = all_pairs(fingerprints, [&](const auto& a, const auto& b) {
    return std::count_if(a.begin(), a.end(), [&](std::uint64_t key) {
             return std::find(b.begin(), b.end(), key) != b.end();
           }) >= static_cast<std::ptrdiff_t>(plan.common_keys_minimum);
  });
  RC_ASSERT(candidates(plan, fingerprints) == expected);
}

RC_GTEST_PROP(FingerprintCandidates, HammingNeighboursAgreeWithBruteForce, ()) {
  HammingPlan plan;
  plan.width_bits = *rc::gen::element(64, 128);
  plan.distance_bits = *rc::gen::inRange(0, 5);
  if (*rc::gen::arbitrary<bool>()) plan.table_blocks = {plan.distance_bits + 2};
  // Only a few bits vary, so equal and close fingerprints are common.
  const auto values = *rc::gen::container<std::vector<std::uint64_t>>(rc::gen::inRange<std::uint64_t>(0, 1 << 7));
  std::vector<PageFingerprint> fingerprints;
  for (const std::uint64_t value : values) {
    fingerprints.push_back(plan.width_bits == 64 ? usable({value << 20}) : usable({7, value}));
  }
  const auto expected = all_pairs(fingerprints, [&](const auto& a, const auto& b) {
    return std::popcount(a.back() ^ b.back()) <= plan.distance_bits;
  });
  RC_ASSERT(candidates(plan, fingerprints) == expected);
}

RC_GTEST_PROP(FingerprintCandidates, OverlappingSetsAgreeWithBruteForce, ()) {
  SetOverlapPlan plan;
  plan.measure = *rc::gen::element(SetMeasure::kJaccard, SetMeasure::kContainment, SetMeasure::kCosine);
  plan.similarity_minimum = *rc::gen::element(0.25, 0.4, 0.6, 1.0);
  plan.leading_values = *rc::gen::element<std::uint32_t>(0, 5);
  if (plan.measure == SetMeasure::kCosine) plan.leading_values = 0;
  std::vector<PageFingerprint> fingerprints;
  for (const int bits : *rc::gen::container<std::vector<int>>(rc::gen::inRange(1, 1 << 8))) {
    fingerprints.push_back(usable({}));
    for (std::uint64_t value = 0; value < 8; ++value) {
      if ((bits >> value & 1) == 0) continue;
      fingerprints.back().values.push_back(value);
      fingerprints.back().weights.push_back(1);
    }
  }
  const auto expected = all_pairs(fingerprints, [&](std::vector<std::uint64_t> a, std::vector<std::uint64_t> b) {
    if (plan.leading_values != 0) {
      a.resize(std::min<std::size_t>(plan.leading_values, a.size()));
      b.resize(std::min<std::size_t>(plan.leading_values, b.size()));
    }
    std::vector<std::uint64_t> both;
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
    const auto common = static_cast<double>(both.size());
    const auto size_a = static_cast<double>(a.size());
    const auto size_b = static_cast<double>(b.size());
    if (plan.measure == SetMeasure::kJaccard) return common / (size_a + size_b - common) >= plan.similarity_minimum;
    if (plan.measure == SetMeasure::kContainment) return common / std::min(size_a, size_b) >= plan.similarity_minimum;
    return common / std::sqrt(size_a * size_b) >= plan.similarity_minimum - 1e-9;
  });
  RC_ASSERT(candidates(plan, fingerprints) == expected);
}

// Pages have several fingerprints each, some equal, some near.
RC_GTEST_PROP(FingerprintCandidates, PagesWithNearFingerprintsAgreeWithBruteForce, ()) {
  HammingAnyPlan plan;
  plan.distance_bits = *rc::gen::inRange(0, 4);
  std::vector<PageFingerprint> fingerprints;
  for (const auto& values : *rc::gen::container<std::vector<std::vector<std::uint64_t>>>(
           rc::gen::container<std::vector<std::uint64_t>>(rc::gen::inRange<std::uint64_t>(0, 1 << 9)))) {
    fingerprints.push_back(usable({}));
    for (const std::uint64_t value : values) fingerprints.back().values.push_back(value << 30);
  }
  const auto expected = all_pairs(fingerprints, [&](const auto& a, const auto& b) {
    return std::any_of(a.begin(), a.end(), [&](std::uint64_t x) {
      return std::any_of(b.begin(), b.end(),
                         [&](std::uint64_t y) { return std::popcount(x ^ y) <= plan.distance_bits; });
    });
  });
  RC_ASSERT(candidates(plan, fingerprints) == expected);
}

// The SCAM measure: products of counts that differ by less than a factor of 2, relative to the smaller page.
RC_GTEST_PROP(FingerprintCandidates, RelativeFrequenciesAgreeWithBruteForce, ()) {
  RelativeFrequencyPlan plan;
  plan.closeness_limit = 2.5;
  plan.similarity_minimum = *rc::gen::element(0.25, 0.6, 0.8, 1.0);
  const auto pages = *rc::gen::container<std::vector<std::vector<int>>>(
      rc::gen::container<std::vector<int>>(6, rc::gen::inRange(0, 5)));
  std::vector<PageFingerprint> fingerprints;
  for (const std::vector<int>& counts : pages) {
    fingerprints.push_back(usable({}));
    for (std::uint64_t word = 0; word < counts.size(); ++word) {
      if (counts[word] == 0) continue;
      fingerprints.back().values.push_back(word);
      fingerprints.back().weights.push_back(static_cast<float>(counts[word]));
    }
  }
  std::vector<PagePair> expected;
  for (std::uint32_t b = 0; b < pages.size(); ++b) {
    for (std::uint32_t a = 0; a < b; ++a) {
      int close = 0;
      int square_a = 0;
      int square_b = 0;
      for (std::size_t word = 0; word < 6; ++word) {
        const int in_a = pages[a][word];
        const int in_b = pages[b][word];
        if (in_a < 2 * in_b && in_b < 2 * in_a) close += in_a * in_b;
        square_a += in_a * in_a;
        square_b += in_b * in_b;
      }
      const int smaller = std::min(square_a, square_b);
      if (smaller > 0 && close >= plan.similarity_minimum * smaller) expected.emplace_back(a, b);
    }
  }
  std::sort(expected.begin(), expected.end());
  RC_ASSERT(candidates(plan, fingerprints) == expected);
}

TEST(FingerprintCandidates, ShortPagesMatchByTextAndEmptyPagesNever) {
  std::vector<PageFingerprint> fingerprints(6);
  for (const std::uint32_t page : {0, 1, 2}) {
    fingerprints[page].state = FingerprintState::kShort;
    fingerprints[page].text_hash = {page == 1 ? 1U : 2U, 0};
  }
  fingerprints[5] = usable({1});
  EqualKeysPlan plan;
  plan.common_keys_minimum = 3;
  EXPECT_EQ(candidates(plan, fingerprints), (std::vector<PagePair>{{0, 2}}));
  EXPECT_TRUE(candidates(plan, fingerprints, {1, 0, 0, 0, 0, 0}).empty());
}

TEST(FingerprintCandidates, LargeGroupsStayConnected) {
  constexpr std::uint32_t kPages = 500;
  for (const IndexPlan& plan :
       {IndexPlan(EqualKeysPlan{}), IndexPlan(HammingPlan{}), IndexPlan(SetOverlapPlan{.similarity_minimum = 0.5}),
        IndexPlan(PrefixForestPlan{.trees = 1, .neighbours = 20})}) {
    const auto pairs = candidates(plan, std::vector<PageFingerprint>(kPages, usable({42})), {}, 16);
    EXPECT_LT(pairs.size(), kPages * 16U);
    std::set<std::uint32_t> linked_to_first = {0};
    for (const auto& [a, b] : pairs) {
      if (a == 0) linked_to_first.insert(b);
    }
    EXPECT_EQ(linked_to_first.size(), kPages);
  }
}

TEST(FingerprintCandidates, ForestFindsNearestPages) {
  PrefixForestPlan plan;
  plan.trees = 2;
  plan.neighbours = 1;
  const std::vector<PageFingerprint> fingerprints = {usable({1, 2, 3, 4}), usable({9, 9, 9, 9}), usable({1, 2, 3, 5}),
                                                     usable({1, 2, 3, 4}), usable({1, 7, 8, 8})};
  // The first and the fourth are equal; the fifth shares a place with each of these and with the third.
  EXPECT_EQ(candidates(plan, fingerprints), (std::vector<PagePair>{{0, 2}, {0, 3}, {0, 4}, {2, 3}, {3, 4}}));
}

}  // namespace
}  // namespace paraprint
