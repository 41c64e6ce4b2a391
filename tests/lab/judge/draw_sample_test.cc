// Samples drawn from pages: which pairs, with which weights, independent of threads and of the order of the input, and
// exact figures if all of them are judged by the truth.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <set>
#include <sstream>

#include "paraprint/judged_samples.h"

namespace paraprint {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

std::string read_file(const fs::path& path) {
  std::ostringstream bytes;
  bytes << std::ifstream(path, std::ios::binary).rdbuf();
  return bytes.str();
}

std::vector<std::string> lines_of(const fs::path& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

std::vector<std::string> made_up_sentences(unsigned seed, int count) {
  std::mt19937 random(seed);
  std::vector<std::string> sentences;
  for (int i = 0; i < count; ++i) {
    std::string sentence;
    for (int word = 0; word < 12; ++word) {
      for (int letter = 0; letter < 6; ++letter) sentence += static_cast<char>('a' + random() % 26);
      sentence += word == 11 ? "." : " ";
    }
    sentences.push_back(sentence);
  }
  return sentences;
}

std::string page_line(const std::string& id, const std::vector<std::string>& sentences) {
  return fmt::format(R"({{"id": "{}", "url": "http://site/{}", "text": "{}"}})", id, id, fmt::join(sentences, "\\n"));
}

// Thirty articles of 24 sentences. Page c shares all but one with page a, page d half, page e a third; b equals a.
class DrawSampleTest : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    for (unsigned n = 0; n < 30; ++n) {
      const std::vector<std::string> base = made_up_sentences(n, 24);
      const std::vector<std::string> other = made_up_sentences(1000 + n, 24);
      const auto mixed = [&](std::size_t own) {
        std::vector<std::string> sentences(base.begin(), base.begin() + static_cast<std::ptrdiff_t>(own));
        sentences.insert(sentences.end(), other.begin(), other.end() - static_cast<std::ptrdiff_t>(own));
        return sentences;
      };
      const std::string id = fmt::format("t{}", n);
      pages_.push_back(page_line(id + "a", base));
      pages_.push_back(page_line(id + "b", base));
      pages_.push_back(page_line(id + "c", mixed(23)));
      pages_.push_back(page_line(id + "d", mixed(14)));
      pages_.push_back(page_line(id + "e", mixed(9)));
    }
    write_pages();
  }
  void TearDown() override { fs::remove_all(folder_); }

  void write_pages() const {
    std::ofstream file(folder_ / "docs.jsonl");
    for (const std::string& page : pages_) file << page << "\n";
  }

  EvaluateOptions options(const std::string& out) const {
    EvaluateOptions made;
    made.inputs.pages = {(folder_ / "docs.jsonl").string()};
    made.algorithms = {"paragraph", "minhash", "simhash-64"};
    made.resources.threads = 2;
    made.out = (folder_ / out).string();
    return made;
  }

  // The truth of this test: pages are copies if they share all but one sentence.
  static bool is_copy(const std::string& line) {
    const std::string a = field(line, "id_a");
    const std::string b = field(line, "id_b");
    const auto kind = [](const std::string& id) { return id.back() == 'a' || id.back() == 'b' || id.back() == 'c'; };
    return a.substr(0, a.size() - 1) == b.substr(0, b.size() - 1) && kind(a) && kind(b);
  }
  static std::string field(const std::string& line, const std::string& name) {
    const std::size_t begin = line.find("\"" + name + "\":\"") + name.size() + 4;
    return line.substr(begin, line.find('"', begin) - begin);
  }

  std::string judge(const fs::path& sample, const std::string& name) const {
    std::ofstream file(folder_ / name);
    for (const std::string& line : lines_of(sample)) {
      std::string judged = line;
      const std::size_t at = judged.find("\"judgement\":\"\"");
      if (at != std::string::npos) judged.insert(at + 13, is_copy(line) ? "y" : "n");
      file << judged << "\n";
    }
    return (folder_ / name).string();
  }

  fs::path folder_ = fs::temp_directory_path() / ("paraprint-draw-test-" + std::to_string(getpid()));
  std::vector<std::string> pages_;
};

TEST_F(DrawSampleTest, JudgingEveryPairGivesExactFigures) {
  const Result<DrawnSample> drawn = draw_sample(options("all"), 10'000);
  ASSERT_TRUE(drawn) << drawn.error().message;
  EXPECT_EQ(drawn->pairs, drawn->pooled_pairs);
  const std::vector<std::string> lines = lines_of(drawn->path);
  ASSERT_EQ(lines.size(), drawn->pairs + 1);
  // Counted from the lines themselves.
  std::map<std::string, std::pair<double, double>> counts;  // found, and copies of these
  double copies = 0;
  double found_copies = 0;
  std::set<std::string> pairs;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    EXPECT_TRUE(pairs.insert(field(lines[i], "id_a") + " " + field(lines[i], "id_b")).second);
    EXPECT_THAT(lines[i], HasSubstr("\"weight\":1.000000,"));
    const std::string found = lines[i].substr(lines[i].find("\"found_by\":["));
    const std::string names = found.substr(0, found.find(']'));
    copies += is_copy(lines[i]) ? 1 : 0;
    found_copies += is_copy(lines[i]) && names.size() > 12 ? 1 : 0;
    for (const std::string name : {"paragraph", "minhash", "simhash-64"}) {
      if (names.find("\"" + name + "\"") == std::string::npos) continue;
      counts[name].first += 1;
      counts[name].second += is_copy(lines[i]) ? 1 : 0;
    }
  }
  EXPECT_EQ(copies, 30);  // a and c; b is the same text as a
  JudgementOptions judged;
  judged.files = {judge(drawn->path, "truth.jsonl")};
  const Result<JudgedEvaluation> evaluation = evaluate_judgements(judged);
  ASSERT_TRUE(evaluation) << evaluation.error().message;
  EXPECT_EQ(evaluation->equal_texts, 30U);
  EXPECT_EQ(evaluation->unusable_lines, 0U);
  ASSERT_EQ(evaluation->algorithms.size(), 3U);
  for (const JudgedAlgorithm& algorithm : evaluation->algorithms) {
    const auto& [found, right] = counts[algorithm.label];
    EXPECT_EQ(static_cast<double>(algorithm.pairs), found);
    EXPECT_DOUBLE_EQ(algorithm.precision.estimate, right / found);
    EXPECT_NEAR(algorithm.precision.interval.high, right / found, 1e-9);
    EXPECT_DOUBLE_EQ(algorithm.pooled_recall.estimate, right / found_copies);
    EXPECT_DOUBLE_EQ(algorithm.recall.estimate, right / copies);
    EXPECT_NEAR(algorithm.recall.interval.low, right / copies, 1e-9);
  }
  EXPECT_EQ(evaluation->algorithms[0].recall.estimate, 1);
}

TEST_F(DrawSampleTest, WeightsAddUpToThePool) {
  const Result<DrawnSample> drawn = draw_sample(options("some"), 40);
  ASSERT_TRUE(drawn) << drawn.error().message;
  EXPECT_EQ(drawn->pairs, 40U);
  EXPECT_GT(drawn->pooled_pairs, 40U);
  double weights = 0;
  const std::vector<std::string> lines = lines_of(drawn->path);
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const std::size_t at = lines[i].find("\"weight\":") + 9;
    weights += std::stod(lines[i].substr(at, lines[i].find(',', at) - at));
    EXPECT_LT(field(lines[i], "id_a"), field(lines[i], "id_b"));
    EXPECT_THAT(lines[i], HasSubstr("\"url_a\":\"http://site/" + field(lines[i], "id_a")));
    EXPECT_GT(field(lines[i], "text_a").size(), 1000U);
  }
  EXPECT_NEAR(weights, static_cast<double>(drawn->pooled_pairs), 1e-3);
  EXPECT_THAT(read_file(drawn->pages_path), HasSubstr("Pair 40"));
}

