// Runs that read pages of a program and write the output folder: the bytes are those of a run over a file with the
// pages, and a folder is resumed by the same pages only.
#include "paraprint/page_collection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <regex>
#include <set>

#include "paraprint/index.h"
#include "paraprint/memory_pages.h"
#include "temporary_folder.h"

namespace paraprint {
namespace {

namespace fs = std::filesystem;
using Files = std::map<std::string, std::string>;

// More than two batches of a run, so that a stopped run has something to keep and something left.
constexpr std::size_t kPages = 600;
constexpr std::size_t kBatchPages = 256;

std::vector<Page> some_pages(std::uint32_t seed = 1) {
  std::mt19937 random(seed);
  const auto sentence = [&] {
    std::string text = "The";
    for (int word = 0; word < 12; ++word) text += " w" + std::to_string(random() % 5000);
    return text + ".";
  };
  std::vector<Page> pages(kPages);
  std::string before;
  for (std::size_t i = 0; i < pages.size(); ++i) {
    Page& page = pages[i];
    page.id = "page " + std::to_string(i);
    page.url = "https://example.org/" + std::to_string(i);
    page.date = i % 3 == 0 ? "2024-05" : i % 3 == 1 ? "2024-04-30T23:00:00Z" : "";
    page.format = i % 2 == 0 ? PageFormat::kHtml : PageFormat::kPlainText;
    page.body_is_utf8 = true;
    // Every fifth page is a copy of the one before, every seventh has its beginning.
    std::string text = i % 5 == 4 ? before : sentence() + " " + sentence() + " " + sentence();
    if (i % 7 == 6) text = before + " " + sentence();
    before = text;
    page.body = i % 2 == 0 ? "<p>" + text + "</p>" : text;
  }
  return pages;
}

// Pages that count how often they are read, and can ask the run to stop.
class CountedPages : public PageCollection {
 public:
  explicit CountedPages(std::span<const Page> pages) : pages_(pages) {}
  std::size_t size() const override { return pages_.size(); }
  void read(std::size_t position, Page& page) const override {
    page = pages_[position];
    ++reads;
    if (reads == stop_at) stop = true;
  }
  std::string digest() const override { return known_digest; }

  std::string known_digest;
  mutable std::size_t reads = 0;
  mutable std::atomic<bool> stop{false};
  std::size_t stop_at = 0;

 private:
  std::span<const Page> pages_;
};

// Pages whose number is not known before their end, like rows of a file, and which may turn out to be damaged.
class StreamedPages : public PageSequence {
 public:
  explicit StreamedPages(std::span<const Page> pages) : pages_(pages) {}
  Result<bool> find(std::uint64_t position, Page& page) const override {
    ++finds;
    if (position == fails_at) return failure(ErrorCode::kCorruptData, "rows.parquet: damaged");
    if (position >= pages_.size()) return false;
    page = pages_[position];
    bytes_done_ = (position + 1) * kPageBytes;
    return true;
  }
  std::string name() const override { return "rows.parquet"; }
  std::uint64_t size_bytes() const override { return pages_.size() * kPageBytes; }
  std::optional<std::uint64_t> bytes_done() const override { return bytes_done_; }
  std::string digest() const override { return "these rows"; }

  static constexpr std::uint64_t kPageBytes = 10;  // as it is stored
  std::optional<std::uint64_t> fails_at;
  mutable std::size_t finds = 0;

 private:
  std::span<const Page> pages_;
  mutable std::uint64_t bytes_done_ = 0;
};

// All output except what differs from run to run.
Files files_of(const std::string& folder) {
  Files files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    const std::string name = fs::relative(entry.path(), folder).string();
    if (!entry.is_regular_file() || name == "timing.json" || name.starts_with(".paraprint/")) continue;
    std::ifstream file(entry.path(), std::ios::binary);
    files[name] = {std::istreambuf_iterator<char>(file), {}};
  }
  return files;
}

// The output of a run over the file `path` as one over its pages in memory writes it: another name of the input, and
// positions in place of offsets, which are left out here on both sides.
Files without_places(Files files, const std::string& path) {
  for (auto& [name, bytes] : files) {
    for (std::size_t at = bytes.find(path); at != std::string::npos; at = bytes.find(path, at)) {
      bytes.replace(at, path.size(), "pages in memory");
    }
  }
  std::string& removed = files["removed.jsonl"];
  removed = std::regex_replace(removed, std::regex(R"("offset_bytes":\d+)"), "");
  return files;
}

class PageCollectionTest : public ::testing::Test {
 protected:
  DedupOptions options_for(const std::string& out, unsigned threads = 2) const {
    DedupOptions options;
    options.inputs = {folder_ / "pages.jsonl"};
    options.output.out = folder_ / out;
    options.output.records = false;
    options.survivors.keep = "earliest";
    options.survivors.remove_contained = true;
    options.resources.threads = threads;
    return options;
  }
  DedupOptions brief_options_for(const std::string& out) const {
    DedupOptions options = options_for(out, 1);
    options.output.report = false;
    options.output.evidence = false;
    return options;
  }

