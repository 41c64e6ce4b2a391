#include "index/candidates.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <random>
#include <set>

namespace paraprint {
namespace {

using ::testing::ElementsAre;

struct Answer {
  std::vector<CandidatePair> pairs;
  std::vector<std::uint32_t> representatives;
  CandidateStatistics statistics;
};

Answer run(const std::vector<Profile>& profiles, CandidateOptions options = {},
           const std::vector<std::vector<std::uint8_t>>& skips = {}) {
  options.temporary_directory = ::testing::TempDir();
  CandidateBuilder builder(options);
  for (std::uint32_t page = 0; page < profiles.size(); ++page) {
    const std::span<const std::uint8_t> skip = skips.empty() ? std::span<const std::uint8_t>{} : skips[page];
    EXPECT_TRUE(builder.add_page(page, searched_page(profiles[page], skip, options)).has_value());
  }
  EXPECT_TRUE(builder.finish().has_value());
  Answer answer;
  EXPECT_TRUE(builder.for_each_candidate([&](const CandidatePair& pair) { answer.pairs.push_back(pair); }).has_value());
  const SpillArray<std::uint32_t> representatives = builder.take_same_text_representatives();
  answer.representatives.assign(representatives.begin(), representatives.end());
  answer.statistics = builder.statistics();
  return answer;
}

ParagraphProfile paragraph(std::uint64_t hash, std::uint32_t characters = 100) {
  ParagraphProfile result;
  result.hash = hash;
  result.content_characters = characters;
  return result;
}

SentenceProfile sentence(std::uint64_t hash, std::uint16_t characters, bool is_anchor) {
  SentenceProfile result;
  result.hash = hash;
  result.content_characters = characters;
  result.is_anchor = is_anchor;
  return result;
}

Profile page(std::uint64_t text, std::vector<ParagraphProfile> paragraphs) {
  Profile profile;
  profile.text_hash = {text, text};
  profile.paragraphs = std::move(paragraphs);
  for (const ParagraphProfile& part : profile.paragraphs) profile.content_characters += part.content_characters;
  return profile;
}

TEST(CandidateBuilder, FindsEqualParagraphsAndAnchors) {
  std::vector<Profile> pages{page(1, {paragraph(10), paragraph(11)}), page(2, {paragraph(10), paragraph(12)}),
                             page(3, {paragraph(13)})};
  pages[2].sentences.push_back(sentence(12, 30, true));  // an anchor here, a paragraph of page 1
  pages[2].sentences.push_back(sentence(11, 30, false));
  const Answer answer = run(pages);
  EXPECT_THAT(answer.pairs, ElementsAre(CandidatePair{0, 1, 100, 1, kSourceParagraph},
                                        CandidatePair{1, 2, 30, 1, kSourceParagraph | kSourceAnchor}));
  EXPECT_EQ(answer.statistics.pairs_by_paragraph, 2U);
  EXPECT_EQ(answer.statistics.pairs_by_anchor, 1U);
}

TEST(CandidateBuilder, FindsSimilarWholeTexts) {
  std::mt19937 random(4);
  std::vector<Profile> pages{page(1, {paragraph(10)}), page(2, {paragraph(11, 60)}),
                             page(3, {paragraph(12), paragraph(13)})};
  for (std::size_t i = 0; i < PageSketch::kPairHashes; ++i) {
    const auto byte = static_cast<std::uint8_t>(random());
    for (Profile& profile : pages) profile.sketch.pair_hashes.push_back(byte);
  }
  // Half of the third page is boilerplate.
  const std::vector<std::vector<std::uint8_t>> skips{{0}, {0}, {0, 1}};
  Answer answer = run(pages, {}, skips);
  EXPECT_THAT(answer.pairs, ElementsAre(CandidatePair{0, 1, 60, 1, kSourceSketch}));
  EXPECT_EQ(answer.statistics.pairs_by_sketch, 1U);
  answer = run(pages, {.caps = {}, .join_sketches = false}, skips);
  EXPECT_TRUE(answer.pairs.empty());
}

TEST(CandidateBuilder, FirstPageRepresentsEqualTexts) {
  std::vector<Profile> pages;
  for (int i = 0; i < 20000; ++i) pages.push_back(page(5, {paragraph(10), paragraph(11)}));
  pages.push_back(page(6, {paragraph(10)}));
  const Answer answer = run(pages);
  EXPECT_THAT(answer.pairs, ElementsAre(CandidatePair{0, 20000, 100, 1, kSourceParagraph}));
  EXPECT_EQ(answer.representatives[19999], 0U);
  EXPECT_EQ(answer.representatives[20000], 20000U);
  EXPECT_EQ(answer.statistics.pages_same_text, 19999U);
  EXPECT_EQ(answer.statistics.keys, 3U);
}

TEST(CandidateBuilder, ComparesShortPagesByTextAndEmptyPagesNever) {
  const std::vector<Profile> pages{page(0, {}), page(0, {}), page(7, {paragraph(10, 30)}), page(7, {paragraph(10, 30)}),
                                   page(8, {paragraph(10, 30)})};
  const Answer answer = run(pages);
  EXPECT_TRUE(answer.pairs.empty());
  EXPECT_THAT(answer.representatives, ElementsAre(0, 1, 2, 2, 4));
  EXPECT_EQ(answer.statistics.pages_empty, 2U);
  EXPECT_EQ(answer.statistics.pages_short, 2U);
}

TEST(CandidateBuilder, SkipsFlaggedParagraphsAndTheirSentences) {
  std::vector<Profile> pages{page(1, {paragraph(10), paragraph(11)}), page(2, {paragraph(10), paragraph(12)})};
  for (Profile& profile : pages) profile.sentences.push_back(sentence(99, 30, true));
  const Answer answer = run(pages, {}, {{1, 0}, {1, 0}});
  EXPECT_TRUE(answer.pairs.empty());
}

TEST(CandidateBuilder, DropsAndCountsPairsUnderTheMinimumWeight) {
  CandidateOptions options;
  options.minimum_pair_weight = 60;
  const std::vector<Profile> pages{page(1, {paragraph(10, 50), paragraph(11, 20)}),
                                   page(2, {paragraph(10, 50), paragraph(11, 20)}), page(3, {paragraph(10, 50)})};
  const Answer answer = run(pages, options);
  EXPECT_THAT(answer.pairs, ElementsAre(CandidatePair{0, 1, 70, 2, kSourceParagraph}));
  EXPECT_EQ(answer.statistics.pairs_under_minimum_weight, 2U);
}

int distance(const Fingerprint128& a, const Fingerprint128& b) {
  return std::popcount(a.high ^ b.high) + std::popcount(a.low ^ b.low);
}

std::vector<Profile> random_world(std::uint64_t seed, std::size_t count) {
  std::mt19937_64 random(seed);
  std::vector<Fingerprint128> centres(20);
  for (Fingerprint128& centre : centres) centre = {random(), random()};
  std::vector<Profile> pages;
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<ParagraphProfile> paragraphs;
    for (std::uint64_t left = 1 + random() % 3; left > 0; --left) {
      ParagraphProfile part = paragraph(random() % 400, 60);
      part.simhash = centres[random() % centres.size()];
      for (std::uint64_t flips = random() % 9; flips > 0; --flips)
        part.simhash.low ^= std::uint64_t{1} << random() % 64;
      part.has_simhash = random() % 4 != 0;
      paragraphs.push_back(part);
    }
    pages.push_back(page(1000 + random() % (count * 3), std::move(paragraphs)));
  }
  return pages;
}

// Oracle: two pages that represent their texts are candidates if any two of their paragraphs are equal or near.
TEST(CandidateBuilder, EqualsTheDefinitionUnderAnyMemoryLimit) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const std::vector<Profile> pages = random_world(seed, 150);
    CandidateOptions options;
    options.caps.group_cap = 100000;
    for (const int distance_bits : {-1, 0, 3, 6}) {
      options.simhash_distance_bits = distance_bits;
      options.memory_limit_bytes = 64 << 20;
      const Answer answer = run(pages, options);
      std::set<std::pair<std::uint32_t, std::uint32_t>> expected;
      for (std::uint32_t a = 0; a < pages.size(); ++a) {
        for (std::uint32_t b = a + 1; b < pages.size(); ++b) {
          if (answer.representatives[a] != a || answer.representatives[b] != b) continue;
          for (const ParagraphProfile& x : pages[a].paragraphs) {
            for (const ParagraphProfile& y : pages[b].paragraphs) {
              const bool is_near = x.has_simhash && y.has_simhash && distance(x.simhash, y.simhash) <= distance_bits;
              if (x.hash == y.hash || is_near) expected.emplace(a, b);
            }
          }
        }
      }
      std::set<std::pair<std::uint32_t, std::uint32_t>> found;
      for (const CandidatePair& pair : answer.pairs) found.emplace(pair.page_a, pair.page_b);
      EXPECT_EQ(found, expected) << "seed " << seed << " distance " << distance_bits;
      EXPECT_EQ(found.size(), answer.pairs.size());
      EXPECT_TRUE(std::is_sorted(answer.pairs.begin(), answer.pairs.end()));
      options.memory_limit_bytes = 2000;
      const Answer spilled = run(pages, options);
      EXPECT_EQ(spilled.pairs, answer.pairs);
      EXPECT_GT(spilled.statistics.bytes_spilled, 0U);
    }
  }
}

