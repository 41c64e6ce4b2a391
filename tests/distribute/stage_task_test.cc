// Tasks of stages: clusters of ready matches, and errors for foreign bytes and unsupported options; likewise the part
// of the driver in a run that writes records.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <set>
#include <sstream>

#include "distribute/records.h"
#include "distribute/revisit_plan.h"
#include "divided_run.h"
#include "paraprint/engine.h"
#include "temporary_folder.h"

namespace paraprint {
namespace {

using namespace distribute;
using ::testing::HasSubstr;

std::string facts_of(std::uint32_t pages) {
  std::string facts;
  for (std::uint32_t page = 0; page < pages; ++page) {
    const std::string id = std::to_string(page);
    DriverPage record;
    record.location.ordinal = page;
    record.id = id;
    record.text_hash = {page, 1};
    record.content_characters = 500;
    ByteWriter out(facts);
    write_page(record, out);
  }
  return facts;
}

class StageTaskTest : public ::testing::Test {
 protected:
  // The rows of a table that clustering ready pages by ready matches gives.
  std::string clustered(std::uint32_t pages, const std::string& matches, const std::string& table = "clusters.tsv") {
    ProfiledPages batch;
    batch.pages = pages;
    batch.facts = facts_of(pages);
    for (std::uint32_t page = 0; page < pages; ++page) ByteWriter(batch.profiles).text("");
    options_.output.evidence = false;
    options_.output.records = false;
    std::vector<Match> read;
    for (ByteReader in(matches); !in.at_end();) read.push_back(read_match(in));
    DividedRun run(options_, folder_.path(), 5);
    const Status done = run.run_matches(batch, read, folder_.path());
    EXPECT_TRUE(done.has_value()) << done.error().message;
    rounds_ = run.rounds();
    std::ifstream file(folder_.path() + "/" + table);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
  }

