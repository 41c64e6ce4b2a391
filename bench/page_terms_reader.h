// Reads inputs as `dedup` does and passes on each page's main content and words, for the benchmarks that compare them.
#pragma once

#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "archive/http_payload.h"
#include "archive/input_files.h"
#include "archive/record_reader.h"
#include "feature/page_terms.h"
#include "profile/page_profiler.h"

namespace paraprint {

// Return false to stop reading.
using PageTermsVisitor = std::function<bool(const Page& page, const PageTerms& terms)>;

// Pages that cannot be decoded are skipped. Throws std::runtime_error for inputs that cannot be opened.
inline void read_page_terms(const std::vector<std::string>& paths, const PageTermsVisitor& visit) {
  const ReadOptions options;
  const WordWeights& weights = WordWeights::bundled();
  const Result<std::vector<InputFile>> inputs = expand_inputs(paths, options);
  if (!inputs) throw std::runtime_error(inputs.error().message);
  const auto profiler = PageProfiler::create(ProfileOptions{}, weights);
  if (!profiler) throw std::runtime_error(profiler.error().message);
  PageTermsBuilder builder(weights, true);
  PageTerms terms;
  for (const InputFile& input : *inputs) {
    auto reader = open_records(input, options, [](const Defect&) {});
    if (!reader) throw std::runtime_error(reader.error().message);
    while (true) {
      auto record = (*reader)->next();
      if (!record || !record->has_value()) break;
      const DecodedRecord decoded = decode_page(std::move(**record), options, input.path);
      if (decoded.outcome != PageOutcome::kAccepted) continue;
      builder.build((*profiler)->extract(decoded.page), terms);
      if (!visit(decoded.page, terms)) return;
    }
  }
}

}  // namespace paraprint
