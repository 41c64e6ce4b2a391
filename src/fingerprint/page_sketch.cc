// One permutation with densification makes 128 min-hashes in one pass, of which only the lowest byte is stored: 128
// bytes per page estimate the similarity of whole texts with an error of about 0.04.
#include "fingerprint/page_sketch.h"

#include <algorithm>
#include <array>
#include <bit>
#include <vector>

#include "base/hash.h"
#include "fingerprint/minhash_signature.h"

namespace paraprint::inline fingerprint {
namespace {

// With fewer words, one changed word moves the estimate by more than its own error.
constexpr std::size_t kWordsMinimum = 34;

// Not symmetric, and different for the two distances: order and distance of the words count.
std::uint64_t pair_hash(std::uint64_t first, std::uint64_t second, int distance) {
  constexpr int kRotation = 21;
  return mix64(first ^ std::rotl(second, kRotation * distance));
}

// All ordered pairs of words one and two places apart. If a share p of the words is replaced, (1 - p)^2 of the pairs
// survive, but only (1 - p)^3 of the windows of three words.
std::vector<std::uint64_t> neighbour_pairs(std::span<const std::uint64_t> words) {
  std::vector<std::uint64_t> pairs(2 * words.size() - 3);  // (n - 1) + (n - 2); n >= kWordsMinimum
  std::size_t count = 0;
  for (std::size_t i = 1; i < words.size(); ++i) pairs[count++] = pair_hash(words[i - 1], words[i], 1);
  for (std::size_t i = 2; i < words.size(); ++i) pairs[count++] = pair_hash(words[i - 2], words[i], 2);
  return pairs;
}

}  // namespace

void make_page_sketch(std::span<const std::uint64_t> words, std::span<const std::uint64_t> numbers,
                      PageSketch& sketch) {
  sketch.pair_hashes.clear();
  if (words.size() >= kWordsMinimum) {
    std::array<std::uint64_t, PageSketch::kPairHashes> least;
    one_permutation_hashes(neighbour_pairs(words), least);
    for (const std::uint64_t hash : least) sketch.pair_hashes.push_back(static_cast<std::uint8_t>(hash));
  }
  // The smallest hashes are a random sample of the distinct numbers (bottom-k sketch); number_count gives its share.
  sketch.numbers.clear();
  for (const std::uint64_t number : numbers) sketch.numbers.push_back(static_cast<std::uint32_t>(number >> 32));
  std::sort(sketch.numbers.begin(), sketch.numbers.end());
  sketch.numbers.erase(std::unique(sketch.numbers.begin(), sketch.numbers.end()), sketch.numbers.end());
  sketch.number_count = static_cast<std::uint32_t>(sketch.numbers.size());
  if (sketch.numbers.size() > PageSketch::kNumbersKept) sketch.numbers.resize(PageSketch::kNumbersKept);
}

}  // namespace paraprint::inline fingerprint
