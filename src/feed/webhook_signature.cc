// The signed text is "ID.SECONDS.BODY".
#include "feed/webhook_signature.h"

#include <fmt/format.h>

#include <optional>

#include "base/base64.h"
#include "base/digest.h"

namespace paraprint::inline event_feed {
namespace {

constexpr std::string_view kSecretPrefix = "whsec_";
constexpr std::size_t kKeyBytesMinimum = 24;  // of the specification

}  // namespace

Result<std::string> webhook_key(std::string_view secret) {
  std::optional<std::string> key(secret);
  if (secret.starts_with(kSecretPrefix)) key = decode_base64(secret.substr(kSecretPrefix.size()));
  if (!key)
    return failure(ErrorCode::kInvalidArgument, "a webhook secret that begins with whsec_ continues in base 64");
  if (key->size() >= kKeyBytesMinimum) return std::move(*key);
  return failure(
      ErrorCode::kInvalidArgument,
      fmt::format("a webhook secret must have at least {} bytes; this one has {}", kKeyBytesMinimum, key->size()));
}

std::string webhook_signature(std::string_view key, std::string_view id, std::uint64_t unix_seconds,
                              std::string_view body) {
  const std::array<std::uint8_t, 32> code = hmac_sha256(key, fmt::format("{}.{}.{}", id, unix_seconds, body));
  return "v1," + base64({reinterpret_cast<const char*>(code.data()), code.size()});
}

}  // namespace paraprint::inline event_feed
