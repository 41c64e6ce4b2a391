// Latent Dirichlet allocation by online variational Bayes (M. Hoffman, D. Blei, F. Bach, "Online learning for latent
// Dirichlet allocation", NIPS 2010): topics of a corpus, learnt in small batches of documents.
//
// The same corpus and settings give the same numbers, whatever the number of threads: documents of a batch are
// independent, and every sum is taken in the order of documents. Cost: passes * entries of the corpus * topics * some
// dozens of rounds. Memory: 12 bytes * words * topics at most.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "paraprint/result.h"
#include "semantics/topics/topic_corpus.h"

namespace paraprint {

struct LdaSettings {
  std::uint32_t topics = 100;
  std::uint32_t passes = 10;
  std::uint32_t batch_documents = 64;
  std::uint64_t seed = 1;
  unsigned threads = 1;
};

struct TrainedTopics {
  std::uint32_t topics = 0;
  float prior = 0;  // of each topic in a document
  // Of the word in the topic, less what every word has by the prior and from the beginning: above 0. A row of `topics`
  // for each word.
  std::vector<float> probabilities;
  std::vector<float> shares;  // of the corpus, per topic
};

// `progress` gets documents done of passes * documents. Requires a document and a word; 2 <= topics <= kTopicsMaximum.
// kCancelled if asked to stop (paraprint/stop.h), heeded within a batch.
Result<TrainedTopics> train_lda(const TopicCorpus& corpus, const LdaSettings& settings,
                                const std::function<void(std::uint64_t done)>& progress);

}  // namespace paraprint