TEST_F(DrawSampleTest, NeitherThreadsNorTheOrderOfPagesMatter) {
  const Result<DrawnSample> first = draw_sample(options("first"), 40);
  ASSERT_TRUE(first);
  std::shuffle(pages_.begin(), pages_.end(), std::mt19937(3));
  write_pages();
  EvaluateOptions reordered = options("second");
  reordered.resources.threads = 1;
  const Result<DrawnSample> second = draw_sample(reordered, 40);
  ASSERT_TRUE(second);
  EXPECT_EQ(read_file(first->path), read_file(second->path));
  EXPECT_EQ(first->sample, second->sample);
  EvaluateOptions reseeded = options("third");
  reseeded.seed = 2;
  const Result<DrawnSample> third = draw_sample(reseeded, 40);
  ASSERT_TRUE(third);
  EXPECT_NE(first->sample, third->sample);
}

TEST_F(DrawSampleTest, RequestsThatCannotBeMet) {
  const auto refusal = [&](const EvaluateOptions& wrong, std::uint32_t pairs) {
    const Result<DrawnSample> drawn = draw_sample(wrong, pairs);
    return drawn ? std::string("accepted") : drawn.error().message;
  };
  EXPECT_THAT(refusal(options("x"), 5), HasSubstr("10 to 10000"));
  EXPECT_THAT(refusal(options("x"), 20'000), HasSubstr("10 to 10000"));
  EvaluateOptions without = options("x");
  without.out.clear();
  EXPECT_THAT(refusal(without, 20), HasSubstr("output folder"));
  without = options("x");
  without.inputs.pages.clear();
  EXPECT_THAT(refusal(without, 20), HasSubstr("one set of pages"));
  without = options("x");
  without.inputs.labels = "labels.tsv";
  EXPECT_THAT(refusal(without, 20), HasSubstr("without labels"));
  fs::create_directories(folder_ / "judging");
  std::ofstream(folder_ / "judging" / "sample.jsonl") << "work";
  EXPECT_THAT(refusal(options("judging"), 20), HasSubstr("may contain judgements"));
  EXPECT_EQ(read_file(folder_ / "judging" / "sample.jsonl"), "work");
  pages_ = {page_line("one", made_up_sentences(1, 24)), page_line("two", made_up_sentences(2, 24))};
  write_pages();
  EXPECT_THAT(refusal(options("x"), 20), HasSubstr("no algorithm finds a pair"));
  EXPECT_FALSE(fs::exists(folder_ / "x"));
}

}  // namespace
}  // namespace paraprint
