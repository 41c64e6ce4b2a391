// Whole runs over small crawls: the results, and their independence of threads, memory, file order and kills.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <set>
#include <sstream>

#include "paraprint/algorithms.h"
#include "paraprint/engine.h"

namespace paraprint {
namespace {

namespace fs = std::filesystem;

std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

// Every output file except the work folder and timing.json, by relative path.
std::map<std::string, std::string> output_files(const fs::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string name = fs::relative(entry.path(), folder).string();
    if (!entry.is_regular_file() || name.starts_with(".paraprint") || name == "timing.json") continue;
    files[name] = read_file(entry.path());
  }
  return files;
}

// The names of files that differ or exist on one side only: short enough for a failure message.
std::vector<std::string> differing_files(const std::map<std::string, std::string>& x,
                                         const std::map<std::string, std::string>& y) {
  std::vector<std::string> names;
  for (const auto& [name, bytes] : x) {
    if (!y.contains(name) || y.at(name) != bytes) names.push_back(name);
  }
  for (const auto& [name, bytes] : y) {
    if (!x.contains(name)) names.push_back(name);
  }
  return names;
}

// Sentences of a made-up language: enough distinct words that unrelated texts stay unrelated.
class Writer {
 public:
  explicit Writer(std::uint32_t seed) : random_(seed) {}

  std::string sentence() {
    std::string text;
    const std::size_t words = 12 + random_() % 10;
    for (std::size_t i = 0; i < words; ++i) {
      text += i == 0 ? "" : " ";
      text += word();
    }
    text[0] = static_cast<char>(text[0] - 'a' + 'A');
    return text + ".";
  }

  std::vector<std::string> article(std::size_t paragraphs) {
    std::vector<std::string> result;
    for (std::size_t p = 0; p < paragraphs; ++p) {
      std::string text;
      for (int s = 0; s < 4; ++s) text += (s == 0 ? "" : " ") + sentence();
      result.push_back(text);
    }
    return result;
  }

 private:
  std::string word() {
    std::string text;
    const std::size_t syllables = 2 + random_() % 2;
    for (std::size_t i = 0; i < syllables; ++i) {
      text += "bdfgklmnprstv"[random_() % 13];
      text += "aeiou"[random_() % 5];
    }
    return text;
  }
  std::mt19937 random_;
};

std::string json_line(const std::string& id, const std::string& url, const std::string& date,
                      const std::vector<std::string>& paragraphs) {
  std::string html = "<html><body><article>";
  for (const std::string& paragraph : paragraphs) html += "<p>" + paragraph + "</p>";
  return "{\"id\":\"" + id + "\",\"url\":\"" + url + "\",\"date\":\"" + date + "\",\"html\":\"" + html +
         "</article></body></html>\"}\n";
}

class DedupTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("paraprint-dedup-" + std::to_string(::getpid()) + "-" +
                                           ::testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& bytes) {
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
    return (folder_ / name).string();
  }

  DedupOptions options(std::vector<std::string> inputs, const std::string& out = "out") {
    DedupOptions result;
    result.inputs = std::move(inputs);
    result.output.out = (folder_ / out).string();
    result.resources.threads = 2;
    return result;
  }

  // Two files of articles, copies, edits, excerpts and broken lines.
  std::vector<std::string> write_crawl(int articles = 40) {
    std::string first;
    std::string second;
    for (int i = 0; i < articles; ++i) {
      Writer writer(static_cast<std::uint32_t>(i));
      std::vector<std::string> text = writer.article(5);
      const std::string n = std::to_string(i);
      first += json_line("a" + n, "https://one.example/" + n, "2024-01-01T00:00:00Z", text);
      if (i % 3 == 0) second += json_line("same" + n, "https://two.example/" + n, "2023-01-01T00:00:00Z", text);
      if (i % 4 == 0) {
        std::rotate(text.begin(), text.begin() + 2, text.end());
        text[1].replace(0, text[1].find(' '), "Edited");
        second += json_line("near" + n, "https://three.example/" + n, "2024-02-01T00:00:00Z", text);
      }
      if (i % 5 == 0) {
        second += json_line("part" + n, "https://four.example/" + n, "2024-03-01T00:00:00Z", {text[0], text[1]});
      }
    }
    second += "{\"id\":\"broken\", \"html\": \n";
    second += json_line("empty", "https://one.example/empty", "", {});
    return {write("first.jsonl", first), write("second.jsonl", second)};
  }

