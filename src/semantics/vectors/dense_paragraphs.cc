// Exactness by construction: components are bytes, scales and means are rounded to fixed-point numbers, and every sum
// stays below 2^53. So the order of additions, vector units and compilers don't matter.
#include "semantics/vectors/dense_paragraphs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>

#include "base/assert.h"
#include "base/hash.h"
#include "base/split_mix.h"
#include "profile/synonym_choice.h"

namespace paraprint::inline semantics::inline vectors {
namespace {

constexpr std::size_t kBits = 128;
// Fixed-point unit of a row's scale, the factor that gives its vector length one. The largest component of a row is
// 127, so a scale is at most 1 / 127 of the unit.
constexpr double kScaleOne = 65536;

}  // namespace

// The name tells how words are hashed: another way of doing it needs another one.
Fingerprint128 hashed_version(std::uint32_t dimension) {
  return {hash64("hashed words 1"), dimension};
}

Result<std::optional<std::uint32_t>> hashed_dimension(std::string_view model) {
  if (!names_hashed_words(model)) return std::nullopt;
  const std::size_t colon = model.find(':');
  if (colon == std::string_view::npos) return kHashedDimensionDefault;
  const std::string_view digits = model.substr(colon + 1);
  std::uint32_t dimension = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), dimension);
  const bool is_number = error == std::errc() && end == digits.data() + digits.size();
  if (is_number && dimension >= kHashedDimensionMinimum && dimension <= kVectorDimensionMaximum) return dimension;
  return failure(ErrorCode::kInvalidArgument,
                 fmt::format("model is '{}'; hashed words have {} to {} components, as in hashed:{}", model,
                             kHashedDimensionMinimum, kVectorDimensionMaximum, kHashedDimensionDefault));
}

// A table by hash, because feature extraction hands over the hashes of words and not their letters. It is seeded, and
// of words of one hash the first is found: the model may come from someone who chose its words.
DenseParagraphs::DenseParagraphs(std::shared_ptr<const WordVectors> vectors, bool use_blake2b)
    : dimension_(vectors->facts().dimension), vectors_(std::move(vectors)) {
  const std::uint32_t words = vectors_->facts().words;
  slots_.resize(std::bit_ceil(std::size_t{2} * words));
  const std::size_t mask = slots_.size() - 1;
  for (std::uint32_t row = 0; row < words; ++row) {
    const std::string_view word = vectors_->word(row);
    const std::uint64_t hash = use_blake2b ? blake2b128(word).high : hash64(word);
    std::size_t slot = seeded_mix64(hash, seed_) & mask;
    while (slots_[slot].row != kNoRow && slots_[slot].hash != hash) slot = (slot + 1) & mask;
    if (slots_[slot].row == kNoRow) slots_[slot] = {hash, row};
  }
}

// Ends, because at least half of the slots are free. An unknown word costs a few probes.
std::uint32_t DenseParagraphs::find(std::uint64_t hash) const {
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t slot = seeded_mix64(hash, seed_) & mask;; slot = (slot + 1) & mask) {
    if (slots_[slot].row == kNoRow || slots_[slot].hash == hash) return slots_[slot].row;
  }
}

double DenseParagraphs::add_vectors(std::span<const Fingerprint128> hashes, std::span<const std::uint32_t> weights,
                                    std::vector<std::int64_t>& sums, std::vector<std::uint64_t>& words) const {
  double total = 0;
  for (std::size_t i = 0; i < hashes.size(); ++i) {
    const std::uint32_t row = find(hashes[i].high);
    if (row == kNoRow || weights[i] == 0) continue;
    words.push_back(row);
    const std::int64_t factor =
        weights[i] * static_cast<std::int64_t>(std::lround(static_cast<double>(vectors_->scale(row)) * kScaleOne));
    const std::span<const std::int8_t> components = vectors_->components(row);
    for (std::uint32_t j = 0; j < dimension_; ++j) sums[j] += factor * components[j];
    total += weights[i];
  }
  return total;
}

