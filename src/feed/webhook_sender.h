// Sends one request after the other to a webhook, with libcurl. TLS certificates are verified, redirects are not
// followed, and what the receiver writes is not kept.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "paraprint/result.h"
#include "web/curl_library.h"

namespace paraprint::inline event_feed {

struct WebhookReply {
  long status = 0;  // 0: there was none
  std::uint64_t retry_after_seconds = 0;
  std::string problem;  // why there was no reply; empty otherwise
};

// Used by one thread, except for wake().
class WebhookSender {
 public:
  // Errors: those of curl_library(). Throws std::bad_alloc.
  static Result<std::unique_ptr<WebhookSender>> create(std::string url, double timeout_seconds);
  ~WebhookSender();
  WebhookSender(const WebhookSender&) = delete;
  WebhookSender& operator=(const WebhookSender&) = delete;

  // Posts JSON with these header lines. Returns at the latest after the timeout, or soon after wake() once
  // `is_cancelled` is true. Throws std::bad_alloc.
  WebhookReply post(std::string_view body, const std::vector<std::string>& headers,
                    const std::atomic<bool>& is_cancelled);
  void wake();

 private:
  WebhookSender(const CurlLibrary& curl, std::string url, double timeout_seconds);
  template <class Value>
  void set_option(CURLoption option, Value value);
  void configure();

  const CurlLibrary& curl_;
  std::string url_;
  long timeout_milliseconds_;
  std::unique_ptr<CURL, decltype(CurlLibrary::easy_cleanup)> handle_;
  std::unique_ptr<CURLM, decltype(CurlLibrary::multi_cleanup)> multi_;
};

}  // namespace paraprint::inline event_feed
