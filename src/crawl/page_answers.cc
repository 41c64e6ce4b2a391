// Handles the answer to the address of a page: stored, a copy, a redirect, an error. Archive and index are written
// before the state says that the address is settled. After a kill in between, the address is requested again: the
// archive is truncated to the last settled record, and the page is removed from the index (CrawlRun::open()).
#include "crawl/page_answers.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "archive/warc_record.h"
#include "base/propagate.h"
#include "crawl/fetched_body.h"
#include "http/header_block.h"
#include "report/json_lines.h"
#include "report/verdict_text.h"
#include "web/url_shape.h"

namespace paraprint::inline crawler {
namespace {

// A page that ends early on every attempt is kept as far as it was received.
bool is_cut_page(const FetchResult& fetch) {
  return fetch.failure == CrawlReason::kTruncated && fetch.http_status == 200 && !fetch.body.empty();
}

// Cut neither by a limit nor by the connection.
bool is_whole(const FetchResult& fetch) {
  return fetch.failure == CrawlReason::kNone && !fetch.is_cut;
}

// The address has no capture that later ones could refer to, and no request may ask whether it has changed.
void forget_capture(UrlRecord& record) {
  for (std::string* field :
       {&record.record_id, &record.date, &record.body_digest, &record.etag, &record.last_modified}) {
    field->clear();
  }
}

// Addresses of copies shown in a cluster's row of the report.
constexpr std::size_t kClusterExamples = 5;
constexpr int kNotModified = 304;
constexpr std::string_view kReasonSoft404 = "soft-404";  // in the relation to the archived one

}  // namespace

// An answer on its way through the handlers below.
struct PageAnswers::PageAnswer {
  const PendingRequest& pending;
  const FetchResult& fetch;
  std::optional<PreparedPage> page;  // if it has content
  UrlRecord known;                   // as stored so far
  UrlRecord record;                  // as it will be stored
  std::optional<CaptureRecord> captured;
  std::optional<PageJudgement> judgement;
  std::string redirect_target;

