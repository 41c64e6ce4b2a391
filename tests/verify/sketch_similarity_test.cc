#include "verify/sketch_similarity.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <set>

#include "verify/paragraph_matching.h"

namespace paraprint {
namespace {

PageSketch with_pairs(std::size_t equal) {
  PageSketch sketch;
  for (std::size_t i = 0; i < PageSketch::kPairHashes; ++i) sketch.pair_hashes.push_back(i < equal ? 1 : 2);
  return sketch;
}

PageSketch with_numbers(const std::set<std::uint32_t>& numbers) {
  PageSketch sketch;
  sketch.number_count = static_cast<std::uint32_t>(numbers.size());
  for (const std::uint32_t number : numbers) {
    if (sketch.numbers.size() < PageSketch::kNumbersKept) sketch.numbers.push_back(number);
  }
  return sketch;
}

TEST(PairSimilarity, CorrectsForBytesEqualByChance) {
  EXPECT_EQ(pair_similarity(with_pairs(128), with_pairs(128)), 1);
  // b-bit MinHash in the sparse limit: R = (P - 2^-b) / (1 - 2^-b), b = 8.
  EXPECT_NEAR(pair_similarity(with_pairs(64), with_pairs(128)), (0.5 - 1.0 / 256) / (1 - 1.0 / 256), 1e-12);
  EXPECT_EQ(pair_similarity(with_pairs(0), with_pairs(128)), 0);
  EXPECT_EQ(pair_similarity(PageSketch{}, with_pairs(128)), 0);
}

TEST(NumberAgreement, IsFullWithTooFewNumbers) {
  EXPECT_EQ(number_agreement(with_numbers({1, 2, 3, 4}), with_numbers({5, 6, 7, 8, 9})), 1);
  EXPECT_EQ(number_agreement(with_numbers({1, 2, 3, 4, 5}), with_numbers({6, 7, 8, 9, 10})), 0);
}

TEST(NumberAgreement, IsFullIfSeventyPercentOfTheFewerAreCommon) {
  EXPECT_NEAR(number_agreement(with_numbers({1, 2, 3, 4, 5}), with_numbers({1, 6, 7, 8, 9, 10, 11})), 0.2 / 0.7, 1e-12);
  EXPECT_EQ(number_agreement(with_numbers({1, 2, 3, 4, 5}), with_numbers({1, 2, 3, 4, 9, 10, 11})), 1);
}

TEST(NumberAgreement, IsEstimatedFromTheSmallestOfManyNumbers) {
  std::mt19937 random(3);
  std::set<std::uint32_t> a;
  std::set<std::uint32_t> b;
  std::set<std::uint32_t> other;
  while (a.size() < 200) a.insert(static_cast<std::uint32_t>(random()));
  b = a;
  while (b.size() < 220) b.insert(static_cast<std::uint32_t>(random()));
  while (other.size() < 200) other.insert(static_cast<std::uint32_t>(random()));
  EXPECT_EQ(number_agreement(with_numbers(a), with_numbers(b)), 1);
  EXPECT_EQ(number_agreement(with_numbers(a), with_numbers(other)), 0);
  EXPECT_EQ(number_agreement(with_numbers(b), with_numbers(a)), number_agreement(with_numbers(a), with_numbers(b)));
}

Profile page_of_one_paragraph(Fingerprint128 simhash, const PageSketch& sketch) {
  Profile page;
  ParagraphProfile paragraph;
  paragraph.simhash = simhash;
  paragraph.has_simhash = true;
  paragraph.hash = simhash.high;
  paragraph.content_characters = 1000;
  page.paragraphs.push_back(paragraph);
  page.content_characters = 1000;
  page.text_hash = {simhash.high, simhash.low};
  page.sketch = sketch;
  return page;
}

constexpr Fingerprint128 kSimhash{0x123456789ABCDEF0, 0x0FEDCBA987654321};
// 30 bits away: more than T, fewer than unrelated texts.
constexpr Fingerprint128 kFarSimhash{kSimhash.high ^ 0x3FFFFFFF, kSimhash.low};

PairScore sketch_score(const Profile& a, const Profile& b, std::vector<MatchedSpan>* evidence = nullptr,
                       std::span<const std::uint8_t> boilerplate = {}) {
  return ParagraphMatcher(MatchOptions{}).score(a, b, boilerplate, {}, evidence);
}

TEST(WholeText, FindsCopiesWhoseParagraphsAreAllTooFarApart) {
  const Profile a = page_of_one_paragraph(kSimhash, with_pairs(128));
  const Profile b = page_of_one_paragraph(kFarSimhash, with_pairs(96));
  std::vector<MatchedSpan> evidence;
  const PairScore found = sketch_score(a, b, &evidence);
  EXPECT_EQ(found.verdict, Verdict::kNear);
  // J = 0.749, minus 0.07; Dice 0.809, its square root 0.899 (docs/algorithms/paragraph-matching.md).
  const double pairs = pair_similarity(a.sketch, b.sketch) - 0.07;
  const double words = std::sqrt(2 * pairs / (1 + pairs));
  EXPECT_NEAR(found.resemblance, words / (2 - words), 1e-9);
  EXPECT_NEAR(words, 0.899, 0.001);
  EXPECT_EQ(evidence.size(), 1U);  // the pair of paragraphs, as edited copies
  MatchOptions without;
  without.whole_text = false;
  EXPECT_EQ(ParagraphMatcher(without).score(a, b, {}, {}).verdict, Verdict::kDistinct);
}

// Half of the word pairs, minus 0.07, give a Dice coefficient of 0.60: as scattered words that is 0.78 of the text. If
// half of the text matches exactly, it means exchanged parts: the rest of the texts has little in common.
TEST(WholeText, DistinguishesScatteredWordsFromExchangedParts) {
  Profile a = page_of_one_paragraph(kSimhash, with_pairs(128));
  Profile b = page_of_one_paragraph({~kSimhash.high, ~kSimhash.low}, with_pairs(64));
  EXPECT_EQ(sketch_score(a, b).verdict, Verdict::kNear);
  for (Profile* page : {&a, &b}) {
    page->paragraphs[0].content_characters = 500;
    ParagraphProfile same = page->paragraphs[0];
    same.hash = 7;
    page->paragraphs.push_back(same);
  }
  EXPECT_NE(sketch_score(a, b).verdict, Verdict::kNear);
  EXPECT_GE(sketch_score(a, b).resemblance, 1.0 / 3);
}

// Pairs with fewer equal bytes than kSketchEqualBytesMinimum (index/sketch_rule.h), which the search skips, cannot be
// near.
TEST(WholeText, PairsMissedByTheSearchCannotBeNear) {
  constexpr std::size_t kEqualBytesMinimum = 56;
  const Profile a = page_of_one_paragraph(kSimhash, with_pairs(128));
  const Profile enough = page_of_one_paragraph({~kSimhash.high, ~kSimhash.low}, with_pairs(kEqualBytesMinimum));
  const Profile one_less = page_of_one_paragraph({~kSimhash.high, ~kSimhash.low}, with_pairs(kEqualBytesMinimum - 1));
  EXPECT_EQ(sketch_score(a, enough).verdict, Verdict::kNear);
  EXPECT_NE(sketch_score(a, one_less).verdict, Verdict::kNear);
}

TEST(WholeText, TextsOfVeryDifferentSizeAreNotCopies) {
  const Profile a = page_of_one_paragraph(kSimhash, with_pairs(128));
  Profile b = page_of_one_paragraph({~kSimhash.high, ~kSimhash.low}, with_pairs(110));
  EXPECT_EQ(sketch_score(a, b).verdict, Verdict::kNear);
  b.content_characters = b.paragraphs[0].content_characters = 1600;
  EXPECT_EQ(sketch_score(a, b).verdict, Verdict::kDistinct);
}

// A page of list items with half the weight still consists of its own text only.
TEST(WholeText, LightParagraphsAreNotBoilerplate) {
  Profile a = page_of_one_paragraph(kSimhash, with_pairs(128));
  Profile b = page_of_one_paragraph(kFarSimhash, with_pairs(96));
  a.paragraphs[0].role = b.paragraphs[0].role = BlockRole::kListItem;
  MatchOptions options;
  options.list_weight = 0.5;
  EXPECT_EQ(ParagraphMatcher(options).score(a, b, {}, {}).verdict, Verdict::kNear);
}

TEST(WholeText, IgnoresPagesThatAreMostlyBoilerplate) {
  Profile a = page_of_one_paragraph(kSimhash, with_pairs(128));
  Profile b = page_of_one_paragraph(kFarSimhash, with_pairs(128));
  const std::uint8_t is_boilerplate[] = {1};
  EXPECT_EQ(sketch_score(a, b, nullptr, is_boilerplate).resemblance, 0);
}

// The forecast of another day: the same formula with other numbers.
TEST(WholeText, TextsWithDifferentNumbersAreNotCopies) {
  PageSketch monday = with_numbers({1, 2, 3, 4, 5, 6});
  PageSketch tuesday = with_numbers({1, 12, 13, 14, 15, 16});
  monday.pair_hashes = with_pairs(128).pair_hashes;
  tuesday.pair_hashes = with_pairs(110).pair_hashes;
  constexpr Fingerprint128 kNearSimhash{kSimhash.high ^ 0xFF, kSimhash.low};
  EXPECT_NE(sketch_score(page_of_one_paragraph(kSimhash, monday), page_of_one_paragraph(kNearSimhash, tuesday)).verdict,
            Verdict::kNear);
  tuesday.numbers = monday.numbers;
  EXPECT_EQ(sketch_score(page_of_one_paragraph(kSimhash, monday), page_of_one_paragraph(kNearSimhash, tuesday)).verdict,
            Verdict::kNear);
}

}  // namespace
}  // namespace paraprint
