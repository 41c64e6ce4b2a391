// The SimHash methods for whole pages (docs/algorithms/simhash.md): worked examples and properties.
#include "lab/sketches/simhash_page.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <functional>
#include <map>

#include "lab/fingerprint_testing.h"
#include "lab/fingerprinters.h"

namespace paraprint {
namespace {

using Settings = std::map<std::string, double>;

std::unique_ptr<PageFingerprinter> make_simhash(const FingerprinterFactory& factory, const Settings& settings) {
  ParameterValues values(factory.parameters);
  for (const auto& [name, value] : settings) values.set(name, value);
  return factory.make(values);
}

std::string hex(const PageFingerprint& fingerprint) {
  std::string text;
  for (const std::uint64_t value : fingerprint.values) text += fmt::format("{:016x}", value);
  return text;
}

std::string hex_of(const FingerprinterFactory& factory, const Settings& settings, const TestPage& page) {
  return hex(fingerprint_of(*make_simhash(factory, settings), page));
}

TestPage fruit_page(const std::string& last) {
  return TestPage(repeated_words({{"苹果", 4}, {"水果", 3}, {last, 2}}));
}

struct Method {
  const char* name;
  const FingerprinterFactory& factory;
};
const Method kMethods[] = {{"simhash-64", kSimHash64},
                           {"simhash-128", kSimHash128},
                           {"simhash-position", kSimHashPosition},
                           {"simhash-shingles", kSimHashShingles},
                           {"simhash-integrated", kSimHashIntegrated}};

std::vector<std::string> numbered_words(int count) {
  std::vector<std::string> words;
  for (int i = 0; i < count; ++i) words.push_back(fmt::format("word{}", i));
  return words;
}

TEST(SimHashOfPages, WordMethodsMatchTheWorkedExamples) {
  const TestPage a = fruit_page("美味");
  const TestPage b = fruit_page("好吃");
  for (const double weights : {0.0, 1.0}) {  // every idf is 1
    const Settings settings = {{"weights", weights}};
    EXPECT_EQ(hex_of(kSimHash128, settings, a), "a5743801b7baa226bb8ea9a767fdca20");
    EXPECT_EQ(hex_of(kSimHash128, settings, b), "eb56364897faab24bbaab42ee289cc70");
  }
  EXPECT_EQ(hex_of(kSimHash128, {{"hash", 0}}, a), "4396d4078914e4983a06ae000c0f8373");
  EXPECT_EQ(hex_of(kSimHash128, {{"hash", 0}}, b), "461765078fb6a4bc1a4e22752e0f8bfb");
  const auto method = make_default(kSimHash128);
  EXPECT_EQ(method->similarity(fingerprint_of(*method, a), fingerprint_of(*method, b)).resemblance, 1 - 37.0 / 128);
  // The 64-bit SimHash is the first half, because bits are independent.
  EXPECT_EQ(hex_of(kSimHash64, {{"hash", 1}}, a), "a5743801b7baa226");
  EXPECT_EQ(hex_of(kSimHash64, {}, a), "4396d4078914e498");
}

TEST(SimHashOfPages, WeightsWordsByIdfIfConfigured) {
  TestPage page = fruit_page("美味");
  page.term("水果").idf = 0;
  page.term("美味").idf = 0.1F;
  EXPECT_EQ(hex_of(kSimHash128, {{"weights", 1}}, page), "f3d43608b7aa62a6bba9a2f6669fe620");  // B128(苹果)
  EXPECT_EQ(hex_of(kSimHash128, {{"weights", 0}}, page), "a5743801b7baa226bb8ea9a767fdca20");
}

TEST(SimHashOfPages, IgnoresStopWordsIfConfigured) {
  TestPage page({"苹果", "的", "的", "的"});
  page.term("的").is_stop_word = true;
  EXPECT_EQ(hex_of(kSimHash128, {{"stop_words", 1}}, page), "f3d43608b7aa62a6bba9a2f6669fe620");
  EXPECT_NE(hex_of(kSimHash128, {}, page), "f3d43608b7aa62a6bba9a2f6669fe620");
  const Settings dropped = {{"stop_words", 1}, {"bits", 1}, {"hash", 1}};
  EXPECT_EQ(hex_of(kSimHashPosition, dropped, page), "f3d43608b7aa62a6bba9a2f6669fe620");
}

// The words of the examples in a block that is neither first nor last; the other blocks have no weight.
TestPage middle_page(const std::vector<std::string>& words) {
  TestPage page({"first"});
  page.add_block(words);
  page.add_block({"last"});
  page.term("first").idf = 0;
  page.term("last").idf = 0;
  return page;
}

TEST(SimHashPosition, MatchesTheWorkedExample) {
  TestPage page = middle_page(repeated_words({{"苹果", 2}, {"水果", 2}, {"美味", 2}}));
  page.set_title({"苹果"});
  const Settings settings = {{"bits", 1}, {"hash", 1}};
  EXPECT_EQ(hex_of(kSimHashPosition, settings, page), "f3d43608b7aa62a6bba9a2f6669fe620");
  Settings unweighted = settings;
  unweighted["title_weight"] = 1;
  EXPECT_EQ(hex_of(kSimHashPosition, unweighted, page), "a5743801b7baa226bb8ea9a767fdca20");
}

TEST(SimHashPosition, AppliesTheWeightOfEveryZone) {
  // "a" is in the zone and "b" in the middle with weight 1: with a zone weight below 1 b decides, above 1 a.
  const auto decided_by_a = [](const Settings& settings, const std::function<void(TestPage&)>& place) {
    TestPage page({"first"});
    page.term("first").idf = 0;
    place(page);
    Settings all = {{"bits", 1}, {"hash", 1}};
    all.insert(settings.begin(), settings.end());
    const Fingerprint128 hash = blake2b128("a");
    return hex_of(kSimHashPosition, all, page) == fmt::format("{:016x}{:016x}", hash.high, hash.low);
  };
  const auto zones = std::map<std::string, std::function<void(TestPage&)>>{
      {"title_weight",
       [](TestPage& page) {
         page.set_title({"a"});
         page.add_block({"b"});
         page.add_block({"first"});
       }},
      {"heading_weight",
       [](TestPage& page) {
         page.add_block({"a"}, BlockRole::kHeading);
         page.terms.blocks.back().heading_level = 3;
         page.add_block({"b"});
         page.add_block({"first"});
       }},
      {"last_weight",
       [](TestPage& page) {
         page.add_block({"b"});
         page.add_block({"a"});
         page.add_block({"first"}, BlockRole::kHeading);  // a heading is not the last paragraph
       }},
      {"sentence_weight", [](TestPage& page) {
         page.add_block({"a", "b"});
         --page.terms.blocks.back().first_sentence_end;
         page.add_block({"first"});
       }}};
  for (const auto& [name, place] : zones) {
    EXPECT_TRUE(decided_by_a({{name, 1.1}}, place)) << name;
    EXPECT_FALSE(decided_by_a({{name, 0.9}}, place)) << name;
  }
  TestPage page({"a"});
  page.add_block({"b"});
  page.add_block({"none"});
  page.term("none").idf = 0;
  EXPECT_EQ(hex_of(kSimHashPosition, {{"first_weight", 1.1}}, page), fmt::format("{:016x}", hash64("a")));
  EXPECT_EQ(hex_of(kSimHashPosition, {{"first_weight", 0.9}}, page), fmt::format("{:016x}", hash64("b")));
}

TEST(SimHashPosition, EqualsTheTfIdfSimHashWithNeutralWeights) {
  EXPECT_TRUE(rc::check([] {
    const auto numbers = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 40));
    std::vector<std::string> words;
    for (const int number : numbers) words.push_back(fmt::format("w{}", number));
    TestPage page(words);
    page.add_block(words, BlockRole::kHeading);
    page.terms.blocks.back().heading_level = 1;
    for (Term& term : page.terms.terms) term.idf = static_cast<float>(term.hash % 100) / 16;
    page.set_title({"left", "out"});
    const Settings none = {{"title_weight", 0}, {"heading_weight", 1}, {"first_weight", 1}, {"last_weight", 1}};
    RC_ASSERT(hex_of(kSimHashPosition, none, page) == hex_of(kSimHash64, {}, page));
  }));
}

