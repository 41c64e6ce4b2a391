// What the explorer takes over from a folder, and what it says of others.
#include "view/run_store.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "base/atomic_file.h"
#include "view/finished_run.h"
#include "view/ruling_files.h"

namespace paraprint {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(RunStoreTest, HasTheDecisionsOfTheRun) {
  const FinishedRun run(21);
  const auto store = run.load();
  EXPECT_EQ(store->totals().pages, store->pages().size());
  EXPECT_THAT(store->warnings(), IsEmpty());
  EXPECT_EQ(store->no_texts(), "");
  EXPECT_EQ(store->no_thresholds(), "");
}

TEST(RunStoreTest, TakesOptionsOfALaterRecluster) {
  const FinishedRun run(22);
  DedupOptions changed = run.options();
  changed.match.near = 0.8;
  changed.survivors.keep = "earliest,shortest-url";
  changed.survivors.prefer_host = {"host1.example", "*.example"};
  ASSERT_TRUE(recluster(changed));
  const auto store = run.load();
  EXPECT_EQ(store->totals().command, "recluster");
  EXPECT_EQ(store->options().match.near, 0.8);
  EXPECT_EQ(store->options().survivors.keep, "earliest,shortest-url");
  EXPECT_THAT(store->options().survivors.prefer_host, ElementsAre("host1.example", "*.example"));
  EXPECT_THAT(store->warnings(), IsEmpty());
}

TEST(RunStoreTest, KeepsExactValuesThatTheSummaryRounds) {
  DedupOptions options;
  options.match.near = 0.123456;
  RunTotals totals;
  std::vector<std::string> inputs;
  ASSERT_TRUE(read_run_summary("s", R"({"command":"dedup","inputs":["a"],"settings":{"near":0.1235},"counters":{}})",
                               options, totals, inputs));
  EXPECT_EQ(options.match.near, 0.123456);
  EXPECT_THAT(inputs, ElementsAre("a"));
  for (const char* text : {"", "[]", "{}", R"({"command":1,"inputs":[],"settings":{}})",
                           R"({"command":"dedup","inputs":[],"settings":{"near":"x"}})"}) {
    const Status read = read_run_summary("the-file", text, options, totals, inputs);
    ASSERT_FALSE(read) << text;
    EXPECT_THAT(read.error().message, HasSubstr("the-file"));
    EXPECT_EQ(read.error().code, ErrorCode::kCorruptData);
  }
}

TEST(RunStoreTest, NamesWhatIsMissing) {
  const FinishedRun run(23);
  for (const char* name :
       {"/summary.json", "/.paraprint/options.toml", "/.paraprint/pages.log", "/.paraprint/scores"}) {
    const std::string path = run.folder() + name;
    std::filesystem::rename(path, path + ".away");
    const auto store = RunStore::open(run.options());
    ASSERT_FALSE(store) << name;
    EXPECT_EQ(store.error().code, ErrorCode::kNotFound);
    EXPECT_THAT(store.error().message, HasSubstr(name));
    std::filesystem::rename(path + ".away", path);
  }
  EXPECT_TRUE(RunStore::open(run.options()));
}

TEST(RunStoreTest, KeepsAllButTextsIfInputsChange) {
  const FinishedRun run(24);
  const std::string input = run.options().inputs.front();
  std::filesystem::last_write_time(input, std::filesystem::file_time_type::clock::now() + std::chrono::hours(1));
  const auto changed = run.load();
  EXPECT_THAT(changed->no_texts(), HasSubstr("not those that the run read"));
  EXPECT_GT(changed->pages().size(), 0U);
  std::filesystem::remove(input);
  EXPECT_THAT(run.load()->no_texts(), HasSubstr("pages.jsonl"));
}

// The inputs that are left are fewer than those that pages name by number.
TEST(RunStoreTest, KeepsAllButTextsIfAFileOfAFolderIsGone) {
  const TemporaryFolder folder;
  const std::string pages = folder / "pages";
  std::filesystem::create_directory(pages);
  for (const char* name : {"/a.jsonl", "/b.jsonl"}) {
    std::ofstream(pages + name) << R"({"id":"p","text":"Words of a page that stand in two files under one id."})"
                                << '\n';
  }
  DedupOptions options;
  options.inputs = {pages};
  options.output.out = folder / "clean";
  options.output.report = false;
  ASSERT_TRUE(deduplicate(options));
  ASSERT_TRUE(store_options(options.output.out, ""));
  std::filesystem::remove(pages + "/b.jsonl");
  const auto store = RunStore::open(options);
  ASSERT_TRUE(store) << store.error().message;
  const RunControl silent;
  ProgressReporter progress(silent);
  const Status loaded = (*store)->load(progress);
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_THAT((*store)->no_texts(), HasSubstr("not those that the run read"));
  EXPECT_EQ((*store)->pages().size(), 2U);
  EXPECT_THAT((*store)->read().defects.kinds.front().examples.front().file, HasSubstr("b.jsonl"));
}

TEST(RulingFilesTest, EditsLinesAndKeepsOthers) {
  const FinishedRun run(25);
  const auto store = run.load();
  const std::string path = run.folder() + "/never.tsv";
  ASSERT_TRUE(write_file_atomically(path, "# by hand\nsomeone\telse\n0-0\t1-0\tnote"));
  RulingFiles files(*store);
  ASSERT_TRUE(files.load());
  EXPECT_EQ(files.never().unknown, 1U);
  ASSERT_EQ(files.never().pairs.size(), 1U);
  const auto [a, b] = files.never().pairs.front();
  EXPECT_EQ(files.find(b, a), PairRuling::kNever);
  ASSERT_TRUE(files.rule(a, b, PairRuling::kAlways));
  EXPECT_EQ(files.find(a, b), PairRuling::kAlways);
  EXPECT_EQ(*read_whole_file(path), "# by hand\nsomeone\telse\n");
  EXPECT_EQ(*read_whole_file(run.folder() + "/always.tsv"), "0-0\t1-0\n");
  ASSERT_TRUE(files.rule(b, a, PairRuling::kNone));
  EXPECT_EQ(*read_whole_file(run.folder() + "/always.tsv"), "");
  EXPECT_EQ(files.find(a, b), PairRuling::kNone);
}

TEST(RulingFilesTest, HaveEachPairOnceInTheOrderOfTheFile) {
  const FinishedRun run(26);
  const auto store = run.load();
  const std::uint32_t pages = store->pages().size();
  std::string text;
  std::vector<RulingFiles::PagePair> expected;
  for (const bool is_forward : {true, false, true}) {
    for (std::uint32_t b = pages - 1; b > 0; --b) {
      for (std::uint32_t a = 0; a < b; ++a) {
        const std::string_view first = store->pages().id(is_forward ? a : b);
        const std::string_view second = store->pages().id(is_forward ? b : a);
        text.append(first).append("\t").append(second).append("\n");
        if (expected.size() < std::size_t{pages} * (pages - 1) / 2) expected.emplace_back(a, b);
      }
    }
  }
  ASSERT_TRUE(write_file_atomically(run.folder() + "/always.tsv", text));
  RulingFiles files(*store);
  ASSERT_TRUE(files.load());
  EXPECT_EQ(files.always().pairs, expected);
  EXPECT_THAT(files.never().pairs, IsEmpty());
  ASSERT_TRUE(files.rule(expected[3].second, expected[3].first, PairRuling::kNone));
  EXPECT_EQ(files.find(expected[3].first, expected[3].second), PairRuling::kNone);
  EXPECT_EQ(files.find(expected[4].first, expected[4].second), PairRuling::kAlways);
  ASSERT_TRUE(files.rule(expected[3].first, expected[3].second, PairRuling::kAlways));
  std::rotate(expected.begin() + 3, expected.begin() + 4, expected.end());
  EXPECT_EQ(files.always().pairs, expected);
}

}  // namespace
}  // namespace paraprint
