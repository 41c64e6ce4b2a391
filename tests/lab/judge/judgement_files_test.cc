// Judgement files: what is written is read, whoever edits it, and what cannot be used is named.
#include "lab/judge/judgement_files.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace paraprint {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

SampleFrame frame_of() {
  SampleFrame frame;
  frame.sample = "00112233445566aa";
  frame.seed = 18446744073709551615U;
  frame.pages = 10;
  frame.equal_texts = 2;
  frame.algorithms = {{"paragraph", "paragraph", {0.5, 0.25}, 23}, {"min\"hash", "minhash:x=1", {0.8, 0.4}, 9}};
  frame.strata = {{{1, 3}, false, 20, 2, {20, 0}}, {{0, 1}, true, 10, 2, {3, 9}}, {{0, 2}, false, 7, 1, {0, 0}}};
  return frame;
}

std::string head_line(const SampleFrame& frame) {
  JsonWriter json;
  write_head(frame, json);
  return json.take();
}

std::string pair_line(const SampleFrame& frame, const SampledPair& pair) {
  JsonWriter json;
  write_pair(frame, pair, {pair.id_a, "http://a/", "A \"title\"", "One line.\nAnother.", true},
             {pair.id_b, "", "", "", false}, {{"paragraph", 0.75}}, json);
  return json.take();
}

std::string with_judgement(std::string line, const std::string& judgement, const std::string& judge = "") {
  const std::string empty = R"("judgement":"","judge":"")";
  const std::size_t at = line.find(empty);
  return line.replace(at, empty.size(), fmt::format(R"("judgement":{},"judge":"{}")", judgement, judge));
}

class JudgementFilesTest : public ::testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override { fs::remove_all(folder_); }

  std::string write(const std::string& name, const std::vector<std::string>& lines) {
    const fs::path path = folder_ / name;
    fs::create_directories(path.parent_path());
    std::ofstream file(path, std::ios::binary);
    for (const std::string& line : lines) file << line << "\n";
    return path.string();
  }

  std::vector<std::string> sample_lines() const {
    std::vector<std::string> lines = {head_line(frame_)};
    for (const SampledPair& pair : pairs_) lines.push_back(pair_line(frame_, pair));
    return lines;
  }

  Result<JudgedSample> read(const std::vector<std::string>& files) {
    warnings_.clear();
    RunControl control;
    control.warning = [&](std::string_view line) { warnings_.emplace_back(line); };
    ProgressReporter progress(control);
    return read_judgements(files, progress);
  }

  const fs::path folder_ = fs::temp_directory_path() / ("paraprint-judgements-" + std::to_string(getpid()));
  const SampleFrame frame_ = frame_of();
  const std::vector<SampledPair> pairs_ = {
      {1, "a1", "b1", 0, 1}, {2, "a\xE4\xB8\xAD", "b2", 1, 2}, {3, "a3", "b3", 2, 0}, {4, "a4", "b4", 1, 3}};
  std::vector<std::string> warnings_;
};

TEST_F(JudgementFilesTest, WhatIsWrittenIsRead) {
  const auto sample = read({write("sample.jsonl", sample_lines())});
  ASSERT_TRUE(sample) << sample.error().message;
  EXPECT_EQ(head_line(sample->frame), head_line(frame_));
  ASSERT_EQ(sample->pairs.size(), pairs_.size());
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    const SampledPair& pair = sample->pairs[i].pair;
    EXPECT_EQ(pair.number, i + 1);
    EXPECT_EQ(pair.id_a, pairs_[i].id_a);
    EXPECT_EQ(pair.stratum, pairs_[i].stratum);
    EXPECT_EQ(pair.found_by, pairs_[i].found_by);
    EXPECT_TRUE(sample->pairs[i].votes.empty());
  }
  EXPECT_EQ(sample->unusable_lines, 0U);
  EXPECT_THAT(warnings_, ElementsAre());
}

