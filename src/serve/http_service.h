// What the transport needs of the service behind it, whatever its calls are: the service of the index
// (page_service.h), or the explorer of a run (src/view).
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "paraprint/serve.h"
#include "serve/http_message.h"
#include "serve/refusal.h"
#include "serve/router.h"

namespace paraprint::inline service {

class PageService;

// A finished request, for counters and log.
struct RequestRecord {
  const Route* route = nullptr;  // null: no such call
  std::string_view method;
  std::string_view client;
  unsigned status = 0;  // 0: the connection broke before there was a response
  std::string_view reason;
  std::string_view verdict;
  std::uint64_t received_bytes = 0;  // of the body
  std::uint64_t sent_bytes = 0;      // of the response body
  std::uint64_t lines = 0;           // answered lines of a bulk request
  std::chrono::steady_clock::duration duration{};
};

// Of the transport, for any thread to read.
struct TransportGauges {
  // Current values.
  std::atomic<std::uint64_t> connections{0};
  std::atomic<std::uint64_t> requests_at_once{0};
  std::atomic<std::uint64_t> buffered_bytes{0};
  std::atomic<std::uint64_t> streams{0};
  // Totals since the start.
  std::atomic<std::uint64_t> connections_accepted{0};
  std::atomic<std::uint64_t> connections_refused{0};
};

// Threads: answer() is called by several at once, everything else by the I/O thread, or by any.
class HttpService {
 public:
  HttpService() = default;
  virtual ~HttpService() = default;
  HttpService(const HttpService&) = delete;
  HttpService& operator=(const HttpService&) = delete;

  // Decides by the header alone whether a request is accepted: the call exists, the client may make it, and the body
  // has an acceptable type and size. On kMethodNotAllowed, `allow` is set to the methods of the path.
  virtual Answer<RoutedTarget> admit(const RequestHead& head, std::string& allow) const = 0;

  // Answers a request of any call except those whose body is a stream. Never fails; errors, even out of memory, become
  // a response.
  virtual HttpResponse answer(const RoutedTarget& target, const RequestHead& head, std::string_view body) = 0;

  // What answers the lines of streams and has the events of a feed; a service without such calls has none.
  virtual PageService* line_service() { return nullptr; }

  // From now on no more requests should be sent; those that come are answered.
  virtual void begin_stop() {}
  // From now on no answer will be sent: work that has not begun need not be done.
  virtual void cut_off() = 0;
  virtual bool is_cut_off() const = 0;

  virtual const ServiceLimits& limits() const = 0;
  virtual TransportGauges& gauges() = 0;
  virtual void count_request(const RequestRecord& record) = 0;
};

}  // namespace paraprint::inline service
