#include "lab/simulate/page_group.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "lab/simulate/render.h"
#include "test_articles.h"

namespace paraprint {
namespace {

CorpusPlan plan_of(std::vector<std::string> edits, int edits_per_page = 2) {
  CorpusPlan plan;
  plan.seed = 11;
  plan.edits = *choose_edits(edits);
  plan.edits_per_page = edits_per_page;
  plan.template_share = 0.5;
  plan.site_count = 20;
  return plan;
}

GroupPlan group_of(std::uint32_t pages) {
  GroupPlan group;
  group.number = 3;
  for (std::uint64_t seed = 1; seed <= 4; ++seed)
    group.families.push_back({test_article(seed, 12, seed % 2 == 0), pages});
  for (std::uint64_t seed = 20; seed < 28; ++seed) group.donors.push_back(test_article(seed, 8, seed % 2 == 0));
  return group;
}

TEST(PageGroup, EqualPlansGiveEqualPages) {
  const CorpusPlan plan = plan_of({});
  GroupMaker maker(plan);
  const PageGroup first = maker.make(group_of(15));
  maker.make(group_of(3));  // earlier groups must not influence later ones
  const PageGroup second = maker.make(group_of(15));
  ASSERT_EQ(first.pages.size(), 60U);
  ASSERT_EQ(second.pages.size(), 60U);
  std::set<std::string> ids;
  for (std::size_t i = 0; i < first.pages.size(); ++i) {
    EXPECT_EQ(first.pages[i].id, second.pages[i].id);
    EXPECT_EQ(first.pages[i].url, second.pages[i].url);
    EXPECT_EQ(first.pages[i].body, second.pages[i].body);
    EXPECT_TRUE(ids.insert(first.pages[i].id).second);
  }
  EXPECT_EQ(first.pairs.size(), second.pairs.size());
}

TEST(PageGroup, EditsThatKeepTheTextMakeDuplicates) {
  const CorpusPlan plan =
      plan_of({"exact-copy", "template", "markup", "comments", "dateline", "charset", "width", "paragraph-borders"});
  GroupMaker maker(plan);
  const PageGroup group = maker.make(group_of(12));
  for (const LabelledPair& pair : group.pairs) EXPECT_EQ(pair.label, PairLabel::kDuplicate);
  EXPECT_EQ(group.pairs.size(), 4U * 12 * 11 / 2);
  // One cluster per family.
  std::set<std::size_t> clusters;
  for (const SimulatedPage& page : group.pages) clusters.insert(page.cluster);
  EXPECT_EQ(clusters.size(), 4U);
}

TEST(PageGroup, ExactCopiesHaveTheOriginalsBytes) {
  const CorpusPlan plan = plan_of({"exact-copy"});
  const PageGroup group = GroupMaker(plan).make(group_of(5));
  for (const SimulatedPage& page : group.pages) {
    const auto original = std::find_if(group.pages.begin(), group.pages.end(), [&](const SimulatedPage& other) {
      return other.role == PageRole::kOriginal && other.bases == page.bases;
    });
    EXPECT_EQ(page.body, original->body);
    EXPECT_EQ(page.url == original->url, page.role == PageRole::kOriginal);
  }
}

// Dates, sources and chains have choices of their own: all else that pages state may not depend on them.
TEST(PageGroup, StatementsLeaveTheTextsAsTheyAre) {
  CorpusPlan plan = plan_of({"typos", "sentence-deletion", "template"});
  const PageGroup plain = GroupMaker(plan).make(group_of(12));
  plan.dated_share = 1;
  plan.sourced_share = 1;
  const PageGroup stated = GroupMaker(plan).make(group_of(12));
  ASSERT_EQ(plain.pages.size(), stated.pages.size());
  for (std::size_t i = 0; i < plain.pages.size(); ++i) {
    EXPECT_EQ(plain.pages[i].id, stated.pages[i].id);
    EXPECT_EQ(plain.pages[i].url, stated.pages[i].url);
    EXPECT_EQ(plain.pages[i].text, stated.pages[i].text);
    EXPECT_LT(plain.pages[i].body.size(), stated.pages[i].body.size());
    EXPECT_TRUE(plain.pages[i].origin.published.empty());
    const PageOrigin& origin = stated.pages[i].origin;
    EXPECT_FALSE(origin.stated_date.empty());
    EXPECT_EQ(origin.copied_from.has_value(), stated.pages[i].role == PageRole::kCopy);
    EXPECT_EQ(origin.stated_source.has_value(), origin.copied_from.has_value());
    // Captures follow publication.
    EXPECT_LT(origin.published, stated.pages[i].date.substr(0, 10));
  }
}

TEST(PageGroup, ChainsHaveCopiesOfCopiesWithLaterDates) {
  CorpusPlan plan = plan_of({"typos", "excerpt", "script", "exact-copy", "pagination", "digest"});
  plan.chain_share = 0.7;
  const PageGroup group = GroupMaker(plan).make(group_of(15));
  std::size_t of_copies = 0;
  for (const SimulatedPage& page : group.pages) {
    if (!page.origin.copied_from) continue;
    const SimulatedPage& source = group.pages[*page.origin.copied_from];
    EXPECT_LT(source.origin.published, page.origin.published);
    EXPECT_EQ(page.origin.original, source.origin.original);
    EXPECT_EQ(source.bases.size(), 1U);
    EXPECT_NE(source.url, page.url);
    of_copies += source.role == PageRole::kCopy ? 1 : 0;
    const bool is_exact = page.edits.size() == 1 && page.edits[0].row->info.name == kExactCopyEdit;
    if (is_exact) EXPECT_EQ(page.body, source.body);
  }
  EXPECT_GT(of_copies, 20U);
}

TEST(PageGroup, PartsOfPaginatedCopiesCountAsPages) {
  const CorpusPlan plan = plan_of({"pagination"}, 1);
  for (const std::uint32_t pages : {2U, 3U, 4U, 9U}) {
    EXPECT_EQ(GroupMaker(plan).make(group_of(pages)).pages.size(), 4U * pages);
  }
}

TEST(PageGroup, DigestsAreLabelledAgainstEveryIncludedArticle) {
  const CorpusPlan plan = plan_of({"digest=1"}, 1);
  const PageGroup group = GroupMaker(plan).make(group_of(2));
  // Each of the four digests contains all four articles, so it forms a pair with every page.
  EXPECT_EQ(group.pairs.size(), 4U * 4 + 4 * 3 / 2);
}

TEST(PageGroup, FormulaPagesDifferExceptForTheirCopies) {
  const CorpusPlan plan = plan_of({});
  GroupPlan series;
  series.number = 9;
  series.formula_pages = 30;
  const PageGroup group = GroupMaker(plan).make(series);
  ASSERT_EQ(group.pages.size(), 30U);
  EXPECT_FALSE(group.formula.empty());
  EXPECT_EQ(group.pairs.size(), 30U * 29 / 2);
  for (const LabelledPair& pair : group.pairs) {
    const bool is_same_page = group.pages[pair.a].bases == group.pages[pair.b].bases;
    EXPECT_EQ(pair.label, is_same_page ? PairLabel::kDuplicate : PairLabel::kDifferent);
  }
}

TEST(Render, EscapesMarkupAndKeepsTheText) {
  PageDraft draft;
  draft.article = test_article(1, 3);
  draft.article.paragraphs[1].text = "a < b && c > \"d\" <script>alert(1)</script>";
  const Site site = make_site(1, 1);
  for (std::size_t markup = 0; markup < kParagraphMarkupCount; ++markup) {
    draft.has_own_markup = true;
    draft.markup = static_cast<ParagraphMarkup>(markup);
    const std::string html = render_page(draft, site, {"other title"}, Random(1)).body;
    EXPECT_NE(html.find("a &lt; b &amp;&amp; c &gt;"), std::string::npos);
    EXPECT_EQ(html.find("<script>alert"), std::string::npos);
    EXPECT_NE(html.find(draft.article.paragraphs[0].text), std::string::npos);
  }
}

}  // namespace
}  // namespace paraprint
