// Sitemaps named by robots.txt are fetched like pages, with the same delays and retries, but are not archived. Their
// pages are offered with depth 1, as if a seed linked to them.
#include "crawl/sitemap_files.h"

#include <algorithm>
#include <utility>

#include "base/propagate.h"
#include "crawl/fetched_body.h"
#include "web/sitemap.h"
#include "web/url_cleaning.h"

namespace paraprint::inline crawler {
namespace {

// Addresses offered per batch, which bounds its memory.
constexpr std::size_t kBatchAddresses = 500;

}  // namespace

// Sitemap lines should be absolute URLs; relative ones are resolved like links.
Status SitemapFiles::offer(CrawlChanges& changes, std::size_t host, const HostRobots& robots,
                           const std::string& robots_url) {
  for (const std::string& text : robots.rules.sitemaps()) {
    parser_.set_base(robots_url);
    std::optional<Url> url = parser_.parse(text);
    parser_.clear_base();
    if (!url) {
      ++frontier_.position().links_unusable;
      continue;
    }
    CrawlOffer offer{std::move(*url), robots_url, QueueEntry::Kind::kSitemap, 0, 0};
    offer.named_by_host = host;
    PARAPRINT_TRY(frontier_.offer(changes, std::move(offer)));
  }
  return {};
}

// Sitemaps of other hosts are counted like links to them. Otherwise any site could have others asked for addresses,
// before their pages, that a robots.txt would have to name.
Status SitemapFiles::offer_all(CrawlChanges& changes, const PendingRequest& pending,
                               const std::vector<std::string>& urls, QueueEntry::Kind kind, std::uint32_t depth) {
  const std::string& sitemap_url = pending.queued->entry.url;
  const std::string& sitemap_host = frontier_.host(pending.host).name;
  for (const std::string& text : urls) {
    std::optional<Url> url = parser_.parse(text);
    if (!url) {
      ++frontier_.position().links_unusable;
      continue;
    }
    url = without_final_dot(std::move(*url));
    if (kind == QueueEntry::Kind::kSitemap && url->host != sitemap_host) {
      ++frontier_.position().links_off_scope;
      continue;
    }
    CrawlOffer offer{std::move(*url), sitemap_url, kind, depth, 0};
    offer.named_by_host = pending.host;
    PARAPRINT_TRY(frontier_.offer(changes, std::move(offer)));
    if (changes.offered.size() < kBatchAddresses) continue;
    PARAPRINT_TRY(frontier_.commit(changes));
    PARAPRINT_TRY(sync_if_due_());
  }
  return {};
}

// The target is read in place of the sitemap, wherever that was named, so it does not count as a further one. Therefore
// it has to be on the same host, of which http, https and "www." are only names.
Status SitemapFiles::follow(CrawlChanges& changes, const PendingRequest& pending, const FetchResult& fetch,
                            UrlRecord& record, std::string& target_url) {
  const QueueEntry& entry = pending.queued->entry;
  parser_.set_base(entry.url);
  std::optional<Url> target = parser_.parse(fetch.header("Location"));
  parser_.clear_base();
  record.status = UrlStatus::kRefused;
  record.reason = CrawlReason::kBadRedirect;
  if (!target || target->href == entry.url) return {};
  target_url = target->href;
  target = without_final_dot(std::move(*target));
  record.reason = CrawlReason::kRedirectLimit;
  if (entry.redirects >= kRedirectsMaximum) return {};
  record.status = UrlStatus::kRedirect;
  record.reason = CrawlReason::kNone;
  if (without_www(target->host) != without_www(frontier_.host(pending.host).name)) {
    ++frontier_.position().links_off_scope;
    return {};
  }
  return frontier_.offer(
      changes, {std::move(*target), entry.url, QueueEntry::Kind::kSitemap, entry.depth, entry.redirects + 1U});
}

// The sitemap is settled after all of its addresses: after a kill in between it is read again as a whole, and what was
// offered before is known.
Status SitemapFiles::handle(const PendingRequest& pending, const FetchResult& fetch) {
  const CrawlState::Queued& queued = *pending.queued;
  CrawlChanges changes;
  changes.touch(pending.host);
  const bool is_passing = is_worth_another_attempt(fetch);
  if (is_passing && queued.entry.attempts < options_.retries) {
    frontier_.put_back(changes, pending.host, queued);
    pacing_.release(pending.host, fetch, true);
    return frontier_.commit(changes);
  }
  UrlRecord record;
  record.status = UrlStatus::kStored;
  record.depth = queued.entry.depth;
  record.fetched_at_seconds = frontier_.system().unix_seconds();
  CrawlLogEntry line;
  line.fetch = &fetch;
  std::string redirect_target;
  std::optional<FetchedFile> file;
  if (fetch.is_answered() && fetch.is_redirect()) {
    PARAPRINT_TRY(follow(changes, pending, fetch, record, redirect_target));
    line.redirect_target = redirect_target;
  } else if (fetch.failure == CrawlReason::kNone && fetch.http_status == 200) {
    file = decode_fetched_file(fetch, kSitemapBytesMaximum);
    if (!file) {
      record.status = UrlStatus::kRefused;
      record.reason = CrawlReason::kBrokenEncoding;
    }
  } else {
    record.status = fetch.failure == CrawlReason::kNone ? UrlStatus::kRefused : UrlStatus::kFailed;
    record.reason = fetch.failure == CrawlReason::kNone ? CrawlReason::kHttpStatus : fetch.failure;
  }
  if (file) {
    const Sitemap sitemap = parse_sitemap(file->body, !fetch.is_cut && !file->is_partial);
    const bool is_cut = fetch.is_cut || sitemap.is_cut;  // which looks like damage as well
    const bool is_damaged = file->is_partial || sitemap.is_damaged;
    line.sitemap_defect = is_cut ? "cut" : is_damaged ? "damaged" : "";
    PARAPRINT_TRY(offer_all(changes, pending, sitemap.sitemaps, QueueEntry::Kind::kSitemap, queued.entry.depth + 1U));
    PARAPRINT_TRY(offer_all(changes, pending, sitemap.pages, QueueEntry::Kind::kPage, 1));
  }
  PARAPRINT_TRY(frontier_.settle(changes, pending.host, queued, record, line));
  pacing_.release(pending.host, fetch, is_passing);
  return frontier_.commit(changes);
}

}  // namespace paraprint::inline crawler
