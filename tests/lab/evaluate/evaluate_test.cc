// Whole evaluations of a small labelled set: figures known from its construction, output independent of threads, and
// errors before anything is written.
#include "paraprint/evaluate.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "memory/memory_meter.h"

namespace paraprint {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

std::string read_file(const fs::path& path) {
  std::ostringstream bytes;
  bytes << std::ifstream(path, std::ios::binary).rdbuf();
  return bytes.str();
}

std::string made_up_text(unsigned seed) {
  std::mt19937 random(seed);
  std::string text;
  for (int sentence = 0; sentence < 20; ++sentence) {
    for (int word = 0; word < 12; ++word) {
      for (int letter = 0; letter < 6; ++letter) text += static_cast<char>('a' + random() % 26);
      text += word == 11 ? ". " : " ";
    }
    if (sentence % 4 == 3) text += "\\n";
  }
  return text;
}

// Ten texts with three pages each: the text, the text with an additional sentence, and an entirely different text.
class EvaluateTest : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    std::string documents;
    std::string labels = "id_a\tid_b\tlabel\tedits\n";
    std::string clusters;
    for (int i = 0; i < 10; ++i) {
      const std::string text = made_up_text(static_cast<unsigned>(i));
      const std::string base = "t" + std::to_string(i);
      add_document(base + "a", text, i, documents);
      add_document(base + "b", text, i, documents);
      add_document(base + "c", text + "One more sentence stands here at the end of it.", i, documents);
      add_document(base + "d", made_up_text(1000U + static_cast<unsigned>(i)), i, documents);
      labels += fmt::format("{0}a\t{0}b\tdup\tcopy\n{0}c\t{0}a\tnear\tinsertion=0.1\n", base);
      labels += fmt::format("{0}b\t{0}c\tnear\tinsertion=0.1\n{0}a\t{0}d\tdiff\t\n", base);
      clusters += fmt::format("{0}a\t{0}\n{0}b\t{0}\n{0}c\t{0}\n{0}d\t{0}d\n", base);
    }
    std::ofstream(folder_ / "docs.jsonl") << documents;
    std::ofstream(folder_ / "labels.tsv") << labels;
    std::ofstream(folder_ / "clusters.tsv") << clusters;
    std::ofstream(folder_ / "set.json") << R"({"name": "made-up", "world": "closed"})";
  }
  void TearDown() override { fs::remove_all(folder_); }

  static void add_document(const std::string& id, const std::string& text, int number, std::string& documents) {
    documents += R"({"id": ")" + id + R"(", "lang": ")" + (number % 2 == 0 ? "xx" : "yy") +
                 (number % 2 == 0 ? "" : R"(", "page_type": "news)") + R"(", "text": ")" + text + "\"}\n";
  }

  EvaluateOptions options() const {
    EvaluateOptions made;
    made.sets = {folder_.string()};
    made.algorithms = {"paragraph,digest-text"};
    made.resources.threads = 2;
    return made;
  }

  void write_labels(const std::string& labels) { std::ofstream(folder_ / "labels.tsv") << labels; }

  fs::path folder_ = fs::temp_directory_path() / ("paraprint-evaluate-test-" + std::to_string(getpid()));
};

