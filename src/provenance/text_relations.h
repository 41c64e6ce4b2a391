// What the texts of a cluster tell of who copied whom: what two pages share, what each has alone, and what other pages
// of the cluster say to that.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/stop.h"
#include "provenance/traced_page.h"

namespace paraprint::inline provenance {

// Differences between two pages a and b that are positive if a rather looks like the source; each changes its sign if
// the pages change places (docs/provenance.md#texts).
enum class TextSign : std::uint8_t {
  kSentencesElsewhere,  // other pages have the sentences that a has alone, rather than those of b
  kWordsElsewhere,      // the same for the hashed pairs of words in which the pages differ
  kChangedRarity,       // the words of b's own sentences are rarer
  kChangedCohesion,     // fewer of these are elsewhere in b
  kWholeRarity,         // the same two of all sentences
  kWholeCohesion,
};
inline constexpr std::size_t kTextSignCount = 6;
using TextSigns = std::array<double, kTextSignCount>;

struct TextRelation {
  double shared_characters = 0;  // of sentences with equal text
  double only_a_characters = 0;
  double only_b_characters = 0;
  bool has_words = false;      // enough in both for the next
  double word_similarity = 0;  // of the texts as wholes (sketch_similarity.h)
  TextSigns signs{};
};

// Log odds that a is the source of b rather than b that of a, by what the signs are worth. Antisymmetric.
double text_lean(const TextSigns& signs);

// How likely b is made from a, apart from the direction: in (0, 1], by the share of b that is in a, and less by that of
// a that is in b, because it is easier to leave something out than to find it elsewhere.
double text_closeness(const TextRelation& relation);

// Pure. Memory: about 28 bytes per sentence, and 16 more while it is built.
class TextRelations {
 public:
  // `pages` must outlive it. `texts`: places of pages with different texts; of other pages nothing is looked at. Counts
  // a unit per sentence; once stopped, it is good for nothing but to be destroyed.
  TextRelations(std::span<const TracedPage> pages, std::span<const std::uint32_t> texts, StopCheck& stop);

  // Of two places among `texts`. Cost: O(sentences of both).
  TextRelation relate(std::uint32_t text_a, std::uint32_t text_b) const;

  // Up to `count` texts that share most with this one, in falling order, by their rarest sentences. Cost: O(sentences
  // of the text), and a look at every text.
  std::vector<std::uint32_t> nearest(std::uint32_t text, std::size_t count) const;

  // The share of its sentences that other texts have, summed over these: the larger, the more central is the text.
  double centrality(std::uint32_t text) const { return centralities_[text]; }

  std::size_t sentences(std::uint32_t text) const { return texts_[text].sentences.size(); }

 private:
  using MarkMeans = std::array<double, kMarkCount>;
  struct ComparedSentence {
    TracedSentence sentence;
    std::uint32_t texts = 0;         // that have it, this one included
    std::uint32_t first_having = 0;  // place of the first of them in having_
  };
  struct ComparedText {
    const TracedPage* page = nullptr;
    std::vector<ComparedSentence> sentences;  // ascending by hash, each once
    MarkMeans means{};
    double characters = 0;
  };

  void add_text(const TracedPage& page);
  void count_texts();
  void compare_words(const ComparedText& a, const ComparedText& b, TextRelation& relation) const;

  std::vector<ComparedText> texts_;
  std::vector<std::uint32_t> having_;  // the texts that have a sentence, ascending, one sentence after the other
  std::vector<std::array<std::uint32_t, 256>> word_counts_;  // by place in the sketch, then by value
  std::uint32_t sketches_ = 0;
  std::vector<double> centralities_;
};

}  // namespace paraprint::inline provenance