  int rounds_ = 0;
  TemporaryFolder folder_;
  DedupOptions options_;
};

std::string chain_of(std::uint32_t pages, Verdict verdict) {
  std::string bytes;
  ByteWriter out(bytes);
  for (std::uint32_t page = 0; page + 1 < pages; ++page)
    write_match({page, page + 1, verdict, 0.9F, 0.9F, 0.9F, 450}, out);
  return bytes;
}

TEST_F(StageTaskTest, ChainOfTenThousandIsOneComponent) {
  constexpr std::uint32_t kPages = 10'000;
  options_.survivors.clusters = ClusterMode::kConnected;
  const std::string clusters = clustered(kPages + 5, chain_of(kPages, Verdict::kNear));
  EXPECT_THAT(clusters, HasSubstr("\n9999\t1\n"));
  EXPECT_THAT(clusters, HasSubstr("\n10000\t2\n"));
  EXPECT_THAT(rounds_, ::testing::AllOf(::testing::Gt(2), ::testing::Lt(17)));
}

TEST_F(StageTaskTest, OverlapsDoNotConnectPages) {
  options_.survivors.clusters = ClusterMode::kConnected;
  EXPECT_EQ(clustered(100, chain_of(100, Verdict::kOverlap), "removed.jsonl"), "");
}

TEST_F(StageTaskTest, PartsConnectPagesIfContainedPagesAreRemoved) {
  options_.survivors.clusters = ClusterMode::kConnected;
  EXPECT_EQ(clustered(50, chain_of(50, Verdict::kContained), "removed.jsonl"), "");
  options_.survivors.remove_contained = true;
  EXPECT_THAT(clustered(50, chain_of(50, Verdict::kContained)), HasSubstr("\n49\t1\n"));
}

// "10" sorts before "2".
TEST_F(StageTaskTest, RowsAreArrangedById) {
  StageSettings settings;
  settings.stage = "rows";
  settings.partitions = 2;
  settings.first_ids = {"5"};
  settings.temporary_folder = folder_.path();
  const auto run = [&](const std::function<void(StageTask&)>& give) {
    const Result<std::unique_ptr<StageTask>> task = StageTask::create(options_, settings);
    EXPECT_TRUE(task.has_value()) << task.error().message;
    give(**task);
    EXPECT_TRUE((*task)->finish().has_value());
    return (*task)->take_parcels().value();
  };
  std::string profiles;
  for (int page = 0; page < 11; ++page) ByteWriter(profiles).text("profile " + std::to_string(page));
  const std::vector<Parcel> rows =
      run([&](StageTask& task) { EXPECT_TRUE(task.add_pages(0, facts_of(11), profiles).has_value()); });
  settings.stage = "arrange";
  std::vector<std::string> found;
  for (std::uint32_t range = 0; range < 2; ++range) {
    const std::vector<Parcel> parcels = run([&](StageTask& task) {
      for (const Parcel& parcel : rows) {
        if (parcel.partition != range) continue;
        EXPECT_TRUE(task.add_parcel(parcel.kind, parcel.bytes).has_value());
      }
    });
    for (const Parcel& parcel : parcels) {
      const Result<std::vector<ProfiledPages>> batches = read_batches(parcel.bytes);
      ASSERT_TRUE(batches.has_value());
      for (const ProfiledPages& batch : *batches) {
        Status read =
            for_each_page_of_batch(0, batch.facts, batch.profiles,
                                   [&](std::uint32_t, const DriverPage& page, std::string_view profile) -> Status {
                                     EXPECT_EQ(profile, "profile " + std::string(page.id));
                                     found.emplace_back(page.id);
                                     return {};
                                   });
        EXPECT_TRUE(read.has_value());
      }
    }
  }
  EXPECT_THAT(found, ::testing::ElementsAre("0", "1", "10", "2", "3", "4", "5", "6", "7", "8", "9"));
}

// Of two components, one has a match to the other, which is no link; in `is_damaged`, a page is missing or comes twice.
TEST_F(StageTaskTest, RejectsDamagedComponents) {
  StageSettings settings;
  settings.stage = "cluster";
  settings.first_pages = {0, 4};
  settings.temporary_folder = folder_.path();
  options_.survivors.clusters = ClusterMode::kConnected;
  const auto code = [&](const std::vector<ComponentPage>& pages, const std::vector<ComponentMatch>& matches) {
    std::string members;
    ByteWriter out(members);
    for (const ComponentPage& page : pages) write_component_page(page, out);
    std::string edges;
    ByteWriter edge_out(edges);
    for (const ComponentMatch& match : matches) write_component_match(match, edge_out);
    const Result<std::unique_ptr<StageTask>> task = StageTask::create(options_, settings);
    EXPECT_TRUE(task.has_value());
    EXPECT_TRUE((*task)->add_parcel("members", members).has_value());
    EXPECT_TRUE((*task)->add_parcel("edges", edges).has_value());
    const Status finished = (*task)->finish();
    return finished ? "none" : error_code_name(finished.error().code);
  };
  const Match inside{0, 1, Verdict::kNear, 0.9F, 0.9F, 0.9F, 450};
  const Match outside{1, 2, Verdict::kOverlap, 0.1F, 0.1F, 0.1F, 45};
  const std::vector<ComponentPage> pages = {{2, 3, 2, 500, 0, 3, 0, "d", "", ""},
                                            {0, 0, 0, 500, 0, 0, 0, "a", "", ""},
                                            {2, 2, 2, 500, 0, 2, 0, "c", "", ""},
                                            {0, 1, 1, 500, 0, 1, 0, "b", "", ""}};
  EXPECT_EQ(code(pages, {{0, outside}, {0, inside}}), "none");
  EXPECT_EQ(code(pages, {{2, inside}}), "corrupt-data");
  EXPECT_EQ(code(pages, {{1, inside}}), "corrupt-data");
  EXPECT_EQ(code({pages[0]}, {}), "corrupt-data");            // without the first page of its text
  EXPECT_EQ(code({pages[1], pages[1]}, {}), "corrupt-data");  // the same page twice
  std::string member;
  ByteWriter out(member);
  write_component_page(pages[0], out);
  settings.first_pages = {0, 3};  // without its page
  EXPECT_EQ(StageTask::create(options_, settings).value()->add_parcel("members", member).error().code,
            ErrorCode::kCorruptData);
}

TEST_F(StageTaskTest, RejectsDamagedBytes) {
  const std::string matches = chain_of(4, Verdict::kNear);
  const std::uint64_t site = 5;
  std::string sites = write_entries({&site, 1});
  EXPECT_TRUE(read_entries(sites).has_value());
  sites[0] = 99;
  EXPECT_FALSE(read_entries(sites).has_value());
  const std::vector<std::pair<std::string, std::string>> taken = {{"arrange", "rows"},
                                                                  {"repeats", "texts"},
                                                                  {"repeats", "sites"},
                                                                  {"keys", "copies"},
                                                                  {"boilerplate", "paragraphs"},
                                                                  {"exact", "exact"},
                                                                  {"near", "near"},
                                                                  {"buckets", "groups"},
                                                                  {"hamming", "buckets"},
                                                                  {"sketch", "sketch"},
                                                                  {"select", "pairs"},
                                                                  {"fetch", "requests"},
                                                                  {"verify", "selected"},
                                                                  {"verify", "pages"},
                                                                  {"cluster", "members"},
                                                                  {"cluster", "edges"},
                                                                  {"cluster", "pages"},
                                                                  {"assemble", "members"},
                                                                  {"assemble", "edges"},
                                                                  {"gather", "places"},
                                                                  {"gather", "copies"},
                                                                  {"large-star", "links"},
                                                                  {"small-star", "low-links"},
                                                                  {"evidence", "evidence"},
                                                                  {"evidence", "pages"},
                                                                  {"fetch-profiles", "requests"},
                                                                  {"names", "ids"},
                                                                  {"gather", "names"},
                                                                  {"expand-first", "groups"},
                                                                  {"expand-first", "matches"},
                                                                  {"expand-second", "half-rows"},
                                                                  {"number", "page-rows"},
                                                                  {"number", "cluster-sums"},
                                                                  {"list-pages", "numbered-rows"},
                                                                  {"list-matches", "match-rows"},
                                                                  {"meet-addresses", "addresses"},
                                                                  {"list-wanted", "wanted-pages"},
                                                                  {"join-targets", "removals"},
                                                                  {"join-targets", "targets"},
                                                                  {"list-removed", "removed-pages"},
                                                                  {"list-removed", "templates"}};
  for (const auto& [stage, kind] : taken) {
    StageSettings settings;
    settings.stage = stage;
    settings.temporary_folder = folder_.path();
    Result<std::unique_ptr<StageTask>> task = StageTask::create(options_, settings);
    ASSERT_TRUE(task.has_value()) << stage;
    EXPECT_EQ((*task)->add_parcel(kind, "\xff\xff\xff").error().code, ErrorCode::kCorruptData) << stage;
    EXPECT_EQ((*task)->add_parcel("words", matches).error().code, ErrorCode::kInvalidArgument) << stage;
  }
}

TEST_F(StageTaskTest, RejectsDamagedRevisits) {
  const std::unique_ptr<RecordsPlan> plan = RecordsPlan::create(options_, {""}, folder_.path()).value();
  LinkedRecord record;
  record.place.ordinal = 2;
  record.text = "text";
  record.names = {{5, LinkWay::kId}};
  const auto bytes_of = [&record] {
    std::string bytes;
    ByteWriter out(bytes);
    write_linked_record(record, out);
    return bytes;
  };
  const std::string bytes = bytes_of();
  EXPECT_TRUE(plan->add_claims(bytes).has_value());
  for (std::size_t size = 1; size < bytes.size(); ++size) {
    EXPECT_EQ(plan->add_claims(bytes.substr(0, size)).error().code, ErrorCode::kCorruptData) << size;
  }
  std::string other = bytes;
  other.back() = 5;  // the way
  EXPECT_EQ(plan->add_claims(other).error().code, ErrorCode::kCorruptData);
  const Result<std::string> claimed = plan->end_claims(kClaimedNamesBytes);
  ASSERT_TRUE(claimed.has_value());
  record.place.file = 1;  // the plan has one input
  EXPECT_EQ(plan->add_captures(bytes_of()).error().code, ErrorCode::kCorruptData);
  EXPECT_TRUE(plan->add_captures(bytes).has_value());
  EXPECT_TRUE(plan->end_captures().has_value());

  EXPECT_EQ(plan->add_savings("\x01").error().code, ErrorCode::kCorruptData);
  EXPECT_EQ(plan->add_referred_pages("\x01").error().code, ErrorCode::kCorruptData);
  StageSettings settings;
  settings.stage = "list-pages";
  settings.referred_places = "places of another version";
  EXPECT_EQ(StageTask::create(options_, settings).error().code, ErrorCode::kCorruptData);

  const auto code = [this](std::string_view names) {
    const auto search = CaptureSearch::create(options_, names);
    return search ? "none" : error_code_name(search.error().code);
  };
  EXPECT_EQ(code(*claimed), "none");
  EXPECT_EQ(code(""), "corrupt-data");
  EXPECT_EQ(code(*claimed + "x"), "corrupt-data");
  other = *claimed;
  ++other[0];  // the version
  EXPECT_EQ(code(other), "corrupt-data");
  other = *claimed;
  other[1] = 2;  // the form
  EXPECT_EQ(code(other), "corrupt-data");
  other[1] = 1;
  EXPECT_EQ(code(other + std::string(16, 'x')), "corrupt-data");  // three words of bits
}

TEST_F(StageTaskTest, RejectsWordTablesOfOtherRuns) {
  const auto code = [this](std::string_view words) {
    const auto stage = ProfileStage::create(options_, folder_.path(), words);
    return stage ? "none" : error_code_name(stage.error().code);
  };
  const Result<std::string> words = join_words({});
  ASSERT_TRUE(words.has_value());
  EXPECT_EQ(code(""), "none");
  EXPECT_EQ(code(*words), "invalid-argument");
  options_.profile.idf = IdfSource::kCorpus;
  EXPECT_EQ(code(""), "invalid-argument");
  EXPECT_EQ(code(*words), "none");
  std::string other = *words;
  ++other[0];
  EXPECT_EQ(code(other), "unsupported");
  other = *words;
  ++other[1];  // the version of the dictionary
  EXPECT_EQ(code(other), "unsupported");
  for (std::size_t size = 1; size < words->size(); ++size) EXPECT_EQ(code(words->substr(0, size)), "corrupt-data");
  EXPECT_EQ(code(*words + "x"), "corrupt-data");
}

// Words of the dictionary and others: the weights of those that are in more pages than there are would be negative.
TEST_F(StageTaskTest, RejectsWordsInMorePagesThanThereAre) {
  constexpr std::size_t kDocumentsAt = sizeof(std::uint64_t);  // after the version of the dictionary
  options_.profile.idf = IdfSource::kCorpus;
  for (const char* text : {"the river and the bank", "qzxfoo qzxbar"}) {
    const std::unique_ptr<WordCountStage> stage = WordCountStage::create(options_).value();
    PageInputRow row;
    row.body = text;
    row.is_text = row.body_is_utf8 = true;
    const std::vector<PageInputRow> rows(2, row);
    stage->count_rows(rows);
    std::vector<std::string> parcels;
    for (Parcel& parcel : stage->take_parcels(3)) parcels.push_back(std::move(parcel.bytes));
    Result<std::string> words = join_words(parcels);
    ASSERT_TRUE(words.has_value());
    EXPECT_TRUE(ProfileStage::create(options_, folder_.path(), *words).has_value());
    ASSERT_EQ((*words)[1 + kDocumentsAt], 2);
    (*words)[1 + kDocumentsAt] = 1;
    const auto created = ProfileStage::create(options_, folder_.path(), *words);
    ASSERT_FALSE(created.has_value());
    EXPECT_EQ(created.error().code, ErrorCode::kCorruptData);
    EXPECT_THAT(created.error().message, HasSubstr("word table"));
    ASSERT_EQ(parcels[0][kDocumentsAt], 2);
    parcels[0][kDocumentsAt] = 1;
    const Result<std::string> joined = join_words(parcels);
    ASSERT_FALSE(joined.has_value());
    EXPECT_EQ(joined.error().code, ErrorCode::kCorruptData);
    EXPECT_THAT(joined.error().message, HasSubstr("word counts"));
  }
}

TEST_F(StageTaskTest, RejectsRemovedPagesOfOtherInputs) {
  const std::string input = folder_.path() + "/pages.jsonl";
  std::ofstream(input) << "{\"id\":\"a\",\"text\":\"words\"}\n{\"id\":\"b\",\"text\":\"words\"}\n";
  const auto write = [&](const std::vector<std::uint64_t>& ordinals) {
    std::string removed;
    ByteWriter out(removed);
    for (const std::uint64_t ordinal : ordinals) write_removed_page({.ordinal = ordinal}, out);
    const auto written = write_distributed_records(options_, {input}, removed, false, folder_.path() + "/written");
    return written ? "none" : error_code_name(written.error().code);
  };
  EXPECT_EQ(write({1}), "none");
  EXPECT_EQ(write({7}), "invalid-argument");
  EXPECT_EQ(write({1, 0}), "corrupt-data");
  EXPECT_EQ(write_distributed_records(options_, {input}, "\xff", false, "written").error().code,
            ErrorCode::kCorruptData);
  EXPECT_EQ(write_distributed_records(options_, {input + "x"}, "", false, "written").error().code,
            ErrorCode::kNotFound);
}

TEST_F(StageTaskTest, RejectsUnsupportedOptions) {
  EXPECT_TRUE(check_distributed(options_).has_value());
  options_.output.cdx = CdxForm::kCdxj;
  EXPECT_THAT(check_distributed(options_).error().message, HasSubstr("run `paraprint cdx` on its records"));
  options_.output.cdx = CdxForm::kNone;
  options_.output.provenance = true;
  EXPECT_THAT(check_distributed(options_).error().message, HasSubstr("provenance is on"));
  StageSettings settings;
  settings.stage = "nothing";
  EXPECT_EQ(StageTask::create(options_, settings).error().code, ErrorCode::kInvalidArgument);
  settings.stage = "exact";
  settings.process_stages = 3;
  EXPECT_TRUE(StageTask::create(options_, settings).has_value());
  settings.process_stages = 0;
  EXPECT_EQ(StageTask::create(options_, settings).error().code, ErrorCode::kInvalidArgument);
}

}  // namespace
}  // namespace paraprint
