#include "verify/paragraph_matching.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <random>

namespace paraprint {
namespace {

Fingerprint128 flipped(Fingerprint128 value, int bits) {
  for (int i = 0; i < bits; ++i) value.low ^= std::uint64_t{1} << i;
  return value;
}

ParagraphProfile paragraph(std::uint64_t hash, Fingerprint128 simhash, std::uint32_t characters) {
  ParagraphProfile result;
  result.hash = hash;
  result.simhash = simhash;
  result.has_simhash = true;
  result.content_characters = characters;
  return result;
}

Profile page(std::vector<ParagraphProfile> paragraphs) {
  Profile result;
  result.paragraphs = std::move(paragraphs);
  for (const ParagraphProfile& p : result.paragraphs) {
    result.content_characters += p.content_characters;
    result.text_hash[0] = result.text_hash[0] * 31 + p.hash;
    result.text_hash[1] += p.content_characters;
  }
  return result;
}

// Fingerprints that are far apart from each other.
Fingerprint128 print_of(std::uint64_t n) {
  std::mt19937_64 random(n);
  return {random(), random()};
}

MatchOptions options_of_the_definition() {
  MatchOptions options;
  options.near = 0.8;
  return options;
}

PairScore score(const Profile& a, const Profile& b, MatchOptions options = options_of_the_definition()) {
  return ParagraphMatcher(options).score(a, b, {}, {});
}

// Shares of weight by hand: of 100 and 300 characters, the one that counts twice has 200 of 500.
TEST(ParagraphMatching, OpeningAndNestedItemsHaveTheirWeights) {
  const auto containment = [](const MatchOptions& options, auto change) {
    ParagraphProfile heading = paragraph(9, print_of(9), 0);
    heading.role = BlockRole::kHeading;
    ParagraphProfile first = paragraph(1, print_of(1), 100);
    ParagraphProfile second = paragraph(2, print_of(2), 300);
    change(first, second);
    return score(page({heading, first, second}), page({first}), options).containment_a;
  };
  const auto nothing = [](ParagraphProfile&, ParagraphProfile&) {};
  MatchOptions options;
  EXPECT_NEAR(containment(options, nothing), 100.0 / 400, 1e-6);
  options.opening_weight = 2;  // the heading is not the opening
  EXPECT_NEAR(containment(options, nothing), 200.0 / 500, 1e-6);
  options.opening_weight = 1;
  options.nested_list_weight = 0.5;
  const auto in_lists = [](int first_level, int second_level) {
    return [=](ParagraphProfile& first, ParagraphProfile& second) {
      first.role = second.role = BlockRole::kListItem;
      first.list_level = static_cast<std::uint8_t>(first_level);
      second.list_level = static_cast<std::uint8_t>(second_level);
    };
  };
  EXPECT_NEAR(containment(options, nothing), 100.0 / 400, 1e-6);
  EXPECT_NEAR(containment(options, in_lists(1, 1)), 100.0 / 400, 1e-6);
  EXPECT_NEAR(containment(options, in_lists(1, 2)), 100.0 / 250, 1e-6);
  EXPECT_NEAR(containment(options, in_lists(1, 3)), 100.0 / 175, 1e-6);
  EXPECT_NEAR(containment(options, in_lists(255, 254)), 100.0 / 400, 1e-6) << "both have the most that count";
}

// The example of docs/algorithms/paragraph-matching.md.
TEST(ParagraphMatching, MatchesTheWorkedExampleOfReorderedParagraphs) {
  const Profile a =
      page({paragraph(1, print_of(1), 100), paragraph(2, print_of(2), 60), paragraph(3, print_of(3), 40)});
  const Profile b = page({paragraph(2, print_of(2), 60), paragraph(33, flipped(print_of(3), 1), 40),
                          paragraph(11, flipped(print_of(1), 2), 100), paragraph(4, print_of(4), 30)});
  const PairScore result = score(a, b);
  EXPECT_NEAR(result.matched, 199.8675, 5e-5);
  EXPECT_NEAR(result.resemblance, 0.8685, 5e-5);
  EXPECT_NEAR(result.containment_a, 0.9993, 5e-5);
  EXPECT_NEAR(result.containment_b, 0.8690, 5e-5);
  EXPECT_EQ(result.verdict, Verdict::kNear);
}

// One common paragraph of 100 characters in pages of different lengths.
TEST(ParagraphMatching, MatchesTheWorkedExampleOfAnExcerpt) {
  const Profile b = page({paragraph(1, print_of(1), 100), paragraph(8, print_of(8), 150)});
  const PairScore overlap = score(page({paragraph(1, print_of(1), 100), paragraph(9, print_of(9), 100)}), b);
  EXPECT_NEAR(overlap.resemblance, 0.2857, 5e-5);
  EXPECT_NEAR(overlap.containment_a, 0.5, 1e-9);
  EXPECT_NEAR(overlap.containment_b, 0.4, 1e-9);
  EXPECT_EQ(overlap.verdict, Verdict::kOverlap);
  const PairScore contained = score(page({paragraph(1, print_of(1), 100), paragraph(9, print_of(9), 10)}), b);
  EXPECT_NEAR(contained.containment_a, 0.9091, 5e-5);
  EXPECT_EQ(contained.verdict, Verdict::kContained);
}

TEST(ParagraphMatching, DistanceEstimatesTheCosine) {
  EXPECT_DOUBLE_EQ(similarity_of_distance(0), 1);
  EXPECT_NEAR(similarity_of_distance(2), 0.9988, 5e-5);
  EXPECT_NEAR(similarity_of_distance(12), 0.9569, 5e-5);
}

TEST(ParagraphMatching, ShortMatchesCountOnlyIfTheTextIsEqual) {
  const Profile a = page({paragraph(1, print_of(1), 60)});
  const Profile b = page({paragraph(1, print_of(1), 60), paragraph(2, print_of(2), 5)});
  EXPECT_EQ(score(a, b).verdict, Verdict::kDistinct);
  EXPECT_EQ(score(a, a).verdict, Verdict::kSame);
  EXPECT_EQ(score(Profile{}, Profile{}).verdict, Verdict::kDistinct);
}

TEST(ParagraphMatching, BoilerplateHasNoWeight) {
  const Profile a = page({paragraph(1, print_of(1), 300), paragraph(2, print_of(2), 120)});
  const Profile b = page({paragraph(1, print_of(1), 300), paragraph(3, print_of(3), 120)});
  ParagraphMatcher matcher(options_of_the_definition());
  EXPECT_EQ(matcher.score(a, b, {}, {}).verdict, Verdict::kOverlap);
  const std::vector<std::uint8_t> first = {1, 0};
  EXPECT_EQ(matcher.score(a, b, first, first).matched, 0);
}

// Own texts of 100 characters each share 60 (R = 0.4286), below 300 of template: R of all text is 360 / 440 = 0.8182.
TEST(ParagraphMatching, TemplateSupportsOwnTextThatHalfAgrees) {
  const std::vector<std::uint8_t> template_first = {1, 0, 0};
  const auto version = [](std::uint64_t edited, std::uint32_t template_characters, std::uint32_t shared = 60) {
    return page({paragraph(1, print_of(1), template_characters), paragraph(2, print_of(2), shared),
                 paragraph(edited, print_of(edited), 100 - shared)});
  };
  const MatchOptions options;
  ParagraphMatcher matcher(options);
  std::vector<MatchedSpan> evidence;
  const PairScore both = matcher.score(version(3, 300), version(4, 300), template_first, template_first, &evidence);
  EXPECT_DOUBLE_EQ(both.resemblance, 0.55);
  EXPECT_EQ(evidence.size(), 1U) << "the template is no evidence";
  EXPECT_DOUBLE_EQ(both.matched, 60);
  EXPECT_DOUBLE_EQ(both.containment_a, 0.6);
  // R of all text is 110 / 190 = 0.5789, which is too little more.
  EXPECT_NEAR(matcher.score(version(3, 50), version(4, 50), template_first, template_first).resemblance, 0.4290, 1e-3);
  // With 50 shared, R is 0.3333 whatever the template.
  EXPECT_NEAR(matcher.score(version(3, 9000, 50), version(4, 9000, 50), template_first, template_first).resemblance,
              0.3333, 1e-4);
  // A page without template is not supported.
  const Profile other = page({paragraph(2, print_of(2), 60), paragraph(5, print_of(5), 40)});
  EXPECT_NEAR(matcher.score(version(3, 50), other, template_first, {}).resemblance, 0.4286, 1e-4);
}

// Two pages that have a paragraph of 100 characters in common, the last of each, below `template_characters` of their
// own.
Profile quoting_page(std::uint64_t template_hash, std::uint32_t template_characters) {
  return page({paragraph(template_hash, print_of(template_hash), template_characters), paragraph(1, print_of(1), 100)});
}
const std::vector<std::uint8_t> kTemplateFirst = {1, 0};

// All that templates leave of pages of 1,000 and 2,000 characters is the quotation. Of all text, R is 100 / 2900 =
// 0.0345, and the containments are 0.1 and 0.05.
TEST(ParagraphMatching, LittleTextBesideTemplatesMakesNoCopies) {
  const MatchOptions options;
  ParagraphMatcher matcher(options);
  const Profile a = quoting_page(2, 900);
  const Profile b = quoting_page(3, 1900);
  std::vector<MatchedSpan> evidence;
  const PairScore quotation = matcher.score(a, b, kTemplateFirst, kTemplateFirst, &evidence);
  EXPECT_NEAR(quotation.resemblance, 0.1845, 5e-5);
  EXPECT_NEAR(quotation.containment_a, 0.25, 1e-9);
  EXPECT_NEAR(quotation.containment_b, 0.2, 1e-9);
  EXPECT_EQ(quotation.verdict, Verdict::kOverlap);
  EXPECT_EQ(evidence.size(), 1U) << "the template is no evidence";
  EXPECT_DOUBLE_EQ(quotation.matched, 100);
  // One such page is enough. The short page is in the long one as a whole, and remains so.
  const Profile short_page = page({paragraph(1, print_of(1), 100)});
  const PairScore whole = matcher.score(short_page, b, {}, kTemplateFirst);
  EXPECT_NEAR(whole.resemblance, 0.2, 1e-9);
  EXPECT_EQ(whole.verdict, Verdict::kContained);
}

// Two versions of a page on one site: their template is the same, and of all text nine tenths agree.
TEST(ParagraphMatching, LittleTextBesideOneTemplateMayMakeCopies) {
  ParagraphMatcher matcher(MatchOptions{});
  Profile other = quoting_page(2, 900);
  other.paragraphs.push_back(paragraph(4, print_of(4), 10));
  other.content_characters += 10;
  other.text_hash = {4, 4};
  const PairScore versions =
      matcher.score(quoting_page(2, 900), other, kTemplateFirst, std::vector<std::uint8_t>{1, 0, 0});
  EXPECT_NEAR(versions.resemblance, 100.0 / 110, 1e-9);
  EXPECT_EQ(versions.verdict, Verdict::kNear);
}

TEST(ParagraphMatching, TextOfOnesOwnIsLittleBelowHalfOfAPage) {
  ParagraphMatcher matcher(MatchOptions{});
  const auto verdict = [&](std::uint32_t template_of_a, std::uint32_t template_of_b) {
    return matcher.score(quoting_page(2, template_of_a), quoting_page(3, template_of_b), kTemplateFirst, kTemplateFirst)
        .verdict;
  };
  EXPECT_EQ(verdict(100, 100), Verdict::kNear);
  EXPECT_EQ(verdict(101, 100), Verdict::kOverlap);
  EXPECT_EQ(verdict(100, 101), Verdict::kOverlap);
}

// Two paragraphs merged into one: no paragraphs are equal, but all sentences are.
TEST(ParagraphMatching, SentencesMatchAcrossParagraphBorders) {
  Profile a = page({paragraph(1, print_of(1), 100), paragraph(2, print_of(2), 100)});
  Profile b = page({paragraph(3, print_of(3), 200)});
  for (std::uint16_t s = 0; s < 4; ++s) {
    SentenceProfile sentence;
    sentence.hash = 1000U + s;
    sentence.content_characters = 50;
    sentence.paragraph = s / 2;
    a.sentences.push_back(sentence);
    sentence.paragraph = 0;
    b.sentences.push_back(sentence);
  }
  std::vector<MatchedSpan> evidence;
  ParagraphMatcher matcher(options_of_the_definition());
  EXPECT_DOUBLE_EQ(matcher.score(a, b, {}, {}, &evidence).resemblance, 1);
  EXPECT_EQ(evidence.size(), 4);
}

// ---------------------------------------------------------------------------------------------------------------------
// Properties (docs/algorithms/paragraph-matching.md)

Profile random_page(std::mt19937& random, std::uint32_t kinds) {
  std::vector<ParagraphProfile> paragraphs;
  const std::size_t count = 1 + random() % 8;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t kind = random() % kinds;
    const int edit = static_cast<int>(random() % 3) * 4;
    paragraphs.push_back(paragraph(kind * 100 + static_cast<unsigned>(edit), flipped(print_of(kind), edit),
                                   static_cast<std::uint32_t>(50 + 10 * kind)));
  }
  return page(paragraphs);
}

RC_GTEST_PROP(ParagraphMatchingProperty, IsSymmetricAndBounded, (std::uint32_t seed)) {
  std::mt19937 random(seed);
  const Profile a = random_page(random, 6);
  const Profile b = random_page(random, 6);
  const PairScore ab = score(a, b);
  const PairScore ba = score(b, a);
  RC_ASSERT(std::abs(ab.resemblance - ba.resemblance) < 1e-9);
  RC_ASSERT(std::abs(ab.containment_a - ba.containment_b) < 1e-9);
  RC_ASSERT(ab.resemblance >= 0 && ab.resemblance <= 1);
  RC_ASSERT(ab.resemblance <= std::min(ab.containment_a, ab.containment_b) + 1e-9);
}

RC_GTEST_PROP(ParagraphMatchingProperty, IsIndependentOfParagraphOrder, (std::uint32_t seed)) {
  std::mt19937 random(seed);
  Profile a = random_page(random, 6);
  Profile b = random_page(random, 6);
  b.text_hash = {1, 1};  // equal paragraphs in another order are another text
  const PairScore before = score(a, b);
  std::shuffle(a.paragraphs.begin(), a.paragraphs.end(), random);
  std::shuffle(b.paragraphs.begin(), b.paragraphs.end(), random);
  RC_ASSERT(std::abs(score(a, b).matched - before.matched) < 1e-6);
}

RC_GTEST_PROP(ParagraphMatchingProperty, UnmatchedTextLowersResemblanceAndKeepsContainment, (std::uint32_t seed)) {
  std::mt19937 random(seed);
  const Profile a = random_page(random, 6);
  Profile b = random_page(random, 6);
  const PairScore before = score(a, b);
  const double total_b = b.content_characters;
  b.paragraphs.push_back(paragraph(999999, print_of(999999), 70));
  b.text_hash = {7, 7};
  const PairScore after = score(a, b);
  RC_ASSERT(std::abs(after.containment_a - before.containment_a) < 1e-9 || before.verdict == Verdict::kSame);
  RC_ASSERT(std::abs(after.resemblance - after.matched / (a.content_characters + total_b + 70 - after.matched)) < 1e-9);
}

// Counts its looks, and notices a request at one of them.
class CountingStop : public StopCheck {
 public:
  explicit CountingStop(std::uint64_t stop_at_look) : stop_at_look_(stop_at_look) {}
  std::uint64_t looks() const { return looks_; }

