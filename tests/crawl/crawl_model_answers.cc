// How the model handles answers.
#include <algorithm>
#include <utility>

#include "crawl/crawl_log.h"
#include "crawl/crawl_model.h"
#include "crawl/fetched_body.h"
#include "crawl/host_pacing.h"
#include "crawl/soft_404.h"
#include "web/sitemap.h"
#include "web/url_cleaning.h"
#include "web/url_shape.h"

namespace paraprint {
namespace {

bool is_cut_page(const FetchResult& fetch) {
  return fetch.failure == CrawlReason::kTruncated && fetch.http_status == 200 && !fetch.body.empty();
}

void forget_capture(ModelAddress& address) {
  address.capture.reset();
  for (std::string* field :
       {&address.record.date, &address.record.body_digest, &address.record.etag, &address.record.last_modified}) {
    field->clear();
  }
}

}  // namespace

std::optional<Url> resolve(const std::string& base, const std::string& reference) {
  UrlParser parser;
  parser.set_base(base);
  return parser.parse(reference);
}

Url undotted(const Url& url) {
  UrlParser parser;
  const std::size_t dot = url.href.find(".", url.href.find(url.host) + url.host.size() - 1);
  return url.host.back() == '.' ? *parser.parse(url.href.substr(0, dot) + url.href.substr(dot + 1)) : url;
}

void CrawlModel::received(SimulatedAnswer answer) {
  const auto purpose = in_flight_.extract(answer.fetch.request.number);
  received_.push_back({std::move(purpose.mapped()), std::move(answer), false, {}, {}, false});
}

void CrawlModel::prepared(std::uint64_t number) {
  for (Answer& answer : received_) {
    if (answer.answer.fetch.request.number == number) answer.is_prepared = true;
  }
}

bool CrawlModel::needs_page(const Answer& answer) const {
  const FetchResult& fetch = answer.answer.fetch;
  if (answer.purpose.is_probe) return fetch.failure == CrawlReason::kNone && fetch.http_status == 200;
  if (!answer.purpose.queued || answer.purpose.queued->entry.kind != QueueEntry::Kind::kPage) return false;
  if (is_worth_another_attempt(fetch) && answer.purpose.queued->entry.attempts < options_.retries) return false;
  return (fetch.failure == CrawlReason::kNone && fetch.http_status == 200) || is_cut_page(fetch);
}

const SimulatedAnswer* CrawlModel::to_be_judged() const {
  if (received_.empty() || next_request_) return nullptr;
  const Answer& first = received_.front();
  const bool is_judged = needs_page(first) && !first.purpose.is_probe && first.is_prepared &&
                         first.answer.page.refusal == CrawlReason::kNone && !first.judgement && !is_soft_404(first);
  return is_judged ? &first.answer : nullptr;
}

void CrawlModel::judged(const std::string& url, const PageJudgement& judgement, Moment now) {
  Answer& first = received_.front();
  if (first.answer.fetch.request.url != url) std::abort();
  first.judgement = judgement;
  first.judged_at = now;
}

bool CrawlModel::handle_next(Moment now) {
  if (received_.empty() || next_request_ || to_be_judged() != nullptr) return false;
  if (needs_page(received_.front()) && !received_.front().is_prepared) return false;
  now_ = now;
  before_request_.reset();
  Answer answer = std::move(received_.front());
  received_.pop_front();
  handle(answer);
  return true;
}

void CrawlModel::handle(Answer& answer) {
  const FetchResult& fetch = answer.answer.fetch;
  Host& host = hosts_[answer.purpose.host];
  ++host.requests;
  host.received_bytes += fetch.response_header.size() + fetch.body.size();
  if (answer.purpose.is_probe) return handle_probe(answer);
  if (!answer.purpose.queued) return handle_robots(answer);
  const QueueEntry& entry = answer.purpose.queued->entry;
  if (is_worth_another_attempt(fetch) && entry.attempts < options_.retries) {
    put_back(answer.purpose);
    return release(answer.purpose.host, fetch, true);
  }
  entry.kind == QueueEntry::Kind::kSitemap ? handle_sitemap(answer) : handle_page(answer);
  release(answer.purpose.host, fetch, is_worth_another_attempt(fetch));
}

// docs/crawl.md, "Missing pages".
void CrawlModel::handle_probe(Answer& answer) {
  const FetchResult& fetch = answer.answer.fetch;
  const auto& [url, if_none_match, host, queued, origin, redirects, is_probe] = answer.purpose;
  const bool is_passing = is_worth_another_attempt(fetch);
  if (is_passing && hosts_[host].probe_attempts[origin] < options_.retries) {
    ++hosts_[host].probe_attempts[origin];
    return release(host, fetch, true);
  }
  const bool is_redirect = has_arrived(fetch) && fetch.is_redirect();
  const std::optional<Url> target = is_redirect ? resolve(url, fetch.header("Location")) : std::nullopt;
  const std::string name = probe_target("simulated", origin).substr(1);
  const bool is_named = target && target->href.find(name) != std::string::npos;
  const std::string path = target ? target->target.substr(0, target->target.find('?')) : std::string();
  if (redirects < 5 && path.find("/" + name) != std::string::npos && target->origin() == origin) {
    const Robots* robots = find_robots(host, origin);
    if (robots != nullptr && robots->unreachable == CrawlReason::kNone && robots->rules.allows(target->target)) {
      next_request_ = {target->href, "", host, {}, origin, redirects + 1, true};
      return;
    }
  }
  using Kind = ProbeAnswer;
  ModelProbe& probe = state_.probes[origin];
  probe.record.fetched_at_seconds = now_.unix_seconds;
  probe.record.redirect_target = target && !is_named ? target->href : "";
  const bool is_page = needs_page(answer) && answer.answer.page.refusal == CrawlReason::kNone;
  probe.text = is_page ? answer.answer.page.text : 0;
  probe.record.answer = is_passing || fetch.http_status == 0 ? Kind::kNone
                        : target && !is_named                ? Kind::kRedirect
                        : is_page                            ? Kind::kPage
                        : fetch.http_status >= 400           ? Kind::kError
                                                             : Kind::kOther;
  hosts_[host].probed.insert(origin);
  touch(host);
  release(host, fetch, is_passing);
}

void CrawlModel::handle_sitemap(Answer& answer) {
  const FetchResult& fetch = answer.answer.fetch;
  const QueueEntry& entry = answer.purpose.queued->entry;
  ModelAddress address;
  address.record.depth = entry.depth;
  address.record.fetched_at_seconds = now_.unix_seconds;
  address.record.status = UrlStatus::kStored;
  CrawlLogEntry line;
  line.fetch = &fetch;
  std::string redirect_target;
  const bool is_redirect = has_arrived(fetch) && fetch.is_redirect();
  const bool is_file = fetch.failure == CrawlReason::kNone && fetch.http_status == 200;
  const std::optional<FetchedFile> file = is_file ? decode_fetched_file(fetch, 1 << 20) : std::nullopt;
  if (file) {
    const auto offer_all = [&](const std::vector<std::string>& urls, QueueEntry::Kind kind, std::uint32_t depth) {
      UrlParser parser;
      for (const std::string& text : urls) {
        std::optional<Url> url = parser.parse(text);
        if (!url) {
          ++state_.position.links_unusable;
        } else if (kind == QueueEntry::Kind::kSitemap && undotted(*url).host != answer.purpose.host) {
          ++state_.position.links_off_scope;
        } else {
          offer({std::move(*url), fetch.request.url, kind, depth, 0, false, answer.purpose.host});
        }
      }
    };
    const Sitemap sitemap = parse_sitemap(file->body, !file->is_partial);
    line.sitemap_defect = sitemap.is_cut ? "cut" : sitemap.is_damaged || file->is_partial ? "damaged" : "";
    offer_all(sitemap.sitemaps, QueueEntry::Kind::kSitemap, entry.depth + 1U);
    offer_all(sitemap.pages, QueueEntry::Kind::kPage, 1);
  } else if (is_redirect) {
    redirect_target = follow_sitemap(answer, address.record);
    line.redirect_target = redirect_target;
  } else if (fetch.failure != CrawlReason::kNone) {
    address.record.status = UrlStatus::kFailed;
    address.record.reason = fetch.failure;
  } else {
    address.record.status = UrlStatus::kRefused;
    address.record.reason = is_file ? CrawlReason::kBrokenEncoding : CrawlReason::kHttpStatus;
  }
  settle(answer.purpose, std::move(address), line, {});
}

// Returns the target; empty if there is none. Hosts are the same with and without "www.".
std::string CrawlModel::follow_sitemap(const Answer& answer, UrlRecord& record) {
  const QueueEntry& entry = answer.purpose.queued->entry;
  std::optional<Url> target = resolve(entry.url, answer.answer.fetch.header("Location"));
  record.status = UrlStatus::kRefused;
  if (!target || target->href == entry.url) {
    record.reason = CrawlReason::kBadRedirect;
    return {};
  }
  const std::string target_url = target->href;
  if (entry.redirects >= 10) {
    record.reason = CrawlReason::kRedirectLimit;
    return target_url;
  }
  record.status = UrlStatus::kRedirect;
  const std::string& host = answer.purpose.host;
  target = undotted(*target);
  if (target->host == host || target->host == "www." + host || "www." + target->host == host) {
    offer({std::move(*target), entry.url, QueueEntry::Kind::kSitemap, entry.depth, entry.redirects + 1U});
  } else {
    ++state_.position.links_off_scope;
  }
  return target_url;
}

void CrawlModel::handle_page(Answer& answer) {
  const FetchResult& fetch = answer.answer.fetch;
  const std::string& url = answer.purpose.url;
  ModelAddress address = state_.addresses.at(url);
  const bool has_capture = address.capture.has_value();
  UrlRecord& record = address.record;
  record.depth = answer.purpose.queued->entry.depth;
  record.fetched_at_seconds = (answer.judgement ? answer.judged_at : now_).unix_seconds;
  CrawlLogEntry line;
  line.fetch = &fetch;
  ModelLine written;
  written.header = fetch.response_header;
  written.body = fetch.body;
  std::string target;
  const auto end = [&](UrlStatus status, CrawlReason reason) {
    record.status = status;
    record.reason = reason;
  };
  if (!has_arrived(fetch) && !is_cut_page(fetch)) {
    const bool is_refused = fetch.failure >= CrawlReason::kHttpStatus && fetch.failure < CrawlReason::kPrivateAddress;
    end(is_refused ? UrlStatus::kRefused : UrlStatus::kFailed, fetch.failure);
  } else if (fetch.is_redirect()) {
    target = handle_redirect(answer, address, written);
    line.redirect_target = target;
  } else if (fetch.http_status == 304 && has_capture) {
    end(UrlStatus::kUnchanged, CrawlReason::kNone);
    written.kind = CaptureKind::kNotModified;
    written.refers_to = address.capture;
  } else if (fetch.http_status != 200) {
    const bool is_error = is_worth_another_attempt(fetch);
    end(is_error ? UrlStatus::kFailed : UrlStatus::kRefused,
        is_error ? CrawlReason::kServerError : CrawlReason::kHttpStatus);
    written.kind = CaptureKind::kResponse;
  } else {
    handle_content(answer, address, written);
  }
  if (answer.judgement) line.judgement = &*answer.judgement;
  settle(answer.purpose, std::move(address), line, std::move(written));
  if (answer.is_stored) state_.addresses.at(url).capture = state_.lines - 1;
}

// Returns the target; empty if there is none.
std::string CrawlModel::handle_redirect(Answer& answer, ModelAddress& address, ModelLine& written) {
  const FetchResult& fetch = answer.answer.fetch;
  const std::string& url = answer.purpose.url;
  written.kind = CaptureKind::kResponse;
  std::optional<Url> target = resolve(url, fetch.header("Location"));
  address.record.reason = CrawlReason::kNone;
  if (!target || target->href == url) {
    address.record.status = UrlStatus::kRefused;
    address.record.reason = CrawlReason::kBadRedirect;
    return {};
  }
  if (answer.purpose.queued->entry.redirects >= 10) {
    address.record.status = UrlStatus::kRefused;
    address.record.reason = CrawlReason::kRedirectLimit;
    return target->href;
  }
  const bool is_soft_404 = weigh(answer, *target);
  address.record.status = is_soft_404 ? UrlStatus::kRefused : UrlStatus::kRedirect;
  if (is_soft_404) address.record.reason = CrawlReason::kSoft404;
  const std::string target_url = target->href;
  const QueueEntry& entry = answer.purpose.queued->entry;
  const bool is_session = undotted(without_tracking(*target)).href == url;
  offer({std::move(*target), url, QueueEntry::Kind::kPage, entry.depth, entry.redirects + 1U, is_session});
  return target_url;
}

void CrawlModel::handle_content(Answer& answer, ModelAddress& address, ModelLine& written) {
  const SimulatedPage& page = answer.answer.page;
  const FetchResult& fetch = answer.answer.fetch;
  UrlRecord& record = address.record;
  record.reason = CrawlReason::kNone;
  if (page.refusal != CrawlReason::kNone) {
    record.status = UrlStatus::kRefused;
    record.reason = page.refusal;
    return;
  }
  address.was_judged = true;
  const bool is_missing = is_soft_404(answer);
  if (is_compared(answer)) weigh(answer, {});
  const std::string digest = sha1_label(fetch.body);
  if (is_missing) {
    record.payload_digest = digest;
    return handle_soft_404(answer, address, written);
  }
  const bool was_fetched = state_.addresses.at(fetch.request.url).record.fetched_at_seconds > 0;
  const bool is_identical = was_fetched && record.payload_digest == digest;
  record.payload_digest = digest;
  if (page.is_noindex && options_.noindex == NoindexTreatment::kSkip) {
    record.status = UrlStatus::kRefused;
    record.reason = CrawlReason::kNoindex;
    forget_capture(address);
    return follow_links(answer, true);
  }
  bool follows = true;
  record.status = UrlStatus::kStored;
  if (is_identical && address.capture) {
    record.status = UrlStatus::kUnchanged;
  } else if (answer.judgement->is_copy()) {
    record.status = UrlStatus::kCopy;
    follows = count_copy(answer, !was_fetched);
  }
  capture(answer, address, written);
  count_barren(answer, record.status);
  ++pages_of_run_;
  follow_links(answer, follows);
}

// Whether an answer is that of a page to be compared with the answer to a probe.
bool CrawlModel::is_compared(const Answer& answer) const {
  const SimulatedPage& page = answer.answer.page;
  const bool is_left_out = page.is_noindex && options_.noindex == NoindexTreatment::kSkip;
  return needs_page(answer) && answer.answer.fetch.failure == CrawlReason::kNone &&
         page.refusal == CrawlReason::kNone && !is_left_out;
}

// What the answer to the probe of its origin says of an address, of which `target` is the redirect if it is one.
std::optional<bool> CrawlModel::is_like_missing(const Answer& answer, const std::optional<Url>& target) const {
  UrlParser parser;
  const std::string origin = parser.parse(answer.purpose.url)->origin();
  const auto probe = state_.probes.find(origin);
  if (probe == state_.probes.end() || !hosts_.at(answer.purpose.host).probed.contains(origin)) return {};
  const ProbeRecord& record = probe->second.record;
  if (record.standing == ProbeStanding::kAlike) return {};
  switch (record.answer) {
    case ProbeAnswer::kPage:
      if (target) return {};
      return answer.answer.page.text == probe->second.text;
    case ProbeAnswer::kRedirect:
      return target && target->href == record.redirect_target;
    default:
      return {};
  }
}

bool CrawlModel::is_soft_404(const Answer& answer, const std::optional<Url>& target) const {
  if (!target && !is_compared(answer)) return false;
  UrlParser parser;
  const Url url = *parser.parse(answer.purpose.url);
  return is_like_missing(answer, target).value_or(false) && url.target != "/" &&
         answer.purpose.queued->entry.depth > 0 &&
         state_.probes.at(url.origin()).record.standing == ProbeStanding::kDiffers;
}

// Counts an address as evidence about its origin. Returns whether it is a soft 404.
bool CrawlModel::weigh(const Answer& answer, const std::optional<Url>& target) {
  const bool is_missing = is_soft_404(answer, target);
  const std::optional<bool> is_like = is_like_missing(answer, target);
  if (!is_like) return false;
  UrlParser parser;
  const Url url = *parser.parse(answer.purpose.url);
  ProbeRecord& record = state_.probes.at(url.origin()).record;
  const bool is_first = record.standing == ProbeStanding::kUndecided;
  if (!*is_like) {
    if (is_first) record.standing = ProbeStanding::kDiffers;
  } else if (is_first || url.target == "/") {
    ++record.matches;
    if (url.target == "/" || record.matches == 3) record.standing = ProbeStanding::kAlike;
  }
  return is_missing;
}

void CrawlModel::handle_soft_404(Answer& answer, ModelAddress& address, ModelLine& written) {
  const std::string& url = answer.purpose.url;
  UrlParser parser;
  const std::string origin = parser.parse(url)->origin();
  ProbeRecord& probe = state_.probes.at(origin).record;
  PageJudgement& judgement = answer.judgement.emplace();
  judgement.verdict = Verdict::kSame;
  judgement.known_url = origin + probe_target("simulated", origin);
  judgement.cluster_url = url;
  judgement.resemblance = 1;
  judgement.content_characters = SimulatedWeb::characters(answer.answer.page.text);
  if (const auto archived = state_.addresses.find(probe.archived_url); archived != state_.addresses.end()) {
    const bool is_one = archived->second.record.reason == CrawlReason::kSoft404 && archived->second.capture;
    if (is_one) judgement.cluster_url = archived->first;
  }
  address.record.status = UrlStatus::kRefused;
  address.record.reason = CrawlReason::kSoft404;
  address.was_judged = false;  // not in the index any more
  capture(answer, address, written);
  address.record.etag.clear();
  count_barren(answer, address.record.status);
  const bool follows = probe.expanded < options_.copy_links;
  if (follows) ++probe.expanded;
  if (judgement.cluster_url == url && (answer.is_stored || address.capture)) probe.archived_url = url;
  follow_links(answer, follows);
}

bool CrawlModel::count_copy(const Answer& answer, bool is_new) {
  ClusterRecord& cluster = state_.clusters[answer.judgement->cluster_url];
  if (is_new) {
    if (cluster.copies < 5) cluster.examples += answer.purpose.url + "\n";
    ++cluster.copies;
    ++cluster.verdicts[answer.judgement->verdict];
  }
  if (answer.purpose.queued->entry.depth == 0) return true;
  if (cluster.expanded >= options_.copy_links) return false;
  ++cluster.expanded;
  return true;
}

void CrawlModel::count_barren(const Answer& answer, UrlStatus status) {
  if (answer.purpose.queued->entry.depth == 0 || status == UrlStatus::kUnchanged) return;
  UrlParser parser;
  std::uint64_t& count = state_.barren[url_shape(*parser.parse(answer.purpose.url))];
  count = answer.judgement->is_copy() || answer.judgement->is_short ? count + 1 : 0;
}

// docs/crawl.md, "The archive".
void CrawlModel::capture(Answer& answer, ModelAddress& address, ModelLine& written) {
  const FetchResult& fetch = answer.answer.fetch;
  const bool is_whole = fetch.failure == CrawlReason::kNone;
  const std::string digest = is_whole ? digest_of_body(fetch) : std::string();
  const bool is_further =
      address.record.reason == CrawlReason::kSoft404 && answer.judgement->cluster_url != answer.purpose.url;
  const bool is_copy = address.record.status == UrlStatus::kCopy || is_further;
  const bool is_skipped = is_copy && options_.copies == CopyTreatment::kSkip;
  bool is_own = false;
  if (!is_skipped) {
    const bool is_relation = is_copy && options_.copies == CopyTreatment::kMetadata;
    written.kind = is_relation ? CaptureKind::kRelation : CaptureKind::kResponse;
    for (const std::string& url : {answer.purpose.url, answer.judgement->known_url, answer.judgement->cluster_url}) {
      const auto other = state_.addresses.find(url);
      if (!is_whole || other == state_.addresses.end() || !other->second.capture) continue;
      if (other->second.record.body_digest != digest) continue;
      written.kind = CaptureKind::kIdenticalPayload;
      written.refers_to = other->second.capture;
      is_own = url == answer.purpose.url;
      break;
    }
  }
  if (!is_own) forget_capture(address);
  const bool has_body = written.kind == CaptureKind::kResponse;
  if (has_body) {
    answer.is_stored = true;
    address.record.date = utc_date(fetch.began_at_seconds);
    address.record.body_digest = digest;
  }
  if (has_body || is_own) address.record.etag = fetch.validator("ETag");
}

void CrawlModel::follow_links(const Answer& answer, bool follows) {
  const SimulatedPage& page = answer.answer.page;
  state_.position.links_unusable += page.unusable_links;
  if (!follows) {
    state_.hosts[answer.purpose.host].record.links_not_followed += page.links.size();
    return;
  }
  UrlParser parser;
  for (const std::string& link : page.links) {
    offer(
        {*parser.parse(link), answer.purpose.url, QueueEntry::Kind::kPage, answer.purpose.queued->entry.depth + 1U, 0});
  }
}

}  // namespace paraprint
