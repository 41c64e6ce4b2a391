// Concurrent HTTP requests with libcurl. One request gives one answer; redirects are answers like any other. No
// cookies, no proxy, no credentials; every connection passes the address guard.
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

namespace paraprint::inline crawler {

struct FetchRequest {
  std::uint64_t number = 0;   // chosen by the caller, returned with the result
  std::string url;            // canonical (url.h)
  std::string if_none_match;  // conditional headers; empty: not sent
  std::string if_modified_since;
  // Accepted media types of a 200; null: any. The body of another type is not read.
  const std::vector<std::string>* content_types = nullptr;
  std::uint64_t body_bytes_maximum = 0;
  bool keeps_beginning = false;  // a body that is too large is truncated instead of being a failure
};

struct FetchResult {
  FetchRequest request;
  CrawlReason failure = CrawlReason::kNone;  // with kTruncated, header and body are as far as received
  std::string failure_words;                 // libcurl's message, for the log
  int http_status = 0;                       // 0: no answer
  std::string request_header;                // as sent, with the blank line
  std::string response_header;               // as received, with the blank line; without interim responses
  std::string body;                          // as received: chunks and encodings are not undone
  bool is_cut = false;                       // truncated at body_bytes_maximum
  double retry_after_seconds = 0;            // from Retry-After, given as seconds or as a date; 0: none
  std::string address;                       // of the server, "192.0.2.1"; empty without a connection
  std::int64_t began_at_seconds = 0;         // Unix time
  double seconds = 0;

  std::string content_type() const;                 // "" if there is none
  std::string header(std::string_view name) const;  // first field of that name
  // The field as a value to send back in a conditional request; "" if it is longer than 1024 bytes or has control
  // characters, which could become a field of their own.
  std::string validator(std::string_view name) const;
  // A redirect with a target, whatever its body is.
  bool is_redirect() const;
  // Whether there is an answer to go by: it is complete, or a redirect that broke off in its body.
  bool is_answered() const;
};

// Not thread-safe except wake().
class Fetcher {
 public:
  virtual ~Fetcher() = default;

  virtual void start(FetchRequest request) = 0;
  virtual std::size_t in_flight() const = 0;

  // Waits until something happens or `timeout` has passed; returns the finished requests. Also returns when a socket
  // became readable, so an empty result is common.
  virtual std::vector<FetchResult> wait(std::chrono::milliseconds timeout) = 0;

  // Ends the current or the next wait(). Any thread may call it.
  virtual void wake() = 0;

  // Drops all requests in progress; they give no result.
  virtual void cancel_all() = 0;
};

// The fetcher that uses libcurl, which resolves names in its own threads.
Result<std::unique_ptr<Fetcher>> make_fetcher(const CrawlOptions& options, AddressGuard guard);

}  // namespace paraprint::inline crawler
