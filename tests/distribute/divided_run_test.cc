// A distributed run writes the same bytes as a run in one process, however the work is divided.
#include "distribute/divided_run.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <sstream>

#include "distribute/made_pages.h"
#include "paraprint/engine.h"

namespace paraprint {
namespace {

namespace fs = std::filesystem;

// The content of all files, by path below the folder.
std::map<std::string, std::string> files_below(const fs::path& folder) {
  std::map<std::string, std::string> files;
  if (!fs::exists(folder)) return files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) files[entry.path().lexically_relative(folder)] = read_file(entry.path());
  }
  return files;
}

class DividedRunTest : public ::testing::TestWithParam<std::uint32_t> {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("paraprint-divided-" + std::to_string(::getpid()));
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "tmp");
    options_.resources.threads = 1;
    options_.output.report = false;
    options_.output.records = false;
    options_.output.evidence = false;
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& bytes) {
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
    return (folder_ / name).string();
  }

  void expect_same_as_one_process() {
    DedupOptions whole = options_;
    whole.output.out = (folder_ / "whole").string();
    const Result<DedupOutcome> outcome = deduplicate(whole, {});
    ASSERT_TRUE(outcome.has_value()) << outcome.error().message;
    EXPECT_GT(outcome->clusters, 2U);
    fs::create_directories(folder_ / "divided");
    DividedRun run(options_, (folder_ / "tmp").string(), GetParam());
    run.set_claimed_bytes_maximum(claimed_bytes_maximum_);
    const Status divided = run.run_files((folder_ / "divided").string());
    ASSERT_TRUE(divided.has_value()) << divided.error().message;
    for (const char* name : {"clusters.tsv", "matches.tsv", "removed.jsonl"}) {
      EXPECT_EQ(read_file(folder_ / "divided" / name), read_file(folder_ / "whole" / name)) << name;
    }
    EXPECT_EQ(read_file(folder_ / "divided" / "matches.jsonl"), read_file(folder_ / "whole" / "matches.jsonl"));
    EXPECT_EQ(files_below(folder_ / "divided" / "records"), files_below(folder_ / "whole" / "records"));
    for (const char* name : {"input-revisits.jsonl", "savings.json", "savings.html"}) {
      EXPECT_EQ(read_file(folder_ / "divided" / name), read_file(folder_ / "whole" / name)) << name;
    }
    const Result<std::string> identity = distributed_settings_identity(options_, run.words());
    ASSERT_TRUE(identity.has_value());
    const std::string summary = read_file(folder_ / "whole" / "summary.json");
    EXPECT_THAT(summary, ::testing::HasSubstr(*identity));
    counters_ = run.counters();
    for (const char* name :
         {"candidate_pairs", "candidate_pairs_by_sketch", "key_pairs_not_generated", "pairs_verified",
          "pairs_with_too_little_in_common", "simhash_pairs_not_generated", "sketch_buckets_over_cap", "sketches"}) {
      const std::string line = fmt::format("\"{}\": {}", name, counters_[name]);
      EXPECT_TRUE(summary.find(line + ",") != std::string::npos || summary.find(line + "\n") != std::string::npos)
          << line;
    }
    words_ = run.words();
  }

  fs::path folder_;
  DedupOptions options_;
  DividedRun::Counters counters_;
  std::string words_;
  std::size_t claimed_bytes_maximum_ = kClaimedNamesBytes;
};

INSTANTIATE_TEST_SUITE_P(Tasks, DividedRunTest, ::testing::Values(1U, 3U, 16U));

TEST_P(DividedRunTest, DemoCrawl) {
  const std::string demo = std::string(PARAPRINT_SOURCE_ROOT) + "/examples/demo-crawl/";
  for (const char* name : {"first", "second", "third", "odd"}) options_.inputs.push_back(demo + name + ".warc.gz");
  expect_same_as_one_process();
}

TEST_P(DividedRunTest, GeneratedPages) {
  options_.inputs = {write("a.jsonl", World(1).json_lines(150)), write("b.jsonl", World(2).json_lines(150))};
  options_.output.evidence = true;
  expect_same_as_one_process();
  EXPECT_GT(counters_["boilerplate_paragraphs"], 0U);
  EXPECT_GT(counters_["pages_same_text"], 0U);
  EXPECT_GT(counters_["candidate_pairs_by_simhash"], 0U);
  EXPECT_GT(counters_["candidate_pairs_by_sketch"], 0U);
  EXPECT_GT(counters_["evidence_rows"], 100U);
}

