// The calls of the service on top of an index: a request in, an answer out, independent of sockets.
#pragma once

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "feed/event_feed.h"
#include "feed/event_reader.h"
#include "feed/event_request.h"
#include "online/page_algorithm.h"
#include "paraprint/engine.h"
#include "paraprint/index.h"
#include "paraprint/serve.h"
#include "serve/http_message.h"
#include "serve/http_service.h"
#include "serve/page_request.h"
#include "serve/refusal.h"
#include "serve/routes.h"
#include "serve/service_metrics.h"

namespace paraprint::inline service {

// Tools that serve one request at a time.
struct ServiceWorker {
  Profiler profiler;
  RequestDecoder decoder;
};

// A page ready for the index.
struct PreparedRequest {
  PageRequest request;  // without its body
  Profile profile;
  PageFingerprint fingerprint;  // empty under the paragraph method
  std::string origin;           // with ServeOptions::provenance, unless it was sent as a profile
  std::string text;             // the extracted text that spans refer to; only with evidence
};

// What a client of the feed asks for, and where it is.
struct EventSubscription {
  EventRequest request;
  EventReader reader;
};

// Of the pages of a cluster that one answer names, before they are escaped, which can make them six times as long.
// Answers are made in memory, and strangers choose the names: the usual ones of 10,000 pages fit.
inline constexpr std::size_t kNamedBytesMaximum = std::size_t{8} << 20;

// Thread-safe.
class PageService final : public HttpService {
 public:
  // Opens the index, to which `control` is passed. Errors: those of ServeOptions::validate(), Profiler::create() and
  // PageIndex::open().
  static Result<std::unique_ptr<PageService>> open(const ServeOptions& options, const RunControl& control = {});

  Answer<RoutedTarget> admit(const RequestHead& head, std::string& allow) const override;
  HttpResponse answer(const RoutedTarget& target, const RequestHead& head, std::string_view body) override;
  PageService* line_service() override { return this; }

  // The steps of the bulk calls: a line to a page with its profile, then that page to its answer line.
  // Out of memory, both give a refusal of that line.
  Answer<PreparedRequest> prepare_line(std::string_view line, const AddOptions& defaults);
  std::string answer_line(Call call, const Answer<PreparedRequest>& page, std::uint64_t line_number);
  // What a request for events asks for. Refusals: kEventsOff, kBadParameter.
  Answer<EventSubscription> subscribe(const RoutedTarget& target, const RequestHead& head) const;
  // Null if it is off.
  EventFeed* feed() { return feed_.get(); }
  // Call it before returning answers of pages that were added without waiting for a sync (AddOptions::wait_for_sync).
  Answer<void> make_lines_durable(Call call);

  // Of a service that only reads: opens a newer snapshot of the index if there is one (PageIndex::refresh). Requests
  // continue meanwhile.
  Result<bool> refresh() { return index_->refresh(until_cut_off_); }
  // From now on /readyz reports that no more requests should be sent.
  void begin_stop() override {
    is_stopping_ = true;
    if (feed_) feed_->begin_stop();
  }
  // From now on no answer will be sent: work that has not begun need not be done, and pages that are being read, and
  // backups, are left in the middle.
  void cut_off() override { is_cut_off_ = true; }
  bool is_cut_off() const override { return is_cut_off_; }

  const ServiceLimits& limits() const override { return options_.limits; }
  TransportGauges& gauges() override { return metrics_; }
  void count_request(const RequestRecord& record) override { metrics_.count_request(record); }
  ServiceMetrics& metrics() { return metrics_; }
  const PageIndex& index() const { return *index_; }

 private:
  // Leases a worker for the duration of a call.
  class WorkerLease {
   public:
    explicit WorkerLease(PageService& service) : service_(service), worker_(service.take_worker()) {}
    ~WorkerLease() { service_.give_worker(std::move(worker_)); }
    WorkerLease(const WorkerLease&) = delete;
    WorkerLease& operator=(const WorkerLease&) = delete;
    ServiceWorker& operator*() { return *worker_; }

   private:
    PageService& service_;
    std::unique_ptr<ServiceWorker> worker_;
  };

  explicit PageService(const ServeOptions& options) : options_(options) { until_cut_off_.stop = &is_cut_off_; }
  Status create_workers();
  std::unique_ptr<ServiceWorker> take_worker();
  void give_worker(std::unique_ptr<ServiceWorker> worker);

  Answer<HttpResponse> dispatch(const RoutedTarget& target, const RequestHead& head, std::string_view body);
  Answer<HttpResponse> handle_page(Call call, const RoutedTarget& target, const RequestHead& head,
                                   std::string_view body);
  Answer<HttpResponse> compare_pages(const RequestHead& head, std::string_view body);
  Answer<HttpResponse> extract_page(const RoutedTarget& target, const RequestHead& head, std::string_view body);
  Answer<HttpResponse> get_page(const RoutedTarget& target) const;
  Answer<HttpResponse> find_page(const RoutedTarget& target) const;
  Answer<HttpResponse> delete_page(const RoutedTarget& target);
  Answer<HttpResponse> get_cluster(const RoutedTarget& target) const;
  Answer<HttpResponse> trace_copies(const RoutedTarget& target) const;
  Answer<HttpResponse> get_events(const RoutedTarget& target, const RequestHead& head) const;
  Answer<HttpResponse> statistics() const;
  Answer<HttpResponse> metrics_text() const;
  Answer<HttpResponse> readiness() const;
  Answer<HttpResponse> back_up(const RoutedTarget& target);

  // Profiles the page, if it was not sent as a profile, and frees its body. Refused only if it was cut off.
  Answer<PreparedRequest> prepare(ServiceWorker& worker, PageRequest&& request) const;
  // Whether the call tells the feed what it answers; refused if the feed cannot be told.
  Answer<bool> is_event(bool changes_index) const;
  // Stores an event, before the answer is sent. `waits`: as AddOptions::wait_for_sync.
  Answer<void> tell_feed(std::string_view members, bool waits) const;
  // Calls the index and writes the members of the answer; returns the verdict's name.
  std::string write_line(Call call, const Answer<PreparedRequest>& page, std::uint64_t line_number);
  Answer<std::string_view> write_answer(Call call, const PreparedRequest& page, JsonWriter& json);
  bool compares_paragraphs() const { return index_->algorithm() == kParagraphMethod; }
  Result<CompareOutcome> compare_prepared(const PreparedRequest& a, const PreparedRequest& b) const;
  // The profile of one side of a comparison.
  Answer<PreparedRequest> prepare_side(ServiceWorker& worker, ComparedSide&& side, bool with_evidence) const;

  ServeOptions options_;
  std::string identity_;
  std::unique_ptr<PageIndex> index_;
  std::unique_ptr<EventFeed> feed_;  // its folder is in that of the index, which is locked
  std::mutex workers_mutex_;
  std::condition_variable worker_is_free_;
  std::vector<std::unique_ptr<ServiceWorker>> workers_;
  std::mutex backup_mutex_;  // one backup at a time
  ServiceMetrics metrics_;
  std::atomic<bool> is_stopping_ = false;
  std::atomic<bool> is_cut_off_ = false;
  RunControl until_cut_off_;
};

// The number of request threads that the options give.
unsigned request_threads(const ServeOptions& options);

// The body of GET /openapi.json.
extern const std::string_view kServiceDescription;

}  // namespace paraprint::inline service
