// The outputs of an evaluation of extractors: the table for a terminal, results.json, pages.csv with the score of every
// page, timing.json with what differs between runs, and report/index.html. docs/evaluation.md describes the files.
#pragma once

#include <cstdint>
#include <string>

#include "lab/extraction/extraction_figures.h"
#include "paraprint/evaluate_extraction.h"
#include "paraprint/result.h"

namespace paraprint::inline lab::inline extraction {

// `shown_pages`: number of pages with the lowest F1 listed under the tables, per extractor.
std::string extraction_table(const ExtractionEvaluation& evaluation, std::uint32_t shown_pages);
std::string extraction_json(const ExtractionEvaluation& evaluation);
std::string extraction_timing_json(const ExtractionEvaluation& evaluation);
std::string extraction_page(const ExtractionEvaluation& evaluation);

// Writes all files below `folder`, which is created if missing; index.html last. Errors: as AtomicFile.
Status write_extraction(const std::string& folder, const ExtractionEvaluation& evaluation, const ScoredPages& scored);

}  // namespace paraprint::inline lab::inline extraction
