// Votes for site templates, their stored form, the error rate of the Bloom filter, and VoteCounts compared with a map.
#include "store/site_templates.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <random>

namespace paraprint {
namespace {

Profile page_of(std::initializer_list<std::uint64_t> paragraph_hashes) {
  Profile profile;
  for (const std::uint64_t hash : paragraph_hashes) {
    ParagraphProfile paragraph;
    paragraph.hash = hash;
    paragraph.content_characters = 100;
    profile.paragraphs.push_back(paragraph);
    profile.content_characters += 100;
  }
  return profile;
}

std::vector<std::uint8_t> flags_of(const SiteTemplates& templates, std::uint64_t site, const Profile& page) {
  std::vector<std::uint8_t> flags(page.paragraphs.size(), 0);
  templates.flag(site, page, flags);
  return flags;
}

// Footer 7 on every page, notice 8 on two of them.
SiteTemplates* fill(SiteTemplates& templates, std::uint64_t pages) {
  for (std::uint64_t page = 0; page < pages; ++page) {
    templates.add_votes(1, page_of({1000 + page, 7, page < 2 ? 8 : 5000 + page}));
  }
  return &templates;
}

TEST(SiteTemplates, SmallSitesHaveNoTemplates) {
  SiteTemplates templates;
  fill(templates, 9);
  EXPECT_THAT(flags_of(templates, 1, page_of({7, 8})), ::testing::ElementsAre(0, 0));
}

TEST(SiteTemplates, ParagraphOnManyPagesIsTemplate) {
  SiteTemplates templates;
  fill(templates, 10);
  EXPECT_THAT(flags_of(templates, 1, page_of({1003, 7, 8})), ::testing::ElementsAre(0, 1, 0));
  EXPECT_THAT(flags_of(templates, 2, page_of({7})), ::testing::ElementsAre(0));
  EXPECT_THAT(flags_of(templates, 0, page_of({7})), ::testing::ElementsAre(0));
}

TEST(SiteTemplates, LargeSitesRequireAShareOfPages) {
  SiteTemplates templates;
  fill(templates, 10);
  for (std::uint64_t page = 0; page < 91; ++page) templates.add_votes(1, page_of({90000 + page}));
  // 10 of 101 pages are not enough: eleven are needed.
  EXPECT_THAT(flags_of(templates, 1, page_of({7})), ::testing::ElementsAre(0));
  templates.add_votes(1, page_of({7, 7}));
  EXPECT_THAT(flags_of(templates, 1, page_of({7})), ::testing::ElementsAre(1));
}

TEST(SiteTemplates, RoundTrips) {
  SiteTemplates templates;
  fill(templates, 30);
  const std::string bytes = templates.encode(77);
  SiteTemplates read;
  std::uint64_t covered = 0;
  ASSERT_TRUE(read.decode(bytes, covered));
  EXPECT_EQ(covered, 77U);
  EXPECT_EQ(read.encode(77), bytes);
  EXPECT_EQ(flags_of(read, 1, page_of({7, 1001})), flags_of(templates, 1, page_of({7, 1001})));
  for (std::size_t at = 0; at < bytes.size(); at += 101) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 1);
    EXPECT_FALSE(read.decode(damaged, covered)) << at;
    EXPECT_EQ(read.sites(), 0U);
  }
}

TEST(SiteTemplates, FewParagraphsGetAnExtraVote) {
  SiteTemplates templates;
  constexpr std::uint64_t kPages = 20000;
  for (std::uint64_t page = 0; page < kPages; ++page)
    templates.add_votes(page % 1000, page_of({page * 2, page * 2 + 1}));
  // A false positive of the filter gives a paragraph two votes; a template needs three.
  std::uint64_t flagged = 0;
  for (std::uint64_t page = 0; page < kPages; ++page) {
    for (const std::uint8_t flag : flags_of(templates, page % 1000, page_of({page * 2, page * 2 + 1}))) flagged += flag;
  }
  EXPECT_EQ(flagged, 0U);
}

TEST(SiteTemplates, OlderFileIsCorruptAndNewerOneUnsupported) {
  SiteTemplates templates;
  fill(templates, 30);
  std::string bytes = templates.encode(77);
  constexpr std::size_t kVersionAt = 25;
  std::uint64_t covered = 0;
  bytes[kVersionAt] = 1;
  EXPECT_EQ(templates.decode(bytes, covered).error().code, ErrorCode::kCorruptData);
  bytes[kVersionAt] = kSiteTemplatesFormatVersion + 1;
  EXPECT_EQ(templates.decode(bytes, covered).error().code, ErrorCode::kUnsupported);
}

// 300,000 paragraphs, each on one page. False positives of the filter are counted exactly, which takes memory for each.
TEST(SiteTemplates, FewParagraphsSeemRepeated) {
  SiteTemplates templates;
  constexpr std::uint64_t kPages = 30'000;
  for (std::uint64_t page = 0; page < kPages; ++page) {
    Profile profile = page_of({});
    for (std::uint64_t i = 0; i < 10; ++i) {
      profile.paragraphs.emplace_back().hash = page * 10 + i;
      profile.paragraphs.back().content_characters = 100;
    }
    profile.content_characters = 1000;
    templates.add_votes(1 + page, profile);
  }
  const std::uint64_t sites_and_filters = kPages * 40 + kPages * 10 * 20 * 3 / 2 / 8;
  EXPECT_LT(templates.memory_bytes(), sites_and_filters + kPages * 10 / 50 * 18);
}

TEST(VoteCounts, CountsLikeAMap) {
  VoteCounts counts;
  std::map<std::uint64_t, std::uint32_t> expected;
  std::mt19937_64 random(3);
  for (int i = 0; i < 20'000; ++i) {
    // Includes adjacent keys, and keys at the end of the table.
    const std::uint64_t key = i % 3 == 0 ? ~std::uint64_t{0} - random() % 5000 : random();
    std::uint32_t* const found = counts.find(key);
    ASSERT_EQ(found != nullptr, expected.contains(key));
    if (found != nullptr) {
      ++*found;
      ++expected[key];
    } else {
      counts.add(key, 2);
      expected[key] = 2;
    }
  }
  auto all = counts.all();
  std::sort(all.begin(), all.end());
  EXPECT_THAT(all, ::testing::ElementsAreArray(
                       std::vector<std::pair<std::uint64_t, std::uint32_t>>(expected.begin(), expected.end())));
  EXPECT_LE(counts.memory_bytes(), counts.size() * 12 * 16 / 9);
}

}  // namespace
}  // namespace paraprint
