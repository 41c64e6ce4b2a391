#include "semantics/topics/topic_inference.h"

#include <cmath>
#include <numeric>

#include "topics_testing.h"

namespace paraprint {
namespace {

// Four words of one topic, four of another, and one of both.
const std::vector<std::vector<float>> kTwoTopics = {{0.2F, 0}, {0.2F, 0}, {0.2F, 0}, {0.2F, 0},   {0, 0.2F},
                                                    {0, 0.2F}, {0, 0.2F}, {0, 0.2F}, {0.2F, 0.2F}};

struct SmallModel {
  explicit SmallModel(const std::vector<std::vector<float>>& probabilities, float prior)
      : bytes(topic_model_bytes(words_only(probabilities.size()), topics_of(probabilities, prior))) {
    auto read = TopicModel::read(bytes.view(), "model");
    EXPECT_TRUE(read) << read.error().message;
    model = *read;
  }
  AlignedBytes bytes;
  std::shared_ptr<const TopicModel> model;
};

// The same fixed point, computed for every topic of every word from probabilities.
std::vector<double> slow_inference(const TopicModel& model, const std::vector<TopicWord>& words) {
  const std::size_t topics = model.facts().topics;
  const auto prior = static_cast<double>(model.facts().prior);
  double total = 0;
  for (const TopicWord& word : words) total += word.count;
  std::vector<double> counts(topics, total / static_cast<double>(topics));
  for (int round = 0; round < TopicInference::kRounds; ++round) {
    std::vector<double> renewed(topics, 0);
    for (const TopicWord& word : words) {
      std::vector<double> part(topics, 0);
      for (const TopicEntry& entry : model.entries(word.row)) {
        part[entry.topic] = model.probability(word.row, entry) * (counts[entry.topic] + prior);
      }
      const double sum = std::accumulate(part.begin(), part.end(), 0.0);
      for (std::size_t topic = 0; topic < topics; ++topic) renewed[topic] += word.count * part[topic] / sum;
    }
    counts = renewed;
  }
  for (double& count : counts) count = (count + prior) / (total + prior * static_cast<double>(topics));
  return counts;
}

// The exact posterior: the mean over all assignments of topics to words, weighted by their probability. The cost grows
// with topics^words.
std::vector<double> posterior_mean(const TopicModel& model, const std::vector<TopicWord>& words) {
  const std::size_t topics = model.facts().topics;
  const auto prior = static_cast<double>(model.facts().prior);
  std::vector<std::uint32_t> tokens;
  for (const TopicWord& word : words) tokens.insert(tokens.end(), word.count, word.row);
  std::vector<double> mean(topics, 0);
  double all = 0;
  std::vector<std::size_t> given(tokens.size(), 0);
  while (true) {
    std::vector<double> counts(topics, prior);
    double probability = 1;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      double of_word = 0;
      for (const TopicEntry& entry : model.entries(tokens[i])) {
        if (entry.topic == given[i]) of_word = model.probability(tokens[i], entry);
      }
      probability *= of_word * counts[given[i]];  // Polya's urn
      counts[given[i]] += 1;
    }
    all += probability;
    const double whole = static_cast<double>(tokens.size()) + prior * static_cast<double>(topics);
    for (std::size_t topic = 0; topic < topics; ++topic) mean[topic] += probability * counts[topic] / whole;
    std::size_t place = 0;
    while (place < given.size() && ++given[place] == topics) given[place++] = 0;
    if (place == given.size()) break;
  }
  for (double& share : mean) share /= all;
  return mean;
}

TEST(TopicInference, InfersOneAndTwoTopics) {
  const SmallModel small(kTwoTopics, 0.1F);
  TopicInference inference(*small.model);
  std::vector<double> shares;
  inference.infer(std::vector<TopicWord>{{0, 2}, {3, 1}, {8, 1}}, shares);
  // n = 3 + (n + 0.1) / 4.2
  EXPECT_NEAR(shares[0], (3.96875 + 0.1) / 4.2, 1e-4) << "the shared word follows the topic of the others";
  inference.infer(std::vector<TopicWord>{{0, 1}, {4, 1}}, shares);
  EXPECT_NEAR(shares[0], 0.5, 1e-12);
  inference.infer({}, shares);
  EXPECT_EQ(shares, (std::vector<double>{0.5, 0.5}));
}

TEST(TopicInference, AgreesWithExplicitFixedPoint) {
  TestRandom random(3);
  std::vector<std::vector<float>> probabilities(40, std::vector<float>(7));
  for (auto& row : probabilities) {
    for (float& value : row) value = static_cast<float>(std::pow(random.real(), 8) / 40 + 1e-9);
  }
  const SmallModel small(probabilities, 0.2F);
  TopicInference inference(*small.model);
  std::vector<double> shares;
  for (int text = 0; text < 50; ++text) {
    std::vector<TopicWord> words;
    for (std::uint32_t row = 0; row < 40; ++row) {
      if (random.below(4) == 0) words.push_back({row, static_cast<std::uint32_t>(1 + random.below(3))});
    }
    inference.infer(words, shares);
    const std::vector<double> expected = slow_inference(*small.model, words);
    for (std::size_t topic = 0; topic < shares.size(); ++topic) EXPECT_NEAR(shares[topic], expected[topic], 1e-12);
  }
}

TEST(TopicInference, IsCloseToTheExactPosterior) {
  TestRandom random(5);
  std::vector<std::vector<float>> probabilities(12, std::vector<float>(3));
  for (auto& row : probabilities) {
    for (float& value : row) value = static_cast<float>(std::pow(random.real(), 3) / 4 + 1e-6);
  }
  const SmallModel small(probabilities, 0.5F);
  TopicInference inference(*small.model);
  std::vector<double> shares;
  double difference = 0;
  for (int text = 0; text < 20; ++text) {
    std::vector<TopicWord> words;
    for (std::uint32_t i = 0; i < 4; ++i) words.push_back({static_cast<std::uint32_t>(random.below(3) + 3 * i), 2});
    inference.infer(words, shares);
    const std::vector<double> expected = posterior_mean(*small.model, words);
    for (std::size_t topic = 0; topic < shares.size(); ++topic) {
      difference += std::abs(shares[topic] - expected[topic]);
    }
  }
  EXPECT_LT(difference / 60, 0.06) << "mean error of a share";
}

TEST(TopicAffinity, OneForEqualAndZeroForDisjoint) {
  const std::vector<double> a = {0.5, 0.5, 0};
  const std::vector<double> b = {0, 0, 1};
  const std::vector<double> c = {0.5, 0, 0.5};
  EXPECT_EQ(topic_affinity(a, a), 1);
  EXPECT_EQ(topic_affinity(a, b), 0);
  // The Hellinger distance by its other definition: the root of half the sum of squared differences of the roots.
  EXPECT_NEAR(topic_affinity(a, c), 1 - std::sqrt((std::pow(std::sqrt(0.5), 2) * 2) / 2), 1e-12);
}

}  // namespace
}  // namespace paraprint
