// Word alignment of doubtful pairs, round by round: read the texts of as many pairs as fit into a share of the memory
// limit, align those pairs on all threads, drop the texts. Pairs are sorted by their first page, so neighbouring pairs
// often share a text and a round reads each page once. Pages are extracted again from the input: the log keeps
// profiles, not texts, and alignment needs the words themselves.
#include "semantics/alignment/align_stage.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "base/ordered_parallel.h"
#include "base/propagate.h"
#include "engine/pair_view.h"
#include "engine/stored_page_reader.h"

namespace paraprint::inline semantics::inline alignment {
namespace {

constexpr std::uint64_t kTextShare = 8;  // texts of a round get 1/8 of the memory limit
// Estimated size of a text in memory: a content character in UTF-8 with its share of spaces and punctuation, and the
// blocks of a page.
constexpr std::uint64_t kTextBytesPerCharacter = 4;
constexpr std::uint64_t kTextBytesPerPage = 2048;
constexpr std::size_t kPairsPerPiece = 32;  // aligned by a thread before it hands them over

struct AlignedPiece {
  std::span<const Match> matches;
  std::vector<std::optional<float>> word_resemblances;
};

// nullopt for texts so long that only their beginnings were laid out: the figure would not be that of the pages.
std::optional<float> word_resemblance_of(const Comparison& comparison) {
  const ComparisonLayout layout = lay_out(comparison);
  if (layout.text_cut_a || layout.text_cut_b || layout.spans_cut) return std::nullopt;
  return static_cast<float>(word_resemblance(comparison, layout.totals));
}

class Aligner {
 public:
  Aligner(const RunSetup& run, const ReadOutcome& read, ProgressReporter& progress)
      : run_(run), read_(read), progress_(progress), found_(&run.budget) {}

  Status align(const ComparisonBasis& basis, std::span<const Match> doubtful) {
    for (unsigned worker = 0; worker < run_.threads; ++worker) {
      PARAPRINT_ASSIGN(std::unique_ptr<PairView> view, PairView::create(run_.options, *read_.log, read_.pages, basis));
      views_.push_back(std::move(view));
    }
    const std::uint64_t bytes_maximum = run_.options.resources.memory / kTextShare;
    run_.budget.make_room_for(bytes_maximum);
    progress_.begin("align", doubtful.size(), "pairs");
    Status status;
    while (!doubtful.empty() && status) {
      std::set<std::uint32_t> pages;
      const std::size_t count = pairs_that_fit(doubtful, bytes_maximum, pages);
      status = align_round(doubtful.first(count), {pages.begin(), pages.end()});
      doubtful = doubtful.subspan(count);
    }
    progress_.end();
    return status;
  }

  AlignedPairs take() { return std::move(found_); }

 private:
  // The number of leading pairs whose texts fit into `bytes_maximum`, at least one, so that a single pair above the
  // limit cannot block the stage; their pages are added to `pages`. A page shared by several pairs counts once.
  std::size_t pairs_that_fit(std::span<const Match> matches, std::uint64_t bytes_maximum,
                             std::set<std::uint32_t>& pages) const {
    std::uint64_t bytes = 0;
    std::size_t count = 0;
    for (const Match& match : matches) {
      for (const std::uint32_t page : {match.page_a, match.page_b}) {
        if (pages.contains(page)) continue;
        bytes += kTextBytesPerPage + kTextBytesPerCharacter * read_.pages.row(page).content_characters;
      }
      if (count > 0 && bytes > bytes_maximum) break;
      pages.insert(match.page_a);
      pages.insert(match.page_b);
      ++count;
    }
    return count;
  }

  // A pair whose text is missing (kNotFound: the input changed or was standard input) is counted and keeps its verdict;
  // every other error ends the stage. Results come back in the order of `matches`, which WordAlignments requires.
  Status align_round(std::span<const Match> matches, std::vector<std::uint32_t> pages) {
    PARAPRINT_ASSIGN(const auto contents, read_contents(run_, read_, std::move(pages)));
    return run_in_order<AlignedPiece, Result<AlignedPiece>>(
        run_.threads,
        [&]() -> Result<std::optional<AlignedPiece>> {
          if (matches.empty()) return std::optional<AlignedPiece>{};
          AlignedPiece piece;
          piece.matches = matches.first(std::min(matches.size(), kPairsPerPiece));
          matches = matches.subspan(piece.matches.size());
          return piece;
        },
        [&](unsigned worker, AlignedPiece&& piece) -> Result<AlignedPiece> {
          for (const Match& match : piece.matches) {
            Result<Comparison> comparison = views_[worker]->compare(match.page_a, match.page_b, contents);
            if (!comparison && comparison.error().code != ErrorCode::kNotFound) {
              return tl::unexpected<Error>(comparison.error());
            }
            piece.word_resemblances.push_back(comparison ? word_resemblance_of(*comparison) : std::nullopt);
          }
          return std::move(piece);
        },
        [&](Result<AlignedPiece>&& piece) -> Status {
          if (!piece) return tl::unexpected<Error>(piece.error());
          done_ += piece->matches.size();
          progress_.update(done_);
          return keep(*piece);
        });
  }

  // In one thread at a time, in the order of the pairs.
  Status keep(const AlignedPiece& piece) {
    for (std::size_t i = 0; i < piece.matches.size(); ++i) {
      const Match& match = piece.matches[i];
      count(found_.counters, piece.word_resemblances[i] ? "pairs_aligned" : "pairs_too_long_or_gone");
      if (!piece.word_resemblances[i]) continue;
      PARAPRINT_TRY(found_.words.add(match.page_a, match.page_b, *piece.word_resemblances[i]));
    }
    return {};
  }

  const RunSetup& run_;
  const ReadOutcome& read_;
  ProgressReporter& progress_;
  std::vector<std::unique_ptr<PairView>> views_;  // by worker
  AlignedPairs found_;                            // written by keep() alone, which runs in one thread at a time
  std::uint64_t done_ = 0;
};

}  // namespace

// Verdicts change only after all pairs are aligned: which pairs are doubtful depends on the verdicts of the profiles.
Result<AlignedPairs> align_words_of_pairs(const RunSetup& run, const ReadOutcome& read, const ComparisonBasis& basis,
                                          SpillArray<Match>& matches, ProgressReporter& progress) {
  const MatchOptions& options = run.options.match;
  SpillArray<Match> doubtful(&run.budget);
  for (const Match& match : matches) {
    if (!is_near_decision(match, options)) continue;
    PARAPRINT_TRY(doubtful.push_back(match));
  }
  Aligner aligner(run, read, progress);
  PARAPRINT_TRY(aligner.align(basis, doubtful));
  AlignedPairs aligned = aligner.take();
  for (Match& match : matches) {
    tick(&run.budget);
    const Verdict before = match.verdict;
    aligned.words.decide(match, options);
    if (match.verdict == before) continue;
    if (match.verdict == Verdict::kNear) count(aligned.counters, "pairs_made_near");
    if (before == Verdict::kNear) count(aligned.counters, "pairs_no_longer_near");
  }
  return aligned;
}

}  // namespace paraprint::inline semantics::inline alignment