// A thousand paragraphs that are all near each other, as those that repeat one word more often than all others
// together: the pairs are bounded by the cap for equal ones, and no page is left without.
TEST(CandidateBuilder, PairsManyNearFingerprintsThinly) {
  std::mt19937_64 random(5);
  const Fingerprint128 centre{random(), random()};
  std::vector<Profile> pages;
  for (std::uint32_t i = 0; i < 1000; ++i) {
    ParagraphProfile part = paragraph(10000 + i);
    part.simhash = centre;
    part.simhash.high ^= std::uint64_t{1} << random() % 64;
    part.simhash.low ^= std::uint64_t{1} << random() % 64 | std::uint64_t{1} << random() % 64;
    part.has_simhash = true;
    pages.push_back(page(i + 1, {part}));
  }
  const CandidateOptions options;
  const Answer answer = run(pages, options);
  EXPECT_LE(answer.pairs.size(), pages.size() * options.caps.group_cap);
  EXPECT_GT(answer.statistics.hamming.buckets_over_cap, 0U);
  std::set<std::uint32_t> paired;
  for (const CandidatePair& pair : answer.pairs) paired.insert({pair.page_a, pair.page_b});
  EXPECT_EQ(paired.size(), pages.size());
}

// Two near fingerprints on a thousand pages each: the pairs are linear and still link both groups.
TEST(CandidateBuilder, LinksLargeGroupsOfNearFingerprints) {
  std::vector<Profile> pages;
  for (std::uint32_t i = 0; i < 2000; ++i) {
    ParagraphProfile part = paragraph(10000 + i);
    part.simhash = {i % 2, 77};
    part.has_simhash = true;
    pages.push_back(page(i + 1, {part}));
  }
  const Answer answer = run(pages);
  EXPECT_LT(answer.pairs.size(), 30000U);
  EXPECT_GT(answer.statistics.equal_simhash.groups_over_cap, 0U);
  EXPECT_GT(answer.statistics.simhash_page_pairs_not_generated, 0U);
  const bool is_linked = std::any_of(answer.pairs.begin(), answer.pairs.end(),
                                     [](const CandidatePair& pair) { return pair.page_a % 2 != pair.page_b % 2; });
  EXPECT_TRUE(is_linked);
}

}  // namespace
}  // namespace paraprint