  static std::map<std::string, std::string> verdicts(const fs::path& out) {
    std::map<std::string, std::string> result;
    std::istringstream lines(read_file(out / "matches.tsv"));
    std::string a;
    std::string b;
    std::string score;
    std::string verdict;
    while (std::getline(lines, a, '\t') && std::getline(lines, b, '\t') && std::getline(lines, score, '\t') &&
           std::getline(lines, verdict)) {
      a += ' ';
      a += b;
      result[a] = verdict;
    }
    return result;
  }

  fs::path folder_;
};

TEST_F(DedupTest, DistinguishesSameNearContainedAndDistinctPages) {
  const Result<DedupOutcome> outcome = deduplicate(options(write_crawl()), {});
  ASSERT_TRUE(outcome.has_value()) << outcome.error().message;
  const auto found = verdicts(folder_ / "out");
  EXPECT_EQ(found.at("a0 same0"), "same");
  EXPECT_EQ(found.at("a0 near0"), "near");
  EXPECT_EQ(found.at("a0 part0"), "contains");
  EXPECT_EQ(found.at("a5 part5"), "contains");
  EXPECT_FALSE(found.contains("a0 a1"));
  EXPECT_EQ(outcome->pages, 40U + 14U + 10U + 8U + 1U);
  EXPECT_EQ(outcome->pages_removed, 14U + 10U);  // same and near; parts stay
  EXPECT_EQ(outcome->pages_empty, 1U);
  EXPECT_EQ(outcome->broken_records, 1U);
  EXPECT_NE(read_file(folder_ / "out/summary.json").find("bad-json"), std::string::npos);
  EXPECT_TRUE(fs::exists(outcome->report_path));
}

// A text that many pages repeat is boilerplate of their site, and nothing that pages without one could have in common.
TEST_F(DedupTest, PagesWithoutHostHaveNoSite) {
  const auto matches = [this](const std::string& name, const std::string& url) {
    const std::vector<std::string> repeated = Writer(1000).article(2);
    std::string pages;
    for (std::uint32_t i = 0; i < 20; ++i) {
      std::vector<std::string> text = Writer(i).article(2);
      text.insert(text.end(), repeated.begin(), repeated.end());
      pages += json_line("p" + std::to_string(i), url.empty() ? url : url + std::to_string(i), "", text);
    }
    EXPECT_TRUE(deduplicate(options({write(name + ".jsonl", pages)}, name), {}).has_value());
    return verdicts(folder_ / name).size();
  };
  EXPECT_EQ(matches("site", "https://one.example/"), 0U);
  EXPECT_EQ(matches("paths", "/pages/"), 190U);
  EXPECT_EQ(matches("no-url", ""), 190U);
}

TEST_F(DedupTest, SurvivorsAreTheInputWithoutTheRemovedLines) {
  const std::vector<std::string> inputs = write_crawl();
  ASSERT_TRUE(deduplicate(options(inputs), {}).has_value());
  std::set<std::string> removed;
  std::istringstream rows(read_file(folder_ / "out/removed.jsonl"));
  for (std::string row; std::getline(rows, row);) removed.insert(row.substr(7, row.find('"', 7) - 7));
  EXPECT_EQ(removed.size(), 24U);
  for (const char* name : {"first.jsonl", "second.jsonl"}) {
    std::string expected;
    std::istringstream lines(read_file(folder_ / name));
    for (std::string line; std::getline(lines, line);) {
      const bool is_broken = line.find("broken") != std::string::npos;
      if (!is_broken && !removed.contains(line.substr(7, line.find('"', 7) - 7))) expected += line + "\n";
    }
    EXPECT_EQ(read_file(folder_ / "out/records" / name), expected);
  }
}

