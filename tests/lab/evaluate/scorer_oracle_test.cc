// Random labels and scores, evaluated here and by the scorer that comes with the labelled sets.
// Skipped if that scorer is not available.
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <set>
#include <string>

#include "evaluate_testing.h"
#include "lab/evaluate/cluster_figures.h"
#include "lab/evaluate/pairwise_figures.h"

namespace paraprint {
namespace {

namespace fs = std::filesystem;

std::string scorer_path() {
  const char* shared = std::getenv("PARAPRINT_SHARED");
  const fs::path folder =
      shared != nullptr ? fs::path(shared) : fs::path(PARAPRINT_SOURCE_ROOT).parent_path() / "shared";
  const fs::path path = folder / "tools" / "score_neardup.py";
  return fs::exists(path) ? path.string() : std::string{};
}

rapidjson::Document run_scorer(const std::string& arguments) {
  const std::string command = "python3 -B '" + scorer_path() + "' " + arguments;
  std::string output;
  FILE* pipe = popen(command.c_str(), "r");
  char buffer[4096];
  for (std::size_t count = fread(buffer, 1, sizeof buffer, pipe); count > 0;
       count = fread(buffer, 1, sizeof buffer, pipe)) {
    output.append(buffer, count);
  }
  EXPECT_EQ(pclose(pipe), 0);
  rapidjson::Document document;
  document.Parse(output.c_str());
  EXPECT_FALSE(document.HasParseError()) << output;
  return document;
}

struct RandomCase {
  std::string labels;
  std::string clusters;
  std::string predictions;
  FoundPairs found;
};

constexpr std::uint32_t kPages = 60;
constexpr double kThreshold = 0.5;

RandomCase random_case(unsigned seed) {
  std::mt19937 random(seed);
  const auto below = [&](std::uint32_t limit) { return static_cast<std::uint32_t>(random() % limit); };
  RandomCase made;
  std::set<std::pair<std::uint32_t, std::uint32_t>> labelled;
  constexpr const char* kNames[] = {"dup", "near", "topic", "event", "diff", "diff"};
  for (int i = 0; i < 300; ++i) {
    const auto [a, b] = std::minmax({below(kPages), below(kPages)});
    if (a == b || !labelled.insert({a, b}).second) continue;
    made.labels += "p" + std::to_string(b) + "\tp" + std::to_string(a) + "\t" + kNames[below(6)] + "\n";
  }
  for (std::uint32_t page = 0; page < kPages; ++page) {
    made.clusters += "p" + std::to_string(page) + "\tc" + std::to_string(below(kPages / 3)) + "\n";
  }
  // Every fifth page has the same text as another page.
  std::vector<std::vector<std::uint32_t>> groups(kPages);
  for (std::uint32_t page = 0; page < kPages; ++page) {
    const std::uint32_t representative = page % 5 == 4 ? made.found.representatives[below(page)] : page;
    made.found.representatives.push_back(representative);
    groups[representative].push_back(page);
  }
  const auto predict = [&](std::uint32_t a, std::uint32_t b, float score) {
    char line[64];
    std::snprintf(line, sizeof line, "p%u\tp%u\t%.9g\n", a, b, static_cast<double>(score));
    made.predictions += line;
  };
  for (const auto& group : groups) {
    for (const std::uint32_t a : group) {
      for (const std::uint32_t b : group) {
        if (a < b) predict(a, b, kEqualTextScore);
      }
    }
  }
  for (std::uint32_t a = 0; a < kPages; ++a) {
    for (std::uint32_t b = a + 1; b < kPages; ++b) {
      if (groups[a].empty() || groups[b].empty() || below(12) != 0) continue;
      const float score = 0.3F + 0.05F * static_cast<float>(below(14));
      made.found.pairs.push_back({a, b, score});
      for (const std::uint32_t left : groups[a]) {
        for (const std::uint32_t right : groups[b]) predict(left, right, score);
      }
    }
  }
  return made;
}

void expect_rates(const Rates& ours, const rapidjson::Value& theirs) {
  EXPECT_NEAR(ours.precision, theirs["P"].GetDouble(), 1e-12);
  EXPECT_NEAR(ours.recall, theirs["R"].GetDouble(), 1e-12);
  EXPECT_NEAR(ours.f1, theirs["F1"].GetDouble(), 1e-12);
}

void compare_pairwise(const LabelledSet& set, const RandomCase& made, const rapidjson::Document& theirs) {
  const PairOutcomes outcomes = judge_pairs(set, made.found);
  const PairwiseFigures ours = pairwise_figures(set, outcomes, kThreshold, PairPart::kAll);
  const rapidjson::Value& pairwise = theirs["pairwise"];
  EXPECT_EQ(ours.true_positives, pairwise["TP"].GetUint64());
  EXPECT_EQ(ours.false_negatives, pairwise["FN"].GetUint64());
  EXPECT_EQ(ours.false_positives_lenient, pairwise["FP_lenient"].GetUint64());
  EXPECT_EQ(ours.false_positives_strict, pairwise["FP_strict"].GetUint64());
  EXPECT_EQ(ours.reported_pairs, pairwise["predicted_pairs"].GetUint64());
  EXPECT_EQ(ours.reported_unlabelled, pairwise["unlabelled_predicted"].GetUint64());
  expect_rates(ours.lenient, pairwise["lenient"]);
  expect_rates(ours.strict, pairwise["strict"]);
  const auto share = [](std::uint64_t part, std::uint64_t whole) {
    return static_cast<double>(part) / static_cast<double>(whole);
  };
  EXPECT_NEAR(share(ours.reported.near, ours.labelled.near), pairwise["recall_near"].GetDouble(), 1e-12);
  EXPECT_NEAR(share(ours.reported.topic, ours.labelled.topic), pairwise["flagged_topic"].GetDouble(), 1e-12);
  EXPECT_NEAR(share(ours.reported.different, ours.labelled.different), pairwise["flagged_diff"].GetDouble(), 1e-12);
}

void compare_sweeps(const LabelledSet& set, const RandomCase& made, const rapidjson::Document& theirs) {
  const ThresholdSweep sweep =
      sweep_thresholds(set, judge_pairs(set, made.found), TopicPairs::kIgnored, PairPart::kAll);
  EXPECT_NEAR(sweep.average_precision, theirs["sweep_lenient"]["AP"].GetDouble(), 1e-12);
  EXPECT_NEAR(sweep.best.f1, theirs["sweep_lenient"]["best_F1"].GetDouble(), 1e-12);
  EXPECT_NEAR(sweep.best.threshold, theirs["sweep_lenient"]["best_threshold"].GetDouble(), 1e-8);
}

void compare_clusters(const ClusterFigures& ours, const rapidjson::Value& theirs) {
  EXPECT_EQ(ours.truth_clusters, theirs["truth_clusters"].GetUint64());
  EXPECT_EQ(ours.found_clusters, theirs["predicted_clusters"].GetUint64());
  EXPECT_NEAR(ours.adjusted_rand, theirs["ARI"].GetDouble(), 1e-12);
  EXPECT_NEAR(ours.homogeneity, theirs["homogeneity"].GetDouble(), 1e-12);
  EXPECT_NEAR(ours.completeness, theirs["completeness"].GetDouble(), 1e-12);
  EXPECT_NEAR(ours.v_measure, theirs["V_measure_NMI"].GetDouble(), 1e-12);
  EXPECT_NEAR(ours.bcubed.precision, theirs["bcubed_P"].GetDouble(), 1e-12);
  EXPECT_NEAR(ours.bcubed.recall, theirs["bcubed_R"].GetDouble(), 1e-12);
  EXPECT_NEAR(ours.pairs.f1, theirs["pair_F1"].GetDouble(), 1e-12);
}

TEST(ScorerOracle, GivesTheSameFigures) {
  if (scorer_path().empty()) GTEST_SKIP() << "scorer not found";
  for (unsigned seed = 0; seed < 12; ++seed) {
    SCOPED_TRACE(seed);
    const RandomCase made = random_case(seed);
    const std::string world = seed % 2 == 0 ? "open" : "closed";
    const LabelledSet set = testing::labelled_set(kPages, made.labels, made.clusters, world);
    const testing::ScratchFile labels("oracle-labels.tsv", made.labels);
    const testing::ScratchFile clusters("oracle-clusters.tsv", made.clusters);
    const testing::ScratchFile predictions("oracle-predictions.tsv", made.predictions);
    const rapidjson::Document theirs = run_scorer("'" + labels.path() + "' '" + predictions.path() + "' --clusters '" +
                                                  clusters.path() + "' --world " + world + " --threshold " +
                                                  std::to_string(kThreshold) + " --sweep --pred-type pairs --json");
    compare_pairwise(set, made, theirs);
    compare_sweeps(set, made, theirs);
    compare_clusters(cluster_figures(set, made.found, kThreshold), theirs["clusters"]);
  }
}

}  // namespace
}  // namespace paraprint
