// Scores pairs of pages of a run by page number: reads profiles back from the log and discounts site boilerplate.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "index/site_boilerplate.h"
#include "paraprint/model.h"
#include "paraprint/options.h"
#include "paraprint/result.h"
#include "profile/page_log.h"
#include "profile/page_match.h"
#include "profile/page_table.h"
#include "verify/paragraph_matching.h"

namespace paraprint::inline engine {

// Holds scratch memory: one instance per thread. The referenced objects must outlive it and stay unchanged.
class PairScorer {
 public:
  PairScorer(const PageLog& log, const PageTable& pages, const SiteBoilerplate& boilerplate,
             const MatchOptions& options)
      : log_(log), pages_(pages), boilerplate_(boilerplate), options_(options), matcher_(options) {}

  // The match of two pages, possibly kDistinct. Calls in the order of page_a are cheapest, because the last pages are
  // cached. Errors: those of reading the log.
  Result<Match> score(std::uint32_t page_a, std::uint32_t page_b, std::vector<MatchedSpan>* evidence = nullptr);

  // The spans of the page's paragraphs that count as boilerplate of its site.
  Result<std::vector<TextSpan>> boilerplate_spans(std::uint32_t page);

  // Of the characters of its paragraphs, the share in those. 0 for a page without paragraphs.
  Result<double> boilerplate_share(std::uint32_t page);

  // Whether the page has paragraphs, and all of them are boilerplate of its site.
  Result<bool> is_template(std::uint32_t page);

 private:
  struct Loaded {
    bool is_valid = false;
    std::uint32_t page = 0;
    Profile profile;
    std::vector<std::uint8_t> boilerplate;
  };
  Status load(std::uint32_t page, Loaded& into);

  const PageLog& log_;
  const PageTable& pages_;
  const SiteBoilerplate& boilerplate_;
  MatchOptions options_;
  ParagraphMatcher matcher_;
  Loaded a_;
  Loaded b_;
  std::string bytes_;
};

}  // namespace paraprint::inline engine
