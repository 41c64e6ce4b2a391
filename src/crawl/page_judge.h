// Judges whether the text of a page has been seen before: the only thing the crawler needs to know from the index.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "crawl/crawl_journal.h"
#include "crawl/page_preparation.h"
#include "paraprint/crawl.h"
#include "paraprint/model.h"
#include "paraprint/result.h"

namespace paraprint::inline crawler {

struct PageJudgement {
  // Reads "the page is <verdict> the known one"; kDistinct: its text is new.
  Verdict verdict = Verdict::kDistinct;
  std::string known_url;    // the known page that matches best; empty without a match
  std::string cluster_url;  // name of its cluster (IndexedPage::cluster); its own URL without a match
  float resemblance = 0;
  float containment = 0;                 // share of the page that is in the known one
  float containment_known = 0;           // share of the known page that is in this one
  std::uint32_t content_characters = 0;  // letters and digits of its main content; 0: nothing to compare
  bool is_short = false;                 // too little text to distinguish it from similar pages
  bool is_known = false;                 // the address was judged before
  bool has_changed = false;              // is_known, and its text is different now
  bool is_noindex = false;               // the page asks not to be indexed and was not added
  bool is_too_large = false;             // no index takes its text: it was neither compared nor added

  // A copy has no text of its own: all of it is in the known page.
  bool is_copy() const {
    return verdict == Verdict::kSame || verdict == Verdict::kNear || verdict == Verdict::kContained;
  }
};

// Not thread-safe. Judging an address again replaces what was stored for it. So a page that is fetched again is not
// found to be a copy of itself.
class PageJudge {
 public:
  virtual ~PageJudge() = default;
  // Looks the page up and adds it under `page.url`, as seen at `now_seconds` (Unix time); a kill does not undo that.
  // With `is_noindex` the page is only looked up, and removed if it was known. So is a page that no index takes, which
  // is not an error (PageJudgement::is_too_large).
  virtual Result<PageJudgement> judge(const PreparedPage& page, bool is_noindex, std::int64_t now_seconds) = 0;

  // Undoes a judgement: the page is not known any more. It may be unknown already.
  virtual Status remove(const std::string& url) = 0;

  // Makes everything judged so far survive a power cut.
  virtual Status sync() = 0;

  // Removes the pages judged in that period for which `is_lost` returns true: a crawl that lost its last pages in a
  // power cut must not find them known when it fetches them again.
  virtual Status forget(const LostTime& judged, const std::function<Result<bool>(const std::string& url)>& is_lost) = 0;
};

// Opens or creates the index; its repairs are reported to `control.warning`.
Result<std::unique_ptr<PageJudge>> make_page_judge(const CrawlOptions& options, const std::string& index_folder,
                                                   const RunControl& control);

}  // namespace paraprint::inline crawler
