#include "semantics/topics/topic_corpus.h"

#include <algorithm>

#include "topics_testing.h"

namespace paraprint {
namespace {

MainContent content_of(const std::string& text) {
  MainContent content;
  content.text = text;
  TextBlock block;
  block.span = {0, static_cast<std::uint32_t>(text.size())};
  content.blocks.push_back(block);
  return content;
}

const std::vector<std::string> kPages = {"The harbour ferry and the harbour pilot in 1998", "A ferry, a tree; the tree",
                                         "Pilot of the tree 计算机 计算机", "Ferry of the 计算机"};

TopicCorpusLimits limits_of(std::size_t pages = 100, std::size_t words = 100) {
  TopicCorpusLimits limits;
  limits.pages_maximum = pages;
  limits.words_maximum = words;
  limits.documents_minimum = 2;
  limits.document_share_maximum = 0.7;
  return limits;
}

TopicCorpus corpus_of(const std::vector<std::string>& pages, const TopicCorpusLimits& limits) {
  TopicCorpusBuilder builder(limits);
  for (const std::string& page : pages) builder.add(content_of(page));
  return builder.finish();
}

TEST(TopicCorpus, KeepsWordsWithinDocumentLimits) {
  const TopicCorpus corpus = corpus_of(kPages, limits_of());
  // Left out: harbour (one page), ferry (three of four pages), 1998 (a number), the stop words.
  EXPECT_EQ(corpus.words, (std::vector<std::string>{"pilot", "tree", "计算机"}));
  EXPECT_EQ(corpus.documents, (std::vector<std::uint32_t>{2, 2, 2}));
  EXPECT_EQ(corpus.size(), 4U);
  EXPECT_EQ(corpus.running_words, 1 + 2 + 1 + 1 + 2 + 1U);
  EXPECT_EQ(corpus.ends.back(), corpus.word_of_entry.size());
}

void expect_equal(const TopicCorpus& one, const TopicCorpus& other) {
  EXPECT_EQ(one.words, other.words);
  EXPECT_EQ(one.documents, other.documents);
  EXPECT_EQ(one.ends, other.ends);
  EXPECT_EQ(one.word_of_entry, other.word_of_entry);
  EXPECT_EQ(one.count_of_entry, other.count_of_entry);
}

TEST(TopicCorpus, OrderOfPagesAndCopiesDoNotMatter) {
  const std::vector<std::string> turned = {kPages[3], kPages[1], kPages[3], kPages[0], kPages[2], kPages[1]};
  TopicCorpusBuilder builder(limits_of());
  for (const std::string& page : turned) builder.add(content_of(page));
  EXPECT_EQ(builder.pages(), 4U);
  EXPECT_EQ(builder.pages_repeated(), 2U);
  expect_equal(corpus_of(kPages, limits_of()), builder.finish());
}

// Letters, because digits would make numbers of their own.
std::string flood_page(std::size_t first, std::size_t words) {
  std::string text;
  for (std::size_t i = first; i < first + words; ++i) {
    text += "qz";
    for (std::size_t rest = i + 1; rest > 0; rest /= 26) text += static_cast<char>('a' + rest % 26);
    text += ' ';
  }
  return text;
}

// Beyond the limits of words as well, whatever fills them first.
TEST(TopicCorpus, OrderOfPagesDoesNotMatterBeyondTheLimitsOfWords) {
  TopicCorpusLimits limits = limits_of(40, 1000);
  limits.documents_minimum = 1;
  limits.document_share_maximum = 1;
  limits.page_words_maximum = 30;
  limits.sample_words_maximum = 200;
  TestRandom random(5);
  int cut_samples = 0;
  for (int round = 0; round < 50; ++round) {
    std::vector<std::string> pages;
    const std::size_t count = 1 + random.below(60);
    for (std::size_t i = 0; i < count; ++i) pages.push_back(flood_page(random.below(300), 1 + random.below(60)));
    const TopicCorpus first = corpus_of(pages, limits);
    EXPECT_LE(first.words.size(), limits.sample_words_maximum);
    EXPECT_FALSE(first.words.empty());
    if (first.size() < std::min(pages.size(), limits.pages_maximum)) ++cut_samples;
    for (std::size_t i = pages.size(); i > 1; --i) std::swap(pages[i - 1], pages[random.below(i)]);
    expect_equal(first, corpus_of(pages, limits));
  }
  EXPECT_GT(cut_samples, 10);
}

// Pages of words that no other page has neither keep out the words of the others nor the others themselves.
TEST(TopicCorpus, FloodsOfWordsLeaveTheOtherPages) {
  TopicCorpusLimits limits = limits_of();
  limits.document_share_maximum = 1;
  limits.page_words_maximum = 30;
  limits.sample_words_maximum = 200;
  const std::vector<std::string> words = corpus_of(kPages, limits).words;
  ASSERT_EQ(words.size(), 4U);
  for (const bool comes_first : {false, true}) {
    std::vector<std::string> pages = kPages;
    for (std::size_t i = 0; i < 5; ++i) {
      pages.insert(comes_first ? pages.begin() : pages.end(), flood_page(1000 * i, 1000));
    }
    const TopicCorpus corpus = corpus_of(pages, limits);
    EXPECT_EQ(corpus.words, words);
    EXPECT_EQ(corpus.size(), kPages.size());
  }
}

TEST(TopicCorpus, SampleHasTheSmallestHashes) {
  std::vector<std::string> pages;
  for (int i = 0; i < 60; ++i) {
    pages.push_back("ferry pilot page" + std::string(1, static_cast<char>('a' + i % 26)) +
                    std::string(i / 26 + 1, 'q'));
  }
  TopicCorpusLimits limits = limits_of(10);
  limits.document_share_maximum = 1;
  const TopicCorpus forward = corpus_of(pages, limits);
  EXPECT_EQ(forward.size(), 10U);
  std::reverse(pages.begin(), pages.end());
  const TopicCorpus backward = corpus_of(pages, limits);
  EXPECT_EQ(forward.words, backward.words);
  EXPECT_EQ(forward.word_of_entry, backward.word_of_entry);
}

TEST(TopicCorpus, MostFrequentWordsAreKept) {
  TopicCorpusLimits limits = limits_of(100, 1);
  limits.document_share_maximum = 1;
  EXPECT_EQ(corpus_of(kPages, limits).words, (std::vector<std::string>{"ferry"}));
}

TEST(TopicCorpus, EmptyInputGivesEmptyCorpus) {
  EXPECT_TRUE(corpus_of({}, limits_of()).words.empty());
  EXPECT_EQ(corpus_of({"", "the of and"}, limits_of()).size(), 0U);
}

}  // namespace
}  // namespace paraprint
