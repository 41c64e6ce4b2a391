// log.jsonl: one line for each address and what became of it (docs/crawl.md has the fields).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "crawl/crawl_reason.h"
#include "crawl/fetcher.h"
#include "crawl/page_judge.h"
#include "crawl/warc_output.h"

namespace paraprint {

struct CrawlLogEntry {
  std::string_view url;
  UrlStatus status = UrlStatus::kSkipped;
  CrawlReason reason = CrawlReason::kNone;
  unsigned depth = 0;
  std::string_view referrer;
  const FetchResult* fetch = nullptr;        // if it was asked for
  const PageJudgement* judgement = nullptr;  // if it was a page
  const CaptureRecord* capture = nullptr;    // if it was kept
  std::string_view redirect_target;
  unsigned attempts = 0;
};

// With its line end.
std::string crawl_log_line(const CrawlLogEntry& entry, std::int64_t now_seconds);

}  // namespace paraprint
