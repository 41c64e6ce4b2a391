// Estimates from judged samples of simulated pairs whose truth is known: exact if everything is judged, and with
// intervals that contain the true value about as often as they claim.
#include "lab/judge/judged_figures.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <random>
#include <string>

namespace paraprint {
namespace {

constexpr std::size_t kAlgorithms = 3;

struct SimulatedPair {
  StratumKey key;
  bool is_copy = false;
};

// Pairs of three algorithms: a careful one, a bold one, and one that finds what the others miss.
struct Population {
  std::vector<SimulatedPair> pairs;

  double precision(std::size_t algorithm) const {
    return share([&](const SimulatedPair& p) { return finds(p, algorithm); },
                 [](const SimulatedPair& p) { return p.is_copy; });
  }
  double pooled_recall(std::size_t algorithm) const {
    return share([](const SimulatedPair& p) { return p.is_copy && p.key.found_by != 0; },
                 [&](const SimulatedPair& p) { return finds(p, algorithm); });
  }
  double recall(std::size_t algorithm) const {
    return share([](const SimulatedPair& p) { return p.is_copy; },
                 [&](const SimulatedPair& p) { return finds(p, algorithm); });
  }
  static bool finds(const SimulatedPair& pair, std::size_t algorithm) {
    return (pair.key.found_by >> algorithm & 1) != 0;
  }

 private:
  template <class Of, class Has>
  double share(const Of& of, const Has& has) const {
    double all = 0;
    double some = 0;
    for (const SimulatedPair& pair : pairs) {
      if (!of(pair)) continue;
      ++all;
      if (has(pair)) ++some;
    }
    return some / all;
  }
};

// `below` pairs that nobody found, of which one in a hundred is a copy.
Population population(std::mt19937_64& random, std::size_t size, std::size_t below, double copies = 0.8) {
  std::uniform_real_distribution<double> uniform;
  Population result;
  while (result.pairs.size() < size) {
    SimulatedPair pair;
    pair.is_copy = uniform(random) < copies;
    const double found[kAlgorithms] = {pair.is_copy ? 0.9 : 0.03, pair.is_copy ? 0.8 : 0.6, 0.3};
    for (std::size_t i = 0; i < kAlgorithms; ++i) {
      if (uniform(random) < found[i]) pair.key.found_by |= std::uint64_t{1} << i;
    }
    if (pair.key.found_by == 0) continue;
    // High scores are mostly copies, low ones mostly not.
    const double sure = uniform(random);
    const std::uint32_t steps = sure < 0.6 ? 0 : sure < 0.9 ? 1 : 2;
    pair.key.band = pair.is_copy ? 3 - steps : 1 + steps;
    result.pairs.push_back(pair);
  }
  for (std::size_t i = 0; i < below; ++i) {
    const bool is_copy = uniform(random) < 0.01;
    result.pairs.push_back({{0, 1U + static_cast<std::uint32_t>(is_copy ? 1 + random() % 2 : random() % 3)}, is_copy});
  }
  return result;
}

// Draws as draw_sample() does, with another source of randomness, and judges by the truth. `answered`: the share of
// drawn pairs that are judged.
JudgedSample judged_sample(const Population& population, std::uint64_t wanted, std::mt19937_64& random,
                           double answered) {
  std::map<StratumKey, std::uint64_t> counts;
  for (const SimulatedPair& pair : population.pairs) ++counts[pair.key];
  Strata chosen = choose_strata(counts, wanted);
  allocate(wanted, chosen.strata);
  std::vector<std::vector<std::size_t>> members(chosen.strata.size());
  for (std::size_t i = 0; i < population.pairs.size(); ++i) {
    members[chosen.stratum_of_key.at(population.pairs[i].key)].push_back(i);
  }
  JudgedSample sample;
  sample.judges = {{"truth", 0, 0, 0, 0}};
  for (std::size_t i = 0; i < kAlgorithms; ++i) sample.frame.algorithms.push_back({std::to_string(i), "", {}, 0});
  std::uniform_real_distribution<double> uniform;
  for (std::uint32_t h = 0; h < chosen.strata.size(); ++h) {
    Stratum& stratum = chosen.strata[h];
    stratum.found.resize(kAlgorithms);
    for (const std::size_t member : members[h]) {
      for (std::size_t i = 0; i < kAlgorithms; ++i)
        stratum.found[i] += Population::finds(population.pairs[member], i) ? 1 : 0;
    }
    for (std::size_t i = 0; i < kAlgorithms; ++i) sample.frame.algorithms[i].pairs += stratum.found[i];
    std::shuffle(members[h].begin(), members[h].end(), random);
    for (std::size_t n = 0; n < stratum.sampled; ++n) {
      const SimulatedPair& pair = population.pairs[members[h][n]];
      JudgedPair& judged = sample.pairs.emplace_back();
      judged.pair.number = sample.pairs.size();
      judged.pair.stratum = h;
      judged.pair.found_by = pair.key.found_by;
      if (uniform(random) < answered) judged.votes = {{0, pair.is_copy ? Judgement::kCopy : Judgement::kDifferent}};
    }
  }
  sample.frame.strata = std::move(chosen.strata);
  return sample;
}

TEST(JudgedFiguresTest, WithEveryPairJudgedFiguresAreExact) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 20; ++round) {
    const Population all = population(random, 100 + random() % 200, random() % 100);
    const auto figures = judged_figures(judged_sample(all, 5000, random, 1));
    ASSERT_TRUE(figures);
    EXPECT_EQ(figures->pooled_pairs, all.pairs.size());
    EXPECT_EQ(figures->decided, all.pairs.size());
    for (std::size_t i = 0; i < kAlgorithms; ++i) {
      const JudgedAlgorithm& algorithm = figures->algorithms[i];
      for (const auto& [share, truth] :
           {std::pair(algorithm.precision, all.precision(i)), std::pair(algorithm.pooled_recall, all.pooled_recall(i)),
            std::pair(algorithm.recall, all.recall(i))}) {
        EXPECT_NEAR(share.estimate, truth, 1e-12);
        EXPECT_NEAR(share.interval.low, truth, 1e-9);
        EXPECT_NEAR(share.interval.high, truth, 1e-9);
      }
    }
  }
}

