#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

#include "fingerprint/minhash_signature.h"
#include "lab/fingerprint_testing.h"
#include "lab/fingerprinters.h"
#include "lab/sketches/bands.h"
#include "lab/sketches/minhash_supershingles.h"

namespace paraprint {
namespace {

std::unique_ptr<PageFingerprinter> make(const FingerprinterFactory& factory,
                                        const std::vector<std::pair<std::string_view, double>>& settings) {
  ParameterValues values(factory.parameters);
  for (const auto& [name, value] : settings) values.set(name, value);
  return factory.make(values);
}

std::vector<std::string> numbered_words(int begin, int end, const std::string& stem = "word") {
  std::vector<std::string> words;
  for (; begin < end; ++begin) words.push_back(stem + std::to_string(begin));
  return words;
}

std::vector<std::uint64_t> hashes_of(const std::vector<std::string>& words) {
  std::vector<std::uint64_t> hashes;
  for (const std::string& word : words) hashes.push_back(hash64(word));
  return hashes;
}

TEST(MinHashes, AreTheMinimaOfEachPermutation) {
  std::mt19937_64 random(1);
  for (const std::size_t places : {1U, 7U, 64U, 84U, 130U}) {
    std::vector<std::uint64_t> set(1 + random() % 50);
    for (std::uint64_t& value : set) value = random();
    std::vector<std::uint64_t> signature(places);
    minhash_signature(set, signature);
    for (std::size_t i = 0; i < places; ++i) {
      std::uint64_t least = ~std::uint64_t{0};
      for (const std::uint64_t value : set) least = std::min(least, permuted(value, i));
      EXPECT_EQ(signature[i], least);
    }
  }
}

TEST(OnePermutation, MatchesTheWorkedExample) {
  std::vector<std::uint64_t> a(8);
  std::vector<std::uint64_t> b(8);
  one_permutation_hashes(hashes_of({"a", "b", "c", "d", "e", "f"}), a);
  one_permutation_hashes(hashes_of({"a", "b", "c", "d", "e", "g"}), b);
  EXPECT_EQ(a[3], 0x7a98a957b1d3d1eeULL);
  EXPECT_EQ(a[4], 0x85555565f6597889ULL);
  EXPECT_EQ(a[6], 0xc5b69249a3d5e994ULL);
  EXPECT_EQ(b[5], 0xbc5db79af8a69adaULL);
  EXPECT_EQ(equal_places(a, b), 6U);
  // The same with the algorithm on shingles of one word.
  const auto one = make(kMinHashOnePermutation, {{"width", 1}, {"permutations", 8}});
  const PageFingerprint page = fingerprint_of(*one, TestPage({"a", "b", "c", "d", "e", "f"}));
  EXPECT_EQ(page.values, a);
}

// The definition: an empty bin draws others until one of them is filled.
std::vector<std::uint64_t> densified_slowly(const std::vector<std::uint64_t>& set, std::size_t bins) {
  const auto bin_of_hash = [&](std::uint64_t hash) {
    return static_cast<std::size_t>(((hash >> 32) * bins + ((hash & 0xFFFFFFFF) * bins >> 32)) >> 32);
  };
  std::vector<std::vector<std::uint64_t>> members(bins);
  for (const std::uint64_t hash : set) members[bin_of_hash(hash)].push_back(hash);
  std::vector<std::uint64_t> signature;
  for (std::uint32_t bin = 0; bin < bins; ++bin) {
    std::size_t source = bin;
    for (std::uint32_t attempt = 1; members[source].empty(); ++attempt) {
      std::string bytes;
      for (const std::uint32_t number : {bin, attempt}) {
        for (int shift = 0; shift < 32; shift += 8) bytes += static_cast<char>(number >> shift & 0xFF);
      }
      source = bin_of_hash(hash64(bytes));
    }
    signature.push_back(*std::min_element(members[source].begin(), members[source].end()));
  }
  return signature;
}

// Few filled bins are copied in another way than many.
TEST(OnePermutation, CopiesWhatTheBinsDraw) {
  for (const std::size_t bins : {8U, 9U, 64U, 100U, 128U, 1000U}) {
    for (const std::size_t members : {1U, 2U, 3U, 7U, 10U, 15U, 16U, 17U, 40U, 124U, 135U, 300U}) {
      const std::vector<std::uint64_t> set =
          hashes_of(numbered_words(0, static_cast<int>(members), std::to_string(bins) + "-" + std::to_string(members)));
      std::vector<std::uint64_t> signature(bins);
      one_permutation_hashes(set, signature);
      EXPECT_EQ(signature, densified_slowly(set, bins)) << bins << " " << members;
    }
  }
}

TEST(OnePermutation, EstimatesTheResemblanceWithoutBias) {
  double sum = 0;
  for (int t = 0; t < 300; ++t) {
    const std::vector<std::uint64_t> all = hashes_of(numbered_words(0, 140, std::to_string(t) + "-"));
    std::vector<std::uint64_t> a(128);
    std::vector<std::uint64_t> b(128);
    one_permutation_hashes(std::span(all).first(120), a);
    one_permutation_hashes(std::span(all).last(120), b);
    sum += static_cast<double>(equal_places(a, b)) / 128;
  }
  EXPECT_NEAR(sum / 300, 0.7136, 5e-5);
}

TEST(MinHash, EstimatesTheResemblanceWithoutBias) {
  double sum = 0;
  double squares = 0;
  constexpr int kRounds = 300;
  for (int t = 0; t < kRounds; ++t) {
    const std::vector<std::uint64_t> all = hashes_of(numbered_words(0, 120, std::to_string(t) + "-"));
    std::vector<std::uint64_t> a(128);
    std::vector<std::uint64_t> b(128);
    minhash_signature(std::span(all).first(108), a);
    minhash_signature(std::span(all).last(108), b);
    const double estimate = static_cast<double>(equal_places(a, b)) / 128;
    sum += estimate;
    squares += estimate * estimate;
  }
  const double mean = sum / kRounds;
  EXPECT_NEAR(mean, 0.8, 4 * 0.0354 / std::sqrt(kRounds));
  EXPECT_NEAR(std::sqrt(squares / kRounds - mean * mean), 0.0354, 0.006);
}

TEST(Bands, FollowTheSCurve) {
  const auto expect_curve = [](Banding banding, const std::vector<std::pair<double, double>>& points) {
    for (const auto& [share, probability] : points) EXPECT_NEAR(banding_probability(banding, share), probability, 5e-5);
  };
  expect_curve({20, 5}, {{0.4, 0.1860}, {0.5, 0.4701}, {0.6, 0.8019}, {0.7, 0.9748}, {0.8, 0.9996}});
  expect_curve({16, 8}, {{0.5, 0.0607}, {0.7, 0.6133}, {0.8, 0.9470}, {0.9, 0.9999}});
}

TEST(Bands, ChoiceReachesTheRequestedRecall) {
  for (const double share : {0.01, 0.3, 0.5, 0.8, 0.95, 1.0}) {
    const Banding chosen = choose_banding(128, share, 0.98);
    EXPECT_LE(chosen.bands * chosen.rows, 128U);
    if (chosen.rows > 1) {
      EXPECT_GE(banding_probability(chosen, share), 0.98);
    }
    const Banding next{128 / (chosen.rows + 1), chosen.rows + 1};
    if (chosen.rows < 128) {
      EXPECT_LT(banding_probability(next, share), 0.98);
    }
  }
  EXPECT_EQ(choose_banding(128, 1, 0.98).bands, 1U);
}

TEST(Bands, KeysDependOnTheBandNumber) {
  std::vector<std::uint64_t> keys;
  append_band_keys({3, 2}, {5, 6, 5, 6, 5, 7}, keys);
  EXPECT_EQ(std::set<std::uint64_t>(keys.begin(), keys.end()).size(), 3U);
  std::vector<std::uint64_t> others;
  append_band_keys({3, 2}, {5, 6, 0, 6, 5, 7}, others);
  EXPECT_EQ(keys[0], others[0]);
  EXPECT_NE(keys[1], others[1]);
  EXPECT_EQ(keys[2], others[2]);
}

TEST(MinHashBBit, CorrectsForBitsEqualByChance) {
  // b = 1, 90 % equal; b = 2, 85 % equal.
  const auto resemblance = [](double bits, std::size_t places, std::size_t different) {
    const auto minhash = make(kMinHashBBit, {{"bits", bits}, {"permutations", static_cast<double>(places)}});
    const auto per_word = static_cast<std::size_t>(64 / bits);
    PageFingerprint a;
    a.values.resize((places + per_word - 1) / per_word);
    PageFingerprint b = a;
    for (std::size_t place = 0; place < different; ++place) {
      b.values[place / per_word] |= std::uint64_t{1} << (place % per_word * static_cast<std::size_t>(bits));
    }
    return minhash->similarity(a, b).resemblance;
  };
  EXPECT_NEAR(resemblance(1, 100, 10), 0.8, 1e-12);
  EXPECT_NEAR(resemblance(2, 100, 15), 0.8, 1e-12);
  EXPECT_EQ(resemblance(1, 100, 60), 0);
  EXPECT_EQ(resemblance(3, 100, 0), 1);
}

TEST(MinHashBBit, SummariesKeepAllCopies) {
  EXPECT_FALSE(make(kMinHashBBit, {{"permutations", 100}})->has_summary());
  std::mt19937_64 random(3);
  for (const double bits : {1.0, 2.0, 5.0}) {
    const auto minhash = make(kMinHashBBit, {{"bits", bits}, {"permutations", 140}});
    ASSERT_TRUE(minhash->has_summary());
    const PageFingerprint base = fingerprint_of(*minhash, TestPage(numbered_words(0, 300)));
    const auto filter = minhash->summary_filter(base);
    int passed = 0;
    for (int trial = 0; trial < 300; ++trial) {
      PageFingerprint other = base;
      for (int i = 0; i < trial / 4; ++i) other.values[random() % 2] ^= std::uint64_t{1} << random() % 60;
      const bool passes = filter(minhash->summary(other));
      if (minhash->similarity(base, other).resemblance >= minhash->threshold()) {
        EXPECT_TRUE(passes) << trial;
      }
      passed += passes ? 1 : 0;
    }
    EXPECT_TRUE(bits > 2 || passed < 250) << bits;
  }
}

TEST(MinHashBBit, KeepsTheLowestBits) {
  const TestPage page(numbered_words(0, 40));
  const auto whole = make(kMinHash, {{"permutations", 50}});
  const PageFingerprint signature = fingerprint_of(*whole, page);
  for (const unsigned bits : {1U, 3U, 16U}) {
    const auto minhash = make(kMinHashBBit, {{"bits", bits}, {"permutations", 50}});
    const PageFingerprint fingerprint = fingerprint_of(*minhash, page);
    const std::size_t per_word = 64 / bits;
    ASSERT_EQ(fingerprint.values.size(), (50 + per_word - 1) / per_word);
    for (std::size_t place = 0; place < 50; ++place) {
      const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
      EXPECT_EQ(fingerprint.values[place / per_word] >> (place % per_word * bits) & mask,
                signature.values[place] & mask);
    }
  }
}

double megashingle_probability(double resemblance) {
  const double p = std::pow(resemblance, kMinHashesOfSupershingle);
  return 1 - std::pow(1 - p, 6) - 6 * p * std::pow(1 - p, 5);
}

TEST(ShingleFetterly, DetectionRateFollowsTheFormula) {
  EXPECT_NEAR(megashingle_probability(0.95), 0.8786, 5e-5);
  int found = 0;
  constexpr int kRounds = 400;
  for (int t = 0; t < kRounds; ++t) {
    const std::vector<std::uint64_t> all = hashes_of(numbered_words(0, 210, std::to_string(t) + "-"));
    const auto a = supershingles(std::span(all).first(200));
    const auto b = supershingles(std::span(all).last(200));
    found += common_supershingles(a, b) >= 2 ? 1 : 0;
  }
  const double expected = megashingle_probability(190.0 / 210);
  EXPECT_NEAR(static_cast<double>(found) / kRounds, expected, 4 * std::sqrt(expected * (1 - expected) / kRounds));
}

// Two of six supershingles are equal if and only if one of the fifteen pairs is.
TEST(ShingleFetterly, CommonMegashingleMeansTwoEqualSupershingles) {
  std::mt19937_64 random(2);
  for (int round = 0; round < 1000; ++round) {
    std::vector<std::uint64_t> a(kSupershingles);
    std::vector<std::uint64_t> b(kSupershingles);
    for (std::size_t i = 0; i < kSupershingles; ++i) {
      a[i] = random() % 3;
      b[i] = random() % 3;
    }
    for (const std::size_t minimum : {1U, 2U}) {
      std::vector<std::uint64_t> keys_a;
      std::vector<std::uint64_t> keys_b;
      append_supershingle_keys(a, minimum, keys_a);
      append_supershingle_keys(b, minimum, keys_b);
      EXPECT_EQ(keys_a.size(), minimum == 1 ? 6U : 15U);
      const bool meets = std::find_first_of(keys_a.begin(), keys_a.end(), keys_b.begin(), keys_b.end()) != keys_a.end();
      EXPECT_EQ(meets, common_supershingles(a, b) >= minimum);
    }
  }
}

TEST(Henzinger, RequiresBothTests) {
  const auto henzinger = make_default(kHenzinger);
  std::vector<std::string> words = numbered_words(0, 1000);
  const PageFingerprint original = fingerprint_of(*henzinger, TestPage(words));
  EXPECT_EQ(original.values.size(), 12U);
  std::vector<std::string> edited_words = words;
  edited_words[500] = "changed";
  const PageFingerprint edited = fingerprint_of(*henzinger, TestPage(edited_words));
  EXPECT_GE(henzinger->similarity(original, edited).resemblance, henzinger->threshold());
  // The same words in another order pass only the second test.
  std::vector<std::string> shuffled_words = words;
  std::shuffle(shuffled_words.begin(), shuffled_words.end(), std::mt19937_64(1));
  const PageFingerprint shuffled = fingerprint_of(*henzinger, TestPage(shuffled_words));
  EXPECT_TRUE(std::equal(original.values.begin() + 6, original.values.end(), shuffled.values.begin() + 6));
  EXPECT_EQ(henzinger->similarity(original, shuffled).resemblance, 0);
  // 29 bits may differ, 30 may not.
  PageFingerprint projected = original;
  projected.values[7] ^= (std::uint64_t{1} << 29) - 1;
  EXPECT_EQ(henzinger->similarity(original, projected).resemblance, henzinger->threshold());
  projected.values[7] ^= std::uint64_t{1} << 29;
  EXPECT_LT(henzinger->similarity(original, projected).resemblance, henzinger->threshold());
}

TEST(MinHashFamily, SharesTheCommonProperties) {
  std::vector<std::string> words = numbered_words(0, 600);
  const TestPage a(words);
  for (std::size_t i = 100; i < 110; ++i) words[i] = "changed" + std::to_string(i);
  const TestPage b(words);
  const TestPage other(numbered_words(1000, 1600));
  for (const FingerprinterFactory* factory :
       {&kMinHash, &kMinHashOnePermutation, &kMinHashBBit, &kMinHashForest, &kShingleFetterly, &kHenzinger}) {
    const auto algorithm = make_default(*factory);
    const PageFingerprint page_a = fingerprint_of(*algorithm, a);
    const PageFingerprint page_b = fingerprint_of(*algorithm, b);
    EXPECT_EQ(page_a, fingerprint_of(*algorithm, a));
    EXPECT_EQ(algorithm->similarity(page_a, page_a).resemblance, 1);
    EXPECT_EQ(algorithm->similarity(page_a, page_b).resemblance, algorithm->similarity(page_b, page_a).resemblance);
    EXPECT_LT(algorithm->similarity(page_a, fingerprint_of(*algorithm, other)).resemblance, 0.3);
    EXPECT_EQ(fingerprint_of(*algorithm, TestPage({"one", "two"})).state, FingerprintState::kShort);
    EXPECT_EQ(fingerprint_of(*algorithm, TestPage({})).state, FingerprintState::kShort);
    // Pages that count as similar have a common key.
    const IndexPlan plan = algorithm->index_plan(algorithm->sweep_minimum());
    const auto* const by_keys = std::get_if<EqualKeysPlan>(&plan);
    if (by_keys == nullptr) continue;
    std::vector<std::uint64_t> keys_a;
    std::vector<std::uint64_t> keys_b;
    algorithm->index_keys(page_a, *by_keys, keys_a);
    algorithm->index_keys(page_b, *by_keys, keys_b);
    if (algorithm->similarity(page_a, page_b).resemblance < algorithm->sweep_minimum()) continue;
    EXPECT_NE(std::find_first_of(keys_a.begin(), keys_a.end(), keys_b.begin(), keys_b.end()), keys_a.end());
  }
}

}  // namespace
}  // namespace paraprint
