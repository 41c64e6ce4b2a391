// The paragraph method's second stage. Three passes over the log: boilerplate (two votes over sorted keys), candidates,
// verification. The first two read profiles from front to back; verification reads them back by position, in the order
// of the candidates, which is that of the pages, so most reads are near the last one and come from the system's cache.
#include "engine/match_stage.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "base/propagate.h"
#include "engine/fingerprint_match.h"
#include "engine/pair_scorer.h"
#include "engine/work_folder.h"
#include "index/candidates.h"
#include "profile/log_batches.h"
#include "profile/pair_file.h"
#include "profile/profile_codec.h"
#include "verify/pair_rounds.h"

namespace paraprint::inline engine {
namespace {

// Each gets half (1/2) of the sorters' memory. They don't add up: the boilerplate count is finished, and its sorters
// are freed, before the candidate search begins.
constexpr std::uint64_t kBoilerplateShare = 2;
constexpr std::uint64_t kCandidateShare = 2;

// The names are those of summary.json (docs/output.md).
void count_statistics(const CandidateStatistics& statistics, Counters& counters) {
  count(counters, "pages_compared", statistics.pages - statistics.pages_empty);
  count(counters, "pages_empty", statistics.pages_empty);
  count(counters, "pages_short", statistics.pages_short);
  count(counters, "pages_same_text", statistics.pages_same_text);
  count(counters, "keys", statistics.keys);
  count(counters, "key_groups", statistics.exact.groups);
  count(counters, "key_groups_over_cap", statistics.exact.groups_over_cap);
  count(counters, "key_pairs_not_generated", statistics.exact.pairs_not_generated);
  count(counters, "simhashes", statistics.simhashes);
  count(counters, "simhash_groups_over_cap", statistics.equal_simhash.groups_over_cap);
  count(counters, "simhash_pairs_not_generated",
        statistics.equal_simhash.pairs_not_generated + statistics.simhash_page_pairs_not_generated);
  count(counters, "candidate_pairs", statistics.pairs);
  count(counters, "candidate_pairs_by_anchor", statistics.pairs_by_anchor);
  count(counters, "candidate_pairs_by_paragraph", statistics.pairs_by_paragraph);
  count(counters, "candidate_pairs_by_simhash", statistics.pairs_by_simhash);
  count(counters, "candidate_pairs_by_sketch", statistics.pairs_by_sketch);
  count(counters, "sketches", statistics.sketch.sketches);
  count(counters, "sketch_buckets_over_cap", statistics.sketch.buckets_over_cap);
}

Result<ComparisonBasis> make_basis(const DedupOptions& options, const PageLog& log, const PageTable& pages,
                                   const SpillOptions& spill) {
  ComparisonBasis basis;
  if (options.profile.paragraphs) {
    PARAPRINT_ASSIGN(basis.boilerplate,
                     find_boilerplate(log, pages, options.candidates, spill, basis.boilerplate_counters));
  }
  PARAPRINT_ASSIGN(AlgorithmChoice algorithm, choose_algorithm(options.profile.algorithm));
  if (!algorithm.is_paragraph_method()) {
    PARAPRINT_ASSIGN(FingerprintSet fingerprints, FingerprintSet::read(log, algorithm));
    basis.fingerprints.emplace(std::move(fingerprints));
  }
  return basis;
}

// Stored scores keep their verdicts of the run that made them, so these are decided again under the present thresholds.
Result<ScoredPairs> score_pairs(const RunSetup& run, const PageLog& log, const PageTable& pages,
                                const ComparisonBasis& basis, const WorkFolder& work, const SpillOptions& spill,
                                ProgressReporter& progress) {
  const DedupOptions& options = run.options;
  const std::optional<FingerprintSet>& fingerprints = basis.fingerprints;
  const auto find_and_score = [&] {
    return fingerprints
               ? find_and_score_fingerprints(*fingerprints, pages, options, fingerprints->fingerprinter().threshold(),
                                             spill, run.threads, progress)
               : find_and_score_pairs(log, pages, basis.boilerplate, options, spill, run.threads, progress);
  };
  if (run.mode == RunMode::kOnce) return find_and_score();
  const std::string identity = work.scores_identity(options, log);
  Result<ScoredPairs> stored = read_scored_pairs(work.scores_path(), identity, &run.budget);
  if (stored && stored->representatives.size() != pages.size()) {
    stored = failure(ErrorCode::kCorruptData, fmt::format("{}: scores of {} pages, not of {}", work.scores_path(),
                                                          stored->representatives.size(), pages.size()));
  }
  if (stored) {
    if (!fingerprints) {
      apply_thresholds(options.match, stored->matches);
    } else {
      for (Match& match : stored->matches) match.verdict = fingerprints->verdict(match, options.match);
    }
    return stored;
  }
  if (run.mode == RunMode::kRecluster) return stored;
  PARAPRINT_ASSIGN(ScoredPairs scored, find_and_score());
  PARAPRINT_TRY(write_scored_pairs(work.scores_path(), identity, scored));
  return scored;
}

// Known pages are out of the comparison with each other and with the rest.
void drop_matches_of_known_pages(const KnownPages& known, SpillArray<Match>& matches) {
  if (known.empty()) return;
  Match* const end = std::remove_if(matches.begin(), matches.end(), [&](const Match& match) {
    return known.contains(match.page_a) || known.contains(match.page_b);
  });
  matches.shrink(static_cast<std::size_t>(end - matches.begin()));
}

bool is_before(const Match& a, const Match& b) {
  return std::pair(a.page_a, a.page_b) < std::pair(b.page_a, b.page_b);
}

// Adds the pairs that must be copies and have no match yet.
Status add_ruled_matches(const RunSetup& run, const PageLog& log, const PageTable& pages, MatchOutcome& matched) {
  SpillArray<Match>& matches = matched.scored.matches;
  const std::optional<FingerprintSet>& fingerprints = matched.basis.fingerprints;
  PairScorer scorer(log, pages, matched.basis.boilerplate, run.options.match);
  const std::size_t scored = matches.size();
  for (const RuledPair& pair : matched.rulings.pairs()) {
    Match match;
    match.page_a = pair.page_a;
    match.page_b = pair.page_b;
    if (pair.ruling != PairRuling::kAlways ||
        std::binary_search(matches.begin(), matches.begin() + scored, match, is_before)) {
      continue;
    }
    if (fingerprints) {
      match = match_by_fingerprint(*fingerprints, pages, pair.page_a, pair.page_b, run.options.match);
    } else {
      PARAPRINT_ASSIGN(match, scorer.score(pair.page_a, pair.page_b));
    }
    PARAPRINT_TRY(matches.push_back(match));
  }
  std::inplace_merge(matches.begin(), matches.begin() + scored, matches.end(), is_before);
  return {};
}

}  // namespace

Result<MatchOutcome> match_pages(const RunSetup& run, const PageLog& log, const PageTable& pages,
                                 const KnownPages& known, const WorkFolder& work, ProgressReporter& progress) {
  const SpillOptions spill = work.spill_options(run.budget);
  PARAPRINT_ASSIGN(ComparisonBasis basis, make_basis(run.options, log, pages, spill));
  PARAPRINT_ASSIGN(ScoredPairs scored, score_pairs(run, log, pages, basis, work, spill, progress));
  drop_matches_of_known_pages(known, scored.matches);
  return MatchOutcome{std::move(basis), std::move(scored), AlignedPairs(&run.budget), {}, {}, {}};
}

Status apply_rulings(const RunSetup& run, const PageLog& log, const PageTable& pages, const KnownPages& known,
                     MatchOutcome& matched) {
  const SurvivorOptions& options = run.options.survivors;
  const SpillArray<std::uint32_t>& representatives = matched.scored.representatives;
  const auto is_compared = [&](std::uint32_t page) {
    const LanguageSet& languages = log.compared_languages();
    return !known.contains(page) && (languages.empty() || languages.admits(pages.row(page).language));
  };
  const auto read = [&](const std::string& path, PairRuling ruling) -> Status {
    if (path.empty()) return {};
    PARAPRINT_ASSIGN(const PairFileCounts counts,
                     read_pair_file(path, pages, [&](std::uint32_t page_a, std::uint32_t page_b) -> Status {
                       if (!is_compared(page_a) || !is_compared(page_b)) {
                         count(matched.ruling_counters, "pairs_not_compared");
                       } else if (representatives[page_a] == representatives[page_b]) {
                         count(matched.ruling_counters, "pairs_of_equal_text");
                       } else {
                         matched.rulings.add(representatives[page_a], representatives[page_b], ruling);
                       }
                       return {};
                     }));
    count(matched.ruling_counters, ruling == PairRuling::kNever ? "pairs_never" : "pairs_always", counts.pairs);
    count(matched.ruling_counters, "pairs_of_unknown_pages", counts.unknown);
    if (counts.unknown > 0) {
      matched.ignored_pairs.push_back(
          fmt::format("{}: {} of {} pairs are ignored, because their pages are not in this run; {}", path,
                      counts.unknown, counts.pairs + counts.unknown, counts.first_unknown));
    }
    return {};
  };
  PARAPRINT_TRY(read(options.never, PairRuling::kNever));
  PARAPRINT_TRY(read(options.always, PairRuling::kAlways));
  if (const auto both = matched.rulings.finish()) {
    return failure(ErrorCode::kInvalidArgument,
                   fmt::format("{} and {} both have the pages \"{}\" and \"{}\", or others of their texts",
                               options.never, options.always, pages.id(both->first), pages.id(both->second)));
  }
  if (matched.rulings.pairs().empty()) return {};
  PARAPRINT_TRY(add_ruled_matches(run, log, pages, matched));
  for (Match& match : matched.scored.matches) {
    tick(&run.budget);
    matched.rulings.decide(match);
  }
  return {};
}

// Also used by the tasks of a distributed run, which must search in exactly the same way.
CandidateOptions candidate_options(const DedupOptions& options, const SpillOptions& spill) {
  CandidateOptions result;
  result.memory_limit_bytes = spill.memory_bytes / kCandidateShare;
  result.temporary_directory = spill.folder;
  result.budget = spill.budget;
  result.caps.group_cap = options.candidates.group_cap;
  result.simhash_distance_bits = options.candidates.candidate_bits;
  result.join_sketches = options.match.whole_text;
  return result;
}

// `pair.weight` adds up the content characters of all common keys, a paragraph as well as its sentences, so it rather
// overestimates what is common. A pair that is below the share even so is not worth reading two profiles for.
bool is_worth_verifying(const CandidatePair& pair, std::uint32_t characters_a, std::uint32_t characters_b,
                        const MatchOptions& options) {
  return pair.weight >= options.overlap_share * std::min(characters_a, characters_b);
}

// Pages whose URL has no host (site 0) are left out: they have no site in common whose template they could repeat.
Result<SiteBoilerplate> find_boilerplate(const PageLog& log, const PageTable& pages,
                                         const CandidateSearchOptions& options, const SpillOptions& spill,
                                         Counters& counters) {
  if (!options.boilerplate) return SiteBoilerplate{};
  SiteBoilerplateOptions counter_options;
  counter_options.memory_limit_bytes = spill.memory_bytes / kBoilerplateShare;
  counter_options.temporary_directory = spill.folder;
  counter_options.budget = spill.budget;
  SiteBoilerplateCounter counter(counter_options);
  if (pages.has_urls()) {  // without them, to read all profiles is in vain
    Profile profile;
    PARAPRINT_TRY(log.read(
        [&](const LoggedPage& page) -> Status {
          const std::uint64_t site = site_of_url(page.url);
          if (site == 0 || !page.is_compared) return {};
          PARAPRINT_TRY(decode_profile(page.profile, profile));
          return counter.add_page(site, profile);
        },
        [](const PageBatch&) -> Status { return {}; }));
  }
  Result<SiteBoilerplate> boilerplate = counter.finish();
  PARAPRINT_TRY(boilerplate);
  const SiteBoilerplateStatistics& statistics = counter.statistics();
  count(counters, "sites", statistics.sites);
  count(counters, "sites_too_small_for_boilerplate", statistics.sites_too_small);
  count(counters, "boilerplate_paragraphs", boilerplate->size());
  count(counters, "boilerplate_paragraphs_spared", statistics.suspects_spared);
  return boilerplate;
}

Result<ScoredPairs> find_and_score_pairs(const PageLog& log, const PageTable& pages, const SiteBoilerplate& boilerplate,
                                         const DedupOptions& options, const SpillOptions& spill, unsigned threads,
                                         ProgressReporter& progress) {
  CandidateOptions search = candidate_options(options, spill);
  search.threads = threads;
  CandidateBuilder builder(search);
  progress.begin("candidates", pages.size(), "pages");
  struct Scratch {
    Profile profile;
    std::vector<std::uint8_t> skip;
  };
  std::vector<Scratch> scratch(threads);
  std::uint32_t next_page = 0;  // the log has the pages in order, so their numbers are counted along
  Status status = read_log_in_order<SearchedPage>(
      log, threads,
      [&](unsigned worker, const LoggedPage& page) -> Result<SearchedPage> {
        if (!page.is_compared) return SearchedPage{};
        auto& [profile, skip] = scratch[worker];
        PARAPRINT_TRY(decode_profile(page.profile, profile));
        skip.clear();
        const std::uint64_t site = site_of_url(page.url);
        if (site != 0 && boilerplate.size() > 0) boilerplate.flag(site, profile, skip);
        return searched_page(profile, skip, search);
      },
      [&](SearchedPage&& page) -> Status {
        progress.update(next_page + 1);
        return builder.add_page(next_page++, page);
      });
  if (status) status = builder.finish();
  if (!status) return tl::unexpected<Error>(status.error());
  progress.end();

  ScoredPairs result(spill.budget);
  result.representatives = builder.take_same_text_representatives();
  std::vector<std::unique_ptr<PairScorer>> scorers;
  for (unsigned worker = 0; worker < threads; ++worker) {
    scorers.push_back(std::make_unique<PairScorer>(log, pages, boilerplate, options.match));
  }
  const auto score = [&](unsigned worker, const CandidatePair& pair) -> Result<std::optional<Match>> {
    PARAPRINT_ASSIGN(Match match, scorers[worker]->score(pair.page_a, pair.page_b));
    return is_worth_storing(match, options.match) ? std::optional<Match>(match) : std::nullopt;
  };
  PairRounds<CandidatePair, decltype(score)> rounds(threads, score, result.matches);
  progress.begin("verify", builder.statistics().pairs, "pairs");
  // An error of scoring cannot stop for_each_candidate(); the remaining pairs are skipped.
  std::uint64_t too_little = 0;  // pairs whose common keys are too small a share of either page
  Status listed = builder.for_each_candidate([&](const CandidatePair& pair) {
    if (!is_worth_verifying(pair, pages.row(pair.page_a).content_characters, pages.row(pair.page_b).content_characters,
                            options.match)) {
      ++too_little;
    } else if (status) {
      status = rounds.add(pair);
      progress.update(rounds.scored() + too_little);
    }
  });
  if (status) status = rounds.finish();
  if (!listed) return tl::unexpected<Error>(listed.error());
  if (!status) return tl::unexpected<Error>(status.error());
  progress.update(rounds.scored() + too_little);
  progress.end();
  count_statistics(builder.statistics(), result.counters);
  count(result.counters, "pairs_verified", rounds.scored());
  result.verify_seconds = rounds.seconds();
  count(result.counters, "pairs_with_too_little_in_common", too_little);
  count(result.counters, "pairs_stored", result.matches.size());
  return result;
}

// Pairs of equal text are not stored (representatives cover them), so no stored match can be kSame: hence `false`.
void apply_thresholds(const MatchOptions& options, SpillArray<Match>& matches) {
  for (Match& match : matches) {
    tick(matches.budget());
    match.verdict = decide_verdict(match.resemblance, match.containment_a, match.containment_b,
                                   match.matched_characters, false, options);
  }
}

}  // namespace paraprint::inline engine
