// The client is a thin layer over libcurl's easy interface. One handle per client keeps the connection open between
// calls; all options are set for each request, so no state of an earlier call can leak into the next one.
//
// The service's answers are parsed leniently: unknown fields are ignored and missing optional ones take defaults, so a
// client works with newer services. Only a missing verdict or match list makes an answer unusable.
#include "paraprint/client.h"

#include <curl/curl.h>
#include <fmt/format.h>
#include <simdjson.h>

#include <array>
#include <mutex>
#include <utility>

#include "base/propagate.h"

namespace paraprint {
namespace {

// Bounds memory in case the address belongs to another server: no answer of the service comes near this size.
constexpr std::size_t kAnswerBytesMaximum = std::size_t{256} << 20;
constexpr long kStatusOk = 200;

constexpr std::array<std::pair<std::string_view, Verdict>, 6> kVerdicts = {{{"new", Verdict::kDistinct},
                                                                            {"same", Verdict::kSame},
                                                                            {"near", Verdict::kNear},
                                                                            {"contained", Verdict::kContained},
                                                                            {"contains", Verdict::kContains},
                                                                            {"overlap", Verdict::kOverlap}}};

constexpr std::array<std::pair<std::string_view, PageChange>, 3> kChanges = {
    {{"new", PageChange::kNew}, {"unchanged", PageChange::kUnchanged}, {"changed", PageChange::kChanged}}};

// libcurl's write callback. Returning less than it was given makes libcurl abort the transfer with an error, which is
// how the size limit takes effect.
std::size_t collect(const char* bytes, std::size_t size, std::size_t count, void* answer) {
  auto& collected = *static_cast<std::string*>(answer);
  if (collected.size() + size * count > kAnswerBytesMaximum) return 0;
  collected.append(bytes, size * count);
  return size * count;
}

// 429 and 5xx are kInputOutput because repeating the call later may succeed; other client errors are permanent.
ErrorCode code_of(long status) {
  switch (status) {
    case 401:
    case 403:
      return ErrorCode::kPermissionDenied;
    case 404:
      return ErrorCode::kNotFound;
    case 413:
      return ErrorCode::kLimitExceeded;
    case 507:
      return ErrorCode::kNoSpace;
    default:
      return status == 429 || status >= 500 ? ErrorCode::kInputOutput : ErrorCode::kInvalidArgument;
  }
}

// Readers of optional fields: a missing field, or one of another type, gives the empty value.
std::string text_of(const simdjson::dom::object& object, std::string_view name) {
  std::string_view text;
  if (object.at_key(name).get(text) != simdjson::SUCCESS) return {};
  return std::string(text);
}

std::uint64_t number_of(const simdjson::dom::object& object, std::string_view name) {
  std::uint64_t number = 0;
  if (object.at_key(name).get(number) != simdjson::SUCCESS) return 0;
  return number;
}

double score_of(const simdjson::dom::object& object, std::string_view name) {
  double score = 0;
  if (object.at_key(name).get(score) != simdjson::SUCCESS) return 0;
  return score;
}

std::optional<Verdict> verdict_of(const simdjson::dom::object& object) {
  const std::string name = text_of(object, "verdict");
  for (const auto& [known, verdict] : kVerdicts) {
    if (known == name) return verdict;
  }
  return std::nullopt;
}

std::optional<PageChange> change_of(const simdjson::dom::object& object) {
  const std::string name = text_of(object, "change");
  for (const auto& [known, change] : kChanges) {
    if (known == name) return change;
  }
  return std::nullopt;
}

// A line end in a value would begin another header field, and a NUL would end the value.
Status check_header_value(std::string_view name, std::string_view value) {
  constexpr std::string_view kControlBytes("\r\n\0", 3);
  if (value.find_first_of(kControlBytes) == std::string_view::npos) return {};
  return failure(ErrorCode::kInvalidArgument, fmt::format("the {} has a line end or a NUL", name));
}

tl::unexpected<Error> unreadable_answer() {
  return failure(ErrorCode::kInputOutput, "the service returned a malformed response");
}

}  // namespace

// Hides libcurl and simdjson from the public header. The parser owns the memory of the object that request_object()
// returns, which is therefore valid until the next request.
class Client::Implementation {
 public:
  explicit Implementation(const ClientOptions& options) : options_(options), curl_(::curl_easy_init()) {}
  ~Implementation() { ::curl_easy_cleanup(curl_); }
  Implementation(const Implementation&) = delete;
  Implementation& operator=(const Implementation&) = delete;

  Result<std::string> request(std::string_view method, std::string_view target, std::string_view content_type,
                              std::string_view body);
  Result<simdjson::dom::object> request_object(std::string_view method, std::string_view target,
                                               std::string_view content_type, std::string_view body);
  Result<ClientOutcome> ask(std::string_view path, const ClientPage& page);

