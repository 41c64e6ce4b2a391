#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "lab/fingerprint_testing.h"
#include "lab/fingerprinters.h"

namespace paraprint {
namespace {

std::unique_ptr<PageFingerprinter> make(const std::vector<std::pair<std::string_view, double>>& settings) {
  ParameterValues values(kSpotSigs.parameters);
  for (const auto& [name, value] : settings) values.set(name, value);
  return kSpotSigs.make(values);
}

TestPage page_of(const std::vector<std::string>& words, const std::vector<std::string>& stop_words) {
  TestPage page(words);
  for (const std::string& word : stop_words) page.term(word).is_stop_word = true;
  return page;
}

std::map<std::uint64_t, float> chains(const PageFingerprint& fingerprint) {
  std::map<std::uint64_t, float> result;
  for (std::size_t i = 0; i < fingerprint.values.size(); ++i) result[fingerprint.values[i]] = fingerprint.weights[i];
  return result;
}

TEST(SpotSigs, ChainsContentWordsAfterAntecedents) {
  const TestPage page = page_of({"at", "a", "rally", "to", "kick", "off", "a", "weeklong", "campaign", "for", "the",
                                 "south", "carolina", "primary"},
                                {"at", "a", "to", "off", "for", "the"});
  const auto fingerprint = fingerprint_of(*make({}), page);
  // "off" is a stop word but not a frequent one: it is skipped and not an antecedent.
  const std::map<std::uint64_t, float> expected = {
      {hash64("at\x1Frally\x1Fkick"), 1},
      {hash64("a\x1Frally\x1Fkick"), 1},
      {hash64("to\x1Fkick\x1Fweeklong"), 1},
      {hash64("a\x1Fweeklong\x1F"
              "campaign"),
       1},
      {hash64("for\x1Fsouth\x1F"
              "carolina"),
       1},
      {hash64("the\x1Fsouth\x1F"
              "carolina"),
       1},
  };
  EXPECT_EQ(chains(fingerprint), expected);
  // All stop words as antecedents, every second content word; chains cut short by the end are dropped.
  const auto all = fingerprint_of(*make({{"antecedents", 1}, {"distance", 2}}), page);
  EXPECT_EQ(all.values.size(), 5U);
  EXPECT_TRUE(
      chains(all).contains(hash64("off\x1F"
                                  "campaign\x1F"
                                  "carolina")));
}

// Each antecedent repeats the words after it, so that words as long as the page would cost the square of its size.
TEST(SpotSigs, ChainsHashesOfLongWords) {
  const std::string longest(256, 'x');
  const std::string longer = longest + 'x';
  std::string bytes_of_hash;
  for (std::uint64_t rest = hash64(longer), i = 0; i < sizeof rest; ++i, rest >>= 8) {
    bytes_of_hash += static_cast<char>(rest & 0xFF);
  }
  const TestPage page = page_of({"the", "cat", longest, "of", longer, "dog"}, {"the", "of"});
  const std::string separator = "\x1F";
  const std::map<std::uint64_t, float> expected = {
      {hash64("the" + separator + "cat" + separator + longest), 1},
      {hash64("of" + separator + bytes_of_hash + separator + "dog"), 1},
  };
  EXPECT_EQ(chains(fingerprint_of(*make({}), page)), expected);
}

// Words of a long chain have a share of what two may have together.
TEST(SpotSigs, BoundsTheBytesOfLongChains) {
  const std::string longest(51, 'x');
  const std::string longer = longest + 'x';
  std::vector<std::string> words = {"the", longest, longer};
  std::string bytes_of_hash;
  for (std::uint64_t rest = hash64(longer), i = 0; i < sizeof rest; ++i, rest >>= 8) {
    bytes_of_hash += static_cast<char>(rest & 0xFF);
  }
  const std::string separator = "\x1F";
  std::string chain = "the" + separator + longest + separator + bytes_of_hash;
  for (int i = 0; i < 8; ++i) {
    words.push_back("word" + std::to_string(i));
    chain += separator + words.back();
  }
  EXPECT_EQ(chains(fingerprint_of(*make({{"chain", 10}}), page_of(words, {"the"}))),
            (std::map<std::uint64_t, float>{{hash64(chain), 1}}));
}

TEST(SpotSigs, CountsRepeatedChains) {
  const auto spotsigs = make({{"chain", 1}});
  const auto a = fingerprint_of(*spotsigs, page_of({"the", "cat", "the", "cat", "the", "dog"}, {"the"}));
  const auto b = fingerprint_of(*spotsigs, page_of({"the", "cat", "the", "dog", "the", "dog"}, {"the"}));
  EXPECT_EQ(chains(a), (std::map<std::uint64_t, float>{{hash64("the\x1F"
                                                               "cat"),
                                                        2},
                                                       {hash64("the\x1F"
                                                               "dog"),
                                                        1}}));
  EXPECT_EQ(spotsigs->similarity(a, b).resemblance, 0.5);
  EXPECT_EQ(spotsigs->similarity(b, a).resemblance, 0.5);
  EXPECT_EQ(spotsigs->similarity(a, a).resemblance, 1);
  EXPECT_EQ(std::get<SetOverlapPlan>(spotsigs->index_plan(0.5)).measure, SetMeasure::kWeightedJaccard);
}

TEST(SpotSigs, PageWithoutSpotsIsShort) {
  const auto spotsigs = make({});
  EXPECT_EQ(fingerprint_of(*spotsigs, TestPage({"price", "12", "price", "13"})).state, FingerprintState::kShort);
  EXPECT_EQ(fingerprint_of(*spotsigs, page_of({"end", "of", "the"}, {"of", "the"})).state, FingerprintState::kShort);
  EXPECT_EQ(fingerprint_of(*spotsigs, TestPage({})).state, FingerprintState::kShort);
}

// Menus and advertisements have no function words, so they do not change the chains.
TEST(SpotSigs, IgnoresMenusWithoutFunctionWords) {
  const std::vector<std::string> text = {"the", "cat", "of", "my", "neighbour", "is", "black", "and", "likes", "fish"};
  std::vector<std::string> framed = {"home", "news", "sport", "contact"};
  framed.insert(framed.end(), text.begin(), text.end());
  framed.insert(framed.end(), {"buy", "now"});
  const std::vector<std::string> stop_words = {"the", "of", "my", "is", "and"};
  const auto spotsigs = make({});
  const auto plain = fingerprint_of(*spotsigs, page_of(text, stop_words));
  EXPECT_EQ(spotsigs->similarity(plain, fingerprint_of(*spotsigs, page_of(framed, stop_words))).resemblance, 1);
}

}  // namespace
}  // namespace paraprint
