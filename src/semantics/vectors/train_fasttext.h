// Word vectors learnt from text, by fastText's library: skip-gram and CBOW with negative sampling (Mikolov et al.
// 2013), optionally with parts of words (Bojanowski et al. 2017).
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "paraprint/result.h"
#include "semantics/vectors/word_vectors_builder.h"

namespace paraprint {

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
  unsigned threads = 1;  // with one the same text gives the same model; with more none is like another
  std::uint32_t words_maximum = 0;
};

// `path`: text with words separated by spaces, stretches that belong together a line, `words` of them in all.
// `progress` gets a share from 0 to 1, from any thread. Memory: four bytes a component of words and buckets, twice.
//
// kInvalidArgument if no word comes `count_minimum` times; kInputOutput for what fastText reports; kCancelled if asked
// to stop (paraprint/stop.h), which it heeds once the words are counted.
Result<WordVectorsBuilder> train_word_vectors(const std::string& path, std::uint64_t words,
                                              const TrainingSettings& settings,
                                              const std::function<void(double)>& progress);

}  // namespace paraprint
