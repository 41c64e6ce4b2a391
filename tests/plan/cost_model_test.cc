// The model of a run: what is scaled by pages, what by pairs, and what is bounded.
#include "plan/cost_model.h"

#include <gtest/gtest.h>

#include <string>

#include "plan/plan_units.h"

namespace paraprint {
namespace {

// 1,000 pages with 2,000 pairs, of which the table has 2,000 rows.
SampleTrial trial_of_thousand() {
  SampleTrial trial;
  trial.pages = 1000;
  trial.pages_removed = 200;
  trial.stages = {{"read", 1.0}, {"match", 0.2}, {"cluster", 0.01}, {"tables", 0.07}, {"write", 0.1}, {"report", 0.5}};
  trial.counters = {{"reading.content_characters", 4'000'000},
                    {"pairs.pairs_verified", 2000},
                    {"pairs.pairs_stored", 2000},
                    {"pairs.keys", 40'000},
                    {"pairs.simhashes", 17'000},
                    {"pairs.candidate_pairs_by_anchor", 4000}};
  trial.file_bytes = {{"pages.log", 1'500'000}, {"scores", 51'000},           {"records", 8'000'000},
                      {"matches.tsv", 200'000}, {"matches.jsonl", 5'000'000}, {"summary.json", 4000},
                      {"clusters.tsv", 50'000}, {"removed.jsonl", 100'000}};
  trial.file_lines = {{"matches.tsv", 2000}, {"matches.jsonl", 2000}, {"removed.jsonl", 200}};
  return trial;
}

RunSize size_of(double pages) {
  RunSize size;
  size.pages = pages;
  size.pages_removed = pages / 5;
  size.input_bytes = pages * 10'000;
  size.sample_bytes = 1000 * 10'000;
  size.sample_removed = 200;
  const double rows = pages * (pages - 1) / (1000 * 999);
  size.pairs = {rows, rows};
  return size;
}

double file_bytes(const RunCost& cost, const std::string& name) {
  for (const PlannedFile& file : cost.files) {
    if (file.name == name) return file.size_bytes;
  }
  return 0;
}

double stage_seconds(const RunCost& cost, const std::string& name) {
  for (const PlannedStage& stage : cost.stages) {
    if (stage.name == name) return stage.cpu_seconds;
  }
  return 0;
}

TEST(CostModel, OfTheSampleItselfIsTheSample) {
  const RunCost cost = model_run(trial_of_thousand(), size_of(1000), 1, 2, std::uint64_t{2} << 30);
  EXPECT_NEAR(stage_seconds(cost, "read"), 1, 1e-9);
  EXPECT_NEAR(cost.matches, 2000, 1e-9);
  EXPECT_NEAR(file_bytes(cost, "pages.log"), 1'500'000, 1);
  EXPECT_NEAR(file_bytes(cost, "records"), 8'000'000, 200'000);
  EXPECT_NEAR(file_bytes(cost, "summary.json"), 4000, 1);
}

TEST(CostModel, ScalesPagesByPagesAndPairsByPairs) {
  const RunCost cost = model_run(trial_of_thousand(), size_of(10'000), 1, 2, std::uint64_t{2} << 30);
  EXPECT_NEAR(stage_seconds(cost, "read"), 10, 1e-9);
  EXPECT_NEAR(cost.matches, 2000 * 10 * 9999 / 999.0, 1e-6);
  EXPECT_NEAR(file_bytes(cost, "pages.log"), 15'000'000, 10);
  EXPECT_GT(file_bytes(cost, "matches.jsonl"), 60 * 5'000'000.0);
  EXPECT_NEAR(file_bytes(cost, "summary.json"), 4000, 1);
  EXPECT_LT(stage_seconds(cost, "report"), 2);  // it shows no more pairs
}

TEST(CostModel, ComparesEachTextOnce) {
  RunSize size = size_of(10'000);
  size.pairs.compared /= 4;
  const RunCost cost = model_run(trial_of_thousand(), size, 1, 2, std::uint64_t{2} << 30);
  const RunCost without = model_run(trial_of_thousand(), size_of(10'000), 1, 2, std::uint64_t{2} << 30);
  EXPECT_NEAR(file_bytes(cost, "matches.jsonl"), file_bytes(without, "matches.jsonl") / 4, 10);
  EXPECT_NEAR(cost.matches, without.matches, 1e-6);
}

TEST(CostModel, KeepsMemoryAtTheTargetAndSpillsTheRest) {
  const RunCost bounded = model_run(trial_of_thousand(), size_of(10'000'000), 1, 2, std::uint64_t{256} << 20);
  EXPECT_DOUBLE_EQ(bounded.memory_peak_bytes, 256.0 * (1 << 20));
  EXPECT_GT(bounded.memory_unbounded_bytes, bounded.memory_peak_bytes);
  EXPECT_NEAR(file_bytes(bounded, "spill"), bounded.memory_unbounded_bytes - bounded.memory_peak_bytes, 1);
  const RunCost small = model_run(trial_of_thousand(), size_of(1000), 1, 2, std::uint64_t{2} << 30);
  EXPECT_EQ(file_bytes(small, "spill"), 0);
}

TEST(CostModel, DividesAmongThreadsWhatRunsOnThem) {
  const RunCost two = model_run(trial_of_thousand(), size_of(10'000), 1, 2, std::uint64_t{2} << 30);
  const RunCost eight = model_run(trial_of_thousand(), size_of(10'000), 1, 8, std::uint64_t{2} << 30);
  EXPECT_NEAR(two.stages[0].seconds, 4 * eight.stages[0].seconds, 1e-9);
  EXPECT_NEAR(two.stages[2].seconds, eight.stages[2].seconds, 1e-9);  // clustering
}

TEST(CostModel, KnowsASpeed) {
  EXPECT_GT(machine_speed(), 0);
}

TEST(PlanUnits, AreReadable) {
  EXPECT_EQ(bytes_text(512), "512 B");
  EXPECT_EQ(bytes_text(1'400'000'000), "1.40 GB");
  EXPECT_EQ(bytes_text(999'999), "1.00 MB");
  EXPECT_EQ(duration_text(0.44), "0.4 s");
  EXPECT_EQ(duration_text(200), "3 min 20 s");
  EXPECT_EQ(duration_text(18'600), "5 h 10 min");
  EXPECT_EQ(count_text(1234567, false), "1,234,567");
  EXPECT_EQ(count_text(1234567, true), "1,230,000");
  EXPECT_EQ(count_text(999, true), "999");
}

}  // namespace
}  // namespace paraprint
