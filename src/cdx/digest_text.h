// Digests as indexes and archives write them: "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ", the same without its label, or
// "sha-256:" and 64 hexadecimal digits. The same bytes have several texts, so digests are compared parsed.
//
//   const DigestValue known = parse_digest("3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ");
//   known == parse_digest("sha1:da39a3ee5e6b4b0d3255bfef95601890afd80709");   // true
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace paraprint::inline cdx {

enum class DigestAlgorithm : std::uint8_t { kUnknown, kMd5, kSha1, kSha256 };

struct DigestValue {
  DigestAlgorithm algorithm = DigestAlgorithm::kUnknown;
  std::string bytes;  // 16, 20 or 32; empty if the text is not understood

  bool is_known() const { return algorithm != DigestAlgorithm::kUnknown; }
  // Unknown digests are equal to each other: ask is_known() first.
  friend bool operator==(const DigestValue&, const DigestValue&) = default;
};

// Understands the labels "md5", "sha1", "sha-1", "sha256" and "sha-256" in any case, and values in hexadecimal, base32
// or base64 (with either alphabet), told apart by their length, with or without padding. Without a label the length
// says the algorithm, as in classic CDX files: 32 characters are SHA-1 in base32, unless all of them are lower-case
// hexadecimal digits or one of them is a digit that base32 does not have: then they are MD5. White space around the
// text is ignored. Everything else is unknown, such as "-", other algorithms and values of another length than their
// label's.
//
// Pure and thread-safe. Cost: O(size).
DigestValue parse_digest(std::string_view text);

}  // namespace paraprint::inline cdx
