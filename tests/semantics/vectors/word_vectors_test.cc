#include "semantics/vectors/word_vectors.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>

#include "forged_model.h"
#include "semantics/vectors/vectors_layout.h"
#include "temporary_folder.h"
#include "vectors_testing.h"

namespace paraprint {
namespace {

const std::vector<TestVector> kFruit = {
    {"苹果", {1, 0, 0}}, {"梨子", {1, 1, 0}}, {"Apple", {0, 0, -2}}, {"汽车", {0, 3, 4}}};

std::string file_of(const std::vector<TestVector>& vectors, std::uint32_t searched = 4) {
  WriteVectorsOptions options;
  options.searched_words = searched;
  return builder_of(vectors).file_bytes(options);
}

TEST(WordVectors, FindsAddedWords) {
  TemporaryFolder folder;
  const std::string path = folder / "model";
  WriteVectorsOptions options;
  options.searched_words = 3;
  ASSERT_TRUE(builder_of(kFruit).write(path, options));
  const auto vectors = WordVectors::open(path);
  ASSERT_TRUE(vectors) << vectors.error().message;
  EXPECT_EQ((*vectors)->facts().words, 4U);
  EXPECT_EQ((*vectors)->facts().dimension, 3U);
  EXPECT_EQ((*vectors)->find("苹果"), 0U);
  EXPECT_EQ((*vectors)->find("apple"), 2U) << "words are normalised";
  EXPECT_EQ((*vectors)->find("Apple"), std::nullopt);
  EXPECT_EQ((*vectors)->find(""), std::nullopt);
  EXPECT_EQ((*vectors)->word(3), "汽车");
  EXPECT_EQ((*vectors)->count(3), 997U);
  EXPECT_NEAR((*vectors)->cosine(0, 0), 1, 1e-6);
  EXPECT_NEAR((*vectors)->cosine(0, 1), std::sqrt(0.5), 0.005);
  EXPECT_NEAR((*vectors)->cosine(2, 3), -0.8, 0.005);
  EXPECT_EQ((*vectors)->cosine(1, 3), (*vectors)->cosine(3, 1));
}

TEST(WordVectors, StoresNearestWordsOfLeadingWords) {
  const AlignedBytes bytes(file_of(kFruit, 3));
  const auto vectors = WordVectors::read(bytes.view(), "model");
  ASSERT_TRUE(vectors) << vectors.error().message;
  const auto of_apple = (*vectors)->nearest(0);
  ASSERT_EQ(of_apple.size(), 2U) << "among the three searched words, without itself";
  EXPECT_EQ(of_apple[0], 1U);
  EXPECT_EQ(of_apple[1], 2U);
  EXPECT_TRUE((*vectors)->nearest(3).empty());
  const std::vector<NearWord> all = (*vectors)->search(3, 2);
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].row, 1U);
  EXPECT_EQ(all[1].row, 0U);
}

TEST(WordVectors, VersionFollowsTheContent) {
  const AlignedBytes bytes(file_of(kFruit));
  const AlignedBytes again(file_of(kFruit));
  std::vector<TestVector> other = kFruit;
  other[3].components[2] = 5;
  const AlignedBytes changed(file_of(other));
  const Fingerprint128 version = (*WordVectors::read(bytes.view(), "model"))->version();
  EXPECT_EQ((*WordVectors::read(again.view(), "model"))->version(), version);
  EXPECT_NE((*WordVectors::read(changed.view(), "model"))->version(), version);
}

TEST(WordVectorsBuilder, CountsSkippedWords) {
  VectorFacts facts;
  facts.dimension = 2;
  WordVectorsBuilder builder(facts, 10);
  EXPECT_TRUE(builder.add("car", std::vector<float>{1, 0}, 5));
  EXPECT_TRUE(builder.add("CAR", std::vector<float>{0, 1}, 5));
  EXPECT_TRUE(builder.add("new york", std::vector<float>{0, 1}, 5));
  EXPECT_TRUE(builder.add("</s>", std::vector<float>{0, 1}, 5));
  EXPECT_TRUE(builder.add(std::string(kVectorWordBytesMaximum + 1, 'a'), std::vector<float>{0, 1}, 5));
  EXPECT_TRUE(builder.add("nothing", std::vector<float>{0, 0}, 5));
  EXPECT_TRUE(builder.add("计算机", std::vector<float>{0, 1}, 5));
  EXPECT_FALSE(builder.add("wrong", std::vector<float>{0, std::numeric_limits<float>::quiet_NaN()}, 5));
  EXPECT_FALSE(builder.add("wrong", std::vector<float>{std::numeric_limits<float>::infinity(), 0}, 5));
  EXPECT_EQ(builder.counts().added, 2U);
  EXPECT_EQ(builder.counts().repeated, 1U);
  EXPECT_EQ(builder.counts().not_one_word, 3U);
  EXPECT_EQ(builder.counts().without_length, 1U);
  EXPECT_EQ(builder.counts().with_han, 1U);
}

