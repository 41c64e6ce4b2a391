#include <gtest/gtest.h>

#include <cmath>

#include "base/digest.h"
#include "lab/fingerprint_testing.h"
#include "lab/fingerprinters.h"

namespace paraprint {
namespace {

using Words = std::vector<std::uint64_t>;
using Counts = std::vector<std::pair<std::string, int>>;

std::unique_ptr<PageFingerprinter> text_profile(std::string_view tokens, double quantum_rate = 0.01) {
  ParameterValues values(kTextProfile.parameters);
  values.set("tokens", tokens == "nutch" ? 1 : 0);
  values.set("quantum_rate", quantum_rate);
  return kTextProfile.make(values);
}

Words profile(const Counts& counts, std::string_view tokens = "words") {
  return fingerprint_of(*text_profile(tokens), TestPage(repeated_words(counts))).values;
}

Words digest_of(std::string_view text) {
  const auto words = leading_words(md5(text));
  return {words.begin(), words.end()};
}

TEST(TextProfile, MatchesTheWorkedExamples) {
  for (const std::string_view tokens : {"words", "nutch"}) {
    const Words expected = {0x076ba6fab7fffa63, 0x913d1abd8503dfc1};
    EXPECT_EQ(profile({{"search", 10}, {"engine", 7}, {"page", 3}, {"hash", 2}, {"once", 1}}, tokens), expected);
    EXPECT_EQ(profile({{"search", 11}, {"engine", 6}, {"page", 3}, {"hash", 3}, {"extra", 1}}, tokens), expected);
    EXPECT_EQ(profile({{"search", 10}, {"engine", 8}, {"page", 3}, {"hash", 2}, {"once", 1}}, tokens),
              (Words{0x963a2f9793284bb3, 0x2f240d0154ae639e}));
  }
  EXPECT_EQ(digest_of("search 10\nengine 6\nhash 2\npage 2"), (Words{0x076ba6fab7fffa63, 0x913d1abd8503dfc1}));
}

TEST(TextProfile, RoundsTheQuantumHalfUp) {
  EXPECT_EQ(profile({{"aaa", 150}}), digest_of("aaa 150"));                     // quantum 2
  EXPECT_EQ(profile({{"aaa", 250}}), digest_of("aaa 249"));                     // 3
  EXPECT_EQ(profile({{"aaa", 350}}), digest_of("aaa 348"));                     // 4
  EXPECT_EQ(profile({{"aaa", 249}, {"bbb", 2}}), digest_of("aaa 248\nbbb 2"));  // 2
  // Equal to integer arithmetic for every count up to ten thousand.
  for (std::uint32_t count = 1; count <= 10'000; ++count) {
    ASSERT_EQ(static_cast<std::uint32_t>(std::floor(count * 0.01 + 0.5)), (count + 50) / 100) << count;
  }
}

TEST(TextProfile, KeepsSingleWordsOnlyIfNoWordIsRepeated) {
  EXPECT_EQ(profile({{"aaa", 1}, {"bbb", 1}}), digest_of("aaa 1\nbbb 1"));
  EXPECT_EQ(profile({{"aaa", 2}, {"bbb", 1}}), digest_of("aaa 2"));
}

TEST(TextProfile, DropsShortAndStopWordsByDefault) {
  TestPage page({"网页", "去重", "的", "网页", "去重", "about", "about", "𠮷", "𠮷"});
  page.term("about").is_stop_word = true;
  EXPECT_EQ(fingerprint_of(*text_profile("words"), page).values, digest_of("去重 2\n网页 2"));
}

TEST(TextProfile, UsesNutchTokensIfConfigured) {
  // Runs longer than 2 UTF-16 units: a Chinese clause is one token, and 𠮷𠮷 has four units. Case is already folded.
  TestPage page({});
  page.terms.normalised = "about 网页去重, ab abc. 网页去重! 网页 网页 𠮷𠮷 𠮷𠮷 𠮷 𠮷 about-abc";
  EXPECT_EQ(fingerprint_of(*text_profile("nutch"), page).values, digest_of("abc 2\nabout 2\n网页去重 2\n𠮷𠮷 2"));
}

TEST(TextProfile, PagesWithoutAProfileAreShort) {
  EXPECT_EQ(fingerprint_of(*text_profile("words"), TestPage({"a", "b"})).state, FingerprintState::kShort);
  EXPECT_EQ(fingerprint_of(*text_profile("nutch"), TestPage({"ab", "cd"})).state, FingerprintState::kShort);
}

TEST(TextProfile, ComparesByEquality) {
  const auto fingerprinter = text_profile("words");
  const PageFingerprint a = fingerprint_of(*fingerprinter, TestPage({"one", "two", "one", "two", "three"}));
  const PageFingerprint b = fingerprint_of(*fingerprinter, TestPage({"two", "one", "four", "one", "two"}));
  const PageFingerprint c = fingerprint_of(*fingerprinter, TestPage({"two", "one", "four", "four"}));
  EXPECT_EQ(fingerprinter->similarity(a, b).resemblance, 1);
  EXPECT_EQ(fingerprinter->similarity(a, c).resemblance, 0);
}

}  // namespace
}  // namespace paraprint
