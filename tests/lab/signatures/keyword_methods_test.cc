// Keyword cosine, SCAM, and keywords with positions (docs/algorithms/keywords.md).
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>

#include "lab/fingerprint_testing.h"
#include "lab/fingerprinters.h"
#include "property.h"

namespace paraprint {
namespace {

using Settings = std::vector<std::pair<std::string_view, double>>;

std::unique_ptr<PageFingerprinter> with_parameters(const FingerprinterFactory& factory, const Settings& settings) {
  ParameterValues values(factory.parameters);
  for (const auto& [name, value] : settings) values.set(name, value);
  return factory.make(values);
}

FingerprintSimilarity similarity(PageFingerprinter& fingerprinter, const TestPage& a, const TestPage& b) {
  return similarity_of(fingerprinter, fingerprint_of(fingerprinter, a), fingerprint_of(fingerprinter, b));
}

TestPage counted(const std::vector<std::pair<std::string, int>>& counts) {
  return TestPage(repeated_words(counts));
}

std::vector<std::string> random_words() {
  const auto letters = *rc::gen::container<std::vector<char>>(rc::gen::inRange('a', 'i'));
  std::vector<std::string> words;
  for (const char letter : letters) words.emplace_back(1, letter);
  return words;
}

// --- Keyword cosine

TEST(KeywordCosine, MatchesTheWorkedExample) {
  const auto cosine = make_default(kKeywordCosine);
  const TestPage a = counted({{"a", 3}, {"b", 2}, {"c", 1}});
  const TestPage b = counted({{"a", 3}, {"b", 1}, {"d", 1}});
  EXPECT_NEAR(similarity(*cosine, a, b).resemblance, 0.8864, 5e-5);
  EXPECT_EQ(similarity(*cosine, a, b).resemblance, similarity(*cosine, b, a).resemblance);
  EXPECT_EQ(similarity(*cosine, a, a).resemblance, 1);
  EXPECT_EQ(similarity(*cosine, a, counted({{"x", 2}})).resemblance, 0);
  EXPECT_EQ(cosine->threshold(), 0.9);
}

TEST(KeywordCosine, UsesOnlyTheMostFrequentWords) {
  const auto two = with_parameters(kKeywordCosine, {{"keywords", 2}});
  EXPECT_EQ(
      similarity(*two, counted({{"a", 3}, {"b", 2}, {"x", 1}}), counted({{"a", 3}, {"b", 2}, {"y", 1}})).resemblance,
      1);
  TestPage stop = counted({{"the", 9}});
  stop.term("the").is_stop_word = true;
  EXPECT_EQ(fingerprint_of(*two, stop).state, FingerprintState::kShort);
}

// --- SCAM

struct ScamExample {
  std::vector<std::pair<std::string, int>> page;
  double part_of_first, part_of_page, resemblance, cosine;
};

TEST(Scam, MatchesTheWorkedExamples) {
  const auto scam = with_parameters(kScam, {{"words_minimum", 1}});
  const auto cosine = make_default(kKeywordCosine);
  const TestPage first({"a", "b", "c"});
  const ScamExample examples[] = {
      {{{"a", 1}, {"b", 1}}, 2.0 / 3, 1, 1, 0.8165},
      {{{"a", 2}}, 0, 0, 0, 0.5774},
      {{{"a", 1}, {"b", 1}, {"c", 1}, {"d", 1}, {"e", 1}, {"f", 1}, {"g", 1}, {"h", 1}}, 1, 0.375, 1, 0.6124},
      {{{"a", 5}, {"b", 4}, {"c", 4}}, 0, 0, 0, 0.9941}};
  for (const ScamExample& example : examples) {
    const FingerprintSimilarity result = similarity(*scam, first, counted(example.page));
    EXPECT_DOUBLE_EQ(result.containment_a, example.part_of_first);
    EXPECT_DOUBLE_EQ(result.containment_b, example.part_of_page);
    EXPECT_DOUBLE_EQ(result.resemblance, example.resemblance);
    EXPECT_NEAR(similarity(*cosine, first, counted(example.page)).resemblance, example.cosine, 5e-5);
  }
}

TEST(Scam, ClosenessIsStrict) {
  const auto scam = with_parameters(kScam, {{"words_minimum", 1}});
  EXPECT_EQ(similarity(*scam, counted({{"a", 10}}), counted({{"a", 20}})).resemblance, 0);
  EXPECT_GT(similarity(*scam, counted({{"a", 10}}), counted({{"a", 19}})).resemblance, 0);
  EXPECT_GT(similarity(*with_parameters(kScam, {{"words_minimum", 1}, {"epsilon", 2.6}}), counted({{"a", 10}}),
                       counted({{"a", 20}}))
                .resemblance,
            0);
}

TEST(Scam, IsSymmetricAndReflexive) {
  CHECK_PROPERTY("SCAM", [] {
    const auto scam = with_parameters(kScam, {{"words_minimum", 1}});
    const TestPage a(random_words());
    const TestPage b(random_words());
    const FingerprintSimilarity forward = similarity(*scam, a, b);
    const FingerprintSimilarity backward = similarity(*scam, b, a);
    RC_ASSERT(forward.resemblance == backward.resemblance);
    RC_ASSERT(forward.containment_a == backward.containment_b);
    RC_ASSERT(forward.resemblance >= 0.0 && forward.resemblance <= 1.0);
    RC_ASSERT(similarity(*scam, a, a).resemblance == 1.0);  // short pages by equal text
  });
}

TEST(Scam, PagesWithFewWordsAreShort) {
  const auto scam = make_default(kScam);
  EXPECT_EQ(fingerprint_of(*scam, TestPage({"a", "b", "c", "d", "e", "f", "g", "h", "i", "i"})).state,
            FingerprintState::kShort);
  EXPECT_EQ(fingerprint_of(*scam, TestPage({"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"})).state,
            FingerprintState::kUsable);
}

// --- Keywords with positions

using Positions = std::vector<std::pair<std::string, std::vector<std::size_t>>>;

// A page of 40 words: keywords at the given positions, a stop word at all others.
TestPage at_positions(const Positions& keywords, std::size_t length = 40) {
  std::vector<std::string> words(length, "the");
  for (const auto& [keyword, positions] : keywords) {
    for (const std::size_t position : positions) words[position] = keyword;
  }
  TestPage page(words);
  page.term("the").is_stop_word = true;
  return page;
}

const Positions kPageQ = {{"k1", {1, 5, 12}}, {"k2", {22, 35}}};
const Positions kPageD = {{"k1", {2, 6, 13}}, {"k2", {23, 36}}};
const Positions kPageE = {{"k1", {22, 28, 35}}, {"k2", {1, 12}}};
const Positions kPageG = {{"k1", {1, 25, 34}}, {"k2", {22, 35}}};

constexpr double kOff = 0;

std::unique_ptr<PageFingerprinter> example_position(double shift) {
  return with_parameters(kKeywordPosition, {{"bins", 4}, {"keywords_minimum", 1}, {"shift", shift}});
}

TEST(KeywordPosition, MatchesTheWorkedExamples) {
  const auto fingerprinter = example_position(kOff);
  const TestPage q = at_positions(kPageQ);
  EXPECT_NEAR(similarity(*fingerprinter, q, at_positions(kPageD)).resemblance, 1, 1e-12);
  EXPECT_EQ(similarity(*fingerprinter, q, at_positions(kPageE)).resemblance, 0);
  EXPECT_NEAR(similarity(*fingerprinter, q, at_positions(kPageG)).resemblance, 0.6652, 5e-5);
  EXPECT_EQ(similarity(*make_default(kKeywordCosine), q, at_positions(kPageE)).resemblance, 1);
}

TEST(KeywordPosition, PacksCountsIntoBytes) {
  const auto fingerprinter = example_position(kOff);
  const PageFingerprint q = fingerprint_of(*fingerprinter, at_positions(kPageQ));
  ASSERT_EQ(q.values.size(), 4U);  // two keywords, two words of bins
  const std::size_t k1 = q.weights[0] == 3 ? 0 : 1;
  EXPECT_EQ(q.values[2 + k1], 0x0102U);  // [2,1,0,0]
  EXPECT_EQ(q.values[3 - k1], 0x01010000U);
  // 600 occurrences in one bin and 300 in another are scaled down in proportion.
  std::vector<std::string> words(600, "k");
  words.resize(1200, "l");
  words.resize(1500, "k");
  const auto two_bins = with_parameters(kKeywordPosition, {{"bins", 2}, {"keywords_minimum", 1}});
  const PageFingerprint large = fingerprint_of(*two_bins, TestPage(words));
  const std::size_t k = large.weights[0] == 900 ? 0 : 1;
  EXPECT_EQ(large.values[2 + k], 0x80FFU);  // [600, 300] as [255, 128]
  EXPECT_EQ(two_bins->similarity(large, large).resemblance, 1);
}

TEST(KeywordPosition, ToleratesAShiftOfOneBin) {
  const Positions moved = {{"k1", {11, 15, 22}}, {"k2", {32, 39}}};  // moved by a header of 10 words
  const double off = similarity(*example_position(kOff), at_positions(kPageQ), at_positions(moved)).resemblance;
  const double on = similarity(*example_position(1), at_positions(kPageQ), at_positions(moved)).resemblance;
  EXPECT_GT(on, off);
  // k1 [2,1,0,0] -> [0,2,1,0]: all of it; k2 [0,0,1,1] -> [0,0,0,2]: (0,0,0,1) * (0,0,0,2) / (sqrt(2) * 2).
  EXPECT_NEAR(on, (9 + 4 * 2 / (std::sqrt(2.0) * 2)) / 13, 1e-12);
}

TEST(KeywordPosition, PagesWithFewWordsAreShort) {
  const auto fingerprinter = make_default(kKeywordPosition);
  EXPECT_EQ(fingerprint_of(*fingerprinter, TestPage({"a", "b", "c", "d", "a", "b", "c", "d"})).state,
            FingerprintState::kShort);  // 4 keywords
  EXPECT_EQ(fingerprint_of(*fingerprinter, TestPage({"a", "b", "c", "d", "e", "a", "b"})).state,
            FingerprintState::kShort);  // 7 words, 8 bins
  EXPECT_EQ(fingerprint_of(*fingerprinter, TestPage({"a", "b", "c", "d", "e", "a", "b", "c"})).state,
            FingerprintState::kUsable);
}

// Symmetric, at most the cosine of counts, and equal to it with one bin; pairs that reach the threshold share a key.
TEST(KeywordPosition, IsBoundedByTheCosineAndFoundByKeys) {
  CHECK_PROPERTY("keyword-position", [] {
    const TestPage a(random_words());
    const TestPage b(random_words());
    const auto cosine = similarity(*make_default(kKeywordCosine), a, b).resemblance;
    const auto one_bin = with_parameters(kKeywordPosition, {{"bins", 1}, {"keywords_minimum", 1}});
    const auto bins = static_cast<double>(*rc::gen::inRange(1, 17));
    const double keywords = *rc::gen::element(20.0, 100.0);  // found by pairs and by single ones
    const auto many =
        with_parameters(kKeywordPosition, {{"bins", bins}, {"keywords_minimum", 1}, {"keywords", keywords}});
    const PageFingerprint x = fingerprint_of(*many, a);
    const PageFingerprint y = fingerprint_of(*many, b);
    if (x.state != FingerprintState::kUsable || y.state != FingerprintState::kUsable) return;
    const double position = many->similarity(x, y).resemblance;
    RC_ASSERT(position >= 0.0);
    RC_ASSERT(position <= cosine + 1e-12);
    RC_ASSERT(std::abs(position - many->similarity(y, x).resemblance) < 1e-12);
    RC_ASSERT(std::abs(many->similarity(x, x).resemblance - 1) < 1e-12);
    RC_ASSERT(std::abs(similarity(*one_bin, a, b).resemblance - cosine) < 1e-12);
    for (const double minimum : {position, 0.3, 0.85}) {
      if (position < minimum || position == 0) continue;
      std::vector<std::uint64_t> keys_x;
      std::vector<std::uint64_t> keys_y;
      many->index_keys(x, std::get<EqualKeysPlan>(many->index_plan(minimum)), keys_x);
      many->index_keys(y, std::get<EqualKeysPlan>(many->index_plan(minimum)), keys_y);
      RC_ASSERT(std::find_first_of(keys_x.begin(), keys_x.end(), keys_y.begin(), keys_y.end()) != keys_x.end());
    }
  });
}

TEST(KeywordPosition, IndexesRareKeywordsFirst) {
  TestPage page({"a", "b", "c", "d", "e", "f", "g", "h"});
  page.term("f").idf = 4;
  const auto fingerprinter = make_default(kKeywordPosition);
  const PageFingerprint fingerprint = fingerprint_of(*fingerprinter, page);
  std::vector<std::uint64_t> keys;
  fingerprinter->index_keys(fingerprint, std::get<EqualKeysPlan>(fingerprinter->index_plan(0.85)), keys);
  // Of 8 equal counts, those before the second common keyword, but the first common one, hold at most (1 - 0.85^2) * 8
  // = 2.22: pairs of the first four.
  EXPECT_EQ(keys.size(), 6U);
  EXPECT_EQ(fingerprint.values[0] & 0x00FFFFFFFFFFFFFF, hash64("f") >> 8);
  EXPECT_EQ(keys[0], mix64(mix64(fingerprint.values[0]) + fingerprint.values[1]));
  // Pages with very many keywords have single ones as keys.
  const auto many = with_parameters(kKeywordPosition, {{"keywords", 1000}});
  keys.clear();
  many->index_keys(fingerprint, std::get<EqualKeysPlan>(many->index_plan(0.85)), keys);
  // The other 5 hold less than 0.85^2 * 8 = 5.78.
  EXPECT_EQ(keys, std::vector<std::uint64_t>(fingerprint.values.begin(), fingerprint.values.begin() + 3));
}

TEST(KeywordPosition, RejectsFingerprintsWithMoreKeywords) {
  PageFingerprint fingerprint;
  fingerprint.values.assign(40, 1);
  fingerprint.weights.assign(40, 1);
  const auto position = make_default(kKeywordPosition);
  const auto cosine = with_parameters(kKeywordCosine, {{"keywords", 40}});
  EXPECT_TRUE(position->has_shape(fingerprint));
  EXPECT_TRUE(cosine->has_shape(fingerprint));
  fingerprint.values.resize(42, 1);
  fingerprint.weights.resize(42, 1);
  EXPECT_FALSE(position->has_shape(fingerprint));
  EXPECT_FALSE(cosine->has_shape(fingerprint));
}

}  // namespace
}  // namespace paraprint
