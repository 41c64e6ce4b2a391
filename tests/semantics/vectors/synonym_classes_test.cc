#include "semantics/vectors/synonym_classes.h"

#include <algorithm>
#include <memory>

#include "semantics/vectors/synonym_guard.h"
#include "vectors_testing.h"

namespace paraprint {
namespace {

// A model and the bytes it is read from.
struct TestModel {
  explicit TestModel(const std::vector<TestVector>& words) {
    WriteVectorsOptions options;
    options.searched_words = static_cast<std::uint32_t>(words.size());
    bytes = std::make_unique<AlignedBytes>(builder_of(words).file_bytes(options));
    vectors = *WordVectors::read(bytes->view(), "model");
  }
  std::unique_ptr<AlignedBytes> bytes;
  std::shared_ptr<const WordVectors> vectors;
};

using Classes = std::vector<std::vector<std::string>>;

Classes merged(const std::vector<TestVector>& words, const std::string& list = "", SynonymRules rules = {}) {
  SynonymLists lists;
  const Status added = lists.add(list, "list");
  EXPECT_TRUE(added);
  const TestModel model(words);
  Classes classes = merge_neighbours(*model.vectors, lists, rules);
  for (std::vector<std::string>& words_of_class : classes) std::sort(words_of_class.begin(), words_of_class.end());
  return classes;
}

TEST(MergeNeighbours, MergesMutualNeighboursAboveTheMinimum) {
  EXPECT_EQ(merged({{"automobile", {10, 1, 0}}, {"motorcar", {10, 2, 0}}, {"garden", {0, 0, 10}}}),
            (Classes{{"automobile", "motorcar"}}));
  EXPECT_TRUE(merged({{"automobile", {10, 0, 0}}, {"motorcar", {10, 10, 0}}}).empty()) << "cosine 0.71";
  // The nearest word of `vehicle` is `motorcar`, whose nearest word is another one.
  EXPECT_EQ(merged({{"automobile", {10, 0}}, {"motorcar", {10, 1}}, {"vehicle", {10, 4}}}),
            (Classes{{"automobile", "motorcar"}}));
}

TEST(MergeNeighbours, GuardKeepsWordsApart) {
  const auto pair = [](const std::string& a, const std::string& b) {
    return Classes(merged({{a, {10, 0}}, {b, {10, 1}}}, "! monday tuesday\n! 上涨 下跌\n! 东 西\n"));
  };
  EXPECT_EQ(pair("研究", "探讨").size(), 1U);
  EXPECT_TRUE(pair("monday", "tuesday").empty()) << "kept apart by a line";
  EXPECT_TRUE(pair("上涨", "下跌").empty()) << "kept apart by a line";
  EXPECT_TRUE(pair("东部", "西部").empty()) << "kept apart by a line of single characters";
  EXPECT_TRUE(pair("北京", "上海").empty()) << "names";
  EXPECT_TRUE(pair("version1", "version2").empty()) << "digits";
  EXPECT_TRUE(pair("可能性", "不可能性").empty());
  EXPECT_TRUE(pair("likely", "unlikely").empty());
  EXPECT_TRUE(pair("useful", "useless").empty());
  EXPECT_TRUE(pair("苹果", "apple").empty()) << "two scripts";
  EXPECT_TRUE(pair("研究", "漂亮").empty()) << "verb and adjective";
  EXPECT_TRUE(pair("cat", "dog").empty()) << "short";
}

TEST(MergeNeighbours, ListsTakePrecedence) {
  const std::vector<TestVector> words = {{"automobile", {10, 0}}, {"motorcar", {10, 1}}};
  EXPECT_EQ(merged(words, "automobile car\n"), (Classes{{"automobile", "car", "motorcar"}}));
  EXPECT_EQ(merged(words, "automobile car\nmotorcar auto\n"), (Classes{{"automobile", "car"}, {"auto", "motorcar"}}))
      << "two listed classes are not merged";
  SynonymRules small;
  small.class_words_maximum = 2;
  EXPECT_EQ(merged(words, "automobile car\n", small), (Classes{{"automobile", "car"}}));
}

TEST(SoftNeighbours, GivesNearestWordsWithCosines) {
  const TestModel model(
      {{"automobile", {10, 0}}, {"motorcar", {10, 1}}, {"vehicle", {10, 4}}, {"monday", {10, 2}}, {"garden", {0, 10}}});
  SynonymLists lists;
  ASSERT_TRUE(lists.add("! monday automobile\n", "list"));
  SynonymRules rules;
  rules.soft_neighbours = 2;
  const std::vector<SynonymContent::Soft> soft = soft_neighbours(*model.vectors, lists, rules);
  ASSERT_FALSE(soft.empty());
  EXPECT_EQ(soft[0].word, "automobile");
  ASSERT_EQ(soft[0].neighbours.size(), 2U);
  EXPECT_EQ(soft[0].neighbours[0].word, "motorcar");
  EXPECT_EQ(soft[0].neighbours[1].word, "vehicle") << "not monday, which a line keeps apart";
  EXPECT_NEAR(soft[0].neighbours[0].weight, 0.995, 0.005);
  EXPECT_TRUE(std::none_of(soft.begin(), soft.end(), [](const auto& word) { return word.word == "garden"; }));
}

}  // namespace
}  // namespace paraprint
