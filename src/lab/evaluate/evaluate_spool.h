// The pages of a labelled set, read, extracted and cut into words once, with the fingerprints of any number of
// algorithms: each on disk in a page log of its own, so that later only one algorithm is in memory at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "archive/input_files.h"
#include "base/progress.h"
#include "engine/page_table.h"
#include "lab/signatures/keyword_cut.h"
#include "paraprint/options.h"
#include "profile/page_log.h"
#include "profile/registry.h"
#include "text/word_weights.h"

namespace paraprint {

// Processor time in seconds, of all threads.
struct SpoolTimes {
  double extract = 0;
  double profile = 0;               // the paragraph method's words, sentences and fingerprints
  double terms = 0;                 // the words that the other algorithms look at
  std::vector<double> fingerprint;  // by algorithm
};

struct PageSpool {
  std::unique_ptr<PageLog> profiles;                   // every page with its profile
  std::vector<std::unique_ptr<PageLog>> fingerprints;  // by algorithm
  PageTable pages;
  std::vector<std::string> scripts;              // by page: the writing system of most of its letters
  std::vector<std::uint64_t> fingerprint_bytes;  // by algorithm: encoded, without what is around them
  std::uint64_t profile_bytes = 0;
  std::uint64_t pages_unreadable = 0;  // records of pages without a page in them: empty pages here
  std::uint64_t pages_renamed = 0;     // of ids that came before
  std::uint64_t broken_records = 0;
  SpoolTimes times;
  std::vector<CutStatistics> cuts;  // by algorithm; with analyses_cuts, of those that keep so many keywords
};

struct SpoolRequest {
  const std::vector<InputFile>& inputs;
  const ReadOptions& reading;
  const ProfileOptions& profile;
  std::vector<AlgorithmChoice> algorithms;  // none of them the paragraph method
  const WordWeights& weights;
  std::string folder;          // for the logs, which have no names
  bool analyses_cuts = false;  // algorithms.md 4: what the number of keywords keeps
  unsigned threads = 1;
};

// Errors: those of reading and writing. Broken records are counted; a file that can't be read is an error here, since
// figures over a part of the labels would mislead.
Result<PageSpool> spool_pages(const SpoolRequest& request, ProgressReporter& progress);

}  // namespace paraprint
