// Matches one variant with the functions of a dedup run and measures time and memory around them. The costs of reading,
// extracting and fingerprinting were measured when the pages were spooled, and are added to each variant that uses
// them.
#include "lab/evaluate/evaluate_match.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/processor_time.h"
#include "base/propagate.h"
#include "engine/fingerprint_match.h"
#include "memory/memory_meter.h"

namespace paraprint::inline lab::inline evaluation {
namespace {

// The precision-recall curve of the paragraph method begins at this share of its threshold; page-level algorithms
// define their own (PageFingerprinter::sweep_minimum).
constexpr double kParagraphSweepShare = 0.5;

// Boilerplate is found again for each variant, because its time belongs to the variant's costs.
Result<ScoredPairs> match_paragraphs(const EvaluationSpool& spool, const DedupOptions& options,
                                     const SpillOptions& spill, unsigned threads, ProgressReporter& quiet) {
  Counters counters;
  PARAPRINT_ASSIGN(SiteBoilerplate boilerplate,
                   find_boilerplate(*spool.profiles, spool.pages, options.candidates, spill, counters));
  return find_and_score_pairs(*spool.profiles, spool.pages, boilerplate, options, spill, threads, quiet);
}

// Pairs are searched down to the sweep's minimum instead of the threshold, so that the whole curve can be drawn.
Result<ScoredPairs> match_fingerprints(const EvaluationSpool& spool, const AlgorithmChoice& choice, std::size_t log,
                                       const DedupOptions& options, const SpillOptions& spill, unsigned threads,
                                       ProgressReporter& quiet, MatchedVariant& matched) {
  PARAPRINT_ASSIGN(FingerprintSet fingerprints, FingerprintSet::read(*spool.fingerprints[log], choice));
  matched.threshold = fingerprints.fingerprinter().threshold();
  matched.min_score = fingerprints.fingerprinter().sweep_minimum();
  matched.costs.fingerprint_bytes = fingerprints.kept_bytes();
  return find_and_score_fingerprints(fingerprints, spool.pages, options, matched.min_score, spill, threads, quiet);
}

// Times are processor seconds of all threads, so they do not depend on the number of threads; pages per second is
// derived from their sum.
void add_shared_costs(const EvaluationSpool& spool, bool is_paragraph, std::size_t log, AlgorithmCosts& costs) {
  costs.extract_seconds = spool.times.extract;
  costs.features_seconds = is_paragraph ? 0 : spool.times.terms;
  costs.fingerprint_seconds = is_paragraph ? spool.times.profile : spool.times.fingerprint[log];
  const double pages = std::max(1U, spool.pages.size());
  costs.bytes_per_page = static_cast<double>(costs.fingerprint_bytes) / pages;
  costs.pages_per_second = costs.seconds() > 0 ? pages / costs.seconds() : 0;
}

// Keeps the pairs that some threshold of the sweep would report, sorted as FoundPairs requires.
void keep_pairs(const ScoredPairs& scored, std::uint32_t characters_minimum, MatchedVariant& matched) {
  for (const Match& match : scored.matches) {
    const bool is_enough = match.matched_characters >= static_cast<float>(characters_minimum);
    if (is_enough && match.resemblance >= static_cast<float>(matched.min_score)) {
      matched.found.pairs.push_back({match.page_a, match.page_b, match.resemblance});
    }
  }
  std::sort(matched.found.pairs.begin(), matched.found.pairs.end(),
            [](const ScoredPagePair& x, const ScoredPagePair& y) {
              return x.page_a != y.page_a ? x.page_a < y.page_a : x.page_b < y.page_b;
            });
}

}  // namespace

Result<MatchedVariant> match_variant(const EvaluationVariant& variant, const EvaluationSpool& spool, std::size_t log,
                                     const SpillOptions& spill, unsigned threads) {
  DedupOptions options;
  options.candidates = variant.candidates;
  options.match = variant.match;
  const RunControl silent;
  ProgressReporter quiet(silent);
  MatchedVariant matched;
  const bool is_paragraph = variant.choice.is_paragraph_method();
  matched.threshold = variant.match.near;
  matched.min_score = variant.match.near * kParagraphSweepShare;
  matched.costs.fingerprint_bytes = spool.profile_bytes;
  // From here on everything is charged to the variant: reading its fingerprints, candidates and verification.
  const MemoryMeter meter;
  const double begin_seconds = process_processor_seconds();
  const auto begin = std::chrono::steady_clock::now();
  PARAPRINT_ASSIGN(ScoredPairs scored, is_paragraph ? match_paragraphs(spool, options, spill, threads, quiet)
                                                    : match_fingerprints(spool, variant.choice, log, options, spill,
                                                                         threads, quiet, matched));
  AlgorithmCosts& costs = matched.costs;
  costs.match_wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  costs.verify_seconds = scored.verify_seconds;
  costs.candidates_seconds = process_processor_seconds() - begin_seconds - scored.verify_seconds;
  costs.memory_peak_bytes = meter.peak_bytes();
  costs.memory_baseline_bytes = meter.baseline_bytes();
  add_shared_costs(spool, is_paragraph, log, costs);
  matched.counters = std::move(scored.counters);
  matched.found.representatives.assign(scored.representatives.begin(), scored.representatives.end());
  keep_pairs(scored, is_paragraph ? variant.match.min_characters : 0, matched);
  return matched;
}

}  // namespace paraprint::inline lab::inline evaluation
