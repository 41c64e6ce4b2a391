#include "verify/sketch_similarity.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "verify/paragraph_matching.h"

namespace paraprint {
namespace {

PageSketch with_windows(std::size_t equal) {
  PageSketch sketch;
  for (std::size_t i = 0; i < PageSketch::kWindowHashes; ++i) sketch.window_hashes.push_back(i < equal ? 1 : 2);
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

TEST(WindowSimilarity, CorrectsForBytesEqualByChance) {
  EXPECT_EQ(window_similarity(with_windows(128), with_windows(128)), 1);
  // algorithms.md 31 in the sparse limit: R = (P - 2^-b) / (1 - 2^-b).
  EXPECT_NEAR(window_similarity(with_windows(64), with_windows(128)), (0.5 - 1.0 / 256) / (1 - 1.0 / 256), 1e-12);
  EXPECT_EQ(window_similarity(with_windows(0), with_windows(128)), 0);
  EXPECT_EQ(window_similarity(PageSketch{}, with_windows(128)), 0);
}

TEST(NumberAgreement, NeedsEnoughNumbersToTell) {
  EXPECT_EQ(number_agreement(with_numbers({1, 2, 3, 4}), with_numbers({5, 6, 7, 8, 9})), 1);
  EXPECT_EQ(number_agreement(with_numbers({1, 2, 3, 4, 5}), with_numbers({6, 7, 8, 9, 10})), 0);
}

TEST(NumberAgreement, IsFullFromTwoFifthsOfTheFewerOn) {
  EXPECT_NEAR(number_agreement(with_numbers({1, 2, 3, 4, 5}), with_numbers({1, 6, 7, 8, 9, 10, 11})), 0.5, 1e-12);
  EXPECT_EQ(number_agreement(with_numbers({1, 2, 3, 4, 5}), with_numbers({1, 2, 7, 8, 9, 10, 11})), 1);
}

TEST(NumberAgreement, OfManyNumbersIsEstimatedFromTheSmallest) {
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
// 30 bits away: more than T, less than unrelated texts.
constexpr Fingerprint128 kFarSimhash{kSimhash.high ^ 0x3FFFFFFF, kSimhash.low};

PairScore score(const Profile& a, const Profile& b, std::vector<MatchedSpan>* evidence = nullptr,
                std::span<const std::uint8_t> boilerplate = {}) {
  return ParagraphMatcher(MatchOptions{}).score(a, b, boilerplate, {}, evidence);
}

TEST(WholeText, FindsCopiesWhoseParagraphsAreAllTooFarApart) {
  const Profile a = page_of_one_paragraph(kSimhash, with_windows(128));
  const Profile b = page_of_one_paragraph(kFarSimhash, with_windows(96));
  std::vector<MatchedSpan> evidence;
  const PairScore found = score(a, b, &evidence);
  EXPECT_EQ(found.verdict, Verdict::kNear);
  EXPECT_NEAR(found.resemblance, window_similarity(a.sketch, b.sketch), 1e-9);
  EXPECT_EQ(evidence.size(), 1U);  // the paragraphs, as edited copies
  MatchOptions without;
  without.match_whole_text = false;
  EXPECT_EQ(ParagraphMatcher(without).score(a, b, {}, {}).verdict, Verdict::kDistinct);
}

// A page of list items that weigh half is still all its own text.
TEST(WholeText, DoesNotTakeLightParagraphsForTemplate) {
  Profile a = page_of_one_paragraph(kSimhash, with_windows(128));
  Profile b = page_of_one_paragraph(kFarSimhash, with_windows(96));
  a.paragraphs[0].role = b.paragraphs[0].role = BlockRole::kListItem;
  MatchOptions options;
  options.list_weight = 0.5;
  EXPECT_EQ(ParagraphMatcher(options).score(a, b, {}, {}).verdict, Verdict::kNear);
}

TEST(WholeText, SaysNothingOfPagesThatAreMostlyTemplate) {
  Profile a = page_of_one_paragraph(kSimhash, with_windows(128));
  Profile b = page_of_one_paragraph(kFarSimhash, with_windows(128));
  const std::uint8_t is_boilerplate[] = {1};
  EXPECT_EQ(score(a, b, nullptr, is_boilerplate).resemblance, 0);
}

// A forecast of another day: the words of the formula, other numbers.
TEST(WholeText, TextsThatDifferInTheirNumbersAreNoCopies) {
  PageSketch monday = with_numbers({1, 2, 3, 4, 5, 6});
  PageSketch tuesday = with_numbers({1, 12, 13, 14, 15, 16});
  monday.window_hashes = with_windows(128).window_hashes;
  tuesday.window_hashes = with_windows(110).window_hashes;
  constexpr Fingerprint128 kNearSimhash{kSimhash.high ^ 0xFF, kSimhash.low};
  EXPECT_NE(score(page_of_one_paragraph(kSimhash, monday), page_of_one_paragraph(kNearSimhash, tuesday)).verdict,
            Verdict::kNear);
  tuesday.numbers = monday.numbers;
  EXPECT_EQ(score(page_of_one_paragraph(kSimhash, monday), page_of_one_paragraph(kNearSimhash, tuesday)).verdict,
            Verdict::kNear);
}

}  // namespace
}  // namespace paraprint
