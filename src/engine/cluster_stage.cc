// Translates options and pages into the types of src/cluster, which knows neither options nor files. Names are
// validated with the options (options.cc), so an unknown `clusters` cannot arrive here.
#include "engine/cluster_stage.h"

#include <utility>

#include "base/propagate.h"
#include "base/stop.h"
#include "engine/fingerprint_match.h"
#include "engine/pair_scorer.h"
#include "text/language.h"

namespace paraprint::inline engine {
namespace {

std::vector<bool> pages_in_other_languages(const PageTable& pages, const LanguageSet& languages) {
  std::vector<bool> in_other_language;
  if (languages.empty()) return in_other_language;
  in_other_language.reserve(pages.size());
  for (std::uint32_t page = 0; page < pages.size(); ++page) {
    in_other_language.push_back(!languages.admits(pages.row(page).language));
  }
  return in_other_language;
}

}  // namespace

Result<SurvivorPolicy> survivor_policy(const SurvivorOptions& options) {
  PARAPRINT_ASSIGN(SurvivorCriteria criteria, parse_survivor_criteria(options.keep));
  return SurvivorPolicy(std::move(criteria.chain), options.prefer_host, options.prefer_scheme);
}

ClusteringOptions clustering_options(const SurvivorOptions& options, MemoryBudget* budget) {
  ClusteringOptions clustering;
  clustering.mode = options.clusters;
  clustering.join_contained = options.remove_contained;
  clustering.budget = budget;
  return clustering;
}

// A pair that clustering asks for beyond the scored ones is judged in the same way: by the algorithm of the run, with
// the words aligned if they were, and people's rulings last. cluster_pages() cannot stop at an error of reading, so the
// first one is kept and returned at its end.
Result<Decisions> decide_survivors(const RunSetup& run, const PageLog& log, const PageTable& pages,
                                   const MatchOutcome& matched, KnownPages known, std::vector<bool> referred_to) {
  const DedupOptions& options = run.options;
  PARAPRINT_ASSIGN(SurvivorPolicy policy, survivor_policy(options.survivors));
  SpillArray<PageFacts> facts(&run.budget);
  for (std::uint32_t page = 0; page < pages.size(); ++page) {
    PARAPRINT_TRY(facts.push_back(page_facts(pages, page)));
  }
  PairScorer scorer(log, pages, matched.basis.boilerplate, options.match);
  Status verified;
  const auto verify = [&](std::uint32_t page_a, std::uint32_t page_b) {
    Result<Match> match = matched.basis.fingerprints
                              ? match_by_fingerprint(*matched.basis.fingerprints, pages, page_a, page_b, options.match)
                              : scorer.score(page_a, page_b);
    if (match) {
      matched.aligned.words.decide(*match, options.match);
      matched.rulings.decide(*match);
      return *match;
    }
    if (verified) verified = tl::unexpected<Error>(match.error());
    Match distinct;
    distinct.page_a = page_a;
    distinct.page_b = page_b;
    return distinct;
  };
  Result<Clustering> clustering = cluster_pages(facts, matched.scored.representatives, matched.scored.matches, policy,
                                                clustering_options(options.survivors, &run.budget), verify);
  PARAPRINT_TRY(verified);
  PARAPRINT_TRY(clustering);
  return Decisions{std::move(policy),
                   std::move(*clustering),
                   std::move(known),
                   std::move(referred_to),
                   {},
                   pages_in_other_languages(pages, log.compared_languages())};
}

Result<std::vector<bool>> find_templates(const PageLog& log, const PageTable& pages, const SiteBoilerplate& boilerplate,
                                         const Decisions& decisions) {
  if (boilerplate.size() == 0) return std::vector<bool>();
  std::vector<bool> templates(pages.size());
  PairScorer scorer(log, pages, boilerplate, MatchOptions());
  for (std::uint32_t page = 0; page < pages.size(); ++page) {
    if (!may_be_template(decisions, page)) continue;
    PARAPRINT_TRY(check_stop());
    PARAPRINT_ASSIGN(templates[page], scorer.is_template(page));
  }
  return templates;
}

}  // namespace paraprint::inline engine
