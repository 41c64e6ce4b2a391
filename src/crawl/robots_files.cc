// Handles robots.txt according to RFC 9309 2.3.1: a file is obeyed, a clear "there is none" (4xx) allows everything,
// and a server that fails or cannot be reached allows nothing, unless its last answer is still known: that counts on,
// so that a failure that passes does not end the crawl of a host. A robots.txt applies to one origin (scheme, host and
// port), so a host may have several.
#include "crawl/robots_files.h"

#include <algorithm>
#include <utility>

#include "base/propagate.h"
#include "crawl/fetched_body.h"
#include "web/url_cleaning.h"

namespace paraprint::inline crawler {
namespace {

constexpr std::int64_t kValidSeconds = std::int64_t{24} * 3600;  // RFC 9309 2.4
constexpr std::uint32_t kRobotsRedirectsMaximum = 5;             // 2.3.1.2
// How long the last answer counts while there is no new one: what 2.3.1.4 calls a reasonably long time.
constexpr std::int64_t kKeptSeconds = 30 * kValidSeconds;

// Stored files are kept as received and parsed again, so a changed user agent finds its own rules in them.
HostRobots robots_from(const RobotsRecord& record, std::string_view token) {
  HostRobots robots;
  robots.fetched_at_seconds = record.fetched_at_seconds;
  switch (record.answer) {
    case RobotsRecord::Availability::kFile:
      robots.rules = RobotsRules::parse(record.body, token);
      break;
    case RobotsRecord::Availability::kMissing:
      break;
    case RobotsRecord::Availability::kUnreachable:
      robots.rules = RobotsRules::disallow_all();
      robots.unreachable = record.reason;
      break;
  }
  robots.crawl_delay_seconds = robots.rules.crawl_delay_seconds();
  return robots;
}

// A host with several origins takes the longest of their crawl-delays, because requests are spaced per host. Files that
// were replaced don't count, and neither do those of origins that this run has not come to.
void take_crawl_delay(CrawlHost& host) {
  double& longest = host.record.crawl_delay_seconds;
  longest = -1;
  for (const auto& [origin, robots] : host.robots) longest = std::max(longest, robots.crawl_delay_seconds);
}

// What counts of a file; empty if it cannot be decoded, or only in part: it may contain rules that we would violate.
// Half a line, which a limit has left, may say the opposite of the whole one.
std::optional<std::string> counted_part(const FetchResult& fetch) {
  std::optional<FetchedFile> file = decode_fetched_file(fetch, kRobotsBytesMaximum * 4);
  if (!file || (file->is_partial && !fetch.is_cut)) return std::nullopt;
  std::string& body = file->body;
  const bool is_cut = fetch.is_cut || body.size() > kRobotsBytesMaximum;
  if (body.size() > kRobotsBytesMaximum) body.resize(kRobotsBytesMaximum);
  if (is_cut) body.resize(body.find_last_of("\r\n") + 1);
  return std::move(file->body);
}

// The reason reported for the pages of a host whose robots.txt could not be fetched. For these two it is more specific.
CrawlReason unreachable_reason(CrawlReason failure) {
  const bool says_more = failure == CrawlReason::kPrivateAddress || failure == CrawlReason::kNameResolution;
  return says_more ? failure : CrawlReason::kRobotsUnreachable;
}

}  // namespace

RobotsFiles::RobotsFiles(const CrawlOptions& options, std::string token, CrawlFrontier& frontier,
                         PendingRequests& requests, HostPacing& pacing, SitemapFiles& sitemaps, UrlParser& parser)
    : options_(options),
      token_(std::move(token)),
      frontier_(frontier),
      requests_(requests),
      pacing_(pacing),
      sitemaps_(sitemaps),
      parser_(parser),
      turns_(pacing.usual_pause()) {}

// `attempts` distinguishes a file that failed in this run from one not looked up yet.
Result<HostRobots*> RobotsFiles::find(CrawlHost& host, const std::string& origin) {
  HostRobots& robots = host.robots[origin];
  const bool is_unknown = robots.fetched_at_seconds == 0 && robots.attempts == 0;
  if (is_unknown || (robots.fetched_at_seconds != 0 && !robots.are_rules_in_memory)) {
    PARAPRINT_ASSIGN(std::optional<RobotsRecord> stored, frontier_.state().robots(origin));
    // A server that failed in an earlier run is asked again; one that failed in this run is not.
    const bool failed = stored && stored->answer == RobotsRecord::Availability::kUnreachable;
    if (stored && !(is_unknown && failed)) {
      const HostRobots before = std::exchange(robots, robots_from(*stored, token_));
      robots.kept_at_seconds = before.kept_at_seconds;
      robots.attempts = before.attempts;
      robots.redirect_target = before.redirect_target;
      robots.redirects = before.redirects;
      robots.rules.forget_sitemaps();  // they were offered when the file arrived
      memory_.keep(robots);
      take_crawl_delay(host);
    }
  }
  if (frontier_.system().unix_seconds() - robots.asked_at_seconds() >= kValidSeconds) return nullptr;
  memory_.use(robots);
  return &robots;
}

// Any number of hosts may redirect to any ports of somebody else.
bool RobotsFiles::may_ask(const CrawlHost& host, const Url& target) const {
  return target.host == host.name ? !frontier_.scope().is_bad_port(target) : frontier_.knows_port(target);
}

void RobotsFiles::request(std::size_t host, const std::string& origin) {
  const HostRobots& robots = frontier_.host(host).robots[origin];
  const std::optional<Url> target = parser_.parse(robots.redirect_target);
  if (target) return follow(host, origin, *target, robots.redirects, true);
  send(host, origin, origin + "/robots.txt", 0);
}

// The host itself has just had its turn. Others have turns of their own (RedirectTurns), beside the requests of the
// crawl if they are in it: waiting for these as well, two hosts could wait for each other, and a small one for a large
// one.
void RobotsFiles::follow(std::size_t number, const std::string& origin, const Url& target, std::uint32_t redirects,
                         bool has_turn) {
  CrawlHost& host = frontier_.host(number);
  HostRobots& robots = host.robots[origin];
  robots.redirect_target.clear();
  std::optional<HostSchedule::Time> turn;
  if (target.host != host.name) turn = turns_.begin(target.host, frontier_.system().now(), has_turn);
  if (!turn) return send(number, origin, target.href, redirects);
  robots.redirect_target = target.href;
  robots.redirects = redirects;
  pacing_.postpone(number, *turn);
}

void RobotsFiles::send(std::size_t host, const std::string& origin, const std::string& url, std::uint32_t redirects) {
  FetchRequest request;
  request.url = url;
  request.body_bytes_maximum = kRobotsBytesMaximum;
  request.keeps_beginning = true;
  requests_.start(std::move(request), {host, std::nullopt, origin, redirects});
}

// 4xx, a redirect without a usable target and one redirect too many leave the record at its default, kMissing. A target
// that is not asked may have rules.
Status RobotsFiles::handle(const PendingRequest& pending, const FetchResult& fetch) {
  CrawlHost& host = frontier_.host(pending.host);
  HostRobots& robots = host.robots[pending.origin];
  const std::optional<Url> asked = pending.redirects > 0 ? parser_.parse(fetch.request.url) : std::nullopt;
  if (asked && asked->host != host.name) {
    turns_.end(asked->host, frontier_.system().now(), pacing_.pause_after(fetch));
  }
  constexpr int kTooManyRequests = 429;
  const bool is_file = fetch.failure == CrawlReason::kNone && fetch.http_status >= 200 && fetch.http_status < 300;
  std::optional<std::string> file = is_file ? counted_part(fetch) : std::nullopt;
  const bool is_unreachable =
      !fetch.is_answered() || fetch.http_status >= 500 || fetch.http_status == kTooManyRequests || (is_file && !file);
  if (is_unreachable && is_worth_another_attempt(fetch) && robots.attempts < options_.retries) {
    ++robots.attempts;
    pacing_.release(pending.host, fetch, true);
    return {};
  }
  const std::int64_t now_seconds = frontier_.system().unix_seconds();
  const bool is_answered = robots.fetched_at_seconds != 0 && robots.unreachable == CrawlReason::kNone;
  if (is_unreachable && is_answered && now_seconds - robots.fetched_at_seconds < kKeptSeconds) {
    robots.kept_at_seconds = now_seconds;
    robots.attempts = 0;
    pacing_.release(pending.host, fetch, true);
    return {};
  }
  RobotsRecord record;
  record.fetched_at_seconds = now_seconds;
  if (is_unreachable) {
    record.answer = RobotsRecord::Availability::kUnreachable;
    record.reason = unreachable_reason(fetch.failure);
  } else if (fetch.is_redirect() && pending.redirects < kRobotsRedirectsMaximum) {
    parser_.set_base(fetch.request.url);
    std::optional<Url> target = parser_.parse(fetch.header("Location"));
    parser_.clear_base();
    if (target) {
      target = without_final_dot(std::move(*target));
      if (may_ask(host, *target)) {
        follow(pending.host, pending.origin, *target, pending.redirects + 1, false);
        return {};
      }
      record.answer = RobotsRecord::Availability::kUnreachable;
      record.reason = CrawlReason::kRobotsUnreachable;
    }
  } else if (file) {
    record.answer = RobotsRecord::Availability::kFile;
    record.body = std::move(*file);
  }
  CrawlChanges changes;
  PARAPRINT_TRY(settle(changes, pending, record));
  pacing_.release(pending.host, fetch, false);
  return frontier_.commit(changes);
}

Status RobotsFiles::settle(CrawlChanges& changes, const PendingRequest& pending, const RobotsRecord& record) {
  CrawlHost& host = frontier_.host(changes.touch(pending.host));
  HostRobots& robots = host.robots[pending.origin];
  robots = robots_from(record, token_);
  changes.batch.put_robots(pending.origin, record);
  take_crawl_delay(host);
  if (options_.sitemaps) {
    PARAPRINT_TRY(sitemaps_.offer(changes, pending.host, robots, pending.origin + "/robots.txt"));
  }
  robots.rules.forget_sitemaps();
  memory_.keep(robots);
  return {};
}

}  // namespace paraprint::inline crawler
