// Every algorithm of the registry writes the same bytes divided as in one process, or is refused by name.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <set>
#include <utility>

#include "distribute/batched_page.h"
#include "distribute/divided_run.h"
#include "distribute/made_pages.h"
#include "distribute/records.h"
#include "paraprint/algorithms.h"
#include "paraprint/engine.h"
#include "profile/fingerprint_codec.h"
#include "temporary_folder.h"

namespace paraprint {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

constexpr std::string_view kParagraphMethod = "paragraph";

class FingerprintRunTest : public ::testing::Test {
 protected:
  FingerprintRunTest() {
    options_.resources.threads = 1;
    options_.output.report = false;
    options_.output.records = false;
    options_.output.evidence = false;
    write("a.jsonl", World(1).json_lines(90));
    write("b.jsonl", World(2).reordered_copies(30));
    write("c.jsonl", World(3).pages_with_a_changed_copy(10) +
                         "{\"id\":\"s1\",\"text\":\"few words\"}\n{\"id\":\"s2\",\"text\":\"few words\"}\n" +
                         "{\"id\":\"s3\",\"text\":\"Few words!\"}\n{\"id\":\"e1\",\"text\":\"-\"}\n");
  }

  void write(const std::string& name, const std::string& bytes) {
    const std::string path = folder_.path() + "/" + name;
    std::ofstream(path, std::ios::binary) << bytes;
    options_.inputs.push_back(path);
  }

  // Without paragraphs, unless they are what the algorithm compares.
  void choose(std::string_view algorithm) {
    options_.profile.algorithm = algorithm;
    options_.profile.paragraphs = algorithm.starts_with("paragraph-");
  }

  // Output of a run in one process, and of the same run in `tasks` tasks per stage.
  void expect_same_as_one_process(std::initializer_list<std::uint32_t> tasks) {
    const std::string whole_folder = folder_.path() + "/whole";
    fs::remove_all(whole_folder);
    DedupOptions whole = options_;
    whole.output.out = whole_folder;
    const Result<DedupOutcome> outcome = deduplicate(whole, {});
    ASSERT_TRUE(outcome.has_value()) << outcome.error().message;
    matches_ = outcome->matches;
    for (const std::uint32_t count : tasks) {
      SCOPED_TRACE(fmt::format("{} tasks", count));
      const std::string divided_folder = folder_.path() + "/divided";
      fs::remove_all(divided_folder);
      fs::create_directories(divided_folder);
      DividedRun run(options_, folder_.path(), count);
      const Status divided = run.run_files(divided_folder);
      ASSERT_TRUE(divided.has_value()) << divided.error().message;
      for (const char* name : {"clusters.tsv", "matches.tsv", "removed.jsonl", "matches.jsonl", "records/a.jsonl",
                               "records/b.jsonl", "records/c.jsonl", "savings.json"}) {
        EXPECT_EQ(read_file(fs::path(divided_folder) / name), read_file(fs::path(whole_folder) / name)) << name;
      }
      counters_ = run.counters();
      const std::string summary = read_file(fs::path(whole_folder) / "summary.json");
      const auto says = [&](const std::string& text) { return summary.find(text) != std::string::npos; };
      for (const char* name : {"pages_usable", "keys", "key_groups", "key_groups_over_cap", "pairs_not_generated",
                               "candidate_pairs", "pairs_verified", "pairs_stored"}) {
        if (!says(fmt::format("\"{}\": ", name))) {
          EXPECT_EQ(counters_[name], 0U) << name;
          continue;
        }
        const std::string line = fmt::format("\"{}\": {}", name, counters_[name]);
        EXPECT_TRUE(says(line + ",") || says(line + "\n")) << line;
      }
    }
  }

