// A divided run removes the pages that earlier runs had, as a run in one process does with an index of known pages.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "base/propagate.h"
#include "distribute/divided_run.h"
#include "distribute/known/known_records.h"
#include "distribute/made_pages.h"
#include "paraprint/engine.h"
#include "paraprint/known_folder.h"

namespace paraprint {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin) + 1;
    lines.push_back(text.substr(begin, end - begin));
    begin = end;
  }
  return lines;
}

// The same pages, each with an id of its own: an index replaces the text of a known id.
std::vector<std::string> with_own_ids(std::vector<std::string> lines) {
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::size_t begin = lines[i].find("\"id\":\"") + 6;
    lines[i].replace(begin, lines[i].find('"', begin) - begin, fmt::format("own-{}", i));
  }
  return lines;
}

std::string joined(const std::vector<std::string>& lines, std::size_t begin, std::size_t end, std::size_t step = 1) {
  std::string text;
  for (std::size_t i = begin; i < end; i += step) text += lines[i];
  return text;
}

class KnownRunTest : public ::testing::TestWithParam<std::uint32_t> {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("paraprint-known-run-" + std::to_string(::getpid()));
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "tmp");
    options_.resources.threads = 1;
    options_.output.report = false;
    options_.output.records = false;
    options_.output.evidence = false;
  }
  void TearDown() override { fs::remove_all(folder_); }

  DedupOptions options_of(const std::string& name, const std::string& lines) {
    const std::string path = (folder_ / (name + ".jsonl")).string();
    std::ofstream(path, std::ios::binary) << lines;
    DedupOptions options = options_;
    options.inputs = {path};
    return options;
  }

  // Runs in one process, against the index of all earlier calls.
  void run_whole(const std::string& name, const std::string& lines) {
    DedupOptions options = options_of(name, lines);
    options.output.out = (folder_ / ("whole-" + name)).string();
    const Result<DedupOutcome> outcome = deduplicate_with_index(options, index_folder(), {});
    ASSERT_TRUE(outcome.has_value()) << outcome.error().message;
    pages_known_ = outcome->pages_known;
  }

  // Runs divided, against known_, and compares the output with that of the run of the same name in one process.
  void run_divided(const std::string& name, const std::string& lines, bool is_compared = true) {
    SCOPED_TRACE(name);
    const fs::path out = folder_ / ("divided-" + name);
    const fs::path whole = folder_ / ("whole-" + name);
    fs::create_directories(out);
    DividedRun run(options_of(name, lines), (folder_ / "tmp").string(), GetParam());
    run.set_known(known_);
    const Status done = run.run_files(out.string());
    ASSERT_TRUE(done.has_value()) << done.error().message;
    counters_ = run.counters();
    if (is_compared) {
      for (const char* file : {"clusters.tsv", "matches.tsv", "removed.jsonl", "matches.jsonl", "savings.json"}) {
        EXPECT_EQ(read_file(out / file), read_file(whole / file)) << file;
      }
      for (const auto& entry : fs::recursive_directory_iterator(folder_)) {
        if (!entry.is_regular_file() || entry.path().string().find("whole-" + name + "/records") == std::string::npos) {
          continue;
        }
        const fs::path inner = entry.path().lexically_relative(whole);
        EXPECT_EQ(read_file(out / inner), read_file(entry.path())) << inner;
        ++records_compared_;
      }
      EXPECT_EQ(counters_["removed_known_before"], pages_known_);
    }
    Result<KnownRun> remembered = run.remember();
    ASSERT_TRUE(remembered.has_value()) << remembered.error().message;
    next_ = std::move(*remembered);
  }

  void know_index() {
    const Result<std::unique_ptr<PageIndex>> index = PageIndex::open(index_folder(), {});
    ASSERT_TRUE(index.has_value()) << index.error().message;
    KnownRun run;
    const Result<std::uint32_t> texts = make_known_tables(**index, 1 << 20, (folder_ / "tmp").string(),
                                                          [&](Parcel&& parcel) { return run.add(parcel); });
    ASSERT_TRUE(texts.has_value()) << texts.error().message;
    run.texts = *texts;
    known_.push_back(std::move(run));
  }

  std::string index_folder() const { return (folder_ / "index").string(); }

  fs::path folder_;
  DedupOptions options_;
  DividedRun::Counters counters_;
  std::vector<KnownRun> known_;
  KnownRun next_;
  std::uint64_t pages_known_ = 0;
  int records_compared_ = 0;
};

