// Strata are for precision where it matters: pairs near a threshold are wrong more often than those far above it, and
// pairs that only one algorithm found more often than those that all found.
#include "lab/judge/sample_strata.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace paraprint::inline lab::inline judge {
namespace {

constexpr std::array<std::string_view, kBands> kBandNames = {"low", "middle", "high"};

// Thirds of [0, 1]; a range without width has only the highest.
std::uint32_t band_of(double position) {
  return 1 + static_cast<std::uint32_t>(std::clamp(position, 0.0, 0.999) * kBands);
}

double position_in(double score, double low, double high) {
  return high > low ? (score - low) / (high - low) : 1;
}

struct Due {
  double priority = 0;
  std::size_t stratum = 0;
  bool operator<(const Due& other) const {
    return priority != other.priority ? priority < other.priority : stratum > other.stratum;
  }
};

// Adds pairs one by one where the next one is most due: to the stratum with the largest pairs / (sampled (sampled +
// 1)), which is the square of the priority by Huntington and Hill with square roots as sizes.
template <class IsWanted>
void allocate_among(std::uint64_t left, std::vector<Stratum>& strata, const IsWanted& is_wanted) {
  // One each first, then a second one: a sample too small for all strata leaves out the last ones.
  for (std::size_t round = 0; round < kPairsPerStratumMinimum; ++round) {
    for (Stratum& stratum : strata) {
      if (left == 0 || !is_wanted(stratum) || stratum.sampled == stratum.pairs) continue;
      ++stratum.sampled;
      --left;
    }
  }
  std::vector<Due> queue;
  const auto enqueue = [&](std::size_t i) {
    const Stratum& stratum = strata[i];
    if (!is_wanted(stratum) || stratum.sampled >= stratum.pairs) return;
    const auto sampled = static_cast<double>(stratum.sampled);
    queue.push_back({static_cast<double>(stratum.pairs) / (sampled * (sampled + 1)), i});
    std::push_heap(queue.begin(), queue.end());
  };
  for (std::size_t i = 0; i < strata.size() && left > 0; ++i) enqueue(i);
  while (left > 0 && !queue.empty()) {
    std::pop_heap(queue.begin(), queue.end());
    const std::size_t i = queue.back().stratum;
    queue.pop_back();
    ++strata[i].sampled;
    --left;
    enqueue(i);
  }
}

}  // namespace

std::string_view band_name(std::uint32_t band) {
  return kBandNames[band - 1];
}

std::uint32_t band_of_name(std::string_view name) {
  const auto found = std::find(kBandNames.begin(), kBandNames.end(), name);
  return found == kBandNames.end() ? 0 : static_cast<std::uint32_t>(found - kBandNames.begin()) + 1;
}

StratumKey key_of(std::span<const PooledScore> scores, std::span<const ScoreRange> ranges) {
  StratumKey key;
  double found_sum = 0;
  double found_count = 0;
  double below = 0;
  for (const PooledScore& pooled : scores) {
    const ScoreRange& range = ranges[pooled.algorithm];
    // In single precision, as the evaluator compares them.
    if (pooled.score >= static_cast<float>(range.threshold)) {
      key.found_by |= std::uint64_t{1} << pooled.algorithm;
      found_sum += position_in(pooled.score, range.threshold, 1);
      found_count += 1;
    } else {
      below = std::max(below, position_in(pooled.score, range.minimum, range.threshold));
    }
  }
  key.band = band_of(found_count > 0 ? found_sum / found_count : below);
  return key;
}

Strata choose_strata(const std::map<StratumKey, std::uint64_t>& pairs_of_key, std::uint64_t sample_pairs) {
  const std::size_t wanted =
      std::min<std::size_t>(kStrataMaximum, static_cast<std::size_t>(sample_pairs) / kPairsPerStratumMinimum);
  std::vector<std::pair<StratumKey, std::uint64_t>> by_size(pairs_of_key.begin(), pairs_of_key.end());
  std::stable_sort(by_size.begin(), by_size.end(), [](const auto& x, const auto& y) { return x.second > y.second; });
  // Room for the shared strata, unless there are none.
  const std::size_t own = by_size.size() <= wanted ? wanted : wanted - std::min<std::size_t>(wanted, kBands);
  std::map<std::pair<bool, StratumKey>, std::uint64_t> chosen;  // in the order of the result
  std::map<StratumKey, std::pair<bool, StratumKey>> chosen_of_key;
  for (std::size_t i = 0; i < by_size.size(); ++i) {
    const auto& [key, pairs] = by_size[i];
    const bool is_various = i >= own && key.found_by != 0;
    const std::pair stratum(is_various, is_various ? StratumKey{0, key.band} : key);
    chosen[stratum] += pairs;
    chosen_of_key[key] = stratum;
  }
  Strata result;
  std::map<std::pair<bool, StratumKey>, std::uint32_t> number;
  for (const auto& [stratum, pairs] : chosen) {
    number[stratum] = static_cast<std::uint32_t>(result.strata.size());
    result.strata.push_back({stratum.second, stratum.first, pairs, 0, {}});
  }
  for (const auto& [key, stratum] : chosen_of_key) result.stratum_of_key[key] = number[stratum];
  return result;
}

void allocate(std::uint64_t sample_pairs, std::vector<Stratum>& strata) {
  std::uint64_t found = 0;
  std::uint64_t below = 0;
  for (const Stratum& stratum : strata) (stratum.is_below() ? below : found) += stratum.pairs;
  const std::uint64_t for_below =
      std::min(below, std::max(sample_pairs / kBelowDivisor, sample_pairs - std::min(sample_pairs, found)));
  allocate_among(sample_pairs - for_below, strata, [](const Stratum& stratum) { return !stratum.is_below(); });
  allocate_among(for_below, strata, [](const Stratum& stratum) { return stratum.is_below(); });
}

}  // namespace paraprint::inline lab::inline judge