TEST(SimHashShingles, MatchesTheWorkedExample) {
  const TestPage page({"a", "b", "c", "a", "b", "c", "a", "b", "d"});
  EXPECT_EQ(hex_of(kSimHashShingles, {{"words", 2}}, page), "bd441c082fa1a841");
  const auto method = make_default(kSimHashShingles);
  const PageFingerprint few = fingerprint_of(*method, TestPage({"a", "b"}));
  EXPECT_EQ(few.state, FingerprintState::kShort);
  EXPECT_EQ(hex(few), fmt::format("{:016x}", hash64("a\x1F"
                                                    "b")));
}

TEST(SimHashIntegrated, MatchesTheWorkedExamples) {
  // A page of three words is one shingle.
  const TestPage a({"我", "爱", "北京"});
  const TestPage b({"北京", "爱", "我"});
  EXPECT_EQ(hex_of(kSimHashIntegrated, {{"rotation", 0}}, a), "ea2d2c134bd86f86");
  EXPECT_EQ(hex_of(kSimHashIntegrated, {{"rotation", 0}}, b), "ea2d2c134bd86f86");
  EXPECT_EQ(hex_of(kSimHashIntegrated, {}, a), "fabd24072ba0ee0d");
  EXPECT_EQ(hex_of(kSimHashIntegrated, {}, b), "6cbd1c0daba2ee97");
  TestPage page({"我", "爱", "北京", "天安门", "广场"});
  page.term("我").part_of_speech = PartOfSpeech::kPronoun;
  page.term("爱").part_of_speech = PartOfSpeech::kVerb;
  for (const char* noun : {"北京", "天安门", "广场"}) page.term(noun).part_of_speech = PartOfSpeech::kNoun;
  EXPECT_EQ(hex_of(kSimHashIntegrated, {{"first_weight", 1}}, page), "fabd000303a1cf0c");
}