  void write_file(const std::vector<Page>& pages) const {
    std::ofstream file(folder_ / "pages.jsonl");
    for (const Page& page : pages) {
      file << R"({"id":")" << page.id << R"(","url":")" << page.url << R"(","date":")" << page.date << R"(",")"
           << (page.format == PageFormat::kHtml ? "html" : "text") << R"(":")" << page.body << "\"}\n";
    }
  }
  Files output(const std::string& out) const {
    return without_places(files_of(folder_ / out), folder_ / "pages.jsonl");
  }

  TemporaryFolder folder_;
};

TEST_F(PageCollectionTest, WritesTheBytesOfARunOverAFile) {
  const std::vector<Page> pages = some_pages();
  write_file(pages);
  const Result<DedupOutcome> of_file = deduplicate(options_for("file"));
  ASSERT_TRUE(of_file) << of_file.error().message;
  const Files expected = output("file");
  EXPECT_TRUE(expected.contains("report/index.html") && expected.contains("matches.jsonl"));
  for (const unsigned threads : {1U, 4U}) {
    const std::string out = "memory" + std::to_string(threads);
    DedupOptions options = options_for(out, threads);
    options.inputs.clear();
    options.output.records = true;  // ignored
    const Result<DedupOutcome> of_memory = deduplicate(PageSpan(pages), options);
    ASSERT_TRUE(of_memory) << of_memory.error().message;
    EXPECT_EQ(of_memory->pages_removed, of_file->pages_removed);
    EXPECT_GT(of_memory->pages_removed, 100U);
    Files files = output(out);
    // The number of threads is in the summary, and the settings in the report.
    for (const auto& [name, bytes] : expected) {
      if (name == "summary.json") continue;
      EXPECT_TRUE(files[name] == bytes) << name;
    }
    EXPECT_EQ(files.size(), expected.size());
  }
  ASSERT_TRUE(deduplicate(PageSpan(pages), options_for("memory")));
  EXPECT_EQ(output("memory").at("summary.json"), expected.at("summary.json"));
}

TEST_F(PageCollectionTest, UsesAnIndexLikeARunOverAFile) {
  const std::vector<Page> pages = some_pages();
  const std::span<const Page> all(pages);
  write_file({pages.begin(), pages.begin() + 300});
  ASSERT_TRUE(deduplicate_with_index(options_for("file"), folder_ / "file index"));
  ASSERT_TRUE(deduplicate_with_index(PageSpan(all.first(300)), options_for("memory"), folder_ / "memory index"));
  write_file(pages);
  const Result<DedupOutcome> of_file = deduplicate_with_index(options_for("file2"), folder_ / "file index");
  ASSERT_TRUE(of_file) << of_file.error().message;
  const Result<DedupOutcome> of_memory =
      deduplicate_with_index(PageSpan(all), options_for("memory2"), folder_ / "memory index");
  ASSERT_TRUE(of_memory) << of_memory.error().message;
  EXPECT_GE(of_memory->pages_known, 250U);
  EXPECT_EQ(of_memory->pages_known, of_file->pages_known);
  for (const char* name : {"clusters.tsv", "matches.tsv", "matches.jsonl", "removed.jsonl", "report/index.html"}) {
    EXPECT_EQ(output("memory").at(name), output("file").at(name)) << name;
    EXPECT_EQ(output("memory2").at(name), output("file2").at(name)) << name;
  }
  DedupOptions classic = options_for("classic");
  classic.profile.algorithm = "simhash-64";
  EXPECT_FALSE(deduplicate_with_index(PageSpan(all), classic, folder_ / "memory index"));
}

