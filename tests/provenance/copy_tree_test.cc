// What is drawn of trees, by hand and against a slow count.
#include "provenance/copy_tree.h"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

namespace paraprint {
namespace {

using ::testing::ElementsAre;

std::vector<std::uint32_t> places_of(const DrawnTree& tree) {
  std::vector<std::uint32_t> places;
  for (const DrawnCopy& copy : tree.copies) places.push_back(copy.place);
  return places;
}

// 0 is the source of 1, 4 and 5; 1 of 2 and 3; 5 of 6. Page 7 is apart.
const std::vector<std::uint32_t> kSources = {kNoPlace, 0, 1, 1, 0, 0, 5, kNoPlace};

TEST(CopyTreeTest, DrawsASourceBeforeItsCopies) {
  const DrawnTree tree = draw_tree(kSources, {0, false, 0, 100});
  EXPECT_THAT(places_of(tree), ElementsAre(0, 1, 2, 3, 4, 5, 6));
  EXPECT_EQ(tree.pages, 7U);
  EXPECT_EQ(tree.pages_apart, 1U);
  std::vector<std::uint32_t> depths;
  std::vector<std::uint32_t> sources;
  std::vector<std::uint64_t> copies;
  for (const DrawnCopy& copy : tree.copies) {
    depths.push_back(copy.depth);
    sources.push_back(copy.source);
    copies.push_back(copy.copies);
    EXPECT_EQ(copy.copies_not_drawn, 0U);
  }
  EXPECT_THAT(depths, ElementsAre(0, 1, 2, 2, 1, 1, 2));
  EXPECT_THAT(sources, ElementsAre(kNoPlace, 0, 1, 1, 0, 0, 5));
  EXPECT_THAT(copies, ElementsAre(6, 2, 0, 0, 0, 1, 0));
}

TEST(CopyTreeTest, PrefersPagesWithManyCopies) {
  const DrawnTree tree = draw_tree(kSources, {0, false, 0, 3});
  EXPECT_THAT(places_of(tree), ElementsAre(0, 1, 5));
  EXPECT_EQ(tree.pages, 7U);
  EXPECT_EQ(tree.copies[0].copies_not_drawn, 4U);  // 4 and those of its copies
  EXPECT_EQ(tree.copies[1].copies_not_drawn, 2U);
  EXPECT_EQ(tree.copies[2].copies_not_drawn, 1U);
  // Of pages with as many copies, the first ones.
  EXPECT_THAT(places_of(draw_tree(kSources, {0, false, 0, 5})), ElementsAre(0, 1, 2, 3, 5));
  EXPECT_THAT(places_of(draw_tree(kSources, {0, false, 0, 1})), ElementsAre(0));
}

TEST(CopyTreeTest, DrawsAPartAlone) {
  const DrawnTree tree = draw_tree(kSources, {1, true, 0, 100});
  EXPECT_THAT(places_of(tree), ElementsAre(1, 2, 3));
  EXPECT_EQ(tree.pages, 3U);
  EXPECT_EQ(tree.pages_apart, 0U);
  EXPECT_EQ(tree.copies.front().depth, 0U);
  EXPECT_EQ(tree.copies.front().source, kNoPlace);
}

TEST(CopyTreeTest, SkipsCopiesThatWereDrawnBefore) {
  const DrawnTree tree = draw_tree(kSources, {0, true, 1, 100});
  EXPECT_THAT(places_of(tree), ElementsAre(0, 4, 5, 6));
  EXPECT_EQ(tree.copies.front().direct_copies, 3U);
  EXPECT_EQ(tree.copies.front().copies, 6U);
  EXPECT_THAT(places_of(draw_tree(kSources, {0, true, 2, 100})), ElementsAre(0, 4));
  EXPECT_THAT(places_of(draw_tree(kSources, {0, true, 3, 100})), ElementsAre(0));
  EXPECT_THAT(places_of(draw_tree(kSources, {0, true, 99, 100})), ElementsAre(0));
  EXPECT_THAT(places_of(draw_tree(kSources, {1, true, 1, 100})), ElementsAre(1, 3));
}

TEST(CopyTreeTest, DrawsTheFirstPageBeforeOtherRoots) {
  const std::vector<std::uint32_t> sources = {kNoPlace, 0, kNoPlace, 2, 2};
  EXPECT_THAT(places_of(draw_tree(sources, {2, false, 0, 100})), ElementsAre(2, 3, 4, 0, 1));
  EXPECT_EQ(draw_tree(sources, {2, false, 0, 100}).pages_apart, 0U);
}

// A file that was edited may say anything.
TEST(CopyTreeTest, SurvivesCircles) {
  const std::vector<std::uint32_t> sources = {kNoPlace, 2, 3, 1, 0, 1};
  const DrawnTree tree = draw_tree(sources, {0, false, 0, 100});
  EXPECT_THAT(places_of(tree), ElementsAre(0, 4));
  EXPECT_EQ(tree.pages_apart, 4U);
  EXPECT_THAT(places_of(draw_tree(sources, {1, true, 0, 100})), ElementsAre(1, 3, 2, 5));
  EXPECT_THAT(places_of(draw_tree(std::vector<std::uint32_t>{1, 0}, {0, false, 0, 100})), ElementsAre(0, 1));
}

TEST(CopyTreeTest, DrawsDeepChains) {
  std::vector<std::uint32_t> sources = {kNoPlace};
  for (std::uint32_t place = 1; place < 100'000; ++place) sources.push_back(place - 1);
  const DrawnTree tree = draw_tree(sources, {0, false, 0, 10});
  EXPECT_EQ(places_of(tree).back(), 9U);
  EXPECT_EQ(tree.copies.back().copies_not_drawn, 99'990U);
}

RC_GTEST_PROP(CopyTreeTest, HasEveryDrawnPageBelowItsSource, (std::uint64_t seed)) {
  const auto size = static_cast<std::uint32_t>(1 + seed % 40);
  std::vector<std::uint32_t> sources;
  for (std::uint32_t place = 0; place < size; ++place) {
    const auto choice = *rc::gen::inRange<std::uint32_t>(0, place + 1);
    sources.push_back(choice == place ? kNoPlace : choice);
  }
  const auto maximum = *rc::gen::inRange<std::size_t>(1, 50);
  const DrawnTree tree = draw_tree(sources, {0, false, 0, maximum});
  RC_ASSERT(tree.copies.size() == std::min<std::size_t>(maximum, tree.pages));
  RC_ASSERT(tree.pages + tree.pages_apart == size);
  std::set<std::uint32_t> drawn;
  for (std::uint32_t at = 0; at < tree.copies.size(); ++at) {
    const DrawnCopy& copy = tree.copies[at];
    RC_ASSERT(drawn.insert(copy.place).second);
    if (copy.source == kNoPlace) {
      RC_ASSERT(copy.depth == 0U && sources[copy.place] == kNoPlace);
    } else {
      RC_ASSERT(copy.source < at && sources[copy.place] == tree.copies[copy.source].place);
      RC_ASSERT(copy.depth == tree.copies[copy.source].depth + 1);
    }
  }
  // By following sources from every page.
  for (const DrawnCopy& copy : tree.copies) {
    std::uint64_t below = 0;
    std::uint64_t not_drawn = 0;
    for (std::uint32_t place = 0; place < size; ++place) {
      std::uint32_t way = sources[place];
      while (way != kNoPlace && way != copy.place) way = sources[way];
      if (way != copy.place) continue;
      ++below;
      not_drawn += drawn.contains(place) ? 0 : 1;
    }
    RC_ASSERT(copy.copies == below && copy.copies_not_drawn == not_drawn);
  }
}

}  // namespace
}  // namespace paraprint
