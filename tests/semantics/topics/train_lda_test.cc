#include "semantics/topics/train_lda.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <set>

#include "base/stop.h"
#include "topics_testing.h"

namespace paraprint {
namespace {

constexpr std::size_t kWordsOfTopic = 20;

// Documents of 60 words, each from one or two of `topics` topics with disjoint words: words 0 to 19 are the first
// topic's.
TopicCorpus generated(std::size_t topics, std::size_t documents) {
  TestRandom random(11);
  TopicCorpus corpus = words_only(topics * kWordsOfTopic);
  for (std::size_t d = 0; d < documents; ++d) {
    const std::uint64_t first = random.below(topics);
    const std::uint64_t second = random.below(topics);
    std::vector<std::uint16_t> counts(corpus.words.size(), 0);
    for (int i = 0; i < 60; ++i) {
      const std::uint64_t topic = random.below(3) == 0 ? second : first;
      // The first words of a topic are the most frequent.
      ++counts[topic * kWordsOfTopic + std::min(random.below(kWordsOfTopic), random.below(kWordsOfTopic))];
    }
    for (std::uint32_t word = 0; word < counts.size(); ++word) {
      if (counts[word] == 0) continue;
      corpus.word_of_entry.push_back(word);
      corpus.count_of_entry.push_back(counts[word]);
    }
    corpus.ends.push_back(corpus.word_of_entry.size());
  }
  return corpus;
}

LdaSettings settings_of(std::uint32_t topics, unsigned threads = 1) {
  LdaSettings settings;
  settings.topics = topics;
  settings.passes = 10;
  settings.batch_documents = 50;
  settings.threads = threads;
  return settings;
}

TEST(TrainLda, RecoversTheTopicsOfTheCorpus) {
  constexpr std::uint32_t kTopics = 5;
  const TopicCorpus corpus = generated(kTopics, 600);
  std::uint64_t done = 0;
  const TrainedTopics trained = *train_lda(corpus, settings_of(kTopics), [&](std::uint64_t so_far) { done = so_far; });
  EXPECT_EQ(done, 6000U);
  std::set<std::size_t> found;
  for (std::uint32_t topic = 0; topic < kTopics; ++topic) {
    std::vector<double> of_truth(kTopics, 0);
    for (std::size_t word = 0; word < corpus.words.size(); ++word) {
      of_truth[word / kWordsOfTopic] += static_cast<double>(trained.probabilities[word * kTopics + topic]);
    }
    const auto largest = std::max_element(of_truth.begin(), of_truth.end());
    EXPECT_GT(*largest, 0.95) << "topic " << topic << " mixes topics";
    found.insert(static_cast<std::size_t>(largest - of_truth.begin()));
  }
  EXPECT_EQ(found.size(), kTopics) << "each topic is found once";
}

TEST(TrainLda, ProbabilitiesAndSharesSumToOne) {
  const TopicCorpus corpus = generated(4, 100);
  const TrainedTopics trained = *train_lda(corpus, settings_of(9), [](std::uint64_t) {});
  ASSERT_EQ(trained.probabilities.size(), corpus.words.size() * 9);
  double shares = 0;
  for (std::size_t topic = 0; topic < 9; ++topic) {
    double sum = 0;
    for (std::size_t word = 0; word < corpus.words.size(); ++word) {
      sum += static_cast<double>(trained.probabilities[word * 9 + topic]);
    }
    EXPECT_LE(sum, 1.0001);
    if (trained.shares[topic] > 0.1F) EXPECT_GT(sum, 0.5) << "the rest is common to all words";
    shares += static_cast<double>(trained.shares[topic]);
  }
  EXPECT_NEAR(shares, 1, 1e-5);
}

TEST(TrainLda, ResultDoesNotDependOnThreads) {
  const TopicCorpus corpus = generated(4, 333);
  LdaSettings settings = settings_of(6);
  settings.passes = 3;
  const TrainedTopics one = *train_lda(corpus, settings, [](std::uint64_t) {});
  settings.threads = 5;
  const TrainedTopics five = *train_lda(corpus, settings, [](std::uint64_t) {});
  EXPECT_EQ(one.probabilities, five.probabilities);
  EXPECT_EQ(one.shares, five.shares);
  settings.seed = 2;
  EXPECT_NE(train_lda(corpus, settings, [](std::uint64_t) {})->probabilities, one.probabilities);
}

TEST(TrainLda, StopsOnRequest) {
  const TopicCorpus corpus = generated(4, 333);
  for (const unsigned threads : {1U, 3U}) {
    std::atomic<bool> stop{false};
    const StopScope scope(&stop);
    std::uint64_t last = 0;
    const Result<TrainedTopics> trained = train_lda(corpus, settings_of(6, threads), [&](std::uint64_t done) {
      last = done;
      stop.store(done > 400);
    });
    ASSERT_FALSE(trained.has_value());
    EXPECT_EQ(trained.error().code, ErrorCode::kCancelled);
    EXPECT_LT(last, 600U) << "stops in the second pass of ten";
  }
}

}  // namespace
}  // namespace paraprint
