// The byte form of a PageFingerprint, version 2 (docs/formats/page-fingerprint.md). Decoding is safe on any input.
#pragma once

#include <string>
#include <string_view>

#include "fingerprint/page_fingerprinter.h"
#include "paraprint/page_fingerprint.h"
#include "paraprint/result.h"

namespace paraprint::inline profile {

inline constexpr std::uint8_t kFingerprintFormatVersion = 2;  // persisted

// Appends the byte form to `out`.
void encode_fingerprint(const PageFingerprint& fingerprint, std::string& out);

// Replaces `fingerprint`. kUnsupported for another version, kCorruptData for anything that is not exactly one
// fingerprint; `fingerprint` is then empty.
Status decode_fingerprint(std::string_view bytes, PageFingerprint& fingerprint);

// The same for a fingerprint that is compared with others by `fingerprinter`. kCorruptData also for a usable one that
// it cannot have made.
Status decode_fingerprint_of(const PageFingerprinter& fingerprinter, std::string_view bytes,
                             PageFingerprint& fingerprint);

}  // namespace paraprint::inline profile
