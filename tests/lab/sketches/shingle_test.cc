#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "lab/fingerprint_testing.h"
#include "lab/fingerprinters.h"
#include "lab/sketches/frequent_values.h"
#include "lab/sketches/shingle_builder.h"
#include "lab/sketches/shingle_modulus.h"

namespace paraprint {
namespace {

PageFingerprint fingerprint_with(std::vector<std::uint64_t> values) {
  PageFingerprint fingerprint;
  fingerprint.state = FingerprintState::kUsable;
  fingerprint.values = std::move(values);
  return fingerprint;
}

std::vector<std::uint64_t> numbers(std::uint64_t begin, std::uint64_t end) {
  std::vector<std::uint64_t> result;
  for (; begin < end; ++begin) result.push_back(begin);
  return result;
}

std::vector<std::string> numbered_shingle_words(int begin, int end) {
  std::vector<std::string> words;
  for (; begin < end; ++begin) words.push_back("word" + std::to_string(begin));
  return words;
}

std::unique_ptr<PageFingerprinter> make_shingle(const FingerprinterFactory& factory,
                                                const std::vector<std::pair<std::string_view, double>>& settings) {
  ParameterValues values(factory.parameters);
  for (const auto& [name, value] : settings) values.set(name, value);
  return factory.make(values);
}

TEST(Shingles, CharacterShinglesMatchTheWorkedExample) {
  const TestPage page({"人工智能在当今社会发挥着重要作用"});
  std::vector<std::uint64_t> shingles;
  EXPECT_TRUE(ShingleBuilder(3, true).build(page.terms, shingles));
  std::vector<std::uint64_t> expected;
  for (const char* shingle : {"人工智", "工智能", "智能在", "能在当", "在当今", "当今社", "今社会", "社会发", "会发挥",
                              "发挥着", "挥着重", "着重要", "重要作", "要作用"}) {
    expected.push_back(hash64(shingle));
  }
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(shingles, expected);
}

TEST(Shingles, WordShinglesAreASet) {
  const TestPage rose({"a", "rose", "is", "a", "rose", "is", "a", "rose"});
  std::vector<std::uint64_t> shingles;
  EXPECT_TRUE(ShingleBuilder(4, false).build(rose.terms, shingles));
  std::vector<std::uint64_t> expected = {hash64("a\x1Frose\x1Fis\x1F"
                                                "a"),
                                         hash64("rose\x1Fis\x1F"
                                                "a\x1Frose"),
                                         hash64("is\x1F"
                                                "a\x1Frose\x1Fis")};
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(shingles, expected);
}

TEST(Shingles, ListKeepsTextOrderAndDuplicates) {
  std::vector<std::uint64_t> shingles;
  EXPECT_TRUE(ShingleBuilder(2, false).list(TestPage({"a", "rose", "a", "rose"}).terms, shingles));
  const std::uint64_t a_rose = hash64("a\x1Frose");
  EXPECT_EQ(shingles, (std::vector<std::uint64_t>{a_rose,
                                                  hash64("rose\x1F"
                                                         "a"),
                                                  a_rose}));
}

TEST(Shingles, ShortTextIsOneShingle) {
  std::vector<std::uint64_t> shingles;
  EXPECT_FALSE(ShingleBuilder(5, false).build(TestPage({"one", "two"}).terms, shingles));
  EXPECT_EQ(shingles, std::vector<std::uint64_t>{hash64("one\x1Ftwo")});
  EXPECT_FALSE(ShingleBuilder(5, true).build(TestPage({"four"}).terms, shingles));
  EXPECT_EQ(shingles, std::vector<std::uint64_t>{hash64("four")});
  EXPECT_TRUE(ShingleBuilder(2, false).build(TestPage({"one", "two"}).terms, shingles));
  EXPECT_FALSE(ShingleBuilder(2, false).build(TestPage({}).terms, shingles));
  EXPECT_TRUE(shingles.empty());
}

TEST(Shingle, MatchesTheWorkedExample) {
  const auto shingle = make_shingle(kShingle, {{"threshold", 0.3}});
  const auto a = fingerprint_with(numbers(0, 100));
  const auto b = fingerprint_with(numbers(40, 160));
  const FingerprintSimilarity similarity = shingle->similarity(a, b);
  EXPECT_EQ(similarity.resemblance, 0.375);
  EXPECT_EQ(similarity.containment_a, 0.6);
  EXPECT_EQ(similarity.containment_b, 0.5);
  EXPECT_GE(similarity.resemblance, shingle->threshold());
}

TEST(Shingle, UsesContainmentIfConfigured) {
  const auto shingle = make_shingle(kShingle, {{"measure", 1}});
  const auto part = fingerprint_with(numbers(0, 10));
  const auto whole = fingerprint_with(numbers(0, 1000));
  EXPECT_EQ(shingle->similarity(part, whole).resemblance, 1);
  EXPECT_EQ(shingle->similarity(whole, part).containment_b, 1);
  EXPECT_EQ(std::get<SetOverlapPlan>(shingle->index_plan(0.5)).measure, SetMeasure::kContainment);
}

// One minus the resemblance is a metric, and containment follows from resemblance and the numbers of shingles.
TEST(Shingle, ResemblanceIsAMetricAndDeterminesContainment) {
  const auto shingle = make_default(kShingle);
  std::mt19937_64 random(3);
  const auto random_set = [&] {
    std::set<std::uint64_t> set{random() % 12};
    for (std::uint64_t i = random() % 10; i > 0; --i) set.insert(random() % 12);
    return fingerprint_with({set.begin(), set.end()});
  };
  for (int round = 0; round < 500; ++round) {
    const auto a = random_set();
    const auto b = random_set();
    const auto c = random_set();
    const FingerprintSimilarity ab = shingle->similarity(a, b);
    const auto distance = [&](const auto& x, const auto& y) { return 1 - shingle->similarity(x, y).resemblance; };
    EXPECT_EQ(ab.resemblance, shingle->similarity(b, a).resemblance);
    EXPECT_EQ(ab.containment_a, shingle->similarity(b, a).containment_b);
    EXPECT_EQ(ab.resemblance == 1, a.values == b.values);
    EXPECT_LE(distance(a, c), distance(a, b) + distance(b, c) + 1e-12);
    const auto size_a = static_cast<double>(a.values.size());
    const auto size_b = static_cast<double>(b.values.size());
    EXPECT_NEAR(ab.containment_a, ab.resemblance * (size_a + size_b) / (1 + ab.resemblance) / size_a, 1e-12);
  }
}

TEST(ShingleHeintze, MatchesTheWorkedExample) {
  const auto heintze = make_shingle(kShingleHeintze, {{"stored", 4}, {"searched", 4}});
  const auto a = fingerprint_with({1, 3, 5, 7, 9, 11});
  const auto b = fingerprint_with({1, 3, 4, 7, 9, 12});
  EXPECT_EQ(heintze->similarity(a, b).resemblance, 0.5);
  EXPECT_EQ(heintze->similarity(b, a).resemblance, 0.5);
  EXPECT_EQ(heintze->similarity(a, a).resemblance, 1);
}

TEST(ShingleHeintze, ComparesShortPagesExactly) {
  const auto heintze = make_default(kShingleHeintze);
  EXPECT_EQ(heintze->similarity(fingerprint_with({1, 2, 3}), fingerprint_with({2, 3, 4, 5})).resemblance, 0.4);
}

TEST(ShingleHeintze, FindsTheSmallSampleInTheLargeOne) {
  const auto heintze = make_shingle(kShingleHeintze, {{"stored", 10}, {"searched", 100}});
  std::vector<std::uint64_t> part;
  for (std::uint64_t value = 0; value < 1000; value += 10) part.push_back(value);
  const auto whole = fingerprint_with(numbers(0, 1000));
  const FingerprintSimilarity similarity = heintze->similarity(fingerprint_with(part), whole);
  EXPECT_EQ(similarity.containment_a, 1);
  EXPECT_EQ(similarity.containment_b, 0.1);
}

TEST(ShingleHeintze, DropsFrequentShinglesInAnyOrder) {
  const auto heintze = make_shingle(kShingleHeintze, {{"stored", 4}, {"searched", 8}, {"frequent_pages", 2}});
  std::vector<PageFingerprint> pages;
  for (std::uint64_t page = 0; page < 4; ++page) {
    pages.push_back(fingerprint_with(numbers(100 * page, 100 * page + 20)));
    pages.back().values.insert(pages.back().values.begin(), {1000, 1001});
    pages.back().text_hash = {page, 0};
    std::sort(pages.back().values.begin(), pages.back().values.end());
  }
  pages.push_back(fingerprint_with({1000, 1001}));  // only frequent shingles
  pages.back().text_hash = {9, 0};
  std::vector<PageFingerprint> reversed(pages.rbegin(), pages.rend());
  heintze->prepare(pages);
  heintze->prepare(reversed);
  std::reverse(reversed.begin(), reversed.end());
  EXPECT_EQ(pages, reversed);
  for (std::uint64_t page = 0; page < 4; ++page) {
    EXPECT_EQ(pages[page].values, numbers(100 * page, 100 * page + 8));
  }
  EXPECT_EQ(pages[4].state, FingerprintState::kShort);
}

TEST(FrequentValues, CountsPagesWithEqualTextOnce) {
  std::vector<PageFingerprint> pages(10, fingerprint_with({5, 6}));
  EXPECT_TRUE(frequent_values(pages, 1).empty());
  pages[0].text_hash = {1, 1};
  pages[0].values = {6, 7};
  EXPECT_EQ(frequent_values(pages, 1), std::vector<std::uint64_t>{6});
}

TEST(ShingleBharat, MatchesTheWorkedExample) {
  std::vector<std::uint64_t> a = {25, 50, 51, 75, 100, 126};
  std::vector<std::uint64_t> b = {25, 50, 75, 77, 125};
  keep_multiples(25, 400, a);
  keep_multiples(25, 400, b);
  EXPECT_EQ(a, (std::vector<std::uint64_t>{25, 50, 75, 100}));
  EXPECT_EQ(b, (std::vector<std::uint64_t>{25, 50, 75, 125}));
  EXPECT_EQ(make_default(kShingleBharat)->similarity(fingerprint_with(a), fingerprint_with(b)).resemblance, 0.6);
  keep_multiples(25, 3, a);
  EXPECT_EQ(a, (std::vector<std::uint64_t>{25, 50, 75}));
}

TEST(ShingleBharat, PagesWithFewSampledShinglesAreShort) {
  const auto all = make_shingle(kShingleBharat, {{"width", 1}, {"modulus", 1}});
  EXPECT_EQ(fingerprint_of(*all, TestPage(numbered_shingle_words(0, 4))).state, FingerprintState::kUsable);
  EXPECT_EQ(fingerprint_of(*all, TestPage(numbered_shingle_words(0, 3))).state, FingerprintState::kShort);
}

TEST(ShingleSupershingle, FindsACommonWindowOfTheSample) {
  const auto supershingle = make_shingle(kShingleSupershingle, {{"group", 3}});
  const auto of_sample = [](std::initializer_list<std::uint64_t> sample) {
    const std::vector<std::uint64_t> values(sample);
    std::vector<std::uint64_t> windows;
    for (std::size_t i = 0; i + 3 <= values.size(); ++i) {
      windows.push_back(hash_of_values(std::span(values).subspan(i, 3)));
    }
    std::sort(windows.begin(), windows.end());
    return fingerprint_with(windows);
  };
  const double similarity =
      supershingle->similarity(of_sample({25, 50, 75, 100}), of_sample({25, 50, 75, 125})).resemblance;
  EXPECT_EQ(similarity, supershingle->threshold());
  EXPECT_EQ(supershingle->similarity(of_sample({25, 50, 75, 100}), of_sample({25, 75, 100})).resemblance, 0);
}

TEST(ShingleSupershingle, SurvivesASmallEditOfALongPage) {
  const auto supershingle = make_default(kShingleSupershingle);
  std::vector<std::string> words = numbered_shingle_words(0, 3000);
  const PageFingerprint original = fingerprint_of(*supershingle, TestPage(words));
  words[1500] = "changed";
  const PageFingerprint edited = fingerprint_of(*supershingle, TestPage(words));
  const PageFingerprint other = fingerprint_of(*supershingle, TestPage(numbered_shingle_words(5000, 8000)));
  EXPECT_GE(supershingle->similarity(original, edited).resemblance, supershingle->threshold());
  EXPECT_EQ(supershingle->similarity(original, original).resemblance, 1);
  EXPECT_EQ(supershingle->similarity(original, other).resemblance, 0);
  EXPECT_EQ(fingerprint_of(*supershingle, TestPage(numbered_shingle_words(0, 20))).state, FingerprintState::kShort);
}

// Every sampler estimates the resemblance of the exact sets.
TEST(ShingleSamplers, EstimateTheResemblance) {
  const TestPage a(numbered_shingle_words(0, 4000));
  const TestPage b(numbered_shingle_words(400, 4400));
  const auto exact = make_default(kShingle);
  const double resemblance = exact->similarity(fingerprint_of(*exact, a), fingerprint_of(*exact, b)).resemblance;
  EXPECT_NEAR(resemblance, 3596.0 / 4396, 1e-12);
  for (const FingerprinterFactory* factory : {&kShingleHeintze, &kShingleBharat}) {
    const auto sampler = make_default(*factory);
    const PageFingerprint sample_a = fingerprint_of(*sampler, a);
    const PageFingerprint sample_b = fingerprint_of(*sampler, b);
    EXPECT_NEAR(sampler->similarity(sample_a, sample_b).resemblance, resemblance, 0.12);
    EXPECT_EQ(sampler->similarity(sample_a, sample_b).resemblance, sampler->similarity(sample_b, sample_a).resemblance);
    EXPECT_EQ(sampler->similarity(sample_a, sample_a).resemblance, 1);
  }
}

// The index plan includes every pair that the estimate accepts.
TEST(ShingleHeintze, IndexPlanIncludesEveryPairAtTheMinimum) {
  const auto heintze = make_shingle(kShingleHeintze, {{"stored", 8}, {"searched", 16}});
  std::mt19937_64 random(11);
  for (int round = 0; round < 2000; ++round) {
    std::set<std::uint64_t> a;
    std::set<std::uint64_t> b;
    for (std::uint64_t value = 0; value < 24; ++value) {
      const std::uint64_t where = random() % 8;
      if (where < 6) a.insert(value);
      if (where > 0 && where < 7) b.insert(value);
    }
    const auto page_a = fingerprint_with({a.begin(), a.end()});
    const auto page_b = fingerprint_with({b.begin(), b.end()});
    const double resemblance = heintze->similarity(page_a, page_b).resemblance;
    if (resemblance == 0) continue;
    const auto plan = std::get<SetOverlapPlan>(heintze->index_plan(resemblance));
    const auto leading = [&](const PageFingerprint& page) {
      return std::span(page.values).first(std::min<std::size_t>(plan.leading_values, page.values.size()));
    };
    EXPECT_GE(similarity_of_sets(leading(page_a), leading(page_b)).resemblance + 1e-12, plan.similarity_minimum);
  }
}

}  // namespace
}  // namespace paraprint