INSTANTIATE_TEST_SUITE_P(Tasks, KnownRunTest, ::testing::Values(1U, 3U, 16U));

TEST_P(KnownRunTest, KnowsWhatAnIndexKnows) {
  const std::vector<std::string> lines = lines_of(World(3).json_lines(300));
  run_whole("first", joined(lines, 0, 150));
  know_index();
  // Some pages come again, with the same addresses, among copies and new ones.
  const std::string second = joined(lines, 150, 300) + joined(lines, 0, 150, 5);
  options_.output.evidence = true;
  options_.output.records = true;
  run_whole("second", second);
  EXPECT_GT(pages_known_, 50U);
  run_divided("second", second);
  EXPECT_EQ(records_compared_, 1);
  EXPECT_GT(counters_["known_templates"], 0U);
  EXPECT_GT(counters_["known_blocks_read"], 0U);
}

TEST_P(KnownRunTest, RemovesContainedPagesAndKeepsOthersToo) {
  const std::vector<std::string> lines = lines_of(World(4).json_lines(240));
  run_whole("first", joined(lines, 0, 120));
  know_index();
  options_.survivors.remove_contained = true;
  options_.output.records = true;
  options_.output.revisits = true;
  run_whole("second", joined(lines, 120, 240) + joined(lines, 0, 20));
  run_divided("second", joined(lines, 120, 240) + joined(lines, 0, 20));
  EXPECT_EQ(records_compared_, 1);
}

// Runs learn from runs what an index learns from them. An index learns templates page by page, so none are sought.
TEST_P(KnownRunTest, ARunIsKnownToTheNextOnes) {
  options_.candidates.boilerplate = false;
  const std::vector<std::string> lines = with_own_ids(lines_of(World(5).json_lines(360)));
  for (std::size_t crawl = 0; crawl < 3; ++crawl) {
    const std::string name = fmt::format("crawl-{}", crawl);
    const std::string pages = joined(lines, crawl * 120, (crawl + 1) * 120) + joined(lines, 0, crawl * 120, 7);
    run_whole(name, pages);
    run_divided(name, pages);
    known_.push_back(std::move(next_));
    if (crawl == 1) {
      Result<KnownRun> merged = merged_runs(known_);
      ASSERT_TRUE(merged.has_value()) << merged.error().message;
      known_.assign(1, std::move(*merged));
    }
  }
  EXPECT_GT(pages_known_, 50U);
}

// What a page without an id is called must not depend on its place: another crawl has other pages there.
TEST_P(KnownRunTest, PagesWithoutIdsHaveTheNamesOfAnIndex) {
  options_.candidates.boilerplate = false;
  std::vector<std::string> lines = lines_of(World(6).json_lines(240));
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::size_t text = lines[i].find("\"html\":");
    ASSERT_NE(text, std::string::npos);
    const std::string url = i % 2 == 0 ? fmt::format("\"url\":\"http://own.example/{}\",", i) : std::string();
    lines[i] = "{" + url + lines[i].substr(text);
  }
  for (std::size_t crawl = 0; crawl < 2; ++crawl) {
    const std::string pages = joined(lines, crawl * 120, (crawl + 1) * 120) + joined(lines, 0, crawl * 120, 7);
    const std::string name = fmt::format("crawl-{}", crawl);
    run_whole(name, pages);
    run_divided(name, pages);
    known_.push_back(std::move(next_));
  }
  EXPECT_GT(pages_known_, 20U);
  const std::string removed = read_file(folder_ / "divided-crawl-1" / "removed.jsonl");
  EXPECT_THAT(removed, ::testing::ContainsRegex("\"kept_id\":\"http://own.example/[0-9]*#[0-9a-f]{32}\""));
  EXPECT_THAT(removed, ::testing::ContainsRegex("\"kept_id\":\"crawl-0.jsonl:[0-9]*#[0-9a-f]{32}\""));
}

