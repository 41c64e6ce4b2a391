// Generates profiles of made-up articles and of edited copies of them, without any text: for testing and measuring an
// index, at the speed of the random generator. A paragraph is a list of numbered sentences, from which hashes and
// fingerprints are derived.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "base/hash.h"
#include "paraprint/model.h"

namespace paraprint {

class ArticleGenerator {
 public:
  struct Sentence {
    std::uint64_t name = 0;
    std::uint16_t characters = 0;
  };
  struct Paragraph {
    std::vector<Sentence> sentences;
    Fingerprint128 simhash;
  };
  struct Article {
    std::vector<Paragraph> paragraphs;
    std::vector<std::uint8_t> pairs;
    std::vector<std::uint32_t> numbers;
  };

  explicit ArticleGenerator(std::uint64_t seed) : random_(seed) {}

  std::uint64_t below(std::uint64_t limit) { return random_() % limit; }

  Sentence sentence() { return {random_(), static_cast<std::uint16_t>(12 + below(70))}; }

  Paragraph paragraph(std::size_t sentences) {
    Paragraph made;
    for (std::size_t i = 0; i < sentences; ++i) made.sentences.push_back(sentence());
    made.simhash = {random_(), random_()};
    return made;
  }

  Article article(std::size_t paragraphs) {
    Article made;
    for (std::size_t i = 0; i < paragraphs; ++i) made.paragraphs.push_back(paragraph(1 + below(4)));
    for (std::size_t i = 0; i < PageSketch::kPairHashes; ++i) {
      made.pairs.push_back(static_cast<std::uint8_t>(random_()));
    }
    for (std::uint64_t i = below(9); i > 0; --i) made.numbers.push_back(static_cast<std::uint32_t>(random_()));
    return made;
  }

  // Changes a few words of a paragraph: replaces one sentence and flips some bits of the fingerprint.
  void edit_paragraph(Paragraph& paragraph, std::uint64_t flips_maximum) {
    paragraph.sentences[below(paragraph.sentences.size())] = sentence();
    for (std::uint64_t flips = below(flips_maximum + 1); flips > 0; --flips) {
      const std::uint64_t bit = below(128);
      (bit < 64 ? paragraph.simhash.high : paragraph.simhash.low) ^= std::uint64_t{1} << bit % 64;
    }
  }

  // A typical edited copy: paragraphs are edited, dropped, added and moved.
  Article edited(Article article, std::size_t edits) {
    for (; edits > 0; --edits) {
      auto& paragraphs = article.paragraphs;
      const std::size_t at = below(paragraphs.size());
      switch (below(6)) {
        case 0:
          if (paragraphs.size() > 1) paragraphs.erase(paragraphs.begin() + static_cast<std::ptrdiff_t>(at));
          break;
        case 1:
          paragraphs.insert(paragraphs.begin() + static_cast<std::ptrdiff_t>(at), paragraph(1 + below(4)));
          break;
        case 2:
          std::swap(paragraphs[at], paragraphs[below(paragraphs.size())]);
          break;
        default:
          edit_paragraph(paragraphs[at], 10);
      }
      for (std::size_t i = 0; i < 4; ++i) article.pairs[below(article.pairs.size())] ^= 0x55;
    }
    return article;
  }

  // A copy with a change in every sentence: no sentence, paragraph or fingerprint remains, but most pairs of words and
  // all numbers do.
  Article reworded(Article article, std::size_t changed_pairs) {
    for (Paragraph& made : article.paragraphs) {
      const std::vector<Sentence> before = made.sentences;
      made = paragraph(before.size());
      for (std::size_t i = 0; i < before.size(); ++i) made.sentences[i].characters = before[i].characters;
    }
    std::vector<std::size_t> places(article.pairs.size());
    std::iota(places.begin(), places.end(), std::size_t{0});
    std::shuffle(places.begin(), places.end(), random_);
    for (std::size_t i = 0; i < changed_pairs; ++i) article.pairs[places[i]] ^= 0x55;
    return article;
  }

  static Profile profile_of(const Article& article) {
    constexpr std::uint32_t kBytesPerCharacter = 3;
    Profile profile;
    std::string all;
    std::uint32_t at = 0;
    for (const Paragraph& paragraph : article.paragraphs) {
      ParagraphProfile made;
      made.span.begin_bytes = at;
      std::string text;
      const auto number = static_cast<std::uint16_t>(profile.paragraphs.size());
      std::vector<std::size_t> order;
      for (const Sentence& sentence : paragraph.sentences) {
        const std::string name(reinterpret_cast<const char*>(&sentence.name), sizeof sentence.name);
        SentenceProfile of_sentence;
        of_sentence.hash = hash64(name);
        of_sentence.content_characters = sentence.characters;
        of_sentence.paragraph = number;
        of_sentence.span = {at, at + sentence.characters * kBytesPerCharacter};
        at = of_sentence.span.end_bytes;
        text += name;
        made.content_characters += sentence.characters;
        order.push_back(profile.sentences.size());
        profile.sentences.push_back(of_sentence);
      }
      // The two longest sentences of 20 characters or more are anchors.
      std::stable_sort(order.begin(), order.end(), [&](std::size_t x, std::size_t y) {
        return profile.sentences[x].content_characters > profile.sentences[y].content_characters;
      });
      for (std::size_t i = 0; i < order.size() && i < 2; ++i) {
        SentenceProfile& anchor = profile.sentences[order[i]];
        anchor.is_anchor = anchor.content_characters >= 20;
      }
      made.span.end_bytes = at;
      made.hash = hash64(text);
      made.simhash = paragraph.simhash;
      made.has_simhash = made.content_characters >= 40;
      all += text;
      profile.content_characters += made.content_characters;
      profile.paragraphs.push_back(made);
    }
    const Fingerprint128 hash = murmur128(all);
    profile.text_hash = {hash.high, hash.low};
    if (profile.content_characters > 100) profile.sketch.pair_hashes = article.pairs;
    profile.sketch.numbers = article.numbers;
    std::sort(profile.sketch.numbers.begin(), profile.sketch.numbers.end());
    profile.sketch.numbers.erase(std::unique(profile.sketch.numbers.begin(), profile.sketch.numbers.end()),
                                 profile.sketch.numbers.end());
    profile.sketch.number_count = static_cast<std::uint32_t>(profile.sketch.numbers.size());
    return profile;
  }

 private:
  std::mt19937_64 random_;
};

}  // namespace paraprint
