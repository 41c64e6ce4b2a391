// libcurl's multi interface with a single handle, because a request must be given up when the service stops. The handle
// keeps the connection open between requests.
#include "feed/webhook_sender.h"

#include <algorithm>
#include <cstdlib>
#include <new>
#include <utility>

#include "base/assert.h"
#include "base/propagate.h"
#include "paraprint/engine.h"
#include "web/certificate_file.h"

namespace paraprint::inline event_feed {
namespace {

constexpr int kPollMilliseconds = 1000;

template <class Value>
Value* allocated_by_curl(Value* value) {
  if (value == nullptr) throw std::bad_alloc();
  return value;
}

std::size_t discard_reply(const char*, std::size_t size, std::size_t count, void*) {
  return size * count;
}

}  // namespace

Result<std::unique_ptr<WebhookSender>> WebhookSender::create(std::string url, double timeout_seconds) {
  PARAPRINT_ASSIGN(const CurlLibrary* const curl, curl_library());
  return std::unique_ptr<WebhookSender>(new WebhookSender(*curl, std::move(url), timeout_seconds));
}

WebhookSender::WebhookSender(const CurlLibrary& curl, std::string url, double timeout_seconds)
    : curl_(curl),
      url_(std::move(url)),
      timeout_milliseconds_(std::max(1L, static_cast<long>(timeout_seconds * 1000))),
      handle_(allocated_by_curl(curl.easy_init()), curl.easy_cleanup),
      multi_(allocated_by_curl(curl.multi_init()), curl.multi_cleanup) {
  configure();
}
WebhookSender::~WebhookSender() = default;

// Options only fail if memory runs out, or for a libcurl without a feature that is always built.
template <class Value>
void WebhookSender::set_option(CURLoption option, Value value) {
  const CURLcode code = curl_.easy_setopt(handle_.get(), option, value);
  if (code == CURLE_OUT_OF_MEMORY) throw std::bad_alloc();
  PARAPRINT_ASSERT(code == CURLE_OK);
}

void WebhookSender::configure() {
  const std::string agent = "paraprint/" + std::string(version());
  set_option(CURLOPT_URL, url_.c_str());
  set_option(CURLOPT_PROTOCOLS_STR, "http,https");
  set_option(CURLOPT_FOLLOWLOCATION, 0L);
  set_option(CURLOPT_NOSIGNAL, 1L);
  set_option(CURLOPT_USERAGENT, agent.c_str());
  set_option(CURLOPT_CONNECTTIMEOUT_MS, timeout_milliseconds_);
  set_option(CURLOPT_TIMEOUT_MS, timeout_milliseconds_);
  let_go_of_name_resolution(curl_, handle_.get());
  set_option(CURLOPT_WRITEFUNCTION, discard_reply);
  set_option(CURLOPT_POST, 1L);
  const std::string certificates = find_certificate_file(std::getenv("SSL_CERT_FILE"), certificate_file_places());
  if (!certificates.empty()) set_option(CURLOPT_CAINFO, certificates.c_str());
}

WebhookReply WebhookSender::post(std::string_view body, const std::vector<std::string>& headers,
                                 const std::atomic<bool>& is_cancelled) {
  std::unique_ptr<curl_slist, decltype(CurlLibrary::slist_free_all)> list(nullptr, curl_.slist_free_all);
  for (const std::string& header : headers) {
    curl_slist* const longer = allocated_by_curl(curl_.slist_append(list.get(), header.c_str()));
    (void)list.release();
    list.reset(longer);
  }
  set_option(CURLOPT_HTTPHEADER, list.get());
  set_option(CURLOPT_POSTFIELDS, body.data());
  set_option(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(body.size()));
  if (curl_.multi_add_handle(multi_.get(), handle_.get()) != CURLM_OK) throw std::bad_alloc();
  // Also if memory runs out below, or the handle could not be added for the next request.
  const auto remove = [this](CURL* handle) { curl_.multi_remove_handle(multi_.get(), handle); };
  std::unique_ptr<CURL, decltype(remove)> added(handle_.get(), remove);
  WebhookReply reply;
  reply.problem = "the service is stopping";
  for (int running = 1; running > 0 && !is_cancelled;) {
    curl_.multi_perform(multi_.get(), &running);
    if (running > 0) curl_.multi_poll(multi_.get(), nullptr, 0, kPollMilliseconds, nullptr);
  }
  int left = 0;
  while (const CURLMsg* message = curl_.multi_info_read(multi_.get(), &left)) {
    if (message->msg != CURLMSG_DONE) continue;
    reply.problem = message->data.result == CURLE_OK ? "" : curl_.easy_strerror(message->data.result);
    if (message->data.result != CURLE_OK) continue;
    curl_off_t retry_after = 0;
    curl_.easy_getinfo(handle_.get(), CURLINFO_RESPONSE_CODE, &reply.status);
    curl_.easy_getinfo(handle_.get(), CURLINFO_RETRY_AFTER, &retry_after);
    reply.retry_after_seconds = static_cast<std::uint64_t>(std::max<curl_off_t>(retry_after, 0));
  }
  added.reset();
  set_option(CURLOPT_HTTPHEADER, static_cast<curl_slist*>(nullptr));
  return reply;
}

void WebhookSender::wake() {
  curl_.multi_wakeup(multi_.get());
}

}  // namespace paraprint::inline event_feed