// Every sentence of the copies is another one, so that nothing but the sketch finds them.
TEST_P(KnownRunTest, FindsWhatSketchesAloneFind) {
  const std::vector<std::string> lines = lines_of(World(6).pages_with_a_changed_copy(40));
  run_whole("originals", joined(lines, 0, lines.size(), 2));
  know_index();
  run_whole("changed", joined(lines, 1, lines.size(), 2));
  run_divided("changed", joined(lines, 1, lines.size(), 2));
  EXPECT_GT(pages_known_, 20U);
}

// Of the texts that a key leads to, no more than the cap are compared: the same ones however the work is divided.
TEST_P(KnownRunTest, CrowdedKeysAreCapped) {
  options_.candidates.group_cap = 4;
  options_.candidates.boilerplate = false;
  const std::vector<std::string> lines = lines_of(World(9).numbered_copies(60));
  std::string removed;
  for (const std::uint32_t tasks : {GetParam(), 2U}) {
    known_.clear();
    DividedRun first(options_of("first", joined(lines, 0, 60, 2)), (folder_ / "tmp").string(), tasks);
    first.set_known(known_);
    ASSERT_TRUE(first.run_files((folder_ / "tmp").string()).has_value());
    Result<KnownRun> remembered = first.remember();
    ASSERT_TRUE(remembered.has_value());
    // The same texts as of several runs: one run keeps one of them.
    for (int run = 0; run < 9; ++run) known_.push_back(*remembered);
    DividedRun::Counters counters_before;
    // As they are, five of them merged, and these again with the others.
    for (const std::size_t merged : {std::size_t{1}, std::size_t{5}, std::size_t{5}}) {
      Result<KnownRun> run = merged_runs({known_.begin(), known_.begin() + static_cast<std::ptrdiff_t>(merged)});
      ASSERT_TRUE(run.has_value()) << run.error().message;
      known_.erase(known_.begin(), known_.begin() + static_cast<std::ptrdiff_t>(merged));
      known_.insert(known_.begin(), std::move(*run));
      DividedRun second(options_of("second", joined(lines, 1, 60, 2)), (folder_ / "tmp").string(), tasks);
      second.set_known(known_);
      const Status done = second.run_files((folder_ / "tmp").string());
      ASSERT_TRUE(done.has_value()) << done.error().message;
      DividedRun::Counters counters = second.counters();
      EXPECT_EQ(counters["removed_known_before"], 30U);
      EXPECT_GT(counters["known_keys_over_cap"], 0U);
      counters["known_blocks_read"] = 0;  // what merging is for
      if (counters_before.empty()) counters_before = counters;
      EXPECT_EQ(counters, counters_before);
      const std::string found = read_file(folder_ / "tmp" / "removed.jsonl");
      if (removed.empty()) removed = found;
      EXPECT_EQ(found, removed);
    }
    EXPECT_EQ(known_.size(), 1U);
  }
}

// Templates that an earlier run found on a site are no reason to call a page of a later one known, even if that one has
// too few pages of the site to see it.
TEST_P(KnownRunTest, KnowsTheTemplatesOfEarlierRuns) {
  const std::vector<std::string> lines = lines_of(World(8).site_with_notices());
  run_divided("first", joined(lines, 0, 13), false);
  known_.push_back(std::move(next_));
  EXPECT_GT(counters_["boilerplate_paragraphs"], 0U);
  run_divided("second", joined(lines, 13, 14), false);
  EXPECT_EQ(counters_["known_templates"], 1U);
}

