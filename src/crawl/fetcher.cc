// libcurl's multi interface, driven by one thread. Answers are kept as received, so that an archive can store them:
// chunking and content encodings are not undone, redirects are not followed, and HTTP/2 is not used, because its
// messages have no bytes in HTTP/1.1 form. Limits on header and body are enforced while data arrives.
#include "crawl/fetcher.h"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <ctime>
#include <new>
#include <optional>
#include <unordered_map>
#include <utility>

#include "base/assert.h"
#include "base/propagate.h"
#include "http/header_block.h"
#include "web/certificate_file.h"
#include "web/curl_library.h"

namespace paraprint::inline crawler {
namespace {

constexpr const char* kAccept =
    "Accept: text/html, application/xhtml+xml, application/xml;q=0.9, text/plain;q=0.9, */*;q=0.1";
// Sent as a plain header, because CURLOPT_ACCEPT_ENCODING would also decode the bodies.
constexpr const char* kAcceptEncoding = "Accept-Encoding: gzip, br, zstd";

// For functions of libcurl that return a null pointer if memory runs out.
template <class Value>
Value* allocated(Value* value) {
  if (value == nullptr) throw std::bad_alloc();
  return value;
}

// Codes that are not listed mean that the server broke the protocol, as far as this use of libcurl can get them.
CrawlReason reason_of(CURLcode code) {
  switch (code) {
    case CURLE_OK:
      return CrawlReason::kNone;
    case CURLE_COULDNT_RESOLVE_HOST:
      return CrawlReason::kNameResolution;
    case CURLE_PARTIAL_FILE:
      return CrawlReason::kTruncated;
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_CIPHER:
    case CURLE_SSL_ISSUER_ERROR:
    case CURLE_SSL_INVALIDCERTSTATUS:
      return CrawlReason::kTls;
    case CURLE_COULDNT_CONNECT:
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR:
    case CURLE_GOT_NOTHING:
      return CrawlReason::kConnection;
    default:
      return CrawlReason::kProtocol;
  }
}

}  // namespace

std::string FetchResult::header(std::string_view name) const {
  const HeaderBlock block = parse_header_block(response_header);
  const std::string* value = block.find(name);
  return value == nullptr ? std::string() : *value;
}

std::string FetchResult::validator(std::string_view name) const {
  constexpr std::size_t kValidatorBytesMaximum = 1024;
  std::string value = header(name);
  const bool is_plain = std::all_of(value.begin(), value.end(), [](unsigned char c) { return c >= ' ' && c != 0x7F; });
  if (!is_plain || value.size() > kValidatorBytesMaximum) value.clear();
  return value;
}

std::string FetchResult::content_type() const {
  return header("Content-Type");
}

bool FetchResult::is_redirect() const {
  constexpr std::array kRedirects = {301, 302, 303, 307, 308};
  return std::find(kRedirects.begin(), kRedirects.end(), http_status) != kRedirects.end() &&
         !header("Location").empty();
}

bool FetchResult::is_answered() const {
  return failure == CrawlReason::kNone || (failure == CrawlReason::kTruncated && is_redirect());
}

namespace {

// One request in progress. Its address is registered with libcurl's callbacks, so it must not move.
struct Transfer {
  explicit Transfer(const CurlLibrary& curl)
      : handle(allocated(curl.easy_init()), curl.easy_cleanup), headers(nullptr, curl.slist_free_all) {}
  void abort_with(CrawlReason reason) { stopped = reason; }

