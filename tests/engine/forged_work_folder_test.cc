// Files of a work folder whose checksums are right and whose values are not: whoever can write there makes no run read
// outside of its arrays.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

#include "base/propagate.h"
#include "engine/known_pages.h"
#include "engine/match_stage.h"
#include "engine/read_stage.h"
#include "engine/run.h"
#include "engine/work_folder.h"
#include "profile/fingerprint_codec.h"
#include "profile/fingerprint_set.h"
#include "profile/profile_codec.h"
#include "profile/registry.h"
#include "temporary_folder.h"

namespace paraprint {
namespace {

class ForgedWorkFolderTest : public ::testing::Test {
 protected:
  // A log with a batch for each of these inputs, each with a page in this format.
  std::unique_ptr<PageLog> log_of(const std::vector<std::uint32_t>& inputs, PageFormat format = PageFormat::kHtml,
                                  const std::string& fingerprint = {}) {
    auto log = PageLog::create_nameless(folder_.path());
    if (!log) ADD_FAILURE() << log.error().message;
    std::string profile;
    encode_profile({}, profile);
    for (const std::uint32_t input : inputs) {
      PageBatch batch;
      batch.file_index = input;
      Page page;
      page.id = "page of " + std::to_string(input);
      page.format = format;
      batch.append_page(page, {}, profile, fingerprint);
      EXPECT_TRUE((*log)->append(batch).has_value());
    }
    return std::move(*log);
  }

  Result<ReadOutcome> load(std::unique_ptr<PageLog> log, std::size_t inputs) {
    return load_pages(std::move(log), std::vector<InputFile>(inputs), {}, budget_);
  }

  // Writes and reads these scores of three pages, of which the last has the text of the first.
  Status read_scores(const std::vector<Match>& matches, const std::vector<std::uint32_t>& representatives = {0, 1, 0}) {
    ScoredPairs pairs;
    EXPECT_TRUE(pairs.matches.append(matches).has_value());
    EXPECT_TRUE(pairs.representatives.append(representatives).has_value());
    const std::string path = folder_ / "scores";
    EXPECT_TRUE(write_scored_pairs(path, "identity", pairs).has_value());
    PARAPRINT_TRY(read_scored_pairs(path, "identity", nullptr));
    return {};
  }

  static Match match_of(std::uint32_t page_a, std::uint32_t page_b) {
    Match match;
    match.page_a = page_a;
    match.page_b = page_b;
    match.verdict = Verdict::kNear;
    match.resemblance = match.containment_a = match.containment_b = 0.5F;
    match.matched_characters = 100;
    return match;
  }

  static void expect_corrupt(const Status& status) {
    ASSERT_FALSE(status.has_value());
    EXPECT_EQ(status.error().code, ErrorCode::kCorruptData) << status.error().message;
  }
  template <class Value>
  static void expect_corrupt(const Result<Value>& result) {
    ASSERT_FALSE(result.has_value());
    EXPECT_EQ(result.error().code, ErrorCode::kCorruptData) << result.error().message;
  }