  TemporaryFolder folder_;
  DedupOptions options_;
  DividedRun::Counters counters_;
  std::uint64_t matches_ = 0;
};

TEST_F(FingerprintRunTest, EveryAlgorithmThatIsAcceptedGivesTheSameBytes) {
  std::set<std::string_view> refused;
  for (const AlgorithmInfo& algorithm : algorithms()) {
    SCOPED_TRACE(algorithm.name);
    if (algorithm.name == kParagraphMethod) continue;
    choose(algorithm.name);
    if (const Status checked = check_distributed(options_); !checked) {
      EXPECT_EQ(checked.error().code, ErrorCode::kUnsupported);
      EXPECT_THAT(checked.error().message, HasSubstr(fmt::format("algorithm is '{}'", algorithm.name)));
      EXPECT_THAT(checked.error().message,
                  ::testing::AnyOf(HasSubstr(std::string(algorithm.index)), HasSubstr("depend on the other pages")));
      EXPECT_EQ(RecordsPlan::create(options_, {"a"}, folder_.path()).error().code, ErrorCode::kUnsupported);
      refused.insert(algorithm.name);
      continue;
    }
    expect_same_as_one_process({1, 3, 16});
    EXPECT_GT(matches_, 0U);
  }
  // Those that look up rare words of all pages, or the nearest pages, or drop what many pages have.
  EXPECT_THAT(refused, ::testing::UnorderedElementsAre("scam", "minhash-forest", "shingle-heintze"));
}

TEST_F(FingerprintRunTest, GroupsOverTheCap) {
  options_.candidates.group_cap = 3;
  write("d.jsonl", World(4).numbered_copies(30));
  for (const char* name :
       {"simhash-64", "simhash-128", "paragraph-cosine", "i-match", "text-profile", "minhash", "tianwang-sorted",
        "shingle-supershingle", "spotsigs", "page-information", "keyword-cosine"}) {
    SCOPED_TRACE(name);
    choose(name);
    expect_same_as_one_process({1, 5});
    EXPECT_GT(counters_["pairs_not_generated"], 0U);
  }
}

TEST_F(FingerprintRunTest, ParametersThatChangeTheIndex) {
  for (const char* name : {"simhash-64:distance_bits=0", "simhash-64:distance_bits=9", "simhash-64:tables=16",
                           "simhash-128:distance_bits=12", "minhash:threshold=0.2", "minhash-b-bit:threshold=0.5",
                           "shingle-fetterly:common_minimum=1", "random-projection:bits=64,distance_bits=8",
                           "spotsigs:threshold=0.1", "shingle:threshold=0.95", "shingle:measure=containment"}) {
    SCOPED_TRACE(name);
    choose(name);
    expect_same_as_one_process({4});
    EXPECT_GT(matches_, 0U);
  }
}

TEST_F(FingerprintRunTest, EvidenceRecordsAndTemplates) {
  options_.profile.paragraphs = true;
  options_.output.evidence = true;
  options_.output.records = true;
  for (const char* name : {"minhash", "simhash-64", "digest-bytes", "spotsigs"}) {
    SCOPED_TRACE(name);
    options_.profile.algorithm = name;
    expect_same_as_one_process({1, 4});
    EXPECT_GT(counters_["evidence_rows"], 0U);
    EXPECT_GT(counters_["boilerplate_paragraphs"], 0U);
  }
}

TEST_F(FingerprintRunTest, OtherPolicies) {
  choose("minhash");
  options_.survivors.clusters = ClusterMode::kConnected;
  options_.survivors.keep = "latest";
  options_.survivors.remove_contained = true;
  expect_same_as_one_process({3});
}

// Rows are sorted with their fingerprints; they come in the opposite of the order of their ids. Every other pair of
// pages has the same text.
TEST_F(FingerprintRunTest, RowsAreLinesSortedById) {
  std::vector<std::array<std::string, 2>> pages;  // id, text
  std::string lines;
  for (int page = 0; page < 40; ++page) {
    std::string text;
    for (int word = 0; word < (page % 4 == 3 ? 81 : 80); ++word) text += fmt::format("w{} ", page / 2 * 1000 + word);
    pages.push_back({fmt::format("id{}", 100 + page), text});
    lines += fmt::format(R"({{"id":"{}","text":"{}"}})", pages.back()[0], text) + '\n';
  }
  options_.inputs.clear();
  write("rows.jsonl", lines);
  std::vector<PageInputRow> rows;
  for (std::size_t row = pages.size(); row-- > 0;) {
    rows.push_back({row, pages[row][0], {}, {}, {}, pages[row][1], true, true});
  }
  for (const char* name : {"minhash", "simhash-64", "digest-bytes"}) {
    SCOPED_TRACE(name);
    choose(name);
    expect_same_as_one_process({});
    const std::string divided_folder = folder_.path() + "/rows";
    fs::create_directories(divided_folder);
    DividedRun run(options_, folder_.path(), 3);
    const Status divided = run.run_rows(rows, divided_folder);
    ASSERT_TRUE(divided.has_value()) << divided.error().message;
    for (const char* table : {"clusters.tsv", "matches.tsv"}) {
      EXPECT_EQ(read_file(fs::path(divided_folder) / table), read_file(fs::path(folder_.path()) / "whole" / table));
    }
    EXPECT_GT(matches_, 0U);
  }
}

// Below what the process has anyway: everything that can be on disk is.
TEST_F(FingerprintRunTest, TasksWithoutMemoryToSpare) {
  options_.resources.memory = std::uint64_t{64} << 20;
  for (const char* name : {"minhash", "simhash-64", "simhash-128", "spotsigs"}) {
    SCOPED_TRACE(name);
    choose(name);
    expect_same_as_one_process({2});
  }
}

// Bytes of tasks and of the work folder, changed on their way.
class FingerprintStageTest : public ::testing::Test {
 protected:
  FingerprintStageTest() { options_.profile.algorithm = "simhash-64"; }

  std::unique_ptr<StageTask> make_task(const std::string& stage, std::vector<std::uint32_t> first_pages = {0, 10}) {
    StageSettings settings;
    settings.stage = stage;
    settings.partitions = static_cast<std::uint32_t>(first_pages.size()) - 1;
    settings.first_pages = std::move(first_pages);
    settings.fingerprints = 1;
    settings.temporary_folder = folder_.path();
    Result<std::unique_ptr<StageTask>> task = StageTask::create(options_, settings);
    EXPECT_TRUE(task.has_value()) << task.error().message;
    return std::move(*task);
  }

