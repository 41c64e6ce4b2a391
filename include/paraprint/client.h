// A client of the service (paraprint/serve.h, docs/service.md) for C++ programs.
//
//   Result<Client> client = Client::create({.token = token});
//   Result<ClientAnswer> answer = client->add({.url = url, .body = html, .content_type = "text/html; charset=gbk"});
//   if (answer && answer->verdict == Verdict::kDistinct) ...   // new
//
// Keeps its connection open between calls. Nothing here throws.
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
  std::string token = {};                         // sent as a bearer token if there is one
  std::uint32_t timeout_seconds = 30;             // of a call
};

struct ClientPage {
  std::string_view id = {};    // empty: the URL
  std::string_view url = {};   // may be empty
  std::string_view date = {};  // likewise
  std::string_view body = {};
  std::string_view content_type = "text/html";  // with the charset where it is known; text/plain for text
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

struct ClientAnswer {
  Verdict verdict = Verdict::kDistinct;  // kDistinct: new
  std::uint64_t content_characters = 0;  // 0: the page has no text to compare
  std::vector<ClientMatch> matches;      // best first
  // Of add() alone.
  std::optional<PageChange> change;
  bool is_stored = false;
  std::string cluster;
};

// One instance a thread.
class Client {
 public:
  // kInvalidArgument for an address that is none.
  static Result<Client> create(const ClientOptions& options);
  Client(Client&&) noexcept;
  Client& operator=(Client&&) noexcept;
  ~Client();

  // Errors of all calls: kInputOutput when the service can't be reached, answers nothing that can be read, or is busy
  // or failing (statuses 429 and 500 to 599; kNoSpace for 507); kNotFound, kPermissionDenied and kLimitExceeded for
  // 404, 401 with 403, and 413; kInvalidArgument for the others. The message has the reason that the service gave.
  Result<ClientAnswer> add(const ClientPage& page);
  Result<ClientAnswer> look_up(const ClientPage& page);
  Result<IndexedPage> get(std::string_view id);
  Status remove(std::string_view id);

  // Any other call: the body of the answer as it came. `target` is path and query, percent-encoded.
  Result<std::string> request(std::string_view method, std::string_view target, std::string_view content_type,
                              std::string_view body);

  // `text` for a part of a path or a value of a query.
  static std::string percent_encode(std::string_view text);

 private:
  class Implementation;
  explicit Client(std::unique_ptr<Implementation> implementation);
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace paraprint
