// The rows of the core. Those of a library are appended once, before the program starts threads
// (paraprint/extensions.h), so that spans and pointers into the rows stay valid while they are used.
#include "profile/registry.h"

#include <fmt/format.h>

#include <array>
#include <string>
#include <vector>

#include "base/assert.h"

namespace paraprint::inline profile {
namespace {

constexpr std::array kExtractors = {
    ExtractorRow{"learned-dom", "weighted DOM tree with learnt weights (docs/algorithms/extraction.md); the default",
                 [] { return make_learned_dom_extractor(); }},
    ExtractorRow{"weighted-dom", "text carriers weighted by density, type and depth",
                 [] { return make_weighted_dom_extractor(); }},
    ExtractorRow{"whole-page", "all visible text, nothing removed", [] { return make_whole_page_extractor(); }},
};

constexpr AlgorithmRow kParagraphMethod = {"paragraph",
                                           "weighted paragraphs, matched in any order; the default",
                                           "paragraph.md",
                                           "equal sentences and paragraphs, paragraph SimHash within some bits",
                                           AlgorithmScale::kCrawl,
                                           nullptr};

struct Algorithms {
  std::vector<AlgorithmRow> rows = {kParagraphMethod};
  FindFingerprintCandidates* find_candidates = nullptr;
};

Algorithms& registered_algorithms() {
  static Algorithms algorithms;
  return algorithms;
}

}  // namespace

std::span<const AlgorithmRow> algorithm_rows() {
  return registered_algorithms().rows;
}

void register_algorithms(const AlgorithmLibrary& library) {
  Algorithms& algorithms = registered_algorithms();
  if (algorithms.find_candidates != nullptr) return;
  algorithms.rows.insert(algorithms.rows.end(), library.rows.begin(), library.rows.end());
  algorithms.find_candidates = library.find_candidates;
}

FindFingerprintCandidates* fingerprint_candidate_search() {
  FindFingerprintCandidates* const search = registered_algorithms().find_candidates;
  PARAPRINT_ASSERT(search != nullptr);
  return search;
}

std::span<const ExtractorRow> extractors() {
  return kExtractors;
}

Result<std::unique_ptr<Extractor>> make_extractor(std::string_view name) {
  std::string known;
  for (const ExtractorRow& row : kExtractors) {
    if (row.name == name) return row.make();
    known += fmt::format("{}{}", known.empty() ? "" : ", ", row.name);
  }
  return failure(ErrorCode::kInvalidArgument, fmt::format("unknown extractor '{}'; known are {}", name, known));
}

}  // namespace paraprint::inline profile