TEST_F(DedupTest, OutputDoesNotDependOnThreadsMemoryOrFileOrder) {
  const std::vector<std::string> inputs = write_crawl(120);
  ASSERT_TRUE(deduplicate(options(inputs, "reference"), {}).has_value());
  const auto reference = output_files(folder_ / "reference");
  EXPECT_GT(reference.size(), 8U);
  for (const unsigned threads : {1U, 3U, 8U}) {
    DedupOptions other = options({inputs[1], inputs[0]}, "other" + std::to_string(threads));
    other.resources.threads = threads;
    other.resources.memory = std::uint64_t{64} << 20;
    ASSERT_TRUE(deduplicate(other, {}).has_value());
    EXPECT_THAT(differing_files(output_files(other.output.out), reference), ::testing::IsEmpty()) << threads;
  }
}

// A run killed while reading leaves a log that is truncated anywhere.
TEST_F(DedupTest, TruncatedLogIsCompletedToTheSameBytes) {
  const std::vector<std::string> inputs = write_crawl(700);
  ASSERT_TRUE(deduplicate(options(inputs, "reference"), {}).has_value());
  const auto reference = output_files(folder_ / "reference");
  const std::string log = read_file(folder_ / "reference/.paraprint/pages.log");
  for (const double share : {0.0001, 0.02, 0.3, 0.5, 0.77, 0.999}) {
    const fs::path out = folder_ / ("cut" + std::to_string(share));
    fs::create_directories(out / ".paraprint");
    std::ofstream(out / ".paraprint/pages.log", std::ios::binary)
        << log.substr(0, static_cast<std::size_t>(share * static_cast<double>(log.size())));
    ASSERT_TRUE(deduplicate(options(inputs, out.filename().string()), {}).has_value()) << share;
    EXPECT_THAT(differing_files(output_files(out), reference), ::testing::IsEmpty()) << share;
  }
}

TEST_F(DedupTest, ReclusterEqualsAFreshRunWithTheSameThresholds) {
  const std::vector<std::string> inputs = write_crawl();
  ASSERT_TRUE(deduplicate(options(inputs), {}).has_value());
  DedupOptions changed = options(inputs);
  changed.match.near = 0.999;
  changed.survivors.keep = "earliest";
  changed.survivors.remove_contained = true;
  ASSERT_TRUE(recluster(changed, {}).has_value());
  DedupOptions fresh = changed;
  fresh.output.out = (folder_ / "fresh").string();
  ASSERT_TRUE(deduplicate(fresh, {}).has_value());
  // Everything except the name of the command.
  auto reclustered = output_files(folder_ / "out");
  for (const char* name : {"summary.json", "report/index.html"}) {
    std::string& text = reclustered.at(name);
    const std::size_t at = text.find("recluster");
    ASSERT_NE(at, std::string::npos) << name;
    text.replace(at, std::string_view("recluster").size(), "dedup");
  }
  EXPECT_THAT(differing_files(reclustered, output_files(folder_ / "fresh")), ::testing::IsEmpty());
  EXPECT_THAT(verdicts(folder_ / "out").at("a0 near0"), ::testing::AnyOf("contains", "contained"));
}