TEST_F(JudgementFilesTest, EverySpellingOfAJudgement) {
  for (const auto& [text, expected] : {std::pair<std::string, Judgement>{R"("y")", Judgement::kCopy},
                                       {R"(" Yes ")", Judgement::kCopy},
                                       {R"("dup")", Judgement::kCopy},
                                       {R"("NEAR")", Judgement::kCopy},
                                       {"true", Judgement::kCopy},
                                       {R"("n")", Judgement::kDifferent},
                                       {R"("diff")", Judgement::kDifferent},
                                       {R"("topic")", Judgement::kDifferent},
                                       {"false", Judgement::kDifferent},
                                       {R"("?")", Judgement::kUnsure},
                                       {"null", Judgement::kNone},
                                       {R"("  ")", Judgement::kNone}}) {
    std::vector<std::string> lines = sample_lines();
    lines[1] = with_judgement(lines[1], text);
    const auto sample = read({write("sample.jsonl", lines)});
    ASSERT_TRUE(sample) << text;
    EXPECT_EQ(decision_of(sample->pairs[0].votes), expected) << text;
    EXPECT_THAT(warnings_, ElementsAre()) << text;
  }
}

TEST_F(JudgementFilesTest, JudgesAreNamedByFieldOrFile) {
  std::vector<std::string> ann = sample_lines();
  ann[1] = with_judgement(ann[1], R"("y")");
  std::vector<std::string> named = sample_lines();
  named[1] = with_judgement(named[1], R"("n")", "bob");
  const auto sample = read({write("ann.jsonl", ann), write("other.jsonl", named)});
  ASSERT_TRUE(sample);
  ASSERT_EQ(sample->judges.size(), 2U);
  EXPECT_EQ(sample->judges[0].name, "ann");
  EXPECT_EQ(sample->judges[0].copies, 1U);
  EXPECT_EQ(sample->judges[1].name, "bob");
  EXPECT_EQ(sample->judges[1].different, 1U);
  EXPECT_EQ(sample->pairs[0].votes.size(), 2U);
  const auto same_name = read({write("one/sample.jsonl", ann), write("two/sample.jsonl", ann)});
  ASSERT_TRUE(same_name);
  EXPECT_EQ(same_name->judges.size(), 2U);
}

// What an explorer appends: nothing but ids and judgement, in a file of its own; the last line counts.
TEST_F(JudgementFilesTest, ShortLinesJudgeToo) {
  const std::string labels = write(
      "labels.jsonl", {R"({"id_a":"b1","id_b":"a1","judgement":"n","judge":"cy"})",
                       R"({"id_a":"a1","id_b":"b1","judgement":"y","judge":"cy","sample":"00112233445566aa"})",
                       R"({"id_a":"a3","id_b":"b3","judgement":"?","judge":"cy","time":"2026-01-01T00:00:00Z"})"});
  const auto sample = read({labels, write("sample.jsonl", sample_lines())});
  ASSERT_TRUE(sample) << sample.error().message;
  EXPECT_EQ(decision_of(sample->pairs[0].votes), Judgement::kCopy);
  EXPECT_EQ(decision_of(sample->pairs[2].votes), Judgement::kUnsure);
  ASSERT_EQ(sample->judges.size(), 1U);
  EXPECT_EQ(sample->judges[0].revised, 1U);
  EXPECT_EQ(sample->unusable_lines, 0U);
}

// Files are read in the order of their paths, so those of judges may come before the sample's.
TEST_F(JudgementFilesTest, JudgementsOfAnotherSampleDoNotCountInAnyOrderOfFiles) {
  const std::string own = R"({"id_a":"a1","id_b":"b1","judgement":"n","judge":"cy","sample":"00112233445566aa"})";
  const std::string foreign = R"({"id_a":"a1","id_b":"b1","judgement":"y","judge":"di","sample":"ffffffffffffffff"})";
  const std::string sample_file = write("m.jsonl", sample_lines());
  for (const std::string name : {"a.jsonl", "z.jsonl"}) {
    const auto sample = read({write(name, {own, foreign}), sample_file});
    ASSERT_TRUE(sample) << sample.error().message;
    EXPECT_EQ(decision_of(sample->pairs[0].votes), Judgement::kDifferent) << name;
    EXPECT_EQ(sample->pairs[0].votes.size(), 1U) << name;
    EXPECT_EQ(sample->unusable_lines, 1U) << name;
    EXPECT_THAT(warnings_, ElementsAre(HasSubstr(name + ": line 2: judges a pair of another sample")));
    fs::remove(folder_ / name);
  }
}

