// Lines of log.jsonl, which has one for each address and its outcome (fields: docs/crawl.md).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "crawl/crawl_reason.h"
#include "crawl/fetcher.h"
#include "crawl/page_judge.h"
#include "crawl/warc_output.h"

namespace paraprint::inline crawler {

struct CrawlLogEntry {
  std::string_view url;
  UrlStatus status = UrlStatus::kSkipped;
  CrawlReason reason = CrawlReason::kNone;
  unsigned depth = 0;
  std::string_view referrer;
  const FetchResult* fetch = nullptr;        // null: not requested
  const PageJudgement* judgement = nullptr;  // null: not a page
  const CaptureRecord* capture = nullptr;    // null: not archived
  std::string_view redirect_target;
  std::string_view sitemap_defect;  // why a sitemap was read in part: "damaged", "cut"; empty: it was not
  unsigned attempts = 0;
};

// Includes the line end.
std::string crawl_log_line(const CrawlLogEntry& entry, std::int64_t now_seconds);

}  // namespace paraprint::inline crawler
