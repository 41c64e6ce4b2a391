// A run from its inputs to its output, stage by stage. The types say how the stages connect: each is given what it
// reads and returns what it makes, and nothing that an earlier stage made is changed later, except that aligned words
// and people's rulings change verdicts. What a stage does is in its own source, <name>_stage.cc; here is the order, and
// what happens between the stages: taking times, freeing memory, and checking whether the run should stop.
#include "engine/pipeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <thread>
#include <utility>

#include "archive/memory_reader.h"
#include "base/propagate.h"
#include "base/stop.h"
#include "engine/added_pages.h"
#include "engine/cluster_stage.h"
#include "engine/match_stage.h"
#include "engine/output_stage.h"
#include "engine/read_stage.h"
#include "engine/surviving_records.h"
#include "engine/work_folder.h"
#include "memory/memory_meter.h"
#include "profile/page_profiler.h"
#include "profile/semantics.h"
#include "report/stage_clock.h"
#include "text/language.h"

namespace paraprint::inline engine {
namespace {

// Between two stages: gives back what the last one freed, and tells whether it kept within the bound and may go on.
Status trim(MemoryBudget& budget) {
  PARAPRINT_TRY(check_stop());
  budget.trim();
  return budget.status();
}

DedupOutcome outcome_of(const RunSetup& run, const ReadOutcome& read, const MatchOutcome& matched,
                        const Decisions& decisions, const OutputRows& rows) {
  DedupOutcome outcome;
  outcome.pages = read.pages.size();
  for (std::uint32_t page = 0; page < read.pages.size(); ++page) {
    ++(is_kept(decisions, page) ? outcome.pages_kept : outcome.pages_removed);
    if (is_kept(decisions, page) && read.pages.row(page).content_characters == 0) ++outcome.pages_empty;
    if (is_in_other_language(decisions, page)) ++outcome.pages_in_other_languages;
  }
  outcome.pages_known = decisions.known.size();
  outcome.clusters = decisions.clustering.statistics.clusters;
  outcome.matches = rows.matches.size();
  outcome.broken_records = read.defects.total;
  outcome.unreadable_inputs = read.defects.unreadable_inputs;
  outcome.unreadable_reasons = read.defects.unreadable_reasons();
  outcome.ignored_pairs = matched.ignored_pairs;
  outcome.memory_peak_bytes = process_peak_bytes();
  if (run.options.output.report) outcome.report_path = run.options.output.out + "/report/index.html";
  return outcome;
}

// Gives `matched` the words of its doubtful pairs, and these pairs the verdicts that follow.
Status align_words(const RunSetup& run, const ReadOutcome& read, MatchOutcome& matched, ProgressReporter& progress) {
  PARAPRINT_ASSIGN(const Semantics* const semantics, semantics_for("align_words"));
  PARAPRINT_ASSIGN(matched.aligned,
                   semantics->align_doubtful_pairs(run, read, matched.basis, matched.scored.matches, progress));
  return {};
}

// Profiles must be comparable with those of the known pages, if there are any.
Result<std::string> identity_of_profiles(const DedupOptions& options, const WordWeights& weights,
                                         KnownPagesSource* known_pages) {
  PARAPRINT_ASSIGN(std::string identity, settings_identity(options.profile, weights));
  if (known_pages != nullptr) PARAPRINT_TRY(known_pages->check(identity));
  return identity;
}

// Reads what earlier calls did not read, or could not.
Status complete_log(const WorkFolder& work, const std::vector<InputFile>& inputs, const DedupOptions& options,
                    unsigned threads, const WordWeights& weights, bool with_languages, PageLog& log,
                    ProgressReporter& progress) {
  PARAPRINT_TRY(work.forget_failed_reads(log));
  return read_and_profile(inputs, options, threads, weights, with_languages, log, progress);
}

// A score that no record has is a slip of the pen: no page would be kept for the reason that the user gave.
Result<ReadOutcome> tabulate(const RunSetup& run, std::unique_ptr<PageLog> log) {
  PARAPRINT_ASSIGN(LanguageSet languages, LanguageSet::parse(run.options.survivors.languages));
  PARAPRINT_ASSIGN(ReadOutcome read, load_pages(std::move(log), run.inputs, std::move(languages), run.budget));
  const std::string field = run.options.survivors.score_field();
  if (field.empty() || read.pages.size() == 0 || read.pages.has_scores()) return read;
  return failure(
      ErrorCode::kInvalidArgument,
      fmt::format("keep asks for a score, but none of {} pages has a number in a field \"{}\" (of JSON lines "
                  "or a table)",
                  read.pages.size(), field));
}

Result<MatchOutcome> match_and_align(const RunSetup& run, const ReadOutcome& read, const KnownPages& known,
                                     WorkFolder& work, StageClock& clock, ProgressReporter& progress) {
  PARAPRINT_ASSIGN(MatchOutcome matched, match_pages(run, *read.log, read.pages, known, work, progress));
  clock.end_stage("match", matched.scored.matches.size(), "pairs");
  if (run.options.match.align_words) {
    PARAPRINT_TRY(align_words(run, read, matched, progress));
    clock.end_stage("align", matched.aligned.words.size(), "pairs");
  }
  PARAPRINT_TRY(apply_rulings(run, *read.log, read.pages, known, matched));
  return matched;
}

Result<InputRevisits> resolve_revisits(const RunSetup& run, const ReadOutcome& read, StageClock& clock,
                                       ProgressReporter& progress) {
  PARAPRINT_ASSIGN(InputRevisits revisits, find_input_revisits(run, read, progress));
  if (!revisits.links.links.empty()) clock.end_stage("revisits", revisits.links.links.size(), "records");
  return revisits;
}

Result<Decisions> decide(const RunSetup& run, const ReadOutcome& read, const MatchOutcome& matched, KnownPages known,
                         const InputRevisits& revisits, StageClock& clock) {
  PARAPRINT_ASSIGN(Decisions decisions,
                   decide_survivors(run, *read.log, read.pages, matched, std::move(known), revisits.referred_to));
  if (run.options.output.records) {
    PARAPRINT_ASSIGN(decisions.templates, find_templates(*read.log, read.pages, matched.basis.boilerplate, decisions));
  }
  clock.end_stage("cluster", read.pages.size(), "pages");
  PARAPRINT_TRY(trim(run.budget));
  return decisions;
}

Result<OutputRows> make_rows(const RunSetup& run, const ReadOutcome& read, const MatchOutcome& matched,
                             const Decisions& decisions, const WorkFolder& work, bool lists_matches) {
  OutputRows rows(&run.budget);
  if (lists_matches) {
    const ExternalSortOptions sorting{work.spill_options(run.budget).memory_bytes / 2, work.spill_folder(),
                                      run.threads};
    PARAPRINT_TRY(list_matches(read.pages, matched.scored, decisions.clustering, sorting, rows.matches));
  }
  PARAPRINT_TRY(number_clusters(decisions.clustering, read.pages, rows.cluster_numbers));
  return rows;
}

Result<RecordAdditions> make_additions(const RunSetup& run, const ReadOutcome& read, const MatchOutcome& matched,
                                       const Decisions& decisions, const OutputRows& rows, StageClock& clock,
                                       ProgressReporter& progress) {
  const OutputOptions& options = run.options.output;
  RecordAdditions additions;
  if (options.annotate) {
    PARAPRINT_ASSIGN(additions.annotations, PageAnnotations::make(run, *read.log, read.pages, matched.basis.boilerplate,
                                                                  decisions, rows, progress));
    PARAPRINT_TRY(additions.annotations->write(options.out + "/annotations.jsonl"));
    clock.end_stage("annotate", read.pages.size(), "pages");
  }
  if (options.trim) {
    const ExternalSortOptions sorting{run.budget.target_bytes() / 8, run.budget.spill_folder()};
    PARAPRINT_ASSIGN(additions.trims, PageTrims::find(run, read, decisions, sorting, progress));
    PARAPRINT_TRY(additions.trims->write_passages(options.out + "/trimmed.jsonl", read.pages));
    clock.end_stage("trim", read.pages.size(), "pages");
  }
  return additions;
}

Status write_output(const RunSetup& run, const ReadOutcome& read, const MatchOutcome& matched,
                    const Decisions& decisions, const OutputRows& rows, const InputRevisits& revisits,
                    StageClock& clock, ProgressReporter& progress) {
  const OutputOptions& options = run.options.output;
  PARAPRINT_TRY(remove_earlier_output(options.out));
  std::optional<CanonicalAddresses> canonical;
  if (options.provenance) {
    PARAPRINT_ASSIGN(canonical, read_canonical_addresses(*read.log, read.pages));
  }
  const CanonicalAddresses* const known_canonical = canonical ? &*canonical : nullptr;
  PARAPRINT_TRY(write_tables(options.out, run.inputs, read.pages, decisions, rows, known_canonical));
  const FindReferredPage find_referred = find_referred_page(read.pages, decisions, rows);
  PARAPRINT_TRY(write_input_revisits(options.out + "/input-revisits.jsonl", run.inputs, revisits.links, find_referred));
  if (options.evidence) {
    PARAPRINT_TRY(write_evidence(run, *read.log, read.pages, matched, rows, known_canonical, progress));
  }
  clock.end_stage("tables", rows.matches.size(), "pairs");
  if (options.provenance) {
    PARAPRINT_TRY(write_provenance(run, *read.log, read.pages, matched, decisions, rows, progress));
    clock.end_stage("provenance", read.pages.size(), "pages");
  }
  PARAPRINT_ASSIGN(RecordAdditions additions, make_additions(run, read, matched, decisions, rows, clock, progress));
  Counters writing;
  if (options.records) {
    PARAPRINT_ASSIGN(writing, write_surviving_records(run, read, decisions, additions, progress));
    clock.end_stage("write", read.pages.size(), "pages");
  }
  if (additions.trims) {
    PARAPRINT_TRY(additions.trims->write_texts(options.out + "/texts.jsonl", run, read, progress));
    add_counters(writing, additions.trims->counters());
    clock.end_stage("texts", read.pages.size(), "pages");
  }
  const Counters of_revisits = count_input_revisits(revisits.links, find_referred);
  const Summary summary = summarise(run, read, matched, decisions, rows, of_revisits, writing);
  if (options.report) {
    PARAPRINT_TRY(write_report(run, read, matched, decisions, rows, summary, progress));
    clock.end_stage("report", 0, "");
  }
  // Texts, aligned words and the report are read from them again.
  for (const InputFile& input : run.inputs) PARAPRINT_TRY(check_unchanged(input));
  PARAPRINT_TRY(clock.write(options.out + "/timing.json", run.threads, run.budget));
  // Last: it says that the output is whole.
  return write_summary(fmt::format("{}/{}", options.out, kSummaryName), summary);
}

// An input that could not be read to its end is read again when the run is repeated, which would then find its own
// pages in the index: it stays as it was.
Status add_survivors(const RunSetup& run, const ReadOutcome& read, const Decisions& decisions, const WorkFolder& work,
                     KnownPagesSource& known_pages, DedupOutcome& outcome) {
  if (!read.inputs_ended_early.empty()) return {};
  PARAPRINT_TRY(record_added_pages(work.added_pages_path(), known_pages.name(), run, *read.log, read.pages, decisions));
  PARAPRINT_ASSIGN(const IndexAdditions added, known_pages.add_kept(run.identity, *read.log, read.pages, decisions));
  outcome.known_replaced = added.replaced;
  outcome.pages_not_indexed = added.left_out;
  return {};
}

}  // namespace

Result<DedupOutcome> run_pipeline(const DedupOptions& options, RunMode mode, ProgressReporter& progress,
                                  KnownPagesSource* known_pages, const MemoryRun* memory) {
  StageClock clock;
  const unsigned threads =
      options.resources.threads > 0 ? options.resources.threads : std::max(1U, std::thread::hardware_concurrency());

  // 1. What is there to read, and what of it was read before?
  PARAPRINT_ASSIGN(WorkFolder work, memory != nullptr
                                        ? WorkFolder::open_for(options, {memory_input(memory->pages, memory->digest)})
                                        : WorkFolder::open(options, mode == RunMode::kRecluster));
  PARAPRINT_ASSIGN(std::vector<InputFile> inputs, work.inputs());
  PARAPRINT_ASSIGN(std::unique_ptr<WordWeights> learnt, work.word_weights(inputs, options, threads, progress));
  const WordWeights& weights = learnt != nullptr ? *learnt : WordWeights::bundled();
  PARAPRINT_ASSIGN(std::string identity, identity_of_profiles(options, weights, known_pages));
  PARAPRINT_ASSIGN(std::unique_ptr<PageLog> log, mode == RunMode::kOnce ? PageLog::create_nameless(work.spill_folder())
                                                 : mode == RunMode::kRecluster
                                                     ? work.open_finished_log(inputs, identity)
                                                     : work.open_log(inputs, identity));

  // 2. Records -> pages -> profiles.
  const bool writes_output = memory == nullptr || !memory->take;  // the only place that names languages
  if (mode != RunMode::kRecluster) {
    PARAPRINT_TRY(complete_log(work, inputs, options, threads, weights, writes_output, *log, progress));
  }
  MemoryBudget budget(options.resources.memory, work.spill_folder());
  budget.trim();
  const RunSetup run{options, mode, inputs, std::move(identity), threads, budget};
  PARAPRINT_ASSIGN(const ReadOutcome read, tabulate(run, std::move(log)));
  clock.end_stage("read", read.pages.size(), "pages");

  // 3. Profiles -> candidate pairs -> verified pairs.
  PARAPRINT_ASSIGN(KnownPages known, find_known_pages(run, *read.log, read.pages, work, known_pages));
  PARAPRINT_ASSIGN(const MatchOutcome matched, match_and_align(run, read, known, work, clock, progress));
  PARAPRINT_TRY(trim(budget));

  // 4. Verified pairs -> clusters, each with the page that stays.
  PARAPRINT_ASSIGN(const InputRevisits revisits, resolve_revisits(run, read, clock, progress));
  PARAPRINT_ASSIGN(const Decisions decisions, decide(run, read, matched, std::move(known), revisits, clock));

  // 5. Output.
  const bool lists_matches = memory == nullptr || memory->lists_matches;
  PARAPRINT_ASSIGN(const OutputRows rows, make_rows(run, read, matched, decisions, work, lists_matches));
  if (writes_output) {
    if (mode == RunMode::kResume) PARAPRINT_TRY(work.remove_stored_options());
    PARAPRINT_TRY(write_output(run, read, matched, decisions, rows, revisits, clock, progress));
  } else {
    memory->take(read.pages, decisions, rows);
  }

  // 6. What survived is known from now on.
  DedupOutcome outcome = outcome_of(run, read, matched, decisions, rows);
  if (known_pages != nullptr) PARAPRINT_TRY(add_survivors(run, read, decisions, work, *known_pages, outcome));
  return outcome;
}

}  // namespace paraprint::inline engine