TEST_F(JudgementFilesTest, UnusableLinesAreNamedAndCounted) {
  std::vector<std::string> lines = sample_lines();
  lines[1] = with_judgement(lines[1], R"("maybe")");
  lines[2] = with_judgement(lines[2], "y");  // not JSON
  lines[3] = with_judgement(lines[3], "7");
  lines.push_back("[1]");
  lines.push_back(R"({"id_a":"nobody","id_b":"b1","judgement":"y"})");
  lines.push_back(R"({"id_a":"a1","judgement":"y"})");
  lines.push_back(R"({"id_a":"a1","id_b":"b1"})");
  lines.push_back(R"({"id_a":"a1","id_b":"b1","judgement":"y","sample":"ffffffffffffffff"})");
  lines.push_back("");
  const auto sample = read({write("sample.jsonl", lines)});
  ASSERT_TRUE(sample) << sample.error().message;
  EXPECT_EQ(sample->unusable_lines, 8U);
  ASSERT_EQ(warnings_.size(), 8U);
  for (const std::string& warning : warnings_) EXPECT_THAT(warning, HasSubstr("sample.jsonl"));
  const std::string all = fmt::format("{}", fmt::join(warnings_, "\n"));
  for (const std::string expected : {"line 2: field \"judgement\" is 'maybe'; it must be y, n, ? or empty", "(line 3)",
                                     "line 4: field \"judgement\"", "(line 6)", "line 7: the sample has no such pair",
                                     "line 8: missing field \"id_b\"", "line 9: missing field \"judgement\"",
                                     "line 10: judges a pair of another sample"}) {
    EXPECT_THAT(all, HasSubstr(expected));
  }
  EXPECT_EQ(sample->pairs.size(), 1U);  // the fourth is intact
}

TEST_F(JudgementFilesTest, PairsThatContradictTheHeadAreRefused) {
  std::vector<std::string> lines = {head_line(frame_)};
  lines.push_back(pair_line(frame_, {1, "a", "b", 2, 0}));
  lines.push_back(pair_line(frame_, {2, "c", "d", 2, 0}));  // one more than was drawn
  lines.push_back(pair_line(frame_, {3, "e", "f", 0, 2}));  // not found by the stratum's algorithm
  lines.push_back(pair_line(frame_, {4, "g", "h", 1, 0}));  // found by none
  std::string far = pair_line(frame_, {5, "i", "j", 0, 1});
  lines.push_back(far.replace(far.find("\"stratum\":1"), 11, "\"stratum\":4"));
  const auto sample = read({write("sample.jsonl", lines)});
  ASSERT_TRUE(sample);
  EXPECT_EQ(sample->pairs.size(), 1U);
  EXPECT_EQ(sample->unusable_lines, 4U);
}

TEST_F(JudgementFilesTest, HeadsThatContradictThemselvesAreErrors) {
  const std::string head = head_line(frame_);
  for (const auto& [from, to] : {std::pair<std::string, std::string>{"\"pairs\":23", "\"pairs\":24"},
                                 {"\"found\":[20,0]", "\"found\":[20,1]"},
                                 {"\"found\":[20,0]", "\"found\":[20]"},
                                 {"\"found\":[3,9]", "\"found\":[3,11]"},
                                 {"\"sampled\":2", "\"sampled\":21"},
                                 {"\"kind\":\"below\"", "\"kind\":\"found\""},
                                 {"\"band\":\"high\"", "\"band\":\"top\""},
                                 {"\"paraprint_sample\":1", "\"paraprint_sample\":2"},
                                 {"\"pages\":10", "\"pages\":-1"},
                                 {"\"seed\":18446744073709551615", "\"seed\":\"x\""}}) {
    std::string changed = head;
    ASSERT_NE(changed.find(from), std::string::npos) << from;
    changed.replace(changed.find(from), from.size(), to);
    const auto sample = read({write("sample.jsonl", {changed})});
    ASSERT_FALSE(sample) << to;
    EXPECT_THAT(sample.error().message, HasSubstr("sample.jsonl"));
  }
}

TEST_F(JudgementFilesTest, FilesOfDifferentSamplesAndFilesWithoutAHead) {
  SampleFrame other = frame_;
  other.sample = "ff";
  const std::string first = write("first.jsonl", sample_lines());
  const auto both = read({first, write("second.jsonl", {head_line(other)})});
  ASSERT_FALSE(both);
  EXPECT_THAT(both.error().message, HasSubstr("different samples"));
  const auto none = read({write("labels.jsonl", {R"({"id_a":"a1","id_b":"b1","judgement":"y"})"})});
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error().message, HasSubstr("--sample"));
  EXPECT_FALSE(read({(folder_ / "missing.jsonl").string()}));
}

}  // namespace
}  // namespace paraprint
