// Equal paragraphs are neighbours after sorting. Near ones are pairs of distinct texts, decided in the order of their
// first places: a text goes if it is near one that stays, about as long, and mostly the same. So every paragraph taken
// out is near the one that is named as kept, and chains of small differences do not take out a text that is near
// nothing that stays.
#include "trim/repeated_paragraphs.h"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>
#include <vector>

#include "base/propagate.h"
#include "base/stop.h"
#include "index/hamming_join.h"
#include "trim/trigrams.h"

namespace paraprint::inline trim {
namespace {

// In a bucket of near-equal texts, such as a template with a number in it, each is compared with some of the others.
constexpr std::uint32_t kBucketCap = 1024;

// Texts that stay although their fingerprints are near, such as those about one word, could be compared with each other
// all: for a text, no more groups of letters are looked at than this many times its own, the latest texts of each
// fingerprint first.
constexpr std::uint64_t kLookedAtPerGroup = 32;
constexpr std::uint64_t kLookedAtMinimum = 8192;
constexpr std::uint64_t kLookedAtPerText = 8;  // what a text costs besides its groups

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

// A word that a paragraph has often may decide its fingerprint alone, however long the paragraph is. So near ones
// differ in length by at most a fifth of the one that stays; this spares most comparisons of other texts.
bool have_near_lengths(std::uint32_t kept_characters, std::uint32_t characters) {
  const std::uint64_t more = std::max(kept_characters, characters);
  const std::uint64_t less = std::min(kept_characters, characters);
  return (more - less) * 5 <= kept_characters;
}

}  // namespace

RepeatedParagraphs::RepeatedParagraphs(const PassageRules& rules, const ExternalSortOptions& sorting,
                                       MemoryBudget* budget)
    : rules_(rules),
      budget_(budget),
      normaliser_({rules.fold_traditional}),
      sorter_(sorting),
      texts_(budget),
      others_(budget),
      near_(budget),
      trigrams_(budget) {}

Status RepeatedParagraphs::add(std::uint32_t rank, std::uint64_t site, const Profile& profile) {
  for (const ParagraphProfile& paragraph : profile.paragraphs) {
    if (paragraph.content_characters < rules_.characters_minimum) continue;
    ParagraphPlace place;
    place.hash = paragraph.hash;
    if (rules_.within_sites) place.site = site;
    if (paragraph.has_simhash) place.fingerprint = paragraph.simhash;
    place.content_characters = paragraph.content_characters;
    place.place = {rank, paragraph.span.begin_bytes, paragraph.span.end_bytes};
    PARAPRINT_TRY(sorter_.push(place));
  }
  return {};
}

// Hash, fingerprint and length together: two texts of one hash that somebody made would have to agree in all of them.
// The places of a text follow each other in ascending order.
Status RepeatedParagraphs::group_places() {
  PARAPRINT_TRY(sorter_.finish());
  const auto text_of = [](const ParagraphPlace& paragraph) {
    return std::tie(paragraph.hash, paragraph.site, paragraph.fingerprint, paragraph.content_characters);
  };
  ParagraphPlace last;
  ParagraphPlace next;
  for (; sorter_.next(next); last = next) {
    if (!texts_.empty() && text_of(last) == text_of(next)) {
      ++texts_.back().places;
      PARAPRINT_TRY(others_.push_back({next.place, static_cast<std::uint32_t>(texts_.size() - 1)}));
      continue;
    }
    const auto number = static_cast<std::uint32_t>(texts_.size());
    if (number == std::numeric_limits<std::uint32_t>::max()) {
      return failure(ErrorCode::kLimitExceeded, "more than 2^32 - 1 different paragraphs");
    }
    PARAPRINT_TRY(texts_.push_back({next.fingerprint, next.site, next.place, next.content_characters, 1, number}));
  }
  return sorter_.status();
}

Status RepeatedParagraphs::sort_texts() {
  for (std::uint32_t text = 0; text < texts_.size(); ++text) {
    if (texts_[text].fingerprint != Fingerprint128()) PARAPRINT_TRY(near_.texts.push_back(text));
  }
  std::sort(near_.texts.begin(), near_.texts.end(), [&](std::uint32_t x, std::uint32_t y) {
    tick(budget_);
    return std::tie(texts_[x].site, texts_[x].first) < std::tie(texts_[y].site, texts_[y].first);
  });
  const std::size_t size = near_.texts.size();
  for (std::uint32_t position = 0; position < size; ++position) PARAPRINT_TRY(near_.groups.push_back(position));
  PARAPRINT_TRY(near_.last_standing.assign(size, kNone));
  return near_.previous_standing.assign(size, kNone);
}

// Those of one site, which are independent of the others; without sites, all texts are those of one. Texts of one
// fingerprint are a group, which has the position of its first text. The join compares groups.
Status RepeatedParagraphs::join_texts(std::uint32_t begin, std::uint32_t end, SpillArray<std::uint8_t>& is_near_group) {
  SpillArray<Fingerprint128> fingerprints(budget_);
  for (std::uint32_t position = begin; position < end; ++position) {
    PARAPRINT_TRY(fingerprints.push_back(texts_[near_.texts[position]].fingerprint));
  }
  Status status;
  const auto add = [&](std::uint32_t group, std::uint32_t distance_bits, std::uint32_t other) {
    is_near_group[group] = 1;
    if (status) status = near_.pairs.push_back({group, distance_bits, other});
  };
  HammingJoinOptions options;
  options.distance_bits = rules_.distance_bits;
  options.bucket_cap = kBucketCap;
  options.budget = budget_;
  PARAPRINT_TRY(hamming_join_128(
      fingerprints, options,
      [&](std::uint32_t earlier, std::uint32_t later, int distance_bits) {
        add(begin + earlier, static_cast<std::uint32_t>(distance_bits), begin + later);
        add(begin + later, static_cast<std::uint32_t>(distance_bits), begin + earlier);
      },
      [&](std::span<const std::uint32_t> equal) {
        is_near_group[begin + equal.front()] = 1;
        for (const std::uint32_t position : equal) near_.groups[begin + position] = begin + equal.front();
      }));
  return status;
}

Result<SpillArray<ComparedParagraph>> RepeatedParagraphs::find_compared() {
  PARAPRINT_TRY(group_places());
  SpillArray<ComparedParagraph> compared(budget_);
  if (rules_.distance_bits < 0) return compared;
  PARAPRINT_TRY(sort_texts());
  const auto size = static_cast<std::uint32_t>(near_.texts.size());
  const auto site_of = [&](std::uint32_t position) { return texts_[near_.texts[position]].site; };
  SpillArray<std::uint8_t> is_near_group(budget_);
  PARAPRINT_TRY(is_near_group.assign(size, 0));
  for (std::uint32_t begin = 0, end = 0; begin < size; begin = end) {
    while (end < size && site_of(end) == site_of(begin)) ++end;
    if (end - begin > 1) PARAPRINT_TRY(join_texts(begin, end, is_near_group));
  }
  std::sort(near_.pairs.begin(), near_.pairs.end());
  for (std::uint32_t position = 0; position < size; ++position) {
    const std::uint32_t text = near_.texts[position];
    if (is_near_group[near_.groups[position]] != 0) PARAPRINT_TRY(compared.push_back({texts_[text].first, text}));
  }
  return compared;
}

Status RepeatedParagraphs::add_text(const ComparedParagraph& paragraph, std::string_view text) {
  const std::vector<std::uint32_t> trigrams = trigrams_of(text, normaliser_);
  texts_[paragraph.text].trigrams = static_cast<std::uint32_t>(trigrams.size());
  texts_[paragraph.text].trigrams_begin = trigrams_.size();
  return trigrams_.append(trigrams);
}

Status RepeatedParagraphs::decide_near() {
  const SpillArray<NearPair>& pairs = near_.pairs;
  for (std::uint32_t position = 0; position < near_.texts.size(); ++position) {
    PARAPRINT_TRY(check_stop());
    Text& text = texts_[near_.texts[position]];
    const std::uint32_t group = near_.groups[position];
    Search search{std::max(kLookedAtPerGroup * text.trigrams, kLookedAtMinimum)};
    std::uint32_t found = first_standing(group, text, search);
    const NearPair* pair = std::lower_bound(pairs.begin(), pairs.end(), NearPair{group, 0, 0});
    for (; found == kNone && !search.is_over() && pair != pairs.end() && pair->group == group;) {
      // The nearest ones that stay, and of these the earliest.
      const std::uint32_t distance_bits = pair->distance_bits;
      for (; pair != pairs.end() && pair->group == group && pair->distance_bits == distance_bits; ++pair) {
        found = std::min(found, first_standing(pair->other, text, search));
      }
      text.distance_bits = found == kNone ? 0 : distance_bits;
    }
    if (found != kNone) {
      text.standing = near_.texts[found];
    } else {
      near_.previous_standing[position] = near_.last_standing[group];
      near_.last_standing[group] = position;
    }
    looked_at_ += search.looked_at;
  }
  return {};
}

// The position of the earliest text of a group that stays and that `text` is near, or kNone.
std::uint32_t RepeatedParagraphs::first_standing(std::uint32_t group, const Text& text, Search& search) const {
  std::uint32_t first = kNone;
  std::uint32_t at = near_.last_standing[group];
  for (; at != kNone && !search.is_over(); at = near_.previous_standing[at]) {
    search.looked_at += kLookedAtPerText;
    if (is_near(texts_[near_.texts[at]], text, search.looked_at)) first = at;
  }
  return first;
}

bool RepeatedParagraphs::is_near(const Text& kept, const Text& text, std::uint64_t& looked_at) const {
  const auto trigrams = [&](const Text& of) {
    return std::span<const std::uint32_t>(trigrams_.data() + of.trigrams_begin, of.trigrams);
  };
  return have_near_lengths(kept.content_characters, text.content_characters) &&
         are_mostly_common(trigrams(kept), trigrams(text), looked_at);
}

// Whether the text is taken out of all of its places, because it is near another one.
bool RepeatedParagraphs::goes(const Text& text, std::uint32_t number) const {
  return text.standing != number && text.places + texts_[text.standing].places >= rules_.places_minimum;
}

Result<SpillArray<RepeatedPassage>> RepeatedParagraphs::finish() {
  PARAPRINT_TRY(decide_near());
  SpillArray<RepeatedPassage> found(budget_);
  const auto add = [&](const PassagePlace& place, const Text& text, bool is_near) {
    const Text& kept = is_near ? texts_[text.standing] : text;
    RepeatedPassage passage;
    passage.place = place;
    passage.kept = kept.first;
    passage.content_characters = text.content_characters;
    passage.places = text.places + (is_near ? kept.places : 0);
    passage.kind = is_near ? RepeatKind::kNearParagraph : RepeatKind::kParagraph;
    passage.distance_bits = static_cast<std::uint8_t>(is_near ? text.distance_bits : 0);
    return found.push_back(passage);
  };
  for (std::uint32_t number = 0; number < texts_.size(); ++number) {
    const Text& text = texts_[number];
    if (goes(text, number)) PARAPRINT_TRY(add(text.first, text, true));
  }
  for (const OtherPlace& other : others_) {
    const Text& text = texts_[other.text];
    const bool is_near = goes(text, other.text);
    if (is_near || text.places >= rules_.places_minimum) PARAPRINT_TRY(add(other.place, text, is_near));
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace paraprint::inline trim
