// What the explorer takes over from provenance.jsonl, and what it says of lines that it cannot use.
#include "view/copies/run_origins.h"

#include <gmock/gmock.h>
#include <simdjson.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "base/atomic_file.h"
#include "view/copies/origin_json.h"
#include "view/finished_run.h"
#include "view/origin_figures.h"

namespace paraprint {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class RunOriginsTest : public ::testing::Test {
 protected:
  // The pages of the largest cluster, by id.
  RunOriginsTest() {
    std::map<std::uint32_t, std::vector<std::uint32_t>> clusters;
    for (const std::uint32_t page : store_->pages().pages_by_id()) clusters[number_of(page)].push_back(page);
    for (const auto& [number, pages] : clusters) {
      if (pages.size() > members_.size()) members_ = pages;
    }
  }
  std::uint32_t number_of(std::uint32_t page) const { return store_->cluster_numbers()[page]; }
  std::string id(std::size_t member) const { return std::string(store_->pages().id(members_[member])); }
  std::uint32_t cluster() const { return number_of(members_.front()); }

  std::string line(std::size_t member, const std::string& rest) const {
    return fmt::format(R"({{"id":"{}","cluster":{},"is_traced":true{}{}}})", id(member), cluster(),
                       rest.empty() ? "" : ",", rest) +
           "\n";
  }
  std::string copied(std::size_t member, std::size_t source) const {
    return line(member, fmt::format(R"("copied_from":"{}","confidence":0.5,"reasons":["text"])", id(source)));
  }
  void load(const std::string& lines) {
    ASSERT_TRUE(write_file_atomically(path_, lines));
    load_again();
  }
  void load_again() {
    origins_ = std::make_unique<RunOrigins>(store_->pages());
    const RunControl silent;
    ProgressReporter progress(silent);
    ASSERT_TRUE(origins_->load(path_, store_->cluster_numbers(), progress));
  }