TEST(WordVectors, WritesNoFileWithoutWords) {
  TemporaryFolder folder;
  VectorFacts facts;
  facts.dimension = 2;
  const Status written = WordVectorsBuilder(facts, 10).write(folder / "model", {});
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, ErrorCode::kInvalidArgument);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(WordVectors, DetectsTruncationAndChangedBytes) {
  const std::string whole = file_of(kFruit);
  const auto last_section = aligned_section(std::string("苹果梨子apple汽车").size());
  const std::size_t padding = last_section - std::string("苹果梨子apple汽车").size();
  for (std::size_t size = 0; size + padding < whole.size(); ++size) {
    const AlignedBytes cut(whole.substr(0, size));
    EXPECT_FALSE(WordVectors::read(cut.view(), "model")) << size;
  }
  // All bytes except the padding of header and sections.
  for (std::size_t i = 0; i < kModelFieldsBytes + 16; ++i) {
    std::string changed = whole;
    changed[i] = static_cast<char>(changed[i] ^ 1);
    const AlignedBytes bytes(changed);
    EXPECT_FALSE(WordVectors::read(bytes.view(), "model")) << i;
  }
  for (const std::size_t i : {whole.size() - last_section, whole.size() - 2 * last_section, kModelHeaderBytes}) {
    std::string changed = whole;
    changed[i] = static_cast<char>(changed[i] ^ 4);
    const AlignedBytes bytes(changed);
    const auto read = WordVectors::read(bytes.view(), "model");
    ASSERT_FALSE(read) << i;
    EXPECT_NE(read.error().message.find("checksum"), std::string::npos) << read.error().message;
  }
}

TEST(WordVectors, ValidatesEveryTable) {
  const auto with = [](std::size_t section, std::uint32_t value) {
    const AlignedBytes bytes(forged_model(file_of(kFruit), section_sizes(VectorFacts{3, 4, 4}, 23), section, 0, value));
    const auto read = WordVectors::read(bytes.view(), "model");
    return read ? std::string() : read.error().message;
  };
  EXPECT_EQ(with(kWordEnds, 6), "") << "the first word ends at byte 6: unchanged";
  EXPECT_NE(with(kWordEnds, 6000).find("ends out of bounds"), std::string::npos);
  EXPECT_NE(with(kOrder, 4).find("contains row 4"), std::string::npos);
  EXPECT_NE(with(kOrder, 3).find("not in ascending order"), std::string::npos);
  EXPECT_EQ(with(kScales, std::bit_cast<std::uint32_t>(kScaleMaximum)), "") << "of 苹果: unchanged";
  const float too_large = std::nextafter(kScaleMaximum, 1.0F);
  for (const float scale : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(), 0.0F,
                            -kScaleMaximum, too_large, 3e38F}) {
    EXPECT_NE(with(kScales, std::bit_cast<std::uint32_t>(scale)).find("word 0 has an impossible length"),
              std::string::npos)
        << scale;
  }
  EXPECT_NE(with(kNearest, 9).find("row 9"), std::string::npos);
}

// Readers reject larger scales, whatever the vectors that are written.
TEST(WordVectors, WritesScalesWithinTheRangeOfReaders) {
  TestRandom random(7);
  std::vector<TestVector> vectors;
  for (int i = 0; i < 300; ++i) {
    const double size = std::pow(2.0, static_cast<double>(random.next() % 200) - 120);
    const bool is_axis = i % 3 == 0;
    TestVector& vector = vectors.emplace_back();
    for (int rest = i; rest >= 0; rest = rest / 26 - 1) vector.word += static_cast<char>('a' + rest % 26);
    vector.word = "zq" + vector.word + "zq";
    for (int j = 0; j < 4; ++j) {
      const double part = static_cast<double>(random.next() >> 11) * 0x1p-53 - 0.5;
      vector.components.push_back(is_axis && j > 0 ? 0 : static_cast<float>(size * part));
    }
  }
  const AlignedBytes bytes(file_of(vectors));
  const auto read = WordVectors::read(bytes.view(), "model");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ((*read)->facts().words, vectors.size());
}

TEST(WordVectors, RejectsOtherFiles) {
  TemporaryFolder folder;
  const auto missing = WordVectors::open(folder / "none");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::kNotFound);
  std::ofstream(folder / "text") << "car 1 2 3\n";
  const auto text = WordVectors::open(folder / "text");
  ASSERT_FALSE(text);
  EXPECT_NE(text.error().message.find("vectors import"), std::string::npos);
  std::string newer = file_of(kFruit);
  newer[24] = 2;
  const AlignedBytes bytes(newer);
  EXPECT_EQ(WordVectors::read(bytes.view(), "model").error().code, ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace paraprint
