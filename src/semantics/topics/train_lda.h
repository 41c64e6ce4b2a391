// Latent Dirichlet allocation by online variational Bayes (M. Hoffman, D. Blei, F. Bach, "Online learning for latent
// Dirichlet allocation", NIPS 2010): topics of a corpus, learnt in small batches of documents.
//
// The same corpus and settings give the same numbers for any number of threads: documents of a batch are independent,
// and every sum is taken in a fixed order. Cost: passes * entries of the corpus * topics * some dozens of rounds.
// Memory: at most 12 bytes * words * topics.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "paraprint/result.h"
#include "semantics/topics/topic_corpus.h"

namespace paraprint::inline semantics::inline topics {

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
  // Probability of each word in each topic: one row of `topics` values per word. The part that every word has from the
  // prior and the random initialisation is subtracted; values are above 0.
  std::vector<float> probabilities;
  std::vector<float> shares;  // of the corpus, by topic
};

// Calls `progress` with the number of documents done, out of passes * documents. Requires at least one document and one
// word, and 2 <= topics <= kTopicsMaximum. kCancelled if asked to stop (base/stop.h), which takes effect within a
// batch.
Result<TrainedTopics> train_lda(const TopicCorpus& corpus, const LdaSettings& settings,
                                const std::function<void(std::uint64_t done)>& progress);

}  // namespace paraprint::inline semantics::inline topics
