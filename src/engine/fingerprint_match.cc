// Connects the candidate search of a page-level algorithm with parallel scoring. The search reports pairs in its own
// order, so the matches are sorted at the end, as ScoredPairs requires. Pages of equal text are represented by the
// first of them throughout.
#include "engine/fingerprint_match.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "base/propagate.h"
#include "profile/registry.h"
#include "verify/pair_rounds.h"

namespace paraprint::inline engine {

Result<ScoredPairs> find_and_score_fingerprints(const FingerprintSet& fingerprints, const PageTable& pages,
                                                const DedupOptions& options, double resemblance_minimum,
                                                const SpillOptions& spill, unsigned threads,
                                                ProgressReporter& progress) {
  ScoredPairs result(spill.budget);
  PARAPRINT_TRY(result.representatives.append(fingerprints.same_text_representatives()));
  std::vector<std::uint8_t> is_left_out(fingerprints.size());
  for (std::uint32_t page = 0; page < fingerprints.size(); ++page) {
    is_left_out[page] = result.representatives[page] != page ? 1 : 0;
  }
  using PagePair = std::pair<std::uint32_t, std::uint32_t>;
  const auto score = [&](unsigned, const PagePair& pair) -> Result<std::optional<Match>> {
    const Match match = match_by_fingerprint(fingerprints, pages, pair.first, pair.second, options.match);
    return has_resemblance(match, resemblance_minimum) ? std::optional<Match>(match) : std::nullopt;
  };
  PairRounds<PagePair, decltype(score)> rounds(threads, score, result.matches);
  // The search does not know its number of pairs in advance, so progress has no total.
  progress.begin("verify", 0, "pairs");
  FingerprintCandidateOptions candidates;
  candidates.resemblance_minimum = resemblance_minimum;
  candidates.caps.group_cap = options.candidates.group_cap;
  candidates.spill = spill;
  candidates.threads = threads;
  Status found =
      fingerprint_candidate_search()(fingerprints.fingerprinter(), fingerprints.fingerprints(), is_left_out, candidates,
                                     result.counters, [&](std::uint32_t page_a, std::uint32_t page_b) {
                                       progress.update(rounds.scored());
                                       return rounds.add({page_a, page_b});
                                     });
  if (found) found = rounds.finish();
  if (!found) return tl::unexpected<Error>(found.error());
  progress.update(rounds.scored());
  progress.end();
  std::sort(result.matches.begin(), result.matches.end(), [](const Match& x, const Match& y) {
    return x.page_a != y.page_a ? x.page_a < y.page_a : x.page_b < y.page_b;
  });
  count(result.counters, "pairs_verified", rounds.scored());
  result.verify_seconds = rounds.seconds();
  count(result.counters, "pairs_stored", result.matches.size());
  count(result.counters, "fingerprint_bytes", fingerprints.kept_bytes());
  return result;
}

}  // namespace paraprint::inline engine