TEST_F(DedupTest, WritesNoRecordsIfALargerShareThanAllowedWouldBeRemoved) {
  const DedupOptions unlimited = options(write_crawl(), "unlimited");
  const Result<DedupOutcome> outcome = deduplicate(unlimited, {});
  ASSERT_TRUE(outcome.has_value());
  ASSERT_GT(outcome->pages_removed, 0U);
  const double share = static_cast<double>(outcome->pages_removed) / static_cast<double>(outcome->pages);

  DedupOptions limited = options(unlimited.inputs, "limited");
  limited.output.max_removed_share = share * 0.99;
  const Result<DedupOutcome> refused = deduplicate(limited, {});
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, ErrorCode::kLimitExceeded);
  EXPECT_THAT(refused.error().message, ::testing::HasSubstr("max_removed_share"));
  EXPECT_FALSE(fs::exists(folder_ / "limited/records"));
  EXPECT_EQ(read_file(folder_ / "limited/removed.jsonl"), read_file(folder_ / "unlimited/removed.jsonl"));

  limited.output.max_removed_share = share;
  ASSERT_TRUE(deduplicate(limited, {}).has_value());
  EXPECT_THAT(differing_files(output_files(limited.output.out), output_files(unlimited.output.out)),
              ::testing::IsEmpty());
}

TEST_F(DedupTest, FolderOfAnotherRunIsRejectedUnlessRestarted) {
  const std::vector<std::string> inputs = write_crawl();
  ASSERT_TRUE(deduplicate(options(inputs), {}).has_value());
  DedupOptions other = options({inputs[0]});
  const Result<DedupOutcome> refused = deduplicate(other, {});
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, ErrorCode::kInvalidArgument);
  EXPECT_NE(refused.error().message.find("--restart"), std::string::npos);
  other.output.restart = true;
  const Result<DedupOutcome> replaced = deduplicate(other, {});
  ASSERT_TRUE(replaced.has_value());
  EXPECT_EQ(replaced->pages, 40U);
}

// For every algorithm, pages of equal text are found, unrelated ones are not, and neither threads nor stored scores
// change a byte.
TEST_F(DedupTest, EveryAlgorithmRunsEndToEnd) {
  const std::vector<std::string> inputs = write_crawl(12);
  for (const AlgorithmInfo& algorithm : algorithms()) {
    SCOPED_TRACE(algorithm.name);
    DedupOptions first = options(inputs, "first-" + std::string(algorithm.name));
    first.profile.algorithm = algorithm.name;
    DedupOptions second = options({inputs[1], inputs[0]}, "second-" + std::string(algorithm.name));
    second.profile.algorithm = algorithm.name;
    second.resources.threads = 1;
    for (DedupOptions* run : {&first, &second}) run->output.report = false;
    const Result<DedupOutcome> outcome = deduplicate(first, {});
    ASSERT_TRUE(outcome.has_value()) << outcome.error().message;
    ASSERT_TRUE(deduplicate(second, {}).has_value());
    const auto output = output_files(first.output.out);
    EXPECT_THAT(differing_files(output, output_files(second.output.out)), ::testing::IsEmpty());
    ASSERT_TRUE(deduplicate(first, {}).has_value());  // from the stored scores
    EXPECT_THAT(differing_files(output, output_files(first.output.out)), ::testing::IsEmpty());
    const auto found = verdicts(first.output.out);
    EXPECT_TRUE(found.contains("a0 same0"));
    EXPECT_FALSE(found.contains("a0 a1"));
  }
}

// Except for evidence and report, paragraphs make no difference to algorithms that do not compare them; those that do
// are rejected.
TEST_F(DedupTest, AlgorithmsRunWithoutParagraphs) {
  const std::vector<std::string> inputs = write_crawl(12);
  std::size_t refused = 0;
  for (const AlgorithmInfo& algorithm : algorithms()) {
    SCOPED_TRACE(algorithm.name);
    DedupOptions with = options(inputs, "with-" + std::string(algorithm.name));
    with.profile.algorithm = algorithm.name;
    with.output.evidence = false;
    with.output.report = false;
    DedupOptions without = with;
    without.output.out = (folder_ / ("without-" + std::string(algorithm.name))).string();
    without.profile.paragraphs = false;
    const Result<DedupOutcome> outcome = deduplicate(without, {});
    if (!outcome) {
      EXPECT_EQ(outcome.error().code, ErrorCode::kInvalidArgument);
      EXPECT_THAT(outcome.error().message, ::testing::HasSubstr("compares paragraphs"));
      ++refused;
      continue;
    }
    ASSERT_TRUE(deduplicate(with, {}).has_value());
    auto output = output_files(without.output.out);
    auto expected = output_files(with.output.out);
    EXPECT_EQ(output.erase("summary.json") + expected.erase("summary.json"), 2U);  // has counts of paragraphs
    EXPECT_THAT(differing_files(output, expected), ::testing::IsEmpty());
    EXPECT_TRUE(verdicts(without.output.out).contains("a0 same0"));
    without.output.evidence = true;
    EXPECT_EQ(deduplicate(without, {}).error().code, ErrorCode::kInvalidArgument);
  }
  EXPECT_EQ(refused, 3U);  // paragraph, paragraph-literal, paragraph-cosine
}

