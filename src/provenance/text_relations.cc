// Sentences are compared by their hashes, so an edited sentence is one that each of both pages has alone. Where hardly
// a sentence is equal, the hashed pairs of words of the sketches take their place.
#include "provenance/text_relations.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "verify/sketch_similarity.h"

namespace paraprint::inline provenance {
namespace {

// Less text than this says nothing of its words.
constexpr double kMarkedCharactersMinimum = 10;
constexpr std::size_t kTextsPerSentence = 32;  // that nearest() looks at

// What a sign is worth at most, as log odds, and the difference at which it is worth three quarters of that.
struct SignWeight {
  double worth;
  double scale;
};
// By TextSign. Fitted on simulated chains (docs/provenance.md#weights).
constexpr std::array<SignWeight, kTextSignCount> kSignWeights = {
    {{0.85, 0.5}, {1.7, 0.5}, {0.5, 0.03}, {0.55, 0.15}, {1.4, 0.012}, {3.1, 0.06}}};

std::size_t index_of(TextSign sign) {
  return static_cast<std::size_t>(sign);
}

// The mean of marks, weighted by characters.
struct MarkSum {
  std::array<double, kMarkCount> sums{};
  double characters = 0;

  void add(const TracedSentence& sentence) {
    characters += sentence.content_characters;
    for (std::size_t mark = 0; mark < kMarkCount; ++mark) {
      sums[mark] += sentence.content_characters * static_cast<double>(sentence.marks[mark]) / 255;
    }
  }
  bool counts() const { return characters >= kMarkedCharactersMinimum; }
  double mean(SentenceMark mark) const {
    return characters > 0 ? sums[static_cast<std::size_t>(mark)] / characters : 0;
  }
};

// Characters of sentences that one page has alone.
struct OwnSentences {
  MarkSum marks;
  double elsewhere = 0;  // characters, times the share of other texts that have the sentence