TEST(MergedTablesTest, AreRefusedIfTheyAreDamaged) {
  // Two lines of 13 bytes of "exact": key, text, length class.
  const std::string first("\0\0\0\0\0\0\0\1\0\0\0\1\7", 13);
  const std::string second("\0\0\0\0\0\0\0\2\0\0\0\0\7", 13);
  const auto merge = [](const std::string& table, std::vector<std::string> blocks, std::uint64_t numbers) {
    std::size_t given = 0;
    const auto next = [&](std::uint32_t run) -> Result<std::optional<std::string>> {
      if (run == 1 || given == blocks.size()) return std::nullopt;
      return blocks[given++];
    };
    const std::vector<std::uint64_t> first_texts = {0, numbers, numbers + 5};
    const Result<std::uint64_t> lines = merge_known_table(table, first_texts, next, [](Parcel&&) { return Status{}; });
    return lines ? fmt::format("{} lines", *lines) : lines.error().message;
  };
  EXPECT_EQ(merge("exact", {first + second}, 2), "2 lines");
  EXPECT_EQ(merge("exact", {first, second}, 2), "2 lines");
  const auto is_damaged = ::testing::HasSubstr("known/");
  EXPECT_THAT(merge("exact", {second + first}, 2), is_damaged);  // in another order
  EXPECT_THAT(merge("exact", {second, first}, 2), is_damaged);
  EXPECT_THAT(merge("exact", {first + second}, 1), is_damaged);  // a text with too great a number
  EXPECT_THAT(merge("exact", {first.substr(1)}, 2), is_damaged);
  EXPECT_THAT(merge("exact", {""}, 2), is_damaged);
  EXPECT_THAT(merge("texts", {std::string("\1\0\1\0", 4)}, 2), is_damaged);  // twice the same
  EXPECT_EQ(merge("texts", {std::string("\0\0\1\0", 4)}, 2), "2 lines");
  EXPECT_THAT(merge("texts", {std::string("\2\0", 2)}, 2), is_damaged);
  EXPECT_THAT(merge("texts", {std::string("\1\5", 2)}, 2), is_damaged);
  EXPECT_THAT(merge("other", {first}, 2), ::testing::HasSubstr("'other' is no table"));
  EXPECT_THAT(merge("exact", {first}, std::uint64_t{1} << 32), ::testing::HasSubstr("4,294,967,295"));
}

// A look-up takes the first lines of a key, so these must not change their order. "near" is looked up by the first 34
// bits.
TEST(MergedTablesTest, LinesOfAKeyStayInTheOrderOfTheirRuns) {
  const auto line = [](char last_of_key, std::size_t rest_bytes, char text) {
    return std::string("\x40\0\0\0\0\0\0", 7) + last_of_key + std::string(rest_bytes, '\0') + std::string(3, '\0') +
           text + '\7';
  };
  const auto merge = [](const std::string& table, const std::vector<std::string>& blocks) {
    std::vector<bool> given(blocks.size());
    const auto next = [&](std::uint32_t run) -> Result<std::optional<std::string>> {
      if (given[run]) return std::nullopt;
      given[run] = true;
      return blocks[run];
    };
    std::string merged;
    const auto give = [&](const Parcel& parcel) -> Status {
      const Result<std::vector<KnownBlock>> blocks = read_known_blocks(parcel.bytes);
      PARAPRINT_TRY(blocks);
      for (const KnownBlock& block : *blocks) merged += block.bytes;
      return {};
    };
    const std::vector<std::uint64_t> first_texts = {0, 10, 20};
    EXPECT_TRUE(merge_known_table(table, first_texts, next, give).has_value());
    return merged;
  };
  EXPECT_EQ(merge("near", {line(5, 9, 1) + line(6, 9, 0), line(3, 9, 2) + line(9, 9, 0)}),
            line(5, 9, 1) + line(6, 9, 0) + line(3, 9, 12) + line(9, 9, 10));
  EXPECT_EQ(merge("exact", {line(5, 0, 1) + line(6, 0, 0), line(3, 0, 2) + line(5, 0, 0)}),
            line(3, 0, 12) + line(5, 0, 1) + line(5, 0, 10) + line(6, 0, 0));
  const std::string site("\0\0\0\0\0\0\0\1", 8);
  const std::string entry("\0\0\0\0\0\0\0\2", 8);
  EXPECT_EQ(merge("templates", {site + entry, site + site + site + entry}), site + site + site + entry);
}

TEST_P(KnownRunTest, ATextThatIsMissingIsAnError) {
  const std::vector<std::string> lines = lines_of(World(3).json_lines(60));
  run_whole("first", joined(lines, 0, 60));
  know_index();
  known_.front().parcels["texts"].clear();
  DividedRun run(options_of("second", joined(lines, 0, 60)), (folder_ / "tmp").string(), GetParam());
  run.set_known(known_);
  const Status done = run.run_files((folder_ / "tmp").string());
  ASSERT_FALSE(done.has_value());
  EXPECT_EQ(done.error().code, ErrorCode::kCorruptData);
  EXPECT_THAT(done.error().message, ::testing::HasSubstr("known texts"));
}

