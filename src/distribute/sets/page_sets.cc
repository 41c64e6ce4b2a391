// Sums are over counts or integer weights, which are exact in double precision, so that their order does not matter;
// cosines are compared with a minimum that has room for it.
#include "distribute/sets/page_sets.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

#include "base/assert.h"
#include "base/hash.h"
#include "distribute/records.h"

namespace paraprint::distribute::sets {
namespace {

std::variant<JaccardRule, ContainmentRule, CosineRule, WeightedJaccardRule> rule_of(const SetOverlapPlan& plan) {
  switch (plan.measure) {
    case SetMeasure::kJaccard:
      return JaccardRule(plan.similarity_minimum);
    case SetMeasure::kContainment:
      return ContainmentRule(plan.similarity_minimum);
    case SetMeasure::kCosine:
      return CosineRule(plan.similarity_minimum);
    case SetMeasure::kWeightedJaccard:
      return WeightedJaccardRule(plan.similarity_minimum);
  }
  PARAPRINT_ASSERT(false);
  return JaccardRule(plan.similarity_minimum);
}

double cosine_scale(const PageSet& set) {
  double square = 0;
  for (const float weight : set.weights) square += static_cast<double>(weight) * weight;
  return CosineRule::scale_of(square);
}

}  // namespace

PageSets::PageSets(const SetOverlapPlan& plan)
    : measure_(plan.measure), leading_values_(plan.leading_values), rule_(rule_of(plan)) {}

Result<PageSet> PageSets::set_of(const PageFingerprint& fingerprint) const {
  PageSet set;
  if (fingerprint.state != FingerprintState::kUsable) return set;
  set.values = fingerprint.values;
  if (leading_values_ != 0) set.values = set.values.first(std::min<std::size_t>(leading_values_, set.values.size()));
  const auto is_rising = [](std::uint64_t left, std::uint64_t right) { return left >= right; };
  bool is_sound = set.values.size() < std::numeric_limits<std::uint32_t>::max() &&
                  std::adjacent_find(set.values.begin(), set.values.end(), is_rising) == set.values.end();
  if (is_weighted()) {
    set.weights = fingerprint.weights;
    is_sound = is_sound && set.weights.size() == set.values.size() &&
               std::all_of(set.weights.begin(), set.weights.end(),
                           [](float weight) { return std::isfinite(weight) && weight >= 0; });
  }
  if (!is_sound) return corrupt("fingerprints");
  return set;
}

Fingerprint128 PageSets::hash_of(const PageSet& set) {
  std::string bytes(reinterpret_cast<const char*>(set.values.data()), set.values.size_bytes());
  bytes.append(reinterpret_cast<const char*>(set.weights.data()), set.weights.size_bytes());
  return blake2b128(bytes);
}

double PageSets::size_of(const PageSet& set) const {
  if (measure_ == SetMeasure::kWeightedJaccard) return std::accumulate(set.weights.begin(), set.weights.end(), 0.0);
  return static_cast<double>(set.values.size());
}

void PageSets::find_rests(const PageSet& set, std::span<const SharedElement> shared, std::vector<double>& rests) const {
  rests.resize(shared.size());
  const double scale = measure_ == SetMeasure::kCosine ? cosine_scale(set) : 0;
  double rest = 0;
  for (std::size_t i = shared.size(); i-- > 0;) {
    const double weight = shared[i].weight;
    switch (measure_) {
      case SetMeasure::kJaccard:
      case SetMeasure::kContainment:
        rests[i] = rest += 1;
        break;
      case SetMeasure::kCosine:
        rest += weight * weight;
        // A set without a norm is found by nothing, however low the minimum.
        rests[i] = scale == 0 ? -1 : CosineRule::rest_norm(rest, scale);
        break;
      case SetMeasure::kWeightedJaccard:
        rests[i] = rest += weight;
        break;
    }
  }
}

double PageSets::common_part(float weight_a, float weight_b) const {
  switch (measure_) {
    case SetMeasure::kJaccard:
    case SetMeasure::kContainment:
      return 1;
    case SetMeasure::kCosine:
      return static_cast<double>(weight_a) * weight_b;
    case SetMeasure::kWeightedJaccard:
      return std::min(weight_a, weight_b);
  }
  PARAPRINT_ASSERT(false);
  return 0;
}

bool PageSets::decides(double common, const PageSet& a, const PageSet& b) const {
  if (measure_ == SetMeasure::kCosine) common *= cosine_scale(a) * cosine_scale(b);
  const double size_a = size_of(a);
  const double size_b = size_of(b);
  return with_rule(
      [&](const auto& rule) { return rule.matches(common, std::max(size_a, size_b), std::min(size_a, size_b)); });
}

bool PageSets::matches(const PageSet& a, const PageSet& b) const {
  if (!is_weighted()) return counts_match(a, b);
  double common = 0;
  std::size_t at_a = 0;
  std::size_t at_b = 0;
  while (at_a < a.values.size() && at_b < b.values.size()) {
    const std::uint64_t value_a = a.values[at_a];
    const std::uint64_t value_b = b.values[at_b];
    if (value_a == value_b) common += common_part(a.weight(at_a), b.weight(at_b));
    at_a += value_a <= value_b ? 1 : 0;
    at_b += value_b <= value_a ? 1 : 0;
  }
  return decides(common, a, b);
}

// Both decisions are those of all common elements: more of them never make a match less of one.
bool PageSets::counts_match(const PageSet& a, const PageSet& b) const {
  const std::size_t size_a = a.values.size();
  const std::size_t size_b = b.values.size();
  const auto larger = static_cast<double>(std::max(size_a, size_b));
  const auto smaller = static_cast<double>(std::min(size_a, size_b));
  const std::size_t required = with_rule([&](const auto& rule) {
    return static_cast<std::size_t>(rule.required(larger, smaller));  // of counts: a whole number
  });
  std::size_t common = 0;
  std::size_t at_a = 0;
  std::size_t at_b = 0;
  while (at_a < size_a && at_b < size_b) {
    if (common + std::min(size_a - at_a, size_b - at_b) < required) return false;
    const std::uint64_t value_a = a.values[at_a];
    const std::uint64_t value_b = b.values[at_b];
    at_a += value_a <= value_b ? 1 : 0;
    at_b += value_b <= value_a ? 1 : 0;
    if (value_a != value_b) continue;
    ++common;
    if (common >= required && decides(static_cast<double>(common), a, b)) return true;
  }
  return false;
}

bool PageSets::matches_from(std::span<const SharedElement> from_a, const PageSet& a, const PageSet& b) const {
  double common = 0;
  for (const SharedElement& element : from_a) {
    const auto found = std::lower_bound(b.values.begin(), b.values.end(), element.value);
    if (found == b.values.end() || *found != element.value) continue;
    common += common_part(element.weight, b.weight(static_cast<std::size_t>(found - b.values.begin())));
  }
  return decides(common, a, b);
}

Status order_shared(const PageSet& set, std::span<const ValueFrequency> frequencies,
                    std::vector<SharedElement>& shared) {
  shared.clear();
  std::size_t next = 0;
  for (const ValueFrequency& element : frequencies) {
    if (element.index < next || element.index >= set.values.size()) return corrupt("frequencies");
    shared.push_back({element.frequency, set.values[element.index], set.weight(element.index)});
    next = std::size_t{element.index} + 1;
  }
  std::sort(shared.begin(), shared.end());
  return {};
}

}  // namespace paraprint::distribute::sets
