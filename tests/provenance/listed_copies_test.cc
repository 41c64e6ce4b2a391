// What a report shows of a file of provenance.
#include "provenance/listed_copies.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <string>

#include "base/atomic_file.h"
#include "temporary_folder.h"

namespace paraprint {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string line(const std::string& id, int cluster, const std::string& rest) {
  return fmt::format(R"({{"id":"{}","url":"http://{}.example/","cluster":{},"is_traced":true,{}}})", id, id, cluster,
                     rest) +
         "\n";
}

class ListedCopiesTest : public ::testing::Test {
 protected:
  ListedCopiesTest() {
    for (const std::uint64_t number : {3, 9}) {
      ReportCluster& cluster = input_.clusters.emplace_back();
      cluster.number = number;
      cluster.kept.id = "b";
      cluster.kept.title = "Title of b";
    }
  }
  Status add(const std::string& content) {
    EXPECT_TRUE(write_file_atomically(path_, content));
    return add_listed_copies(path_, input_);
  }

  TemporaryFolder folder_;
  const std::string path_ = folder_ / "provenance.jsonl";
  ReportInput input_;
};

TEST_F(ListedCopiesTest, ListsTheClustersThatAreShown) {
  ASSERT_TRUE(
      add(line("x", 1, R"("copied_from":null,"is_first":true)") +
          line("a", 3, R"("copied_from":"b","confidence":0.5,"reasons":["text"],"is_first":false)") +
          line("b", 3, R"("date":"2010-05-01","copied_from":null,"is_first":true,"first_confidence":0.8)") +
          line("c", 3,
               R"("date":"2011-05-01","date_place":"meta","copied_from":"b","confidence":0.9,)"
               R"("against":["link"],"source_name":"B","problems":["names-itself"])") +
          line("d", 3, R"("date":"2010-01-01","problems":["date-in-future"],"copied_from":"c","confidence":1)") +
          R"({"id":"e","cluster":3,"is_traced":false})"
          "\n" +
          line("y", 4, R"("copied_from":null)")));
  EXPECT_FALSE(input_.clusters[1].copies);
  ASSERT_TRUE(input_.clusters[0].copies);
  const ClusterCopies& copies = *input_.clusters[0].copies;
  EXPECT_EQ(copies.tree_pages, 4U);
  EXPECT_EQ(copies.pages_apart, 1U);
  std::vector<std::string> tree;
  for (const ListedCopy& copy : copies.tree) {
    tree.push_back(fmt::format("{} {} {}", copy.depth, copy.page.id, copy.confidence));
  }
  EXPECT_THAT(tree, ElementsAre("0 b 0", "1 c 0.9", "2 d 1", "1 a 0.5"));
  EXPECT_EQ(copies.tree[0].page.title, "Title of b");
  EXPECT_EQ(copies.tree[0].first_confidence, 0.8);
  EXPECT_EQ(copies.tree[1].page.url, "http://c.example/");
  EXPECT_EQ(copies.tree[1].date_place, "meta");
  EXPECT_EQ(copies.tree[1].source_name, "B");
  EXPECT_THAT(copies.tree[1].against, ElementsAre("link"));
  EXPECT_THAT(copies.tree[1].problems, ElementsAre("names-itself"));
  EXPECT_EQ(copies.tree[2].source, 1U);
  ASSERT_EQ(copies.dated.size(), 2U);
  EXPECT_EQ(copies.dated[0].day, "2010-05-01");
  EXPECT_TRUE(copies.dated[0].is_first);
  EXPECT_EQ(copies.undated_pages, 2U);
}

TEST_F(ListedCopiesTest, ListsAsManyAsItSays) {
  std::string content = line("b", 9, R"("copied_from":null,"is_first":true)");
  for (int copy = 0; copy < 1000; ++copy) {
    content += line(fmt::format("copy{:04}", copy), 9,
                    fmt::format(R"("date":"2010-01-{:02}","copied_from":"b","confidence":0.5)", 1 + copy % 28));
  }
  ASSERT_TRUE(add(content));
  const ClusterCopies& copies = *input_.clusters[1].copies;
  EXPECT_EQ(copies.tree.size(), kCopiesListed);
  EXPECT_EQ(copies.tree_pages, 1001U);
  EXPECT_EQ(copies.tree.front().copies_not_listed, 1001U - kCopiesListed);
  EXPECT_EQ(copies.dated.size(), kDatedPagesShown);
  EXPECT_EQ(copies.dated_pages, 1000U);
  EXPECT_EQ(copies.tree[1].page.id, "copy0000");
  EXPECT_EQ(copies.tree[2].page.id, "copy0028");  // by day, then id
}

TEST_F(ListedCopiesTest, NamesADamagedLine) {
  const Status added = add(line("x", 1, R"("copied_from":null)") + "nonsense\n");
  ASSERT_FALSE(added);
  EXPECT_EQ(added.error().code, ErrorCode::kCorruptData);
  EXPECT_THAT(added.error().message, HasSubstr("provenance.jsonl: line 2: "));
  input_.clusters.clear();
  EXPECT_TRUE(add_listed_copies(folder_ / "none", input_));
}

}  // namespace
}  // namespace paraprint
