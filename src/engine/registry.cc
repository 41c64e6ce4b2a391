#include "engine/registry.h"

#include <fmt/format.h>

#include <array>
#include <string>

namespace paraprint {
namespace {

constexpr std::array kExtractors = {
    ExtractorRow{"learned-dom", "weighted DOM tree with learnt weights (docs/algorithms/extraction.md); the default",
                 [] { return make_learned_dom_extractor(); }},
    ExtractorRow{"weighted-dom", "text carriers weighted by density, type and depth (algorithms.md 18)",
                 [] { return make_weighted_dom_extractor(); }},
    ExtractorRow{"whole-page", "all visible text, nothing removed", [] { return make_whole_page_extractor(); }},
};

}  // namespace

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

}  // namespace paraprint
