// What one page-level algorithm keeps of a page. Plain data; docs/formats/page-fingerprint.md gives its byte form.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace paraprint {

enum class FingerprintState : std::uint8_t {  // persisted: never renumber
  kUsable = 0,
  kShort = 1,  // too few features for the algorithm: only pages of equal text are copies (algorithms.md 0.5)
  kEmpty = 2,  // no content character: never compared
};

struct PageFingerprint {
  FingerprintState state = FingerprintState::kEmpty;
  std::array<std::uint64_t, 2> text_hash{};  // M128 of N(text)
  std::vector<std::uint64_t> values;         // layout: the algorithm's own
  std::vector<float> weights;                // of the values, or empty

  void clear() {
    state = FingerprintState::kEmpty;
    text_hash = {};
    values.clear();
    weights.clear();
  }
  friend bool operator==(const PageFingerprint&, const PageFingerprint&) = default;
};

}  // namespace paraprint
