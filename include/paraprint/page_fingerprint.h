// The fingerprint of a page by one page-level algorithm. Plain data; docs/formats/page-fingerprint.md describes its
// serialised form.
//
// Example:
//
//   PageFingerprint fingerprint;  // as returned by Profiler::fingerprint()
//   const bool is_comparable = fingerprint.state == FingerprintState::kUsable;
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace paraprint {

enum class FingerprintState : std::uint8_t {  // persisted: never renumber
  kUsable = 0,
  kShort = 1,  // too few features for the algorithm: matches only pages with equal text
  kEmpty = 2,  // no content characters: never compared
};

struct PageFingerprint {
  FingerprintState state = FingerprintState::kEmpty;
  std::array<std::uint64_t, 2> text_hash{};  // B128 of N(text), see docs/algorithms/hashes.md
  std::vector<std::uint64_t> values;         // the layout depends on the algorithm
  std::vector<float> weights;                // one per value, or empty

  void clear() {
    state = FingerprintState::kEmpty;
    text_hash = {};
    values.clear();
    weights.clear();
  }
  friend bool operator==(const PageFingerprint&, const PageFingerprint&) = default;
};

}  // namespace paraprint
