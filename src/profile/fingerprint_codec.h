// The byte form of a PageFingerprint: version 1, byte by byte in docs/formats/page-fingerprint.md. Reading is safe on
// any bytes.
#pragma once

#include <string>
#include <string_view>

#include "paraprint/page_fingerprint.h"
#include "paraprint/result.h"

namespace paraprint {

inline constexpr std::uint8_t kFingerprintFormatVersion = 1;  // persisted

// Appends the byte form to `out`.
void encode_fingerprint(const PageFingerprint& fingerprint, std::string& out);

// Replaces `fingerprint`. kUnsupported for another version, kCorruptData for bytes that are no fingerprint;
// `fingerprint` is then empty. The whole of `bytes` must be one fingerprint.
Status decode_fingerprint(std::string_view bytes, PageFingerprint& fingerprint);

}  // namespace paraprint