  const FinishedRun run_{31, 12, {}, true};
  const std::string path_ = run_.folder() + "/provenance.jsonl";
  const std::unique_ptr<RunStore> store_ = run_.load();
  std::unique_ptr<RunOrigins> origins_;
  std::vector<std::uint32_t> members_;
};

TEST_F(RunOriginsTest, HasEveryPageThatTheRunTraced) {
  load_again();
  EXPECT_TRUE(origins_->is_there());
  EXPECT_THAT(origins_->refused(), IsEmpty());
  std::map<std::uint32_t, std::uint32_t> pages_of_cluster;
  std::map<std::uint32_t, std::uint32_t> firsts;
  for (std::uint32_t page = 0; page < store_->pages().size(); ++page) ++pages_of_cluster[number_of(page)];
  std::uint64_t lines = 0;
  ProvenanceParser parser;
  OriginLine origin;
  for (std::uint32_t page = 0; page < store_->pages().size(); ++page) {
    const OriginRow* const row = origins_->find(page);
    ASSERT_EQ(row != nullptr, pages_of_cluster[number_of(page)] > 1);
    if (row == nullptr) continue;
    ++lines;
    firsts[number_of(page)] += row->is_first ? 1 : 0;
    EXPECT_EQ(row->copied_from == kNoPage, row->is_first);
    ASSERT_TRUE(origins_->read(page, parser, origin));
    EXPECT_EQ(origin.url, store_->pages().url(page));
    if (row->copied_from != kNoPage) {
      EXPECT_EQ(origin.copied_from, store_->pages().id(row->copied_from));
    }
  }
  EXPECT_EQ(origins_->lines(), lines);
  for (const auto& [number, count] : firsts) EXPECT_EQ(count, 1U) << number;
}

TEST_F(RunOriginsTest, DoesWithoutAFile) {
  std::filesystem::remove(path_);
  load_again();
  EXPECT_FALSE(origins_->is_there());
  EXPECT_EQ(origins_->failure_reason(), "");
  EXPECT_EQ(origins_->find(0), nullptr);
  EXPECT_EQ(origins_->day(0), "");
  std::filesystem::create_directory(path_);
  load_again();
  EXPECT_FALSE(origins_->is_there());
  EXPECT_THAT(origins_->failure_reason(), HasSubstr("not a regular file"));
}

TEST_F(RunOriginsTest, TellsLinesThatItLeavesOut) {
  ASSERT_GE(members_.size(), 4U);
  const auto other = std::find_if(store_->pages().pages_by_id().begin(), store_->pages().pages_by_id().end(),
                                  [&](std::uint32_t page) { return number_of(page) != cluster(); });
  load(line(0, R"("is_first":true)") + "nonsense\n" + R"({"id":"of another run","cluster":1})" + "\n" +
       fmt::format(R"({{"id":"{}","cluster":{}}})", id(1), cluster() + 1) + "\n" + line(0, "") +
       line(2, fmt::format(R"("copied_from":"{}")", store_->pages().id(*other))) + copied(3, 0));
  EXPECT_EQ(origins_->lines(), 2U);
  EXPECT_EQ(origins_->lines_refused(), 5U);
  EXPECT_THAT(
      origins_->refused(),
      ElementsAre(HasSubstr(path_ + ": line 2: not a JSON object"), HasSubstr("line 3: the run has no page"),
                  HasSubstr("line 4: the run has page"), HasSubstr("line 5: page"), HasSubstr("line 6: its source")));
  EXPECT_EQ(origins_->find(members_[3])->copied_from, members_[0]);
  EXPECT_EQ(origins_->find(members_[2]), nullptr);
  std::string many;
  for (int i = 0; i < 1000; ++i) many += "nonsense\n";
  load(many);
  EXPECT_TRUE(origins_->is_there());
  EXPECT_EQ(origins_->lines_refused(), 1000U);
  EXPECT_EQ(origins_->refused().size(), kRefusedLinesShown);
}

TEST_F(RunOriginsTest, CutsCircles) {
  ASSERT_GE(members_.size(), 4U);
  load(copied(0, 1) + copied(1, 2) + copied(2, 0) + copied(3, 1));
  EXPECT_EQ(origins_->lines_refused(), 1U);
  EXPECT_THAT(origins_->refused().front(), HasSubstr("copied from itself over others"));
  for (std::uint32_t page : members_) {
    for (int steps = 0; origins_->find(page) != nullptr && origins_->find(page)->copied_from != kNoPage; ++steps) {
      ASSERT_LT(steps, 4);
      page = origins_->find(page)->copied_from;
    }
  }
}

TEST_F(RunOriginsTest, DrawsACluster) {
  ASSERT_GE(members_.size(), 4U);
  load(line(1, R"("date":"2010-03-01","is_first":true,"first_confidence":0.9)") + copied(0, 1) +
       line(2, fmt::format(R"("date":"2010-02-01T10:00:00Z","copied_from":"{}","confidence":0.7)", id(0))));
  std::vector<std::uint32_t> ascending = members_;
  std::sort(ascending.begin(), ascending.end());
  JsonWriter json;
  json.begin_object();
  write_copy_graph(*origins_, store_->pages(), ascending, std::nullopt, 0, json);
  json.end_object();
  const std::string text = json.take();
  simdjson::dom::parser parser;
  const simdjson::dom::element drawn = parser.parse(text);
  EXPECT_EQ(std::uint64_t(drawn["tree"]["total"]), 3U);
  EXPECT_EQ(std::uint64_t(drawn["tree"]["apart"]), members_.size() - 3);
  std::vector<std::string> tree;
  for (const simdjson::dom::element page : drawn["tree"]["pages"]) {
    tree.push_back(fmt::format("{} {}", std::uint64_t(page["depth"]), std::string_view(page["id"])));
  }
  EXPECT_THAT(tree, ElementsAre("0 " + id(1), "1 " + id(0), "2 " + id(2)));
  std::vector<std::string> dated;
  for (const simdjson::dom::element page : drawn["dated"]["pages"]) {
    dated.push_back(fmt::format("{} {}", std::string_view(page["day"]), std::string_view(page["id"])));
  }
  EXPECT_THAT(dated, ElementsAre("2010-02-01 " + id(2), "2010-03-01 " + id(1)));
  EXPECT_EQ(std::uint64_t(drawn["undated"]["total"]), members_.size() - 2);
}

TEST_F(RunOriginsTest, CountsSourcesByHost) {
  const auto figures = std::move(*RunFigures::create(*store_));
  load_again();
  const OriginFigures counted = count_origins(*origins_, *figures, store_->pages().size());
  std::map<std::pair<std::string, std::string>, std::uint64_t> expected;
  std::uint64_t copies = 0;
  for (std::uint32_t page = 0; page < store_->pages().size(); ++page) {
    const OriginRow* const row = origins_->find(page);
    if (row == nullptr || row->copied_from == kNoPage) continue;
    const auto host = [&](std::uint32_t of) { return figures->hosts()[figures->host_of(of)].name; };
    ++expected[{host(page), host(row->copied_from)}];
    ++copies;
  }
  ASSERT_GT(copies, 0U);
  std::uint64_t shown = 0;
  for (const HostRow& row : counted.hosts) shown += row.removed;
  EXPECT_EQ(shown, copies);
  for (std::size_t i = 0; i < counted.hosts.size(); ++i) {
    for (std::size_t j = 0; j < counted.hosts.size(); ++j) {
      const std::uint64_t count = counted.matrix.copies[i * counted.hosts.size() + j];
      EXPECT_EQ(count, (expected[{counted.hosts[i].name, counted.hosts[j].name}]));
    }
  }
}

// JSON has only valid UTF-8, ids may be any bytes.
TEST_F(RunOriginsTest, FindsIdsThatAreNotText) {
  PageTable pages;
  SpillArray<std::uint32_t> clusters;
  for (const std::string_view id : {"caf\xE9", "caf\xC3\xA9", "plain"}) {
    LoggedPage logged;
    logged.id = id;
    ASSERT_TRUE(pages.add(logged, 100));
    ASSERT_TRUE(clusters.push_back(1));
  }
  ASSERT_TRUE(pages.finish());
  ASSERT_TRUE(write_file_atomically(path_,
                                    "{\"id\":\"caf\\ufffd\",\"cluster\":1,\"is_first\":true}\n"
                                    "{\"id\":\"plain\",\"cluster\":1,\"is_traced\":true,"
                                    "\"copied_from\":\"caf\\ufffd\"}\n"
                                    "{\"id\":\"tea\\ufffd\",\"cluster\":1}\n"));
  RunOrigins origins(pages);
  const RunControl silent;
  ProgressReporter progress(silent);
  ASSERT_TRUE(origins.load(path_, clusters, progress));
  EXPECT_THAT(origins.refused(), ElementsAre(HasSubstr("no page 'tea")));
  ASSERT_NE(origins.find(0), nullptr);
  EXPECT_EQ(origins.find(1), nullptr);
  EXPECT_EQ(origins.find(2)->copied_from, 0U);
  ProvenanceParser parser;
  OriginLine origin;
  EXPECT_TRUE(origins.read(0, parser, origin));
}

TEST_F(RunOriginsTest, TellsAFileThatChangedMeanwhile) {
  load(line(0, R"("is_first":true)") + copied(1, 0));
  std::filesystem::resize_file(path_, 10);
  ProvenanceParser parser;
  OriginLine origin;
  const Status read = origins_->read(members_[1], parser, origin);
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().message, HasSubstr("was changed since it was read"));
  JsonWriter json;
  json.begin_object();
  write_origin(*origins_, store_->pages(), members_[1], parser, json);
  json.end_object();
  EXPECT_THAT(json.take(), HasSubstr("unreadable"));
}

}  // namespace
}  // namespace paraprint