// Their positions are those of other pages the day after, and their texts are known all the same.
TEST_F(PageCollectionTest, PagesWithoutIdsReplaceNoOthersInAnIndex) {
  for (const bool has_urls : {false, true}) {
    const std::string index = folder_ / (has_urls ? "index of urls" : "index of places");
    std::vector<std::vector<Page>> days = {some_pages(1), some_pages(2)};
    for (std::size_t day = 0; day < days.size(); ++day) {
      for (Page& page : days[day]) {
        page.id.clear();
        page.url = has_urls ? page.url + "?day=" + std::to_string(day) : "";
      }
    }
    std::size_t runs = 0;
    for (const std::size_t day : {0U, 1U, 0U, 1U}) {
      const bool is_repeated = runs >= days.size();
      DedupOptions options = brief_options_for((has_urls ? "urls" : "places") + std::to_string(runs++));
      options.survivors.remove_contained = false;
      const Result<DedupOutcome> outcome = deduplicate_with_index(PageSpan(days[day]), options, index);
      ASSERT_TRUE(outcome) << outcome.error().message;
      EXPECT_EQ(outcome->pages_known > kPages * 9 / 10, is_repeated);
      EXPECT_EQ(outcome->known_replaced, 0U);
      EXPECT_EQ(outcome->pages_not_indexed, 0U);
    }
  }
}

TEST_F(PageCollectionTest, KnownPagesWithAnotherTextAreCounted) {
  std::vector<Page> pages = some_pages();
  pages.resize(2);
  const std::string index = folder_ / "index";
  ASSERT_TRUE(deduplicate_with_index(PageSpan(pages), brief_options_for("one"), index));
  pages[1].body = some_pages(2)[1].body;
  const Result<DedupOutcome> outcome = deduplicate_with_index(PageSpan(pages), brief_options_for("two"), index);
  ASSERT_TRUE(outcome) << outcome.error().message;
  EXPECT_EQ(outcome->pages_known, 1U);
  EXPECT_EQ(outcome->known_replaced, 1U);
}

TEST_F(PageCollectionTest, ResumesAfterAStop) {
  const std::vector<Page> pages = some_pages();
  CountedPages counted(pages);
  counted.known_digest = "these pages";
  ASSERT_TRUE(deduplicate(counted, brief_options_for("whole")));
  EXPECT_EQ(counted.reads, kPages);

  counted.reads = 0;
  counted.stop_at = kBatchPages + 100;
  RunControl control;
  control.stop = &counted.stop;
  const Result<DedupOutcome> stopped = deduplicate(counted, brief_options_for("out"), control);
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, ErrorCode::kCancelled);

  counted.stop_at = 0;
  counted.reads = 0;
  ASSERT_TRUE(deduplicate(counted, brief_options_for("out")));
  EXPECT_EQ(counted.reads, kPages - kBatchPages);
  EXPECT_EQ(files_of(folder_ / "out"), files_of(folder_ / "whole"));
  // A finished run reads nothing, and may be written with other thresholds and with a report, which shows texts.
  counted.reads = 0;
  ASSERT_TRUE(deduplicate(counted, brief_options_for("out")));
  EXPECT_EQ(counted.reads, 0U);
  ASSERT_TRUE(deduplicate(counted, options_for("out")));
  EXPECT_TRUE(fs::exists(folder_ / "out/report/index.html"));
  EXPECT_GT(counted.reads, 0U);
}

TEST_F(PageCollectionTest, ReadsASequenceOfUnknownLength) {
  const std::vector<Page> pages = some_pages();
  ASSERT_TRUE(deduplicate(PageSpan(pages), options_for("memory")));
  const StreamedPages streamed(pages);
  std::vector<Progress> reading;
  RunControl control;
  control.progress = [&](const Progress& progress) {
    if (progress.stage == "read") reading.push_back(progress);
  };
  ASSERT_TRUE(deduplicate(streamed, options_for("streamed"), control));
  Files files = files_of(folder_ / "streamed");
  EXPECT_NE(files["removed.jsonl"].find("\"file\":\"rows.parquet\""), std::string::npos);
  EXPECT_EQ(without_places(std::move(files), "rows.parquet"), output("memory"));
  ASSERT_FALSE(reading.empty());
  for (const Progress& progress : reading) EXPECT_EQ(progress.total, kPages * StreamedPages::kPageBytes);
  EXPECT_EQ(reading.back().done, kPages * StreamedPages::kPageBytes);
}

