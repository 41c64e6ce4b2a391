// What the texts of a cluster tell, on texts that are lists of sentences.
#include "provenance/text_relations.h"

#include <gtest/gtest.h>

#include <cmath>

#include "property.h"
#include "traced_pages.h"

namespace paraprint {
namespace {

double sign_of(const TextRelation& relation, TextSign sign) {
  return relation.signs[static_cast<std::size_t>(sign)];
}

TextRelation relate(const std::vector<TracedPage>& pages, std::uint32_t a, std::uint32_t b) {
  std::vector<std::uint32_t> texts;
  for (std::uint32_t page = 0; page < pages.size(); ++page) texts.push_back(page);
  StopCheck never;
  return TextRelations(pages, texts, never).relate(a, b);
}

TEST(TextRelations, CountsWhatIsSharedAndWhatIsNot) {
  const TextRelation relation = relate({traced_page("a", {1, 2, 3, 4, 4}), traced_page("b", {3, 4, 5})}, 0, 1);
  EXPECT_EQ(relation.shared_characters, 80);  // a sentence that is repeated counts once
  EXPECT_EQ(relation.only_a_characters, 80);
  EXPECT_EQ(relation.only_b_characters, 40);
  EXPECT_FALSE(relation.has_words);
  EXPECT_NEAR(text_closeness(relation), 80.0 / (80 + 40 + 40), 1e-12);
}

// A chain of edits 0 -> 1 -> 2, and 3 made from 0: what 1 and 3 share, 0 has.
TEST(TextRelations, WhatOthersHaveIsOlder) {
  const std::vector<TracedPage> pages = {traced_page("0", {1, 2, 3, 4}), traced_page("1", {1, 2, 3, 14}),
                                         traced_page("2", {1, 2, 23, 14}), traced_page("3", {1, 2, 3, 34})};
  EXPECT_GT(sign_of(relate(pages, 1, 2), TextSign::kSentencesElsewhere), 0);
  EXPECT_LT(sign_of(relate(pages, 2, 1), TextSign::kSentencesElsewhere), 0);
  EXPECT_EQ(sign_of(relate(pages, 1, 3), TextSign::kSentencesElsewhere), 0.5);  // sentence 14 is on one of two others
}

TEST(TextRelations, EditedSentencesAreRarerAndLessCohesive) {
  std::vector<TracedPage> pages = {traced_page("a", {1, 2, 3}), traced_page("b", {1, 2, 13})};
  mark_sentences(pages[1], {2}, {153, 77});
  const TextRelation relation = relate(pages, 0, 1);
  EXPECT_NEAR(sign_of(relation, TextSign::kChangedRarity), 25.0 / 255, 1e-9);
  EXPECT_NEAR(sign_of(relation, TextSign::kChangedCohesion), 51.0 / 255, 1e-9);
  EXPECT_NEAR(sign_of(relation, TextSign::kWholeCohesion), 17.0 / 255, 1e-9);
  EXPECT_GT(text_lean(relation.signs), 0);
}

TEST(TextRelations, WordsOfTheSketchCountLikeSentences) {
  std::vector<TracedPage> pages = {traced_page("a", {1}), traced_page("b", {2}), traced_page("c", {3})};
  for (std::size_t page = 0; page < pages.size(); ++page) {
    pages[page].sketch.pair_hashes.assign(PageSketch::kPairHashes, 0);
    // Of the places in which pages differ, a and c agree in the first half, and b is alone.
    for (std::size_t place = 0; place < 64; ++place) pages[page].sketch.pair_hashes[place] = page == 1 ? 1 : 2;
  }
  const TextRelation relation = relate(pages, 0, 1);
  EXPECT_TRUE(relation.has_words);
  EXPECT_NEAR(relation.word_similarity, 0.5, 0.01);
  EXPECT_EQ(sign_of(relation, TextSign::kWordsElsewhere), 1);
  EXPECT_EQ(sign_of(relate(pages, 0, 2), TextSign::kWordsElsewhere), 0);
}

TEST(TextRelations, NearestTextsShareRareSentences) {
  const std::vector<TracedPage> pages = {traced_page("0", {1, 2, 3}), traced_page("1", {1, 4}),
                                         traced_page("2", {1, 2, 3, 5}), traced_page("3", {6})};
  const std::vector<std::uint32_t> texts = {0, 1, 2, 3};
  StopCheck never;
  const TextRelations relations(pages, texts, never);
  EXPECT_EQ(relations.nearest(0, 5), (std::vector<std::uint32_t>{2, 1}));
  EXPECT_EQ(relations.nearest(0, 1), std::vector<std::uint32_t>{2});
  EXPECT_TRUE(relations.nearest(3, 5).empty());
  EXPECT_GT(relations.centrality(0), relations.centrality(3));
}

// Of a sentence that more texts have, the first ones are looked at.
TEST(TextRelations, NearestTextsAreAmongTheFirstThatHaveASentence) {
  std::vector<TracedPage> pages;
  std::vector<std::uint32_t> texts;
  for (std::uint32_t text = 0; text < 50; ++text) {
    pages.push_back(traced_page(std::to_string(text), {1, 100 + text}));
    texts.push_back(text);
  }
  StopCheck never;
  const TextRelations relations(pages, texts, never);
  EXPECT_EQ(relations.nearest(49, 50), std::vector<std::uint32_t>(texts.begin(), texts.begin() + 32));
  EXPECT_EQ(relations.nearest(0, 50), std::vector<std::uint32_t>(texts.begin() + 1, texts.begin() + 32));
}

TEST(TextRelations, ChangesItsSignWithTheOrderOfThePair) {
  CHECK_PROPERTY("antisymmetric", [] {
    std::vector<TracedPage> pages;
    for (const char* id : {"a", "b", "c"}) {
      TracedPage page = traced_page(id, *rc::gen::container<std::vector<std::uint64_t>>(rc::gen::inRange(0, 9)));
      for (TracedSentence& sentence : page.sentences) {
        sentence.marks = {*rc::gen::arbitrary<std::uint8_t>(), *rc::gen::arbitrary<std::uint8_t>()};
      }
      pages.push_back(page);
    }
    const TextRelation forth = relate(pages, 0, 1);
    const TextRelation back = relate(pages, 1, 0);
    RC_ASSERT(std::abs(text_lean(forth.signs) + text_lean(back.signs)) < 1e-9);
    RC_ASSERT(forth.only_a_characters == back.only_b_characters);
    RC_ASSERT(text_closeness(forth) > 0 && text_closeness(forth) <= 1);
  });
}

}  // namespace
}  // namespace paraprint
