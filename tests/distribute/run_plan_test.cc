// The driver's part of a distributed run, and errors for foreign bytes and unsupported options.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "distribute/component.h"
#include "distribute/records.h"
#include "distribute/revisit_plan.h"
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

class RunPlanTest : public ::testing::Test {
 protected:
  std::unique_ptr<RunPlan> plan_of(std::uint32_t pages) {
    Result<std::unique_ptr<RunPlan>> plan = RunPlan::create(options_, {""}, folder_.path());
    EXPECT_TRUE(plan.has_value()) << plan.error().message;
    EXPECT_TRUE((*plan)->add_pages(facts_of(pages)).has_value());
    EXPECT_TRUE((*plan)->end_pages(PageOrder::kInput).has_value());
    return std::move(*plan);
  }

  std::string cluster(RunPlan& plan, const std::vector<Parcel>& components) {
    StageSettings settings;
    settings.stage = "cluster";
    settings.tables = plan.tables();
    settings.temporary_folder = folder_.path();
    Result<std::unique_ptr<StageTask>> task = StageTask::create(options_, settings);
    EXPECT_TRUE(task.has_value());
    for (const Parcel& parcel : components) {
      EXPECT_TRUE((*task)->add_parcel(parcel.kind, parcel.bytes).has_value());
    }
    Status finished = (*task)->finish();
    EXPECT_TRUE(finished.has_value()) << finished.error().message;
    for (const Parcel& parcel : (*task)->take_parcels()) EXPECT_TRUE(plan.add_clusters(parcel.bytes).has_value());
    EXPECT_TRUE(plan.write_tables(folder_.path()).has_value());
    std::ifstream file(folder_.path() + "/clusters.tsv");
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
  }

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

TEST_F(RunPlanTest, ChainOfTenThousandIsOneComponent) {
  constexpr std::uint32_t kPages = 10'000;
  options_.survivors.clusters = ClusterMode::kConnected;
  const std::unique_ptr<RunPlan> plan = plan_of(kPages + 5);
  ASSERT_TRUE(plan->add_matches(chain_of(kPages, Verdict::kNear)).has_value());
  const Result<std::vector<Parcel>> components = plan->plan_clusters(7);
  ASSERT_TRUE(components.has_value());
  ASSERT_EQ(components->size(), 1U);
  ByteReader in(components->front().bytes);
  const Component component = read_component(in);
  EXPECT_TRUE(in.at_end());
  EXPECT_EQ(component.pages.size(), kPages);
  EXPECT_EQ(component.matches.size(), kPages - 1);
  const std::string clusters = cluster(*plan, *components);
  EXPECT_THAT(clusters, HasSubstr("\n9999\t1\n"));
  EXPECT_THAT(clusters, HasSubstr("\n10000\t2\n"));
}

TEST_F(RunPlanTest, OverlapsDoNotConnectPages) {
  const std::unique_ptr<RunPlan> plan = plan_of(100);
  ASSERT_TRUE(plan->add_matches(chain_of(100, Verdict::kOverlap)).has_value());
  const Result<std::vector<Parcel>> components = plan->plan_clusters(4);
  ASSERT_TRUE(components.has_value());
  EXPECT_TRUE(components->empty());
}

TEST_F(RunPlanTest, PartsConnectPagesIfContainedPagesAreRemoved) {
  options_.survivors.remove_contained = true;
  const std::unique_ptr<RunPlan> plan = plan_of(100);
  ASSERT_TRUE(plan->add_matches(chain_of(100, Verdict::kContained)).has_value());
  const Result<std::vector<Parcel>> components = plan->plan_clusters(4);
  ASSERT_TRUE(components.has_value());
  const auto is_component = [](const Parcel& parcel) { return parcel.kind == "components"; };
  EXPECT_EQ(std::count_if(components->begin(), components->end(), is_component), 1);
  // Most pairs of the chain have not been compared.
  std::set<std::uint32_t> wanted;
  for (const Parcel& parcel : *components) {
    if (is_component(parcel)) continue;
    ASSERT_EQ(parcel.kind, "requests");
    for (ByteReader in(parcel.bytes); !in.at_end();) wanted.insert(read_wanted_page(in).page);
  }
  EXPECT_EQ(wanted.size(), 100U);
}

TEST_F(RunPlanTest, RowsAreNumberedById) {
  // "10" sorts before "2": the ids 0 to 10 at positions 0 to 10.
  Result<std::unique_ptr<RunPlan>> plan = RunPlan::create(options_, {""}, folder_.path());
  ASSERT_TRUE(plan.has_value());
  ASSERT_TRUE((*plan)->add_pages(facts_of(11)).has_value());
  ASSERT_TRUE((*plan)->end_pages(PageOrder::kById).has_value());
  const Result<TaskTables> tables = TaskTables::read((*plan)->tables());
  ASSERT_TRUE(tables.has_value());
  EXPECT_THAT(tables->number_of_position, ::testing::ElementsAre(0, 1, 3, 4, 5, 6, 7, 8, 9, 10, 2));
}

TEST_F(RunPlanTest, RejectsMatchesThatLeaveTheirComponent) {
  const std::unique_ptr<RunPlan> plan = plan_of(4);
  StageSettings settings;
  settings.stage = "cluster";
  settings.tables = plan->tables();
  settings.temporary_folder = folder_.path();
  Component component{{{0, 0, 500, "", ""}, {1, 1, 500, "", ""}}, {{0, 2, Verdict::kNear, 0.9F, 0.9F, 0.9F, 450}}};
  for (const bool is_inside : {false, true}) {
    if (is_inside) component.matches.front().page_b = 1;
    std::string bytes;
    ByteWriter out(bytes);
    write_component(component, out);
    const Result<std::unique_ptr<StageTask>> task = StageTask::create(options_, settings);
    ASSERT_TRUE(task.has_value());
    EXPECT_EQ((*task)->add_parcel("components", bytes).has_value(), is_inside);
  }
}

TEST_F(RunPlanTest, RejectsDamagedBytes) {
  const std::unique_ptr<RunPlan> plan = plan_of(4);
  const std::string matches = chain_of(4, Verdict::kNear);
  EXPECT_EQ(plan->add_matches(matches.substr(1)).error().code, ErrorCode::kCorruptData);
  EXPECT_EQ(plan->add_matches(chain_of(6, Verdict::kNear)).error().code, ErrorCode::kCorruptData);
  EXPECT_EQ(plan->add_pages("\x01").error().code, ErrorCode::kCorruptData);
  EXPECT_EQ(plan->add_clusters("abc").error().code, ErrorCode::kCorruptData);
  std::string tables = plan->tables();
  EXPECT_TRUE(TaskTables::read(tables).has_value());
  tables[0] = 99;
  EXPECT_FALSE(TaskTables::read(tables).has_value());
  const std::vector<std::pair<std::string, std::string>> taken = {
      {"boilerplate", "paragraphs"}, {"exact", "exact"},   {"near", "near"},          {"buckets", "groups"},
      {"hamming", "buckets"},        {"sketch", "sketch"}, {"select", "pairs"},       {"fetch", "requests"},
      {"verify", "selected"},        {"verify", "pages"},  {"cluster", "components"}, {"cluster", "pages"},
      {"evidence", "evidence"},      {"evidence", "pages"}};
  for (const auto& [stage, kind] : taken) {
    StageSettings settings;
    settings.stage = stage;
    settings.tables = plan->tables();
    settings.temporary_folder = folder_.path();
    Result<std::unique_ptr<StageTask>> task = StageTask::create(options_, settings);
    ASSERT_TRUE(task.has_value()) << stage;
    EXPECT_EQ((*task)->add_parcel(kind, "\xff\xff\xff").error().code, ErrorCode::kCorruptData) << stage;
    EXPECT_EQ((*task)->add_parcel("matches", matches).error().code, ErrorCode::kInvalidArgument) << stage;
  }
}

TEST_F(RunPlanTest, RejectsDamagedRevisits) {
  const std::unique_ptr<RunPlan> plan = plan_of(4);
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

TEST_F(RunPlanTest, RejectsWordTablesOfOtherRuns) {
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

TEST_F(RunPlanTest, RejectsRemovedPagesOfOtherInputs) {
  const std::string input = folder_.path() + "/pages.jsonl";
  std::ofstream(input) << "{\"id\":\"a\",\"text\":\"words\"}\n{\"id\":\"b\",\"text\":\"words\"}\n";
  const auto write = [&](const std::vector<std::uint64_t>& ordinals) {
    std::string removed;
    ByteWriter out(removed);
    for (const std::uint64_t ordinal : ordinals) write_removed_page({.ordinal = ordinal}, out);
    const auto written = write_distributed_records(options_, input, removed, false, folder_.path() + "/written");
    return written ? "none" : error_code_name(written.error().code);
  };
  EXPECT_EQ(write({1}), "none");
  EXPECT_EQ(write({7}), "invalid-argument");
  EXPECT_EQ(write({1, 0}), "corrupt-data");
  EXPECT_EQ(write_distributed_records(options_, input, "\xff", false, "written").error().code, ErrorCode::kCorruptData);
  EXPECT_EQ(write_distributed_records(options_, input + "x", "", false, "written").error().code, ErrorCode::kNotFound);
}

TEST_F(RunPlanTest, RejectsUnsupportedOptions) {
  EXPECT_TRUE(check_distributed(options_).has_value());
  options_.output.cdx = CdxForm::kCdxj;
  EXPECT_THAT(check_distributed(options_).error().message, HasSubstr("run `paraprint cdx` on its records"));
  options_.output.cdx = CdxForm::kNone;
  options_.output.provenance = true;
  EXPECT_THAT(check_distributed(options_).error().message, HasSubstr("provenance is on"));
  StageSettings settings;
  settings.stage = "nothing";
  EXPECT_EQ(StageTask::create(options_, settings).error().code, ErrorCode::kInvalidArgument);
}

}  // namespace
}  // namespace paraprint
