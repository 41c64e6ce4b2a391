// Thresholds are shares of equal bits, as for all algorithms, while the Hamming indexes need distances. Every share
// that a distance yields is exact in binary (widths are powers of two), so converting back and forth loses nothing.
#include "lab/sketches/simhash_page.h"

#include <algorithm>
#include <cmath>

#include "base/hamming_distance.h"
#include "base/hash.h"

namespace paraprint::inline lab::inline sketches {
namespace {

// Sweeps go up to this share of the bits, 12 of 64 or 24 of 128: an estimated cosine of 0.8315.
constexpr int kSweepBitsOf64 = 12;

constexpr std::string_view kCompressedSuffix = "-compressed";

// The design of each kind for any distance; empty for the join.
std::vector<int> table_blocks(std::string_view index, int distance_bits) {
  const std::string_view tables = index.substr(0, index.find(kCompressedSuffix));
  if (tables == "4") return {distance_bits + 1};
  if (tables == "10") return {distance_bits + 2};
  if (tables == "16") return {distance_bits + 1, distance_bits + 1};
  if (tables == "20") return {distance_bits + 3};
  return {};
}

}  // namespace

int distance_of_share(double resemblance, int bits) {
  // Exact for every share that comes from a distance: it is a multiple of a power of two.
  const double distance = std::floor((1.0 - resemblance) * bits);
  return static_cast<int>(std::clamp(distance, 0.0, static_cast<double>(kHammingDistanceMaximum)));
}

Fingerprint128 hash_of_word(const PageTerms& terms, const Term& term, std::string_view function, int bits) {
  const bool is_murmur = function == kWordHashes[0];
  if (bits == 64) return {is_murmur ? term.hash : blake2b128(terms.bytes(term)).high, 0};
  return is_murmur ? murmur128(terms.bytes(term)) : blake2b128(terms.bytes(term));
}

void SimHashVotes::clear() {
  hashes_.clear();
  votes_.clear();
  distinct_count_ = 0;
}

void SimHashVotes::add(const Fingerprint128& hash, double weight) {
  const auto votes = static_cast<std::uint64_t>(std::max(0LL, std::llround(weight * kSimHashWeightOne)));
  if (votes == 0) return;
  append_feature(hash, votes, hashes_, votes_);
  if (distinct_count_ == distinct_.size()) return;
  const auto end = distinct_.begin() + static_cast<std::ptrdiff_t>(distinct_count_);
  if (std::find(distinct_.begin(), end, hash) == end) distinct_[distinct_count_++] = hash;
}

void SimHashFingerprinter::fingerprint(const FingerprinterInput& page, PageFingerprint& fingerprint) {
  votes_.clear();
  const bool has_enough = add_features(page.terms, votes_);
  if (!has_enough || !votes_.has_enough_features()) fingerprint.state = FingerprintState::kShort;
  const Fingerprint128 simhash = votes_.sign();
  fingerprint.values.push_back(simhash.high);
  if (bits_ == 128) fingerprint.values.push_back(simhash.low);
}

FingerprintSimilarity SimHashFingerprinter::similarity(const PageFingerprint& a, const PageFingerprint& b) const {
  return {share_of_equal_bits(hamming_distance(std::span(a.values), std::span(b.values)), bits_), 0, 0};
}

double SimHashFingerprinter::sweep_minimum() const {
  // The larger distances of a sweep would need too many tables.
  if (index_ != kHammingIndexes[0]) return threshold();
  return share_of_equal_bits(std::max(distance_bits_, kSweepBitsOf64 * bits_ / 64), bits_);
}

IndexPlan SimHashFingerprinter::index_plan(double resemblance_minimum) const {
  const int distance_bits = distance_of_share(resemblance_minimum, bits_);
  return HammingPlan{.width_bits = bits_,
                     .distance_bits = distance_bits,
                     .table_blocks = table_blocks(index_, distance_bits),
                     .compresses_tables = index_.ends_with(kCompressedSuffix)};
}

}  // namespace paraprint::inline lab::inline sketches