  static std::string encoded(std::size_t values, FingerprintState state = FingerprintState::kUsable) {
    PageFingerprint fingerprint;
    fingerprint.state = state;
    fingerprint.values.resize(values);
    std::string bytes;
    encode_fingerprint(fingerprint, bytes);
    return bytes;
  }

  // The first batch of a task: one page.
  static Status add_page(StageTask& task, const std::string& fingerprint) {
    std::string facts;
    ByteWriter out(facts);
    distribute::write_page({}, out);
    std::string profiles;
    distribute::write_batched_page({"profile", fingerprint}, profiles);
    return task.add_pages(0, facts, profiles);
  }

  Status add_page(const std::string& fingerprint) { return add_page(*make_task("keys"), fingerprint); }

  static Status select_pair(StageTask& task) {
    std::string pair;
    ByteWriter out(pair);
    distribute::write_selected_pair({{0, 1, 0, 1, 0}, distribute::kAnySize}, out);
    return task.add_parcel("selected", pair);
  }

  // Verifies the pair of page 0, which is the task's own, and page 1, which was sent.
  Status verify(const std::string& first, const std::string& second) {
    const std::unique_ptr<StageTask> task = make_task("verify", {0, 1, 10});
    std::string pages;
    ByteWriter out(pages);
    distribute::write_fetched_page({1, 100, {}, "", second}, out);
    if (Status added = task->add_parcel("pages", pages); !added) return added;
    if (Status added = select_pair(*task); !added) return added;
    if (Status ended = task->end_parcels(); !ended) return ended;
    if (Status added = add_page(*task, first); !added) return added;
    return task->finish();
  }

  TemporaryFolder folder_;
  DedupOptions options_;
};

TEST_F(FingerprintStageTest, RejectsFingerprintsThatTheAlgorithmCannotHaveMade) {
  EXPECT_TRUE(add_page(encoded(1)).has_value());
  EXPECT_TRUE(add_page(encoded(0, FingerprintState::kEmpty)).has_value());
  EXPECT_EQ(add_page(encoded(0)).error().code, ErrorCode::kCorruptData);
  EXPECT_EQ(add_page(encoded(7)).error().code, ErrorCode::kCorruptData);
  EXPECT_EQ(add_page("").error().code, ErrorCode::kCorruptData);
  EXPECT_EQ(add_page(encoded(1) + "x").error().code, ErrorCode::kCorruptData);
}

TEST_F(FingerprintStageTest, RejectsComparedPagesThatAreDamaged) {
  const std::string good = encoded(1);
  EXPECT_TRUE(verify(good, good).has_value());
  EXPECT_EQ(verify(good, "").error().code, ErrorCode::kCorruptData);
  EXPECT_EQ(verify("", good).error().code, ErrorCode::kCorruptData);
  EXPECT_EQ(verify(good, encoded(2)).error().code, ErrorCode::kCorruptData);
  EXPECT_EQ(verify(encoded(2), good).error().code, ErrorCode::kCorruptData);
  EXPECT_EQ(verify(good, good.substr(0, good.size() - 1)).error().code, ErrorCode::kCorruptData);
  const std::unique_ptr<StageTask> task = make_task("verify");
  ASSERT_TRUE(select_pair(*task).has_value());
  ASSERT_TRUE(task->end_parcels().has_value());
  EXPECT_EQ(task->finish().error().code, ErrorCode::kNotFound);
}

TEST_F(FingerprintStageTest, RejectsGroupsOfWhichPagesAreMissing) {
  distribute::NearGroupRecord group;
  group.fingerprint = {5, 0};
  group.page_count = 4;
  group.pages = {1, 2};
  const auto finish = [&](const std::vector<std::vector<std::uint32_t>>& pieces) -> ErrorCode {
    const std::unique_ptr<StageTask> task = make_task("hamming");
    for (const std::vector<std::uint32_t>& pages : pieces) {
      group.pages = pages;
      std::string bytes;
      ByteWriter out(bytes);
      distribute::write_near_group(group, out);
      EXPECT_TRUE(task->add_parcel("buckets", bytes).has_value());
    }
    const Status finished = task->finish();
    return finished ? ErrorCode::kInvalidArgument : finished.error().code;
  };
  EXPECT_EQ(finish({{1, 2}, {3, 9}}), ErrorCode::kInvalidArgument);  // none
  EXPECT_EQ(finish({{1, 2}}), ErrorCode::kCorruptData);
  EXPECT_EQ(finish({{1, 2}, {2, 3}}), ErrorCode::kCorruptData);
}

TEST_F(FingerprintStageTest, NoHammingJoinOfKeys) {
  StageSettings settings;
  settings.stage = "hamming";
  settings.temporary_folder = folder_.path();
  options_.profile.algorithm = "minhash";
  EXPECT_EQ(StageTask::create(options_, settings).error().code, ErrorCode::kInvalidArgument);
}

}  // namespace
}  // namespace paraprint
