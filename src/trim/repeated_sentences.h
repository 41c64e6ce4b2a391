// Finds runs of sentences that stand in several places, within paragraphs that differ otherwise.
#pragma once

#include <compare>
#include <cstdint>

#include "memory/external_sort.h"
#include "memory/memory_budget.h"
#include "memory/spill_array.h"
#include "paraprint/model.h"
#include "paraprint/result.h"
#include "trim/passages.h"

namespace paraprint::inline trim {

struct SentencePlace {
  std::uint64_t hash = 0;
  std::uint64_t site = 0;  // 0 unless only pages of one site are compared
  std::uint32_t content_characters = 0;
  PassagePlace place;
  std::uint32_t number = 0;  // of the sentence in its page
  friend auto operator<=>(const SentencePlace&, const SentencePlace&) = default;
};

struct SentencePlaceTraits {
  static std::uint64_t key(const SentencePlace& sentence) { return sentence.hash; }
  static bool combine(SentencePlace&, const SentencePlace&) { return false; }
};

// A sentence that stands in an earlier place.
struct RepeatedSentence {
  PassagePlace place;
  std::uint32_t number = 0;
  std::uint32_t kept_number = 0;
  PassagePlace kept;
  std::uint32_t content_characters = 0;
  std::uint32_t places = 0;
  friend auto operator<=>(const RepeatedSentence&, const RepeatedSentence&) = default;
};

struct RepeatedSentenceTraits {
  static std::uint64_t key(const RepeatedSentence& sentence) {
    return std::uint64_t{sentence.place.rank} << 32 | sentence.place.begin_bytes;
  }
  static bool combine(RepeatedSentence&, const RepeatedSentence&) { return false; }
};

// add() for each page in any order, then finish(). Not thread-safe. Time: that of sorting. Memory: that of `sorting`,
// and 40 bytes per passage on the budget.
class RepeatedSentences {
 public:
  // `paragraphs`: what RepeatedParagraphs found in these pages. Their sentences are gone already. It must outlive the
  // object.
  RepeatedSentences(const PassageRules& rules, const ExternalSortOptions& sorting, MemoryBudget* budget,
                    const SpillArray<RepeatedPassage>& paragraphs);

  // As RepeatedParagraphs::add().
  Status add(std::uint32_t rank, std::uint64_t site, const Profile& profile);

  // Runs of sentences that each stand in an earlier place and together have at least the characters of a passage,
  // ascending by place: one passage for each stretch that stands in one piece elsewhere. Errors: those of the sorters
  // and of the budget's disk.
  Result<SpillArray<RepeatedPassage>> finish();

 private:
  Status list_repeated();

  PassageRules rules_;
  MemoryBudget* budget_;
  const SpillArray<RepeatedPassage>& paragraphs_;
  ExternalSorter<SentencePlace, SentencePlaceTraits> sorter_;
  ExternalSorter<RepeatedSentence, RepeatedSentenceTraits> repeated_;
};

}  // namespace paraprint::inline trim