// How often intervals contain the truth, by figure.
struct Coverage {
  double precision = 0;
  double pooled_recall = 0;
  double recall = 0;
  double bias = 0;  // mean error of the estimated precision
};

Coverage coverage_of(std::size_t size, std::size_t below, std::uint64_t sampled, double answered, double copies,
                     std::uint64_t seed) {
  constexpr int kRounds = 200;
  std::mt19937_64 random(seed);
  const Population all = population(random, size, below, copies);
  Coverage covered;
  const auto contains = [](const JudgedShare& share, double truth) {
    return share.interval.low <= truth && truth <= share.interval.high ? 1.0 / (kRounds * kAlgorithms) : 0.0;
  };
  for (int round = 0; round < kRounds; ++round) {
    const auto figures = judged_figures(judged_sample(all, sampled, random, answered));
    for (std::size_t i = 0; i < kAlgorithms; ++i) {
      const JudgedAlgorithm& algorithm = figures->algorithms[i];
      covered.precision += contains(algorithm.precision, all.precision(i));
      covered.pooled_recall += contains(algorithm.pooled_recall, all.pooled_recall(i));
      covered.recall += contains(algorithm.recall, all.recall(i));
      covered.bias += (algorithm.precision.estimate - all.precision(i)) / (kRounds * kAlgorithms);
    }
  }
  return covered;
}

