// What becomes of the answer to a page's address: stored, a copy, a redirect, an error. Archive and index are written
// before the state says that the address is settled; a kill in between lets it be asked for again.
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <utility>

#include "archive/header_block.h"
#include "crawl/crawl_run.h"
#include "crawl/fetched_body.h"
#include "report/verdict_text.h"
#include "web/url_shape.h"

namespace paraprint {
namespace {

// A page that ends early on every attempt is kept as far as it came.
bool is_cut_page(const FetchResult& fetch) {
  return fetch.failure == CrawlReason::kTruncated && fetch.http_status == 200 && !fetch.body.empty();
}

// Addresses of copies that a cluster's row in the report shows.
constexpr std::size_t kClusterExamples = 5;
constexpr int kNotModified = 304;

}  // namespace

// An answer on its way through the handlers below.
struct CrawlRun::PageAnswer {
  const Pending& pending;
  const FetchResult& fetch;
  std::optional<PreparedPage> page;  // if it has content
  UrlRecord known;                   // as it was
  UrlRecord record;                  // as it will be
  std::optional<CaptureRecord> captured;
  std::optional<PageJudgement> judgement;
  std::string redirect_target;

  const QueueEntry& entry() const { return pending.queued->entry; }
  void end(UrlStatus status, CrawlReason reason = CrawlReason::kNone) {
    record.status = status;
    record.reason = reason;
  }
};

bool CrawlRun::has_content(const Pending& pending, const FetchResult& fetch) const {
  if (!pending.queued || pending.queued->entry.kind != QueueEntry::Kind::kPage) return false;
  if (is_worth_another_attempt(fetch) && pending.queued->entry.attempts < options_.retries) return false;
  return (fetch.failure == CrawlReason::kNone && fetch.http_status == 200) || is_cut_page(fetch);
}

Status CrawlRun::handle_page(const Pending& pending, const FetchResult& fetch, std::optional<PreparedPage> page) {
  CrawlChanges changes;
  changes.touch(pending.host);
  const Result<std::optional<UrlRecord>> known = frontier_->state().url(fetch.request.url);
  if (!known) return tl::unexpected<Error>(known.error());
  PageAnswer answer{pending, fetch, std::move(page), known->value_or(UrlRecord{}), {}, {}, {}, {}};
  const bool is_passing = is_worth_another_attempt(fetch);
  if (is_passing && answer.entry().attempts < options_.retries) {
    frontier_->put_back(changes, pending.host, *pending.queued);
    release(pending.host, fetch, true);
    return frontier_->commit(changes);
  }
  answer.record = answer.known;
  answer.record.depth = answer.entry().depth;
  answer.record.fetched_at_seconds = static_cast<std::int64_t>(std::time(nullptr));
  Status handled;
  if (fetch.failure != CrawlReason::kNone && !is_cut_page(fetch)) {
    handled = handle_failure(changes, answer);
  } else if (fetch.is_redirect() && !fetch.header("Location").empty()) {
    handled = handle_redirect(changes, answer);
  } else if (fetch.http_status == kNotModified && !answer.known.record_id.empty()) {
    handled = handle_not_modified(changes, answer);
  } else if (fetch.http_status != 200) {
    handled = handle_http_error(changes, answer);
  } else {
    handled = handle_content(changes, answer);
  }
  if (!handled) return handled;
  if (Status settled = settle_page(changes, answer); !settled) return settled;
  release(pending.host, fetch, is_passing);
  return frontier_->commit(changes);
}

Status CrawlRun::handle_failure(CrawlChanges&, PageAnswer& answer) {
  const CrawlReason reason = answer.fetch.failure;
  const bool is_refused = reason >= CrawlReason::kHttpStatus && reason < CrawlReason::kPrivateAddress;
  answer.end(is_refused ? UrlStatus::kRefused : UrlStatus::kFailed, reason);
  return {};
}

Status CrawlRun::handle_redirect(CrawlChanges& changes, PageAnswer& answer) {
  const std::string& url = answer.fetch.request.url;
  parser_.set_base(url);
  std::optional<Url> target = parser_.parse(answer.fetch.header("Location"));
  parser_.clear_base();
  if (!target || target->href == url) {
    answer.end(UrlStatus::kRefused, CrawlReason::kBadRedirect);
    return capture(answer, {});
  }
  answer.end(UrlStatus::kRedirect);
  answer.redirect_target = target->href;
  if (Status captured = capture(answer, {}); !captured) return captured;
  CrawlOffer offer{std::move(*target), url, QueueEntry::Kind::kPage, answer.entry().depth,
                   answer.entry().redirects + 1U};
  // A server that gives its page only to a session redirects to the same address with an id.
  offer.is_canonical = frontier_->scope().canonical(offer.url).href == url;
  return frontier_->offer(changes, std::move(offer));
}

Status CrawlRun::handle_not_modified(CrawlChanges&, PageAnswer& answer) {
  answer.end(UrlStatus::kUnchanged);
  Capture kept;
  kept.kind = CaptureKind::kNotModified;
  kept.refers_to_id = answer.known.record_id;
  kept.refers_to_url = answer.fetch.request.url;
  kept.refers_to_date = answer.known.date;
  return capture(answer, std::move(kept));
}

Status CrawlRun::handle_http_error(CrawlChanges&, PageAnswer& answer) {
  const bool is_server_error = is_worth_another_attempt(answer.fetch);
  answer.end(is_server_error ? UrlStatus::kFailed : UrlStatus::kRefused,
             is_server_error ? CrawlReason::kServerError : CrawlReason::kHttpStatus);
  return capture(answer, {});
}

Status CrawlRun::handle_content(CrawlChanges& changes, PageAnswer& answer) {
  const FetchResult& fetch = answer.fetch;
  PreparedPage& page = *answer.page;
  if (page.refusal != CrawlReason::kNone) {
    answer.end(UrlStatus::kRefused, page.refusal);
    return {};
  }
  const std::string& digest = page.payload_digest;
  const bool is_identical = answer.known.fetched_at_seconds > 0 && answer.known.payload_digest == digest;
  const bool is_noindex = page.links.is_noindex && options_.noindex != "index";
  Result<PageJudgement> judgement = judge_->judge(page, is_noindex);
  if (!judgement) return tl::unexpected<Error>(judgement.error());
  answer.judgement = std::move(*judgement);
  answer.record.etag = fetch.header("ETag");
  answer.record.last_modified = fetch.header("Last-Modified");
  answer.record.payload_digest = digest;
  bool follows_links = true;
  Capture kept;
  if (is_noindex && options_.noindex == "skip") {
    answer.end(UrlStatus::kRefused, CrawlReason::kNoindex);
    return follow_links(changes, answer, std::move(page.links), follows_links);
  }
  if (is_identical && !answer.known.record_id.empty()) {
    answer.end(UrlStatus::kUnchanged);
    kept.kind = CaptureKind::kIdenticalPayload;
    kept.refers_to_id = answer.known.record_id;
    kept.refers_to_url = fetch.request.url;
    kept.refers_to_date = answer.known.date;
  } else if (answer.judgement->is_copy()) {
    answer.end(UrlStatus::kCopy);
    if (Status counted = count_copy(changes, answer, follows_links); !counted) return counted;
    if (options_.copies == "revisit") kept.kind = CaptureKind::kNearDuplicate;
  } else {
    answer.end(UrlStatus::kStored);
  }
  if (answer.record.status != UrlStatus::kCopy || options_.copies != "skip") {
    if (Status captured = capture(answer, std::move(kept)); !captured) return captured;
  }
  if (Status counted = count_barren(changes, answer); !counted) return counted;
  ++pages_;
  return follow_links(changes, answer, std::move(page.links), follows_links);
}

// Fills in what every capture has, and writes it.
Status CrawlRun::capture(PageAnswer& answer, Capture capture) {
  const FetchResult& fetch = answer.fetch;
  capture.fetch = &fetch;
  // Readers take the digest of the stored bytes, which chunks are part of, and the standard that of the payload, which
  // they are not: a chunked body gets none rather than one that half of them call wrong.
  if (!is_chunked(fetch) && capture.kind != CaptureKind::kNotModified) capture.payload_digest = sha1_label(fetch.body);
  if (capture.kind == CaptureKind::kNearDuplicate) {
    // The page that has the text: the known one, unless that is a copy without body itself.
    std::string kept_url = answer.judgement->known_url;
    Result<std::optional<UrlRecord>> kept = frontier_->state().url(kept_url);
    if (kept && *kept && (*kept)->status == UrlStatus::kCopy) {
      kept_url = answer.judgement->cluster_url;
      kept = frontier_->state().url(kept_url);
    }
    if (!kept) return tl::unexpected<Error>(kept.error());
    capture.refers_to_url = kept_url;
    if (*kept) {
      capture.refers_to_id = (*kept)->record_id;
      capture.refers_to_date = (*kept)->date;
    }
    capture.payload_digest.clear();
  }
  capture.metadata = {{"via", answer.entry().referrer},
                      {"hopsFromSeed", std::to_string(answer.entry().depth)},
                      {"fetchTimeMs", fmt::format("{:.0f}", fetch.seconds * 1000)}};
  if (answer.judgement) {
    capture.metadata.emplace_back("verdict", verdict_name(answer.judgement->verdict));
    capture.metadata.emplace_back("knownPage", answer.judgement->known_url);
  }
  Result<CaptureRecord> written = archive_->write(capture, frontier_->position());
  if (!written) return tl::unexpected<Error>(written.error());
  answer.captured = std::move(*written);
  // A later revisit refers to what has a body.
  if (capture.kind == CaptureKind::kResponse) {
    answer.record.record_id = answer.captured->record_id;
    answer.record.date = answer.captured->date;
  }
  return {};
}

Status CrawlRun::count_copy(CrawlChanges& changes, PageAnswer& answer, bool& follows_links) {
  const PageJudgement& judgement = *answer.judgement;
  Result<std::optional<ClusterRecord>> stored = frontier_->state().cluster(judgement.cluster_url);
  if (!stored) return tl::unexpected<Error>(stored.error());
  ClusterRecord cluster = stored->value_or(ClusterRecord{});
  // Asked for again: counted already.
  if (answer.known.fetched_at_seconds == 0) {
    if (cluster.copies < kClusterExamples) cluster.examples += answer.fetch.request.url + "\n";
    ++cluster.copies;
    ++cluster.verdicts[judgement.verdict];
  }
  // Seeds were asked for: their links are followed whatever they are copies of, and use up nobody's budget.
  const bool is_seed = answer.entry().depth == 0;
  follows_links = is_seed || cluster.expanded < options_.copy_links;
  if (follows_links && !is_seed) ++cluster.expanded;
  changes.batch.put_cluster(judgement.cluster_url, cluster);
  return {};
}

Status CrawlRun::count_barren(CrawlChanges& changes, const PageAnswer& answer) {
  if (answer.entry().depth == 0 || answer.record.status == UrlStatus::kUnchanged) return {};
  const std::optional<Url> url = parser_.parse(answer.fetch.request.url);
  if (!url) return {};
  const std::string shape = url_shape(*url);
  const Result<std::uint64_t> before = frontier_->state().barren(shape);
  if (!before) return tl::unexpected<Error>(before.error());
  const bool brings_nothing = answer.judgement->is_copy() || answer.judgement->is_short;
  const std::uint64_t after = brings_nothing ? *before + 1 : 0;
  if (after != *before) changes.batch.put_barren(shape, after);
  return {};
}

Status CrawlRun::follow_links(CrawlChanges& changes, PageAnswer& answer, PageLinks links, bool follows_links) {
  frontier_->position().links_unusable += links.unusable + links.beyond_limit;
  if (!follows_links) {
    frontier_->host(answer.pending.host).record.links_not_followed += links.urls.size();
    return {};
  }
  for (Url& url : links.urls) {
    if (Status offered = frontier_->offer(
            changes, {std::move(url), answer.fetch.request.url, QueueEntry::Kind::kPage, answer.entry().depth + 1U, 0});
        !offered) {
      return offered;
    }
  }
  return {};
}

Status CrawlRun::settle_page(CrawlChanges& changes, PageAnswer& answer) {
  CrawlLogEntry line;
  line.fetch = &answer.fetch;
  if (answer.judgement) line.judgement = &*answer.judgement;
  if (answer.captured) line.capture = &*answer.captured;
  line.redirect_target = answer.redirect_target;
  return frontier_->settle(changes, answer.pending.host, *answer.pending.queued, answer.record, line);
}

}  // namespace paraprint