TEST_P(DividedRunTest, SurvivingRecordsOfDifferentInputs) {
  options_.output.records = true;
  const std::string demo = std::string(PARAPRINT_SOURCE_ROOT) + "/examples/demo-crawl/";
  // A folder that is an input and contains an archive that is another one, an input that is truncated, and one without
  // removed pages.
  const fs::path crawl = folder_ / "crawl";
  fs::create_directories(crawl / "pages");
  for (const char* name : {"a.html", "b.html", "c.html"}) {
    std::ofstream(crawl / "pages" / name)
        << "<html><body><p>The same few words stand on all three of these pages, which "
           "is why two of them go away.</p></body></html>";
  }
  fs::copy_file(demo + "first.warc.gz", crawl / "pages" / "first.warc.gz");
  fs::copy_file(demo + "second.warc.gz", crawl / "second.warc.gz");
  // Its pages have the payloads of another input, so revisit records refer from one to the other.
  fs::copy_file(demo + "second.warc.gz", crawl / "again.warc.gz");
  const std::string cut = read_file(demo + "third.warc.gz");
  write("crawl/third.warc.gz", cut.substr(0, cut.size() / 2));
  write("crawl/lines.jsonl", World(8).json_lines(60));
  write("crawl/notices.jsonl", World(11).site_with_notices());
  write("crawl/single.jsonl", "{\"id\":\"single\",\"text\":\"nothing else is like this line of text\"}\n");
  options_.inputs = {crawl.string()};
  expect_same_as_one_process();
  EXPECT_GE(counters_["pages_removed"], 10U);
  EXPECT_THAT(read_file(folder_ / "whole" / "savings.json"), ::testing::HasSubstr("\"template\": {"));
  options_.output.revisits = true;
  for (const char* name : {"whole", "divided"}) fs::remove_all(folder_ / name);
  expect_same_as_one_process();
  EXPECT_GT(counters_["relations_written"], 0U);
  EXPECT_GT(counters_["revisits_written"], 0U);
}

std::string warc_record(const std::string& type, int number, const std::string& url, const std::string& more,
                        const std::string& block) {
  return fmt::format(
      "WARC/1.0\r\nWARC-Type: {}\r\nWARC-Record-ID: <urn:test:{}>\r\nWARC-Target-URI: {}\r\n"
      "WARC-Date: 2024-05-01T10:{:02}:{:02}Z\r\nContent-Type: application/http; msgtype=response\r\n{}"
      "Content-Length: {}\r\n\r\n{}\r\n\r\n",
      type, number, url, number / 60, number % 60, more, block.size(), block);
}

// Copies of ten articles; some pages state a digest.
std::string warc_of_copies(int count) {
  std::string warc;
  for (int page = 0; page < count; ++page) {
    std::string text;
    for (int word = 0; word < 90; ++word) text += fmt::format(" word{}x{}", page % 10, word);
    const std::string more = page % 3 == 0 ? fmt::format("WARC-Payload-Digest: sha1:{:A>32}\r\n", page) : "";
    warc += warc_record("response", page, fmt::format("http://h{}.example/{}", page % 7, page % 20), more,
                        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>" + text + "</p><p>Page " +
                            std::to_string(page) + " says it.</p>");
  }
  return warc;
}

// In turn: by id, by place, by digest, "not modified", and what refers to nothing.
std::string warc_of_revisits(int first, int count) {
  std::string warc;
  const std::string profile = "WARC-Profile: http://netpreserve.org/warc/1.0/revisit/";
  for (int i = 0; i < count; ++i) {
    const int page = (first + i * 7) % 100;
    const std::string url = fmt::format("http://h{}.example/{}", page % 7, page % 20);
    std::string more = profile + (i % 5 == 3 ? "server-not-modified\r\n" : "identical-payload-digest\r\n");
    if (i % 5 == 0) more += fmt::format("WARC-Refers-To: <urn:test:{}>\r\n", page);
    if (i % 5 == 1) {
      more += fmt::format("WARC-Refers-To-Target-URI: {}\r\nWARC-Refers-To-Date: 2024-05-01T10:{:02}:{:02}Z\r\n", url,
                          page / 60, page % 60);
    }
    if (i % 5 == 2) more += fmt::format("WARC-Payload-Digest: sha1:{:A>32}\r\n", page);
    warc += warc_record("revisit", 1000 + first + i, i % 5 == 4 ? "http://nowhere.example/" : url, more,
                        "HTTP/1.1 200 OK\r\n\r\n");
  }
  return warc;
}

