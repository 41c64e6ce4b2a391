#include "text/part_of_speech_tagger.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

namespace paraprint {
namespace {

TEST(PartOfSpeechTagger, TagsNamesOfPeopleAndPlaces) {
  EXPECT_EQ(tag_unknown_word("王晓敏"), "nr");
  EXPECT_EQ(tag_unknown_word("陈志豪"), "nr");
}

TEST(PartOfSpeechTagger, IsEmptyForUnknownCharacters) {
  EXPECT_EQ(tag_unknown_word(""), "");
  EXPECT_EQ(tag_unknown_word("word"), "");
  EXPECT_EQ(tag_unknown_word("王x"), "");
  EXPECT_EQ(tag_unknown_word("\xE7\x8E"), "");  // half a character
}

// Python's jieba as the oracle: if its model treats the characters as one word, its tag must be ours.
TEST(PartOfSpeechTagger, AgreesWithPythonsJieba) {
  const std::u32string characters =
      U"王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗小晓志文明国华建军丽敏伟芳娜静强磊洋勇艳杰娟涛超秀英霞平刚桂大中山东西"
      U"南北"
      U"江河湖海市县村镇城路街学校公司厂店网机电车船飞行走看听说读写吃喝玩乐打跑跳红黄蓝白黑好坏快慢新旧长短一二三四五"
      U"六七八九"
      U"十百千万年月日时分很不也都就才又再我你他她它们这那哪谁什么的地得了着过和与或在从向到把被让给为因所以但而且";
  std::mt19937 random(3);
  std::vector<std::string> words;
  for (int i = 0; i < 4'000; ++i) {
    std::string word;
    for (std::size_t length = 1 + random() % 4; length > 0; --length) {
      const char32_t c = characters[random() % characters.size()];
      word += static_cast<char>(0xE0 | c >> 12);
      word += static_cast<char>(0x80 | (c >> 6 & 0x3F));
      word += static_cast<char>(0x80 | (c & 0x3F));
    }
    words.push_back(std::move(word));
  }
  const std::string base = testing::TempDir() + "paraprint_tagger_" + std::to_string(getpid());
  {
    std::ofstream file(base + ".in");
    for (const std::string& word : words) file << word << '\n';
  }
  const std::string command = "'" PARAPRINT_PYTHON "' '" PARAPRINT_TEST_SCRIPTS
                              "/jieba_tagger_oracle.py' '" PARAPRINT_JIEBA_DIRECTORY "' < '" +
                              base + ".in' > '" + base + ".out'";
  ASSERT_EQ(std::system(command.c_str()), 0) << command;
  std::ifstream tags(base + ".out");
  std::size_t compared = 0;
  for (const std::string& word : words) {
    std::string tag;
    ASSERT_TRUE(std::getline(tags, tag));
    if (tag == "-") continue;
    ++compared;
    EXPECT_EQ(tag_unknown_word(word), tag) << word;
  }
  EXPECT_GT(compared, 500U);
  std::filesystem::remove(base + ".in");
  std::filesystem::remove(base + ".out");
}

}  // namespace
}  // namespace paraprint