// By chance alone, 600 intervals of 95 % would contain the truth in 93 to 97 of 100 cases. With few pairs per stratum,
// intervals are wider than they need be.
TEST(JudgedFiguresTest, IntervalsContainTheTruthAsOftenAsTheyClaim) {
  struct Case {
    std::size_t size;
    std::size_t below;
    std::uint64_t sampled;
    double answered;
    double copies;
    double most;  // upper bound of the coverage; above 1 if strata have too few pairs for one
  };
  for (const Case& c :
       {Case{2000, 2000, 200, 1, 0.8, 0.99}, Case{20'000, 20'000, 400, 1, 0.8, 0.985}, Case{5000, 0, 60, 1, 0.5, 0.99},
        Case{2000, 2000, 300, 0.5, 0.8, 1.01}, Case{5000, 0, 200, 1, 0.97, 0.99}, Case{50'000, 0, 40, 1, 0.97, 1.01}}) {
    const Coverage covered = coverage_of(c.size, c.below, c.sampled, c.answered, c.copies, 11);
    const std::string name = fmt::format("{} of {} + {}, {} copies: {:.3f} {:.3f} {:.3f}", c.sampled, c.size, c.below,
                                         c.copies, covered.precision, covered.pooled_recall, covered.recall);
    std::cout << name << "\n";
    for (const double share : {covered.precision, covered.pooled_recall, covered.recall}) {
      EXPECT_GE(share, 0.93) << name;
      EXPECT_LE(share, c.most) << name;
    }
    EXPECT_NEAR(covered.bias, 0, 0.01) << name;
  }
}

TEST(JudgedFiguresTest, AStratumThatNobodyJudgedBorrowsFromTheNearest) {
  std::vector<JudgedSplit> splits(3);
  splits[0].inside = {100, 10, 9};
  splits[1].inside = {50, 0, 0};  // found, not judged
  splits[2].outside = {200, 10, 1};
  const std::vector<std::vector<std::uint32_t>> distance = {{0, 1, 5}, {1, 0, 4}, {5, 4, 0}};
  std::uint64_t borrowed = 0;
  const std::vector<JudgedGroup> groups = groups_of(splits, distance, borrowed);
  EXPECT_EQ(borrowed, 50U);
  ASSERT_EQ(groups.size(), 2U);
  EXPECT_EQ(groups[0].inside, 150U);
  EXPECT_EQ(groups[0].judged_pairs, 10U);
  EXPECT_EQ(groups[1].outside, 200U);
}

TEST(JudgedFiguresTest, APartThatNobodyJudgedBorrowsFromItsOwnStratum) {
  std::vector<JudgedSplit> splits(2);
  splits[0].inside = {100, 10, 9};
  splits[1].inside = {3, 0, 0};
  splits[1].outside = {47, 5, 2};
  std::uint64_t borrowed = 0;
  const std::vector<JudgedGroup> groups = groups_of(splits, {{0, 1}, {1, 0}}, borrowed);
  EXPECT_EQ(borrowed, 0U);
  ASSERT_EQ(groups.size(), 2U);
  EXPECT_EQ(groups[1].inside, 3U);
  EXPECT_EQ(groups[1].outside, 47U);
}

TEST(JudgedFiguresTest, WithoutADecisionThereIsNoFigure) {
  std::mt19937_64 random(1);
  const auto figures = judged_figures(judged_sample(population(random, 100, 0), 20, random, 0));
  ASSERT_FALSE(figures);
  EXPECT_THAT(figures.error().message, ::testing::HasSubstr("no pair"));
}

JudgedSample sample_of_votes(const std::vector<std::vector<Vote>>& votes) {
  JudgedSample sample;
  sample.judges = {{"ann", 0, 0, 0, 0}, {"bob", 0, 0, 0, 0}, {"cy", 0, 0, 0, 0}};
  sample.frame.algorithms = {{"one", "", {}, votes.size()}};
  sample.frame.strata = {{{1, 3}, false, votes.size(), votes.size(), {votes.size()}}};
  for (const std::vector<Vote>& own : votes) {
    JudgedPair& pair = sample.pairs.emplace_back();
    pair.pair.number = sample.pairs.size();
    pair.pair.found_by = 1;
    pair.votes = own;
  }
  return sample;
}

constexpr Judgement kYes = Judgement::kCopy;
constexpr Judgement kNo = Judgement::kDifferent;
constexpr Judgement kMaybe = Judgement::kUnsure;

TEST(JudgedFiguresTest, TheMajorityDecides) {
  EXPECT_EQ(decision_of({}), Judgement::kNone);
  EXPECT_EQ(decision_of({{0, kYes}}), kYes);
  EXPECT_EQ(decision_of({{0, kYes}, {1, kNo}}), kMaybe);
  EXPECT_EQ(decision_of({{0, kYes}, {1, kMaybe}}), kYes);
  EXPECT_EQ(decision_of({{0, kYes}, {1, kNo}, {2, kNo}}), kNo);
  EXPECT_EQ(decision_of({{0, kMaybe}}), kMaybe);
}

// The example of Cohen's kappa in two classes: 20 yes-yes, 5 yes-no, 10 no-yes, 15 no-no; agreement .7, by chance .5.
TEST(JudgedFiguresTest, KappaIsThatOfTheTextbooks) {
  std::vector<std::vector<Vote>> votes;
  votes.insert(votes.end(), 20, {{0, kYes}, {1, kYes}});
  votes.insert(votes.end(), 5, {{0, kYes}, {1, kNo}});
  votes.insert(votes.end(), 10, {{0, kNo}, {1, kYes}});
  votes.insert(votes.end(), 15, {{0, kNo}, {1, kNo}});
  votes.push_back({{2, kYes}});
  const std::vector<JudgeAgreement> agreement = agreement_of(sample_of_votes(votes));
  ASSERT_EQ(agreement.size(), 1U);
  EXPECT_EQ(agreement[0].judge_a, "ann");
  EXPECT_EQ(agreement[0].pairs, 50U);
  EXPECT_EQ(agreement[0].agreed, 35U);
  ASSERT_TRUE(agreement[0].kappa);
  EXPECT_NEAR(*agreement[0].kappa, 0.4, 1e-12);
}

TEST(JudgedFiguresTest, KappaOfJudgesWhoAlwaysSayTheSameIsUndefined) {
  const std::vector<JudgeAgreement> agreement =
      agreement_of(sample_of_votes({{{0, kYes}, {2, kYes}}, {{0, kYes}, {2, kYes}}}));
  ASSERT_EQ(agreement.size(), 1U);
  EXPECT_EQ(agreement[0].agreed, 2U);
  EXPECT_FALSE(agreement[0].kappa);
}

TEST(JudgedFiguresTest, DisputesAreListedAndTiesAreUndecided) {
  const auto figures = judged_figures(
      sample_of_votes({{{0, kYes}, {1, kNo}}, {{0, kYes}, {1, kYes}}, {{0, kNo}, {1, kNo}, {2, kYes}}, {}}));
  ASSERT_TRUE(figures);
  EXPECT_EQ(figures->disputed_pairs, 2U);
  EXPECT_EQ(figures->disputed[0].decision, "?");
  EXPECT_THAT(figures->disputed[0].votes, ::testing::ElementsAre("ann: y", "bob: n"));
  EXPECT_EQ(figures->disputed[1].decision, "n");
  EXPECT_EQ(figures->decided, 2U);
  EXPECT_EQ(figures->undecided, 1U);
  EXPECT_EQ(figures->unjudged, 1U);
  EXPECT_DOUBLE_EQ(figures->algorithms[0].precision.estimate, 0.5);
}

}  // namespace
}  // namespace paraprint
