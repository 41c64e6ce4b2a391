#include "semantics/vectors/import.h"

#include <atomic>
#include <cstring>

#include "base/stop.h"
#include "vectors_testing.h"

namespace paraprint {
namespace {

constexpr std::uint32_t kAll = 1000;

std::string float_bytes(const std::vector<float>& numbers) {
  std::string bytes(numbers.size() * sizeof(float), '\0');
  std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return bytes;
}

std::string word2vec_file() {
  return "2 3\ncar " + float_bytes({1, 2, 2}) + "\n计算机 " + float_bytes({0, 0, 1}) + "\n";
}

std::string message_of(const Result<WordVectorsBuilder>& imported) {
  return imported ? "imported" : imported.error().message;
}

// The cosine of the two words of an imported model.
float cosine(Result<WordVectorsBuilder>& imported) {
  const AlignedBytes bytes(imported->file_bytes({}));
  return (*WordVectors::read(bytes.view(), "model"))->cosine(0, 1);
}

TEST(Import, Word2vec) {
  auto imported = import_word2vec(word2vec_file(), "file", kAll);
  ASSERT_TRUE(imported) << imported.error().message;
  EXPECT_EQ(imported->counts().added, 2U);
  EXPECT_EQ(imported->counts().with_han, 1U);
  EXPECT_NEAR(cosine(imported), 2.0 / 3, 0.005);
}

TEST(Import, TextWithHeading) {
  auto imported = import_word2vec_text("2 3\r\ncar 1 2 2 \r\n计算机 0 0 1e0\r\n", "file", kAll);
  ASSERT_TRUE(imported) << imported.error().message;
  EXPECT_EQ(imported->counts().added, 2U);
  EXPECT_NEAR(cosine(imported), 2.0 / 3, 0.005);
}

TEST(Import, Glove) {
  auto imported = import_glove("car 1 2 2\n计算机 0 0 1e-50\n. . 1 2 3\nbus 0 0 +1", "file", kAll);
  ASSERT_TRUE(imported) << imported.error().message;
  EXPECT_EQ(imported->counts().added, 2U);
  EXPECT_EQ(imported->counts().without_length, 1U) << "too small for a float";
  EXPECT_EQ(imported->counts().not_one_word, 1U) << "a word with a space";
  EXPECT_NEAR(cosine(imported), 2.0 / 3, 0.005);
}

TEST(Import, DetectsFormats) {
  EXPECT_EQ(find_vector_format(word2vec_file(), "f"), VectorFormat::kWord2vec);
  EXPECT_EQ(find_vector_format("2 3\ncar 1 2 2\n", "f"), VectorFormat::kWord2vecText);
  EXPECT_EQ(find_vector_format("car 1 2 2\n", "f"), VectorFormat::kGlove);
  EXPECT_EQ(find_vector_format("\xBA\x16\x4F\x2F\x0C", "f"), VectorFormat::kFastText);
  EXPECT_NE(find_vector_format("\x1F\x8B\x08", "f").error().message.find("unpack"), std::string::npos);
  EXPECT_FALSE(find_vector_format("", "f"));
  EXPECT_FALSE(find_vector_format("<html>\n", "f"));
}

// What editors and other programs do to a heading. Taken for GloVe's format, the file would be a model of one word.
TEST(Import, ReadsHeadingsWithMarksAndBlanks) {
  const std::string mark = "\xEF\xBB\xBF";
  for (const std::string& heading : {mark + "2 3\n", std::string("2\t3\n"), std::string("2  3\n"),
                                     std::string(" 2 3\n"), std::string("\t2 \t 3 \t\r\n")}) {
    const std::string text = heading + "car 1 2 2\nbus 0 0 1\n";
    EXPECT_EQ(find_vector_format(text, "f"), VectorFormat::kWord2vecText) << heading;
    auto imported = import_word2vec_text(text, "f", kAll);
    ASSERT_TRUE(imported) << heading << imported.error().message;
    EXPECT_EQ(imported->counts().added, 2U);
    EXPECT_NEAR(cosine(imported), 2.0 / 3, 0.005);
    const std::string binary = heading + word2vec_file().substr(4);
    EXPECT_EQ(find_vector_format(binary, "f"), VectorFormat::kWord2vec) << heading;
    EXPECT_TRUE(import_word2vec(binary, "f", kAll)) << heading;
  }
  for (const std::string other : {"2 3 4\n", "2,3\n", "2 \n", " 2\n", "2x 3\n"}) {
    EXPECT_FALSE(import_word2vec_text(other + "car 1 2 2\nbus 0 0 1\n", "f", kAll)) << other;
  }
  auto glove = import_glove(mark + "car 1 2 2\nbus 0 0 1\n", "f", kAll);
  ASSERT_TRUE(glove) << glove.error().message;
  EXPECT_EQ(glove->counts().added, 2U);
}

TEST(Import, TakesNoHeadingForAWordOfGlove) {
  for (const std::string heading : {"400,000 300\n", "-1 3\n", "2 3.0\n", "99999999999999999999 3\n", "2 3"}) {
    const auto format = find_vector_format(heading, "f");
    ASSERT_FALSE(format) << heading;
    EXPECT_NE(format.error().message.find("--format"), std::string::npos);
  }
  EXPECT_EQ(find_vector_format("2 3 4\n", "f"), VectorFormat::kGlove);
  EXPECT_EQ(find_vector_format("x 3\n", "f"), VectorFormat::kGlove);
}

TEST(Import, StopsAtTheMaximumNumberOfWords) {
  const auto imported = import_word2vec(word2vec_file(), "file", 1);
  ASSERT_TRUE(imported);
  EXPECT_EQ(imported->counts().added, 1U);
}

TEST(Import, EndsWhenAskedToStop) {
  const std::atomic<bool> stop{true};
  const StopScope scope(&stop);
  const std::string stopped = check_stop().error().message;
  EXPECT_EQ(message_of(import_word2vec(word2vec_file(), "file", kAll)), stopped);
  EXPECT_EQ(message_of(import_word2vec_text("1 2\ncar 1 2\n", "file", kAll)), stopped);
  EXPECT_EQ(message_of(import_glove("car 1 2\n", "file", kAll)), stopped);
}

TEST(Import, ErrorsInTextNameTheLine) {
  EXPECT_NE(
      message_of(import_word2vec_text("2 3\ncar 1 2 2\nbus 1 2\n", "f", kAll)).find("f:3: expected 3 numbers, found 2"),
      std::string::npos);
  EXPECT_NE(message_of(import_word2vec_text("2 3\ncar 1 x 2\n", "f", kAll)).find("f:2: 'x' is not a number"),
            std::string::npos);
  EXPECT_NE(message_of(import_word2vec_text("2 3\ncar 1 nan 2\n", "f", kAll)).find("f:2: the vector contains infinity"),
            std::string::npos);
  EXPECT_NE(
      message_of(import_word2vec_text("2 3\ncar 1 1e99 2\n", "f", kAll)).find("f:2: the vector contains infinity"),
      std::string::npos);
  EXPECT_NE(message_of(import_word2vec_text("3 2\ncar 1 2\n", "f", kAll)).find("after 1 of 3 words"),
            std::string::npos);
  EXPECT_NE(message_of(import_word2vec_text("1 2\ncar 1 2\nbus 1 2\n", "f", kAll)).find("f:3: more lines"),
            std::string::npos);
  EXPECT_NE(message_of(import_word2vec_text("car 1 2\n", "f", kAll)).find("expected a heading"), std::string::npos);
  EXPECT_NE(message_of(import_word2vec_text("5 2000\n", "f", kAll)).find("2000 numbers"), std::string::npos);
  EXPECT_NE(message_of(import_glove("car 1 2\nbus 1\n", "f", kAll)).find("f:2: expected 2 numbers, found 1"),
            std::string::npos);
  EXPECT_NE(message_of(import_glove("car\n", "f", kAll)).find("f:1"), std::string::npos);
}

TEST(Import, RejectsEveryTruncationOfABinaryFile) {
  const std::string whole = word2vec_file();
  for (std::size_t size = 0; size + 1 < whole.size(); ++size) {
    EXPECT_NE(message_of(import_word2vec(whole.substr(0, size), "f", kAll)), "imported") << size;
  }
  EXPECT_NE(message_of(import_word2vec("9 3\ncar " + float_bytes({1, 2, 2}), "f", kAll)).find("word 2"),
            std::string::npos);
  const std::string no_number = "1 1\ncar " + std::string("\x00\x00\xC0\x7F", 4);
  EXPECT_NE(message_of(import_word2vec(no_number, "f", kAll)).find("NaN"), std::string::npos);
}

}  // namespace
}  // namespace paraprint
