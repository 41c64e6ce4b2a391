#include "semantics/topics/topic_model.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "base/hash.h"
#include "forged_model.h"
#include "semantics/topics/topic_layout.h"
#include "temporary_folder.h"
#include "topics_testing.h"

namespace paraprint {
namespace {

const std::vector<std::vector<float>> kProbabilities = {
    {0.5F, 0.0001F, 0.3F}, {0, 0.6F, 0}, {0.3F, 0.3F, 0.25F}, {0.1F, 0, 0.2F}};

std::string small_model() {
  return topic_model_bytes(words_only(4), topics_of(kProbabilities, 0.25F));
}

std::vector<std::vector<std::uint32_t>> rows_of(const std::vector<std::vector<ProbableWord>>& topics) {
  std::vector<std::vector<std::uint32_t>> rows;
  for (const std::vector<ProbableWord>& words : topics) {
    rows.emplace_back();
    for (const ProbableWord& word : words) rows.back().push_back(word.row);
  }
  return rows;
}

// As sorting all words of a topic would: with ties, which go to the smaller row.
TEST(TopicModel, TopWordsAreTheFirstOfAll) {
  TestRandom random(3);
  constexpr std::size_t kWords = 60;
  constexpr float kStep = 0.01F;
  std::vector<std::vector<float>> probabilities;
  for (std::size_t i = 0; i < kWords; ++i) {
    probabilities.push_back({kStep * static_cast<float>(1 + random.below(8)), kStep});
  }
  const AlignedBytes bytes(topic_model_bytes(words_only(kWords), topics_of(probabilities, 0.25F)));
  const std::shared_ptr<const TopicModel> model = TopicModel::read(bytes.view(), "model").value();
  std::vector<std::pair<double, std::uint32_t>> sorted;
  for (std::uint32_t row = 0; row < kWords; ++row) {
    sorted.emplace_back(-model->probability(row, model->entries(row)[0]), row);
  }
  std::sort(sorted.begin(), sorted.end());
  for (const std::size_t count : {std::size_t{1}, std::size_t{7}, kWords}) {
    const std::vector<ProbableWord> top = model->top_words(count)[0];
    ASSERT_EQ(top.size(), count);
    for (std::size_t i = 0; i < count; ++i) {
      EXPECT_EQ(top[i].row, sorted[i].second);
      EXPECT_EQ(top[i].probability, -sorted[i].first);
    }
  }
}

TEST(TopicModel, RoundTrips) {
  TemporaryFolder folder;
  const std::string path = folder / "model";
  ASSERT_TRUE(write_topic_model(path, words_only(4), topics_of(kProbabilities, 0.25F)));
  const auto opened = TopicModel::open(path);
  ASSERT_TRUE(opened) << opened.error().message;
  const TopicModel& model = **opened;
  EXPECT_EQ(model.facts().topics, 3U);
  EXPECT_EQ(model.facts().words, 4U);
  EXPECT_EQ(model.facts().prior, 0.25F);
  EXPECT_EQ(model.facts().corpus_words, 77U);
  EXPECT_EQ(model.word(2), "w002");
  EXPECT_EQ(model.documents(2), 3U);
  EXPECT_EQ(model.find(hash64("w003")), 3U);
  EXPECT_EQ(model.find(hash64("w004")), std::nullopt);
  ASSERT_EQ(model.entries(0).size(), 2U) << "small fractions of the largest are left out";
  EXPECT_EQ(model.entries(0)[1].topic, 2);
  EXPECT_NEAR(model.probability(0, model.entries(0)[1]), 0.3, 1e-5);
  EXPECT_EQ(rows_of(model.top_words(2)), (std::vector<std::vector<std::uint32_t>>{{0, 2}, {1, 2}, {0, 2}}));
  EXPECT_EQ(rows_of(model.top_words(9)), (std::vector<std::vector<std::uint32_t>>{{0, 2, 3}, {1, 2}, {0, 2, 3}}));
  EXPECT_EQ(rows_of(model.top_words(0)), std::vector<std::vector<std::uint32_t>>(3));
  EXPECT_EQ(model.top_words(1)[2][0].probability, model.probability(0, model.entries(0)[1]));
  EXPECT_NEAR(model.share(1), 1.0 / 3, 1e-6);
}

TEST(TopicModel, VersionFollowsTheContent) {
  std::vector<std::vector<float>> other = kProbabilities;
  other[3][2] = 0.25F;
  const AlignedBytes one(small_model());
  const AlignedBytes again(small_model());
  const AlignedBytes changed(topic_model_bytes(words_only(4), topics_of(other, 0.25F)));
  const Fingerprint128 version = (*TopicModel::read(one.view(), "model"))->version();
  EXPECT_EQ((*TopicModel::read(again.view(), "model"))->version(), version);
  EXPECT_NE((*TopicModel::read(changed.view(), "model"))->version(), version);
}

TEST(TopicModel, DetectsTruncationAndChangedBytes) {
  const std::string whole = small_model();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const AlignedBytes cut(whole.substr(0, size));
    EXPECT_FALSE(TopicModel::read(cut.view(), "model")) << size;
  }
  std::size_t unnoticed = 0;
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string changed = whole;
    changed[i] = static_cast<char>(changed[i] ^ 1);
    const AlignedBytes bytes(changed);
    if (TopicModel::read(bytes.view(), "model")) ++unnoticed;
  }
  // Eight bytes at the end of the header, and four bytes of padding after the shares.
  EXPECT_EQ(unnoticed, 8 + 4U);
}

