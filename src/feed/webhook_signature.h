// Signs requests to webhooks as Standard Webhooks (https://www.standardwebhooks.com) specifies, so that receivers can
// use its libraries: HMAC-SHA256 over id, time and body. Pure and thread-safe.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "paraprint/result.h"

namespace paraprint::inline event_feed {

// The bytes of a secret: what "whsec_" is followed by, decoded from base 64, or the text itself. kInvalidArgument if it
// is malformed, or shorter than 24 bytes, which could be guessed.
Result<std::string> webhook_key(std::string_view secret);

// The value of the header webhook-signature: "v1,K5oZfz...".
std::string webhook_signature(std::string_view key, std::string_view id, std::uint64_t unix_seconds,
                              std::string_view body);

}  // namespace paraprint::inline event_feed