 private:
  Error error_of(long status, const std::string& answer);

  ClientOptions options_;
  CURL* curl_;
  simdjson::dom::parser parser_;
};

Result<std::string> Client::Implementation::request(std::string_view method, std::string_view target,
                                                    std::string_view content_type, std::string_view body) {
  if (curl_ == nullptr) return failure(ErrorCode::kInputOutput, "libcurl cannot be initialised");
  PARAPRINT_TRY(check_header_value("method", method));
  PARAPRINT_TRY(check_header_value("content type", content_type));
  ::curl_easy_reset(curl_);  // resets the options but keeps the connection
  const std::string url = fmt::format("{}{}", options_.address, target);
  std::string answer;
  std::array<char, CURL_ERROR_SIZE> message{};
  // Without this, libcurl sends "Expect: 100-continue" with large bodies and waits for the reply: one more round trip.
  ::curl_slist* headers = ::curl_slist_append(nullptr, "Expect:");
  headers = ::curl_slist_append(headers, fmt::format("Content-Type: {}", content_type).c_str());
  if (!options_.token.empty()) {
    headers = ::curl_slist_append(headers, fmt::format("Authorization: Bearer {}", options_.token).c_str());
  }
  ::curl_easy_setopt(curl_, CURLOPT_URL, url.c_str());
  // Ids may contain "..", which libcurl would otherwise resolve as a relative path.
  ::curl_easy_setopt(curl_, CURLOPT_PATH_AS_IS, 1L);
  // Keeps the address from reaching files or other protocols that libcurl supports.
  ::curl_easy_setopt(curl_, CURLOPT_PROTOCOLS_STR, "http,https");
  // Timeouts must not use SIGALRM: the program may have other threads and handlers of its own.
  ::curl_easy_setopt(curl_, CURLOPT_NOSIGNAL, 1L);
  ::curl_easy_setopt(curl_, CURLOPT_TIMEOUT, static_cast<long>(options_.timeout_seconds));
  ::curl_easy_setopt(curl_, CURLOPT_HTTPHEADER, headers);
  ::curl_easy_setopt(curl_, CURLOPT_ERRORBUFFER, message.data());
  ::curl_easy_setopt(curl_, CURLOPT_WRITEFUNCTION, collect);
  ::curl_easy_setopt(curl_, CURLOPT_WRITEDATA, &answer);
  // The size is set explicitly, because bodies may contain NUL; a null pointer would make libcurl read from stdin.
  if (method == "POST") {
    ::curl_easy_setopt(curl_, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(body.size()));
    ::curl_easy_setopt(curl_, CURLOPT_POSTFIELDS, body.data() != nullptr ? body.data() : "");
  }
  const std::string verb(method);
  ::curl_easy_setopt(curl_, CURLOPT_CUSTOMREQUEST, verb.c_str());
  // The easy interface blocks, so all locals that it refers to outlive the transfer.
  const CURLcode code = ::curl_easy_perform(curl_);
  ::curl_slist_free_all(headers);
  if (code != CURLE_OK) {
    return failure(ErrorCode::kInputOutput, fmt::format("{}: {}", options_.address,
                                                        message[0] != 0 ? message.data() : ::curl_easy_strerror(code)));
  }
  long status = 0;
  ::curl_easy_getinfo(curl_, CURLINFO_RESPONSE_CODE, &status);
  if (status != kStatusOk) return tl::unexpected<Error>(error_of(status, answer));
  return answer;
}

// The service's errors are JSON objects with reason and message; a proxy in between may answer with anything.
Error Client::Implementation::error_of(long status, const std::string& answer) {
  simdjson::dom::object error;
  if (parser_.parse(answer).at_key("error").get(error) == simdjson::SUCCESS) {
    return {code_of(status),
            fmt::format("{}: {} (HTTP status {})", text_of(error, "reason"), text_of(error, "message"), status)};
  }
  return {code_of(status), fmt::format("{} returned HTTP status {}", options_.address, status)};
}

Result<simdjson::dom::object> Client::Implementation::request_object(std::string_view method, std::string_view target,
                                                                     std::string_view content_type,
                                                                     std::string_view body) {
  PARAPRINT_ASSIGN(std::string answer, request(method, target, content_type, body));
  simdjson::dom::object object;
  if (parser_.parse(answer).get(object) != simdjson::SUCCESS) return unreadable_answer();
  return object;
}

// The body is sent unchanged, whatever its charset; everything else goes into the query, percent-encoded.
Result<ClientOutcome> Client::Implementation::ask(std::string_view path, const ClientPage& page) {
  std::string target(path);
  char separator = '?';
  for (const auto& [name, value] :
       {std::pair{"id", page.id}, std::pair{"url", page.url}, std::pair{"date", page.date}}) {
    if (value.empty()) continue;
    target += fmt::format("{}{}={}", separator, name, percent_encode(value));
    separator = '&';
  }
  PARAPRINT_ASSIGN(simdjson::dom::object object, request_object("POST", target, page.content_type, page.body));
  const std::optional<Verdict> verdict = verdict_of(object);
  if (!verdict) return unreadable_answer();
  ClientOutcome answer;
  answer.verdict = *verdict;
  answer.content_characters = number_of(object, "content_characters");
  // Change, cluster and stored are present only in answers to add().
  answer.change = change_of(object);
  answer.cluster = text_of(object, "cluster");
  bool is_stored = false;
  if (object.at_key("stored").get(is_stored) == simdjson::SUCCESS) answer.is_stored = is_stored;
  simdjson::dom::array matches;
  if (object.at_key("matches").get(matches) != simdjson::SUCCESS) return unreadable_answer();
  for (const simdjson::dom::element element : matches) {
    simdjson::dom::object match;
    if (element.get(match) != simdjson::SUCCESS) return unreadable_answer();
    answer.matches.push_back({text_of(match, "id"), text_of(match, "url"), text_of(match, "cluster"),
                              verdict_of(match).value_or(Verdict::kDistinct), score_of(match, "resemblance"),
                              score_of(match, "containment_asked"), score_of(match, "containment_known")});
  }
  return answer;
}

Client::Client(std::unique_ptr<Implementation> implementation) : implementation_(std::move(implementation)) {}
// Defined here, where Implementation is complete.
Client::Client(Client&&) noexcept = default;
Client& Client::operator=(Client&&) noexcept = default;
Client::~Client() = default;

// Rejects anything beyond scheme, host and port: paths are appended to the address as it is, so a path or query in it
// would silently address something else.
Result<Client> Client::create(const ClientOptions& options) {
  const std::size_t scheme_end = options.address.find("://");
  const std::string_view scheme = std::string_view(options.address).substr(0, scheme_end);
  const bool is_address = scheme_end != std::string::npos && (scheme == "http" || scheme == "https") &&
                          options.address.find_first_of("/?# ", scheme_end + 3) == std::string::npos;
  if (!is_address) {
    return failure(ErrorCode::kInvalidArgument,
                   fmt::format("invalid service address '{}'; expected e.g. http://127.0.0.1:8710", options.address));
  }
  PARAPRINT_TRY(check_header_value("token", options.token));
  // Initialising libcurl is not thread-safe in older versions. It is never cleaned up: other code may use libcurl too.
  static std::once_flag once;
  std::call_once(once, [] { ::curl_global_init(CURL_GLOBAL_DEFAULT); });
  return Client(std::make_unique<Implementation>(options));
}

Result<ClientOutcome> Client::add(const ClientPage& page) {
  return implementation_->ask("/v1/pages", page);
}

Result<ClientOutcome> Client::lookup(const ClientPage& page) {
  return implementation_->ask("/v1/lookup", page);
}

Result<IndexedPage> Client::get(std::string_view id) {
  PARAPRINT_ASSIGN(simdjson::dom::object object,
                   implementation_->request_object("GET", fmt::format("/v1/pages/{}", percent_encode(id)), "", {}));
  IndexedPage page;
  page.id = text_of(object, "id");
  page.url = text_of(object, "url");
  page.date = text_of(object, "date");
  page.cluster = text_of(object, "cluster");
  page.first_seen_seconds = number_of(object, "first_seen");
  page.last_seen_seconds = number_of(object, "last_seen");
  page.text = number_of(object, "text");
  page.content_characters = static_cast<std::uint32_t>(number_of(object, "content_characters"));
  return page;
}

Status Client::remove(std::string_view id) {
  PARAPRINT_TRY(implementation_->request("DELETE", fmt::format("/v1/pages/{}", percent_encode(id)), "", {}));
  return {};
}

Result<std::string> Client::request(std::string_view method, std::string_view target, std::string_view content_type,
                                    std::string_view body) {
  return implementation_->request(method, target, content_type, body);
}

// RFC 3986 unreserved characters stay; everything else, including "/", is encoded byte by byte.
std::string Client::percent_encode(std::string_view text) {
  constexpr std::string_view kUnreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
  std::string encoded;
  for (const char character : text) {
    if (kUnreserved.find(character) != std::string_view::npos) {
      encoded += character;
    } else {
      encoded += fmt::format("%{:02X}", static_cast<unsigned char>(character));
    }
  }
  return encoded;
}

}  // namespace paraprint
