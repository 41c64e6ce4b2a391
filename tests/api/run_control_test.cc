// Every long call ends when it is asked to stop, and leaves nothing behind that looks complete. The flag is set before
// the call, so these tests do not depend on time. Calls that need more preparation are tested next to their other
// tests.
#include "paraprint/run_control.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "paraprint/crawl.h"
#include "paraprint/distributed.h"
#include "paraprint/engine.h"
#include "paraprint/index.h"
#include "paraprint/memory_pages.h"
#include "paraprint/serve.h"
#include "paraprint/simulate.h"
#include "paraprint/topics.h"
#include "paraprint/vectors.h"
#include "temporary_folder.h"

namespace paraprint {
namespace {

constexpr int kPages = 20;

class RunControlTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::ofstream pages(input_);
    for (int page = 0; page < kPages; ++page) {
      std::string text;
      for (int word = 0; word < 200; ++word) {
        text += fmt::format("word{} ", (page * 37 + word * 11) % 400);
        if (word % 12 == 11) text += "ends here. ";
      }
      pages << fmt::format("{{\"id\":\"p{}\",\"text\":\"{}\"}}\n", page, text);
    }
    control_.stop = &stop_;
  }

  DedupOptions dedup_options() const {
    DedupOptions options;
    options.inputs = {input_};
    options.output.out = folder_ / "out";
    return options;
  }

  // An index of the pages. If its search tables are missing, opening it rebuilds them.
  IndexOptions make_index(const std::string& data, bool with_search_tables) const {
    EXPECT_TRUE(deduplicate_with_index(dedup_options(), data));
    if (!with_search_tables) std::filesystem::remove(data + "/tables/manifest");
    IndexOptions options;
    options.identity = Profiler::create({})->settings_identity();
    return options;
  }

  bool exists(const std::string& name) const { return std::filesystem::exists(folder_ / name); }

  const TemporaryFolder folder_;
  const std::string input_ = folder_ / "pages.jsonl";
  std::atomic<bool> stop_{true};
  RunControl control_;
};

template <class Outcome>
std::string_view code_of(const Outcome& outcome) {
  return outcome ? "none" : error_code_name(outcome.error().code);
}

TEST_F(RunControlTest, EndsRuns) {
  EXPECT_EQ(code_of(deduplicate(dedup_options(), control_)), "cancelled");
  EXPECT_EQ(code_of(deduplicate_with_index(dedup_options(), folder_ / "known", control_)), "cancelled");
  EXPECT_FALSE(exists("out/summary.json"));
  ASSERT_TRUE(deduplicate(dedup_options()));
  EXPECT_EQ(code_of(recluster(dedup_options(), control_)), "cancelled");
}

TEST_F(RunControlTest, EndsStreams) {
  PageStreamOptions options;
  options.inputs = {input_};
  int visited = 0;
  const auto visit = [&](const StreamedPage&) -> Status { return ++visited, Status{}; };
  EXPECT_EQ(code_of(for_each_page(options, visit, control_)), "cancelled");
  EXPECT_EQ(visited, 0);

  stop_ = false;
  const Result<std::unique_ptr<PageReader>> reader = PageReader::open({input_}, {}, control_);
  ASSERT_TRUE(reader);
  EXPECT_TRUE((*reader)->next());
  stop_ = true;
  EXPECT_EQ(code_of((*reader)->next()), "cancelled");
}

TEST_F(RunControlTest, EndsSimulation) {
  SimulateOptions options;
  options.inputs = {input_};
  options.out = folder_ / "simulated";
  options.pages = 10;
  EXPECT_EQ(code_of(simulate_corpus(options, control_)), "cancelled");
  EXPECT_FALSE(exists("simulated/labels.tsv"));
}

TEST_F(RunControlTest, EndsTraining) {
  TrainTopicsOptions topics;
  topics.inputs = {input_};
  topics.out = folder_ / "topics";
  EXPECT_EQ(code_of(train_topics(topics, control_)), "cancelled");
  EXPECT_FALSE(exists("topics"));

  TrainVectorsOptions vectors;
  vectors.inputs = {input_};
  vectors.file.out = folder_ / "vectors";
  EXPECT_EQ(code_of(train_vectors(vectors, control_)), "cancelled");

  ImportVectorsOptions import;
  import.input = folder_ / "glove.txt";
  import.file.out = folder_ / "vectors";
  std::ofstream(import.input) << "one 1 2\ntwo 2 1\nthree 3 1\n";
  EXPECT_EQ(code_of(import_vectors(import, control_)), "cancelled");
  EXPECT_FALSE(exists("vectors"));

  ASSERT_TRUE(import_vectors(import));
  ReduceVectorsOptions reduction;
  reduction.model = import.file.out;
  reduction.inputs = {input_};
  reduction.out = folder_ / "components";
  EXPECT_EQ(code_of(reduce_vectors(reduction, control_)), "cancelled");
  EXPECT_FALSE(exists("components"));
}

