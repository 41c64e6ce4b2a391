#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>

#include "lab/fingerprint_testing.h"
#include "lab/fingerprinters.h"
#include "property.h"

namespace paraprint {
namespace {

std::unique_ptr<PageFingerprinter> with(const FingerprinterFactory& factory,
                                        const std::vector<std::pair<std::string_view, double>>& settings) {
  ParameterValues values(factory.parameters);
  for (const auto& [name, value] : settings) values.set(name, value);
  return factory.make(values);
}

double resemblance(PageFingerprinter& fingerprinter, const TestPage& a, const TestPage& b) {
  return similarity_of(fingerprinter, fingerprint_of(fingerprinter, a), fingerprint_of(fingerprinter, b)).resemblance;
}

TestPage worked_example() {
  TestPage page({"机器学习", "医疗", "领域", "应用", "医疗"});
  const std::pair<const char*, double> frequencies[] = {{"机器学习", 20}, {"医疗", 50}, {"领域", 400}, {"应用", 300}};
  for (const auto& [word, documents] : frequencies) {
    page.term(word).idf = static_cast<float>(std::log10(1000 / documents));
  }
  return page;
}

TEST(IMatch, MatchesTheWorkedExample) {
  const auto fingerprinter = with(kIMatch, {{"terms_minimum", 3}});
  EXPECT_EQ(fingerprint_of(*fingerprinter, worked_example()).values,
            (std::vector<std::uint64_t>{0xd6e8f4338f08271e, 0x5c324d9647ff1fe3}));  // the first 16 of 20 bytes
}

TEST(IMatch, OrdersByIdfIfConfigured) {
  const auto by_idf = with(kIMatch, {{"terms_minimum", 3}, {"order", 1}});
  TestPage page = worked_example();
  const PageFingerprint before = fingerprint_of(*by_idf, page);
  EXPECT_NE(before.values, fingerprint_of(*with(kIMatch, {{"terms_minimum", 3}}), page).values);
  page.term("机器学习").idf = 0.9F;  // another rank of the same word
  EXPECT_NE(before.values, fingerprint_of(*by_idf, page).values);
  TestPage ties = worked_example();
  for (Term& term : ties.terms.terms) term.idf = 1;
  EXPECT_EQ(fingerprint_of(*by_idf, ties).values,
            fingerprint_of(*with(kIMatch, {{"terms_minimum", 3}}), ties).values);  // ties by bytes
}

TEST(IMatch, IgnoresWordsOutsideTheIdfRange) {
  const auto fingerprinter = with(kIMatch, {{"idf_maximum", 3}});
  TestPage a({"one", "two", "three", "four", "five", "the", "typo"});
  a.term("the").idf = 0.3F;
  a.term("typo").idf = 3.5F;
  const TestPage b({"five", "four", "three", "two", "one", "one"});
  EXPECT_EQ(resemblance(*fingerprinter, a, b), 1);
  EXPECT_EQ(resemblance(*fingerprinter, a, TestPage({"five", "four", "three", "two", "one", "six"})), 0);
}

TEST(IMatch, PagesWithFewWordsAreShort) {
  for (const FingerprinterFactory* factory : {&kIMatch, &kIMatchLexicons}) {
    const auto fingerprinter = make_default(*factory);
    EXPECT_EQ(fingerprint_of(*fingerprinter, TestPage({"a", "b", "c", "d", "d"})).state, FingerprintState::kShort);
    EXPECT_EQ(fingerprint_of(*fingerprinter, TestPage({"a", "b", "c", "d", "e"})).state, FingerprintState::kUsable);
  }
}

std::vector<std::string> numbered_words(const std::string& prefix, std::size_t count) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < count; ++i) words.push_back(prefix + std::to_string(i));
  return words;
}

// Pages that differ in u words of the lexicon match with probability 1 - (1 - p^u)^K.
TEST(IMatchLexicons, MatchProbabilityFollowsTheFormula) {
  const auto fingerprinter = make_default(kIMatchLexicons);
  const std::vector<std::string> common = numbered_words("c", 40);
  constexpr int kTrials = 2000;
  const std::pair<std::size_t, double> known[] = {{1, 0.9827}, {2, 0.6921}, {3, 0.3144}};
  for (const auto& [differing, probability] : known) {
    EXPECT_NEAR(1 - std::pow(1 - std::pow(1.0 / 3, differing), 10), probability, 1e-4);
    const PageFingerprint base = fingerprint_of(*fingerprinter, TestPage(common));
    int meetings = 0;
    for (int trial = 0; trial < kTrials; ++trial) {
      std::vector<std::string> words = common;
      for (const std::string& word : numbered_words("x" + std::to_string(trial) + "-", differing))
        words.push_back(word);
      const PageFingerprint other = fingerprint_of(*fingerprinter, TestPage(words));
      meetings += fingerprinter->similarity(base, other).resemblance >= fingerprinter->threshold() ? 1 : 0;
    }
    const double four_sigma = 4 * std::sqrt(probability * (1 - probability) / kTrials);
    EXPECT_NEAR(static_cast<double>(meetings) / kTrials, probability, four_sigma) << differing;
  }
}

TEST(IMatchLexicons, IncludesAllMatchesOfIMatch) {
  CHECK_PROPERTY("I-Match implies a common signature", [] {
    const auto page = [] {
      const auto letters = *rc::gen::container<std::vector<char>>(rc::gen::inRange('a', 'i'));
      std::vector<std::string> words;
      for (const char letter : letters) words.emplace_back(1, letter);
      return TestPage(words);
    };
    const TestPage a = page();
    const TestPage b = page();
    const auto plain = make_default(kIMatch);
    const auto lexicons = make_default(kIMatchLexicons);
    const double similarity = resemblance(*lexicons, a, b);
    RC_ASSERT(similarity == resemblance(*lexicons, b, a));
    if (resemblance(*plain, a, b) == 1) RC_ASSERT(similarity == 1.0);
    // Pages that match have a common key.
    const PageFingerprint x = fingerprint_of(*lexicons, a);
    const PageFingerprint y = fingerprint_of(*lexicons, b);
    if (x.state != FingerprintState::kUsable || y.state != FingerprintState::kUsable) return;
    std::vector<std::uint64_t> keys_x;
    std::vector<std::uint64_t> keys_y;
    lexicons->index_keys(x, std::get<EqualKeysPlan>(lexicons->index_plan(lexicons->threshold())), keys_x);
    lexicons->index_keys(y, std::get<EqualKeysPlan>(lexicons->index_plan(lexicons->threshold())), keys_y);
    bool share_key = false;
    for (const std::uint64_t key : keys_x) {
      share_key = share_key || std::find(keys_y.begin(), keys_y.end(), key) != keys_y.end();
    }
    RC_ASSERT(share_key || similarity < lexicons->threshold());
  });
}

// A copy of the lexicon with fewer than five of a page's words gives no signature instead of one over few words.
TEST(IMatchLexicons, LexiconCopiesWithFewWordsGiveNoSignature) {
  const auto fingerprinter = make_default(kIMatchLexicons);
  const PageFingerprint five = fingerprint_of(*fingerprinter, TestPage({"a", "b", "c", "d", "e"}));
  std::vector<std::uint64_t> keys;
  fingerprinter->index_keys(five, {}, keys);
  EXPECT_GE(keys.size(), 1U);
  EXPECT_LT(keys.size(), 11U);
  EXPECT_EQ(fingerprinter->similarity(five, five).resemblance, 1);
}

}  // namespace
}  // namespace paraprint
