// The byte form says nothing about the algorithm: the log or index that holds a fingerprint stores the algorithm once.
// Values have a fixed width: most are hashes, which would be longer as variable-length integers.
#include "profile/fingerprint_codec.h"

#include <fmt/format.h>

#include <bit>

#include "base/assert.h"
#include "base/byte_codec.h"
#include "base/propagate.h"

namespace paraprint::inline profile {
namespace {

constexpr std::uint8_t kHasWeights = 0x80;  // shares a byte with the state; persisted

tl::unexpected<Error> no_fingerprint(std::size_t size_bytes) {
  return failure(ErrorCode::kCorruptData, fmt::format("{} bytes are not a page fingerprint of format {}", size_bytes,
                                                      kFingerprintFormatVersion));
}

}  // namespace

// Weights follow all values, not each its value, so that pages without weights need no other layout.
void encode_fingerprint(const PageFingerprint& fingerprint, std::string& out) {
  PARAPRINT_ASSERT(fingerprint.weights.empty() || fingerprint.weights.size() == fingerprint.values.size());
  ByteWriter writer(out);
  writer.fixed(kFingerprintFormatVersion);
  const auto state = static_cast<std::uint8_t>(fingerprint.state);
  writer.fixed(static_cast<std::uint8_t>(fingerprint.weights.empty() ? state : state | kHasWeights));
  for (const std::uint64_t half : fingerprint.text_hash) writer.fixed(half);
  writer.variable(fingerprint.values.size());
  for (const std::uint64_t value : fingerprint.values) writer.fixed(value);
  for (const float weight : fingerprint.weights) writer.fixed(std::bit_cast<std::uint32_t>(weight));
}

// The count is checked against the bytes that are left before anything is allocated for it.
Status decode_fingerprint(std::string_view bytes, PageFingerprint& fingerprint) {
  fingerprint.clear();
  ByteReader reader(bytes);
  const auto version = reader.fixed<std::uint8_t>();
  if (!reader.ok()) return no_fingerprint(bytes.size());
  if (version != kFingerprintFormatVersion) {
    return failure(ErrorCode::kUnsupported,
                   fmt::format("page fingerprint of format {}, not {}", version, kFingerprintFormatVersion));
  }
  const auto flags = reader.fixed<std::uint8_t>();
  // Unknown flags would make the state too large, and are refused with it.
  const std::uint8_t state = flags & ~kHasWeights;
  for (std::uint64_t& half : fingerprint.text_hash) half = reader.fixed<std::uint64_t>();
  const std::uint64_t count = reader.variable();
  const bool has_weights = (flags & kHasWeights) != 0;
  const std::uint64_t value_bytes = sizeof(std::uint64_t) + (has_weights ? sizeof(float) : 0);
  if (state > static_cast<std::uint8_t>(FingerprintState::kEmpty) || count > reader.left_bytes() / value_bytes) {
    reader.fail();
  }
  for (std::uint64_t i = 0; i < count && reader.ok(); ++i) {
    fingerprint.values.push_back(reader.fixed<std::uint64_t>());
  }
  for (std::uint64_t i = 0; i < count && has_weights && reader.ok(); ++i) {
    fingerprint.weights.push_back(std::bit_cast<float>(reader.fixed<std::uint32_t>()));
  }
  if (!reader.ok() || !reader.at_end()) {
    fingerprint.clear();
    return no_fingerprint(bytes.size());
  }
  fingerprint.state = static_cast<FingerprintState>(state);
  return {};
}

Status decode_fingerprint_of(const PageFingerprinter& fingerprinter, std::string_view bytes,
                             PageFingerprint& fingerprint) {
  PARAPRINT_TRY(decode_fingerprint(bytes, fingerprint));
  if (fingerprint.state != FingerprintState::kUsable || fingerprinter.has_shape(fingerprint)) return {};
  const std::size_t values = fingerprint.values.size();
  const std::size_t weights = fingerprint.weights.size();
  fingerprint.clear();
  return failure(ErrorCode::kCorruptData,
                 fmt::format("a fingerprint of {} values and {} weights is none of this algorithm", values, weights));
}

}  // namespace paraprint::inline profile
