// Statements of sources, resolved among the pages of a cluster.
#include "provenance/stated_sources.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "corpus/linked_addresses.h"

namespace paraprint {
namespace {

class StatedSourcesTest : public testing::Test {
 protected:
  StatedSourcesTest() : pages_(3), problems_(3) {
    pages_[0].url = "https://www.paper.example/news/1/";
    pages_[0].stated.metadata.site_name = "The Paper";
    pages_[1].url = "http://copies.example/2";
    pages_[2].url = "http://third.example/3";
  }

  // What page 1 states, as "source:reason", sorted by page.
  std::vector<std::pair<std::uint32_t, Reason>> of_page_1() {
    problems_.assign(pages_.size(), {});
    found_ = resolve_sources(pages_, problems_);
    std::vector<std::pair<std::uint32_t, Reason>> found;
    for (const SourceStatement& each : found_.statements) {
      if (each.page == 1) found.emplace_back(each.source, each.reason);
    }
    return found;
  }

  PageMetadata& stated() { return pages_[1].stated.metadata; }

  using Found = std::vector<std::pair<std::uint32_t, Reason>>;
  std::vector<TracedPage> pages_;
  std::vector<std::vector<StatementProblem>> problems_;
  StatedSources found_;
};

TEST_F(StatedSourcesTest, AnAddressIsFoundInAnyOfItsForms) {
  stated().source_url = "http://paper.example/news/1#top";
  EXPECT_EQ(of_page_1(), (Found{{0, Reason::kStatedSource}}));
  EXPECT_EQ(found_.statements.front().parent, 6);
  EXPECT_TRUE(found_.names_source[1]);
  EXPECT_FALSE(found_.names_source[0]);
}

TEST_F(StatedSourcesTest, AHostWillDoForAnotherPageOfIt) {
  stated().source_url = "http://paper.example/";
  EXPECT_EQ(of_page_1(), (Found{{0, Reason::kStatedSource}}));
  EXPECT_EQ(found_.statements.front().parent, 3);
}

TEST_F(StatedSourcesTest, ANameIsThatOfTheSiteOrPartOfTheHost) {
  stated().source_name = "the paper";
  EXPECT_EQ(of_page_1(), (Found{{0, Reason::kStatedSource}}));
  stated().source_name = "Third";
  EXPECT_EQ(of_page_1(), (Found{{2, Reason::kStatedSource}}));
  stated().source_name = "third.example";
  EXPECT_EQ(of_page_1(), (Found{{2, Reason::kStatedSource}}));
}

TEST_F(StatedSourcesTest, CanonicalAddressesAndLinksCountToo) {
  stated().canonical_url = "https://paper.example/news/1";
  pages_[1].stated.linked.links = {address_hash("https://third.example/3/")};
  EXPECT_EQ(of_page_1(), (Found{{0, Reason::kCanonical}, {2, Reason::kLink}}));
}

TEST_F(StatedSourcesTest, ACopiedSiteNameNamesItsSite) {
  stated().site_name = "Third";
  EXPECT_EQ(of_page_1(), (Found{{2, Reason::kStatedSource}}));
  stated().site_name = "Copies";
  EXPECT_TRUE(of_page_1().empty());
}

TEST_F(StatedSourcesTest, APageThatNamesItselfSaysNothing) {
  stated().source_url = "http://copies.example/";
  EXPECT_TRUE(of_page_1().empty());
  EXPECT_EQ(problems_[1], std::vector{StatementProblem::kNamesItself});
  EXPECT_FALSE(found_.names_source[1]);
  stated() = {};
  stated().site_name = "Copies";
  stated().source_name = "copies";
  EXPECT_TRUE(of_page_1().empty());
  EXPECT_EQ(problems_[1], std::vector{StatementProblem::kNamesItself});
  stated() = {};
  stated().canonical_url = "http://copies.example/2";
  EXPECT_TRUE(of_page_1().empty());
  EXPECT_TRUE(problems_[1].empty());
}

TEST_F(StatedSourcesTest, ASourceOutsideOfTheClusterIsSaid) {
  stated().source_name = "新华网";
  EXPECT_TRUE(of_page_1().empty());
  EXPECT_EQ(problems_[1], std::vector{StatementProblem::kSourceElsewhere});
  EXPECT_TRUE(found_.names_source[1]);
}

TEST_F(StatedSourcesTest, NamesakesAreBounded) {
  stated().source_url = "http://many.example/";
  for (int page = 0; page < 50; ++page) {
    pages_.emplace_back().url = "http://many.example/" + std::to_string(page);
  }
  EXPECT_EQ(of_page_1().size(), kNamesakesMaximum);
}

TEST_F(StatedSourcesTest, PagesWithoutAddressesNameNobodyByAccident) {
  for (TracedPage& page : pages_) page = {};
  EXPECT_TRUE(of_page_1().empty());
  EXPECT_TRUE(found_.statements.empty());
}

}  // namespace
}  // namespace paraprint
