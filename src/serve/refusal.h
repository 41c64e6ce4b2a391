// Why a request is refused: a stable reason, an HTTP status, and a message for people.
//
//   {"error":{"reason":"body-too-large","message":"the body is larger than 16777216 bytes"}}
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

#include "paraprint/result.h"
#include "report/json_writer.h"
#include "serve/http_message.h"

namespace paraprint::inline service {

// refusal.cc gives each a name and a status; docs/service.md lists them for users.
enum class Refusal : std::uint8_t {
  kBadRequest,
  kBadTarget,
  kBadParameter,
  kBadJson,
  kBadUtf8,
  kBadField,
  kDuplicateField,
  kMissingPage,
  kMissingId,
  kNameTooLong,
  kBadProfile,
  kOtherSettings,
  kUnauthorized,
  kForeignOrigin,
  kBackupsOff,
  kEventsOff,
  kReadOnly,
  kNoSuchCall,
  kUnknownId,
  kMethodNotAllowed,
  kTimeout,
  kIdExists,
  kBackupExists,
  kBodyTooLarge,
  kUnsupportedType,
  kRateLimited,
  kHeaderTooLarge,
  kInternal,
  kIndexFailed,
  kUnsupportedCoding,
  kBusy,
  kStopping,
  kIndexReadOnly,
  kNoSpace,
};
inline constexpr std::size_t kRefusals = static_cast<std::size_t>(Refusal::kNoSpace) + 1;

struct Refused {
  Refusal refusal = Refusal::kInternal;
  std::string message;
};

template <class Value>
using Answer = tl::expected<Value, Refused>;

inline tl::unexpected<Refused> refuse(Refusal refusal, std::string message) {
  return tl::unexpected<Refused>(Refused{refusal, std::move(message)});
}

std::string_view refusal_name(Refusal refusal);
unsigned refusal_status(Refusal refusal);

// Maps an error of the index to a refusal.
Refused refused_by_index(const Error& error);

// Writes the member "error" of the currently open object.
void write_refusal(JsonWriter& json, const Refused& refused);
HttpResponse response_of(const Refused& refused);

// Takes the finished document as the body of a response. <, > and & are escaped, so that a client that mistakes it for
// HTML shows plain text.
HttpResponse json_response(JsonWriter& json);
std::string take_json_line(JsonWriter& json);  // the body alone, escaped, with a line end

}  // namespace paraprint::inline service
