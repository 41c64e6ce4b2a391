// The table of refusals, and the JSON form of all responses.
#include "serve/refusal.h"

#include "report/text_safety.h"

namespace paraprint::inline service {
namespace {

struct RefusalRow {
  Refusal refusal;
  std::string_view name;  // public; never rename one
  unsigned status;
};

constexpr RefusalRow kRows[] = {
    {Refusal::kBadRequest, "bad-request", 400},
    {Refusal::kBadTarget, "bad-target", 400},
    {Refusal::kBadParameter, "bad-parameter", 400},
    {Refusal::kBadJson, "bad-json", 400},
    {Refusal::kBadUtf8, "bad-utf8", 400},
    {Refusal::kBadField, "bad-field", 400},
    {Refusal::kDuplicateField, "duplicate-field", 400},
    {Refusal::kMissingPage, "missing-page", 400},
    {Refusal::kMissingId, "missing-id", 400},
    {Refusal::kNameTooLong, "name-too-long", 400},
    {Refusal::kBadProfile, "bad-profile", 400},
    {Refusal::kOtherSettings, "other-settings", 400},
    {Refusal::kUnauthorized, "unauthorized", 401},
    {Refusal::kForeignOrigin, "foreign-origin", 403},
    {Refusal::kBackupsOff, "backups-off", 403},
    {Refusal::kEventsOff, "events-off", 403},
    {Refusal::kReadOnly, "read-only", 403},
    {Refusal::kNoSuchCall, "no-such-call", 404},
    {Refusal::kUnknownId, "unknown-id", 404},
    {Refusal::kMethodNotAllowed, "method-not-allowed", 405},
    {Refusal::kTimeout, "timeout", 408},
    {Refusal::kIdExists, "id-exists", 409},
    {Refusal::kBackupExists, "backup-exists", 409},
    {Refusal::kBodyTooLarge, "body-too-large", 413},
    {Refusal::kUnsupportedType, "unsupported-type", 415},
    {Refusal::kRateLimited, "rate-limited", 429},
    {Refusal::kHeaderTooLarge, "header-too-large", 431},
    {Refusal::kInternal, "internal", 500},
    {Refusal::kIndexFailed, "index-failed", 500},
    {Refusal::kUnsupportedCoding, "unsupported-coding", 501},
    {Refusal::kBusy, "busy", 503},
    {Refusal::kStopping, "stopping", 503},
    {Refusal::kIndexReadOnly, "index-read-only", 503},
    {Refusal::kNoSpace, "no-space", 507},
};
// The table is indexed by the enumerator, so its order is checked at compile time.
static_assert(std::size(kRows) == kRefusals);
static_assert([] {
  for (std::size_t i = 0; i < kRefusals; ++i) {
    if (static_cast<std::size_t>(kRows[i].refusal) != i) return false;
  }
  return true;
}());

const RefusalRow& row_of(Refusal refusal) {
  return kRows[static_cast<std::size_t>(refusal)];
}

// Default of Retry-After; rate-limited requests get the exact time instead.
constexpr std::uint32_t kRetrySeconds = 1;

}  // namespace

std::string_view refusal_name(Refusal refusal) {
  return row_of(refusal).name;
}

unsigned refusal_status(Refusal refusal) {
  return row_of(refusal).status;
}

// Requests reach the index decoded and with valid options, so kInvalidArgument can only mean a missing id, and
// kLimitExceeded a name that is too long, or a text with too many search keys.
Refused refused_by_index(const Error& error) {
  switch (error.code) {
    case ErrorCode::kNotFound:
      return {Refusal::kUnknownId, error.message};
    case ErrorCode::kLimitExceeded:
      return {Refusal::kNameTooLong, error.message};
    case ErrorCode::kInvalidArgument:
      return {Refusal::kMissingId, error.message};
    case ErrorCode::kNoSpace:
      return {Refusal::kNoSpace, error.message};
    case ErrorCode::kCancelled:
      return {Refusal::kStopping, "the service is shutting down"};
    default:
      return {Refusal::kIndexFailed, error.message};
  }
}

void write_refusal(JsonWriter& json, const Refused& refused) {
  json.key("error");
  json.begin_object();
  json.member("reason", refusal_name(refused.refusal));
  json.member("message", refused.message);
  json.end_object();
}

// 401 must name the authentication scheme (RFC 9110); Retry-After tells clients when to try again.
HttpResponse response_of(const Refused& refused) {
  JsonWriter json;
  json.begin_object();
  write_refusal(json, refused);
  json.end_object();
  HttpResponse response = json_response(json);
  response.status = refusal_status(refused.refusal);
  response.reason = refusal_name(refused.refusal);
  if (response.status == 401) response.authenticate = "Bearer";
  if (response.status == 429 || response.status == 503) response.retry_seconds = kRetrySeconds;
  return response;
}

HttpResponse json_response(JsonWriter& json) {
  HttpResponse response;
  response.body = take_json_line(json);
  return response;
}

std::string take_json_line(JsonWriter& json) {
  return json_without_markup(json.take()) + '\n';
}

}  // namespace paraprint::inline service
