#include "semantics/vectors/dense_paragraphs.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "base/hash.h"
#include "forged_model.h"
#include "semantics/models/model_file.h"
#include "temporary_folder.h"
#include "vectors_testing.h"

namespace paraprint {
namespace {

constexpr std::uint32_t kDimension = 6;

std::string word_of(int number) {
  return "word" + std::string(1, static_cast<char>('a' + number / 26)) + static_cast<char>('a' + number % 26);
}

std::vector<TestVector> random_vectors(int count) {
  TestRandom random(9);
  std::vector<TestVector> vectors;
  for (int i = 0; i < count; ++i) {
    TestVector& vector = vectors.emplace_back(TestVector{word_of(i), {}});
    for (std::uint32_t j = 0; j < kDimension; ++j) {
      vector.components.push_back(
          static_cast<float>(static_cast<double>(static_cast<std::int64_t>(random.next())) * 0x1p-63));
    }
  }
  return vectors;
}

std::shared_ptr<const WordVectors> model_of(const std::vector<TestVector>& vectors, const std::string& path) {
  EXPECT_TRUE(builder_of(vectors).write(path, {}));
  return *WordVectors::open(path);
}

PrincipalComponents some_components() {
  PrincipalComponents components;
  components.mean = {0.1, -0.2, 0, 0.05, 0, 0.3};
  components.directions = {1, 0, 0, 0, 0, 0, 0, 0.6, 0.8, 0, 0, 0, 0, -0.8, 0.6, 0, 0, 0};
  components.variances = {3, 2, 1};
  components.total_variance = 8;
  return components;
}

struct Text {
  std::vector<Fingerprint128> hashes;
  std::vector<std::uint32_t> weights;
};
Text text_of(const std::vector<std::pair<int, std::uint32_t>>& words) {
  Text text;
  for (const auto& [number, weight] : words) {
    text.hashes.push_back(murmur128(word_of(number)));
    text.weights.push_back(weight);
  }
  return text;
}

// The definition, in real numbers, bit by bit.
std::array<double, 128> slow_sums(const WordVectors& vectors, const PrincipalComponents& components,
                                  const std::vector<std::pair<int, std::uint32_t>>& words) {
  std::vector<double> mean(kDimension, 0);
  double total = 0;
  for (const auto& [number, weight] : words) {
    const std::uint32_t row = *vectors.find(word_of(number));
    for (std::uint32_t j = 0; j < kDimension; ++j) {
      mean[j] += weight * static_cast<double>(vectors.scale(row)) * vectors.components(row)[j];
    }
    total += weight;
  }
  std::array<double, 128> sums{};
  for (std::size_t c = 0; c < components.variances.size(); ++c) {
    double z = 0;
    for (std::uint32_t j = 0; j < kDimension; ++j) {
      z += components.directions[c * kDimension + j] * (mean[j] / total - components.mean[j]);
    }
    for (std::size_t bit = 0; bit < 128; ++bit) {
      const std::uint64_t lot = split_mix_output((2 * c + 1 + bit / 64) * kSplitMixStep);
      sums[bit] += (lot >> (63 - bit % 64) & 1) != 0 ? z : -z;
    }
  }
  return sums;
}

TEST(DenseParagraphs, ComputesWeightedMean) {
  TemporaryFolder folder;
  const auto vectors = model_of({{"wordaa", {3, 4, 0, 0, 0, 0}}, {"wordab", {0, 0, 0, 0, 0, -2}}}, folder / "model");
  const DenseParagraphs dense(vectors, false);
  std::vector<double> mean;
  Text text = text_of({{0, 30000}, {1, 10000}, {7, 99999}, {1, 0}});
  ASSERT_TRUE(dense.mean(text.hashes, text.weights, 2, mean));
  EXPECT_NEAR(mean[0] / kMeanOne, 0.75 * 0.6, 3e-3) << "rounded to a byte";
  EXPECT_NEAR(mean[1] / kMeanOne, 0.75 * 0.8, 3e-3);
  EXPECT_NEAR(mean[5] / kMeanOne, -0.25, 3e-3);
  EXPECT_FALSE(dense.mean(text.hashes, text.weights, 3, mean)) << "one of the three words is not in the model";
  text = text_of({{7, 5}});
  EXPECT_FALSE(dense.mean(text.hashes, text.weights, 0, mean)) << "nothing to take the mean of";
  const DenseParagraphs by_blake(vectors, true);
  EXPECT_FALSE(by_blake.mean(std::vector{murmur128("wordaa")}, std::vector<std::uint32_t>{1}, 1, mean));
  EXPECT_TRUE(by_blake.mean(std::vector{blake2b128("wordaa")}, std::vector<std::uint32_t>{1}, 1, mean));
}

// Component and sign of each word from its hash, by hand.
TEST(DenseParagraphs, HashedWordsAreSignedComponents) {
  constexpr std::uint32_t kComponents = 16;
  const DenseParagraphs dense(kComponents);
  const Text text = text_of({{0, 30000}, {1, 10000}, {1, 0}, {0, 10000}, {5, 50000}});
  std::vector<double> expected(kComponents, 0);
  for (std::size_t i = 0; i < text.hashes.size(); ++i) {
    const double sign = (text.hashes[i].high & 0x8000000000000000ULL) != 0 ? 1 : -1;
    expected[text.hashes[i].low % kComponents] += sign * text.weights[i] / 100000;
  }
  std::vector<double> mean;
  ASSERT_TRUE(dense.mean(text.hashes, text.weights, 3, mean));
  ASSERT_EQ(mean.size(), kComponents);
  for (std::uint32_t j = 0; j < kComponents; ++j) EXPECT_NEAR(mean[j] / kMeanOne, expected[j], 1e-5) << j;
  EXPECT_FALSE(dense.mean(text.hashes, text.weights, 4, mean)) << "three different words";
}

// On average, products of hashed vectors are those of the vectors: here of texts that share half of their words.
TEST(DenseParagraphs, HashingKeepsProducts) {
  const DenseParagraphs dense(kHashedDimensionDefault);
  TestRandom random(5);
  double sum = 0;
  constexpr int kPairs = 200;
  constexpr int kWords = 40;
  for (int pair = 0; pair < kPairs; ++pair) {
    Text a, b;
    for (int i = 0; i < kWords; ++i) {
      const Fingerprint128 shared{random.next(), random.next()};
      a.hashes.push_back(shared);
      b.hashes.push_back(i % 2 == 0 ? shared : Fingerprint128{random.next(), random.next()});
    }
    a.weights.assign(kWords, 1000);
    std::vector<double> x, y;
    ASSERT_TRUE(dense.mean(a.hashes, a.weights, 8, x));
    ASSERT_TRUE(dense.mean(b.hashes, a.weights, 8, y));
    for (std::size_t j = 0; j < x.size(); ++j) sum += x[j] * y[j] / kMeanOne / kMeanOne;
  }
  EXPECT_NEAR(sum / kPairs, 0.5 / kWords, 0.1 / kWords);
}

TEST(DenseParagraphs, NamesHashedWords) {
  EXPECT_EQ(*hashed_dimension("hashed"), kHashedDimensionDefault);
  EXPECT_EQ(*hashed_dimension("hashed:64"), 64U);
  EXPECT_EQ(*hashed_dimension("hashed.vectors"), std::nullopt);
  EXPECT_EQ(*hashed_dimension("./hashed"), std::nullopt);
  for (const char* const bad : {"hashed:", "hashed:15", "hashed:1025", "hashed:6x", "hashed:-16"}) {
    EXPECT_FALSE(hashed_dimension(bad)) << bad;
  }
  EXPECT_NE(hashed_version(16), hashed_version(17));
}

TEST(DenseFingerprinter, AgreesWithTheDefinition) {
  TemporaryFolder folder;
  const auto vectors = model_of(random_vectors(60), folder / "model");
  ASSERT_TRUE(write_reduction(folder / "reduction", {.vectors = vectors->version()}, some_components()));
  const auto reduction = Reduction::open(folder / "reduction");
  ASSERT_TRUE(reduction) << reduction.error().message;
  const DenseFingerprinter fingerprinter(DenseParagraphs(vectors, false), *reduction);
  TestRandom random(4);
  int compared = 0;
  for (int n = 0; n < 40; ++n) {
    std::vector<std::pair<int, std::uint32_t>> words;
    for (int i = 0; i < 12; ++i) {
      words.emplace_back(static_cast<int>(random.next() % 60), static_cast<std::uint32_t>(1 + random.next() % 300000));
    }
    const Text text = text_of(words);
    const auto found = fingerprinter.fingerprint(text.hashes, text.weights, 1);
    ASSERT_TRUE(found);
    const std::array<double, 128> sums = slow_sums(*vectors, some_components(), words);
    for (std::size_t bit = 0; bit < 128; ++bit) {
      if (std::abs(sums[bit]) < 1e-3) continue;  // the sign depends on rounding
      const std::uint64_t half = bit < 64 ? found->high : found->low;
      EXPECT_EQ(half >> (63 - bit % 64) & 1, sums[bit] > 0 ? 1U : 0U) << n << " " << bit;
      ++compared;
    }
  }
  EXPECT_GT(compared, 4500) << "of 5120";
}

// Texts with the same meaning and no word in common are near if their words have similar vectors.
TEST(DenseFingerprinter, SimilarWordsGiveSimilarBits) {
  std::vector<TestVector> words = random_vectors(40);
  for (int i = 20; i < 40; ++i) words[i].components = words[i - 20].components;
  for (int i = 20; i < 40; ++i) words[i].components[i % kDimension] += 0.1F;
  TemporaryFolder folder;
  const auto vectors = model_of(words, folder / "model");
  PrincipalComponents components = some_components();
  components.mean.assign(kDimension, 0);
  ASSERT_TRUE(write_reduction(folder / "reduction", {.vectors = vectors->version()}, components));
  const DenseFingerprinter fingerprinter(DenseParagraphs(vectors, false), *Reduction::open(folder / "reduction"));
  Text one;
  Text other;
  Text apart;
  for (int i = 0; i < 10; ++i) {
    one.hashes.push_back(murmur128(word_of(i)));
    other.hashes.push_back(murmur128(word_of(i + 20)));
    apart.hashes.push_back(murmur128(word_of(i + 10)));
  }
  one.weights = other.weights = apart.weights = std::vector<std::uint32_t>(10, 65536);
  const auto bits = [&](const Text& text) { return *fingerprinter.fingerprint(text.hashes, text.weights, 1); };
  const auto distance = [](const Fingerprint128& a, const Fingerprint128& b) {
    return std::popcount(a.high ^ b.high) + std::popcount(a.low ^ b.low);
  };
  EXPECT_LT(distance(bits(one), bits(other)), 24);
  EXPECT_GT(distance(bits(one), bits(apart)), 24);
}

std::string small_reduction() {
  return reduction_bytes({.vectors = {5, 6}, .paragraphs = 77}, some_components());
}

TEST(Reduction, RoundTrips) {
  const AlignedBytes bytes(small_reduction());
  const auto read = Reduction::read(bytes.view(), "model");
  ASSERT_TRUE(read) << read.error().message;
  const Reduction& reduction = **read;
  EXPECT_EQ(reduction.facts().dimension, kDimension);
  EXPECT_EQ(reduction.facts().components, 3U);
  EXPECT_EQ(reduction.facts().vectors, (Fingerprint128{5, 6}));
  EXPECT_EQ(reduction.facts().paragraphs, 77U);
  EXPECT_FLOAT_EQ(reduction.facts().share, 0.75F);
  EXPECT_EQ(reduction.mean()[1], std::lround(-0.2 * kMeanOne));
  EXPECT_EQ(reduction.direction(2)[1], std::lround(-0.8 * kDirectionOne));
  const AlignedBytes again(small_reduction());
  EXPECT_EQ((*Reduction::read(again.view(), "model"))->version(), reduction.version());
}

TEST(Reduction, DetectsTruncationAndChangedBytes) {
  const std::string whole = small_reduction();
  for (std::size_t size = 0; size < whole.size() - 8; ++size) {
    const AlignedBytes cut(whole.substr(0, size));
    EXPECT_FALSE(Reduction::read(cut.view(), "model")) << size;
  }
  std::size_t unnoticed = 0;
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string changed = whole;
    changed[i] = static_cast<char>(changed[i] ^ 1);
    const AlignedBytes bytes(changed);
    if (Reduction::read(bytes.view(), "model")) ++unnoticed;
  }
  // The end of the header, and the padding after mean (24 bytes), variances (12) and directions (72).
  EXPECT_EQ(unnoticed, 8 + 8 + 4 + 8U);
}

TEST(Reduction, RejectsNumbersOutOfRange) {
  constexpr std::array<std::uint64_t, 3> kSizes = {24, 12, 72};
  const AlignedBytes bytes(forged_model(small_reduction(), kSizes, 2, 0, kDirectionOne + 1));
  const auto read = Reduction::read(bytes.view(), "model");
  ASSERT_FALSE(read);
  EXPECT_NE(read.error().message.find("out of range"), std::string::npos) << read.error().message;
}

TEST(Reduction, RejectsOtherFiles) {
  TemporaryFolder folder;
  EXPECT_EQ(Reduction::open(folder / "none").error().code, ErrorCode::kNotFound);
  std::ofstream(folder / "text") << "ferry\n";
  const auto text = Reduction::open(folder / "text");
  ASSERT_FALSE(text);
  EXPECT_NE(text.error().message.find("vectors reduce"), std::string::npos);
  std::string newer = small_reduction();
  newer[kModelMagicBytes] = 2;
  const AlignedBytes bytes(newer);
  EXPECT_EQ(Reduction::read(bytes.view(), "model").error().code, ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace paraprint
