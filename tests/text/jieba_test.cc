// Python's jieba as the oracle: in every text, the words that contain a Han character must have the same positions.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <random>
#include <set>
#include <sstream>

#include "text/normalise.h"
#include "text/utf8.h"
#include "text/word_segmenter.h"

namespace paraprint {
namespace {

using Range = std::pair<std::uint32_t, std::uint32_t>;
using Ranges = std::vector<Range>;

std::string test_file(const std::string& name) {
  return std::string(PARAPRINT_TEST_SCRIPTS) + "/" + name;
}

std::vector<std::string> read_lines(const std::string& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

// The lines of a command's standard output; fails the test if the command fails.
std::vector<std::string> run(const std::string& command) {
  const std::string path = testing::TempDir() + "paraprint_jieba_" + std::to_string(getpid()) + ".out";
  EXPECT_EQ(std::system((command + " > '" + path + "'").c_str()), 0) << command;
  std::vector<std::string> lines = read_lines(path);
  std::filesystem::remove(path);
  return lines;
}

std::vector<Ranges> jieba_ranges(const std::vector<std::string>& texts) {
  const std::string path = testing::TempDir() + "paraprint_jieba_" + std::to_string(getpid()) + ".in";
  {
    std::ofstream file(path);
    for (const std::string& text : texts) file << text << '\n';
  }
  const std::vector<std::string> lines = run("'" PARAPRINT_PYTHON "' '" + test_file("jieba_oracle.py") +
                                             "' '" PARAPRINT_JIEBA_DIRECTORY "' < '" + path + "'");
  std::filesystem::remove(path);
  std::vector<Ranges> out;
  for (const std::string& line : lines) {
    Ranges ranges;
    std::istringstream stream(line);
    Range range;
    for (char dash; stream >> range.first >> dash >> range.second;) ranges.push_back(range);
    out.push_back(ranges);
  }
  return out;
}

bool holds_dictionary_han(std::string_view word) {
  for (const char* position = word.data(); position < word.data() + word.size();) {
    const DecodedCharacter character = decode_character(position, word.data() + word.size());
    if (character_class(character.code_point) == CharacterClass::kHan) return true;
    position += character.size_bytes;
  }
  return false;
}

Ranges our_ranges(const std::string& text) {
  std::vector<Token> tokens;
  WordSegmenter::shared().segment(text, tokens);
  Ranges ranges;
  for (const Token& token : tokens) {
    if (holds_dictionary_han(token.word(text))) ranges.emplace_back(token.begin_bytes, token.end_bytes);
  }
  return ranges;
}

struct Agreement {
  std::size_t jieba_words = 0;
  std::size_t equal_words = 0;
  std::string first_difference;
  double share() const {
    return jieba_words == 0 ? 1.0 : static_cast<double>(equal_words) / static_cast<double>(jieba_words);
  }
};

Agreement compare(const std::vector<std::string>& texts) {
  Agreement agreement;
  const std::vector<Ranges> expected = jieba_ranges(texts);
  EXPECT_EQ(expected.size(), texts.size());
  for (std::size_t i = 0; i < std::min(texts.size(), expected.size()); ++i) {
    const Ranges ours = our_ranges(texts[i]);
    const std::set<Range> found(ours.begin(), ours.end());
    for (const Range& range : expected[i]) {
      ++agreement.jieba_words;
      if (found.contains(range)) {
        ++agreement.equal_words;
      } else if (agreement.first_difference.empty()) {
        agreement.first_difference = texts[i].substr(range.first, range.second - range.first) + " in: " + texts[i];
      }
    }
    if (ours.size() > expected[i].size() && agreement.first_difference.empty()) {
      agreement.first_difference = "more words in: " + texts[i];
    }
  }
  return agreement;
}

class Jieba : public testing::Test {
 protected:
  void SetUp() override {
    if (std::system("'" PARAPRINT_PYTHON "' -c pass > /dev/null 2>&1") != 0) GTEST_SKIP() << "no Python";
    if (!std::filesystem::exists(PARAPRINT_JIEBA_DIRECTORY "/__init__.py")) GTEST_SKIP() << "no jieba";
  }
};

TEST_F(Jieba, AgreesOnTheSample) {
  const std::vector<std::string> texts = read_lines(std::string(PARAPRINT_TEST_DATA) + "/sample_zh.txt");
  ASSERT_GT(texts.size(), 20u);
  const Agreement agreement = compare(texts);
  EXPECT_EQ(agreement.first_difference, "");
  EXPECT_GT(agreement.jieba_words, 300u);
}

TEST_F(Jieba, AgreesOnTheNormalisedSample) {
  std::vector<std::string> texts = read_lines(std::string(PARAPRINT_TEST_DATA) + "/sample_zh.txt");
  std::string all;
  for (std::string& text : texts) {
    text = Normaliser().normalised(text);
    all += text + " ";
  }
  texts.push_back(all);
  EXPECT_EQ(compare(texts).first_difference, "");
}

// Random text covers cases that are rare in real text: ties, long unknown sequences, every combination of neighbours.
TEST_F(Jieba, AgreesOnRandomText) {
  std::mt19937 random(20240501);
  const auto draw = [&](std::uint32_t limit) { return static_cast<std::uint32_t>(random() % limit); };
  const std::u32string ascii = U"abTsSAB09+#&._%- ,Q";
  const std::u32string others = U"，。γ々〇のカー한éไ\U00020BB7\u9FD6\u3400";
  const std::u32string common =
      U"的一是在不了有和人这中大为上个国我以要他时来用们生到作地于出就分对成会可主发年动同工也能下过子说产种面";
  std::vector<std::string> texts;
  for (int line = 0; line < 3000; ++line) {
    std::string text;
    const std::uint32_t size = 1 + draw(60);
    const std::uint32_t kind = draw(4);
    for (std::uint32_t i = 0; i < size; ++i) {
      const std::uint32_t dice = draw(100);
      char32_t c = common[draw(static_cast<std::uint32_t>(common.size()))];
      if (dice < 40 + 10 * kind) c = 0x4E00 + draw(0x9FD6 - 0x4E00);
      if (dice >= 85 && kind > 0) c = ascii[draw(static_cast<std::uint32_t>(ascii.size()))];
      if (dice >= 97 && kind > 1) c = others[draw(static_cast<std::uint32_t>(others.size()))];
      append_character(c, text);
    }
    texts.push_back(text);
  }
  EXPECT_EQ(compare(texts).first_difference, "");
}

TEST_F(Jieba, AgreesOnRealTexts) {
  const char* const data = std::getenv("PARAPRINT_DATA_DIR");
  if (data == nullptr) GTEST_SKIP() << "PARAPRINT_DATA_DIR is not set";
  std::vector<std::string> texts =
      run("'" PARAPRINT_PYTHON "' '" + test_file("chinese_texts.py") + "' '" + data + "' 1000000");
  for (std::string& text : texts) text = Normaliser().normalised(text);
  const Agreement agreement = compare(texts);
  EXPECT_GT(agreement.jieba_words, 100000u);
  EXPECT_GE(agreement.share(), 0.999) << agreement.first_difference;
  std::printf("%zu of %zu words equal; %s\n", agreement.equal_words, agreement.jieba_words,
              agreement.first_difference.c_str());
}

}  // namespace
}  // namespace paraprint
