// Pages of a labelled set, read, extracted and segmented into words once, with the fingerprints of any number of
// algorithms. Each algorithm has a page log of its own on disk, so that later only one is in memory at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "archive/input_files.h"
#include "base/progress.h"
#include "lab/signatures/keyword_cut.h"
#include "paraprint/options.h"
#include "profile/page_log.h"
#include "profile/page_table.h"
#include "profile/registry.h"
#include "text/word_weights.h"

namespace paraprint::inline lab::inline evaluation {

// Processor time in seconds, summed over all threads.
struct SpoolTimes {
  double extract = 0;
  double profile = 0;               // the paragraph method's words, sentences and fingerprints
  double terms = 0;                 // the words used by the page-level algorithms
  std::vector<double> fingerprint;  // by algorithm
};

struct EvaluationSpool {
  std::unique_ptr<PageLog> profiles;                   // every page with its profile
  std::vector<std::unique_ptr<PageLog>> fingerprints;  // by algorithm
  PageTable pages;
  std::vector<std::string> scripts;              // by page: the script of most of its letters
  std::vector<std::uint64_t> fingerprint_bytes;  // by algorithm: encoded fingerprints without the log around them
  std::uint64_t profile_bytes = 0;
  std::uint64_t pages_unreadable = 0;  // page records that could not be decoded; stored as empty pages
  std::uint64_t pages_renamed = 0;     // pages whose id occurred before
  std::uint64_t broken_records = 0;
  SpoolTimes times;
  std::vector<CutStatistics> cuts;  // by algorithm; filled with analyses_cuts for those with a number of keywords
};

struct SpoolRequest {
  const std::vector<InputFile>& inputs;
  const ReadOptions& reading;
  const ProfileOptions& profile;
  std::vector<AlgorithmChoice> algorithms;  // none of them the paragraph method
  const WordWeights& weights;
  std::string folder;          // for the logs, which are unnamed files
  bool analyses_cuts = false;  // measure what the cut to N keywords keeps (docs/algorithms/tianwang.md)
  unsigned threads = 1;
};

// Errors: those of reading and writing. Broken records are counted, but a file that cannot be read is an error here,
// because figures over part of the labels would mislead.
Result<EvaluationSpool> spool_pages(const SpoolRequest& request, ProgressReporter& progress);

}  // namespace paraprint::inline lab::inline evaluation