  std::unique_ptr<CURL, decltype(CurlLibrary::easy_cleanup)> handle;
  std::unique_ptr<curl_slist, decltype(CurlLibrary::slist_free_all)> headers;
  FetchResult result;
  const AddressGuard* guard = nullptr;
  std::uint64_t header_bytes_maximum = 0;
  std::uint64_t header_bytes = 0;  // of all responses so far, interim ones included
  bool is_header_complete = false;
  bool was_address_refused = false;
  CrawlReason stopped = CrawlReason::kNone;  // why we aborted it; libcurl only reports a write error then
  std::chrono::steady_clock::time_point began;
};

// Refuses unwanted types before their body is downloaded. Errors are archived whatever their type is.
bool is_wanted(const Transfer& transfer) {
  const FetchResult& result = transfer.result;
  if (result.http_status != 200 || result.request.content_types == nullptr) return true;
  const std::string type = media_type(result.content_type());
  // Without a declared type, the body decides later (archive/http_payload.h).
  return type.empty() || std::any_of(result.request.content_types->begin(), result.request.content_types->end(),
                                     [&](const std::string& wanted) { return equals_ignoring_case(wanted, type); });
}

// Called once per header line. Returning less than the size of the line aborts the transfer.
std::size_t on_header(char* data, std::size_t size, std::size_t count, void* user) {
  auto& transfer = *static_cast<Transfer*>(user);
  const std::string_view line(data, size * count);
  FetchResult& result = transfer.result;
  transfer.header_bytes += line.size();
  if (transfer.header_bytes > transfer.header_bytes_maximum) {
    transfer.abort_with(CrawlReason::kHeaderTooLarge);
    return 0;
  }
  // The first status line, or the next one after an interim response (1xx). In other places it is a field whose name
  // begins like that.
  const bool may_begin =
      result.response_header.empty() || (transfer.is_header_complete && result.http_status / 100 == 1);
  if (may_begin && line.starts_with("HTTP/")) {
    result.response_header.clear();
    transfer.is_header_complete = false;
    result.http_status = parse_status_line(line).value_or(0);
  }
  if (transfer.is_header_complete) return line.size();  // a trailer after a chunked body
  result.response_header.append(line);
  if (trim(line).empty()) {
    transfer.is_header_complete = true;
    if (!is_wanted(transfer)) {
      transfer.abort_with(CrawlReason::kContentType);
      return 0;
    }
  }
  return line.size();
}

// The body is counted as received, before decoding; decompression has a limit of its own (fetched_body.h).
std::size_t on_body(char* data, std::size_t size, std::size_t count, void* user) {
  auto& transfer = *static_cast<Transfer*>(user);
  const std::string_view piece(data, size * count);
  std::string& body = transfer.result.body;
  const std::uint64_t maximum = transfer.result.request.body_bytes_maximum;
  if (body.size() + piece.size() <= maximum) {
    body.append(piece);
    return piece.size();
  }
  transfer.result.is_cut = true;
  if (transfer.result.request.keeps_beginning) body.append(piece.substr(0, maximum - body.size()));
  transfer.abort_with(CrawlReason::kBodyTooLarge);
  return 0;
}

// The only way to get the request header exactly as libcurl sent it.
int on_debug(CURL*, curl_infotype type, char* data, std::size_t size, void* user) {
  if (type != CURLINFO_HEADER_OUT) return 0;
  std::string& header = static_cast<Transfer*>(user)->result.request_header;
  // If a kept connection turns out to be closed, libcurl repeats the request on a new one: keep only the last.
  if (header.ends_with("\r\n\r\n")) header.clear();
  header.append(data, size);
  return 0;
}

// Checked here because the address is known and nothing has been sent to it yet.
curl_socket_t on_open_socket(void* user, curlsocktype, curl_sockaddr* address) {
  auto& transfer = *static_cast<Transfer*>(user);
  if (!transfer.guard->allows(&address->addr, address->addrlen)) {
    transfer.was_address_refused = true;
    return CURL_SOCKET_BAD;
  }
  return ::socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

// Whether the header of the answer is there as a whole, and not only that of an interim response.
bool has_header(const Transfer& transfer) {
  return transfer.is_header_complete && transfer.result.http_status / 100 != 1;
}

// libcurl has a limit of its own for a line, some 100 KB, which it applies before it calls on_header(). Versions before
// 8.6 report it like a lack of memory; a real one at this point is mistaken for it.
bool is_header_line_too_long(const Transfer& transfer, CURLcode code) {
  constexpr auto kTooLarge = static_cast<CURLcode>(100);  // CURLE_TOO_LARGE, which earlier versions do not declare
  const bool was_sent = !transfer.result.request_header.empty();
  return was_sent && !has_header(transfer) && (code == CURLE_OUT_OF_MEMORY || code == kTooLarge);
}

long milliseconds(double seconds) {
  return static_cast<long>(seconds * 1000);
}

class CurlFetcher final : public Fetcher {
 public:
  CurlFetcher(const CurlLibrary& curl, const CrawlOptions& options, AddressGuard guard)
      : curl_(curl),
        options_(options),
        guard_(std::move(guard)),
        certificate_file_(find_certificate_file(std::getenv("SSL_CERT_FILE"), certificate_file_places())),
        multi_(allocated(curl.multi_init()), curl.multi_cleanup) {}
  ~CurlFetcher() override { drop_all(); }

  void start(FetchRequest request) override;
  std::size_t in_flight() const override { return transfers_.size(); }
  std::vector<FetchResult> wait(std::chrono::milliseconds timeout) override;
  void wake() override { curl_.multi_wakeup(multi_.get()); }
  void cancel_all() override { drop_all(); }

 private:
  // A handle must be removed from the multi handle before it is destroyed.
  void drop_all() {
    for (const auto& [handle, transfer] : transfers_) curl_.multi_remove_handle(multi_.get(), handle);
    transfers_.clear();
  }

  void configure(Transfer& transfer) const;
  // curl_slist_append() returns the head of the list, which replaces the owned pointer.
  void add_header(Transfer& transfer, const std::string& line) const {
    curl_slist* list = allocated(curl_.slist_append(transfer.headers.get(), line.c_str()));
    (void)transfer.headers.release();
    transfer.headers.reset(list);
  }
  // Options only fail if memory runs out, or for a libcurl without a feature that is always built.
  template <class Value>
  void set_option(CURL* handle, CURLoption option, Value value) const {
    const CURLcode code = curl_.easy_setopt(handle, option, value);
    if (code == CURLE_OUT_OF_MEMORY) throw std::bad_alloc();
    PARAPRINT_ASSERT(code == CURLE_OK);
  }
  FetchResult finish(Transfer& transfer, CURLcode code) const;

  const CurlLibrary& curl_;
  CrawlOptions options_;
  AddressGuard guard_;
  std::string certificate_file_;  // empty: libcurl's own choice
  std::unique_ptr<CURLM, decltype(CurlLibrary::multi_cleanup)> multi_;
  std::unordered_map<CURL*, std::unique_ptr<Transfer>> transfers_;
};

// All options of a request. libcurl copies strings but keeps pointers to `transfer` and to its header list.
void CurlFetcher::configure(Transfer& transfer) const {
  CURL* handle = transfer.handle.get();
  const FetchRequest& request = transfer.result.request;
  set_option(handle, CURLOPT_URL, request.url.c_str());
  set_option(handle, CURLOPT_PROTOCOLS_STR, "http,https");
  // HTTP/1.1, one answer per request, nothing decoded: what is received can be archived unchanged. Paths are sent as
  // they are, because our URLs are canonical already.
  set_option(handle, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
  set_option(handle, CURLOPT_FOLLOWLOCATION, 0L);
  set_option(handle, CURLOPT_HTTP_TRANSFER_DECODING, 0L);
  set_option(handle, CURLOPT_PATH_AS_IS, 1L);
  // A proxy from the environment would connect on our behalf and bypass the guard.
  set_option(handle, CURLOPT_PROXY, "");
  if (!certificate_file_.empty()) set_option(handle, CURLOPT_CAINFO, certificate_file_.c_str());
  // Without this, libcurl would use SIGALRM for timeouts of name resolution.
  set_option(handle, CURLOPT_NOSIGNAL, 1L);
  let_go_of_name_resolution(curl_, handle);
  set_option(handle, CURLOPT_USERAGENT, options_.user_agent.c_str());
  add_header(transfer, kAccept);
  add_header(transfer, kAcceptEncoding);
  if (!request.if_none_match.empty()) add_header(transfer, "If-None-Match: " + request.if_none_match);
  if (!request.if_modified_since.empty()) add_header(transfer, "If-Modified-Since: " + request.if_modified_since);
  set_option(handle, CURLOPT_HTTPHEADER, transfer.headers.get());
  set_option(handle, CURLOPT_CONNECTTIMEOUT_MS, milliseconds(options_.connect_timeout));
  set_option(handle, CURLOPT_TIMEOUT_MS, milliseconds(options_.timeout));
  // Three timeouts: for connecting, for the whole request, and for a transfer that is too slow to ever finish.
  set_option(handle, CURLOPT_LOW_SPEED_LIMIT, static_cast<long>(options_.stall_bytes_per_second));
  set_option(handle, CURLOPT_LOW_SPEED_TIME, std::max(1L, static_cast<long>(options_.stall_timeout)));
  set_option(handle, CURLOPT_OPENSOCKETFUNCTION, on_open_socket);
  set_option(handle, CURLOPT_OPENSOCKETDATA, static_cast<void*>(&transfer));
  set_option(handle, CURLOPT_HEADERFUNCTION, on_header);
  set_option(handle, CURLOPT_HEADERDATA, static_cast<void*>(&transfer));
  set_option(handle, CURLOPT_WRITEFUNCTION, on_body);
  set_option(handle, CURLOPT_WRITEDATA, static_cast<void*>(&transfer));
  // The debug function is only called in verbose mode; it also keeps libcurl from writing to standard error.
  set_option(handle, CURLOPT_DEBUGFUNCTION, on_debug);
  set_option(handle, CURLOPT_DEBUGDATA, static_cast<void*>(&transfer));
  set_option(handle, CURLOPT_VERBOSE, 1L);
}

// Turns libcurl's code into a result. Our own reasons take precedence, because libcurl reports an aborted callback as a
// write error.
FetchResult CurlFetcher::finish(Transfer& transfer, CURLcode code) const {
  if (is_header_line_too_long(transfer, code)) {
    transfer.abort_with(CrawlReason::kHeaderTooLarge);
  } else if (code == CURLE_OUT_OF_MEMORY) {
    // Otherwise the address would be settled as failed, as if its site were to blame.
    throw std::bad_alloc();
  }
  const bool is_begun = has_header(transfer);
  FetchResult result = std::move(transfer.result);
  // Followed whatever becomes of its body.
  const bool is_begun_redirect = is_begun && result.is_redirect();
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - transfer.began).count();
  const char* address = nullptr;
  curl_.easy_getinfo(transfer.handle.get(), CURLINFO_PRIMARY_IP, &address);
  if (address != nullptr) result.address = address;
  curl_off_t retry_after = 0;
  curl_.easy_getinfo(transfer.handle.get(), CURLINFO_RETRY_AFTER, &retry_after);
  result.retry_after_seconds = static_cast<double>(retry_after);
  if (transfer.stopped != CrawlReason::kNone) {
    const bool is_kept =
        transfer.stopped == CrawlReason::kBodyTooLarge && (result.request.keeps_beginning || is_begun_redirect);
    result.failure = is_kept ? CrawlReason::kNone : transfer.stopped;
    return result;
  }
  result.failure = reason_of(code);
  if (result.failure == CrawlReason::kNone) return result;
  result.failure_words = curl_.easy_strerror(code);
  if (code == CURLE_COULDNT_CONNECT && transfer.was_address_refused) result.failure = CrawlReason::kPrivateAddress;
  if (code == CURLE_OPERATION_TIMEDOUT) {
    // libcurl has one code for both timeouts; a stall ends long before the limit for the whole request.
    const bool is_whole = result.seconds >= options_.timeout * 0.99;
    result.failure = is_whole || result.http_status == 0 ? CrawlReason::kTimeout : CrawlReason::kStalled;
  }
  // A reset, or an end of TLS without a farewell, in the body.
  if ((code == CURLE_RECV_ERROR && is_begun) || is_begun_redirect) result.failure = CrawlReason::kTruncated;
  // A status without a complete header is not an answer.
  if (!is_begun) result.http_status = 0;
  return result;
}

// Only registers the request; libcurl begins it in the next wait().
void CurlFetcher::start(FetchRequest request) {
  auto transfer = std::make_unique<Transfer>(curl_);
  transfer->guard = &guard_;
  transfer->header_bytes_maximum = options_.max_header_bytes;
  transfer->result.request = std::move(request);
  transfer->result.began_at_seconds = static_cast<std::int64_t>(std::time(nullptr));
  transfer->began = std::chrono::steady_clock::now();
  configure(*transfer);
  CURL* handle = transfer->handle.get();
  const CURLMcode code = curl_.multi_add_handle(multi_.get(), handle);
  if (code == CURLM_OUT_OF_MEMORY) throw std::bad_alloc();
  PARAPRINT_ASSERT(code == CURLM_OK);
  transfers_.emplace(handle, std::move(transfer));
}

// Returns at once if something has finished already, so that no answer waits for the timeout.
std::vector<FetchResult> CurlFetcher::wait(std::chrono::milliseconds timeout) {
  CURLM* multi = multi_.get();
  int running = 0;
  curl_.multi_perform(multi, &running);
  std::vector<FetchResult> finished;
  const auto collect = [&] {
    int left = 0;
    while (const CURLMsg* message = curl_.multi_info_read(multi, &left)) {
      if (message->msg != CURLMSG_DONE) continue;
      CURL* handle = message->easy_handle;
      const CURLcode code = message->data.result;
      const auto found = transfers_.find(handle);
      PARAPRINT_ASSERT(found != transfers_.end());
      finished.push_back(finish(*found->second, code));
      curl_.multi_remove_handle(multi, handle);
      transfers_.erase(found);
    }
  };
  collect();
  if (!finished.empty()) return finished;
  curl_.multi_poll(multi, nullptr, 0, static_cast<int>(timeout.count()), nullptr);
  curl_.multi_perform(multi, &running);
  collect();
  return finished;
}

}  // namespace

Result<std::unique_ptr<Fetcher>> make_fetcher(const CrawlOptions& options, AddressGuard guard) {
  PARAPRINT_ASSIGN(const CurlLibrary* const curl, curl_library());
  return std::unique_ptr<Fetcher>(std::make_unique<CurlFetcher>(*curl, options, std::move(guard)));
}

}  // namespace paraprint::inline crawler
