// The keys and bits of small sets: what two sets must have in common gives them a common key and lets them pass.
#include "fingerprint/small_set.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <vector>

#include "../property.h"

namespace paraprint {
namespace {

using Parts = std::map<std::uint64_t, double>;

SmallSet small_set_of(const Parts& parts) {
  SmallSet set;
  for (const auto& [value, part] : parts) {
    set.values.push_back(value);
    set.parts.push_back(part);
  }
  return set;
}

std::vector<std::uint64_t> keys_of(const Parts& set, double common_share) {
  std::vector<std::uint64_t> keys;
  append_pair_keys(small_set_of(set), common_share, keys);
  return keys;
}

bool may_have_enough(const Parts& asked, const Parts& other, double common_share) {
  const SmallSetFilter filter(small_set_of(asked), common_share);
  return filter.may_have_enough_in_common(value_bits_of(small_set_of(other)));
}

bool have_common_key(const Parts& a, const Parts& b, double common_share) {
  const std::vector<std::uint64_t> keys_a = keys_of(a, common_share);
  const std::vector<std::uint64_t> keys_b = keys_of(b, common_share);
  return std::find_first_of(keys_a.begin(), keys_a.end(), keys_b.begin(), keys_b.end()) != keys_a.end();
}

// The share of the parts of `set` that are of values of `other`.
double share_in(const Parts& set, const Parts& other) {
  double all = 0;
  double common = 0;
  for (const auto& [value, part] : set) {
    all += part;
    if (other.contains(value)) common += part;
  }
  return common / all;
}

TEST(PairKeys, NameThePairsThatMayBeTheFirstCommonOnes) {
  // Of four equal parts, 3 are common: one value may be missing before the second common one.
  const Parts four = {{1, 1}, {2, 1}, {3, 1}, {4, 1}};
  EXPECT_EQ(keys_of(four, 0.75).size(), 3U);  // (1, 2), (1, 3), (2, 3)
  EXPECT_EQ(keys_of(four, 1).size(), 1U);     // (1, 2)
  EXPECT_EQ(keys_of(four, 0).size(), 10U);    // all pairs and all values
  // One value holds enough alone.
  EXPECT_EQ(keys_of({{1, 1}, {7, 3}}, 0.75), (std::vector<std::uint64_t>{keys_of({{1, 1}, {7, 1}}, 1)[0], 7}));
  EXPECT_EQ(keys_of({{7, 3}}, 0.75), std::vector<std::uint64_t>{7});
  EXPECT_TRUE(keys_of({}, 0.75).empty());
}

TEST(PairKeys, TellTheOrderOfAPairAndASingleValueApart) {
  EXPECT_NE(keys_of({{1, 1}, {2, 1}}, 1), keys_of({{1, 1}, {3, 1}}, 1));
  EXPECT_NE(keys_of({{1, 1}, {3, 1}}, 1), keys_of({{2, 1}, {3, 1}}, 1));
  EXPECT_FALSE(have_common_key({{1, 9}, {2, 1}}, {{2, 1}, {3, 9}}, 0.9));
}

TEST(SmallSetFilter, DropsSetsThatMissTooMuch) {
  const Parts four = {{1, 1}, {2, 1}, {3, 1}, {4, 1}};
  EXPECT_TRUE(may_have_enough(four, {{2, 1}, {3, 1}, {4, 1}, {9, 50}}, 0.75));
  EXPECT_FALSE(may_have_enough(four, {{3, 1}, {4, 1}, {9, 50}}, 0.75));
  EXPECT_FALSE(may_have_enough({{1, 1}, {2, 3}}, {{1, 1}}, 0.75));
  EXPECT_TRUE(may_have_enough({{1, 1}, {2, 3}}, {{2, 3}}, 0.75));
  EXPECT_TRUE(may_have_enough(four, {}, 0));
  EXPECT_EQ(value_bits_of({}), Fingerprint128());
}

TEST(SmallSet, KeysAndFilterKeepAllSetsWithEnoughInCommon) {
  CHECK_PROPERTY("small sets", [] {
    const auto random_set = [] {
      Parts set;
      const auto size = *rc::gen::inRange(1, 24);
      for (int i = 0; i < size; ++i) {
        const double count = *rc::gen::inRange(1, 6);
        set[*rc::gen::inRange<std::uint64_t>(1, 30)] = count * count;
      }
      return set;
    };
    const Parts a = random_set();
    Parts b = random_set();
    if (*rc::gen::arbitrary<bool>()) {  // a copy with a few changes
      b = a;
      b[*rc::gen::inRange<std::uint64_t>(1, 30)] = 4;
      b.erase(*rc::gen::inRange<std::uint64_t>(1, 30));
      if (b.empty()) return;
    }
    const double common = std::min(share_in(a, b), share_in(b, a));
    if (common == 0) return;
    // At the largest minimum that they reach, and below it.
    for (const double minimum : {common, 0.9 * common, 0.1 * common}) {
      RC_ASSERT(have_common_key(a, b, minimum));
      RC_ASSERT(may_have_enough(a, b, minimum));
      RC_ASSERT(may_have_enough(b, a, minimum));
    }
  });
}

}  // namespace
}  // namespace paraprint