TEST_P(DividedRunTest, RevisitRecordsOfTheInput) {
  options_.output.records = true;
  const std::string more = warc_of_copies(40);
  // The revisit records come before, among and behind what they refer to; one input ends early.
  options_.inputs = {write("a.warc", warc_of_revisits(3, 60)), write("b.warc", warc_of_copies(100)),
                     write("c.warc", warc_of_revisits(0, 20) + more.substr(0, more.size() - 300)),
                     write("lines.jsonl", World(9).json_lines(20))};
  expect_same_as_one_process();
  for (const char* way : {"id", "address_and_date", "address_and_digest", "previous_capture"}) {
    EXPECT_GT(counters_[std::string("found_by_") + way], 2U) << way;
  }
  EXPECT_GT(counters_["not_found"], 10U);
  EXPECT_GT(counters_["pages_kept_for_revisits"], 10U);
  EXPECT_GT(counters_["pages_removed"], 10U);
  const std::uint64_t sent_bytes = counters_["bytes_of_captures"];

  // Too many names to send them all: more captures are sent, and the output is the same.
  claimed_bytes_maximum_ = 40;
  options_.output.revisits = true;
  for (const char* name : {"whole", "divided"}) fs::remove_all(folder_ / name);
  expect_same_as_one_process();
  EXPECT_GT(counters_["bytes_of_captures"], sent_bytes);
  EXPECT_GT(counters_["pages_kept_for_revisits"], 10U);
}

TEST_P(DividedRunTest, GroupsOverTheCap) {
  options_.inputs = {write("a.jsonl", World(3).json_lines(200))};
  options_.candidates.group_cap = 3;
  options_.candidates.boilerplate = false;
  options_.match.overlap_share = 0.01;
  expect_same_as_one_process();
  EXPECT_GT(counters_["key_groups_over_cap"], 0U);
  EXPECT_GT(counters_["simhash_groups_over_cap"], 0U);
  EXPECT_GT(counters_["sketch_buckets_over_cap"], 0U);
}

// Two near texts, each on more pages than are paired with each other, whose ids repeat and look like numbered ones.
TEST_P(DividedRunTest, LargeGroupsOfEqualTextsAndRepeatedIds) {
  const std::string pair = World(13).numbered_copies(2);
  const std::string texts[] = {pair.substr(pair.find("\"url\"")), pair.substr(pair.rfind("\"url\""))};
  const std::string ids[] = {"a", "a#2", "a#2#2", "b", "#2", "", "b#4", "a", "c#01", "c"};
  std::string lines;
  for (std::size_t page = 0; page < 220; ++page) {
    const std::string& text = texts[page % 2];
    lines += "{\"id\":\"" + ids[page / 2 * 7 % std::size(ids)] + "\"," + text.substr(0, text.find('\n') + 1);
  }
  options_.inputs = {write("a.jsonl", World(14).json_lines(30)), write("b.jsonl", lines)};
  options_.output.evidence = true;
  expect_same_as_one_process();
  EXPECT_GT(counters_["ids_repeated"], 150U);
  // A star has fewer rows than all pairs of 110 pages.
  EXPECT_LT(counters_["matches_listed"], 110U * 109);
}

// A pair that meets in several buckets of sketches counts once, whichever tasks have these buckets: counted twice, it
// would have enough in common.
TEST_P(DividedRunTest, PairsThatSketchesAloneFind) {
  options_.inputs = {write("a.jsonl", World(10).json_lines(80)),
                     write("b.jsonl", World(12).pages_with_a_changed_copy(30))};
  options_.candidates.candidate_bits = -1;
  options_.candidates.boilerplate = false;
  options_.match.overlap_share = 0.9;
  expect_same_as_one_process();
  EXPECT_GT(counters_["pairs_with_too_little_in_common"], 20U);
}

TEST_P(DividedRunTest, OtherPolicies) {
  options_.inputs = {write("a.jsonl", World(4).json_lines(150))};
  options_.survivors.clusters = ClusterMode::kConnected;
  options_.survivors.keep = "latest";
  options_.survivors.prefer_host = {"site3.example"};
  options_.survivors.remove_contained = true;
  expect_same_as_one_process();
}

TEST_P(DividedRunTest, WeightsLearntFromThePages) {
  options_.inputs = {write("a.jsonl", World(5).json_lines(80)), write("b.jsonl", World(6).json_lines(90)),
                     write("c.jsonl", World(7).json_lines(10)), write("broken.jsonl", "{\"id\":\n\n{}\n")};
  expect_same_as_one_process();
  const std::string with_bundled_weights = read_file(folder_ / "whole" / "matches.tsv");
  options_.profile.idf = IdfSource::kCorpus;
  fs::remove_all(folder_ / "whole");
  expect_same_as_one_process();
  EXPECT_NE(read_file(folder_ / "whole" / "matches.tsv"), with_bundled_weights);
  // The table does not depend on how the pages were divided or on their order.
  const Result<std::unique_ptr<WordCountStage>> stage = WordCountStage::create(options_);
  ASSERT_TRUE(stage.has_value());
  for (const std::size_t input : {3U, 1U, 2U, 0U}) {
    ASSERT_TRUE((*stage)->count_file({options_.inputs[input]}, {}).has_value());
  }
  const std::vector<Parcel> parcels = (*stage)->take_parcels(1);
  EXPECT_EQ(words_, join_words(std::vector<std::string>{parcels.front().bytes}).value());
}