// All words are known. Two of one component cancel each other as often as they add up, so that on average the product
// of two paragraphs is that of their tf-idf vectors.
double DenseParagraphs::add_hashed(std::span<const Fingerprint128> hashes, std::span<const std::uint32_t> weights,
                                   std::vector<std::int64_t>& sums, std::vector<std::uint64_t>& words) const {
  double total = 0;
  for (std::size_t i = 0; i < hashes.size(); ++i) {
    if (weights[i] == 0) continue;
    words.push_back(hashes[i].high);
    const std::int64_t sign = hashes[i].high >> 63 != 0 ? 1 : -1;
    sums[hashes[i].low % dimension_] += sign * weights[i] * static_cast<std::int64_t>(kScaleOne);
    total += weights[i];
  }
  return total;
}

// Weights are per occurrence, but `least` counts different words: a repeated word does not add evidence of the subject.
bool DenseParagraphs::mean(std::span<const Fingerprint128> hashes, std::span<const std::uint32_t> weights,
                           std::size_t least, std::vector<double>& mean) const {
  PARAPRINT_ASSERT(hashes.size() == weights.size());
  std::vector<std::uint64_t> words;
  std::vector<std::int64_t> sums(dimension_, 0);
  const double total = vectors_ ? add_vectors(hashes, weights, sums, words) : add_hashed(hashes, weights, sums, words);
  // Different words of a model are counted by row: words that segmentation distinguishes have different rows.
  std::sort(words.begin(), words.end());
  const auto distinct = std::unique(words.begin(), words.end()) - words.begin();
  if (distinct == 0 || static_cast<std::size_t>(distinct) < least) return false;
  mean.resize(dimension_);
  for (std::uint32_t j = 0; j < dimension_; ++j) {
    const double share = static_cast<double>(sums[j]) / (total * kScaleOne);
    mean[j] = std::clamp(std::round(share * kMeanOne), -double{kMeanOne}, double{kMeanOne});
  }
  return true;
}

DenseFingerprinter::DenseFingerprinter(DenseParagraphs paragraphs, std::shared_ptr<const Reduction> reduction)
    : paragraphs_(std::move(paragraphs)), reduction_(std::move(reduction)) {
  const ReductionFacts& facts = reduction_->facts();
  PARAPRINT_ASSERT(facts.dimension == paragraphs_.dimension());
  // Principal components and random signs are both linear, so they are multiplied once, here: a fingerprint then costs
  // one multiplication per bit and component of a word vector, however many principal components there are.
  projection_.assign(facts.dimension * kBits, 0);
  for (std::uint32_t component = 0; component < facts.components; ++component) {
    const std::array<std::uint64_t, 2> lots = {split_mix_output((2 * component + 1) * kSplitMixStep),
                                               split_mix_output((2 * component + 2) * kSplitMixStep)};
    const std::span<const std::int32_t> direction = reduction_->direction(component);
    for (std::size_t bit = 0; bit < kBits; ++bit) {
      const double sign = (lots[bit / 64] >> (63 - bit % 64) & 1) != 0 ? 1 : -1;
      for (std::uint32_t j = 0; j < facts.dimension; ++j) projection_[j * kBits + bit] += sign * direction[j];
    }
  }
}

// Bit b is the sign of the projection on the b-th random direction, so the share of differing bits estimates the angle
// between two paragraphs divided by pi.
std::optional<Fingerprint128> DenseFingerprinter::fingerprint(std::span<const Fingerprint128> hashes,
                                                              std::span<const std::uint32_t> weights,
                                                              std::size_t words_minimum) const {
  std::vector<double> mean;
  if (!paragraphs_.mean(hashes, weights, words_minimum, mean)) return std::nullopt;
  // Bounded by 2^53: dimension 2^10 * components 2^8 * direction 2^16 * difference 2^19. Exact in any order.
  std::array<double, kBits> sums{};
  const std::span<const std::int32_t> centre = reduction_->mean();
  for (std::size_t j = 0; j < mean.size(); ++j) {
    const double difference = mean[j] - centre[j];
    const double* const row = projection_.data() + j * kBits;
    for (std::size_t bit = 0; bit < kBits; ++bit) sums[bit] += difference * row[bit];
  }
  Fingerprint128 fingerprint;
  for (std::size_t bit = 0; bit < kBits; ++bit) {
    if (!(sums[bit] > 0)) continue;
    std::uint64_t& half = bit < 64 ? fingerprint.high : fingerprint.low;
    half |= std::uint64_t{1} << (63 - bit % 64);
  }
  return fingerprint;
}

}  // namespace paraprint::inline semantics::inline vectors
