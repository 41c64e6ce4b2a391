#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/hash.h"
#include "text/synonym_list.h"
#include "text/synonym_table.h"

namespace paraprint {
namespace {

std::string message_of(const std::string& text) {
  SynonymLists lists;
  const Status added = lists.add(text, "file");
  return added ? "" : added.error().message;
}

bool are_one(const SynonymLists& lists, const std::string& a, const std::string& b) {
  const auto holds = [](const std::vector<std::string>& words, const std::string& word) {
    return std::find(words.begin(), words.end(), word) != words.end();
  };
  return std::any_of(lists.classes.begin(), lists.classes.end(),
                     [&](const std::vector<std::string>& words) { return holds(words, a) && holds(words, b); });
}

TEST(SynonymList, ReadsClassesAndWordsKeptApart) {
  SynonymLists lists;
  ASSERT_TRUE(lists.add("# remark\n\n計算機\t电脑 # another\r\n! 上涨 下跌\nCar  automobile", "file"));
  ASSERT_EQ(lists.classes.size(), 2U);
  EXPECT_EQ(lists.classes[0], (std::vector<std::string>{"计算机", "电脑"})) << "normalised";
  EXPECT_EQ(lists.classes[1], (std::vector<std::string>{"car", "automobile"}));
  ASSERT_EQ(lists.apart.size(), 1U);
  EXPECT_EQ(lists.apart[0], (std::vector<std::string>{"上涨", "下跌"}));
}

TEST(SynonymList, LaterListsExtendClasses) {
  SynonymLists lists;
  ASSERT_TRUE(lists.add("car automobile\nbus coach\n", "first"));
  ASSERT_TRUE(lists.add("automobile motorcar\n", "second"));
  EXPECT_TRUE(are_one(lists, "car", "motorcar"));
  const Status joined = lists.add("car bus\n", "third");
  ASSERT_FALSE(joined);
  EXPECT_NE(joined.error().message.find("third:1: 'bus' would merge two classes"), std::string::npos);
}

TEST(SynonymList, ErrorsNameFileAndLine) {
  EXPECT_NE(message_of("car automobile\nbus\n").find("file:2: a line needs at least two words"), std::string::npos);
  EXPECT_NE(message_of("car motor-car\n").find("file:1: 'motor-car' is not a single word"), std::string::npos);
  EXPECT_NE(message_of("car automobile\nbus car\n").find("file:2: 'car' appears twice"), std::string::npos);
  EXPECT_NE(message_of("car automobile\n! automobile car\n").find("file:2: 'automobile' and 'car'"), std::string::npos);
  SynonymLists lists;
  ASSERT_TRUE(lists.add("car automobile\n! car motorcar\n", "first"));
  const Status joined = lists.add("bus coach\nautomobile motorcar\n! tree bush\n", "second");
  ASSERT_FALSE(joined);
  EXPECT_NE(joined.error().message.find("second:2: 'car' and 'motorcar' are in one class"), std::string::npos);
  EXPECT_NE(message_of("! car\n").find("file:1"), std::string::npos);
  EXPECT_NE(message_of("!\n").find("file:1"), std::string::npos);
  std::string many;
  for (int i = 0; i < 100; ++i) many += "word" + std::string(1, static_cast<char>('a' + i % 26)) + " ";
  EXPECT_NE(message_of(many).find("more than 64 words"), std::string::npos);
}

TEST(SynonymList, ClassesDoNotGrowBeyondTheirLimit) {
  SynonymLists lists;
  std::string first = "w1";
  std::string second = "w1";
  for (int i = 2; i <= 40; ++i) {
    first += fmt::format(" w{}", i);
    second += fmt::format(" v{}", i);
  }
  ASSERT_TRUE(lists.add(first, "first"));
  const Status added = lists.add("\n" + second, "second");
  ASSERT_FALSE(added);
  EXPECT_NE(added.error().message.find("second:2"), std::string::npos) << added.error().message;
  EXPECT_NE(added.error().message.find("more than 64 words"), std::string::npos) << added.error().message;
}

TEST(SynonymList, BundledListIsValid) {
  SynonymLists lists;
  const Status added = lists.add(bundled_synonym_text(), "bundled");
  ASSERT_TRUE(added) << added.error().message;
  EXPECT_GT(lists.classes.size(), 700U);
  EXPECT_TRUE(are_one(lists, "计算机", "电脑"));
  EXPECT_TRUE(are_one(lists, "car", "automobile"));
  EXPECT_FALSE(are_one(lists, "上涨", "下跌"));
}

TEST(SynonymTable, MostFrequentWordRepresentsItsClass) {
  SynonymContent content;
  content.classes = {{"automobile", "car", "motorcar"}, {"电脑", "计算机"}};
  content.soft.push_back({"tree", {{"bush", 0.8F}, {"car", 0.5F}}});
  const SynonymTable table(content);
  EXPECT_EQ(table.find(hash64("car")), nullptr) << "is the representative";
  ASSERT_NE(table.find(hash64("automobile")), nullptr);
  EXPECT_EQ(table.words()[table.find(hash64("automobile"))->representative], "car");
  EXPECT_EQ(table.words()[table.find(hash64("motorcar"))->representative], "car");
  EXPECT_EQ(table.find(hash64("bush")), nullptr);
  const SynonymTable::Entry* tree = table.find(hash64("tree"));
  ASSERT_NE(tree, nullptr);
  EXPECT_EQ(tree->representative, SynonymTable::kNoWord);
  ASSERT_EQ(table.neighbours(*tree).size(), 2U);
  EXPECT_EQ(table.words()[table.neighbours(*tree)[1].word], "car");
  EXPECT_EQ(table.size(), 4U);
}

}  // namespace
}  // namespace paraprint
