// Evaluates extractors of main content on pages whose main content is known: token F1, and the shares of pages
// extracted correctly and badly, over all pages and by page type, language and source. docs/evaluation.md defines every
// figure and describes the files.
//
// Example:
//
//   EvaluateExtractionOptions options;
//   options.gold = {"gold.jsonl.gz"};
//   options.extractor = {"learned-dom", "weighted-dom"};
//   Result<ExtractionEvaluation> evaluation = evaluate_extraction(options);
//
// Everything except times is identical on every run.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "paraprint/evaluate.h"
#include "paraprint/read_options.h"
#include "paraprint/result.h"
#include "paraprint/run_control.h"

namespace paraprint {

// A page is extracted correctly from this token F1 on, and badly below the other one.
inline constexpr double kCorrectF1 = 0.9;
inline constexpr double kBadF1 = 0.5;

struct EvaluateExtractionOptions {
  std::vector<std::string> gold;       // JSON lines, plain or compressed, and folders of such files; or "-"
  std::vector<std::string> extractor;  // names; empty: all. The others are compared with the first one
  std::uint64_t seed = 1;              // any value; affects only the bootstrap
  std::uint32_t bootstrap = 1000;      // range 100 to 100,000
  std::uint32_t show = 0;              // pages with the lowest F1 in the terminal table, per extractor
  std::uint32_t threads = 0;           // 0: one per processor
  ReadOptions reading;
  std::string out;  // for results.json, pages.csv and the report; empty: nothing is written

  Status validate() const;
};

// One extractor on a group of pages. Means are over pages, each page weighing the same.
struct ExtractionScores {
  double precision = 0;
  double recall = 0;
  double f1 = 0;
  double median_f1 = 0;
  std::uint64_t correct = 0;  // pages with F1 >= kCorrectF1
  std::uint64_t bad = 0;      // pages with F1 < kBadF1
  double correct_share = 0;
  double bad_share = 0;
  // 95 %, from a bootstrap over the pages of the group.
  Interval f1_interval;
  Interval correct_interval;
  Interval bad_interval;
  // This extractor minus the first one on the same pages; intervals from the same draws.
  double f1_difference = 0;
  double correct_difference = 0;
  Interval f1_difference_interval;
  Interval correct_difference_interval;
};

struct ExtractionGroup {
  std::string name;
  std::uint64_t pages = 0;
  std::vector<ExtractionScores> scores;  // per extractor, in the requested order
};

struct PoorlyExtractedPage {
  std::string id;
  std::string source;
  double precision = 0;
  double recall = 0;
  double f1 = 0;
};
inline constexpr std::uint32_t kPoorPagesMaximum = 100;

struct ExtractorCosts {
  double seconds = 0;  // processor time from the bytes of a page to its text
  double pages_per_second = 0;
};

struct ExtractionEvaluation {
  std::vector<std::string> extractors;
  std::uint64_t pages = 0;
  std::uint64_t broken_lines = 0;       // and other defects of the input; each was a warning
  std::uint64_t unreadable_inputs = 0;  // files that could not be read to their end
  ExtractionGroup all;
  // Without pages whose main content was taken from another tool's output (tier "tool-snapshot").
  ExtractionGroup without_tools;
  // The unweighted mean over sources of the same pages; `pages` counts sources. No counts and no intervals.
  ExtractionGroup mean_of_sources;
  std::vector<ExtractionGroup> by_page_type;  // each list by descending number of pages, then by name
  std::vector<ExtractionGroup> by_language;
  std::vector<ExtractionGroup> by_source;
  std::vector<std::vector<PoorlyExtractedPage>> poorest;  // per extractor, lowest F1 first, at most kPoorPagesMaximum
  std::vector<ExtractorCosts> costs;                      // per extractor; the only part that differs between runs
  std::uint64_t seed = 1;
  std::uint32_t bootstrap_rounds = 0;
  unsigned threads = 1;
  std::string table;        // for a terminal
  std::string json;         // the text of results.json
  std::string report_path;  // index.html; empty without a folder
};

// Errors: kInvalidArgument for options, unknown extractors, files that are not JSON lines, and input without any usable
// page; kNotFound and the like for inputs and output; kCancelled. After an error nothing is written. A line that cannot
// be used is skipped with a warning that names file and line.
//
// Memory: the pages in flight, and about 100 bytes and the id per page, plus 24 bytes per page and extractor.
Result<ExtractionEvaluation> evaluate_extraction(const EvaluateExtractionOptions& options,
                                                 const RunControl& control = {});

}  // namespace paraprint
