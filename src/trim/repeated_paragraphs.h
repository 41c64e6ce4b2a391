// Finds paragraphs that stand in several places: equal ones by their hashes, near ones by the Hamming join of their
// fingerprints and then by their texts.
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <string_view>

#include "memory/external_sort.h"
#include "memory/memory_budget.h"
#include "memory/spill_array.h"
#include "paraprint/model.h"
#include "paraprint/result.h"
#include "text/normalise.h"
#include "trim/passages.h"

namespace paraprint::inline trim {

struct ParagraphPlace {
  std::uint64_t hash = 0;
  std::uint64_t site = 0;      // 0 unless only pages of one site are compared
  Fingerprint128 fingerprint;  // zero if there is none
  std::uint32_t content_characters = 0;
  PassagePlace place;
  friend auto operator<=>(const ParagraphPlace&, const ParagraphPlace&) = default;
};

struct ParagraphPlaceTraits {
  static std::uint64_t key(const ParagraphPlace& paragraph) { return paragraph.hash; }
  static bool combine(ParagraphPlace&, const ParagraphPlace&) { return false; }
};

// A paragraph whose text is compared with others.
struct ComparedParagraph {
  PassagePlace place;      // the first one
  std::uint32_t text = 0;  // for RepeatedParagraphs::add_text()
};

// In this order: add() for each page in any order, find_compared(), add_text() for each of these in any order,
// finish(). Not thread-safe. Time: that of sorting and of the join. Memory: that of `sorting`; and on the budget 97
// bytes per distinct paragraph, 48 per place of a repeated one, 24 per pair of near fingerprints, and 4 per letter or
// digit of the paragraphs that are compared.
class RepeatedParagraphs {
 public:
  RepeatedParagraphs(const PassageRules& rules, const ExternalSortOptions& sorting, MemoryBudget* budget);

  // `rank`: unique per page. `site`: pages of one site have the same. Errors: those of the sorter.
  Status add(std::uint32_t rank, std::uint64_t site, const Profile& profile);

  // The paragraphs whose fingerprints are near that of another one. Errors: those of the sorter, of the budget's disk,
  // and kLimitExceeded for 2^32 - 1 or more distinct paragraphs.
  Result<SpillArray<ComparedParagraph>> find_compared();

  // `text`: that of the paragraph in its page. Errors: those of the budget's disk.
  Status add_text(const ComparedParagraph& paragraph, std::string_view text);

  // Every paragraph that is to be taken out, ascending by place. An equal paragraph is taken out of all places but the
  // first. A paragraph whose fingerprint is near that of one that stays before it, which differs in length by at most a
  // fifth of that one, and has mostly the same text (trigrams.h), is taken out of all places. Errors: those of the
  // budget's disk, kCancelled.
  Result<SpillArray<RepeatedPassage>> finish();

  // Groups of letters that finish() looked at, to compare texts.
  std::uint64_t looked_at() const { return looked_at_; }

 private:
  struct Text {  // of one or several paragraphs
    Fingerprint128 fingerprint;
    std::uint64_t site = 0;
    PassagePlace first;
    std::uint32_t content_characters = 0;
    std::uint32_t places = 0;
    std::uint32_t standing = 0;  // the text that stays: its own number, or that of a near one
    std::uint32_t distance_bits = 0;
    std::uint32_t trigrams = 0;  // their number
    std::uint64_t trigrams_begin = 0;
  };
  struct OtherPlace {
    PassagePlace place;
    std::uint32_t text = 0;
  };
  struct NearPair {
    std::uint32_t group = 0;
    std::uint32_t distance_bits = 0;
    std::uint32_t other = 0;
    friend auto operator<=>(const NearPair&, const NearPair&) = default;
  };
  // The texts with fingerprints, by site and first place, so that the earlier one of two has the smaller position.
  struct NearTexts {
    explicit NearTexts(MemoryBudget* budget)
        : texts(budget), groups(budget), last_standing(budget), previous_standing(budget), pairs(budget) {}
    SpillArray<std::uint32_t> texts;
    SpillArray<std::uint32_t> groups;             // by position: the first position of the same fingerprint and site
    SpillArray<std::uint32_t> last_standing;      // by group: the last of its texts that stays
    SpillArray<std::uint32_t> previous_standing;  // by position: the one of its group before
    SpillArray<NearPair> pairs;                   // of groups, in both directions, ascending
  };

  Status group_places();
  Status sort_texts();
  Status join_texts(std::uint32_t begin, std::uint32_t end, SpillArray<std::uint8_t>& is_near_group);
  // For texts that one text is near.
  struct Search {
    std::uint64_t looked_at_maximum = 0;
    std::uint64_t looked_at = 0;  // groups of letters
    bool is_over() const { return looked_at >= looked_at_maximum; }
  };

  Status decide_near();
  std::uint32_t first_standing(std::uint32_t group, const Text& text, Search& search) const;
  bool is_near(const Text& kept, const Text& text, std::uint64_t& looked_at) const;
  bool goes(const Text& text, std::uint32_t number) const;

  PassageRules rules_;
  MemoryBudget* budget_;
  Normaliser normaliser_;
  ExternalSorter<ParagraphPlace, ParagraphPlaceTraits> sorter_;
  SpillArray<Text> texts_;
  SpillArray<OtherPlace> others_;  // all but the first one of a text
  NearTexts near_;
  SpillArray<std::uint32_t> trigrams_;
  std::uint64_t looked_at_ = 0;
};

}  // namespace paraprint::inline trim
