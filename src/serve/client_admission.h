// The part of admission that every service shares: who may call, and which bodies are taken.
#pragma once

#include <cstdint>
#include <string_view>

#include "serve/http_message.h"
#include "serve/refusal.h"
#include "serve/router.h"

namespace paraprint::inline service {

// Whether `address` is a loopback IP address.
bool is_loopback_address(std::string_view address);

// With a token, requests must carry it, except for routes that need none. Without one, requests of web pages of other
// origins are refused, unless the browser leaves such a page for this service, and for an `address` of loopback also
// those whose Host is another machine. Refusals: kUnauthorized, kForeignOrigin.
Answer<void> check_client(const RequestHead& head, const Route& route, std::string_view token,
                          std::string_view address);

// Refusals: kBadRequest, kUnsupportedType, kBodyTooLarge. A chunked body has no declared length; the transport enforces
// the limit while it reads.
Answer<void> check_body(const RequestHead& head, const Route& route, std::uint64_t max_body_bytes);

}  // namespace paraprint::inline service
