// `--idf corpus`: document frequencies of all words of the input, counted in a separate pass over the same pages.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "archive/input_files.h"
#include "base/progress.h"
#include "paraprint/options.h"
#include "paraprint/result.h"
#include "profile/page_profiler.h"
#include "text/normalise.h"
#include "text/word_weights.h"

namespace paraprint::inline profile {

// Counts the words of pages' main content. One instance per thread; their counts are merged.
class PageWordCounter {
 public:
  // Errors: those of PageProfiler::create().
  static Result<std::unique_ptr<PageWordCounter>> create(const ProfileOptions& options);

  // kCancelled if `stop` is stopped; the page does not count then.
  Status add(const Page& page, StopCheck& stop);
  DocumentFrequencyCounter& counts() { return counts_; }

 private:
  PageWordCounter(const ProfileOptions& options, std::unique_ptr<PageProfiler> profiler)
      : profiler_(std::move(profiler)), normaliser_(NormaliseOptions{options.fold_traditional}) {}

  std::unique_ptr<PageProfiler> profiler_;  // used for extraction only
  Normaliser normaliser_;
  DocumentFrequencyCounter counts_;
  std::vector<Token> tokens_;
  std::string normalised_;
};

// Adds all pages of the inputs to the counters, one thread per counter.
Status count_words(const std::vector<InputFile>& inputs, const DedupOptions& options,
                   std::span<const std::unique_ptr<PageWordCounter>> counters, ProgressReporter& progress);

// Learns the weights of all words of the inputs. Errors: those of reading and of PageProfiler::create().
Result<std::unique_ptr<WordWeights>> learn_word_weights(const std::vector<InputFile>& inputs,
                                                        const DedupOptions& options, unsigned threads,
                                                        ProgressReporter& progress);

}  // namespace paraprint::inline profile