TEST(SimHashIntegrated, ComposesByExclusiveOrIfConfigured) {
  const auto turn = [](std::string_view word, int bits) {
    const std::uint64_t hash = hash64(word);
    return bits == 0 ? hash : hash << bits | hash >> (64 - bits);
  };
  const std::uint64_t expected = turn("x", 0) ^ turn("y", 5) ^ turn("z", 10);
  EXPECT_EQ(hex_of(kSimHashIntegrated, {{"composition", 1}, {"rotation", 5}}, TestPage({"x", "y", "z"})),
            fmt::format("{:016x}", expected));
}

// The definition, bit by bit, over 128 bits and any number of words.
TEST(SimHashIntegrated, ComposesAsDefined) {
  EXPECT_TRUE(rc::check([] {
    const auto count = *rc::gen::inRange(1, 16);
    const auto rotation = *rc::gen::inRange(0, 64);
    const std::vector<std::string> words = numbered_words(count);
    std::string expected;
    for (int bit = 0; bit < 128; ++bit) {  // from the top
      int sum = 0;
      for (int i = 0; i < count; ++i) {
        const Fingerprint128 hash = murmur128(words[static_cast<std::size_t>(i)]);
        const int source = (bit + rotation * i) % 128;
        const std::uint64_t half = source < 64 ? hash.high : hash.low;
        sum += (half >> (63 - source % 64) & 1) != 0 ? 1 : -1;
      }
      expected += sum > 0 ? '1' : '0';
    }
    ParameterValues values(kSimHashIntegrated.parameters);
    values.set("words", count);
    values.set("rotation", rotation);
    values.set("bits", 1);
    const PageFingerprint fingerprint = fingerprint_of(*kSimHashIntegrated.make(values), TestPage(words));
    RC_ASSERT(fmt::format("{:064b}{:064b}", fingerprint.values[0], fingerprint.values[1]) == expected);
  }));
}

TEST(SimHashIntegrated, IgnoresTheTitleAtWeightZero) {
  TestPage page(numbered_words(20));
  const std::string without = hex_of(kSimHashIntegrated, {}, page);
  page.set_title(repeated_words({{"title", 9}}));
  EXPECT_NE(hex_of(kSimHashIntegrated, {}, page), without);
  EXPECT_EQ(hex_of(kSimHashIntegrated, {{"title_weight", 0}}, page), without);
}

TEST(SimHashOfPages, PagesWithFewDistinctFeaturesAreShort) {
  for (const Method& method : kMethods) {
    const auto fingerprinter = make_default(method.factory);
    EXPECT_EQ(fingerprint_of(*fingerprinter, TestPage(numbered_words(10))).state, FingerprintState::kUsable)
        << method.name;
    std::vector<std::string> seven;
    for (int i = 0; i < 70; ++i) seven.push_back(fmt::format("word{}", i % 7));
    EXPECT_EQ(fingerprint_of(*fingerprinter, TestPage(seven)).state, FingerprintState::kShort) << method.name;
    EXPECT_EQ(fingerprint_of(*fingerprinter, TestPage({})).state, FingerprintState::kShort) << method.name;
  }
}

TEST(SimHashOfPages, ThresholdIsExact) {
  for (const Method& method : kMethods) {
    for (int distance = 0; distance <= kHammingDistanceMaximum; ++distance) {
      const auto fingerprinter = make_simhash(method.factory, {{"distance_bits", distance}});
      PageFingerprint a = fingerprint_of(*fingerprinter, TestPage(numbered_words(30)));
      PageFingerprint b = a;
      b.values[0] ^= (std::uint64_t{1} << distance) - 1;
      EXPECT_GE(fingerprinter->similarity(a, b).resemblance, fingerprinter->threshold());
      b.values[0] ^= std::uint64_t{1} << distance;
      EXPECT_LT(fingerprinter->similarity(a, b).resemblance, fingerprinter->threshold());
      EXPECT_EQ(std::get<HammingPlan>(fingerprinter->index_plan(fingerprinter->threshold())).distance_bits, distance)
          << method.name;
      EXPECT_GE(std::get<HammingPlan>(fingerprinter->index_plan(fingerprinter->sweep_minimum())).distance_bits,
                distance);
      EXPECT_EQ(fingerprinter->similarity(a, a).resemblance, 1);
    }
  }
}

