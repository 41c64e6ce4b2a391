// Figures of extractors from the scores of single pages.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "paraprint/evaluate_extraction.h"

namespace paraprint::inline lab::inline extraction {

struct ScoredPage {
  std::string id;
  std::uint32_t source = 0;  // of the three names, index into ScoredPages
  std::uint32_t page_type = 0;
  std::uint32_t language = 0;
  bool is_tool_made = false;
};

// Every name once, numbered by first occurrence.
struct ScoredPages {
  std::vector<std::string> sources;
  std::vector<std::string> page_types;
  std::vector<std::string> languages;
  std::vector<ScoredPage> pages;
  std::size_t extractors = 0;
  std::vector<Rates> rates;  // [page * extractors + extractor]

  const Rates& of(std::size_t page, std::size_t extractor) const { return rates[page * extractors + extractor]; }
};

// Fills all groups and lists of `evaluation`; its seed and rounds are set already. The result does not depend on the
// order of pages. Errors: kCancelled. O(rounds * pages * extractors), four times.
Status add_extraction_figures(const ScoredPages& scored, ExtractionEvaluation& evaluation);

}  // namespace paraprint::inline lab::inline extraction