// Back into an index: it gives the same answers.
TEST_P(KnownRunTest, MakesAnIndex) {
  const std::vector<std::string> lines = lines_of(World(7).json_lines(120));
  run_whole("first", joined(lines, 0, 120));
  know_index();
  const std::string again = (folder_ / "again").string();
  const Result<std::unique_ptr<PageIndex>> original = PageIndex::open(index_folder(), {});
  ASSERT_TRUE(original.has_value()) << original.error().message;
  IndexOptions settings;
  settings.identity = (*original)->identity();
  const Result<std::unique_ptr<PageIndex>> made = PageIndex::open(again, settings);
  ASSERT_TRUE(made.has_value()) << made.error().message;
  for (const std::string& parcel : known_.front().parcels["texts"]) {
    const Result<std::vector<KnownBlock>> blocks = read_known_blocks(parcel);
    ASSERT_TRUE(blocks.has_value());
    for (const KnownBlock& block : *blocks) {
      const Result<AddedTexts> added = add_known_texts(**made, block.bytes);
      ASSERT_TRUE(added.has_value()) << added.error().message;
    }
  }
  EXPECT_EQ((*made)->statistics()->texts, (*original)->statistics()->texts);
  const auto visit = [&](const IndexedPage& page, const Profile* profile) -> Status {
    IndexPageInput input;
    input.id = page.id;
    input.url = page.url;
    input.profile = profile;
    const Result<LookupOutcome> expected = (*original)->lookup(input, {});
    const Result<LookupOutcome> found = (*made)->lookup(input, {});
    EXPECT_TRUE(expected.has_value() && found.has_value());
    EXPECT_EQ(found->matches.size(), expected->matches.size()) << page.id;
    return {};
  };
  ASSERT_TRUE((*original)->for_each_page(true, visit).has_value());
}

// An index stores no name of more than 8,192 bytes; a divided run knows such pages.
TEST_P(KnownRunTest, AnIndexIsMadeWithoutPagesOfTooLongNames) {
  run_whole("first", joined(lines_of(World(7).json_lines(40)), 0, 40));
  know_index();
  const Result<std::vector<KnownBlock>> blocks = read_known_blocks(known_.front().parcels["texts"].front());
  ASSERT_TRUE(blocks.has_value());
  const std::string long_name(8193, 'n');
  std::string texts;
  std::uint32_t count = 0;
  const auto rename = [&](const distribute::known::NumberedText& numbered) -> Status {
    ByteReader in(numbered.record);
    distribute::known::KnownText known = distribute::known::read_known_text(in);
    if (count % 3 == 0) known.id = long_name;
    texts += distribute::known::known_text_record(count++, known);
    return {};
  };
  ASSERT_TRUE(
      distribute::for_each_record(blocks->front().bytes, "texts", distribute::known::read_numbered_text, rename));
  IndexOptions settings;
  settings.identity = (*PageIndex::open(index_folder(), {}))->identity();
  const Result<std::unique_ptr<PageIndex>> made = PageIndex::open((folder_ / "again").string(), settings);
  ASSERT_TRUE(made.has_value()) << made.error().message;
  const Result<AddedTexts> added = add_known_texts(**made, texts);
  ASSERT_TRUE(added.has_value()) << added.error().message;
  EXPECT_EQ(added->left_out, (count + 2) / 3);
  EXPECT_EQ(added->added, count - added->left_out);
  EXPECT_GT(added->added, 2U);
  EXPECT_EQ((*made)->statistics()->texts, added->added);
}

TEST(KnownOptionsTest, AreThoseOfTheParagraphMethod) {
  DedupOptions options;
  EXPECT_TRUE(check_known(options).has_value());
  options.profile.algorithm = "minhash";
  EXPECT_EQ(check_known(options).error().code, ErrorCode::kUnsupported);
  options = {};
  options.profile.idf = IdfSource::kCorpus;
  EXPECT_THAT(check_known(options).error().message, ::testing::HasSubstr("idf"));
  options = {};
  options.profile.paragraphs = false;
  EXPECT_EQ(check_known(options).error().code, ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace paraprint
