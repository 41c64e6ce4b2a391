#include "lab/signatures/idf_string.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "lab/fingerprint_testing.h"
#include "lab/fingerprinters.h"
#include "lab/signatures/string_hashes.h"

namespace paraprint {
namespace {

TestPage idf_worked_example() {
  TestPage page({"搜索", "网页", "指纹", "去重", "算法", "网页"});
  const std::pair<const char*, double> frequencies[] = {
      {"搜索", 5}, {"网页", 8}, {"指纹", 1}, {"去重", 2}, {"算法", 4}};
  for (const auto& [word, documents] : frequencies) {
    page.term(word).idf = static_cast<float>(std::log10(10 / documents));
  }
  return page;
}

std::unique_ptr<PageFingerprinter> with_hash(std::string_view name) {
  ParameterValues values(kIdfString.parameters);
  const auto found = std::find(kStringHashNames.begin(), kStringHashNames.end(), name);
  values.set("hash", static_cast<double>(found - kStringHashNames.begin()));
  return kIdfString.make(values);
}

TEST(IdfString, MatchesTheWorkedExample) {
  const TestPage page = idf_worked_example();
  std::vector<std::uint32_t> order;
  std::string text;
  append_idf_string(page.terms, 70, order, text);
  EXPECT_EQ(text, "指纹\x1F去重\x1F算法\x1F搜索");
  EXPECT_EQ(fingerprint_of(*with_hash("ap"), page).values[0], 1390838265U);
  EXPECT_EQ(fingerprint_of(*with_hash("elf"), page).values[0], 254550802U);
  EXPECT_EQ(fingerprint_of(*with_hash("pjw"), page).values[0], 254550802U);
  EXPECT_EQ(fingerprint_of(*make_default(kIdfString), page).values[0], 1390838265U);  // AP is the default
}

TEST(IdfString, KeepsSeventyPercentRoundedUp) {
  std::vector<std::string> words;
  for (std::size_t k = 1; k <= 40; ++k) {
    words.push_back("w" + std::to_string(k));
    std::vector<std::uint32_t> order;
    std::string text;
    append_idf_string(TestPage(words).terms, 70, order, text);
    EXPECT_EQ(order.size(), (7 * k + 9) / 10);
    EXPECT_EQ(static_cast<std::size_t>(std::count(text.begin(), text.end(), '\x1F')), order.size() - 1);
  }
}

TEST(IdfString, ToleratesOnlyWordOrderAndFrequentWords) {
  const auto fingerprinter = make_default(kIdfString);
  const TestPage page = idf_worked_example();
  TestPage shuffled = idf_worked_example();
  std::reverse(shuffled.terms.terms.begin(), shuffled.terms.terms.end());
  TestPage other = idf_worked_example();
  other.term("指纹").idf = 0;  // dropped, and 网页 is kept instead
  const PageFingerprint a = fingerprint_of(*fingerprinter, page);
  EXPECT_EQ(fingerprinter->similarity(a, fingerprint_of(*fingerprinter, shuffled)).resemblance, 1);
  EXPECT_EQ(fingerprinter->similarity(a, fingerprint_of(*fingerprinter, other)).resemblance, 0);
}

// Strings with equal 32-bit hashes are still compared.
TEST(IdfString, HashCollisionIsNotACopy) {
  const auto fingerprinter = with_hash("elf");
  PageFingerprint a = fingerprint_of(*fingerprinter, TestPage({"one", "two", "three"}));
  PageFingerprint b = fingerprint_of(*fingerprinter, TestPage({"four", "five", "six"}));
  b.values[0] = a.values[0];
  std::vector<std::uint64_t> keys;
  fingerprinter->index_keys(a, {}, keys);
  fingerprinter->index_keys(b, {}, keys);
  EXPECT_EQ(keys[0], keys[1]);
  EXPECT_EQ(fingerprinter->similarity(a, b).resemblance, 0);
}

TEST(IdfString, PageWithoutWordsIsShort) {
  EXPECT_EQ(fingerprint_of(*make_default(kIdfString), TestPage(std::vector<std::string>{})).state,
            FingerprintState::kShort);
}

}  // namespace
}  // namespace paraprint
