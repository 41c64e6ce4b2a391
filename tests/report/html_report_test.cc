#include "report/html_report.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include "report/report_pages.h"
#include "sample_report.h"

namespace paraprint {
namespace {

namespace fs = std::filesystem;

class HtmlReportTest : public testing::Test {
 protected:
  HtmlReportTest() {
    std::string pattern = (fs::temp_directory_path() / "html_report_test.XXXXXX").string();
    EXPECT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  ~HtmlReportTest() override { fs::remove_all(folder_); }

  std::map<std::string, std::string> files(const fs::path& folder) const {
    std::map<std::string, std::string> all;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      if (!entry.is_regular_file()) continue;
      std::ifstream in(entry.path(), std::ios::binary);
      all[fs::relative(entry.path(), folder).string()] = {std::istreambuf_iterator<char>(in),
                                                          std::istreambuf_iterator<char>()};
    }
    return all;
  }

  fs::path folder_;
};

TEST_F(HtmlReportTest, IsReproducible) {
  ASSERT_TRUE(write_html_report((folder_ / "one").string(), sample::report_input(), sample::texts_of).has_value());
  ASSERT_TRUE(write_html_report((folder_ / "two").string(), sample::report_input(), sample::texts_of).has_value());
  const auto one = files(folder_ / "one");
  EXPECT_EQ(one, files(folder_ / "two"));
  EXPECT_TRUE(one.contains("index.html") && one.contains("clusters/19.html") && one.contains("matches/0001.html"));
}

TEST_F(HtmlReportTest, PageTextNeverBecomesMarkup) {
  ASSERT_TRUE(write_html_report(folder_.string(), sample::report_input(), sample::texts_of).has_value());
  for (const auto& [name, text] : files(folder_)) {
    EXPECT_EQ(text.find("<img"), std::string::npos) << name;
    EXPECT_EQ(text.find("<script>document"), std::string::npos) << name;
    EXPECT_EQ(text.find("href=\"javascript"), std::string::npos) << name;
    EXPECT_EQ(text.find('\0'), std::string::npos) << name;
    EXPECT_EQ(text.find("<script>"), text.rfind("<script>")) << name;  // the report's own script
  }
}

TEST_F(HtmlReportTest, MissingTextsAreReportedOnTheirPage) {
  ASSERT_TRUE(write_html_report(folder_.string(), sample::report_input(), sample::texts_of).has_value());
  const auto all = files(folder_);
  EXPECT_NE(all.at("matches/0005.html").find("cannot read crawl/part-1.warc.gz: &lt;gone&gt;"), std::string::npos);
}

TEST_F(HtmlReportTest, CancelledReportsHaveNoIndex) {
  const auto cancel = [](std::uint32_t, std::uint32_t) -> Result<Comparison> {
    return failure(ErrorCode::kCancelled, "asked to stop");
  };
  const Status status = write_html_report(folder_.string(), sample::report_input(), cancel);
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().code, ErrorCode::kCancelled);
  EXPECT_FALSE(fs::exists(folder_ / "index.html"));
}

TEST_F(HtmlReportTest, WritesAReportOfAnEmptyRun) {
  ASSERT_TRUE(write_html_report(folder_.string(), ReportInput{}, sample::texts_of).has_value());
  EXPECT_TRUE(fs::exists(folder_ / "index.html"));
}

TEST(ReportPages, ClustersTakeTurnsWithTheirMostDoubtfulMatches) {
  ReportInput input;
  const auto member = [](std::string id, float resemblance) {
    ReportMember m;
    m.page.id = std::move(id);
    m.match.resemblance = resemblance;
    return m;
  };
  input.clusters = {{1, 4, {}, {member("a", 0.9F), member("b", 0.7F), member("c", 0.7F)}},
                    {2, 2, {}, {member("d", 0.8F)}}};
  input.other_pairs.resize(3);
  input.limits.matches = 5;
  input.limits.other_pairs = 1;
  std::vector<std::string> order;
  const std::vector<ShownMatch> matches = choose_matches(input);
  for (const ShownMatch& match : matches) order.push_back(match.a->id);
  EXPECT_EQ(order, (std::vector<std::string>{"b", "d", "c", "a", ""}));
  EXPECT_EQ(matches.back().cluster, 0U);
  EXPECT_EQ(matches_to_show(input).size(), matches.size());
}

TEST(ReportPages, StateWhatIsLeftOut) {
  ReportInput input = sample::report_input();
  input.limits.matches = 2;
  EXPECT_NE(matches_page(plan_report(input)).find("At most 2 matches have their own page"), std::string::npos);
  const std::string cluster = cluster_page(plan_report(input), input.clusters[0]);
  EXPECT_NE(cluster.find("Showing 11 of 639 removed pages"), std::string::npos);
  EXPECT_NE(index_page(plan_report(input)).find("Showing 5 of 1,229 clusters"), std::string::npos);
}

TEST(ReportPages, CountPagesByLanguage) {
  ReportInput input;
  input.totals.languages = {{"de", {2, 0}}, {"en", {30, 12}}, {"und", {2, 1}}};
  const std::string page = index_page(plan_report(input));
  const std::size_t english = page.find("<bdi>en</bdi></td><td class=\"number\" data-v=\"30\"");
  const std::size_t german = page.find("<bdi>de</bdi>");
  EXPECT_LT(english, german);
  EXPECT_LT(german, page.find("<bdi>not identified</bdi>"));
  input.totals.languages.erase("de");
  input.totals.languages.erase("und");
  EXPECT_EQ(index_page(plan_report(input)).find("id=\"languages\""), std::string::npos);
}

TEST(ReportCollector, KeepsTheLargestClustersAndHeaviestPairs) {
  ReportLimits limits;
  limits.clusters = 2;
  limits.other_pairs = 2;
  limits.hosts = 1;
  ReportCollector collector(limits);
  for (const auto& [number, size] :
       std::vector<std::pair<std::uint64_t, std::uint64_t>>{{5, 3}, {1, 2}, {2, 9}, {4, 3}, {3, 1}}) {
    collector.add_cluster({number, size, {}, {}});
  }
  for (const float characters : {10.0F, 30.0F, 20.0F}) {
    ReportPair pair;
    pair.match.matched_characters = characters;
    collector.add_pair(pair);
  }
  EXPECT_FALSE(collector.wants_cluster(2, 0));
  EXPECT_TRUE(collector.wants_cluster(3, 1));
  collector.add_kept_page("https://A.example:8443/x", "en", false);
  collector.add_removed_page("http://b.example/y", "en", "near");
  collector.add_kept_page("no url", "und", true);
  const ReportInput input = collector.take();
  ASSERT_EQ(input.clusters.size(), 2U);
  EXPECT_EQ(input.clusters[0].number, 2U);
  EXPECT_EQ(input.clusters[1].number, 4U);
  ASSERT_EQ(input.other_pairs.size(), 2U);
  EXPECT_EQ(input.other_pairs[1].match.matched_characters, 20.0F);
  EXPECT_EQ(input.totals.clusters, 4U);
  EXPECT_EQ(input.totals.pages, 3U);
  EXPECT_EQ(input.totals.kept, 2U);
  EXPECT_EQ(input.totals.empty, 1U);
  EXPECT_EQ(input.totals.removed(), 1U);
  EXPECT_EQ(input.hosts_total, 3U);
  ASSERT_EQ(input.hosts.size(), 1U);
  EXPECT_EQ(input.hosts[0].host, "b.example");
  ASSERT_EQ(input.totals.languages.size(), 2U);
  EXPECT_EQ(input.totals.languages.at("en").pages, 2U);
  EXPECT_EQ(input.totals.languages.at("en").removed, 1U);
  EXPECT_EQ(input.totals.languages.at("und").removed, 0U);
}

TEST(ReportCollector, FindsTheHostOfAUrl) {
  EXPECT_EQ(host_of_url("https://User@Example.ORG:8080/x?y"), "example.org");
  EXPECT_EQ(host_of_url("http://[2001:db8::1]:80/"), "[2001:db8::1]");
  EXPECT_EQ(host_of_url("http://h?q"), "h");
  EXPECT_EQ(host_of_url("mailto:x"), "(no host)");
  EXPECT_EQ(host_of_url("http:///x"), "(no host)");
  EXPECT_EQ(host_of_url(""), "(no host)");
}

TEST(ReportCollector, OrderOfClustersDoesNotMatter) {
  const auto collect = [](std::vector<std::uint64_t> numbers) {
    ReportLimits limits;
    limits.clusters = 3;
    ReportCollector collector(limits);
    for (const std::uint64_t number : numbers) collector.add_cluster({number, 2 + number % 3, {}, {}});
    std::vector<std::uint64_t> kept;
    for (const ReportCluster& cluster : collector.take().clusters) kept.push_back(cluster.number);
    return kept;
  };
  EXPECT_EQ(collect({1, 2, 3, 4, 5, 6, 7, 8}), collect({8, 3, 6, 1, 4, 7, 2, 5}));
}

}  // namespace
}  // namespace paraprint
