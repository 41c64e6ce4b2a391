// HTTP requests, many at a time, by libcurl: one request is one answer, redirects included. No cookies, no proxy, no
// credentials; every connection passes the address guard.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "crawl/crawl_reason.h"
#include "paraprint/crawl.h"
#include "paraprint/result.h"
#include "web/address_guard.h"

namespace paraprint {

struct FetchRequest {
  std::uint64_t number = 0;   // the caller's, handed back
  std::string url;            // canonical (url.h)
  std::string if_none_match;  // conditional headers, empty: none
  std::string if_modified_since;
  // Media types that are wanted of a 200; empty: any. What has another type is not read.
  const std::vector<std::string>* content_types = nullptr;
  std::uint64_t body_bytes_maximum = 0;
  bool keeps_beginning = false;  // a body that is too large is cut, which is no failure
};

struct FetchResult {
  FetchRequest request;
  CrawlReason failure = CrawlReason::kNone;  // kTruncated: header and body are what came
  std::string failure_words;                 // libcurl's, for the log
  int http_status = 0;                       // 0: no answer
  std::string request_header;                // as sent, with the blank line
  std::string response_header;               // as received, with the blank line; of the last status line
  std::string body;                          // as received: chunks and encodings are not undone
  bool is_cut = false;                       // by body_bytes_maximum
  double retry_after_seconds = 0;            // what the answer asks for, also as a date; 0: nothing
  std::string address;                       // of the server, "192.0.2.1"; empty without a connection
  std::int64_t began_at_seconds = 0;         // Unix time
  double seconds = 0;

  std::string content_type() const;                 // "" if there is none
  std::string header(std::string_view name) const;  // first of that name
  bool is_redirect() const;                         // by its status
};

// Not thread-safe. libcurl resolves names in threads of its own.
class Fetcher {
 public:
  static Result<std::unique_ptr<Fetcher>> create(const CrawlOptions& options, AddressGuard guard);
  ~Fetcher();
  Fetcher(const Fetcher&) = delete;
  Fetcher& operator=(const Fetcher&) = delete;

  void start(FetchRequest request);
  std::size_t in_flight() const;

  // Waits until something happened or `timeout` passed; answers what has ended. Returns early on readable sockets, so
  // an empty answer is common.
  std::vector<FetchResult> wait(std::chrono::milliseconds timeout);

  // Ends a wait(), or the next one. From any thread.
  void wake();

  // Drops what is under way; it is not answered.
  void cancel_all();

 private:
  struct Implementation;
  explicit Fetcher(std::unique_ptr<Implementation> implementation);
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace paraprint
