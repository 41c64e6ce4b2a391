#include "index/site_boilerplate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace paraprint {
namespace {

constexpr std::uint64_t kSite = 1;
constexpr std::uint64_t kFooter = 900001;
constexpr std::uint64_t kArticle = 500000;

struct Part {
  std::uint64_t hash;
  std::uint32_t characters;
};

Profile page(const std::vector<Part>& parts) {
  Profile profile;
  std::uint64_t text = 17;
  for (const Part& part : parts) {
    ParagraphProfile paragraph;
    paragraph.hash = part.hash;
    paragraph.content_characters = part.characters;
    profile.paragraphs.push_back(paragraph);
    profile.content_characters += part.characters;
    text = text * 1000003 + part.hash;
  }
  profile.text_hash = {text, ~text};
  return profile;
}

struct SitePage {
  std::uint64_t site;
  Profile profile;
};

// A unique article, optionally with the footer below.
Profile article(std::uint64_t number, bool with_footer = true) {
  std::vector<Part> parts{{1000 + number * 10, 300}, {1001 + number * 10, 200}};
  if (with_footer) parts.push_back({kFooter, 60});
  return page(parts);
}

SiteBoilerplate find(const std::vector<SitePage>& pages, std::uint64_t limit_bytes = 1 << 20,
                     SiteBoilerplateStatistics* statistics = nullptr) {
  SiteBoilerplateOptions options;
  options.memory_limit_bytes = limit_bytes;
  options.temporary_directory = ::testing::TempDir();
  SiteBoilerplateCounter counter(options);
  for (const SitePage& entry : pages) EXPECT_TRUE(counter.add_page(entry.site, entry.profile).has_value());
  auto answer = counter.finish();
  EXPECT_TRUE(answer.has_value());
  if (statistics != nullptr) *statistics = counter.statistics();
  return answer ? std::move(*answer) : SiteBoilerplate();
}

// A site of 40 pages with a footer on 38 and an article paragraph on 2: the footer is removed, the paragraph is kept.
TEST(SiteBoilerplate, RemovesTheFooterAndKeepsTheArticle) {
  std::vector<SitePage> pages;
  for (std::uint64_t i = 0; i < 40; ++i) pages.push_back({kSite, article(i, i < 38)});
  pages[39].profile = page({{1000, 300}, {7, 100}});  // repeats a paragraph of article 0
  const SiteBoilerplate boilerplate = find(pages);
  EXPECT_TRUE(boilerplate.contains(kSite, kFooter));
  EXPECT_FALSE(boilerplate.contains(kSite, 1000));
  EXPECT_FALSE(boilerplate.contains(kSite + 1, kFooter));
  EXPECT_EQ(boilerplate.size(), 1U);
  std::vector<std::uint8_t> flags;
  EXPECT_EQ(boilerplate.flag(kSite, pages[0].profile, flags), 1U);
  EXPECT_EQ(flags, (std::vector<std::uint8_t>{0, 0, 1}));
}

TEST(SiteBoilerplate, IgnoresSmallSites) {
  std::vector<SitePage> pages;
  for (std::uint64_t i = 0; i < 9; ++i) pages.push_back({kSite, article(i)});
  EXPECT_EQ(find(pages).size(), 0U);
  pages.push_back({kSite, article(9)});
  EXPECT_EQ(find(pages).size(), 1U);
}

TEST(SiteBoilerplate, CountsPagesWithEqualTextOnce) {
  std::vector<SitePage> pages;
  for (std::uint64_t i = 0; i < 12; ++i) pages.push_back({kSite, article(i)});
  for (int copies = 0; copies < 30; ++copies) pages.push_back({kSite, article(3)});
  const SiteBoilerplate boilerplate = find(pages);
  EXPECT_TRUE(boilerplate.contains(kSite, kFooter));
  EXPECT_EQ(boilerplate.size(), 1U);
}

// Four edited versions of one article on a site of twelve pages: three votes are enough, but the article is kept.
TEST(SiteBoilerplate, VersionsOfAnArticleDoNotEraseIt) {
  std::vector<SitePage> pages;
  for (std::uint64_t i = 0; i < 8; ++i) pages.push_back({kSite, article(i)});
  for (std::uint64_t version = 0; version < 4; ++version) {
    pages.push_back({kSite, page({{kArticle, 300},
                                  {kArticle + 1, 250},
                                  {kArticle + 2, 200},
                                  {kArticle + 10 + version, 80},
                                  {kFooter, 60}})});
  }
  SiteBoilerplateStatistics statistics;
  const SiteBoilerplate boilerplate = find(pages, 1 << 20, &statistics);
  EXPECT_TRUE(boilerplate.contains(kSite, kFooter));
  for (std::uint64_t part = 0; part < 3; ++part) EXPECT_FALSE(boilerplate.contains(kSite, kArticle + part));
  EXPECT_EQ(statistics.suspects, 4U);
  EXPECT_EQ(statistics.suspects_spared, 3U);
}

// One article in several frames, which differ only in paragraphs that are suspects: one residue, one vote.
TEST(SiteBoilerplate, CountsEqualResiduesOnce) {
  std::vector<SitePage> pages;
  for (std::uint64_t i = 0; i < 20; ++i) pages.push_back({kSite, article(i)});
  constexpr std::uint64_t kNote = 800000;
  for (std::uint64_t frame = 0; frame < 4; ++frame) {
    // A note that only the four framed pages have; their residue is the same body.
    std::vector<Part> parts{{kArticle, 400}, {kNote, 50}};
    for (std::uint64_t menu = 0; menu <= frame; ++menu) parts.push_back({700000 + menu, 20});
    pages.push_back({kSite, page(parts)});
  }
  const SiteBoilerplate boilerplate = find(pages);
  EXPECT_FALSE(boilerplate.contains(kSite, kNote));
  EXPECT_FALSE(boilerplate.contains(kSite, kArticle));
}

TEST(SiteBoilerplate, RequiresATenthOfALargeSite) {
  std::vector<SitePage> pages;
  for (std::uint64_t i = 0; i < 200; ++i) pages.push_back({kSite, article(i, i < 19)});
  EXPECT_EQ(find(pages).size(), 0U);
  pages[19].profile = article(19, true);
  EXPECT_EQ(find(pages).size(), 1U);
}

TEST(SiteBoilerplate, IsIndependentOfOrderAndMemoryLimit) {
  std::mt19937_64 random(3);
  std::vector<SitePage> pages;
  for (std::uint64_t i = 0; i < 600; ++i) {
    std::vector<Part> parts;
    for (std::uint64_t left = 2 + random() % 6; left > 0; --left)
      parts.push_back({random() % 3 == 0 ? random() % 12 : random(), 20 + static_cast<std::uint32_t>(random() % 200)});
    pages.push_back({random() % 5, page(parts)});
  }
  const auto listing = [&](const SiteBoilerplate& boilerplate) {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> found;
    for (std::uint64_t site = 0; site < 5; ++site) {
      for (std::uint64_t hash = 0; hash < 12; ++hash) {
        if (boilerplate.contains(site, hash)) found.emplace_back(site, hash);
      }
    }
    return found;
  };
  const auto expected = listing(find(pages));
  EXPECT_FALSE(expected.empty());
  for (int trial = 0; trial < 3; ++trial) {
    std::shuffle(pages.begin(), pages.end(), random);
    EXPECT_EQ(listing(find(pages, trial == 0 ? 0 : 1 << 20)), expected);
  }
}

}  // namespace
}  // namespace paraprint
