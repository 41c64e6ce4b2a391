// Scores candidate pairs on all threads and keeps the results in the order in which the pairs were added.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "base/ordered_parallel.h"
#include "base/processor_time.h"
#include "base/propagate.h"
#include "memory/spill_array.h"
#include "paraprint/model.h"
#include "paraprint/result.h"

namespace paraprint::inline verify {

// Calls score(worker, pair) -> Result<std::optional<Match>> on up to `threads` threads at once; nullopt drops the pair.
// Matches are appended to `matches`. One thread at a time may call add() and finish().
template <class Pair, class Score>
class PairRounds {
 public:
  PairRounds(unsigned threads, Score score, SpillArray<Match>& matches)
      : threads_(threads), score_(std::move(score)), matches_(matches) {}

  // Buffers the pair; a full buffer is scored before the call returns. Errors: those of `score` and of the spill.
  Status add(const Pair& pair) {
    round_.push_back(pair);
    return round_.size() < kPairsPerRound ? Status{} : score_round();
  }

  // Scores the remaining pairs. Call once, after the last add().
  Status finish() { return score_round(); }

  std::uint64_t scored() const { return scored_; }
  // Processor time of the scoring, on all threads.
  double seconds() const { return seconds_; }

 private:
  static constexpr std::size_t kPairsPerRound = std::size_t{1} << 18;  // buffered before they are scored
  static constexpr std::size_t kPairsPerPiece = 512;                   // a few milliseconds of work for a thread

  struct PairSlice {
    std::size_t begin = 0;
    std::size_t end = 0;
  };
  using Kept = Result<std::vector<Match>>;

  Status score_round() {
    const double begin_seconds = process_processor_seconds();
    std::size_t next = 0;
    Status status = run_in_order<PairSlice, Kept>(
        threads_,
        [&]() -> Result<std::optional<PairSlice>> {
          if (next == round_.size()) return std::optional<PairSlice>{};
          const std::size_t begin = next;
          next = std::min(round_.size(), begin + kPairsPerPiece);
          return std::optional<PairSlice>{{begin, next}};
        },
        [&](unsigned worker, PairSlice&& piece) { return score_piece(worker, piece); },
        [&](Kept&& kept) -> Status {
          if (!kept) return tl::unexpected<Error>(kept.error());
          kept_.insert(kept_.end(), kept->begin(), kept->end());
          return {};
        });
    scored_ += round_.size();
    round_.clear();
    if (status) status = matches_.append(kept_);
    kept_.clear();
    seconds_ += process_processor_seconds() - begin_seconds;
    return status;
  }

  Kept score_piece(unsigned worker, const PairSlice& piece) {
    std::vector<Match> kept;
    for (std::size_t i = piece.begin; i < piece.end; ++i) {
      PARAPRINT_ASSIGN(std::optional<Match> match, score_(worker, std::as_const(round_[i])));
      if (match.has_value()) kept.push_back(*match);
    }
    return kept;
  }

  unsigned threads_;
  Score score_;
  SpillArray<Match>& matches_;
  std::vector<Pair> round_;
  std::vector<Match> kept_;  // of the round: arrays on the budget must not be written while threads read others
  std::uint64_t scored_ = 0;
  double seconds_ = 0;
};

}  // namespace paraprint::inline verify