TEST_F(EvaluateTest, FiguresMatchTheConstructedSet) {
  const Result<EvaluateOutcome> evaluation = evaluate(options(), {});
  ASSERT_TRUE(evaluation) << evaluation.error().message;
  const SetEvaluation& set = evaluation->sets.at(0);
  EXPECT_EQ(set.pages, 40U);
  EXPECT_TRUE(set.is_closed);
  EXPECT_EQ(set.labels.duplicate, 10U);
  EXPECT_EQ(set.labels.near, 20U);
  EXPECT_EQ(set.clusters, 20U);
  const AlgorithmEvaluation& paragraph = set.algorithms.at(0);
  EXPECT_EQ(paragraph.at_default.lenient.f1, 1);
  EXPECT_EQ(paragraph.lenient.average_precision, 1);
  EXPECT_EQ(paragraph.held_out.test.lenient.f1, 1);
  ASSERT_TRUE(paragraph.clusters);
  EXPECT_DOUBLE_EQ(paragraph.clusters->v_measure, 1);
  EXPECT_TRUE(paragraph.misses.empty());
  EXPECT_GT(paragraph.costs.fingerprint_bytes, 0U);
  EXPECT_GT(paragraph.costs.memory_peak_bytes, 0U);
  const AlgorithmEvaluation& digest = set.algorithms.at(1);
  EXPECT_EQ(digest.at_default.lenient.precision, 1);
  EXPECT_DOUBLE_EQ(digest.at_default.lenient.recall, 1.0 / 3);
  EXPECT_EQ(digest.at_default.reported.duplicate, 10U);
  EXPECT_EQ(digest.misses.size(), 10U);
  ASSERT_EQ(digest.by_edit.size(), 2U);
  EXPECT_EQ(digest.by_edit[0].name, "copy");
  EXPECT_EQ(digest.by_edit[0].reported.duplicate, 10U);
  EXPECT_EQ(digest.by_edit[1].name, "insertion");
  EXPECT_EQ(digest.by_edit[1].reported.near, 0U);
  ASSERT_EQ(digest.by_language.size(), 2U);
  EXPECT_EQ(digest.by_language[0].name, "xx");
  EXPECT_EQ(digest.by_language[0].labelled.duplicate, 5U);
  ASSERT_EQ(digest.by_page_type.size(), 2U);
  EXPECT_EQ(digest.by_page_type[0].name, "news");
  EXPECT_EQ(digest.by_page_type[0].labelled.duplicate, 5U);
  EXPECT_EQ(digest.by_page_type[1].name, "unknown");
  EXPECT_THAT(evaluation->table, HasSubstr("by page type"));
  EXPECT_DOUBLE_EQ(digest.costs.bytes_per_page, 16);
  EXPECT_THAT(evaluation->table, HasSubstr("40 pages, closed world"));
  ASSERT_EQ(digest.by_edit_alone.size(), 2U);
  EXPECT_EQ(digest.by_edit_alone[1].labelled.near, 20U);
  ASSERT_EQ(digest.by_edit_count.size(), 1U);
  EXPECT_EQ(digest.by_edit_count[0].labelled.positives(), 30U);
  EXPECT_THAT(evaluation->table, HasSubstr("alone"));
}

TEST_F(EvaluateTest, OutputDoesNotDependOnThreads) {
  EvaluateOptions first = options();
  first.out = (folder_ / "one").string();
  first.write_pairs = true;
  first.resources.threads = 1;
  EvaluateOptions second = first;
  second.out = (folder_ / "two").string();
  second.resources.threads = 2;
  ASSERT_TRUE(evaluate(first, {}));
  ASSERT_TRUE(evaluate(second, {}));
  for (const char* name : {"results.json", "results.csv", "breakdown.csv"}) {
    EXPECT_FALSE(read_file(folder_ / "one" / name).empty());
    EXPECT_EQ(read_file(folder_ / "one" / name), read_file(folder_ / "two" / name)) << name;
  }
  const std::string set = folder_.filename().string();
  EXPECT_EQ(read_file(folder_ / "one/pairs" / set / "paragraph.tsv"),
            read_file(folder_ / "two/pairs" / set / "paragraph.tsv"));
  const std::string page = read_file(folder_ / "one/report/index.html");
  EXPECT_THAT(page, HasSubstr("</html>"));
  EXPECT_THAT(page, HasSubstr("of pairs with no other edit"));
  EXPECT_THAT(read_file(folder_ / "one/breakdown.csv"),
              HasSubstr(",digest-text,edit alone,copy,10,10,0,0,0,0,0,0,0\n"));
  EXPECT_THAT(read_file(folder_ / "one/results.json"), HasSubstr("\"by_edit_count\""));
}

TEST_F(EvaluateTest, PagesAndLabelsCanBeGivenSeparately) {
  EvaluateOptions made = options();
  made.sets.clear();
  made.inputs = {{(folder_ / "docs.jsonl").string()}, (folder_ / "clusters.tsv").string(), ""};
  const Result<EvaluateOutcome> evaluation = evaluate(made, {});
  ASSERT_TRUE(evaluation) << evaluation.error().message;
  EXPECT_EQ(evaluation->sets.at(0).labels.near, 30U);
  EXPECT_EQ(evaluation->sets.at(0).algorithms.at(0).at_default.lenient.f1, 1);
}

TEST_F(EvaluateTest, EndsWhenAskedToStop) {
  const std::atomic<bool> stop{true};
  RunControl control;
  control.stop = &stop;
  EvaluateOptions stopped = options();
  stopped.out = (folder_ / "out").string();
  const Result<EvaluateOutcome> evaluation = evaluate(stopped, control);
  ASSERT_FALSE(evaluation);
  EXPECT_EQ(evaluation.error().code, ErrorCode::kCancelled);
  EXPECT_FALSE(fs::exists(folder_ / "out/results.json"));
}

