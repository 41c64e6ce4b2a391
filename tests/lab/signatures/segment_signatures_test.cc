#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <map>

#include "base/digest.h"
#include "lab/fingerprint_testing.h"
#include "lab/fingerprinters.h"
#include "property.h"

namespace paraprint {
namespace {

using Settings = std::vector<std::pair<std::string_view, double>>;
const Settings kEqual = {{"mode", 1}, {"segments", 4}, {"common_minimum", 3}};
const Settings kEqualByPosition = {{"mode", 1}, {"segments", 4}, {"common_minimum", 3}, {"comparison", 1}};

std::unique_ptr<PageFingerprinter> with(const Settings& settings) {
  ParameterValues values(kSegmentSignatures.parameters);
  for (const auto& [name, value] : settings) values.set(name, value);
  return kSegmentSignatures.make(values);
}

double resemblance(const Settings& settings, const TestPage& a, const TestPage& b) {
  const auto fingerprinter = with(settings);
  return similarity_of(*fingerprinter, fingerprint_of(*fingerprinter, a), fingerprint_of(*fingerprinter, b))
      .resemblance;
}

TestPage of_blocks(const std::vector<std::string>& blocks) {
  TestPage page(std::vector<std::string>{});
  page.terms.blocks.clear();
  for (const std::string& block : blocks) page.add_block({block});
  return page;
}

TEST(SegmentSignatures, MatchesTheWorkedExample) {
  std::vector<std::string> words;
  for (int i = 1; i <= 12; ++i) words.push_back("t" + std::to_string(i));
  std::vector<std::string> replaced = words;
  replaced[4] = "X";
  std::vector<std::string> prepended = words;
  prepended.insert(prepended.begin(), "N");
  std::vector<std::string> appended = words;
  appended.emplace_back("N");
  std::vector<std::string> swapped(words.begin() + 6, words.end());
  swapped.insert(swapped.end(), words.begin(), words.begin() + 6);
  EXPECT_EQ(resemblance(kEqual, TestPage(words), TestPage(replaced)), 0.75);
  EXPECT_EQ(resemblance(kEqual, TestPage(words), TestPage(prepended)), 0);
  EXPECT_EQ(resemblance(kEqual, TestPage(words), TestPage(appended)), 0.75);
  EXPECT_EQ(resemblance(kEqual, TestPage(words), TestPage(swapped)), 1);
  EXPECT_EQ(resemblance(kEqualByPosition, TestPage(words), TestPage(swapped)), 0);
  EXPECT_EQ(resemblance(kEqualByPosition, TestPage(words), TestPage(words)), 1);
  EXPECT_EQ(with(kEqual)->threshold(), 0.75);
}

TEST(SegmentSignatures, ArePrefixesOfMd5) {
  const auto values = fingerprint_of(*with({{"mode", 1}, {"segments", 1}}), TestPage({"N", "t1", "t2"})).values;
  EXPECT_EQ(values, std::vector<std::uint64_t>{leading_words(md5("N t1 t2"))[0]});
}

TEST(SegmentSignatures, BlocksAreSegments) {
  const TestPage a = of_blocks({"one", "two", "three", "four"});
  EXPECT_EQ(resemblance({}, a, of_blocks({"four", "one", "two", "three"})), 1);
  EXPECT_EQ(resemblance({{"comparison", 1}}, a, of_blocks({"four", "one", "two", "three"})), 0);
  EXPECT_EQ(resemblance({}, a, of_blocks({"one", "two", "three", "x"})), 0.75);
  EXPECT_EQ(resemblance({}, a, of_blocks({"x", "one", "y", "two", "z"})), 0.5);
  const auto fingerprinter = with({});
  const auto similarity = fingerprinter->similarity(fingerprint_of(*fingerprinter, of_blocks({"one", "two"})),
                                                    fingerprint_of(*fingerprinter, a));
  EXPECT_EQ(similarity.containment_a, 1);
  EXPECT_EQ(similarity.containment_b, 0.5);
}

TEST(SegmentSignatures, OneCommonBlockIsNotAMatch) {
  EXPECT_EQ(resemblance({{"share", 0.3}}, of_blocks({"one", "two", "three"}), of_blocks({"one", "x", "y"})), 0);
  EXPECT_GT(resemblance({{"share", 0.3}}, of_blocks({"one", "two", "three"}), of_blocks({"one", "two", "y"})), 0.3);
}

TEST(SegmentSignatures, PagesWithFewSegmentsAreShort) {
  EXPECT_EQ(fingerprint_of(*with({}), of_blocks({"one"})).state, FingerprintState::kShort);
  EXPECT_EQ(fingerprint_of(*with({}), of_blocks({"one", "two"})).state, FingerprintState::kUsable);
  EXPECT_EQ(fingerprint_of(*with(kEqual), TestPage({"a", "b", "c"})).state, FingerprintState::kShort);
  EXPECT_EQ(fingerprint_of(*with(kEqual), TestPage({"a", "b", "c", "d"})).state, FingerprintState::kUsable);
}

// Sets of numbered signatures have as many common elements as the definition counts equal segments.
TEST(SegmentSignatures, CommonElementsMatchTheDefinition) {
  CHECK_PROPERTY("multiset and position", [] {
    const auto blocks = [] {
      const auto letters = *rc::gen::suchThat(rc::gen::container<std::vector<char>>(rc::gen::inRange('a', 'e')),
                                              [](const std::vector<char>& all) { return all.size() >= 2; });
      std::vector<std::string> texts;
      for (const char letter : letters) texts.emplace_back(1, letter);
      return texts;
    };
    const auto a = blocks();
    const auto b = blocks();
    std::map<std::string, int> counts;
    for (const std::string& block : a) ++counts[block];
    std::size_t as_multiset = 0;
    for (const std::string& block : b) as_multiset += counts[block]-- > 0 ? 1U : 0U;
    std::size_t by_position = 0;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) by_position += a[i] == b[i] ? 1U : 0U;
    const auto expected = [&](std::size_t common) {
      return common < 2 ? 0 : static_cast<double>(common) / static_cast<double>(std::min(a.size(), b.size()));
    };
    RC_ASSERT(resemblance({}, of_blocks(a), of_blocks(b)) == expected(as_multiset));
    RC_ASSERT(resemblance({{"comparison", 1}}, of_blocks(a), of_blocks(b)) == expected(by_position));
  });
}

}  // namespace
}  // namespace paraprint