  const QueueEntry& entry() const { return pending.queued->entry; }
  bool is_soft_404() const { return record.reason == CrawlReason::kSoft404; }
  // Whether --copies decides about its body: it says what a page in the archive says.
  bool is_copy() const {
    return is_soft_404() ? judgement->cluster_url != fetch.request.url : record.status == UrlStatus::kCopy;
  }
  void end(UrlStatus status, CrawlReason reason = CrawlReason::kNone) {
    record.status = status;
    record.reason = reason;
  }
};

// Whether handle() will call handle_content(), so that the page is worth preparing now. Must agree with its cases.
bool PageAnswers::has_content(const PendingRequest& pending, const FetchResult& fetch) const {
  if (!pending.queued || pending.queued->entry.kind != QueueEntry::Kind::kPage) return false;
  if (is_worth_another_attempt(fetch) && pending.queued->entry.attempts < options_.retries) return false;
  return (fetch.failure == CrawlReason::kNone && fetch.http_status == 200) || is_cut_page(fetch);
}

// A failure that may pass puts the address back into its queue; after the last attempt it is settled like any other.
// The host is released last, so that its next request comes after the answer is settled.
Status PageAnswers::handle(const PendingRequest& pending, const FetchResult& fetch, std::optional<PreparedPage> page) {
  CrawlChanges changes;
  changes.touch(pending.host);
  PARAPRINT_ASSIGN(const std::optional<UrlRecord> known, frontier_.state().url(fetch.request.url));
  PageAnswer answer{pending, fetch, std::move(page), known.value_or(UrlRecord{}), {}, {}, {}, {}};
  const bool is_passing = is_worth_another_attempt(fetch);
  if (is_passing && answer.entry().attempts < options_.retries) {
    frontier_.put_back(changes, pending.host, *pending.queued);
    pacing_.release(pending.host, fetch, true);
    return frontier_.commit(changes);
  }
  answer.record = answer.known;
  answer.record.depth = answer.entry().depth;
  answer.record.fetched_at_seconds = frontier_.system().unix_seconds();
  Status handled;
  if (!fetch.is_answered() && !is_cut_page(fetch)) {
    handled = handle_failure(changes, answer);
  } else if (fetch.is_redirect()) {
    handled = handle_redirect(changes, answer);
  } else if (fetch.http_status == kNotModified && !answer.known.record_id.empty()) {
    handled = handle_not_modified(changes, answer);
  } else if (fetch.http_status != 200) {
    handled = handle_http_error(changes, answer);
  } else {
    handled = handle_content(changes, answer);
  }
  if (!handled) return handled;
  PARAPRINT_TRY(settle(changes, answer));
  pacing_.release(pending.host, fetch, is_passing);
  return frontier_.commit(changes);
}

// Without a complete answer there is nothing to archive.
Status PageAnswers::handle_failure(CrawlChanges&, PageAnswer& answer) {
  const CrawlReason reason = answer.fetch.failure;
  const bool is_refused = reason >= CrawlReason::kHttpStatus && reason < CrawlReason::kPrivateAddress;
  answer.end(is_refused ? UrlStatus::kRefused : UrlStatus::kFailed, reason);
  return {};
}

// The target is offered as an address of its own, so scope, robots.txt and the delay apply to it. A redirect to itself
// would never end.
Status PageAnswers::handle_redirect(CrawlChanges& changes, PageAnswer& answer) {
  const std::string& url = answer.fetch.request.url;
  parser_.set_base(url);
  std::optional<Url> target = parser_.parse(answer.fetch.header("Location"));
  parser_.clear_base();
  if (!target || target->href == url) {
    answer.end(UrlStatus::kRefused, CrawlReason::kBadRedirect);
    return capture(answer, {});
  }
  // One redirect too many on the way that led here. The address stays wanted on another one (CrawlFrontier::offer()),
  // which it would not if it were settled as a redirect.
  if (answer.entry().redirects >= kRedirectsMaximum) {
    answer.end(UrlStatus::kRefused, CrawlReason::kRedirectLimit);
    answer.redirect_target = target->href;
    return capture(answer, {});
  }
  PARAPRINT_ASSIGN(const std::optional<Soft404> missing, probes_.find_redirect(changes, answer.entry(), target->href));
  if (missing) {
    answer.end(UrlStatus::kRefused, CrawlReason::kSoft404);
  } else {
    answer.end(UrlStatus::kRedirect);
  }
  answer.redirect_target = target->href;
  PARAPRINT_TRY(capture(answer, {}));
  CrawlOffer offer{std::move(*target), url, QueueEntry::Kind::kPage, answer.entry().depth,
                   answer.entry().redirects + 1U};
  // A server that serves a page only within a session redirects to the same address with a session id. Removing the id
  // would lead back here, so it is kept.
  offer.is_canonical = frontier_.scope().canonical(offer.url).href == url;
  return frontier_.offer(changes, std::move(offer));
}

// A 304 is only meaningful if there is an earlier record to refer to; otherwise handle() treats it as an error.
Status PageAnswers::handle_not_modified(CrawlChanges&, PageAnswer& answer) {
  answer.end(UrlStatus::kUnchanged);
  Capture kept;
  kept.kind = CaptureKind::kNotModified;
  kept.refers_to_id = answer.known.record_id;
  kept.refers_to_url = answer.fetch.request.url;
  kept.refers_to_date = answer.known.date;
  return capture(answer, std::move(kept));
}

// Errors are archived as well: that a page was gone is part of the record of a site.
Status PageAnswers::handle_http_error(CrawlChanges&, PageAnswer& answer) {
  const bool is_server_error = is_worth_another_attempt(answer.fetch);
  answer.end(is_server_error ? UrlStatus::kFailed : UrlStatus::kRefused,
             is_server_error ? CrawlReason::kServerError : CrawlReason::kHttpStatus);
  return capture(answer, {});
}

// The judge comes first, because every later decision depends on its verdict: whether the body is archived, whether
// links are followed, what counts as barren.
Status PageAnswers::handle_content(CrawlChanges& changes, PageAnswer& answer) {
  PreparedPage& page = *answer.page;
  if (page.refusal != CrawlReason::kNone) {
    answer.end(UrlStatus::kRefused, page.refusal);
    return {};
  }
  const std::string& digest = page.payload_digest;
  const bool is_identical = answer.known.fetched_at_seconds > 0 && answer.known.payload_digest == digest;
  const bool is_noindex = page.links.is_noindex && options_.noindex != NoindexTreatment::kIndex;
  const bool is_left_out = is_noindex && options_.noindex == NoindexTreatment::kSkip;
  if (!is_left_out && is_whole(answer.fetch)) {
    PARAPRINT_ASSIGN(std::optional<Soft404> missing, probes_.find_page(changes, answer.entry(), page));
    if (missing) return handle_soft_404(changes, answer, std::move(*missing));
  }
  // Seeds are pages in any case, because the caller asked for them.
  if (page.links.is_advertising && !is_left_out && answer.entry().depth > 0) return handle_advert(answer);
  PARAPRINT_TRY(frontier_.begin_judging(page.url));
  PARAPRINT_ASSIGN(PageJudgement judgement, judge_.judge(page, is_noindex, frontier_.judging_time()));
  changes.batch.remove_judging();
  answer.judgement = std::move(judgement);
  answer.record.payload_digest = digest;
  bool follows_links = true;
  if (is_left_out) {
    answer.end(UrlStatus::kRefused, CrawlReason::kNoindex);
    forget_capture(answer.record);
    return follow_links(changes, answer, std::move(page.links), follows_links);
  }
  const CrawlReason reason = answer.judgement->is_too_large ? CrawlReason::kNotIndexed : CrawlReason::kNone;
  if (is_identical && !answer.known.record_id.empty()) {
    answer.end(UrlStatus::kUnchanged, reason);
  } else if (answer.judgement->is_copy()) {
    answer.end(UrlStatus::kCopy);
    PARAPRINT_TRY(count_copy(changes, answer, follows_links));
  } else {
    answer.end(UrlStatus::kStored, reason);
  }
  PARAPRINT_TRY(capture_content(answer));
  PARAPRINT_TRY(count_barren(changes, answer));
  ++pages_;
  return follow_links(changes, answer, std::move(page.links), follows_links);
}

// Kept like an error. It is not a page for the index, and is taken out if it was one. It is fetched again without
// conditions, because the next owner of the domain may have a page.
Status PageAnswers::handle_advert(PageAnswer& answer) {
  answer.end(UrlStatus::kRefused, CrawlReason::kAdvert);
  answer.record.payload_digest = answer.page->payload_digest;
  PARAPRINT_TRY(judge_.remove(answer.page->url));
  forget_capture(answer.record);
  return capture(answer, {});
}

// Kept like an error, but further ones like a copy: --copies decides about their bodies and --copy-links about their
// links. It is not a page for the index, and is taken out if it was one. The server's word that it has not changed
// would not say whether it is still missing.
Status PageAnswers::handle_soft_404(CrawlChanges& changes, PageAnswer& answer, Soft404 found) {
  PreparedPage& page = *answer.page;
  answer.end(UrlStatus::kRefused, CrawlReason::kSoft404);
  answer.judgement = found.judgement;
  answer.record.payload_digest = page.payload_digest;
  PARAPRINT_TRY(judge_.remove(page.url));
  PARAPRINT_TRY(capture_content(answer));
  answer.record.etag.clear();
  answer.record.last_modified.clear();
  PARAPRINT_TRY(count_barren(changes, answer));
  const bool follows_links = found.follows_links;
  const bool is_further = found.judgement->cluster_url != page.url;
  const bool is_archived = !is_further && !answer.record.record_id.empty();
  probes_.count(changes, std::move(found), is_archived ? page.url : std::string());
  return follow_links(changes, answer, std::move(page.links), follows_links);
}

// A body that an earlier capture has, byte for byte, is stored by reference: one of the same address, or of the known
// page that the judge found. Only then can a player show the other record's body. --copies decides about all others.
Status PageAnswers::capture_content(PageAnswer& answer) {
  const FetchResult& fetch = answer.fetch;
  const std::string body_digest = is_whole(fetch) ? digest_of_body(fetch) : std::string();
  const bool is_copy = answer.is_copy();
  const bool is_skipped = is_copy && options_.copies == CopyTreatment::kSkip;
  const std::vector<std::string> candidates = {fetch.request.url, answer.judgement->known_url,
                                               answer.judgement->cluster_url};
  Capture kept;
  if (is_copy && options_.copies == CopyTreatment::kMetadata) kept.kind = CaptureKind::kRelation;
  for (const std::string& url : candidates) {
    if (is_skipped || body_digest.empty()) break;
    PARAPRINT_ASSIGN(const std::optional<UrlRecord> other, frontier_.state().url(url));  // none for an empty URL
    if (!other || other->record_id.empty() || other->body_digest != body_digest) continue;
    kept.kind = CaptureKind::kIdenticalPayload;
    kept.refers_to_id = other->record_id;
    kept.refers_to_url = url;
    kept.refers_to_date = other->date;
    break;
  }
  const bool is_of_this_address = kept.refers_to_url == fetch.request.url;
  if (!is_of_this_address) forget_capture(answer.record);
  const bool has_body = !is_skipped && kept.kind == CaptureKind::kResponse;
  if (!is_skipped) PARAPRINT_TRY(capture(answer, std::move(kept)));
  if (has_body) {
    answer.record.record_id = answer.captured->record_id;
    answer.record.date = answer.captured->date;
    answer.record.body_digest = body_digest;
  }
  // The server's "not modified" is of use only if the archive has what was not modified.
  if (has_body || is_of_this_address) {
    answer.record.etag = fetch.validator("ETag");
    answer.record.last_modified = fetch.validator("Last-Modified");
  }
  return {};
}

// Fills in the fields common to all captures and writes the records.
Status PageAnswers::capture(PageAnswer& answer, Capture capture) {
  const FetchResult& fetch = answer.fetch;
  capture.fetch = &fetch;
  // Some readers compute the digest over the stored bytes, including chunk headers; the standard excludes them. A
  // chunked response gets no digest, because any value would be wrong for half of the readers. A revisit record must
  // have one: that of the stored bytes, as indexes compute it for the response.
  const bool is_revisit = capture.kind == CaptureKind::kIdenticalPayload;
  const bool is_response = capture.kind == CaptureKind::kResponse && !is_chunked(fetch);
  if (is_revisit || is_response) capture.payload_digest = sha1_label(fetch.body);
  capture.metadata = {{"via", answer.entry().referrer},
                      {"hopsFromSeed", std::to_string(answer.entry().depth)},
                      {"fetchTimeMs", fmt::format("{:.0f}", fetch.seconds * 1000)}};
  if (capture.kind == CaptureKind::kRelation) {
    PARAPRINT_TRY(add_relation(answer, capture));
  } else if (answer.judgement) {
    capture.metadata.emplace_back("verdict", verdict_name(answer.judgement->verdict));
    capture.metadata.emplace_back("knownPage", answer.judgement->known_url);
  }
  PARAPRINT_ASSIGN(CaptureRecord written, archive_.write(capture, frontier_.position()));
  answer.captured = std::move(written);
  return {};
}

// The same fields as for a page that a run removes; the known page is the one that was fetched first. The scores of a
// soft 404 are those of its comparison with the answer to the probe, which is not in the archive.
Status PageAnswers::add_relation(const PageAnswer& answer, Capture& capture) {
  const PageJudgement& judgement = *answer.judgement;
  const std::string& kept_url = answer.is_soft_404() ? judgement.cluster_url : judgement.known_url;
  PARAPRINT_ASSIGN(const std::optional<UrlRecord> known, frontier_.state().url(kept_url));
  const UrlRecord other = known.value_or(UrlRecord{});
  const PageRelation relation = {verdict_name(judgement.verdict),
                                 judgement.resemblance,
                                 judgement.containment,
                                 judgement.containment_known,
                                 answer.is_soft_404() ? kReasonSoft404 : kReasonKnown,
                                 other.record_id,
                                 kept_url,
                                 other.date};
  for (auto& field : relation_fields(relation)) capture.metadata.push_back(std::move(field));
  return {};
}

// Decides whether the links of a copy are followed: only for the first --copy-links copies of a page. This is what
// stops traps that show the same text under endless addresses.
Status PageAnswers::count_copy(CrawlChanges& changes, PageAnswer& answer, bool& follows_links) {
  const PageJudgement& judgement = *answer.judgement;
  PARAPRINT_ASSIGN(std::optional<ClusterRecord> stored, frontier_.state().cluster(judgement.cluster_url));
  ClusterRecord cluster = stored.value_or(ClusterRecord{});
  // A page that is fetched again was counted the first time.
  if (answer.known.fetched_at_seconds == 0) {
    if (cluster.copies < kClusterExamples) cluster.examples += answer.fetch.request.url + "\n";
    ++cluster.copies;
    ++cluster.verdicts[judgement.verdict];
  }
  // Links of seeds are always followed and do not count, because the caller asked for these pages.
  const bool is_seed = answer.entry().depth == 0;
  follows_links = is_seed || cluster.expanded < options_.copy_links;
  if (follows_links && !is_seed) ++cluster.expanded;
  changes.batch.put_cluster(judgement.cluster_url, cluster);
  return {};
}

// Counts pages in a row without new text per URL shape; one page with new text resets the count. Unchanged pages say
// nothing about further addresses of the shape.
Status PageAnswers::count_barren(CrawlChanges& changes, const PageAnswer& answer) {
  if (answer.entry().depth == 0 || answer.record.status == UrlStatus::kUnchanged) return {};
  const std::optional<Url> url = parser_.parse(answer.fetch.request.url);
  if (!url) return {};
  const std::string shape = url_shape(*url);
  PARAPRINT_ASSIGN(const std::uint64_t before, frontier_.state().barren(shape));
  const bool brings_nothing = answer.judgement->is_copy() || answer.judgement->is_short;
  const std::uint64_t after = brings_nothing ? before + 1 : 0;
  if (after != before) changes.batch.put_barren(shape, after);
  return {};
}

// Links that the scope, the depth or earlier knowledge exclude are sorted out by offer().
Status PageAnswers::follow_links(CrawlChanges& changes, PageAnswer& answer, PageLinks links, bool follows_links) {
  frontier_.position().links_unusable += links.unusable + links.beyond_limit;
  if (!follows_links) {
    frontier_.host(answer.pending.host).record.links_not_followed += links.urls.size();
    return {};
  }
  for (Url& url : links.urls) {
    PARAPRINT_TRY(frontier_.offer(
        changes, {std::move(url), answer.fetch.request.url, QueueEntry::Kind::kPage, answer.entry().depth + 1U, 0}));
  }
  return {};
}

// Writes the log line and settles the address.
Status PageAnswers::settle(CrawlChanges& changes, PageAnswer& answer) {
  CrawlLogEntry line;
  line.fetch = &answer.fetch;
  if (answer.judgement) line.judgement = &*answer.judgement;
  if (answer.captured) line.capture = &*answer.captured;
  line.redirect_target = answer.redirect_target;
  return frontier_.settle(changes, answer.pending.host, *answer.pending.queued, answer.record, line);
}

}  // namespace paraprint::inline crawler
