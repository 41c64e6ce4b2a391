// Third stage of a run: verified pairs -> clusters, each with the page that stays. Also the decisions about single
// pages that follow.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "cluster/clustering.h"
#include "cluster/survivor.h"
#include "engine/known_pages.h"
#include "engine/match_stage.h"
#include "engine/run.h"
#include "paraprint/options.h"
#include "paraprint/result.h"
#include "profile/page_log.h"
#include "profile/page_table.h"

namespace paraprint::inline engine {

// What was decided about each page: it is kept, lost to the kept page of its cluster, known from an earlier crawl, or
// in another language.
struct Decisions {
  SurvivorPolicy policy;
  Clustering clustering;
  KnownPages known;               // empty without an index
  std::vector<bool> referred_to;  // by page: by revisit records of the input; empty: none is
  std::vector<bool> templates;    // by page: has no text but the template of its site; empty: none; see is_template()
  // By page: is in none of the languages that the run keeps, and was not compared; empty: none is.
  std::vector<bool> in_other_language;
};

// kInvalidArgument for unknown survivor criteria.
Result<SurvivorPolicy> survivor_policy(const SurvivorOptions& options);

ClusteringOptions clustering_options(const SurvivorOptions& options, MemoryBudget* budget);

// The stage as a whole. `known` and `referred_to` become part of the result. Errors: those of survivor_policy(), of
// reading the log and of the budget's disk.
Result<Decisions> decide_survivors(const RunSetup& run, const PageLog& log, const PageTable& pages,
                                   const MatchOutcome& matched, KnownPages known, std::vector<bool> referred_to);

inline bool is_in_other_language(const Decisions& decisions, std::uint32_t page) {
  return !decisions.in_other_language.empty() && decisions.in_other_language[page];
}

// Whether the page survives: nothing in the run and nothing known stands in its place, and it is in the right language.
inline bool is_kept(const Decisions& decisions, std::uint32_t page) {
  return decisions.clustering.pages[page].kept_page == page && !decisions.known.contains(page) &&
         !is_in_other_language(decisions, page);
}

// Whether the record of the page stays in the archive: as a survivor, or because players show it for a revisit record
// of the input. Tables do not depend on the latter: the page is a copy all the same.
inline bool is_written(const Decisions& decisions, std::uint32_t page) {
  return is_kept(decisions, page) || (!decisions.referred_to.empty() && decisions.referred_to[page]);
}

// Whether the page is a copy of another one with the same text, all of which is the template of its site. Without text
// of its own, a page has no weight, so it matches by equal text alone; a page that an earlier crawl had is not looked
// at.
inline bool may_be_template(const Decisions& decisions, std::uint32_t page) {
  const PageCluster& cluster = decisions.clustering.pages[page];
  return cluster.kept_page != page && cluster.verdict == Verdict::kSame && !decisions.known.contains(page);
}
inline bool is_template(const Decisions& decisions, std::uint32_t page) {
  return !decisions.templates.empty() && decisions.templates[page] && may_be_template(decisions, page);
}

// Decisions::templates, for pages that may be one. Reads their profiles: some microseconds each. Errors: those of the
// log.
Result<std::vector<bool>> find_templates(const PageLog& log, const PageTable& pages, const SiteBoilerplate& boilerplate,
                                         const Decisions& decisions);

// Pages as the survivor policy looks at them.
inline PageFacts page_facts(const PageTable& pages, std::uint32_t page) {
  return {pages.url(page), pages.date(page), pages.row(page).content_characters, page, pages.score(page)};
}

// What made the page kept in place of `page` the better one (docs/output.md, removed.jsonl). Of pages that lost.
inline std::string_view reason_of_removal(const Decisions& decisions, const PageTable& pages, std::uint32_t page) {
  const std::uint32_t kept = decisions.clustering.pages[page].kept_page;
  return decisions.policy.reason(page_facts(pages, kept), page_facts(pages, page));
}

}  // namespace paraprint::inline engine