TEST_F(DedupTest, LearntWeightsDoNotDependOnThreads) {
  const std::vector<std::string> inputs = write_crawl();
  DedupOptions one = options(inputs, "one");
  one.profile.idf = IdfSource::kCorpus;
  one.resources.threads = 1;
  DedupOptions four = one;
  four.output.out = (folder_ / "four").string();
  four.resources.threads = 4;
  ASSERT_TRUE(deduplicate(one, {}).has_value());
  ASSERT_TRUE(deduplicate(four, {}).has_value());
  EXPECT_THAT(differing_files(output_files(one.output.out), output_files(four.output.out)), ::testing::IsEmpty());
}

TEST_F(DedupTest, MissingInputAndInvalidOptionsAreNamed) {
  const Result<DedupOutcome> missing = deduplicate(options({(folder_ / "nowhere.warc").string()}), {});
  ASSERT_FALSE(missing.has_value());
  EXPECT_NE(missing.error().message.find("nowhere.warc"), std::string::npos);
  DedupOptions bad = options(write_crawl());
  bad.match.near = 1.5;
  const Result<DedupOutcome> range = deduplicate(bad, {});
  ASSERT_FALSE(range.has_value());
  EXPECT_NE(range.error().message.find("(0, 1]"), std::string::npos);
  EXPECT_FALSE(fs::exists(bad.output.out + "/summary.json"));
}

TEST_F(DedupTest, EmptyInputGivesEmptyOutput) {
  const Result<DedupOutcome> outcome = deduplicate(options({write("empty.jsonl", "")}), {});
  ASSERT_TRUE(outcome.has_value()) << outcome.error().message;
  EXPECT_EQ(outcome->pages, 0U);
  EXPECT_EQ(read_file(folder_ / "out/clusters.tsv"), "");
}

// The disk fills up at increasing sizes: each time the run fails cleanly, and in the end it gives the same bytes.
TEST_F(DedupTest, FullDiskStopsCleanlyAndRunCanBeResumed) {
  const std::vector<std::string> inputs = write_crawl(300);
  ASSERT_TRUE(deduplicate(options(inputs, "reference"), {}).has_value());
  const auto reference = output_files(folder_ / "reference");
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  int failures = 0;
  for (const rlim_t limit : {rlim_t{1000}, rlim_t{30'000}, rlim_t{200'000}}) {
    rlimit small = before;
    small.rlim_cur = limit;
    setrlimit(RLIMIT_FSIZE, &small);
    const Result<DedupOutcome> outcome = deduplicate(options(inputs), {});
    setrlimit(RLIMIT_FSIZE, &before);
    if (outcome) continue;
    ++failures;
    EXPECT_EQ(outcome.error().code, ErrorCode::kNoSpace) << outcome.error().message;
    EXPECT_NE(outcome.error().message.find(folder_.string()), std::string::npos) << outcome.error().message;
  }
  EXPECT_GE(failures, 2);
  ASSERT_TRUE(deduplicate(options(inputs), {}).has_value());
  EXPECT_THAT(differing_files(output_files(folder_ / "out"), reference), ::testing::IsEmpty());
}

