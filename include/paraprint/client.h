// A C++ client for the service (paraprint/serve.h, docs/service.md). It keeps its connection open between calls.
//
// Example:
//
//   Result<Client> client = Client::create({.token = "secret"});
//   if (!client) return;  // client.error().message
//   const ClientPage page{.url = "https://example.org/", .body = "<p>...</p>"};
//   Result<ClientOutcome> answer = client->add(page);
//   const bool is_new = answer && answer->verdict == Verdict::kDistinct;
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "paraprint/index.h"
#include "paraprint/model.h"
#include "paraprint/result.h"

namespace paraprint {

struct ClientOptions {
  std::string address = "http://127.0.0.1:8710";  // http:// or https://, host and port, no path
  std::string token = {};                         // sent as a bearer token unless empty
  std::uint32_t timeout_seconds = 30;             // per call
};

struct ClientPage {
  std::string_view id = {};    // empty: the URL is the id
  std::string_view url = {};   // may be empty
  std::string_view date = {};  // ISO 8601; may be empty
  std::string_view body = {};
  std::string_view content_type = "text/html";  // with the charset if known; "text/plain" for plain text
};

struct ClientMatch {
  std::string id;
  std::string url;
  std::string cluster;
  Verdict verdict = Verdict::kDistinct;
  double resemblance = 0;
  double containment_asked = 0;
  double containment_known = 0;
};

struct ClientOutcome {
  Verdict verdict = Verdict::kDistinct;  // kDistinct: new
  std::uint64_t content_characters = 0;  // 0: the page has no text to compare
  std::vector<ClientMatch> matches;      // best first
  // Set by add() only.
  std::optional<PageChange> change;
  bool is_stored = false;
  std::string cluster;
};

// Not thread-safe: use one instance per thread.
class Client {
 public:
  // kInvalidArgument if the address is malformed, or the token has a line end or a NUL.
  static Result<Client> create(const ClientOptions& options);
  Client(Client&&) noexcept;
  Client& operator=(Client&&) noexcept;
  ~Client();

  // Errors of all calls: kInputOutput if the service is unreachable, sends an unreadable response, or is busy or
  // failing (429 and 5xx); kNoSpace for 507, kNotFound for 404, kPermissionDenied for 401 and 403, kLimitExceeded for
  // 413; kInvalidArgument for any other error status, and for a method or content type with a line end or a NUL. The
  // message includes the reason given by the service.
  Result<ClientOutcome> add(const ClientPage& page);
  Result<ClientOutcome> lookup(const ClientPage& page);
  Result<IndexedPage> get(std::string_view id);
  Status remove(std::string_view id);

  // Makes any other request and returns the response body unchanged. `target` is the percent-encoded path and query.
  Result<std::string> request(std::string_view method, std::string_view target, std::string_view content_type,
                              std::string_view body);

  // Encodes `text` for use as a path segment or query value.
  static std::string percent_encode(std::string_view text);

 private:
  class Implementation;
  explicit Client(std::unique_ptr<Implementation> implementation);
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace paraprint
