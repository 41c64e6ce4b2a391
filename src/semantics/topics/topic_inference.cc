// CVB0 inference in plain double arithmetic. No logarithm or exponential is used, because C libraries differ in their
// last bits, and fingerprints that depend on topics have to be the same on every machine.
#include "semantics/topics/topic_inference.h"

#include <algorithm>
#include <cmath>

#include "base/assert.h"

namespace paraprint::inline semantics::inline topics {

void TopicInference::infer(std::span<const TopicWord> words, std::vector<double>& shares) {
  const double prior = static_cast<double>(model_.facts().prior);
  const std::size_t topics = model_.facts().topics;
  double total = 0;
  for (const TopicWord& word : words) total += word.count;
  // Until they are normalised at the end, `shares` holds expected counts including the prior.
  shares.assign(topics, total / static_cast<double>(topics) + prior);
  counts_.resize(topics);
  for (int round = 0; round < kRounds && total > 0; ++round) {
    std::fill(counts_.begin(), counts_.end(), 0.0);
    for (const TopicWord& word : words) {
      const std::span<const TopicEntry> entries = model_.entries(word.row);
      // The integer weights replace probabilities: the scale of a word cancels in the quotient. Each word has an entry
      // of the largest weight and the prior is positive, so the sum is above 0.
      double sum = 0;
      for (const TopicEntry& entry : entries) sum += entry.weight * shares[entry.topic];
      const double factor = word.count / sum;
      for (const TopicEntry& entry : entries) {
        counts_[entry.topic] += factor * (entry.weight * shares[entry.topic]);
      }
    }
    for (std::size_t topic = 0; topic < topics; ++topic) shares[topic] = counts_[topic] + prior;
  }
  const double whole = total + prior * static_cast<double>(topics);
  for (double& share : shares) share /= whole;
}

double topic_affinity(std::span<const double> a, std::span<const double> b) {
  PARAPRINT_ASSERT(a.size() == b.size());
  // The Hellinger distance is sqrt(1 - sum of sqrt(a b)); rounding can take the sum above 1, hence the maximum below.
  double common = 0;
  for (std::size_t i = 0; i < a.size(); ++i) common += std::sqrt(a[i] * b[i]);
  return 1 - std::sqrt(std::max(0.0, 1 - common));
}

}  // namespace paraprint::inline semantics::inline topics
