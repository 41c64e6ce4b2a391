// Why a request is not answered as asked: a stable name, a status, and a message for a person.
//
//   {"error":{"reason":"body-too-large","message":"the body has more than 16777216 bytes"}}
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

#include "paraprint/result.h"
#include "report/json_writer.h"
#include "serve/http_message.h"

namespace paraprint {

// Names and statuses stand in refusal.cc and, for users, in docs/service.md.
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

// The refusal that belongs to an error of the index.
Refused refused_by_index(const Error& error);

// The member "error" of the object that is open.
void write_refusal(JsonWriter& json, const Refused& refused);
HttpResponse response_of(const Refused& refused);

// The document as the body of an answer. < > and & are escaped: whoever takes it for HTML sees text.
HttpResponse json_response(JsonWriter& json);
std::string take_json_line(JsonWriter& json);  // the same with a line end

}  // namespace paraprint