 protected:
  bool is_asked(std::uint64_t) override { return ++looks_ >= stop_at_look_; }

 private:
  const std::uint64_t stop_at_look_;
  std::uint64_t looks_ = 0;
};

// Two pages of many paragraphs that are all near each other: the slowest pair.
TEST(ParagraphMatching, StopsInTheMiddleOfAPair) {
  const auto near_page = [](std::uint64_t first_hash) {
    std::vector<ParagraphProfile> paragraphs;
    for (std::uint64_t p = 0; p < 4000; ++p) {
      paragraphs.push_back(paragraph(first_hash + p, flipped(print_of(1), static_cast<int>(p % 4)), 50));
    }
    return page(std::move(paragraphs));
  };
  const Profile a = near_page(1);
  const Profile b = near_page(100'000);
  ParagraphMatcher matcher(options_of_the_definition());
  const PairScore expected = matcher.score(a, b, {}, {});
  CountingStop whole(std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(matcher.score(a, b, {}, {}, nullptr, whole).matched, expected.matched);
  ASSERT_GT(whole.looks(), 8U);
  for (std::uint64_t asked_at = 1; asked_at <= whole.looks(); ++asked_at) {
    CountingStop stop(asked_at);
    matcher.score(a, b, {}, {}, nullptr, stop);
    EXPECT_EQ(stop.status().error().code, ErrorCode::kCancelled);
    EXPECT_EQ(stop.looks(), asked_at) << "work goes on after the request";
  }
  EXPECT_EQ(matcher.score(a, b, {}, {}).matched, expected.matched);
}

RC_GTEST_PROP(ParagraphMatchingProperty, WiderDistanceNeverFindsLess, (std::uint32_t seed)) {
  std::mt19937 random(seed);
  const Profile a = random_page(random, 6);
  const Profile b = random_page(random, 6);
  double previous = 0;
  for (int bits = 0; bits <= 16; bits += 4) {
    MatchOptions options = options_of_the_definition();
    options.paragraph_bits = bits;
    const double matched = score(a, b, options).matched;
    // Equal paragraphs are matched first, which may lower the optimum of the rest by the angle of the widest pair.
    RC_ASSERT(matched >= previous * similarity_of_distance(16) - 1e-9);
    previous = matched;
  }
}

}  // namespace
}  // namespace paraprint
