// Divides the pooled pairs into strata, and a sample's size among them.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string_view>
#include <vector>

#include "lab/judge/pair_pool.h"

namespace paraprint::inline lab::inline judge {

// The range of scores that an algorithm is searched for, and where it begins to report pairs.
struct ScoreRange {
  double threshold = 0;
  double minimum = 0;
};

// Which algorithms found a pair (bit i: the algorithm i), and how surely. `band` is the third of the range of scores:
// from 1 (low) to 3 (high). For found pairs, the mean over the algorithms that found it of (score - threshold) /
// (1 - threshold); for pairs that none found, the largest of (score - minimum) / (threshold - minimum).
struct StratumKey {
  std::uint64_t found_by = 0;
  std::uint32_t band = 0;
  auto operator<=>(const StratumKey&) const = default;
};
inline constexpr std::uint32_t kBands = 3;
std::string_view band_name(std::uint32_t band);     // "low", "middle", "high"
std::uint32_t band_of_name(std::string_view name);  // 0 for another text

StratumKey key_of(std::span<const PooledScore> scores, std::span<const ScoreRange> ranges);

// A set of pairs that are drawn from with equal probability.
struct Stratum {
  StratumKey key;
  bool is_various = false;  // pairs that different algorithms found: key.found_by is 0, although all were found
  std::uint64_t pairs = 0;
  std::uint64_t sampled = 0;
  std::vector<std::uint64_t> found;                                   // by algorithm: how many of the pairs it found
  bool is_below() const { return key.found_by == 0 && !is_various; }  // no algorithm found them
};

// No more strata than this, so that each has enough pairs to say something.
inline constexpr std::size_t kPairsPerStratumMinimum = 4;
inline constexpr std::size_t kStrataMaximum = 200;

// Strata, and the stratum of every key.
struct Strata {
  std::vector<Stratum> strata;
  std::map<StratumKey, std::uint32_t> stratum_of_key;
};

// The keys with the most pairs are strata; the rest share one stratum per band, so that there are at most
// `sample_pairs` / kPairsPerStratumMinimum strata, and kStrataMaximum (but always room for one per band, of found pairs
// and of the others). Deterministic. Stratum::sampled and ::found are left empty.
Strata choose_strata(const std::map<StratumKey, std::uint64_t>& pairs_of_key, std::uint64_t sample_pairs);

// Sets Stratum::sampled, in total min(sample_pairs, all pairs). Shares are proportional to the square root of a
// stratum's pairs (power allocation, Bankier 1988): equal shares would make totals uncertain, and proportional ones
// would not look at small strata, where algorithms differ. Strata get kPairsPerStratumMinimum pairs first, if they have
// as many and the sample is large enough. Pairs that no algorithm found get 1 / kBelowDivisor of the sample, or more if
// there are not enough others: they are many, and few of them are copies.
inline constexpr std::uint64_t kBelowDivisor = 4;
void allocate(std::uint64_t sample_pairs, std::vector<Stratum>& strata);

}  // namespace paraprint::inline lab::inline judge
