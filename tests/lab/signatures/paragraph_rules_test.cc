// The two paragraph rules (docs/algorithms/paragraph.md): the literal one, and near paragraphs verified by the cosine.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <set>

#include "lab/fingerprint_testing.h"
#include "lab/fingerprinters.h"
#include "lab/signatures/paragraph_bits.h"

namespace paraprint {
namespace {

void add_paragraph(TestPage& page, Fingerprint128 simhash, std::uint32_t characters = 100) {
  ParagraphProfile paragraph;
  paragraph.simhash = simhash;
  paragraph.hash = mix64(simhash.high ^ simhash.low);
  paragraph.content_characters = characters;
  paragraph.has_simhash = true;
  page.profile.paragraphs.push_back(paragraph);
}

TestPage page_of(const std::vector<Fingerprint128>& paragraphs, const std::vector<std::string>& words = {"word"}) {
  TestPage page(words);
  for (const Fingerprint128& simhash : paragraphs) add_paragraph(page, simhash);
  return page;
}

double rule_resemblance(PageFingerprinter& method, const TestPage& a, const TestPage& b) {
  return method.similarity(fingerprint_of(method, a), fingerprint_of(method, b)).resemblance;
}

// A different value for each number, far from all others.
Fingerprint128 bits_of(std::uint64_t number) {
  return {mix64(number + 1), mix64(~number)};
}
Fingerprint128 flipped(Fingerprint128 value, const std::set<int>& bits) {
  for (const int bit : bits) (bit < 64 ? value.high : value.low) ^= std::uint64_t{1} << bit % 64;
  return value;
}
std::set<int> first_bits(int count) {
  std::set<int> bits;
  for (int i = 0; i < count; ++i) bits.insert(i * 9 % 128);
  return bits;
}

TEST(ParagraphLiteral, ScoresByTheWorstPair) {
  const auto method = make_default(kParagraphLiteral);
  const TestPage a = page_of({bits_of(1), bits_of(2), bits_of(3)});
  const TestPage near = page_of({bits_of(1), flipped(bits_of(2), first_bits(12)), flipped(bits_of(3), first_bits(4))});
  EXPECT_EQ(rule_resemblance(*method, a, near), 1 - 12.0 / 128);
  EXPECT_GE(rule_resemblance(*method, a, near), method->threshold());
  const TestPage far = page_of({bits_of(1), flipped(bits_of(2), first_bits(13)), bits_of(3)});
  EXPECT_LT(rule_resemblance(*method, a, far), method->threshold());
}

// The known weakness of the rule.
TEST(ParagraphLiteral, FailsWhenAParagraphIsInsertedOrMoved) {
  const auto method = make_default(kParagraphLiteral);
  const TestPage a = page_of({bits_of(1), bits_of(2), bits_of(3)});
  EXPECT_EQ(rule_resemblance(*method, a, page_of({bits_of(1), bits_of(2), bits_of(3), bits_of(4)})), 0);
  EXPECT_LT(rule_resemblance(*method, a, page_of({bits_of(2), bits_of(1), bits_of(3)})), method->threshold());
}

TEST(ParagraphLiteral, ComparesParagraphsWithoutSimHashByTheirText) {
  const auto method = make_default(kParagraphLiteral);
  TestPage a = page_of({bits_of(1), bits_of(2)});
  a.profile.paragraphs[0].has_simhash = false;
  a.profile.paragraphs[0].hash = 77;
  TestPage b = a;
  b.profile.paragraphs[0].simhash = {};
  EXPECT_EQ(rule_resemblance(*method, a, b), 1);
  b.profile.paragraphs[0].hash = 78;
  EXPECT_LT(rule_resemblance(*method, a, b), method->threshold());
}

TEST(ParagraphLiteral, IsShortWithoutParagraphs) {
  const auto method = make_default(kParagraphLiteral);
  EXPECT_EQ(fingerprint_of(*method, TestPage({"word"})).state, FingerprintState::kShort);
}

// The index uses values[0] and values[1] only: they are within the distance for every pair that matches.
TEST(ParagraphLiteral, IndexFindsEveryMatch) {
  EXPECT_TRUE(rc::check([] {
    const auto paragraphs = *rc::gen::inRange(1, 9);
    ParameterValues values(kParagraphLiteral.parameters);
    const int limit = *rc::gen::inRange(0, 32);
    values.set("distance_bits", limit);
    const auto method = kParagraphLiteral.make(values);
    TestPage a({"word"});
    TestPage b({"word"});
    for (int p = 0; p < paragraphs; ++p) {
      const auto changed = *rc::gen::container<std::set<int>>(static_cast<std::size_t>(*rc::gen::inRange(0, limit + 1)),
                                                              rc::gen::inRange(0, 128));
      add_paragraph(a, bits_of(static_cast<std::uint64_t>(p)));
      add_paragraph(b, flipped(bits_of(static_cast<std::uint64_t>(p)), changed));
    }
    const PageFingerprint x = fingerprint_of(*method, a);
    const PageFingerprint y = fingerprint_of(*method, b);
    RC_ASSERT(method->similarity(x, y).resemblance >= method->threshold());
    const auto plan = std::get<HammingPlan>(method->index_plan(method->threshold()));
    RC_ASSERT(plan.width_bits == 128);
    const int distance =
        __builtin_popcountll(x.values[0] ^ y.values[0]) + __builtin_popcountll(x.values[1] ^ y.values[1]);
    RC_ASSERT(distance <= plan.distance_bits);
  }));
}

TEST(ParagraphCosine, MatchesTheWorkedExample) {
  TestPage a = page_of({bits_of(1)}, {"one", "two", "two"});
  TestPage b = page_of({bits_of(1)}, {"one", "two", "three"});
  const auto method = make_default(kParagraphCosine);
  EXPECT_NEAR(rule_resemblance(*method, a, b), 0.7746, 5e-5);  // every idf is 1
  for (TestPage* page : {&a, &b}) {
    page->term("two").idf = 2;
    page->term("three").idf = 0.5F;
  }
  EXPECT_NEAR(rule_resemblance(*method, a, b), 0.8909, 5e-5);
  EXPECT_EQ(rule_resemblance(*method, a, a), 1);
  EXPECT_EQ(rule_resemblance(*method, b, b), 1);
}

TEST(ParagraphCosine, RequiresANearParagraph) {
  const auto method = make_default(kParagraphCosine);
  const TestPage a = page_of({bits_of(1), bits_of(2)});
  EXPECT_EQ(rule_resemblance(*method, a, page_of({bits_of(3), flipped(bits_of(1), first_bits(6))})), 1);
  EXPECT_EQ(rule_resemblance(*method, a, page_of({bits_of(3), flipped(bits_of(1), first_bits(7))})), 0);
}

TEST(ParagraphCosine, KeepsTheLongestParagraphs) {
  const auto method = make_default(kParagraphCosine);
  TestPage page({"word"});
  for (std::uint64_t p = 0; p < 100; ++p) add_paragraph(page, bits_of(p), static_cast<std::uint32_t>(100 + p));
  const PageFingerprint fingerprint = fingerprint_of(*method, page);
  EXPECT_EQ(fingerprint.values[0], 64U);
  EXPECT_EQ(fingerprint.values[1], bits_of(36).high);
  EXPECT_EQ(fingerprint.weights.size(), fingerprint.values.size());
}

TEST(ParagraphCosine, IsShortWithoutParagraphsOrWords) {
  const auto method = make_default(kParagraphCosine);
  EXPECT_EQ(fingerprint_of(*method, TestPage({"word"})).state, FingerprintState::kShort);
  TestPage stop_words = page_of({bits_of(1)});
  stop_words.term("word").is_stop_word = true;
  EXPECT_EQ(fingerprint_of(*method, stop_words).state, FingerprintState::kShort);
}

// Every paragraph is indexed, with the distance that the comparison requires.
TEST(ParagraphCosine, IndexFindsEveryMatch) {
  EXPECT_TRUE(rc::check([] {
    ParameterValues values(kParagraphCosine.parameters);
    const int limit = *rc::gen::inRange(0, 13);
    values.set("distance_bits", limit);
    const auto method = kParagraphCosine.make(values);
    const auto changed = *rc::gen::container<std::set<int>>(static_cast<std::size_t>(*rc::gen::inRange(0, limit + 1)),
                                                            rc::gen::inRange(0, 128));
    const PageFingerprint x = fingerprint_of(*method, page_of({bits_of(1), bits_of(2)}));
    const PageFingerprint y = fingerprint_of(*method, page_of({bits_of(3), flipped(bits_of(2), changed)}));
    RC_ASSERT(method->similarity(x, y).resemblance > 0);
    const auto plan = std::get<HammingAnyPlan>(method->index_plan(method->threshold()));
    RC_ASSERT(plan.distance_bits == limit);
    std::vector<Fingerprint128> indexed;
    method->index_fingerprints(x, indexed);
    RC_ASSERT(indexed == (std::vector<Fingerprint128>{bits_of(1), bits_of(2)}));
    method->index_fingerprints(y, indexed);
    RC_ASSERT(indexed.size() == 4U);
    RC_ASSERT(indexed[3] == flipped(bits_of(2), changed));
  }));
}

}  // namespace
}  // namespace paraprint
