#include "fingerprint/page_sketch.h"

#include <algorithm>
#include <array>
#include <bit>
#include <vector>

#include "base/hash.h"
#include "fingerprint/min_hash.h"

namespace paraprint {
namespace {

constexpr std::size_t kWindowWords = 3;
// Below this many windows one changed word changes more than the estimate's own error.
constexpr std::size_t kWindowsMinimum = 32;

}  // namespace

void make_page_sketch(std::span<const std::uint64_t> words, std::span<const std::uint64_t> numbers,
                      PageSketch& sketch) {
  sketch.window_hashes.clear();
  if (words.size() >= kWindowsMinimum + kWindowWords - 1) {
    std::vector<std::uint64_t> windows(words.size() - kWindowWords + 1);
    for (std::size_t i = 0; i < windows.size(); ++i) {
      windows[i] = mix64(words[i] ^ std::rotl(words[i + 1], 21) ^ std::rotl(words[i + 2], 42));
    }
    std::array<std::uint64_t, PageSketch::kWindowHashes> least;
    one_permutation_hashes(windows, least);
    for (const std::uint64_t hash : least) sketch.window_hashes.push_back(static_cast<std::uint8_t>(hash));
  }
  sketch.numbers.clear();
  for (const std::uint64_t number : numbers) sketch.numbers.push_back(static_cast<std::uint32_t>(number >> 32));
  std::sort(sketch.numbers.begin(), sketch.numbers.end());
  sketch.numbers.erase(std::unique(sketch.numbers.begin(), sketch.numbers.end()), sketch.numbers.end());
  sketch.number_count = static_cast<std::uint32_t>(sketch.numbers.size());
  if (sketch.numbers.size() > PageSketch::kNumbersKept) sketch.numbers.resize(PageSketch::kNumbersKept);
}

}  // namespace paraprint
