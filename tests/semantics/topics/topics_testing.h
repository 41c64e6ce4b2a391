// Small corpora and models for tests.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "aligned_bytes.h"
#include "base/split_mix.h"
#include "semantics/topics/topic_corpus.h"
#include "semantics/topics/topic_model.h"
#include "semantics/topics/topic_model_writer.h"
#include "semantics/topics/train_lda.h"

namespace paraprint {

struct TestRandom {
  explicit TestRandom(std::uint64_t seed) : state(seed) {}
  std::uint64_t next() { return split_mix_output(state += kSplitMixStep); }
  std::uint64_t below(std::uint64_t limit) { return next() % limit; }
  double real() { return static_cast<double>(next() >> 11) * 0x1p-53; }
  std::uint64_t state;
};

// "w000", "w001", ..., in byte order.
inline std::string test_word(std::size_t number) {
  std::string digits = std::to_string(number);
  return "w" + std::string(3 - digits.size(), '0') + digits;
}

// A model given by probabilities[word][topic].
inline TrainedTopics topics_of(const std::vector<std::vector<float>>& probabilities, float prior) {
  TrainedTopics trained;
  trained.topics = static_cast<std::uint32_t>(probabilities.at(0).size());
  trained.prior = prior;
  for (const std::vector<float>& row : probabilities) {
    trained.probabilities.insert(trained.probabilities.end(), row.begin(), row.end());
  }
  trained.shares.assign(trained.topics, 1.0F / static_cast<float>(trained.topics));
  return trained;
}

inline TopicCorpus words_only(std::size_t words) {
  TopicCorpus corpus;
  for (std::size_t word = 0; word < words; ++word) {
    corpus.words.push_back(test_word(word));
    corpus.documents.push_back(static_cast<std::uint32_t>(word + 1));
  }
  corpus.running_words = 77;
  return corpus;
}

}  // namespace paraprint
