// Reads from the inputs of a crawl what belongs to one site: pages, redirects, errors and sitemaps.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "archive/input_files.h"
#include "audit/page_store.h"
#include "audit/site_page.h"
#include "base/progress.h"
#include "paraprint/audit.h"
#include "paraprint/result.h"

namespace paraprint::inline audit {

struct SiteContent {
  std::vector<SitePage> pages;     // ascending by address
  std::vector<StoredPage> stored;  // of each; meaningless without has_text
  std::uint64_t repeated_captures = 0;
  std::uint64_t beyond_limit = 0;
  std::uint64_t sitemap_addresses = 0;
  std::uint64_t broken_records = 0;
  std::uint64_t unreadable_inputs = 0;
  std::vector<std::string> unreadable_reasons;
};

// Of several captures of an address, the one with the latest date counts; of those with one date, the first. Bodies go
// to `store`. The result does not depend on the number of threads. Errors: those of reading inputs and of the store,
// kCancelled.
Result<SiteContent> read_site(const std::vector<InputFile>& inputs, const AuditOptions& options, unsigned threads,
                              PageStore& store, ProgressReporter& progress);

}  // namespace paraprint::inline audit
