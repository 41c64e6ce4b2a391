#include <gtest/gtest.h>

#include "lab/fingerprint_testing.h"
#include "lab/fingerprinters.h"

namespace paraprint {
namespace {

std::unique_ptr<PageFingerprinter> with(double terms, double common_minimum, double features = 0) {
  ParameterValues values(kPageInformation.parameters);
  values.set("terms", terms);
  values.set("common_minimum", common_minimum);
  values.set("features", features);
  return kPageInformation.make(values);
}

FingerprintSimilarity information_similarity(PageFingerprinter& fingerprinter, const TestPage& a, const TestPage& b) {
  return similarity_of(fingerprinter, fingerprint_of(fingerprinter, a), fingerprint_of(fingerprinter, b));
}

TEST(PageInformation, MatchesTheWorkedExample) {
  const TestPage a({"1", "2", "3", "4"});
  const TestPage b({"2", "3", "4", "9"});
  const auto three = with(4, 3);
  EXPECT_EQ(information_similarity(*three, a, b).resemblance, 0.75);
  EXPECT_GE(information_similarity(*three, a, b).resemblance, three->threshold());
  EXPECT_LT(information_similarity(*with(4, 4), a, b).resemblance, with(4, 4)->threshold());
  EXPECT_EQ(information_similarity(*three, a, a).resemblance, 1);
}

// The threshold is exactly ceil(m * min / n) common features for all sizes, although it is computed as a quotient.
TEST(PageInformation, RequiresTheSameShareOfShorterPages) {
  for (const auto& [n, m] : {std::pair<std::size_t, std::size_t>{32, 24}, {10, 7}, {7, 3}, {30, 21}}) {
    const auto fingerprinter = with(static_cast<double>(n), static_cast<double>(m));
    for (std::size_t smaller = 1; smaller <= n; ++smaller) {
      const std::size_t needed = (m * smaller + n - 1) / n;
      for (std::size_t common = 0; common <= smaller; ++common) {
        const double share = static_cast<double>(common) / static_cast<double>(smaller);
        ASSERT_EQ(share >= fingerprinter->threshold(), common >= needed) << n << ' ' << m << ' ' << smaller;
      }
    }
  }
}

TEST(PageInformation, KeepsTheMostFrequentWordsWithoutStopWords) {
  TestPage page(repeated_words({{"the", 20}, {"web", 12}, {"search", 10}, {"engine", 7}, {"once", 1}}));
  page.term("the").is_stop_word = true;
  const auto fingerprinter = with(3, 2);
  std::vector<std::uint64_t> expected = {hash64("web"), hash64("search"), hash64("engine")};
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(fingerprint_of(*fingerprinter, page).values, expected);
}

TEST(PageInformation, PairsRequireEqualCounts) {
  const TestPage a(repeated_words({{"web", 3}, {"search", 2}}));
  const TestPage b(repeated_words({{"web", 3}, {"search", 1}}));
  EXPECT_EQ(information_similarity(*with(4, 3, 0), a, b).resemblance, 1);
  EXPECT_EQ(information_similarity(*with(4, 3, 1), a, b).resemblance, 0.5);
}

TEST(PageInformation, PageWithoutWordsIsShort) {
  EXPECT_EQ(fingerprint_of(*make_default(kPageInformation), TestPage(std::vector<std::string>{})).state,
            FingerprintState::kShort);
}

}  // namespace
}  // namespace paraprint