std::string said_of(std::size_t section, std::size_t offset, std::uint32_t value, std::size_t width = 4) {
  TopicFacts facts;
  facts.topics = 3;
  facts.words = 4;
  const AlignedBytes bytes(
      forged_model(small_model(), topic_section_sizes(facts, 8, 16), section, offset, value, width));
  const auto read = TopicModel::read(bytes.view(), "model.topics");
  return read ? std::string() : read.error().message;
}

TEST(TopicModel, ValidatesEveryTable) {
  const auto contains = [](const std::string& message, std::string_view part) {
    EXPECT_NE(message.find(part), std::string::npos) << message;
  };
  EXPECT_EQ(said_of(kTopicWordEnds, 0, 4), "") << "the first word ends at byte 4: unchanged";
  contains(said_of(kTopicWordEnds, 0, 0), "word 0 ends out of bounds");
  contains(said_of(kTopicWordEnds, 4, 900), "word 1 ends out of bounds");
  contains(said_of(kTopicWordBytes, 3, 'z', 1), "not in ascending order");
  contains(said_of(kTopicEntryEnds, 0, 0), "the topics of word 0 end out of bounds");
  contains(said_of(kTopicEntryEnds, 4, 4000), "the topics of word 1 end out of bounds");
  contains(said_of(kTopicEntryEnds, 12, 7), "entries without a word");
  contains(said_of(kTopicEntries, 0, 3, 2), "word 0 has an invalid topic");
  contains(said_of(kTopicEntries, 2, 0, 2), "word 0 has an invalid topic");
  contains(said_of(kTopicEntries, 4, 0, 2), "word 0 has an invalid topic");
  contains(said_of(kTopicScales, 4, 0x7FC00000), "word 1 has an invalid probability");
  contains(said_of(kTopicScales, 4, 0), "word 1 has an invalid probability");
  contains(said_of(kTopicShares, 8, 0x7FC00000), "topic 2 has an invalid share");
}

TEST(TopicModel, RejectsOtherFiles) {
  TemporaryFolder folder;
  const auto missing = TopicModel::open(folder / "none");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::kNotFound);
  std::ofstream(folder / "text") << "ferry pilot\n";
  const auto text = TopicModel::open(folder / "text");
  ASSERT_FALSE(text);
  EXPECT_NE(text.error().message.find("topics train"), std::string::npos);
  std::string newer = small_model();
  newer[kModelMagicBytes] = 2;
  const AlignedBytes bytes(newer);
  EXPECT_EQ(TopicModel::read(bytes.view(), "model").error().code, ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace paraprint
