// Finds paragraphs that stand in several places: equal ones by their hashes, near ones by the Hamming join of their
// fingerprints.
#pragma once

#include <compare>
#include <cstdint>
#include <span>

#include "memory/external_sort.h"
#include "memory/memory_budget.h"
#include "memory/spill_array.h"
#include "paraprint/model.h"
#include "paraprint/result.h"
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

// add() for each page in any order, then finish(). Not thread-safe. Time: that of sorting and of the join. Memory: that
// of `sorting`; and on the budget 88 bytes per distinct paragraph, 48 per place of a repeated one, and 24 per pair of
// near fingerprints.
class RepeatedParagraphs {
 public:
  RepeatedParagraphs(const PassageRules& rules, const ExternalSortOptions& sorting, MemoryBudget* budget);

  // `rank`: unique per page. `site`: pages of one site have the same. Errors: those of the sorter.
  Status add(std::uint32_t rank, std::uint64_t site, const Profile& profile);

  // Every paragraph that is to be taken out, ascending by place. An equal paragraph is taken out of all places but the
  // first. A paragraph that is near one that stays before it, and differs in length by at most a fifth of that one, is
  // taken out of all places. Errors: those of the sorter, of the budget's disk, and kLimitExceeded for 2^32 - 1 or more
  // distinct paragraphs.
  Result<SpillArray<RepeatedPassage>> finish();

 private:
  struct Text {  // of one or several paragraphs
    Fingerprint128 fingerprint;
    std::uint64_t site = 0;
    PassagePlace first;
    std::uint32_t content_characters = 0;
    std::uint32_t places = 0;
    std::uint32_t standing = 0;  // the text that stays: its own number, or that of a near one
    std::uint32_t distance_bits = 0;
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
  // Of one site. Positions are those in `texts`.
  struct NearTexts {
    NearTexts(std::span<const std::uint32_t> of_site, MemoryBudget* budget)
        : texts(of_site), groups(budget), last_standing(budget), previous_standing(budget), pairs(budget) {}
    std::span<const std::uint32_t> texts;
    SpillArray<std::uint32_t> groups;             // by position
    SpillArray<std::uint32_t> last_standing;      // by group: the last of its texts that stays
    SpillArray<std::uint32_t> previous_standing;  // by position: the one of its group before
    SpillArray<NearPair> pairs;                   // of groups, in both directions, ascending
  };

  Status group_places();
  Status find_near();
  Status find_near_of_site(std::span<const std::uint32_t> texts);
  Status join_groups(NearTexts& near);
  std::uint32_t first_standing(const NearTexts& near, std::uint32_t group, const Text& text) const;
  bool goes(const Text& text, std::uint32_t number) const;

  PassageRules rules_;
  MemoryBudget* budget_;
  ExternalSorter<ParagraphPlace, ParagraphPlaceTraits> sorter_;
  SpillArray<Text> texts_;
  SpillArray<OtherPlace> others_;  // all but the first one of a text
};

}  // namespace paraprint::inline trim
