// Paragraphs: merging of short blocks, content-defined cuts of long ones, and coverage of the text.
#include "segment/paragraph_segmenter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "text/normalise.h"

namespace paraprint {
namespace {

using ::testing::ElementsAre;

struct Block {
  std::string text;
  BlockRole role = BlockRole::kParagraph;
};

MainContent content_of(const std::vector<Block>& blocks) {
  MainContent content;
  for (const Block& block : blocks) {
    TextBlock added;
    added.role = block.role;
    added.span.begin_bytes = static_cast<std::uint32_t>(content.text.size());
    content.text += block.text;
    added.span.end_bytes = static_cast<std::uint32_t>(content.text.size());
    content.text += '\n';
    content.blocks.push_back(added);
  }
  return content;
}

std::vector<Paragraph> segment(const MainContent& content, ParagraphOptions options = {}) {
  std::vector<Paragraph> paragraphs;
  ParagraphSegmenter(options).segment(content, paragraphs);
  return paragraphs;
}

std::vector<std::uint32_t> sizes(const std::vector<Paragraph>& paragraphs) {
  std::vector<std::uint32_t> result;
  for (const Paragraph& paragraph : paragraphs) result.push_back(paragraph.content_characters);
  return result;
}

std::string letters(char letter, std::size_t count) {
  return std::string(count, letter);
}

// The worked example of docs/algorithms/paragraph-segmentation.md: pieces of 25, 8 and 30 characters give two
// paragraphs of 25 and 38 characters.
TEST(ParagraphSegmenter, MatchesTheWorkedExample) {
  EXPECT_THAT(sizes(segment(content_of({{letters('a', 25)}, {letters('b', 8)}, {letters('c', 30)}}))),
              ElementsAre(25, 38));
}

TEST(ParagraphSegmenter, LastShortPieceJoinsThePreviousOne) {
  EXPECT_THAT(sizes(segment(content_of({{letters('a', 25)}, {letters('b', 8)}}))), ElementsAre(33));
  EXPECT_THAT(sizes(segment(content_of({{letters('b', 8)}}))), ElementsAre(8));
}

TEST(ParagraphSegmenter, HeadingsStaySeparateAndMarkTheNextParagraph) {
  const auto paragraphs = segment(content_of(
      {{"Heading", BlockRole::kHeading}, {letters('a', 30)}, {letters('b', 30)}, {"Next", BlockRole::kHeading}}));
  EXPECT_THAT(sizes(paragraphs), ElementsAre(7, 30, 30, 4));
  EXPECT_TRUE(paragraphs[1].after_heading);
  EXPECT_FALSE(paragraphs[2].after_heading);
}

TEST(ParagraphSegmenter, ShortListItemsBecomeOneParagraph) {
  std::vector<Block> blocks;
  for (int i = 0; i < 6; ++i) blocks.push_back({letters('a', 10), BlockRole::kListItem});
  blocks.push_back({letters('b', 50), BlockRole::kListItem});
  EXPECT_THAT(sizes(segment(content_of(blocks))), ElementsAre(60, 50));
}

TEST(ParagraphSegmenter, IgnoresBlocksWithoutContent) {
  EXPECT_TRUE(segment(content_of({{"***"}, {"..."}})).empty());
  EXPECT_TRUE(segment(MainContent{}).empty());
}

// The cuts of a long block depend on its own sentences, so an insertion before it moves few of them.
TEST(ParagraphSegmenter, CutsOfALongBlockRealignAfterAnInsertion) {
  std::mt19937 random(3);
  std::string text;
  for (int s = 0; s < 120; ++s) {
    for (int w = 0; w < 9; ++w) text += letters(static_cast<char>('a' + random() % 26), 3 + random() % 5) + " ";
    text.back() = '.';
    text += " Next ";
  }
  const auto pieces = [](const std::string& block) {
    const MainContent content = content_of({{block}});
    std::set<std::string> result;
    for (const Paragraph& paragraph : segment(content)) {
      EXPECT_LE(paragraph.content_characters, 800U);
      result.insert(content.text.substr(paragraph.span.begin_bytes, paragraph.span.size_bytes()));
    }
    return result;
  };
  const std::set<std::string> before = pieces(text);
  const std::set<std::string> after = pieces("An inserted sentence stands in front of everything else here. " + text);
  std::size_t shared = 0;
  for (const std::string& piece : before) shared += after.count(piece);
  EXPECT_GT(before.size(), 8U);
  EXPECT_GE(shared + 4, before.size());
}

TEST(ParagraphSegmenter, SpansAscendAndCoverAllContentCharacters) {
  std::mt19937 random(9);
  for (int round = 0; round < 200; ++round) {
    std::vector<Block> blocks;
    for (std::size_t b = random() % 12; b > 0; --b) {
      std::string text;
      for (std::size_t w = random() % 200; w > 0; --w)
        text += letters('x', random() % 9) + (random() % 7 == 0 ? ". Y" : " ");
      blocks.push_back({text, static_cast<BlockRole>(random() % 6)});
    }
    const MainContent content = content_of(blocks);
    std::uint32_t sum = 0;
    std::uint32_t end = 0;
    for (const Paragraph& paragraph : segment(content)) {
      ASSERT_GE(paragraph.span.begin_bytes, end);
      ASSERT_GT(paragraph.span.end_bytes, paragraph.span.begin_bytes);
      end = paragraph.span.end_bytes;
      sum += count_content_characters(
          std::string_view(content.text).substr(paragraph.span.begin_bytes, paragraph.span.size_bytes()));
    }
    ASSERT_EQ(sum, count_content_characters(content.text));
  }
}

}  // namespace
}  // namespace paraprint
