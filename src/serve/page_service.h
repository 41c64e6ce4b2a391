// The calls of the service over an index: a request in, an answer out. Knows no sockets.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "paraprint/engine.h"
#include "paraprint/index.h"
#include "paraprint/serve.h"
#include "serve/http_message.h"
#include "serve/page_request.h"
#include "serve/refusal.h"
#include "serve/routes.h"
#include "serve/service_metrics.h"

namespace paraprint {

// What one request at a time works with.
struct ServiceWorker {
  Profiler profiler;
  RequestDecoder decoder;
};

// A page ready for the index.
struct PreparedRequest {
  PageRequest request;  // without its body
  Profile profile;
  std::string text;  // the extracted text that spans refer to; only with_evidence
};

// Thread-safe.
class PageService {
 public:
  // Opens the index. Errors: those of ServeOptions::validate(), Profiler::create() and PageIndex::open().
  static Result<std::unique_ptr<PageService>> open(const ServeOptions& options);

  // Whether a request may go on, by its header alone: the call exists, the client may make it, the body may be read.
  // `response` gets what a refusal needs besides its reason.
  Answer<RoutedTarget> admit(const RequestHead& head, std::string& allow) const;

  // Answers a request of any call but the bulk ones. Never fails: what goes wrong is an answer.
  HttpResponse answer(const RoutedTarget& target, const RequestHead& head, std::string_view body);

  // Parts of the bulk calls: a line to a page with its profile, and such a page to its answer, without line end.
  Answer<PreparedRequest> prepare_line(std::string_view line, const AddOptions& defaults);
  std::string answer_line(Call call, const Answer<PreparedRequest>& page, std::uint64_t line_number);
  // Before answers to lines are given whose pages did not wait for a sync (AddOptions::wait_for_sync).
  Answer<void> make_lines_durable(Call call);

  // From then on /readyz says that no more requests should come.
  void begin_stop() { is_stopping_ = true; }

  const ServiceLimits& limits() const { return options_.limits; }
  ServiceMetrics& metrics() { return metrics_; }
  const PageIndex& index() const { return *index_; }

 private:
  // A worker for the time of a call.
  class Lease {
   public:
    explicit Lease(PageService& service) : service_(service), worker_(service.take_worker()) {}
    ~Lease() { service_.give_worker(std::move(worker_)); }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    ServiceWorker& operator*() { return *worker_; }

   private:
    PageService& service_;
    std::unique_ptr<ServiceWorker> worker_;
  };

  explicit PageService(const ServeOptions& options) : options_(options) {}
  std::unique_ptr<ServiceWorker> take_worker();
  void give_worker(std::unique_ptr<ServiceWorker> worker);

  Answer<void> check_client(const RequestHead& head, const Route& route) const;
  Answer<void> check_body(const RequestHead& head, const Route& route) const;

  Answer<HttpResponse> dispatch(const RoutedTarget& target, const RequestHead& head, std::string_view body);
  Answer<HttpResponse> handle_page(Call call, const RoutedTarget& target, const RequestHead& head,
                                   std::string_view body);
  Answer<HttpResponse> compare_pages(const RoutedTarget& target, const RequestHead& head, std::string_view body);
  Answer<HttpResponse> get_page(const RoutedTarget& target) const;
  Answer<HttpResponse> find_page(const RoutedTarget& target) const;
  Answer<HttpResponse> delete_page(const RoutedTarget& target);
  Answer<HttpResponse> get_cluster(const RoutedTarget& target) const;
  Answer<HttpResponse> statistics() const;
  Answer<HttpResponse> metrics_text() const;
  Answer<HttpResponse> readiness() const;
  Answer<HttpResponse> back_up(const RoutedTarget& target);

  // A page with its profile; the body is no longer needed then.
  static PreparedRequest prepare(ServiceWorker& worker, PageRequest&& request);
  // Asks the index and writes the members of the answer; gives the verdict's name.
  Answer<std::string_view> write_answer(Call call, const PreparedRequest& page, JsonWriter& json);
  // A side of a comparison, by its profile.
  Answer<PreparedRequest> prepare_side(ServiceWorker& worker, ComparedSide&& side, bool with_evidence) const;

  ServeOptions options_;
  std::string identity_;
  std::unique_ptr<PageIndex> index_;
  std::mutex workers_mutex_;
  std::vector<std::unique_ptr<ServiceWorker>> workers_;
  std::mutex backup_mutex_;  // one backup at a time
  ServiceMetrics metrics_;
  std::atomic<bool> is_stopping_ = false;
};

// Whether `address` is an IP address that only this machine has.
bool is_loopback_address(std::string_view address);

// What GET /openapi.json answers.
extern const std::string_view kServiceDescription;

}  // namespace paraprint
