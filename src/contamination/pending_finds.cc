// Finds, their rows and their words are three arrays; each find has the ends of its row and of its words.
#include "contamination/pending_finds.h"

#include "base/propagate.h"

namespace paraprint::inline contamination {

Status PendingFinds::add(std::uint32_t file, std::uint64_t ordinal, const FoundItem& found, std::string_view row) {
  PARAPRINT_TRY(rows_.append(row));
  PARAPRINT_TRY(words_.append(found.words_of_part));
  return finds_.push_back({ordinal, file, found.item, found.verdict, rows_.size(), words_.size()});
}

bool PendingFinds::have_one_document(std::size_t first, std::size_t second) const {
  return finds_[first].file == finds_[second].file && finds_[first].ordinal == finds_[second].ordinal;
}

std::string_view PendingFinds::row(std::size_t number) const {
  const std::uint64_t begin = number == 0 ? 0 : finds_[number - 1].row_end;
  return {rows_.begin() + begin, rows_.begin() + finds_[number].row_end};
}

std::span<const MatchedWord> PendingFinds::words_of_part(std::size_t number) const {
  const std::uint64_t begin = number == 0 ? 0 : finds_[number - 1].words_end;
  return {words_.begin() + begin, words_.begin() + finds_[number].words_end};
}

}  // namespace paraprint::inline contamination
