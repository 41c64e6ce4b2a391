// A sentence is repeated if it stands in a lower place. The lowest place of a sentence is never part of a run, so what
// is taken out of one page is never taken out of the page that is to keep it.
#include "trim/repeated_sentences.h"

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "base/propagate.h"

namespace paraprint::inline trim {
namespace {

// Joins neighbouring sentences of a page to runs, and adds the runs that are long enough to `found`.
class RunBuilder {
 public:
  RunBuilder(std::uint32_t characters_minimum, SpillArray<RepeatedPassage>& found)
      : characters_minimum_(characters_minimum), found_(found) {}

  Status add(const RepeatedSentence& sentence) {
    const bool continues =
        !run_.empty() && run_.back().place.rank == sentence.place.rank && run_.back().number + 1 == sentence.number;
    if (!continues) PARAPRINT_TRY(end_run());
    run_.push_back(sentence);
    characters_ += sentence.content_characters;
    return {};
  }

  Status end_run() {
    if (characters_ >= characters_minimum_) {
      for (std::size_t begin = 0, end = 0; begin < run_.size(); begin = end) {
        end = end_of_piece(begin);
        PARAPRINT_TRY(found_.push_back(passage_of(begin, end)));
      }
    }
    run_.clear();
    characters_ = 0;
    return {};
  }

 private:
  // Sentences that follow each other in the page that keeps them as well.
  std::size_t end_of_piece(std::size_t begin) const {
    std::size_t end = begin + 1;
    while (end < run_.size() && run_[end].kept.rank == run_[begin].kept.rank &&
           run_[end].kept_number == run_[end - 1].kept_number + 1) {
      ++end;
    }
    return end;
  }

  RepeatedPassage passage_of(std::size_t begin, std::size_t end) const {
    RepeatedPassage passage;
    passage.kind = RepeatKind::kSentences;
    passage.place = run_[begin].place;
    passage.place.end_bytes = run_[end - 1].place.end_bytes;
    passage.kept = run_[begin].kept;
    passage.kept.end_bytes = run_[end - 1].kept.end_bytes;
    passage.places = run_[begin].places;
    for (std::size_t i = begin; i < end; ++i) {
      passage.content_characters += run_[i].content_characters;
      passage.places = std::min(passage.places, run_[i].places);
    }
    return passage;
  }

  std::uint32_t characters_minimum_;
  SpillArray<RepeatedPassage>& found_;
  std::vector<RepeatedSentence> run_;  // at most the sentences of a page
  std::uint64_t characters_ = 0;
};

}  // namespace

// Each sorter gets half: the second one fills while the first is read.
RepeatedSentences::RepeatedSentences(const PassageRules& rules, const ExternalSortOptions& sorting,
                                     MemoryBudget* budget, const SpillArray<RepeatedPassage>& paragraphs)
    : rules_(rules),
      budget_(budget),
      paragraphs_(paragraphs),
      sorter_({sorting.memory_limit_bytes / 2, sorting.temporary_directory}),
      repeated_({sorting.memory_limit_bytes / 2, sorting.temporary_directory}) {}

Status RepeatedSentences::add(std::uint32_t rank, std::uint64_t site, const Profile& profile) {
  const RepeatedPassage* taken = std::lower_bound(
      paragraphs_.begin(), paragraphs_.end(), rank,
      [](const RepeatedPassage& passage, std::uint32_t wanted) { return passage.place.rank < wanted; });
  std::vector<bool> is_taken(profile.paragraphs.size());
  for (std::size_t paragraph = 0; paragraph < profile.paragraphs.size(); ++paragraph) {
    if (taken == paragraphs_.end() || taken->place.rank != rank) break;
    if (profile.paragraphs[paragraph].span.begin_bytes != taken->place.begin_bytes) continue;
    is_taken[paragraph] = true;
    ++taken;
  }
  for (std::uint32_t number = 0; number < profile.sentences.size(); ++number) {
    const SentenceProfile& sentence = profile.sentences[number];
    if (is_taken[sentence.paragraph]) continue;
    const PassagePlace place{rank, sentence.span.begin_bytes, sentence.span.end_bytes};
    const std::uint64_t of_site = rules_.within_sites ? site : 0;
    PARAPRINT_TRY(sorter_.push({sentence.hash, of_site, sentence.content_characters, place, number}));
  }
  return {};
}

// The places of a sentence follow each other in ascending order, but how many they are is known after the last one.
Status RepeatedSentences::list_repeated() {
  PARAPRINT_TRY(sorter_.finish());
  const auto text_of = [](const SentencePlace& sentence) {
    return std::tie(sentence.hash, sentence.site, sentence.content_characters);
  };
  SpillArray<SentencePlace> group(budget_);
  const auto end_group = [&]() -> Status {
    if (group.size() >= rules_.places_minimum) {
      const SentencePlace first = group[0];
      for (std::size_t i = 1; i < group.size(); ++i) {
        PARAPRINT_TRY(repeated_.push({group[i].place, group[i].number, first.number, first.place,
                                      group[i].content_characters, static_cast<std::uint32_t>(group.size())}));
      }
    }
    group.clear();
    return {};
  };
  SentencePlace next;
  while (sorter_.next(next)) {
    if (!group.empty() && text_of(group.back()) != text_of(next)) PARAPRINT_TRY(end_group());
    PARAPRINT_TRY(group.push_back(next));
  }
  PARAPRINT_TRY(sorter_.status());
  return end_group();
}

Result<SpillArray<RepeatedPassage>> RepeatedSentences::finish() {
  PARAPRINT_TRY(list_repeated());
  PARAPRINT_TRY(repeated_.finish());
  SpillArray<RepeatedPassage> found(budget_);
  RunBuilder runs(rules_.characters_minimum, found);
  RepeatedSentence sentence;
  while (repeated_.next(sentence)) PARAPRINT_TRY(runs.add(sentence));
  PARAPRINT_TRY(repeated_.status());
  PARAPRINT_TRY(runs.end_run());
  return found;
}

}  // namespace paraprint::inline trim
