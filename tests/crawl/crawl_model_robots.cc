// How the model asks for robots.txt files, and what their answers mean.
#include <algorithm>
#include <chrono>
#include <utility>

#include "crawl/crawl_model.h"
#include "crawl/fetched_body.h"
#include "crawl/host_pacing.h"

namespace paraprint {
namespace {

constexpr std::int64_t kDaySeconds = 86'400;

CrawlSystem::Time::duration duration_of(double seconds) {
  return std::chrono::duration_cast<CrawlSystem::Time::duration>(std::chrono::duration<double>(seconds));
}

}  // namespace

// Null: it has to be requested. A file that could not be fetched is asked for again by the next run.
CrawlModel::Robots* CrawlModel::find_robots(const std::string& host, const std::string& origin) {
  Robots& robots = hosts_[host].robots[origin];
  const auto stored = state_.robots.find(origin);
  const bool is_first_look = robots.fetched_at_seconds == 0 && robots.attempts == 0;
  if (is_first_look && stored != state_.robots.end() &&
      stored->second.answer != RobotsRecord::Availability::kUnreachable) {
    robots.fetched_at_seconds = stored->second.fetched_at_seconds;
    robots.rules = RobotsRules::parse(stored->second.body, "paraprint");
    hosts_[host].has_robots = true;
  }
  const std::int64_t asked_at_seconds = std::max(robots.fetched_at_seconds, robots.kept_at_seconds);
  return now_.unix_seconds - asked_at_seconds >= kDaySeconds ? nullptr : &robots;
}

// RFC 9309, 2.3.1.
void CrawlModel::handle_robots(Answer& answer) {
  const FetchResult& fetch = answer.answer.fetch;
  const auto& [url, if_none_match, host, queued, origin, redirects, is_probe] = answer.purpose;
  Robots& robots = hosts_[host].robots[origin];
  if (const std::string asked = UrlParser().parse(url)->host; asked != host) {
    redirect_hosts_[asked].is_busy = false;
    const double asked_for = std::max(std::min(fetch.retry_after_seconds, 3600.0),
                                      is_worth_another_attempt(fetch) ? options_.retry_pause : 0);
    redirect_hosts_[asked].rested = now_.time + std::max(redirect_pause(), duration_of(asked_for));
  }
  const bool is_file = fetch.failure == CrawlReason::kNone && fetch.http_status >= 200 && fetch.http_status < 300;
  const std::optional<FetchedFile> file = is_file ? decode_fetched_file(fetch, 1 << 20) : std::nullopt;
  const bool is_unreadable = is_file && (!file || file->is_partial);
  const bool is_unreachable =
      !has_arrived(fetch) || fetch.http_status >= 500 || fetch.http_status == 429 || is_unreadable;
  if (is_unreachable && is_worth_another_attempt(fetch) && robots.attempts < options_.retries) {
    ++robots.attempts;
    return release(host, fetch, true);
  }
  bool is_kept_from_asking = false;
  if (!is_unreachable && fetch.is_redirect() && redirects < 5) {
    if (const std::optional<Url> target = resolve(url, fetch.header("Location"))) {
      is_kept_from_asking = undotted(*target).host != host && !knows_port(*target);
      if (!is_kept_from_asking) return follow_robots(host, origin, undotted(*target), redirects + 1, false);
    }
  }
  // 2.3.1.4: while there is no answer, the last one counts.
  constexpr std::int64_t kMonthSeconds = std::int64_t{30} * 86'400;
  const bool has_answer = robots.fetched_at_seconds != 0 && robots.unreachable == CrawlReason::kNone;
  if (is_unreachable && has_answer && now_.unix_seconds - robots.fetched_at_seconds < kMonthSeconds) {
    robots.kept_at_seconds = now_.unix_seconds;
    robots.attempts = 0;
    return release(host, fetch, true);
  }
  RobotsRecord record;
  record.fetched_at_seconds = now_.unix_seconds;
  if (is_file && !is_unreachable) {
    record.answer = RobotsRecord::Availability::kFile;
    record.body = file->body;
  } else if (is_unreachable || is_kept_from_asking) {
    record.answer = RobotsRecord::Availability::kUnreachable;
    const bool is_told = fetch.failure == CrawlReason::kPrivateAddress || fetch.failure == CrawlReason::kNameResolution;
    record.reason = is_told ? fetch.failure : CrawlReason::kRobotsUnreachable;
  }
  robots = {record.fetched_at_seconds, 0, record.reason, RobotsRules::parse(record.body, "paraprint"), 0};
  state_.robots[origin] = record;
  hosts_[host].has_robots = true;
  touch(host);
  for (const std::string& text : options_.sitemaps ? robots.rules.sitemaps() : std::vector<std::string>()) {
    std::optional<Url> sitemap = resolve(origin + "/robots.txt", text);
    if (!sitemap) {
      ++state_.position.links_unusable;
    } else {
      offer({std::move(*sitemap), origin + "/robots.txt", QueueEntry::Kind::kSitemap, 0, 0, false, host});
    }
  }
  release(host, fetch, false);
}

// The longest of the files that count now. Until one is known to this run, that of the last one counts.
double CrawlModel::crawl_delay_seconds(const std::string& name) const {
  const Host& host = hosts_.at(name);
  if (!host.has_robots) return state_.hosts.at(name).record.crawl_delay_seconds;
  double longest = -1;
  for (const auto& [origin, robots] : host.robots) longest = std::max(longest, robots.rules.crawl_delay_seconds());
  return longest;
}

CrawlSystem::Time::duration CrawlModel::redirect_pause() const {
  return duration_of(std::max(usual_pause_seconds(), 0.1));
}

// Other hosts are asked one request at a time, with pauses; those that wait have turns, one after the other.
void CrawlModel::follow_robots(const std::string& host, const std::string& origin, const Url& target,
                               std::uint32_t redirects, bool has_turn) {
  Robots& robots = hosts_[host].robots[origin];
  robots.redirect_target.clear();
  const Expected request{target.href, "", host, {}, origin, redirects};
  if (target.host == host) {
    next_request_ = request;
    return;
  }
  RedirectHost& asked = redirect_hosts_[target.host];
  if (!asked.is_busy && asked.rested <= now_.time && (has_turn || asked.next_turn <= now_.time)) {
    asked.is_busy = true;
    next_request_ = request;
    return;
  }
  robots.redirect_target = target.href;
  robots.redirects = redirects;
  hosts_[host].due = std::max({asked.next_turn, asked.rested, now_.time + redirect_pause()});
  asked.next_turn = hosts_[host].due + redirect_pause();
  hosts_[host].is_busy = false;
  schedule(host);
}

}  // namespace paraprint
