// Equal paragraphs are neighbours after sorting. Near ones are pairs of distinct texts, decided in the order of their
// first places: a text goes if it is near one that stays and about as long. So every paragraph taken out is near the
// one that is named as kept, and chains of small differences do not take out a text that is near nothing that stays.
#include "trim/repeated_paragraphs.h"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

#include "base/propagate.h"
#include "index/hamming_join.h"

namespace paraprint::inline trim {
namespace {

// In a bucket of near-equal texts, such as a template with a number in it, each is compared with some of the others.
constexpr std::uint32_t kBucketCap = 1024;

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

// A word that a paragraph has often may decide its fingerprint alone, however long the paragraph is. So near ones
// differ in length by at most a fifth of the one that stays.
bool have_near_lengths(std::uint32_t kept_characters, std::uint32_t characters) {
  const std::uint64_t more = std::max(kept_characters, characters);
  const std::uint64_t less = std::min(kept_characters, characters);
  return (more - less) * 5 <= kept_characters;
}

}  // namespace

RepeatedParagraphs::RepeatedParagraphs(const PassageRules& rules, const ExternalSortOptions& sorting,
                                       MemoryBudget* budget)
    : rules_(rules), budget_(budget), sorter_(sorting), texts_(budget), others_(budget) {}

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
    PARAPRINT_TRY(texts_.push_back({next.fingerprint, next.site, next.place, next.content_characters, 1, number, 0}));
  }
  return sorter_.status();
}

// Sites are independent of each other; without them, all texts are those of one.
Status RepeatedParagraphs::find_near() {
  SpillArray<std::uint32_t> order(budget_);
  for (std::uint32_t text = 0; text < texts_.size(); ++text) {
    if (texts_[text].fingerprint != Fingerprint128()) PARAPRINT_TRY(order.push_back(text));
  }
  std::sort(order.begin(), order.end(), [&](std::uint32_t x, std::uint32_t y) {
    tick(budget_);
    return std::tie(texts_[x].site, texts_[x].first) < std::tie(texts_[y].site, texts_[y].first);
  });
  const std::span<const std::uint32_t> all(order);
  for (std::size_t begin = 0, end = 0; begin < all.size(); begin = end) {
    while (end < all.size() && texts_[all[end]].site == texts_[all[begin]].site) ++end;
    if (end - begin > 1) PARAPRINT_TRY(find_near_of_site(all.subspan(begin, end - begin)));
  }
  return {};
}

// `texts` are in the order of their first places, so that the earlier one of two has the smaller position.
Status RepeatedParagraphs::find_near_of_site(std::span<const std::uint32_t> texts) {
  NearTexts near(texts, budget_);
  PARAPRINT_TRY(join_groups(near));
  for (std::uint32_t position = 0; position < texts.size(); ++position) {
    Text& text = texts_[texts[position]];
    const std::uint32_t group = near.groups[position];
    std::uint32_t found = first_standing(near, group, text);
    const NearPair* pair = std::lower_bound(near.pairs.begin(), near.pairs.end(), NearPair{group, 0, 0});
    for (; found == kNone && pair != near.pairs.end() && pair->group == group;) {
      // The nearest ones that stay, and of these the earliest.
      const std::uint32_t distance_bits = pair->distance_bits;
      for (; pair != near.pairs.end() && pair->group == group && pair->distance_bits == distance_bits; ++pair) {
        found = std::min(found, first_standing(near, pair->other, text));
      }
      text.distance_bits = found == kNone ? 0 : distance_bits;
    }
    if (found != kNone) {
      text.standing = texts[found];
    } else {
      near.previous_standing[position] = near.last_standing[group];
      near.last_standing[group] = position;
    }
  }
  return {};
}

// Texts of one fingerprint are a group, which has the position of its first text. The join compares groups.
Status RepeatedParagraphs::join_groups(NearTexts& near) {
  const auto size = static_cast<std::uint32_t>(near.texts.size());
  SpillArray<Fingerprint128> fingerprints(budget_);
  for (std::uint32_t position = 0; position < size; ++position) {
    PARAPRINT_TRY(fingerprints.push_back(texts_[near.texts[position]].fingerprint));
    PARAPRINT_TRY(near.groups.push_back(position));
  }
  PARAPRINT_TRY(near.last_standing.assign(size, kNone));
  PARAPRINT_TRY(near.previous_standing.assign(size, kNone));
  Status status;
  const auto add = [&](std::uint32_t group, std::uint32_t distance_bits, std::uint32_t other) {
    if (status) status = near.pairs.push_back({group, distance_bits, other});
  };
  HammingJoinOptions options;
  options.distance_bits = rules_.distance_bits;
  options.bucket_cap = kBucketCap;
  options.budget = budget_;
  PARAPRINT_TRY(hamming_join_128(
      fingerprints, options,
      [&](std::uint32_t earlier, std::uint32_t later, int distance_bits) {
        add(earlier, static_cast<std::uint32_t>(distance_bits), later);
        add(later, static_cast<std::uint32_t>(distance_bits), earlier);
      },
      [&](std::span<const std::uint32_t> equal) {
        for (const std::uint32_t position : equal) near.groups[position] = equal.front();
      }));
  PARAPRINT_TRY(status);
  std::sort(near.pairs.begin(), near.pairs.end());
  return {};
}

// The position of the earliest text of a group that stays and is about as long as `text`, or kNone. Any two of a group
// that stay differ in length by a fifth or more, so that they are some dozens at most.
std::uint32_t RepeatedParagraphs::first_standing(const NearTexts& near, std::uint32_t group, const Text& text) const {
  std::uint32_t first = kNone;
  for (std::uint32_t at = near.last_standing[group]; at != kNone; at = near.previous_standing[at]) {
    if (have_near_lengths(texts_[near.texts[at]].content_characters, text.content_characters)) first = at;
  }
  return first;
}

// Whether the text is taken out of all of its places, because it is near another one.
bool RepeatedParagraphs::goes(const Text& text, std::uint32_t number) const {
  return text.standing != number && text.places + texts_[text.standing].places >= rules_.places_minimum;
}

Result<SpillArray<RepeatedPassage>> RepeatedParagraphs::finish() {
  PARAPRINT_TRY(group_places());
  if (rules_.distance_bits >= 0) PARAPRINT_TRY(find_near());
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