TEST_F(RunControlTest, EndsOpeningAnIndex) {
  const std::string data = folder_ / "known";
  const IndexOptions options = make_index(data, false);
  EXPECT_EQ(code_of(PageIndex::open(data, options, control_)), "cancelled");
  stop_ = false;
  std::vector<std::string> warnings;
  control_.warning = [&](std::string_view line) { warnings.emplace_back(line); };
  EXPECT_TRUE(PageIndex::open(data, options, control_));
  EXPECT_THAT(warnings, ::testing::Contains(::testing::HasSubstr("rebuilding")));
}

TEST_F(RunControlTest, EndsCareOfAnIndex) {
  const std::string data = folder_ / "known";
  const Result<std::unique_ptr<PageIndex>> opened = PageIndex::open(data, make_index(data, true));
  ASSERT_TRUE(opened);
  PageIndex& index = **opened;
  EXPECT_EQ(code_of(index.expire(~std::uint64_t{0}, control_)), "cancelled");
  EXPECT_EQ(code_of(index.verify(true, control_)), "cancelled");
  const auto visit = [](const IndexedPage&, const Profile*) -> Status { return {}; };
  EXPECT_EQ(code_of(index.for_each_page(false, visit, control_)), "cancelled");
  EXPECT_EQ(code_of(index.compact(control_)), "cancelled");
  EXPECT_EQ(code_of(index.backup(folder_ / "backup", control_)), "cancelled");
  EXPECT_FALSE(exists("backup"));
  // The flag applied to these calls alone, and the index still serves.
  ASSERT_TRUE(index.compact());
  ASSERT_TRUE(index.backup(folder_ / "backup"));
  const Status restored = restore_index(folder_ / "backup", folder_ / "restored", control_);
  EXPECT_EQ(code_of(restored), "cancelled");
  EXPECT_FALSE(exists("restored"));
  EXPECT_TRUE(index.verify(true)->is_clean());
}

TEST_F(RunControlTest, EndsStagesOverWholeFiles) {
  const Result<std::unique_ptr<ProfileStage>> stage = ProfileStage::create(dedup_options(), folder_.path(), {});
  ASSERT_TRUE(stage);
  const auto visit = [](ProfiledPages&&) -> Status { return {}; };
  EXPECT_EQ(code_of((*stage)->profile_file({input_}, 0, visit, control_)), "cancelled");
  const Result<std::unique_ptr<WordCountStage>> words = WordCountStage::create(dedup_options());
  ASSERT_TRUE(words);
  EXPECT_EQ(code_of((*words)->count_file({input_}, control_)), "cancelled");
  EXPECT_EQ(code_of(write_distributed_records(dedup_options(), {input_}, {}, false, folder_ / "kept.jsonl", control_)),
            "cancelled");
  EXPECT_FALSE(exists("kept.jsonl"));
}

// A service that is asked to stop ends with success, except when it has not yet begun to serve.
TEST_F(RunControlTest, EndsAServiceThatRebuildsItsIndex) {
  ServeOptions options;
  options.data = folder_ / "known";
  options.port = 0;
  make_index(options.data, false);
  bool was_ready = false;
  ServeEvents events;
  events.ready = [&](std::uint16_t) { was_ready = true; };
  EXPECT_EQ(code_of(serve(options, control_, events)), "cancelled");
  EXPECT_FALSE(was_ready);
}

TEST_F(RunControlTest, ACrawlEndsWithSuccess) {
  CrawlOptions options;
  options.seeds = {"http://127.0.0.1:9/"};
  options.allow_address = {"127.0.0.1"};
  options.out = folder_ / "crawl";
  std::vector<std::string> stages;
  control_.progress = [&](const Progress& progress) { stages.emplace_back(progress.stage); };
  std::uint64_t queued = 0;
  const Result<CrawlOutcome> outcome =
      crawl(options, control_, [&](const CrawlProgress& progress) { queued = progress.queued; });
  ASSERT_TRUE(outcome) << outcome.error().message;
  EXPECT_EQ(outcome->stopped_by, "request");
  EXPECT_FALSE(outcome->is_complete);
  EXPECT_EQ(queued, 1U);
  EXPECT_THAT(stages, ::testing::Contains("crawl"));
}

}  // namespace
}  // namespace paraprint
