// The label says the algorithm, and the number of characters without padding says the encoding: no two encodings of one
// algorithm have the same.
#include "cdx/digest_text.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/base64.h"
#include "http/header_block.h"

namespace paraprint::inline cdx {
namespace {

constexpr std::size_t kLongestValue = 64;  // SHA-256 in hexadecimal

struct AlgorithmForm {
  DigestAlgorithm algorithm;
  std::size_t bytes;
  std::array<std::string_view, 2> labels;
};
constexpr std::array<AlgorithmForm, 3> kForms = {{
    {DigestAlgorithm::kSha1, 20, {"sha1", "sha-1"}},
    {DigestAlgorithm::kSha256, 32, {"sha256", "sha-256"}},
    {DigestAlgorithm::kMd5, 16, {"md5", "md5"}},
}};

constexpr std::size_t hexadecimal_characters(std::size_t bytes) {
  return bytes * 2;
}
constexpr std::size_t base32_characters(std::size_t bytes) {
  return (bytes * 8 + 4) / 5;
}
constexpr std::size_t base64_characters(std::size_t bytes) {
  return (bytes * 8 + 5) / 6;
}

int hexadecimal_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

int base32_value(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a';
  if (c >= '2' && c <= '7') return c - '2' + 26;
  return -1;
}

// Digits of `bits` each, whose rest at the end must be zero.
template <class DigitValue>
std::optional<std::string> decode_digits(std::string_view text, unsigned bits, DigitValue digit_value) {
  std::string bytes;
  std::uint32_t pending = 0;
  unsigned pending_bits = 0;
  for (const char c : text) {
    const int value = digit_value(c);
    if (value < 0) return std::nullopt;
    pending = pending << bits | static_cast<std::uint32_t>(value);
    pending_bits += bits;
    if (pending_bits < 8) continue;
    pending_bits -= 8;
    bytes += static_cast<char>(pending >> pending_bits & 0xFF);
    pending &= (1U << pending_bits) - 1;
  }
  if (pending != 0) return std::nullopt;
  return bytes;
}

std::optional<std::string> decode_either_base64(std::string_view text) {
  std::string standard(text);
  std::replace(standard.begin(), standard.end(), '-', '+');
  std::replace(standard.begin(), standard.end(), '_', '/');
  return decode_base64(standard);
}

DigestValue decode(const AlgorithmForm& form, std::string_view value) {
  std::optional<std::string> bytes;
  if (value.size() == hexadecimal_characters(form.bytes)) {
    bytes = decode_digits(value, 4, hexadecimal_value);
  } else if (value.size() == base32_characters(form.bytes)) {
    bytes = decode_digits(value, 5, base32_value);
  } else if (value.size() == base64_characters(form.bytes)) {
    bytes = decode_either_base64(value);
  }
  if (!bytes) return {};
  return {form.algorithm, std::move(*bytes)};
}

// Most of those without a label are SHA-1 in base32, in upper case. MD5 has as many characters.
DigestValue decode_without_label(std::string_view value) {
  const auto& [sha1, sha256, md5] = kForms;
  if (value.size() != base32_characters(sha1.bytes)) {
    DigestValue digest = decode(sha1, value);
    return digest.is_known() ? digest : decode(sha256, value);
  }
  const bool is_lower_hexadecimal =
      std::all_of(value.begin(), value.end(), [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
  if (is_lower_hexadecimal) return decode(md5, value);
  DigestValue digest = decode(sha1, value);
  return digest.is_known() ? digest : decode(md5, value);
}

}  // namespace

DigestValue parse_digest(std::string_view text) {
  text = trim(text);
  std::string_view value = text.substr(text.find(':') + 1);  // all of it without a label
  const std::string_view label = text.substr(0, text.size() - value.size());
  value = value.substr(0, value.find_last_not_of('=') + 1);
  if (value.size() > kLongestValue) return {};
  if (label.empty()) return decode_without_label(value);
  for (const AlgorithmForm& form : kForms) {
    for (const std::string_view known : form.labels) {
      if (equals_ignoring_case(label.substr(0, label.size() - 1), known)) return decode(form, value);
    }
  }
  return {};
}

}  // namespace paraprint::inline cdx
