// The stages of a run up to its decisions, called as pipeline.cc calls them, on a work folder that is only read. Inputs
// may be gone or changed since: everything but texts is still known then.
#include "view/run_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>
#include <utility>

#include "base/atomic_file.h"
#include "base/propagate.h"
#include "memory/scratch_folder.h"
#include "paraprint/engine.h"
#include "profile/page_profiler.h"
#include "profile/semantics.h"
#include "report/tables.h"
#include "text/language.h"

namespace paraprint::inline explorer {
namespace {

// Sorted pairs and spilled tables of the store itself go to files without a name in this folder.
DedupOptions with_temporary_folder(DedupOptions options) {
  options.resources.tmp = temporary_folder(options.resources.tmp);
  return options;
}

// Before anything is read: a folder of a run that was killed, or of none at all.
Status check_finished(const std::string& folder) {
  for (const std::string& path : {folder + "/summary.json", stored_options_path(folder)}) {
    PARAPRINT_ASSIGN(const bool exists, path_exists(path));
    if (exists) continue;
    return failure(ErrorCode::kNotFound,
                   fmt::format("{}: contains no finished run of `paraprint dedup` ({} is missing); if one was killed, "
                               "repeat its command",
                               folder, path));
  }
  return {};
}

}  // namespace

RunStore::RunStore(const DedupOptions& options)
    : options_(with_temporary_folder(options)),
      budget_(options.resources.memory, options_.resources.tmp),
      cluster_numbers_(&budget_) {}

Result<std::unique_ptr<RunStore>> RunStore::open(const DedupOptions& stored) {
  PARAPRINT_TRY(check_finished(stored.output.out));
  std::unique_ptr<RunStore> store(new RunStore(stored));
  PARAPRINT_TRY(store->open_parts());
  return store;
}

Status RunStore::open_parts() {
  const std::string summary = options_.output.out + "/summary.json";
  PARAPRINT_ASSIGN(const std::string text, read_whole_file(summary));
  PARAPRINT_TRY(read_run_summary(summary, text, options_, totals_, input_names_));
  PARAPRINT_TRY(options_.validate());
  PARAPRINT_ASSIGN(WorkFolder work, WorkFolder::open_to_read(options_));
  work_.emplace(std::move(work));
  PARAPRINT_ASSIGN(log_, PageLog::open_to_read(work_->log_path()));
  Result<std::vector<InputFile>> inputs = work_->inputs();
  if (inputs) {
    inputs_ = std::move(*inputs);
  } else {
    no_texts_ = inputs.error().message;
  }
  if (options_.match.align_words) {
    no_thresholds_ = "the run aligned the words of doubtful pairs (--align-words), which depends on the threshold";
  }
  return {};
}

// Pages have the numbers of their inputs, so a list of other files, which may be shorter, is replaced.
void RunStore::name_inputs() {
  const bool has_names = std::equal(inputs_.begin(), inputs_.end(), input_names_.begin(), input_names_.end(),
                                    [](const InputFile& input, const std::string& name) { return input.path == name; });
  if (has_names) return;
  inputs_.clear();
  for (const std::string& name : input_names_) {
    InputFile input;
    input.path = name;
    inputs_.push_back(std::move(input));
  }
}

// The identity of the log tells whether the inputs are those that the run read. With --idf corpus its first line has
// the weights, which only another pass over the inputs would give; then the lines of the inputs alone are compared.
Status RunStore::load(ProgressReporter& progress) {
  std::string identity = log_->identity().substr(0, log_->identity().find('\n'));
  if (no_texts_.empty()) {
    const Result<std::string> expected = work_->log_identity(inputs_, identity);
    if (!expected) {
      no_texts_ = expected.error().message;
    } else if (*expected != log_->identity()) {
      no_texts_ = "the input files are not those that the run read: they were changed, moved or touched since";
    }
  }
  if (!no_texts_.empty()) name_inputs();
  if (options_.profile.idf != IdfSource::kCorpus) {
    PARAPRINT_ASSIGN(const std::string present, settings_identity(options_.profile, WordWeights::bundled()));
    if (present != identity) {
      return failure(
          ErrorCode::kUnsupported,
          fmt::format("{}: its pages were profiled by another version of paraprint, or with models that have "
                      "changed since; look at it with that version, or run `paraprint dedup` again",
                      options_.output.out));
    }
  }
  setup_.emplace(RunSetup{
      options_, RunMode::kRecluster, inputs_, std::move(identity),
      options_.resources.threads > 0 ? options_.resources.threads : std::max(1U, std::thread::hardware_concurrency()),
      budget_});
  progress.begin("pages", totals_.pages, "pages");
  PARAPRINT_ASSIGN(LanguageSet languages, LanguageSet::parse(options_.survivors.languages));
  PARAPRINT_ASSIGN(ReadOutcome read, load_pages(std::move(log_), inputs_, std::move(languages), budget_));
  read_.emplace(std::move(read));
  PARAPRINT_ASSIGN(KnownPages known, find_known_pages(*setup_, *read_->log, pages(), *work_, nullptr));
  progress.begin("pairs", 0, "pairs");
  PARAPRINT_ASSIGN(MatchOutcome matched, match_pages(*setup_, *read_->log, pages(), known, *work_, progress));
  matched_.emplace(std::move(matched));
  if (matched_->basis.fingerprints) {
    no_thresholds_ = "the run compared pages by another algorithm than paragraphs, with a threshold of its own";
  }
  if (options_.match.align_words) {
    PARAPRINT_ASSIGN(const Semantics* const semantics, semantics_for("align_words"));
    PARAPRINT_ASSIGN(matched_->aligned, semantics->align_doubtful_pairs(*setup_, *read_, matched_->basis,
                                                                        matched_->scored.matches, progress));
  }
  PARAPRINT_TRY(apply_rulings(*setup_, *read_->log, pages(), known, *matched_));
  progress.begin("clusters", pages().size(), "pages");
  PARAPRINT_ASSIGN(Decisions decisions,
                   decide_survivors(*setup_, *read_->log, pages(), *matched_, std::move(known), {}));
  decisions_.emplace(std::move(decisions));
  SpillArray<std::uint32_t> kept(&budget_);
  for (const PageCluster& page : decisions_->clustering.pages) PARAPRINT_TRY(kept.push_back(page.kept_page));
  PARAPRINT_TRY(number_clusters(kept, pages().pages_by_id(), cluster_numbers_));
  kept.release();
  PARAPRINT_TRY(compare_with_tables());
  budget_.trim();
  return budget_.status();
}

// The tables are not read: their totals tell whether they belong to these scores.
Status RunStore::compare_with_tables() {
  std::uint64_t kept = 0;
  for (std::uint32_t page = 0; page < pages().size(); ++page) kept += is_kept(*decisions_, page) ? 1 : 0;
  if (pages().size() == totals_.pages && kept == totals_.kept) return {};
  warnings_.push_back(
      fmt::format("summary.json counts {} pages of which {} are kept, but the stored scores give {} and {}: the folder "
                  "was changed after the run; `paraprint recluster {}` writes its tables again",
                  totals_.pages, totals_.kept, pages().size(), kept, options_.output.out));
  return {};
}

}  // namespace paraprint::inline explorer
