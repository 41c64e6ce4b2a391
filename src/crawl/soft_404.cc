// The probe and what follows from its answer. Seeds are never recorded as missing, because the caller asked for them,
// and neither is the front page of an origin: if that is like the answer, everything is.
//
// The answer is compared with pages directly, by the run's own matching. It does not enter the index of known pages: it
// belongs to no address that anybody links to.
#include "crawl/soft_404.h"

#include <utility>

#include "base/hash.h"
#include "base/propagate.h"
#include "paraprint/engine.h"
#include "paraprint/memory_pages.h"

namespace paraprint::inline crawler {
namespace {

// Without vowels there are no words. 24 letters of 20 are more than 100 bits.
constexpr std::string_view kLetters = "bcdfghjklmnpqrstvwxz";
constexpr int kHalves = 2;
constexpr int kLettersPerHalf = 12;

// Pages that are fetched again are compared with an answer of the same age.
std::int64_t oldest_answer(const CrawlOptions& options, const CrawlSystem& system) {
  return options.refetch_after < 0 ? INT64_MIN : system.unix_seconds() - options.refetch_after;
}

// What can be compared of the answer: the profile of a page with text. Empty if nothing can.
std::string comparable_profile(const std::optional<PreparedPage>& page) {
  if (!page || page->refusal != CrawlReason::kNone || page->profile.content_characters == 0) return {};
  std::string bytes = profile_bytes(page->profile);
  if (bytes.size() > kProbeProfileBytesMaximum) bytes.clear();
  return bytes;
}

}  // namespace

std::string probe_target(std::string_view crawl_id, std::string_view origin) {
  std::string target = "/";
  for (int half = 0; half < kHalves; ++half) {
    std::string text = std::to_string(half);
    text.append(" ").append(crawl_id).append(" ").append(origin);
    std::uint64_t bits = hash64(text);
    for (int i = 0; i < kLettersPerHalf; ++i, bits /= kLetters.size()) target += kLetters[bits % kLetters.size()];
  }
  return target;
}

Soft404Probes::Soft404Probes(const CrawlOptions& options, CrawlFrontier& frontier, PendingRequests& requests,
                             HostPacing& pacing, RobotsFiles& robots, UrlParser& parser)
    : options_(options),
      frontier_(frontier),
      requests_(requests),
      pacing_(pacing),
      robots_(robots),
      parser_(parser),
      asked_before_seconds_(oldest_answer(options, frontier.system())) {}

// A stored answer is looked at once per run. That it is too old is decided then, so that an origin is not asked twice
// in a run whatever the clock does. Where there was no answer, and where robots.txt may have changed, a later run asks.
Result<bool> Soft404Probes::must_ask(CrawlChanges& changes, const HostRobots& robots, const std::string& origin) {
  if (options_.soft_404 == Soft404Treatment::kOff) return false;
  Asked& asked = origins_[origin];
  if (asked.is_settled) return false;
  PARAPRINT_ASSIGN(std::optional<ProbeRecord> stored, frontier_.state().probe(origin));
  const bool is_answered = stored && stored->answer != ProbeAnswer::kNone && stored->answer != ProbeAnswer::kDisallowed;
  if (is_answered && stored->fetched_at_seconds >= asked_before_seconds_) {
    asked.is_settled = true;
    asked.is_comparable = is_comparable(*stored);
    return false;
  }
  if (robots.rules.allows(probe_target(frontier_.position().crawl_id, origin))) return true;
  ProbeRecord record = std::move(stored).value_or(ProbeRecord{});
  record.answer = ProbeAnswer::kDisallowed;
  record.fetched_at_seconds = frontier_.system().unix_seconds();
  settle(changes, origin, record);
  ++changes.size;
  return false;
}

void Soft404Probes::request(std::size_t host, const std::string& origin, const std::string& url,
                            std::uint32_t redirects) {
  FetchRequest request;
  request.url = url;
  request.body_bytes_maximum = kProbeBytesMaximum;
  request.content_types = &options_.content_type;
  requests_.start(std::move(request), {host, std::nullopt, origin, redirects, true});
}

bool Soft404Probes::has_content(const PendingRequest& pending, const FetchResult& fetch) {
  return pending.is_probe && fetch.failure == CrawlReason::kNone && fetch.http_status == 200;
}

void Soft404Probes::settle(CrawlChanges& changes, const std::string& origin, const ProbeRecord& record) {
  Asked& asked = origins_[origin];
  asked.is_settled = true;
  asked.is_comparable = is_comparable(record);
  changes.batch.put_probe(origin, record);
}

// A redirect that keeps the path, e.g. in the folder of a language, says nothing yet.
Result<bool> Soft404Probes::follow(const PendingRequest& pending, const Url& target) {
  if (pending.redirects >= kProbeRedirectsMaximum || target.origin() != pending.origin) return false;
  const std::string probed = probe_target(frontier_.position().crawl_id, pending.origin);
  const std::string_view path = std::string_view(target.target).substr(0, target.target.find('?'));
  if (path.find(probed) == std::string_view::npos) return false;
  PARAPRINT_ASSIGN(const HostRobots* robots, robots_.find(frontier_.host(pending.host), pending.origin));
  if (robots == nullptr || robots->unreachable != CrawlReason::kNone || !robots->rules.allows(target.target)) {
    return false;
  }
  request(pending.host, pending.origin, target.href, pending.redirects + 1);
  return true;
}

// What is known of the origin's pages stays when it is asked again.
Status Soft404Probes::handle(const PendingRequest& pending, const FetchResult& fetch,
                             const std::optional<PreparedPage>& page) {
  Asked& asked = origins_[pending.origin];
  const bool is_passing = is_worth_another_attempt(fetch);
  if (is_passing && asked.attempts < options_.retries) {
    ++asked.attempts;
    pacing_.release(pending.host, fetch, true);
    return {};
  }
  PARAPRINT_ASSIGN(std::optional<ProbeRecord> stored, frontier_.state().probe(pending.origin));
  ProbeRecord record = std::move(stored).value_or(ProbeRecord{});
  record.fetched_at_seconds = frontier_.system().unix_seconds();
  record.redirect_target.clear();
  record.profile = comparable_profile(page);
  record.bare_text_hash = record.profile.empty() ? 0 : page->bare_text_hash;
  if (is_passing || fetch.http_status == 0) {
    record.answer = ProbeAnswer::kNone;
  } else if (fetch.is_redirect() && fetch.is_answered()) {
    parser_.set_base(fetch.request.url);
    const std::optional<Url> target = parser_.parse(fetch.header("Location"));
    parser_.clear_base();
    if (target) {
      PARAPRINT_ASSIGN(const bool is_followed, follow(pending, *target));
      if (is_followed) return {};
    }
    // A target that names the address, as for https or a log-in, is that of no other one.
    const std::string probed = probe_target(frontier_.position().crawl_id, pending.origin);
    const bool is_for_all = target && target->href.find(probed.substr(1)) == std::string::npos;
    record.answer = is_for_all ? ProbeAnswer::kRedirect : ProbeAnswer::kOther;
    if (is_for_all) record.redirect_target = target->href;
  } else if (!record.profile.empty()) {
    record.answer = ProbeAnswer::kPage;
  } else {
    record.answer = fetch.http_status >= 400 ? ProbeAnswer::kError : ProbeAnswer::kOther;
  }
  CrawlChanges changes;
  changes.touch(pending.host);
  settle(changes, pending.origin, record);
  pacing_.release(pending.host, fetch, is_passing);
  return frontier_.commit(changes);
}

// The answer for an address of a page, if it can be like it. The text of a page is in the state, not in memory: origins
// are many.
Result<std::optional<ProbeRecord>> Soft404Probes::comparable(const Url& url) {
  const auto asked = origins_.find(url.origin());
  if (asked == origins_.end() || !asked->second.is_comparable) return std::nullopt;
  return frontier_.state().probe(url.origin());
}

Result<std::optional<Soft404>> Soft404Probes::find_page(CrawlChanges& changes, const QueueEntry& entry,
                                                        const PreparedPage& page) {
  if (page.profile.content_characters == 0) return std::nullopt;  // says nothing
  const std::optional<Url> url = parser_.parse(entry.url);
  if (!url) return std::nullopt;
  PARAPRINT_ASSIGN(std::optional<ProbeRecord> record, comparable(*url));
  if (!record) return std::nullopt;
  if (record->answer == ProbeAnswer::kRedirect) return weigh(changes, entry, *url, *record, {}, false);
  PARAPRINT_ASSIGN(const Profile missing, profile_from_bytes(record->profile));
  PARAPRINT_ASSIGN(const CompareOutcome pair, compare(page.profile, missing, options_.match));
  PageJudgement judgement;
  judgement.verdict = pair.match.verdict;
  judgement.known_url = url->origin() + probe_target(frontier_.position().crawl_id, url->origin());
  judgement.cluster_url = entry.url;
  judgement.resemblance = pair.match.resemblance;
  judgement.containment = pair.match.containment_a;
  judgement.containment_known = pair.match.containment_b;
  judgement.content_characters = page.profile.content_characters;
  judgement.is_short = page.profile.content_characters < options_.match.min_characters;
  // A short page that repeats its address has too little in common with another one of its kind for the scores.
  if (page.bare_text_hash != 0 && page.bare_text_hash == record->bare_text_hash) {
    judgement.verdict = Verdict::kSame;
    judgement.resemblance = judgement.containment = judgement.containment_known = 1;
  }
  const bool is_match = judgement.verdict == Verdict::kSame || judgement.verdict == Verdict::kNear;
  return weigh(changes, entry, *url, std::move(*record), std::move(judgement), is_match);
}

Result<std::optional<Soft404>> Soft404Probes::find_redirect(CrawlChanges& changes, const QueueEntry& entry,
                                                            const std::string& target) {
  const std::optional<Url> url = parser_.parse(entry.url);
  if (!url) return std::nullopt;
  PARAPRINT_ASSIGN(std::optional<ProbeRecord> record, comparable(*url));
  // A page was the answer: a redirect is no evidence for or against it.
  if (!record || record->answer != ProbeAnswer::kRedirect) return std::nullopt;
  const bool is_match = record->redirect_target == target;
  return weigh(changes, entry, *url, std::move(*record), {}, is_match);
}

// One page that differs shows that the origin does not answer all addresses alike; only then does likeness mean
// anything. The front page alone shows the contrary.
Result<std::optional<Soft404>> Soft404Probes::weigh(CrawlChanges& changes, const QueueEntry& entry, const Url& url,
                                                    ProbeRecord record, std::optional<PageJudgement> judgement,
                                                    bool is_match) {
  const std::string origin = url.origin();
  const ProbeStanding before = record.standing;
  if (!is_match) {
    if (before == ProbeStanding::kUndecided) {
      record.standing = ProbeStanding::kDiffers;
      settle(changes, origin, record);
    }
    return std::nullopt;
  }
  const bool is_front = url.target == "/";
  if (is_front || before == ProbeStanding::kUndecided) {
    ++record.matches;
    if (is_front || record.matches >= kMatchesUntilAlike) record.standing = ProbeStanding::kAlike;
    settle(changes, origin, record);
    return std::nullopt;
  }
  if (entry.depth == 0) return std::nullopt;
  Soft404 found;
  found.follows_links = record.expanded < options_.copy_links;
  if (judgement && !record.archived_url.empty() && record.archived_url != entry.url) {
    PARAPRINT_ASSIGN(const std::optional<UrlRecord> archived, frontier_.state().url(record.archived_url));
    if (archived && archived->reason == CrawlReason::kSoft404 && !archived->record_id.empty()) {
      judgement->cluster_url = record.archived_url;
    }
  }
  found.probe = std::move(record);
  found.origin = origin;
  found.judgement = std::move(judgement);
  return found;
}

void Soft404Probes::count(CrawlChanges& changes, Soft404 found, const std::string& archived_url) {
  if (found.follows_links) ++found.probe.expanded;
  if (!archived_url.empty()) found.probe.archived_url = archived_url;
  if (found.follows_links || !archived_url.empty()) settle(changes, found.origin, found.probe);
}

}  // namespace paraprint::inline crawler
