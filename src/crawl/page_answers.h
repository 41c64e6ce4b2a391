// The answers to the addresses of pages: judged, archived, settled, and their links offered.
#pragma once

#include <cstdint>
#include <optional>

#include "crawl/crawl_frontier.h"
#include "crawl/fetcher.h"
#include "crawl/host_pacing.h"
#include "crawl/page_judge.h"
#include "crawl/page_preparation.h"
#include "crawl/pending_requests.h"
#include "crawl/soft_404.h"
#include "crawl/warc_output.h"
#include "paraprint/crawl.h"
#include "paraprint/result.h"
#include "web/links.h"
#include "web/url.h"

namespace paraprint::inline crawler {

// Used by one thread. What it is created from must outlive it. Errors are those of frontier, judge and archive.
class PageAnswers {
 public:
  PageAnswers(const CrawlOptions& options, CrawlFrontier& frontier, HostPacing& pacing, PageJudge& judge,
              Soft404Probes& probes, WarcOutput& archive, UrlParser& parser)
      : options_(options),
        frontier_(frontier),
        pacing_(pacing),
        judge_(judge),
        probes_(probes),
        archive_(archive),
        parser_(parser) {}

  // Whether the answer is a page with content, which handle() needs prepared.
  bool has_content(const PendingRequest& pending, const FetchResult& fetch) const;

  // Archives the answer, settles its address, or puts it back for another attempt, and releases the host. `page` is
  // present if has_content().
  Status handle(const PendingRequest& pending, const FetchResult& fetch, std::optional<PreparedPage> page);

  // Pages with content handled so far.
  std::uint64_t pages() const { return pages_; }

 private:
  struct PageAnswer;
  Status handle_failure(CrawlChanges& changes, PageAnswer& answer);
  Status handle_redirect(CrawlChanges& changes, PageAnswer& answer);
  Status handle_not_modified(CrawlChanges& changes, PageAnswer& answer);
  Status handle_http_error(CrawlChanges& changes, PageAnswer& answer);
  Status handle_content(CrawlChanges& changes, PageAnswer& answer);
  Status handle_advert(PageAnswer& answer);
  Status handle_soft_404(CrawlChanges& changes, PageAnswer& answer, Soft404 found);
  Status capture_content(PageAnswer& answer);
  Status capture(PageAnswer& answer, Capture capture);
  Status add_relation(const PageAnswer& answer, Capture& capture);
  Status settle(CrawlChanges& changes, PageAnswer& answer);
  Status count_copy(CrawlChanges& changes, PageAnswer& answer, bool& follows_links);
  Status count_barren(CrawlChanges& changes, const PageAnswer& answer);
  Status follow_links(CrawlChanges& changes, PageAnswer& answer, PageLinks links, bool follows_links);

  const CrawlOptions& options_;
  CrawlFrontier& frontier_;
  HostPacing& pacing_;
  PageJudge& judge_;
  Soft404Probes& probes_;
  WarcOutput& archive_;
  UrlParser& parser_;
  std::uint64_t pages_ = 0;
};

}  // namespace paraprint::inline crawler
