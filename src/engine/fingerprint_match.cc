#include "engine/fingerprint_match.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "base/ordered_parallel.h"
#include "engine/fingerprint_candidates.h"

namespace paraprint {
namespace {

// Pairs compared between two hand-overs, and gathered before they are: as in match_stage.cc.
constexpr std::size_t kPairsPerPiece = 2048;
constexpr std::size_t kPairsPerRound = std::size_t{1} << 18;

using PagePair = std::pair<std::uint32_t, std::uint32_t>;

}  // namespace

Result<ScoredPairs> find_and_score_fingerprints(const FingerprintSet& fingerprints, const PageTable& pages,
                                                const DedupOptions& options, double resemblance_minimum,
                                                const SpillOptions& spill, unsigned threads,
                                                ProgressReporter& progress) {
  ScoredPairs result;
  result.representatives = fingerprints.same_text_representatives();
  std::vector<std::uint8_t> is_left_out(fingerprints.size());
  for (std::uint32_t page = 0; page < fingerprints.size(); ++page) {
    is_left_out[page] = result.representatives[page] != page ? 1 : 0;
  }
  std::vector<PagePair> round;
  std::uint64_t scored = 0;
  const auto score_round = [&]() -> Status {
    std::size_t next = 0;
    Status status = run_in_order<PagePair, std::vector<Match>>(
        threads,
        [&]() -> Result<std::optional<PagePair>> {
          if (next == round.size()) return std::optional<PagePair>{};
          const std::size_t begin = next;
          next = std::min(round.size(), begin + kPairsPerPiece);
          return std::optional<PagePair>{{static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(next)}};
        },
        [&](unsigned, PagePair&& piece) {
          std::vector<Match> kept;
          for (std::uint32_t i = piece.first; i < piece.second; ++i) {
            const auto [page_a, page_b] = round[i];
            const Match match = fingerprints.match(page_a, page_b, pages.row(page_a).content_characters,
                                                   pages.row(page_b).content_characters, options.match);
            const bool is_wanted = match.resemblance >= static_cast<float>(resemblance_minimum);
            if (is_wanted || match.verdict != Verdict::kDistinct) kept.push_back(match);
          }
          return kept;
        },
        [&](std::vector<Match>&& kept) -> Status {
          result.matches.insert(result.matches.end(), kept.begin(), kept.end());
          return {};
        });
    scored += round.size();
    round.clear();
    progress.update(scored);
    return status;
  };
  progress.begin("verify", 0, "pairs");
  FingerprintCandidateOptions candidates;
  candidates.resemblance_minimum = resemblance_minimum;
  candidates.caps.group_cap = options.candidates.group_cap;
  candidates.spill = spill;
  Status found =
      find_fingerprint_candidates(fingerprints.fingerprinter(), fingerprints.fingerprints(), is_left_out, candidates,
                                  result.counters, [&](std::uint32_t page_a, std::uint32_t page_b) -> Status {
                                    round.emplace_back(page_a, page_b);
                                    return round.size() < kPairsPerRound ? Status{} : score_round();
                                  });
  if (found) found = score_round();
  if (!found) return tl::unexpected<Error>(found.error());
  progress.end();
  std::sort(result.matches.begin(), result.matches.end(), [](const Match& x, const Match& y) {
    return x.page_a != y.page_a ? x.page_a < y.page_a : x.page_b < y.page_b;
  });
  count(result.counters, "pairs_verified", scored);
  count(result.counters, "pairs_stored", result.matches.size());
  count(result.counters, "fingerprint_bytes", fingerprints.kept_bytes());
  return result;
}

}  // namespace paraprint
