// The inner loop of Hamming searches. Highway compiles this file once per instruction set (foreach_target.h
// includes it repeatedly) and picks the best one at run time. The loop tests a whole vector against the limit and looks
// at single fingerprints only if one of them may be close, which is rare.
#include "base/hamming_scan.h"

#include <algorithm>
#include <bit>

// The AVX3_DL target has a vector population count instruction; Highway builds the target only on request.
#define HWY_WANT_AVX3_DL 1
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "base/hamming_scan.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace paraprint::inline base {

namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// The distances of a vector of fingerprints from the query.
template <bool kHasLow, class Tag, class Vector>
HWY_INLINE Vector distances_at(Tag tag, const FingerprintRun& run, std::size_t at, Vector high, Vector low) {
  Vector distance = hn::PopulationCount(hn::Xor(hn::LoadU(tag, run.high + at), high));
  if constexpr (kHasLow) {
    distance = hn::Add(distance, hn::PopulationCount(hn::Xor(hn::LoadU(tag, run.low + at), low)));
  }
  return distance;
}

template <bool kHasLow>
void scan_run(const FingerprintRun& run, const Fingerprint128& query, int distance_bits,
              std::vector<std::uint32_t>& places) {
  const hn::ScalableTag<std::uint64_t> tag;
  const hn::RebindToSigned<decltype(tag)> signed_tag;  // before AVX-512, only signed comparison is an instruction
  const std::size_t lanes = hn::Lanes(tag);
  const auto high = hn::Set(tag, query.high);
  const auto low = hn::Set(tag, query.low);
  const auto limit = hn::Set(signed_tag, std::int64_t{distance_bits} + 1);
  // The last vector may read past the end of the run, into its padding (kScanPadding); those lanes are never reported.
  for (std::size_t at = 0; at < run.size; at += lanes) {
    const auto distance = distances_at<kHasLow>(tag, run, at, high, low);
    const auto close = hn::Lt(hn::BitCast(signed_tag, distance), limit);
    if (HWY_LIKELY(hn::AllFalse(signed_tag, close))) continue;
    const std::size_t end = std::min(at + lanes, run.size);
    for (std::size_t place = at; place < end; ++place) {
      int bits = std::popcount(run.high[place] ^ query.high);
      if constexpr (kHasLow) bits += std::popcount(run.low[place] ^ query.low);
      if (bits <= distance_bits) places.push_back(static_cast<std::uint32_t>(place));
    }
  }
}

void find_in_run(const FingerprintRun& run, const Fingerprint128& query, int distance_bits,
                 std::vector<std::uint32_t>& places) {
  if (run.low == nullptr) {
    scan_run<false>(run, query, distance_bits, places);
  } else {
    scan_run<true>(run, query, distance_bits, places);
  }
}

template <bool kHasLow>
std::size_t write_distances(const FingerprintRun& run, const Fingerprint128& query, int distance_bits,
                            std::uint8_t* distances) {
  const hn::ScalableTag<std::uint64_t> tag;
  const hn::RebindToSigned<decltype(tag)> signed_tag;
  const hn::Rebind<std::uint8_t, decltype(tag)> byte_tag;
  const std::size_t lanes = hn::Lanes(tag);
  const auto high = hn::Set(tag, query.high);
  const auto low = hn::Set(tag, query.low);
  const auto limit = hn::Set(signed_tag, std::int64_t{distance_bits} + 1);
  std::size_t close = 0;
  for (std::size_t at = 0; at < run.size; at += lanes) {
    const auto distance = distances_at<kHasLow>(tag, run, at, high, low);
    hn::StoreU(hn::TruncateTo(byte_tag, distance), byte_tag, distances + at);
    const auto is_close = hn::Lt(hn::BitCast(signed_tag, distance), limit);
    close += hn::CountTrue(signed_tag, hn::And(is_close, hn::FirstN(signed_tag, run.size - at)));
  }
  return close;
}

std::size_t find_distances(const FingerprintRun& run, const Fingerprint128& query, int distance_bits,
                           std::uint8_t* distances) {
  return run.low == nullptr ? write_distances<false>(run, query, distance_bits, distances)
                            : write_distances<true>(run, query, distance_bits, distances);
}

}  // namespace HWY_NAMESPACE

}  // namespace paraprint::inline base
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace paraprint::inline base {

HWY_EXPORT(find_in_run);

void find_close_in_run(const FingerprintRun& run, const Fingerprint128& query, int distance_bits,
                       std::vector<std::uint32_t>& places) {
  HWY_DYNAMIC_DISPATCH(find_in_run)(run, query, distance_bits, places);
}

HWY_EXPORT(find_distances);

std::size_t distances_in_run(const FingerprintRun& run, const Fingerprint128& query, int distance_bits,
                             std::uint8_t* distances) {
  return HWY_DYNAMIC_DISPATCH(find_distances)(run, query, distance_bits, distances);
}

}  // namespace paraprint::inline base
#endif