// Inputs with equal names in different folders, and one whose name looks like the path of another.
TEST_F(DedupTest, InputsWithEqualNamesKeepSeparateOutputs) {
  fs::create_directories(folder_ / "d1");
  fs::create_directories(folder_ / "d2");
  std::vector<std::string> inputs;
  for (const char* name : {"d1/x.jsonl", "d2/x.jsonl", "d1_x.jsonl"}) {
    Writer writer(static_cast<std::uint32_t>(inputs.size()) + 100);
    inputs.push_back(write(name, json_line(name, "", "", writer.article(4))));
  }
  ASSERT_TRUE(deduplicate(options(inputs), {}).has_value());
  for (const char* name : {"d1/x.jsonl", "d2/x.jsonl", "d1_x.jsonl"}) {
    EXPECT_EQ(read_file(folder_ / "out/records" / name), read_file(folder_ / name)) << name;
  }
}

TEST_F(DedupTest, RemovedPagesOfEarlierOutputAreDeleted) {
  Writer writer(7);
  std::vector<std::string> text = writer.article(5);
  const auto page = [](const std::vector<std::string>& paragraphs) {
    std::string html = "<html><body><article>";
    for (const std::string& paragraph : paragraphs) html += "<p>" + paragraph + "</p>";
    return html + "</article></body></html>";
  };
  const std::string a = write("a.html", page(text));
  text[2] = writer.sentence() + " " + writer.sentence();
  const std::string b = write("b.html", page(text));
  DedupOptions strict = options({a, b});
  strict.match.near = 0.999;
  ASSERT_EQ(deduplicate(strict, {})->pages_kept, 2U);
  EXPECT_TRUE(fs::exists(folder_ / "out/records/a.html") && fs::exists(folder_ / "out/records/b.html"));
  DedupOptions loose = strict;
  loose.match.near = 0.5;
  loose.output.report = false;
  loose.output.evidence = false;
  ASSERT_EQ(recluster(loose, {})->pages_kept, 1U);
  EXPECT_NE(fs::exists(folder_ / "out/records/a.html"), fs::exists(folder_ / "out/records/b.html"));
  EXPECT_FALSE(fs::exists(folder_ / "out/report"));
  EXPECT_FALSE(fs::exists(folder_ / "out/matches.jsonl"));
}

TEST_F(DedupTest, ProgressEndsEachStage) {
  std::vector<std::string> finished;
  RunControl control;
  control.progress = [&](const Progress& progress) {
    if (progress.is_finished) finished.emplace_back(progress.stage);
  };
  ASSERT_TRUE(deduplicate(options(write_crawl()), control).has_value());
  EXPECT_EQ(finished, (std::vector<std::string>{"read", "candidates", "verify", "evidence", "write", "report"}));
}

TEST_F(DedupTest, StopsWhenAskedAndResumes) {
  const auto inputs = write_crawl();
  std::atomic<bool> stop{false};
  RunControl control;
  control.stop = &stop;
  control.progress = [&](const Progress& progress) { stop = progress.stage == "read" && progress.is_finished; };
  EXPECT_EQ(deduplicate(options(inputs), control).error().code, ErrorCode::kCancelled);
  EXPECT_FALSE(fs::exists(folder_ / "out/summary.json"));
  EXPECT_TRUE(deduplicate(options(inputs)).has_value());  // the flag applied to the stopped call alone
}

TEST_F(DedupTest, WarnsOfEachBrokenRecordOnce) {
  std::vector<std::string> warnings;
  RunControl control;
  control.warning = [&](std::string_view line) { warnings.emplace_back(line); };
  const std::string path = write("pages.jsonl", "{\"id\":\"a\",\"html\":\"<p>one</p>\"}\n{broken\n");
  ASSERT_EQ(deduplicate(options({path}), control)->broken_records, 1U);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_NE(warnings[0].find("pages.jsonl"), std::string::npos) << warnings[0];
  ASSERT_EQ(deduplicate(options({path}), control)->broken_records, 1U);
  EXPECT_EQ(warnings.size(), 1U);  // a resumed run reads nothing again
}

}  // namespace
}  // namespace paraprint