// By default the same share of the bits for either width.
TEST(SimHashOfPages, DefaultDistanceDependsOnTheWidth) {
  for (const FingerprinterFactory* factory : {&kSimHashPosition, &kSimHashShingles, &kSimHashIntegrated}) {
    EXPECT_EQ(std::get<HammingPlan>(make_simhash(*factory, {})->index_plan(make_simhash(*factory, {})->threshold()))
                  .distance_bits,
              3);
    const auto wide = make_simhash(*factory, {{"bits", 1}});
    EXPECT_EQ(std::get<HammingPlan>(wide->index_plan(wide->threshold())).distance_bits, 6);
    const auto given = make_simhash(*factory, {{"bits", 1}, {"distance_bits", 0}});
    EXPECT_EQ(std::get<HammingPlan>(given->index_plan(given->threshold())).distance_bits, 0);
  }
}

// The published designs, in both forms, for every method. A sweep stops at the threshold, because larger distances need
// too many tables.
TEST(SimHashOfPages, IndexPlanNamesTheTables) {
  const std::vector<int> blocks_of_3[] = {{}, {4}, {5}, {4, 4}, {6}};
  const std::vector<int> blocks_of_6[] = {{}, {7}, {8}, {7, 7}, {9}};
  for (const FingerprinterFactory* factory :
       {&kSimHash64, &kSimHash128, &kSimHashPosition, &kSimHashShingles, &kSimHashIntegrated}) {
    for (std::size_t index = 0; index < kHammingIndexes.size(); ++index) {
      const auto method = make_simhash(*factory, {{"tables", static_cast<double>(index)}});
      const IndexPlan plan = method->index_plan(method->threshold());
      const std::vector<int>* const blocks = factory == &kSimHash128 ? blocks_of_6 : blocks_of_3;
      const std::size_t design = index > 4 ? index - 4 : index;
      EXPECT_EQ(std::get<HammingPlan>(plan).table_blocks, blocks[design]);
      EXPECT_EQ(std::get<HammingPlan>(plan).compresses_tables, index > 4);
      EXPECT_EQ(method->sweep_minimum() == method->threshold(), index > 0);
    }
  }
}

TEST(SimHashOfPages, SharesOfEqualBitsConvertToDistancesAndBack) {
  for (const int bits : {64, 128}) {
    for (int distance = 0; distance <= kHammingDistanceMaximum; ++distance) {
      EXPECT_EQ(distance_of_share(share_of_equal_bits(distance, bits), bits), distance);
      EXPECT_EQ(distance_of_share(share_of_equal_bits(distance, bits) + 1e-9, bits), std::max(distance - 1, 0));
    }
    EXPECT_EQ(distance_of_share(0, bits), kHammingDistanceMaximum);
  }
}

// Words in another order have the same counts, and the order of features does not matter.
TEST(SimHashOfPages, WordMethodsAreIndependentOfWordOrder) {
  EXPECT_TRUE(rc::check([] {
    const auto numbers = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 60));
    std::vector<std::string> words;
    for (const int number : numbers) words.push_back(fmt::format("w{}", number));
    const TestPage forward(words);
    std::reverse(words.begin(), words.end());
    const TestPage backward(words);
    for (const FingerprinterFactory* factory : {&kSimHash64, &kSimHash128, &kSimHashPosition}) {
      const auto method = make_default(*factory);
      const PageFingerprint a = fingerprint_of(*method, forward);
      const PageFingerprint b = fingerprint_of(*method, backward);
      RC_ASSERT(a.values == b.values);
      RC_ASSERT(a.state == b.state);
    }
  }));
}

TEST(SimHashOfPages, HugeWeightsAreNotTruncated) {
  SimHashVotes votes;
  votes.add({1, 0}, 1e5);  // more than one vote of simhash128() can hold
  votes.add({2, 0}, 99999);
  EXPECT_EQ(votes.sign(), (Fingerprint128{1, 0}));
  votes.add({2, 0}, 2);
  EXPECT_EQ(votes.sign(), (Fingerprint128{2, 0}));
}

}  // namespace
}  // namespace paraprint
