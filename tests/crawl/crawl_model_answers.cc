// How the model handles answers.
#include <algorithm>
#include <utility>

#include "crawl/crawl_log.h"
#include "crawl/crawl_model.h"
#include "crawl/fetched_body.h"
#include "crawl/host_pacing.h"
#include "web/sitemap.h"
#include "web/url_cleaning.h"
#include "web/url_shape.h"

namespace paraprint {
namespace {

std::optional<Url> resolve(const std::string& base, const std::string& reference) {
  UrlParser parser;
  parser.set_base(base);
  return parser.parse(reference);
}

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
  if (!answer.purpose.queued || answer.purpose.queued->entry.kind != QueueEntry::Kind::kPage) return false;
  if (is_worth_another_attempt(fetch) && answer.purpose.queued->entry.attempts < options_.retries) return false;
  return (fetch.failure == CrawlReason::kNone && fetch.http_status == 200) || is_cut_page(fetch);
}

const SimulatedAnswer* CrawlModel::to_be_judged() const {
  if (received_.empty() || next_request_) return nullptr;
  const Answer& first = received_.front();
  const bool is_judged =
      needs_page(first) && first.is_prepared && first.answer.page.refusal == CrawlReason::kNone && !first.judgement;
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
  if (!answer.purpose.queued) return handle_robots(answer);
  const QueueEntry& entry = answer.purpose.queued->entry;
  if (is_worth_another_attempt(fetch) && entry.attempts < options_.retries) {
    put_back(answer.purpose);
    return release(answer.purpose.host, fetch, true);
  }
  entry.kind == QueueEntry::Kind::kSitemap ? handle_sitemap(answer) : handle_page(answer);
  release(answer.purpose.host, fetch, is_worth_another_attempt(fetch));
}

// RFC 9309, 2.3.1.
void CrawlModel::handle_robots(Answer& answer) {
  const FetchResult& fetch = answer.answer.fetch;
  const auto& [url, if_none_match, host, queued, origin, redirects] = answer.purpose;
  Robots& robots = hosts_[host].robots[origin];
  const bool is_unreachable =
      fetch.failure != CrawlReason::kNone || fetch.http_status >= 500 || fetch.http_status == 429;
  if (is_unreachable && is_worth_another_attempt(fetch) && robots.attempts < options_.retries) {
    ++robots.attempts;
    return release(host, fetch, true);
  }
  if (!is_unreachable && fetch.is_redirect() && redirects < 5) {
    if (const std::optional<Url> target = resolve(url, fetch.header("Location"))) {
      next_request_ = {target->href, "", host, {}, origin, redirects + 1};
      return;
    }
  }
  RobotsRecord record;
  record.fetched_at_seconds = now_.unix_seconds;
  const bool is_file = !is_unreachable && fetch.http_status >= 200 && fetch.http_status < 300;
  const std::optional<std::string> body = is_file ? decode_fetched_file(fetch, 1 << 20) : std::nullopt;
  if (body) {
    record.answer = RobotsRecord::Availability::kFile;
    record.body = *body;
  } else if (is_unreachable || is_file) {
    record.answer = RobotsRecord::Availability::kUnreachable;
    const bool is_told = fetch.failure == CrawlReason::kPrivateAddress || fetch.failure == CrawlReason::kNameResolution;
    record.reason = is_told ? fetch.failure : CrawlReason::kRobotsUnreachable;
  }
  touch(host);
  robots = {record.fetched_at_seconds, 0, record.reason, RobotsRules::parse(record.body, "paraprint")};
  state_.robots[origin] = record;
  double& delay = state_.hosts[host].record.crawl_delay_seconds;
  delay = std::max(delay, robots.rules.crawl_delay_seconds());
  for (const std::string& text : options_.sitemaps ? robots.rules.sitemaps() : std::vector<std::string>()) {
    std::optional<Url> sitemap = resolve(origin + "/robots.txt", text);
    if (!sitemap) {
      ++state_.position.links_unusable;
    } else {
      offer({std::move(*sitemap), origin + "/robots.txt", QueueEntry::Kind::kSitemap, 0, 0});
    }
  }
  release(host, fetch, false);
}

void CrawlModel::handle_sitemap(Answer& answer) {
  const FetchResult& fetch = answer.answer.fetch;
  const QueueEntry& entry = answer.purpose.queued->entry;
  ModelAddress address;
  address.record.depth = entry.depth;
  address.record.fetched_at_seconds = now_.unix_seconds;
  address.record.status = UrlStatus::kStored;
  const bool is_file = fetch.failure == CrawlReason::kNone && fetch.http_status == 200;
  const std::optional<std::string> body = is_file ? decode_fetched_file(fetch, 1 << 20) : std::nullopt;
  if (body) {
    const auto offer_all = [&](const std::vector<std::string>& urls, QueueEntry::Kind kind, std::uint32_t depth) {
      UrlParser parser;
      for (const std::string& text : urls) {
        std::optional<Url> url = parser.parse(text);
        if (!url) {
          ++state_.position.links_unusable;
        } else {
          offer({std::move(*url), fetch.request.url, kind, depth, 0});
        }
      }
    };
    const Sitemap sitemap = parse_sitemap(*body);
    offer_all(sitemap.sitemaps, QueueEntry::Kind::kSitemap, entry.depth + 1U);
    offer_all(sitemap.pages, QueueEntry::Kind::kPage, 1);
  } else if (fetch.failure != CrawlReason::kNone) {
    address.record.status = UrlStatus::kFailed;
    address.record.reason = fetch.failure;
  } else {
    address.record.status = UrlStatus::kRefused;
    address.record.reason = is_file ? CrawlReason::kBrokenEncoding : CrawlReason::kHttpStatus;
  }
  CrawlLogEntry line;
  line.fetch = &fetch;
  settle(answer.purpose, std::move(address), line, {});
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
  if (answer.judgement) line.judgement = &*answer.judgement;
  ModelLine written;
  written.header = fetch.response_header;
  written.body = fetch.body;
  std::string target;
  const auto end = [&](UrlStatus status, CrawlReason reason) {
    record.status = status;
    record.reason = reason;
  };
  if (fetch.failure != CrawlReason::kNone && !is_cut_page(fetch)) {
    const bool is_refused = fetch.failure >= CrawlReason::kHttpStatus && fetch.failure < CrawlReason::kPrivateAddress;
    end(is_refused ? UrlStatus::kRefused : UrlStatus::kFailed, fetch.failure);
  } else if (fetch.is_redirect() && !fetch.header("Location").empty()) {
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
  address.record.status = UrlStatus::kRedirect;
  const std::string target_url = target->href;
  const QueueEntry& entry = answer.purpose.queued->entry;
  const bool is_session = without_tracking(*target).href == url;
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
  const std::string digest = sha1_label(fetch.body);
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
  const bool is_copy = address.record.status == UrlStatus::kCopy;
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