TEST_F(EvaluateTest, RejectsInvalidSetsAndWritesNothing) {
  const auto expect_refused = [&](EvaluateOptions refused, std::string_view reason) {
    refused.out = (folder_ / "out").string();
    const Result<EvaluateOutcome> evaluation = evaluate(refused, {});
    ASSERT_FALSE(evaluation) << reason;
    EXPECT_EQ(evaluation.error().code, ErrorCode::kInvalidArgument);
    EXPECT_THAT(evaluation.error().message, HasSubstr(std::string(reason)));
    EXPECT_FALSE(fs::exists(folder_ / "out"));
  };
  EvaluateOptions wrong = options();
  wrong.algorithms = {"digest-txt"};
  expect_refused(wrong, "did you mean 'digest-text'");
  wrong = options();
  wrong.world = "flat";
  expect_refused(wrong, "must be open or closed");
  wrong = options();
  wrong.sweep = {"digest-text"};
  expect_refused(wrong, "ALGORITHM:PARAMETER=VALUE");
  wrong = options();
  wrong.sweep = {"paragraph:paragraph_bits=99"};
  expect_refused(wrong, "0 to 32");
  wrong = options();
  wrong.sets.clear();
  expect_refused(wrong, "no labelled set");
  write_labels("t0a\tnobody\tdup\n");
  expect_refused(options(), "line 1: no page has the id 'nobody'");
  write_labels("t0a\tt0b\tdup\nt0b\tt0a\tdiff\n");
  expect_refused(options(), "is already labelled on line 1");
  write_labels("");
  expect_refused(options(), "no labels");
  write_labels("t0a\tt0b\tdup\n");
  std::ofstream(folder_ / "docs.jsonl") << "";
  expect_refused(options(), "contains no page");
}

TEST_F(EvaluateTest, PairsOfSetsOfOneNameAreNotWritten) {
  const fs::path folder = folder_ / "b" / folder_.filename();
  fs::create_directories(folder);
  for (const char* name : {"docs.jsonl", "labels.tsv"}) fs::copy_file(folder_ / name, folder / name);
  EvaluateOptions both = options();
  both.sets.push_back(folder.string());
  both.out = (folder_ / "out").string();
  both.write_pairs = true;
  const Result<EvaluateOutcome> refused = evaluate(both, {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(refused.error().message, HasSubstr(folder_.string() + " and " + folder.string()));
  EXPECT_FALSE(fs::exists(folder_ / "out"));
  both.write_pairs = false;
  EXPECT_TRUE(evaluate(both, {}));
}

TEST_F(EvaluateTest, RepeatedIdsAreRejected) {
  std::ofstream(folder_ / "docs.jsonl", std::ios::app) << R"({"id": "t0a", "text": "again"})"
                                                       << "\n";
  const Result<EvaluateOutcome> evaluation = evaluate(options(), {});
  ASSERT_FALSE(evaluation);
  EXPECT_THAT(evaluation.error().message, HasSubstr("1 pages have the id of another page"));
}

TEST_F(EvaluateTest, LabelledPagesWithoutTextAreNeverReported) {
  std::ofstream(folder_ / "docs.jsonl", std::ios::app) << R"({"id": "e1", "text": ""})"
                                                       << "\n"
                                                       << R"({"id": "e2", "text": ""})"
                                                       << "\n";
  std::ofstream(folder_ / "labels.tsv", std::ios::app) << "e1\te2\tdup\t\n";
  const Result<EvaluateOutcome> evaluation = evaluate(options(), {});
  ASSERT_TRUE(evaluation) << evaluation.error().message;
  EXPECT_EQ(evaluation->sets.at(0).pages_unreadable, 2U);
  EXPECT_EQ(evaluation->sets.at(0).algorithms.at(0).at_default.false_negatives, 1U);
}

TEST(MemoryMeter, ReportsAPastPeak) {
  constexpr std::size_t kBlockBytes = std::size_t{64} << 20;
  if (MemoryMeter::method().find("reset before") == std::string_view::npos) GTEST_SKIP() << "sampled";
  const MemoryMeter meter;
  { const std::vector<char> block(kBlockBytes, 'x'); }
  if (meter.peak_bytes() == 0) GTEST_SKIP() << "no /proc";
  EXPECT_GE(meter.peak_bytes(), meter.baseline_bytes() + kBlockBytes / 2);
}

}  // namespace
}  // namespace paraprint