  TemporaryFolder folder_;
  MemoryBudget budget_{std::uint64_t{1} << 30, folder_.path()};
};

TEST_F(ForgedWorkFolderTest, InputsThatTheRunDoesNotHaveAreRefused) {
  EXPECT_TRUE(load(log_of({0, 0, 2}), 3).has_value());
  expect_corrupt(load(log_of({0, 3}), 3));
  expect_corrupt(load(log_of({std::numeric_limits<std::uint32_t>::max()}), 3));
}

TEST_F(ForgedWorkFolderTest, InputsInAnotherOrderAreRefused) {
  expect_corrupt(load(log_of({1, 0}), 3));
}

TEST_F(ForgedWorkFolderTest, FormatsThatThereAreNotAreRefused) {
  EXPECT_TRUE(load(log_of({0}, PageFormat::kPlainText), 1).has_value());
  expect_corrupt(load(log_of({0}, static_cast<PageFormat>(2)), 1));
}

TEST_F(ForgedWorkFolderTest, AnotherNumberOfPagesIsRefused) {
  auto log = log_of({});
  PageBatch batch;
  batch.page_count = 1;
  ASSERT_TRUE(log->append(batch).has_value());
  expect_corrupt(load(std::move(log), 1));
}

// What compares fingerprints takes their numbers of values for granted.
TEST_F(ForgedWorkFolderTest, FingerprintsOfOtherAlgorithmsAreRefused) {
  for (const char* const name : {"minhash", "simhash-64", "keyword-position", "spotsigs"}) {
    const auto algorithm = choose_algorithm(name);
    ASSERT_TRUE(algorithm.has_value()) << name;
    PageFingerprint fingerprint;
    fingerprint.state = FingerprintState::kUsable;
    fingerprint.values.assign(5, 7);
    fingerprint.weights.assign(name == std::string_view("minhash") ? 5 : 0, 1);
    std::string bytes;
    encode_fingerprint(fingerprint, bytes);
    expect_corrupt(FingerprintSet::read(*log_of({0}, PageFormat::kHtml, bytes), *algorithm));
    fingerprint = {};
    fingerprint.state = FingerprintState::kShort;
    bytes.clear();
    encode_fingerprint(fingerprint, bytes);
    EXPECT_TRUE(FingerprintSet::read(*log_of({0}, PageFormat::kHtml, bytes), *algorithm).has_value()) << name;
  }
}

TEST_F(ForgedWorkFolderTest, ScoresOfPagesThatAreNotComparedAreRefused) {
  EXPECT_TRUE(read_scores({match_of(0, 1)}).has_value());
  expect_corrupt(read_scores({match_of(0, 3)}));
  expect_corrupt(read_scores({match_of(7, 9)}));
  expect_corrupt(read_scores({match_of(1, 2)}));
  expect_corrupt(read_scores({match_of(1, 1)}));
  expect_corrupt(read_scores({match_of(1, 0)}));
}

TEST_F(ForgedWorkFolderTest, ScoresOutOfOrderAreRefused) {
  EXPECT_TRUE(read_scores({match_of(0, 1), match_of(0, 2), match_of(1, 2)}, {0, 1, 2}).has_value());
  expect_corrupt(read_scores({match_of(0, 2), match_of(0, 1)}, {0, 1, 2}));
  expect_corrupt(read_scores({match_of(0, 1), match_of(0, 1)}, {0, 1, 2}));
}

TEST_F(ForgedWorkFolderTest, ScoresThatAreNoScoresAreRefused) {
  for (const float wrong : {-0.5F, std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
    for (float Match::*const score :
         {&Match::resemblance, &Match::containment_a, &Match::containment_b, &Match::matched_characters}) {
      Match match = match_of(0, 1);
      match.*score = wrong;
      expect_corrupt(read_scores({match}));
    }
  }
  Match match = match_of(0, 1);
  match.verdict = static_cast<Verdict>(6);
  expect_corrupt(read_scores({match}));
}

TEST_F(ForgedWorkFolderTest, PagesAreRepresentedByPagesThatRepresentThemselves) {
  EXPECT_TRUE(read_scores({}, {0, 0, 0, 3}).has_value());
  expect_corrupt(read_scores({}, {0, 0, 1}));
}

TEST_F(ForgedWorkFolderTest, KnownPagesThatTheRunDoesNotHaveAreRefused) {
  DedupOptions options;
  options.inputs = {folder_ / "pages.jsonl"};
  options.output.out = folder_ / "out";
  std::ofstream(options.inputs.front()) << "{}\n";
  const Result<WorkFolder> work = WorkFolder::open(options, false);
  ASSERT_TRUE(work.has_value()) << work.error().message;
  const auto read = load(log_of({0, 0}), 1);
  ASSERT_TRUE(read.has_value());
  const std::vector<InputFile> inputs(1);
  const RunSetup run{options, RunMode::kRecluster, inputs, "identity", 1, budget_};
  for (const std::uint32_t page : {1U, 2U, std::numeric_limits<std::uint32_t>::max()}) {
    KnownPages known;
    ASSERT_TRUE(known.add(page, {"id", "", Verdict::kSame, 1, 1, 1}).has_value());
    ASSERT_TRUE(write_known_pages(work->known_pages_path(), read->log->size_bytes(), "index", known).has_value());
    const auto found = find_known_pages(run, *read->log, read->pages, *work, nullptr);
    EXPECT_EQ(found.has_value(), page < read->pages.size()) << page;
  }
  // A run that goes on without an index needs nothing of the file, so no damage keeps it from that.
  const RunSetup without_index{options, RunMode::kResume, inputs, "identity", 1, budget_};
  const auto found = find_known_pages(without_index, *read->log, read->pages, *work, nullptr);
  ASSERT_TRUE(found.has_value()) << found.error().message;
  EXPECT_TRUE(found->empty());
  EXPECT_FALSE(std::filesystem::exists(work->known_pages_path()));
}

}  // namespace
}  // namespace paraprint
