// The loop: start requests that are due, wait for answers, handle them in the order of arrival, sync now and then.
//
// Everything is decided by one thread and in one order, so a page is a copy of what arrived before it, however long its
// preparation took. An address is settled when index, archive, log and state say so, in this order; only then is its
// host released for the next request.
#include "crawl/crawl_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/propagate.h"
#include "crawl/crawl_report.h"
#include "paraprint/engine.h"
#include "web/url_shape.h"

namespace paraprint::inline crawler {
namespace {

constexpr std::chrono::milliseconds kPollTime{200};  // maximum delay before a request to stop is noticed
constexpr std::chrono::milliseconds kProgressInterval{200};
// Requests and pages in progress have this long to finish when the crawl is asked to stop.
constexpr std::chrono::seconds kGraceTime{10};
// A power cut undoes at most the changes of this time or this many bytes. Index, archive, log and state are synced
// together, which costs some milliseconds.
constexpr std::chrono::milliseconds kSyncInterval{250};
constexpr std::uint64_t kSyncBytes = std::uint64_t{8} << 20;
// Answers waiting for preparation, per thread: enough to keep the threads busy, few enough to bound memory.
constexpr std::size_t kReceivedPerThread = 4;
// A turn of a host ends after this many addresses that may not be requested, or when it has taken this long: each may
// be slow to compare with a hostile robots.txt, and meanwhile no other host gets a turn and no request to stop is
// noticed.
constexpr std::size_t kSkippedPerTurn = 500;
constexpr std::chrono::milliseconds kTurnTime{50};

// The fields that the WARC standard names for warcinfo records. All files of a crawl are part of one collection, those
// of resumed runs included.
std::vector<std::pair<std::string, std::string>> archive_description(const CrawlOptions& options,
                                                                     const std::string& crawl_id,
                                                                     const std::string& host_name) {
  return {{"software", fmt::format("paraprint/{}", version())},
          {"format", "WARC File Format 1.1"},
          {"conformsTo", "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/"},
          {"isPartOf", "crawl-" + crawl_id},
          {"description", options.description},
          {"operator", options.archive_operator},
          {"hostname", host_name},
          {"robots", "obey"},
          {"http-header-user-agent", options.user_agent}};
}

}  // namespace

// The order matters. The pool wakes the fetcher, so it comes after it. The frontier locks the folder before anything in
// it is changed. Seeds define the scope, so they precede everything that offers addresses. Pages lost in a power cut
// are forgotten before any page is judged, and requeueing requires that everything is durable.
Result<std::unique_ptr<CrawlRun>> CrawlRun::open(const CrawlOptions& options, CrawlSurroundings& surroundings,
                                                 const RunControl& control,
                                                 std::function<void(const CrawlProgress&)> watch) {
  std::unique_ptr<CrawlRun> run(new CrawlRun(options, surroundings.system(), control, std::move(watch)));
  const std::string token(product_token(options.user_agent));
  PARAPRINT_ASSIGN(std::unique_ptr<Fetcher> fetcher, surroundings.make_fetcher(run->options_));
  run->fetcher_ = std::move(fetcher);
  PARAPRINT_ASSIGN(std::unique_ptr<PagePreparation> preparation,
                   surroundings.make_preparation(run->options_, token, [raw = run->fetcher_.get()] { raw->wake(); }));
  run->preparation_ = std::move(preparation);
  PARAPRINT_ASSIGN(std::unique_ptr<CrawlFrontier> frontier, CrawlFrontier::open(run->options_, run->system_));
  run->frontier_ = std::move(frontier);
  CrawlChanges changes;
  PARAPRINT_TRY(run->frontier_->add_seeds(run->parser_, changes));
  PARAPRINT_TRY(run->frontier_->commit(changes));
  const std::string index = options.index.empty() ? options.out + "/.paraprint/index" : options.index;
  PARAPRINT_ASSIGN(std::unique_ptr<PageJudge> judge, surroundings.make_judge(run->options_, index, control));
  run->judge_ = std::move(judge);
  WarcFileRules files{options.warc_bytes,
                      archive_description(options, run->frontier_->position().crawl_id, run->system_.host_name()),
                      options.warc_prefix};
  PARAPRINT_ASSIGN(WarcOutput archive,
                   WarcOutput::open(options.out + "/warc", run->frontier_->position(), std::move(files), run->system_));
  run->archive_.emplace(std::move(archive));
  run->connect(token);
  PARAPRINT_TRY(run->forget_page_in_doubt());
  PARAPRINT_TRY(run->forget_lost_pages());
  PARAPRINT_TRY(run->sync());
  const std::int64_t fetched_before =
      options.refetch_after < 0 ? 0 : run->system_.unix_seconds() - options.refetch_after;
  PARAPRINT_TRY(run->frontier_->offer_again(fetched_before));
  run->pages_at_begin_ = run->frontier_->totals().pages();
  return run;
}

// The handlers refer to the parts, which must all exist by now.
void CrawlRun::connect(const std::string& token) {
  requests_.emplace(*fetcher_, *frontier_);
  pacing_.emplace(options_, *frontier_);
  sitemaps_.emplace(options_, *frontier_, *pacing_, parser_, [this] { return sync_if_due(); });
  robots_.emplace(options_, token, *frontier_, *requests_, *pacing_, *sitemaps_, parser_);
  probes_.emplace(options_, *frontier_, *requests_, *pacing_, *robots_, parser_);
  page_answers_.emplace(options_, *frontier_, *pacing_, *judge_, *probes_, *archive_, parser_);
}

// The state after index and archive: it must not refer to anything there that a power cut could still undo. Archive
// files get their final names once no power cut can bring back a state for which they are later ones.
Status CrawlRun::sync() {
  unsynced_since_.reset();
  PARAPRINT_TRY(judge_->sync());
  PARAPRINT_TRY(archive_->sync());
  PARAPRINT_TRY(frontier_->sync());
  return archive_->finish_earlier_files();
}

// The interval is measured from the first unsynced change, not from the last sync, so an idle crawl does not sync.
Status CrawlRun::sync_if_due() {
  if (frontier_->unsynced_bytes() == 0) return {};
  const Time now = system_.now();
  if (!unsynced_since_) unsynced_since_ = now;
  const bool is_due = now - *unsynced_since_ >= kSyncInterval || frontier_->unsynced_bytes() >= kSyncBytes;
  return is_due ? sync() : Status{};
}

// If the last process ended between judging a page and settling it, the index knows the page, and the state does not.
// Before it is fetched again, others with its text may come, which must not be called copies of it: it would then be
// called a copy of them, and the text might be archived nowhere.
Status CrawlRun::forget_page_in_doubt() {
  PARAPRINT_ASSIGN(const std::string url, frontier_->state().judging());
  if (url.empty()) return {};
  PARAPRINT_TRY(judge_->remove(url));
  CrawlChanges changes;
  changes.batch.remove_judging();
  return frontier_->commit(changes);
}

// After a power cut the index may know pages that the state has lost. They will be fetched again and must not be found
// to be copies of each other then.
Status CrawlRun::forget_lost_pages() {
  if (!frontier_->lost()) return {};
  LostTime lost = *frontier_->lost();
  // Others may have added pages to a shared index since the boot. To the crawl's own nobody has, and when the boot was
  // is known by a clock that may have been wrong before.
  if (options_.index.empty()) lost.until_seconds = INT64_MAX;
  return judge_->forget(lost, [this](const std::string& url) -> Result<bool> {
    PARAPRINT_ASSIGN(const std::optional<UrlRecord> known, frontier_->state().url(url));
    // An unknown address was lost together with the page that linked to it.
    return !known || known->status == UrlStatus::kQueued;
  });
}

// The limit counts the pages of all runs, so a resumed crawl does not exceed it.
bool CrawlRun::is_page_limit_reached() const {
  return options_.max_pages > 0 && pages() >= options_.max_pages;
}

Result<CrawlOutcome> CrawlRun::run() {
  began_ = shown_ = system_.now();
  const auto is_at_end = [&] { return under_way() == 0 && frontier_->waiting().is_empty(); };
  while (!is_stop_asked() && !is_page_limit_reached() && !is_at_end()) {
    PARAPRINT_TRY(start_due());
    // Sleeps until an answer arrives, the next host is due, or it is time to check for a stop.
    std::chrono::milliseconds timeout = kPollTime;
    if (!frontier_->waiting().is_empty() && can_start()) {
      const auto left = frontier_->waiting().next_due() - system_.now();
      timeout = std::clamp(std::chrono::ceil<std::chrono::milliseconds>(left), std::chrono::milliseconds(0), kPollTime);
    }
    receive(fetcher_->wait(timeout));
    PARAPRINT_TRY(handle_received());
    PARAPRINT_TRY(sync_if_due());
    show_progress(false);
  }
  // The reason is taken now: while requests in progress finish, the page limit may be reached as well.
  CrawlOutcome outcome;
  outcome.stopped_by = is_stop_asked() ? "request" : is_page_limit_reached() ? "page-limit" : "";
  PARAPRINT_TRY(end_what_is_under_way());
  PARAPRINT_TRY(sync());
  PARAPRINT_TRY(archive_->finish());
  PARAPRINT_TRY(frontier_->close());
  outcome.totals = progress(true);
  outcome.is_complete = outcome.totals.queued == 0;
  if (outcome.is_complete) outcome.stopped_by.clear();
  PARAPRINT_ASSIGN(const CrawlReport report, gather_report(*frontier_, outcome));
  PARAPRINT_TRY(write_crawl_report(options_.out, report, options_));
  outcome.report_path = options_.out + "/report/index.html";
  show_progress(true);
  return outcome;
}

Status CrawlRun::end_what_is_under_way() {
  const Time end = system_.now() + kGraceTime;
  while (under_way() > 0) {
    // Dropped requests and pages lose nothing: their addresses are still in their queues.
    if (system_.now() >= end) {
      fetcher_->cancel_all();
      preparation_.reset();
      received_.clear();
      break;
    }
    receive(fetcher_->wait(kPollTime));
    PARAPRINT_TRY(handle_received());
  }
  requests_->clear();
  return {};
}

// Besides the number of connections, the number of answers that wait to be prepared is limited: downloading faster than
// pages can be prepared would only fill memory.
bool CrawlRun::can_start() const {
  if (fetcher_->in_flight() >= options_.connections ||
      received_.size() >= kReceivedPerThread * preparation_->threads()) {
    return false;
  }
  // Pages in progress may be the last ones that the page limit allows.
  return options_.max_pages == 0 || pages() + under_way() < options_.max_pages;
}

// Starts requests until the limits are reached, no host is due, or it is time to look for answers and a stop. A host
// that becomes due meanwhile waits for the next time: it may be one whose turn ended early.
Status CrawlRun::start_due() {
  const Time now = system_.now();
  while (can_start() && system_.now() - now < kPollTime) {
    const std::optional<std::size_t> host = frontier_->waiting().take(now);
    if (!host) return {};
    frontier_->host(*host).is_waiting = false;
    PARAPRINT_TRY(start_next(*host));
  }
  return {};
}

// Skips addresses that may not be requested until there is one that may. A host may have many of them, e.g. after its
// page limit is reached; the rest waits for its next turn.
Status CrawlRun::start_next(std::size_t number) {
  CrawlHost& host = frontier_->host(number);
  CrawlChanges changes;
  const Time end = system_.now() + kTurnTime;
  while (!host.is_busy && host.record.queued > 0) {
    if (changes.size >= kSkippedPerTurn || (changes.size > 0 && system_.now() >= end)) {
      host.due = system_.now();
      frontier_->schedule(number);
      break;
    }
    PARAPRINT_ASSIGN(std::optional<CrawlState::Queued> next, frontier_->next_queued(number));
    if (!next) break;
    CrawlState::Queued& queued = *next;
    PARAPRINT_ASSIGN(const bool is_superseded, frontier_->is_superseded(queued));
    if (is_superseded) {
      frontier_->drop(changes, number, queued);
      continue;
    }
    const std::optional<Url> url = parser_.parse(queued.entry.url);
    if (!url) {
      PARAPRINT_TRY(skip(changes, number, queued, CrawlReason::kInvalidUrl));
      continue;
    }
    PARAPRINT_ASSIGN(HostRobots * robots, robots_->find(host, url->origin()));
    // The entry stays first in its queue and is looked at again when the robots.txt has arrived.
    if (robots == nullptr) {
      robots_->request(number, url->origin());
      break;
    }
    PARAPRINT_ASSIGN(const CrawlReason reason, refusal_now(host, *robots, queued, *url));
    if (reason == CrawlReason::kNone) {
      PARAPRINT_TRY(send(changes, number, *robots, std::move(queued), *url));
      break;
    }
    PARAPRINT_TRY(skip(changes, number, queued, reason));
  }
  if (changes.size == 0) return {};
  return frontier_->commit(changes);
}

// What is known of the last capture stays: the address may be wanted again later.
Status CrawlRun::skip(CrawlChanges& changes, std::size_t number, const CrawlState::Queued& queued, CrawlReason reason) {
  PARAPRINT_ASSIGN(std::optional<UrlRecord> known, frontier_->state().url(queued.entry.url, queued.entry.kind));
  UrlRecord record = std::move(known).value_or(UrlRecord{});
  record.status = UrlStatus::kSkipped;
  record.reason = reason;
  record.depth = queued.entry.depth;
  return frontier_->settle(changes, number, queued, record, {});
}

// The first page of an origin waits, like for robots.txt, until the origin was asked for one that does not exist.
Status CrawlRun::send(CrawlChanges& changes, std::size_t number, const HostRobots& robots, CrawlState::Queued queued,
                      const Url& url) {
  if (queued.entry.kind == QueueEntry::Kind::kPage) {
    PARAPRINT_ASSIGN(const bool must_ask, probes_->must_ask(changes, robots, url.origin()));
    if (must_ask) {
      probes_->request(number, url.origin());
      return {};
    }
  }
  PARAPRINT_ASSIGN(FetchRequest request, make_request(queued));
  requests_->start(std::move(request), {number, std::move(queued), "", 0});
  return {};
}

// Decided as late as possible, because robots.txt, counts and shapes change while an address waits. Seeds (depth 0) are
// exempt from shapes: the caller asked for them.
Result<CrawlReason> CrawlRun::refusal_now(const CrawlHost& host, const HostRobots& robots,
                                          const CrawlState::Queued& queued, const Url& url) const {
  if (robots.unreachable != CrawlReason::kNone) return robots.unreachable;
  if (!robots.rules.allows(url.target)) return CrawlReason::kRobots;
  if (queued.entry.kind == QueueEntry::Kind::kSitemap) return CrawlReason::kNone;
  if (options_.max_pages_per_host > 0 && host.record.pages() >= options_.max_pages_per_host)
    return CrawlReason::kHostPages;
  if (options_.barren_limit == 0 || queued.entry.depth == 0) return CrawlReason::kNone;
  PARAPRINT_ASSIGN(const std::uint64_t barren, frontier_->state().barren(url_shape(url)));
  return barren >= options_.barren_limit ? CrawlReason::kBarrenShape : CrawlReason::kNone;
}

// Conditional headers are sent for addresses that were fetched before; for others both values are empty.
Result<FetchRequest> CrawlRun::make_request(const CrawlState::Queued& queued) {
  FetchRequest request;
  request.url = queued.entry.url;
  request.body_bytes_maximum = options_.max_body_bytes;
  // The beginning of a sitemap is one, too.
  request.keeps_beginning = queued.entry.kind == QueueEntry::Kind::kSitemap;
  if (request.keeps_beginning) return request;
  request.content_types = &options_.content_type;
  PARAPRINT_ASSIGN(const std::optional<UrlRecord> known, frontier_->state().url(queued.entry.url));
  if (known) {
    request.if_none_match = known->etag;
    request.if_modified_since = known->last_modified;
  }
  return request;
}

// received_ is a deque because preparation refers to its elements, which must not move when others are added.
void CrawlRun::receive(std::vector<FetchResult> fetched) {
  for (FetchResult& fetch : fetched) {
    PendingRequest pending = requests_->take(fetch);
    Received& received = received_.emplace_back(Received{std::move(pending), std::move(fetch), nullptr});
    if (page_answers_->has_content(received.pending, received.fetch) ||
        Soft404Probes::has_content(received.pending, received.fetch)) {
      received.preparation = preparation_->start(received.fetch);
    }
  }
}

// Stops at the first page that is not prepared yet, because the order decides which page is a copy.
Status CrawlRun::handle_received() {
  while (!received_.empty()) {
    const Received& first = received_.front();
    std::optional<PreparedPage> page;
    if (first.preparation) {
      page = preparation_->take(*first.preparation);
      if (!page) return {};
    }
    PARAPRINT_TRY(handle(first, std::move(page)));
    received_.pop_front();
  }
  return {};
}

// Robots, probes, sitemaps and redirects count as requests, too. The counts are written with the changes of the answer.
Status CrawlRun::handle(const Received& received, std::optional<PreparedPage> page) {
  const auto& [pending, fetch, preparation] = received;
  CrawlHost& host = frontier_->host(pending.host);  // stays busy until HostPacing::release()
  ++host.record.requests;
  host.record.received_bytes += fetch.response_header.size() + fetch.body.size();
  if (pending.is_probe) return probes_->handle(pending, fetch, page);
  if (!pending.queued) return robots_->handle(pending, fetch);
  if (pending.queued->entry.kind == QueueEntry::Kind::kSitemap) return sitemaps_->handle(pending, fetch);
  return page_answers_->handle(pending, fetch, std::move(page));
}

// Sums over all hosts, so it is called at intervals only. `failed` includes refused addresses.
CrawlProgress CrawlRun::progress(bool is_finished) const {
  const HostRecord sum = frontier_->totals();
  CrawlProgress progress;
  progress.pages = sum.pages();
  progress.copies = sum.copies;
  for (const auto& [reason, count] : sum.reasons) {
    if (reason == CrawlReason::kNotIndexed) continue;  // among the pages
    const bool is_skipped = reason < CrawlReason::kHttpStatus;
    (is_skipped ? progress.skipped : progress.failed) += count;
  }
  progress.queued = sum.queued;
  progress.received_bytes = sum.received_bytes;
  progress.in_flight = static_cast<std::uint32_t>(under_way());
  progress.pages_of_this_run = page_answers_->pages();
  progress.seconds_of_this_run = std::chrono::duration<double>(system_.now() - began_).count();
  progress.is_finished = is_finished;
  return progress;
}

// At most once per interval, but always at the end.
void CrawlRun::show_progress(bool is_finished) {
  const Time now = system_.now();
  if ((!control_.progress && !watch_) || (!is_finished && now - shown_ < kProgressInterval)) return;
  shown_ = now;
  const CrawlProgress figures = progress(is_finished);
  if (watch_) watch_(figures);
  if (!control_.progress) return;
  Progress shown;
  shown.stage = "crawl";
  shown.done = figures.pages;
  shown.total = options_.max_pages;
  shown.unit = "pages";
  shown.pages = figures.pages;
  shown.is_finished = is_finished;
  control_.progress(shown);
}

}  // namespace paraprint::inline crawler