  double share_elsewhere() const { return marks.characters > 0 ? elsewhere / marks.characters : 0; }
};

}  // namespace

double text_lean(const TextSigns& signs) {
  double lean = 0;
  for (std::size_t sign = 0; sign < kTextSignCount; ++sign) {
    lean += kSignWeights[sign].worth * std::tanh(signs[sign] / kSignWeights[sign].scale);
  }
  return lean;
}

double text_closeness(const TextRelation& relation) {
  constexpr double kLossWeight = 0.5;
  constexpr double kClosenessMinimum = 0.01;
  const double all = relation.shared_characters + relation.only_b_characters + kLossWeight * relation.only_a_characters;
  const double by_sentences = all > 0 ? relation.shared_characters / all : 0;
  if (!relation.has_words) return std::max(kClosenessMinimum, by_sentences);
  return std::max(kClosenessMinimum, (by_sentences + relation.word_similarity) / 2);
}

TextRelations::TextRelations(std::span<const TracedPage> pages, std::span<const std::uint32_t> texts, StopCheck& stop)
    : word_counts_(PageSketch::kPairHashes) {
  for (const std::uint32_t page : texts) {
    add_text(pages[page]);
    if (stop.after(texts_.back().sentences.size())) return;
  }
  count_texts();
  for (const ComparedText& text : texts_) {
    double elsewhere = 0;
    for (const ComparedSentence& each : text.sentences) {
      elsewhere += each.sentence.content_characters * static_cast<double>(each.texts - 1);
    }
    centralities_.push_back(text.characters > 0 ? elsewhere / text.characters : 0);
  }
}

void TextRelations::add_text(const TracedPage& page) {
  ComparedText text;
  text.page = &page;
  text.sentences.reserve(page.sentences.size());
  for (const TracedSentence& sentence : page.sentences) text.sentences.push_back({.sentence = sentence});
  std::stable_sort(
      text.sentences.begin(), text.sentences.end(),
      [](const ComparedSentence& a, const ComparedSentence& b) { return a.sentence.hash < b.sentence.hash; });
  const auto is_equal = [](const ComparedSentence& a, const ComparedSentence& b) {
    return a.sentence.hash == b.sentence.hash;
  };
  text.sentences.erase(std::unique(text.sentences.begin(), text.sentences.end(), is_equal), text.sentences.end());
  MarkSum marks;
  for (const ComparedSentence& each : text.sentences) marks.add(each.sentence);
  for (std::size_t mark = 0; mark < kMarkCount; ++mark) text.means[mark] = marks.mean(static_cast<SentenceMark>(mark));
  text.characters = marks.characters;
  if (page.sketch.pair_hashes.size() == PageSketch::kPairHashes) {
    ++sketches_;
    for (std::size_t place = 0; place < PageSketch::kPairHashes; ++place) {
      ++word_counts_[place][page.sketch.pair_hashes[place]];
    }
  }
  texts_.push_back(std::move(text));
}

// Once for all pairs: sorting all sentences together brings the texts of each next to each other.
void TextRelations::count_texts() {
  struct Place {
    std::uint64_t hash;
    std::uint32_t text;
    std::uint32_t sentence;
  };
  std::size_t count = 0;
  for (const ComparedText& text : texts_) count += text.sentences.size();
  std::vector<Place> places;
  places.reserve(count);
  for (std::uint32_t text = 0; text < texts_.size(); ++text) {
    const std::vector<ComparedSentence>& sentences = texts_[text].sentences;
    for (std::uint32_t i = 0; i < sentences.size(); ++i) places.push_back({sentences[i].sentence.hash, text, i});
  }
  std::sort(places.begin(), places.end(),
            [](const Place& a, const Place& b) { return std::tie(a.hash, a.text) < std::tie(b.hash, b.text); });
  having_.reserve(count);
  for (auto begin = places.begin(); begin != places.end();) {
    const auto end = std::find_if(begin, places.end(), [&](const Place& each) { return each.hash != begin->hash; });
    const auto first_having = static_cast<std::uint32_t>(having_.size());
    for (auto at = begin; at != end; ++at) {
      ComparedSentence& each = texts_[at->text].sentences[at->sentence];
      each.texts = static_cast<std::uint32_t>(end - begin);
      each.first_having = first_having;
      having_.push_back(at->text);
    }
    begin = end;
  }
}

TextRelation TextRelations::relate(std::uint32_t text_a, std::uint32_t text_b) const {
  const ComparedText& a = texts_[text_a];
  const ComparedText& b = texts_[text_b];
  TextRelation relation;
  MarkSum shared;
  OwnSentences own_a;
  OwnSentences own_b;
  const double others = std::max<double>(1, static_cast<double>(texts_.size()) - 2);
  const auto add_own = [&](const ComparedSentence& each, OwnSentences& own) {
    own.marks.add(each.sentence);
    own.elsewhere += each.sentence.content_characters * static_cast<double>(each.texts - 1) / others;
  };
  auto at_a = a.sentences.begin();
  auto at_b = b.sentences.begin();
  while (at_a != a.sentences.end() || at_b != b.sentences.end()) {
    if (at_b == b.sentences.end() || (at_a != a.sentences.end() && at_a->sentence.hash < at_b->sentence.hash)) {
      add_own(*at_a++, own_a);
    } else if (at_a == a.sentences.end() || at_b->sentence.hash < at_a->sentence.hash) {
      add_own(*at_b++, own_b);
    } else {
      shared.add((at_a++)->sentence);
      shared.add((at_b++)->sentence);
    }
  }
  relation.shared_characters = shared.characters / 2;
  relation.only_a_characters = own_a.marks.characters;
  relation.only_b_characters = own_b.marks.characters;
  const auto set = [&](TextSign sign, double value) { relation.signs[index_of(sign)] = value; };
  set(TextSign::kSentencesElsewhere, own_a.share_elsewhere() - own_b.share_elsewhere());
  if (own_a.marks.counts() && own_b.marks.counts()) {
    const auto more_in_b = [&](SentenceMark mark) { return own_b.marks.mean(mark) - own_a.marks.mean(mark); };
    set(TextSign::kChangedRarity, more_in_b(SentenceMark::kRarity));
    set(TextSign::kChangedCohesion, -more_in_b(SentenceMark::kCohesion));
  }
  const auto whole = [&](SentenceMark mark) {
    return b.means[static_cast<std::size_t>(mark)] - a.means[static_cast<std::size_t>(mark)];
  };
  set(TextSign::kWholeRarity, whole(SentenceMark::kRarity));
  set(TextSign::kWholeCohesion, -whole(SentenceMark::kCohesion));
  compare_words(a, b, relation);
  return relation;
}

void TextRelations::compare_words(const ComparedText& a, const ComparedText& b, TextRelation& relation) const {
  const std::vector<std::uint8_t>& hashes_a = a.page->sketch.pair_hashes;
  const std::vector<std::uint8_t>& hashes_b = b.page->sketch.pair_hashes;
  if (hashes_a.size() != PageSketch::kPairHashes || hashes_b.size() != PageSketch::kPairHashes) return;
  relation.has_words = true;
  relation.word_similarity = pair_similarity(a.page->sketch, b.page->sketch);
  double differing = 0;
  double lean = 0;
  for (std::size_t place = 0; place < PageSketch::kPairHashes; ++place) {
    if (hashes_a[place] == hashes_b[place]) continue;
    ++differing;
    lean += static_cast<double>(word_counts_[place][hashes_a[place]]) - word_counts_[place][hashes_b[place]];
  }
  const double others = std::max<double>(1, static_cast<double>(sketches_) - 2);
  if (differing > 0) relation.signs[index_of(TextSign::kWordsElsewhere)] = lean / differing / others;
}

std::vector<std::uint32_t> TextRelations::nearest(std::uint32_t text, std::size_t count) const {
  constexpr double kNothing = -1;
  std::vector<double> shared(texts_.size(), kNothing);
  std::vector<std::uint32_t> sharing;
  for (const ComparedSentence& each : texts_[text].sentences) {
    const double worth = static_cast<double>(each.sentence.content_characters) / each.texts;
    const auto first = having_.begin() + each.first_having;
    for (const std::uint32_t other : std::span(first, std::min<std::size_t>(each.texts, kTextsPerSentence))) {
      if (other == text) continue;
      if (shared[other] == kNothing) {
        sharing.push_back(other);
        shared[other] = 0;
      }
      shared[other] += worth;
    }
  }
  std::vector<std::pair<double, std::uint32_t>> ranked;
  for (const std::uint32_t other : sharing) ranked.emplace_back(-shared[other], other);
  const std::size_t kept = std::min(count, ranked.size());
  std::partial_sort(ranked.begin(), ranked.begin() + static_cast<std::ptrdiff_t>(kept), ranked.end());
  std::vector<std::uint32_t> nearest;
  for (std::size_t i = 0; i < kept; ++i) nearest.push_back(ranked[i].second);
  return nearest;
}

}  // namespace paraprint::inline provenance
