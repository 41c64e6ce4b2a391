// A thin layer over OpenSSL. Its decoder is lenient: it skips white space at both ends, takes '=' for a digit and
// ignores trailing bits. Decoding here is strict, so that each byte string has one encoding apart from padding.
#include "base/base64.h"

#include <openssl/evp.h>

#include <climits>

#include "base/assert.h"

namespace paraprint::inline base {
namespace {

constexpr std::size_t kBytesMaximum = INT_MAX;  // the type in which OpenSSL counts

const unsigned char* bytes_of(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

unsigned char* bytes_of(std::string& text) {
  return reinterpret_cast<unsigned char*>(text.data());
}

}  // namespace

std::string base64(std::string_view bytes) {
  PARAPRINT_ASSERT(bytes.size() <= kBytesMaximum / 4 * 3);
  std::string text((bytes.size() + 2) / 3 * 4, '\0');
  EVP_EncodeBlock(bytes_of(text), bytes_of(bytes), static_cast<int>(bytes.size()));
  return text;
}

std::optional<std::string> decode_base64(std::string_view text) {
  const std::string_view digits = text.substr(0, text.find('='));
  std::string padded(digits);
  padded.resize((digits.size() + 3) / 4 * 4, '=');
  // Padding, if present, must be complete.
  if (padded.size() > kBytesMaximum || (digits.size() != text.size() && text != padded)) return std::nullopt;
  std::string bytes(padded.size() / 4 * 3, '\0');
  const int size = EVP_DecodeBlock(bytes_of(bytes), bytes_of(padded), static_cast<int>(padded.size()));
  // Smaller if white space was skipped.
  if (size != static_cast<int>(bytes.size())) return std::nullopt;
  bytes.resize(digits.size() * 3 / 4);
  // The last group is wrong if it has a single digit or bits beyond the last byte that are not zero.
  const std::size_t groups = bytes.size() / 3;
  if (base64(std::string_view(bytes).substr(groups * 3)) != padded.substr(groups * 4)) return std::nullopt;
  return bytes;
}

}  // namespace paraprint::inline base
