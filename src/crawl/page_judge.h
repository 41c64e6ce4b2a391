// Has this text been seen before? The one question that the crawler asks about a page.
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

namespace paraprint {

struct PageJudgement {
  // Reads "the page is <verdict> the known one"; kDistinct: its text is new.
  Verdict verdict = Verdict::kDistinct;
  std::string known_url;    // the page that matches it best; empty unless there is one
  std::string cluster_url;  // the page that its cluster began with; its own without a match
  float resemblance = 0;
  std::uint32_t content_characters = 0;  // letters and digits of its main content; 0: nothing to compare
  bool is_short = false;                 // too little text to be told from other pages of its kind
  bool is_known = false;                 // the address was judged before
  bool has_changed = false;              // is_known, and with another text
  bool is_noindex = false;               // the page asks to be left out, and is no known page

  // Copies bring nothing: their text stands in the known page.
  bool is_copy() const {
    return verdict == Verdict::kSame || verdict == Verdict::kNear || verdict == Verdict::kContained;
  }
};

// Not thread-safe. Judging an address again replaces what was known of it, so that a page that is judged, lost in a
// kill and fetched again is not a copy of itself.
class PageJudge {
 public:
  virtual ~PageJudge() = default;
  // Looks up and adds; a kill does not undo it. `page.url` names the page. With `is_noindex` it looks up only, and what
  // was known of the page is known no more.
  virtual Result<PageJudgement> judge(const PreparedPage& page, bool is_noindex) = 0;

  // Makes all that was judged survive a power cut.
  virtual Status sync() = 0;

  // Takes out the pages judged in that time for which `is_lost` answers true: a crawl that lost its last pages to a
  // power cut must not find them known when it fetches them again.
  virtual Status forget(const LostTime& judged, const std::function<Result<bool>(const std::string& url)>& is_lost) = 0;
};

Result<std::unique_ptr<PageJudge>> make_page_judge(const CrawlOptions& options, const std::string& index_folder);

}  // namespace paraprint
