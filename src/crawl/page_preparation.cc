// Preparation is a pure function of the answer and the options, so it can run on any thread and in any order; the crawl
// takes the results in the order in which answers arrived. Each thread has its own profiler, decoder and HTML parser.
#include "crawl/page_preparation.h"

#include <algorithm>
#include <utility>

#include "base/propagate.h"
#include "base/start_thread.h"
#include "crawl/fetched_body.h"
#include "crawl/warc_output.h"
#include "http/header_block.h"
#include "web/bare_text.h"

namespace paraprint::inline crawler {
namespace {

// Each thread has its own profiler, and dictionaries and weights in its own processor caches.
constexpr unsigned kThreadsMaximum = 16;

// X-Robots-Tag may occur several times; all of them apply.
RobotsDirectives directives_of_header(const FetchResult& fetch, std::string_view token) {
  RobotsDirectives all;
  const HeaderBlock header = parse_header_block(fetch.response_header);
  for (const auto& [name, value] : header.fields) {
    if (!equals_ignoring_case(name, "X-Robots-Tag")) continue;
    const RobotsDirectives directives = parse_robots_directives(value, token);
    all.is_nofollow |= directives.is_nofollow;
    all.is_noindex |= directives.is_noindex;
  }
  return all;
}

// Outcomes that are not listed do not prevent the page from being stored.
CrawlReason refusal_of(PageOutcome outcome) {
  switch (outcome) {
    case PageOutcome::kTooLarge:
      return CrawlReason::kExpandsTooMuch;
    case PageOutcome::kTypeFiltered:
      return CrawlReason::kContentType;
    case PageOutcome::kBroken:
      return CrawlReason::kBrokenEncoding;
    default:
      return CrawlReason::kNone;
  }
}

}  // namespace

Result<std::unique_ptr<PagePreparer>> PagePreparer::create(const CrawlOptions& options, const std::string& token) {
  PARAPRINT_ASSIGN(Profiler profiler, Profiler::create(options.profile));
  return std::unique_ptr<PagePreparer>(new PagePreparer(options, token, std::move(profiler)));
}

// An empty body is a page without text, not a refusal. A body that is not text, such as an image sent as text/html, is
// refused before it is parsed. The digest is that of the decoded body, so that another compression is not a change.
Result<PreparedPage> PagePreparer::prepare(const FetchResult& fetch, const RunControl& control) {
  DecodedRecord decoded = decode_fetched_page(fetch, options_);
  const Page& page = decoded.page;
  PreparedPage prepared;
  if (decoded.outcome != PageOutcome::kEmptyBody) prepared.refusal = refusal_of(decoded.outcome);
  if (prepared.refusal == CrawlReason::kNone && !is_text_like(page.body)) prepared.refusal = CrawlReason::kNotText;
  if (prepared.refusal != CrawlReason::kNone) return prepared;
  prepared.payload_digest = sha1_label(page.body);
  StopCheck stop(control.stop);
  prepared.links = read_links(fetch, page, stop);
  PARAPRINT_TRY(stop.status());
  PARAPRINT_ASSIGN(const Profile* const profile, profiler_.profile(page, control));
  prepared.profile = *profile;
  prepared.fingerprint = profiler_.fingerprint();
  if (options_.soft_404 != Soft404Treatment::kOff) {
    prepared.bare_text_hash = bare_text_hash(profiler_.content().text, fetch.request.url);
  }
  prepared.url = page.url;
  prepared.date = page.date;
  return prepared;
}

// Combines what the page and its HTTP header say about links and crawlers. noindex must survive when the links are
// dropped because of nofollow, and so must advertising.
PageLinks PagePreparer::read_links(const FetchResult& fetch, const Page& page, StopCheck& stop) {
  PageLinks links;
  if (page.format == PageFormat::kHtml) {
    const DecodedPage& decoded = decoder_.decode(page.body, page.content_type, page.format, page.body_is_utf8);
    links =
        links_.extract(decoded.text, fetch.request.url, decoded.charset, token_, options_.follow_rel_nofollow, stop);
  }
  const RobotsDirectives header = directives_of_header(fetch, token_);
  const bool is_noindex = links.is_noindex || header.is_noindex;
  const bool is_advertising = links.is_advertising;
  if (header.is_nofollow) links = {};
  links.is_noindex = is_noindex;
  links.is_advertising = is_advertising;
  return links;
}

Result<std::unique_ptr<PreparationPool>> PreparationPool::create(const CrawlOptions& options, const std::string& token,
                                                                 std::function<void()> wake) {
  std::unique_ptr<PreparationPool> pool(new PreparationPool(std::move(wake)));
  const unsigned threads = std::clamp(std::thread::hardware_concurrency(), 1U, kThreadsMaximum);
  for (unsigned i = 0; i < threads; ++i) {
    PARAPRINT_ASSIGN(std::unique_ptr<PagePreparer> preparer, PagePreparer::create(options, token));
    pool->preparers_.push_back(std::move(preparer));
  }
  pool->threads_.reserve(threads);
  for (const std::unique_ptr<PagePreparer>& preparer : pool->preparers_) {
    Result<std::thread> started =
        start_thread("prepares pages", [raw = pool.get(), &preparer = *preparer] { raw->work(preparer); });
    // Fewer threads give the same result, only later.
    if (!started && pool->threads_.empty()) return tl::unexpected<Error>(started.error());
    if (!started) break;
    pool->threads_.push_back(std::move(*started));
  }
  return pool;
}

// Jobs that were not begun are dropped, and those that were begun left in the middle; their addresses are still in the
// queues of the crawl.
PreparationPool::~PreparationPool() {
  {
    const std::lock_guard lock(mutex_);
    is_stopping_ = true;
  }
  has_work_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

std::shared_ptr<PagePreparation::Job> PreparationPool::start(const FetchResult& fetch) {
  auto job = std::make_shared<Job>(fetch);
  {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(job);
  }
  has_work_.notify_one();
  return job;
}

std::optional<PreparedPage> PreparationPool::take(Job& job) {
  const std::lock_guard lock(mutex_);
  if (job.exception) std::rethrow_exception(job.exception);
  return std::exchange(job.page, std::nullopt);
}

// Preparing happens without the lock. Exceptions (out of memory) are passed to the thread that takes the page.
void PreparationPool::work(PagePreparer& preparer) {
  RunControl control;
  control.stop = &is_stopping_;
  for (;;) {
    std::shared_ptr<Job> job;
    {
      std::unique_lock lock(mutex_);
      has_work_.wait(lock, [this] { return is_stopping_ || !waiting_.empty(); });
      if (is_stopping_) return;
      job = std::move(waiting_.front());
      waiting_.pop_front();
    }
    std::optional<PreparedPage> page;
    std::exception_ptr exception;
    try {
      Result<PreparedPage> made = preparer.prepare(job->fetch, control);
      if (!made) return;  // nobody will take it
      page = std::move(*made);
    } catch (...) {
      exception = std::current_exception();
    }
    {
      const std::lock_guard lock(mutex_);
      job->page = std::move(page);
      job->exception = exception;
    }
    wake_();
  }
}

}  // namespace paraprint::inline crawler
