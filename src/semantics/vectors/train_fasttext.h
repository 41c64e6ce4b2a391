// Trains word vectors with fastText's library: skip-gram and CBOW with negative sampling (Mikolov et al. 2013),
// optionally with subwords (Bojanowski et al. 2017).
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "paraprint/result.h"
#include "semantics/vectors/word_vectors_builder.h"

namespace paraprint::inline semantics::inline vectors {

struct TrainingSettings {
  bool is_cbow = false;
  bool uses_subwords = false;
  int dimension = 100;
  int window = 5;
  int epochs = 5;
  int count_minimum = 5;  // rarer words have no vector
  int negatives = 5;
  double rate = 0.05;
  int subword_buckets = 500'000;
  std::uint32_t seed = 1;
  unsigned threads = 1;  // results are reproducible only with one thread
  std::uint32_t words_maximum = 0;
};

// `path`: text with words separated by spaces, one line per block; `words` is their total number. Calls `progress` with
// a share from 0 to 1, from any thread. Memory: eight bytes per component of words and buckets.
//
// Errors: kInvalidArgument if no word occurs `count_minimum` times; kInputOutput for errors that fastText reports;
// kCancelled if asked to stop (base/stop.h), which takes effect once the words are counted.
Result<WordVectorsBuilder> train_word_vectors(const std::string& path, std::uint64_t words,
                                              const TrainingSettings& settings,
                                              const std::function<void(double)>& progress);

}  // namespace paraprint::inline semantics::inline vectors