TEST_P(DividedRunTest, InputsOfOneNameAreRefused) {
  options_.inputs = {write("a.jsonl", "{}\n"), write("a.jsonl.partial", "{}\n")};
  EXPECT_TRUE(list_distributed_inputs(options_));
  options_.output.records = true;
  EXPECT_EQ(list_distributed_inputs(options_).error().code, ErrorCode::kInvalidArgument);
  const auto plan = RecordsPlan::create(options_, {"s3://b/a.jsonl", "s3://b/a.jsonl.partial"}, folder_ / "tmp");
  ASSERT_FALSE(plan);
  EXPECT_THAT(plan.error().message, ::testing::HasSubstr("s3://b/a.jsonl.partial"));
  options_.output.records = false;  // then the names are those of no files
  EXPECT_TRUE(RecordsPlan::create(options_, {"s3://b/a.jsonl", "s3://b/a.jsonl.partial"}, folder_ / "tmp"));
}

// A run in one process reads such a page once, but a task knows only its own folder.
TEST_P(DividedRunTest, FoldersThatSharePagesAreRefused) {
  for (const char* name : {"one", "two", "two/inner"}) fs::create_directories(folder_ / name);
  options_.inputs = {folder_ / "one", folder_ / "two"};
  write("one/a.html", "<p>A page");
  write("two/b.html", "<p>Another one");
  EXPECT_EQ(list_distributed_inputs(options_), (std::vector<std::string>{folder_ / "one", folder_ / "two"}));
  fs::create_hard_link(folder_ / "one/a.html", folder_ / "two/link.html");
  Result<std::vector<std::string>> listed = list_distributed_inputs(options_);
  ASSERT_FALSE(listed);
  EXPECT_EQ(listed.error().code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(listed.error().message, ::testing::StartsWith((folder_ / "two").string() + ": 1 of its pages"));
  fs::remove(folder_ / "two/link.html");
  write("two/inner/c.html", "<p>A page of two folders");
  EXPECT_TRUE(list_distributed_inputs(options_));
  options_.inputs.push_back(folder_ / "two/inner");
  listed = list_distributed_inputs(options_);
  // All pages of the inner folder are those of the outer one, so that it is no input.
  EXPECT_EQ(listed, (std::vector<std::string>{folder_ / "one", folder_ / "two"}));
}

TEST_P(DividedRunTest, RowsInAnyOrderAreLinesSortedById) {
  std::vector<std::array<std::string, 3>> pages;  // id, URL, text
  std::mt19937 random(5);
  for (int page = 0; page < 60; ++page) {
    std::string text;
    for (int word = 0; word < 80; ++word) {
      text.append("w").append(std::to_string(page / 2 * 1000 + word + (word == page ? 1 : 0))).append(" ");
    }
    pages.push_back({"id" + std::to_string(100 + page), "http://a.example/" + std::to_string(page), text});
  }
  std::string lines;
  for (const auto& [id, url, text] : pages) {
    lines += fmt::format(R"({{"id":"{}","url":"{}","text":"{}"}})", id, url, text) + '\n';
  }
  options_.profile.idf = IdfSource::kCorpus;
  DedupOptions whole = options_;
  whole.inputs = {write("a.jsonl", lines)};
  whole.output.out = (folder_ / "whole").string();
  const Result<DedupOutcome> outcome = deduplicate(whole, {});
  ASSERT_TRUE(outcome.has_value()) << outcome.error().message;
  EXPECT_GT(outcome->clusters, 20U);
  std::shuffle(pages.begin(), pages.end(), random);
  std::vector<PageInputRow> rows;
  for (const auto& [id, url, text] : pages) rows.push_back({rows.size(), id, url, {}, {}, text, true, true});
  rows.push_back({rows.size(), "empty", {}, {}, {}, "  ", true, true});  // not a page
  fs::create_directories(folder_ / "divided");
  DividedRun run(options_, (folder_ / "tmp").string(), GetParam());
  const Status divided = run.run_rows(rows, (folder_ / "divided").string());
  ASSERT_TRUE(divided.has_value()) << divided.error().message;
  for (const char* name : {"clusters.tsv", "matches.tsv"}) {
    EXPECT_EQ(read_file(folder_ / "divided" / name), read_file(folder_ / "whole" / name)) << name;
  }
}

}  // namespace
}  // namespace paraprint
