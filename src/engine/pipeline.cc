#include "engine/pipeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <thread>

#include "base/atomic_file.h"
#include "base/hash.h"
#include "base/propagate.h"
#include "engine/cluster_stage.h"
#include "engine/fingerprint_match.h"
#include "engine/output_stage.h"
#include "engine/pair_scorer.h"
#include "engine/read_stage.h"
#include "engine/stage_clock.h"
#include "engine/surviving_records.h"
#include "engine/work_folder.h"
#include "memory/memory_meter.h"
#include "paraprint/stop.h"
#include "profile/page_profiler.h"
#include "profile/profile_codec.h"
#include "profile/registry.h"
#include "profile/semantics.h"

namespace paraprint {
namespace {

Status load_pages(DedupRun& run) {
  Profile head;
  PARAPRINT_TRY(run.log.read(
      [&](const LoggedPage& page) -> Status {
        PARAPRINT_TRY(decode_profile_head(page.profile, head));
        return run.pages.add(page, head.content_characters);
      },
      [&](const PageBatch& batch) -> Status {
        add_counters(run.reading, batch.counters);
        for (const Defect& defect : batch.defects) {
          run.defects.add(defect);
          if (defect.kind == DefectKind::kUnreadableFile) run.inputs_ended_early.insert(batch.file_index);
        }
        return {};
      }));
  PARAPRINT_ASSIGN(const std::uint64_t renamed, run.pages.finish());
  count(run.reading, "duplicate_ids", renamed);
  return run.budget.status();
}

Status score_pairs(DedupRun& run, const WorkFolder& work, RunMode mode, ProgressReporter& progress) {
  const SpillOptions spill = work.spill_options(run.budget);
  if (run.options.profile.with_paragraphs) {
    PARAPRINT_ASSIGN(SiteBoilerplate boilerplate,
                     find_boilerplate(run.log, run.options.candidates, spill, run.boilerplate_counters));
    run.boilerplate = std::move(boilerplate);
  }
  PARAPRINT_ASSIGN(AlgorithmChoice algorithm, choose_algorithm(run.options.profile.algorithm));
  if (!algorithm.is_paragraph_method()) {
    PARAPRINT_ASSIGN(FingerprintSet fingerprints, FingerprintSet::read(run.log, algorithm));
    run.fingerprints.emplace(std::move(fingerprints));
  }
  const std::string identity = work.scores_identity(run.options, run.log);
  Result<ScoredPairs> stored = read_scored_pairs(work.scores_path(), identity, &run.budget);
  if (stored) {
    run.scored = std::move(*stored);
    if (!run.fingerprints) {
      apply_thresholds(run.options.match, run.scored.matches);
      return {};
    }
    for (Match& match : run.scored.matches) match.verdict = run.fingerprints->verdict(match, run.options.match);
    return {};
  }
  if (mode == RunMode::kRecluster) return tl::unexpected<Error>(stored.error());
  PARAPRINT_ASSIGN(
      ScoredPairs scored,
      run.fingerprints
          ? find_and_score_fingerprints(*run.fingerprints, run.pages, run.options,
                                        run.fingerprints->fingerprinter().threshold(), spill, run.threads, progress)
          : find_and_score_pairs(run.log, run.pages, run.boilerplate, run.options, spill, run.threads, progress));
  run.scored = std::move(scored);
  return write_scored_pairs(work.scores_path(), identity, run.scored);
}

// Which pages an earlier crawl had: as stored, or asked of the index and stored.
Status find_known_pages(DedupRun& run, const WorkFolder& work, KnownPagesSource* source) {
  const std::string path = work.known_pages_path();
  Result<StoredKnownPages> stored = read_known_pages(path, &run.budget);
  const bool is_of_this_run = stored && stored->log_bytes == run.log.size_bytes();
  if (run.mode == RunMode::kRecluster) {
    if (is_of_this_run) run.known = std::move(stored->pages);
    return {};
  }
  if (source == nullptr) {
    std::error_code ignored;
    std::filesystem::remove(path, ignored);
    return {};
  }
  if (is_of_this_run && stored->source == source->name()) {
    run.known = std::move(stored->pages);
    return {};
  }
  PARAPRINT_ASSIGN(KnownPages found, source->find(run));
  run.known = std::move(found);
  return write_known_pages(path, run.log.size_bytes(), source->name(), run.known);
}

// Known pages are out of the comparison with each other and with the rest.
void drop_matches_of_known_pages(DedupRun& run) {
  if (run.known.empty()) return;
  SpillArray<Match>& matches = run.scored.matches;
  Match* const end = std::remove_if(matches.begin(), matches.end(), [&](const Match& match) {
    return run.known.contains(match.page_a) || run.known.contains(match.page_b);
  });
  matches.shrink(static_cast<std::size_t>(end - matches.begin()));
}

// Between two stages: gives back what the last one freed, and tells whether it kept within the bound and may go on.
Status trim(MemoryBudget& budget) {
  PARAPRINT_TRY(check_stop());
  budget.trim();
  return budget.status();
}

// The pairs as they are clustered: without known pages, and those near the decision decided by their words if asked
// for.
Status settle_pairs(DedupRun& run, StageClock& clock, ProgressReporter& progress) {
  drop_matches_of_known_pages(run);
  clock.end_stage("match", run.scored.matches.size(), "pairs");
  if (run.options.match.align_words) {
    PARAPRINT_ASSIGN(const Semantics* const semantics, semantics_for("align_words"));
    PARAPRINT_TRY(semantics->align_doubtful_pairs(run, progress));
    clock.end_stage("align", run.alignments.size(), "pairs");
  }
  return trim(run.budget);
}

Status cluster(DedupRun& run) {
  PARAPRINT_ASSIGN(SurvivorPolicy policy, survivor_policy(run.options.survivors));
  run.policy = std::move(policy);
  SpillArray<PageFacts> facts(&run.budget);
  for (std::uint32_t page = 0; page < run.pages.size(); ++page) {
    PARAPRINT_TRY(facts.push_back(page_facts(run.pages, page)));
  }
  PairScorer scorer(run.log, run.pages, run.boilerplate, run.options.match);
  Status verified;
  Result<Clustering> result = cluster_pages(facts, run.scored.representatives, run.scored.matches, run.policy,
                                            clustering_options(run.options.survivors, &run.budget),
                                            [&](std::uint32_t page_a, std::uint32_t page_b) {
                                              if (run.fingerprints) return match_by_fingerprint(run, page_a, page_b);
                                              Result<Match> match = scorer.score(page_a, page_b);
                                              if (match) {
                                                run.alignments.decide(*match, run.options.match);
                                                return *match;
                                              }
                                              if (verified) verified = tl::unexpected<Error>(match.error());
                                              Match distinct;
                                              distinct.page_a = page_a;
                                              distinct.page_b = page_b;
                                              return distinct;
                                            });
  if (!verified) return verified;
  if (!result) return tl::unexpected<Error>(result.error());
  run.clustering = std::move(*result);
  return {};
}

DedupOutcome outcome_of(const DedupRun& run) {
  DedupOutcome outcome;
  outcome.pages = run.pages.size();
  for (std::uint32_t page = 0; page < run.pages.size(); ++page) {
    ++(is_kept(run, page) ? outcome.pages_kept : outcome.pages_removed);
    if (is_kept(run, page) && run.pages.row(page).content_characters == 0) ++outcome.pages_empty;
  }
  outcome.pages_known = run.known.size();
  outcome.clusters = run.clustering.statistics.clusters;
  outcome.matches = run.matches.size();
  outcome.broken_records = run.defects.total;
  outcome.unreadable_inputs = run.defects.unreadable_inputs;
  outcome.memory_peak_bytes = process_peak_bytes();
  if (run.options.output.write_report) outcome.report_path = run.options.output.folder + "/report/index.html";
  return outcome;
}

Status write_output(DedupRun& run, const ExternalSortOptions& sort_options, StageClock& clock,
                    ProgressReporter& progress) {
  PARAPRINT_TRY(prepare_output(run, sort_options));
  PARAPRINT_TRY(remove_earlier_output(run));
  Counters writing;
  PARAPRINT_TRY(write_tables(run, progress));
  clock.end_stage("tables", run.matches.size(), "pairs");
  if (run.options.output.write_records) {
    PARAPRINT_TRY(write_surviving_records(run, writing, progress));
    clock.end_stage("write", run.pages.size(), "pages");
  }
  const Summary summary = summarise(run, writing);
  if (run.options.output.write_report) {
    PARAPRINT_TRY(write_report(run, summary, progress));
    clock.end_stage("report", 0, "");
  }
  PARAPRINT_TRY(write_summary(run.options.output.folder + "/summary.json", summary));
  return clock.write(run.options.output.folder + "/timing.json", run.threads, run.budget);
}

}  // namespace

Result<DedupOutcome> run_pipeline(const DedupOptions& options, RunMode mode, ProgressReporter& progress,
                                  KnownPagesSource* known_pages) {
  StageClock clock;
  const unsigned threads =
      options.resources.threads > 0 ? options.resources.threads : std::max(1U, std::thread::hardware_concurrency());

  // 1. What is there to read, and what of it was read before?
  PARAPRINT_ASSIGN(WorkFolder work, WorkFolder::open(options, mode == RunMode::kRecluster));
  PARAPRINT_ASSIGN(std::vector<InputFile> inputs, work.inputs());
  PARAPRINT_ASSIGN(std::unique_ptr<WordWeights> learnt, work.word_weights(inputs, options, threads, progress));
  const WordWeights& weights = learnt != nullptr ? *learnt : WordWeights::bundled();
  PARAPRINT_ASSIGN(std::string identity, settings_identity(options.profile, weights));
  if (known_pages != nullptr) {
    PARAPRINT_TRY(known_pages->check(identity));
  }
  PARAPRINT_ASSIGN(std::unique_ptr<PageLog> log, work.open_log(inputs, identity));

  // 2. Records -> pages -> profiles.
  if (mode == RunMode::kResume) {
    PARAPRINT_TRY(read_and_profile(inputs, options, threads, weights, *log, progress));
  }
  MemoryBudget budget(options.resources.memory_bytes, work.spill_folder());
  budget.trim();
  DedupRun run(options, mode, inputs, *log, budget);
  run.identity = std::move(identity);
  run.threads = threads;
  PARAPRINT_TRY(load_pages(run));
  clock.end_stage("read", run.pages.size(), "pages");
  PARAPRINT_TRY(find_known_pages(run, work, known_pages));

  // 3. Profiles -> candidate pairs -> verified pairs.
  PARAPRINT_TRY(score_pairs(run, work, mode, progress));
  PARAPRINT_TRY(settle_pairs(run, clock, progress));

  // 4. Verified pairs -> clusters, each with the page that stays.
  PARAPRINT_TRY(cluster(run));
  clock.end_stage("cluster", run.pages.size(), "pages");
  PARAPRINT_TRY(trim(budget));

  // 5. Output.
  const ExternalSortOptions sort_options{work.spill_options(budget).memory_bytes / 2, work.spill_folder()};
  PARAPRINT_TRY(write_output(run, sort_options, clock, progress));

  // 6. What survived is known from now on.
  if (known_pages != nullptr) {
    PARAPRINT_TRY(known_pages->add_kept(run));
  }
  return outcome_of(run);
}

}  // namespace paraprint