// Unlike a damaged file of a crawl, of which the rest is used.
TEST_F(PageCollectionTest, EndsWithTheErrorOfASequence) {
  const std::vector<Page> pages = some_pages();
  StreamedPages streamed(pages);
  ASSERT_TRUE(deduplicate(streamed, brief_options_for("whole")));
  streamed.fails_at = kBatchPages + 100;
  const Result<DedupOutcome> failed = deduplicate(streamed, brief_options_for("out"));
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, ErrorCode::kCorruptData);
  EXPECT_EQ(failed.error().message, "rows.parquet: damaged");
  EXPECT_FALSE(fs::exists(folder_ / "out/summary.json"));

  streamed.fails_at.reset();
  streamed.finds = 0;
  ASSERT_TRUE(deduplicate(streamed, brief_options_for("out")));
  EXPECT_EQ(streamed.finds, kPages - kBatchPages + 1);  // the last one finds the end
  EXPECT_EQ(files_of(folder_ / "out"), files_of(folder_ / "whole"));
}

// The digest that a run makes tells apart pages that differ in any field, and in their order.
TEST_F(PageCollectionTest, RefusesAFolderOfOtherPages) {
  const std::vector<Page> pages = some_pages();
  ASSERT_TRUE(deduplicate(PageSpan(pages), brief_options_for("out")));
  const CountedPages same(pages);
  ASSERT_TRUE(deduplicate(same, brief_options_for("out")));
  EXPECT_EQ(same.reads, kPages);  // for the digest
  const Files before = files_of(folder_ / "out");

  std::vector<std::vector<Page>> others(8, pages);
  others[0].back().body += "!";
  others[1].back().id += "!";
  others[2].back().url += "!";
  others[3].back().date = "2024";
  others[4].back().content_type = "text/html";
  others[5].back().body_is_utf8 = false;
  others[6].pop_back();
  std::swap(others[7][0], others[7][1]);
  for (const std::vector<Page>& other : others) {
    const Result<DedupOutcome> refused = deduplicate(PageSpan(other), brief_options_for("out"));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::kInvalidArgument);
    EXPECT_THAT(refused.error().message, ::testing::HasSubstr("holds a run with other inputs"));
  }
  EXPECT_EQ(files_of(folder_ / "out"), before);
  DedupOptions restarted = brief_options_for("out");
  restarted.output.restart = true;
  ASSERT_TRUE(deduplicate(PageSpan(others[6]), restarted));
  EXPECT_NE(files_of(folder_ / "out"), before);
}

TEST_F(PageCollectionTest, StopsWhileItMakesTheDigest) {
  const std::vector<Page> pages = some_pages();
  CountedPages counted(pages);
  counted.stop_at = 10;
  RunControl control;
  control.stop = &counted.stop;
  EXPECT_EQ(deduplicate(counted, brief_options_for("out"), control).error().code, ErrorCode::kCancelled);
  EXPECT_EQ(counted.reads, 10U);
  EXPECT_FALSE(fs::exists(folder_ / "out"));
}

TEST_F(PageCollectionTest, ReadsEachPageOnceIfNothingIsWritten) {
  const std::vector<Page> pages = some_pages();
  const CountedPages counted(pages);
  const Result<DeduplicatePagesOutcome> outcome = deduplicate_pages(counted, options_for("none"));
  ASSERT_TRUE(outcome) << outcome.error().message;
  EXPECT_EQ(counted.reads, kPages);
  EXPECT_FALSE(fs::exists(folder_ / "none"));
  EXPECT_EQ(outcome->pages[3].kept_page, 4U);  // its copy, which is an hour older
}

TEST(PageDigest, SeparatesFieldsAndPages) {
  const auto digest_of = [](std::vector<Page> pages) {
    PageDigest digest;
    for (const Page& page : pages) digest.add(page);
    return digest.text();
  };
  Page ab;
  ab.id = "ab";
  ab.url = "c";
  Page a_bc;
  a_bc.id = "a";
  a_bc.url = "bc";
  EXPECT_EQ(digest_of({ab, a_bc}), digest_of({ab, a_bc}));
  EXPECT_EQ(digest_of({ab}).size(), 32U);
  std::set<std::string> digests = {digest_of({}),         digest_of({ab}),       digest_of({a_bc}),
                                   digest_of({ab, a_bc}), digest_of({a_bc, ab}), digest_of({ab, ab})};
  EXPECT_EQ(digests.size(), 6U);
}

}  // namespace
}  // namespace paraprint
