// The loop over permutations is vectorised: each lane holds one permutation, and every member of the set is mixed with
// all keys of a batch. Compiled once per instruction set by Highway, which selects the best one at run time. mix64() is
// written out here with vector operations and must stay equal to base/hash.h.
#include "fingerprint/minhash_signature.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <map>
#include <memory>
#include <mutex>

#include "base/assert.h"
#include "base/hash.h"
#include "base/split_mix.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fingerprint/minhash_signature.cc"
#include <hwy/foreach_target.h>  // compiles the part between the namespaces once per instruction set
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace paraprint::inline fingerprint {

namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// minima[i] = minimum of mix64(x ^ keys[i]) over the set; `count` is a multiple of 8, the largest number of lanes.
void least_mixed(const std::uint64_t* set, std::size_t set_size, const std::uint64_t* keys, std::size_t count,
                 std::uint64_t* minima) {
  const hn::CappedTag<std::uint64_t, 8> lanes;
  const auto first_factor = hn::Set(lanes, 0xFF51AFD7ED558CCDULL);
  const auto second_factor = hn::Set(lanes, 0xC4CEB9FE1A85EC53ULL);
  for (std::size_t base = 0; base < count; base += hn::Lanes(lanes)) {
    const auto key = hn::LoadU(lanes, keys + base);
    auto least = hn::Set(lanes, ~std::uint64_t{0});
    for (std::size_t i = 0; i < set_size; ++i) {
      auto mixed = hn::Xor(hn::Set(lanes, set[i]), key);
      mixed = hn::Mul(hn::Xor(mixed, hn::ShiftRight<33>(mixed)), first_factor);
      mixed = hn::Mul(hn::Xor(mixed, hn::ShiftRight<33>(mixed)), second_factor);
      least = hn::Min(least, hn::Xor(mixed, hn::ShiftRight<33>(mixed)));
    }
    hn::StoreU(least, lanes, minima + base);
  }
}

}  // namespace HWY_NAMESPACE

}  // namespace paraprint::inline fingerprint
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace paraprint::inline fingerprint {
namespace {

HWY_EXPORT(least_mixed);

constexpr std::size_t kBatch = 64;  // permutations per pass over the set: a multiple of any number of lanes

constexpr std::uint64_t permutation_key(std::size_t permutation) {
  return split_mix_output((permutation + 1) * kSplitMixStep);
}

// floor(hash * bins / 2^64) for fewer than 2^32 bins: the 128-bit product in two halves.
std::size_t bin_of(std::uint64_t hash, std::size_t bins) {
  return static_cast<std::size_t>(((hash >> 32) * bins + ((hash & 0xFFFFFFFF) * bins >> 32)) >> 32);
}

// The bin that an empty bin tries at its t-th attempt. Depends on the two numbers only, so that two signatures copy
// from the same bins, which keeps equal sets equal and the estimate unbiased.
std::size_t drawn_bin(std::uint32_t bin, std::uint32_t attempt, std::size_t bins) {
  std::array<char, 8> bytes;
  std::memcpy(bytes.data(), &bin, sizeof bin);
  std::memcpy(bytes.data() + sizeof bin, &attempt, sizeof attempt);
  return bin_of(hash64({bytes.data(), bytes.size()}), bins);
}

// The first draws for as many bins as a page's sketch has, which are drawn for every page.
struct FirstDraws {
  static constexpr std::uint32_t kBins = 128;
  static constexpr std::uint32_t kAttempts = 8;
  std::array<std::array<std::uint8_t, kAttempts>, kBins> bins{};

  FirstDraws() {
    for (std::uint32_t bin = 0; bin < kBins; ++bin) {
      for (std::uint32_t i = 0; i < kAttempts; ++i) {
        bins[bin][i] = static_cast<std::uint8_t>(drawn_bin(bin, i + 1, kBins));
      }
    }
  }
};

// With f of n bins filled, each empty one takes n / f draws on average, n^2 / f together: 2 * 10^7 for the 4096 bins of
// a page that repeats one word. With few filled bins it is cheaper to ask a table which of them each bin draws first.
constexpr std::size_t kFewBinsShare = 8;

// When each bin first draws each other one. The same for all pages, so there is one table for each number of bins. It
// knows four times as many draws as there are bins. That a bin draws neither of two filled ones in so many happens to
// one in three thousand (e^-8), for which the rest is drawn.
class FirstAttempts {
 public:
  static constexpr std::size_t kBinsMaximum = 4096;
  static constexpr std::uint16_t kLater = 0xFFFF;  // than attempts()
  static_assert(4 * kBinsMaximum < kLater);

  explicit FirstAttempts(std::size_t bins) : bins_(bins), attempts_(bins * bins, kLater) {
    for (std::uint32_t bin = 0; bin < bins; ++bin) {
      for (std::uint32_t attempt = attempts(); attempt > 0; --attempt) {
        attempts_[drawn_bin(bin, attempt, bins) * bins + bin] = static_cast<std::uint16_t>(attempt);
      }
    }
  }

  // Those that draw `drawn`, by the bin that draws.
  std::span<const std::uint16_t> of(std::size_t drawn) const {
    return std::span(attempts_).subspan(drawn * bins_, bins_);
  }
  std::uint32_t attempts() const { return static_cast<std::uint32_t>(4 * bins_); }

  // Made when it is first asked for, and kept: 2 bytes for each pair of bins. Thread-safe.
  static const FirstAttempts& shared(std::size_t bins) {
    static std::mutex mutex;
    static std::map<std::size_t, std::unique_ptr<const FirstAttempts>> tables;
    const std::lock_guard lock(mutex);
    std::unique_ptr<const FirstAttempts>& table = tables[bins];
    if (table == nullptr) table = std::make_unique<const FirstAttempts>(bins);
    return *table;
  }

 private:
  std::size_t bins_;
  std::vector<std::uint16_t> attempts_;
};

// The first filled bin that `bin` draws from the attempt `attempt` on.
std::size_t first_filled(std::uint32_t bin, std::uint32_t attempt, const std::vector<std::uint8_t>& is_filled) {
  std::size_t drawn = drawn_bin(bin, attempt, is_filled.size());
  while (is_filled[drawn] == 0) drawn = drawn_bin(bin, ++attempt, is_filled.size());
  return drawn;
}

// What the draws would give where few bins are filled, and at least one.
void copy_from_few(const std::vector<std::uint8_t>& is_filled, std::span<std::uint64_t> signature) {
  const std::size_t bins = signature.size();
  std::vector<std::uint32_t> filled;
  for (std::uint32_t bin = 0; bin < bins; ++bin) {
    if (is_filled[bin] != 0) filled.push_back(bin);
  }
  if (filled.size() == 1) {
    std::fill(signature.begin(), signature.end(), signature[filled[0]]);
    return;
  }
  const FirstAttempts& table = FirstAttempts::shared(bins);
  std::vector<std::uint16_t> first(bins, FirstAttempts::kLater);
  for (const std::uint32_t source : filled) {
    const std::span<const std::uint16_t> attempts = table.of(source);
    for (std::size_t bin = 0; bin < bins; ++bin) first[bin] = std::min(first[bin], attempts[bin]);
  }
  std::vector<std::uint64_t> copied(bins);
  for (const std::uint32_t source : filled) {
    const std::span<const std::uint16_t> attempts = table.of(source);
    const std::uint64_t least = signature[source];
    for (std::size_t bin = 0; bin < bins; ++bin) copied[bin] = attempts[bin] == first[bin] ? least : copied[bin];
  }
  for (std::uint32_t bin = 0; bin < bins; ++bin) {
    if (is_filled[bin] != 0) continue;
    const bool is_later = first[bin] == FirstAttempts::kLater;
    signature[bin] = is_later ? signature[first_filled(bin, table.attempts() + 1, is_filled)] : copied[bin];
  }
}

}  // namespace

std::uint64_t permuted(std::uint64_t value, std::size_t permutation) {
  return mix64(value ^ permutation_key(permutation));
}

void minhash_signature(std::span<const std::uint64_t> set, std::span<std::uint64_t> signature) {
  PARAPRINT_ASSERT(!set.empty());
  const auto least_of = HWY_DYNAMIC_DISPATCH(least_mixed);
  std::array<std::uint64_t, kBatch> keys;
  std::array<std::uint64_t, kBatch> minima;
  for (std::size_t base = 0; base < signature.size(); base += kBatch) {
    for (std::size_t i = 0; i < kBatch; ++i) keys[i] = permutation_key(base + i);
    const std::size_t wanted = std::min(kBatch, signature.size() - base);
    constexpr std::size_t kLanesMaximum = 8;
    const std::size_t computed = (wanted + kLanesMaximum - 1) / kLanesMaximum * kLanesMaximum;
    least_of(set.data(), set.size(), keys.data(), computed, minima.data());
    std::copy_n(minima.begin(), wanted, signature.begin() + static_cast<std::ptrdiff_t>(base));
  }
}

void one_permutation_hashes(std::span<const std::uint64_t> set, std::span<std::uint64_t> signature) {
  PARAPRINT_ASSERT(!set.empty());
  const std::size_t bins = signature.size();
  std::vector<std::uint8_t> is_filled(bins);
  std::fill(signature.begin(), signature.end(), std::numeric_limits<std::uint64_t>::max());
  for (const std::uint64_t hash : set) {
    const std::size_t bin = bin_of(hash, bins);
    signature[bin] = std::min(signature[bin], hash);
    is_filled[bin] = 1;
  }
  // Only bins that were filled by members are copied, never copies of copies. They are listed first, without a branch
  // that nothing predicts.
  std::vector<std::uint32_t> empty(bins);
  std::size_t count = 0;
  for (std::uint32_t bin = 0; bin < bins; ++bin) {
    empty[count] = bin;
    count += is_filled[bin] == 0 ? 1 : 0;
  }
  if ((bins - count) * kFewBinsShare < bins && bins <= FirstAttempts::kBinsMaximum) {
    copy_from_few(is_filled, signature);
    return;
  }
  static const FirstDraws first_draws;
  const std::uint32_t known_draws = bins == FirstDraws::kBins ? FirstDraws::kAttempts : 0;
  for (const std::uint32_t bin : std::span(empty).first(count)) {
    std::size_t source = bin;
    for (std::uint32_t attempt = 1; is_filled[source] == 0; ++attempt) {
      source = attempt <= known_draws ? first_draws.bins[bin][attempt - 1] : drawn_bin(bin, attempt, bins);
    }
    signature[bin] = signature[source];
  }
}

std::size_t equal_places(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b) {
  PARAPRINT_ASSERT(a.size() == b.size());
  std::size_t equal = 0;
  for (std::size_t i = 0; i < a.size(); ++i) equal += a[i] == b[i] ? 1 : 0;
  return equal;
}

}  // namespace paraprint::inline fingerprint
#endif  // HWY_ONCE
