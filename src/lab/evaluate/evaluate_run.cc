// `paraprint eval`: figures of algorithms on labelled sets. Read evaluate() at the end first.
//
// Variants that profile pages alike share one pass over the pages (ReadingGroup), whose result waits on disk
// (EvaluationSpool). Matching then runs one variant at a time, so that time and peak memory belong to that variant
// alone.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <thread>

#include "base/propagate.h"
#include "base/stop.h"
#include "lab/evaluate/evaluate_inputs.h"
#include "lab/evaluate/evaluate_judge.h"
#include "lab/evaluate/evaluate_match.h"
#include "lab/evaluate/evaluate_pairs.h"
#include "lab/evaluate/evaluate_spool.h"
#include "lab/evaluate/evaluate_variants.h"
#include "lab/evaluate/evaluation_report.h"
#include "lab/evaluate/labelled_set.h"
#include "memory/memory_meter.h"
#include "memory/scratch_folder.h"
#include "options/command_tables.h"
#include "paraprint/evaluate.h"
#include "profile/page_profiler.h"
#include "profile/word_counts.h"

namespace paraprint {
namespace {

unsigned threads_of(const EvaluateOptions& options) {
  return options.resources.threads > 0 ? options.resources.threads : std::max(1U, std::thread::hardware_concurrency());
}

// What the steps below share; everything outlives them.
struct Evaluator {
  const EvaluateOptions& options;
  const std::vector<EvaluationVariant>& variants;
  std::string temporary_folder;
  unsigned threads = 1;
  const RunControl& control;
};

// Variants with the same profile settings, and the fingerprint log that each of them uses.
struct ReadingGroup {
  ProfileOptions profile;
  std::vector<AlgorithmChoice> algorithms;
  std::vector<std::size_t> variants;
  std::vector<std::size_t> log_of_variant;  // index into algorithms; not used for the paragraph method
};

// Variants with equal settings identity read pages in the same way. Two variants that differ only in matching also
// share a fingerprint log: it is made once per canonical choice of algorithm.
Result<std::vector<ReadingGroup>> group_variants(const std::vector<EvaluationVariant>& variants) {
  std::vector<ReadingGroup> groups;
  std::map<std::string, std::size_t> group_of;
  for (std::size_t v = 0; v < variants.size(); ++v) {
    const EvaluationVariant& variant = variants[v];
    PARAPRINT_ASSIGN(std::string identity, settings_identity(variant.profile, WordWeights::bundled()));
    const auto [found, is_new] = group_of.try_emplace(std::move(identity), groups.size());
    if (is_new) groups.push_back({variant.profile, {}, {}, {}});
    ReadingGroup& group = groups[found->second];
    std::size_t log = 0;
    if (!variant.choice.is_paragraph_method()) {
      const auto known = std::find_if(group.algorithms.begin(), group.algorithms.end(), [&](const AlgorithmChoice& c) {
        return c.canonical == variant.choice.canonical;
      });
      log = static_cast<std::size_t>(known - group.algorithms.begin());
      if (known == group.algorithms.end()) group.algorithms.push_back(variant.choice);
    }
    group.variants.push_back(v);
    group.log_of_variant.push_back(log);
  }
  return groups;
}

// Binary search in the order of ids that PageTable::finish() has made.
std::optional<std::uint32_t> page_of_id(const PageTable& pages, std::string_view id) {
  const std::span<const std::uint32_t> order = pages.pages_by_id();
  const auto found = std::lower_bound(order.begin(), order.end(), id, [&](std::uint32_t page, std::string_view wanted) {
    return pages.id(page) < wanted;
  });
  if (found == order.end() || pages.id(*found) != id) return std::nullopt;
  return *found;
}

// The language that docs.jsonl names for a page, else the script of its text, so that every page falls into a class.
// Page types only if any page has one.
void bind_page_labels(const LabelledSetFiles& files, const ReadOptions& reading, const EvaluationSpool& spool,
                      LabelledSet& set) {
  const std::unordered_map<std::string, PageLabels> labels = read_page_labels(files, reading);
  const bool has_types =
      std::any_of(labels.begin(), labels.end(), [](const auto& entry) { return !entry.second.page_type.empty(); });
  NameTable languages;
  NameTable types;
  for (std::uint32_t page = 0; page < spool.pages.size(); ++page) {
    const auto known = labels.find(std::string(spool.pages.id(page)));
    const PageLabels own = known != labels.end() ? known->second : PageLabels{};
    set.language_of_page[page] = languages.add(own.language.empty() ? spool.scripts[page] : own.language);
    if (has_types) set.page_type_of_page.push_back(types.add(own.page_type.empty() ? kUnknownName : own.page_type));
  }
  const auto names_of = [](const NameTable& table) {
    std::vector<std::string> names;
    for (std::uint32_t name = 0; name < table.size(); ++name) names.push_back(table.name(name));
    return names;
  };
  set.language_names = names_of(languages);
  set.page_type_names = names_of(types);
}

// Ids must be unique here: a label of a repeated id would be ambiguous, and renaming (as in a run) would detach it.
Result<LabelledSet> bind_set(const Evaluator& evaluator, const LabelledSetFiles& files, const LabelFile& labels,
                             const EvaluationSpool& spool) {
  if (spool.pages.size() == 0)
    return failure(ErrorCode::kInvalidArgument, fmt::format("{}: contains no page", files.path));
  if (spool.pages_renamed > 0) {
    return failure(ErrorCode::kInvalidArgument,
                   fmt::format("{}: {} pages have the id of another page", files.path, spool.pages_renamed));
  }
  Result<LabelledSet> set = bind_labels(labels, spool.pages.size(), files.world, evaluator.options.seed,
                                        [&](std::string_view id) { return page_of_id(spool.pages, id); });
  if (set) bind_page_labels(files, evaluator.options.reading, spool, *set);
  return set;
}

// Counts of the set itself, independent of any algorithm: filled once, by the first group.
void describe_set(const LabelledSet& set, const EvaluationSpool& spool, SetEvaluation& result) {
  result.is_closed = set.is_closed;
  result.pages = spool.pages.size();
  result.pages_unreadable = spool.pages_unreadable;
  result.broken_records = spool.broken_records;
  result.labels = set.counts;
  // A unit counts once, however many copies it has: it is what the bootstrap resamples.
  std::vector<bool> has_copies(set.units);
  for (const TruthPair& pair : set.pairs) {
    const std::uint32_t unit = set.unit_of_pair(pair.page_a, pair.page_b);
    if (is_positive(pair.label) && !has_copies[unit]) {
      has_copies[unit] = true;
      ++result.copy_units;
    }
    if (set.is_test_unit[unit] == 0) continue;
    if (pair.label == TruthLabel::kDuplicate) ++result.test_labels.duplicate;
    if (pair.label == TruthLabel::kNear) ++result.test_labels.near;
    if (pair.label == TruthLabel::kTopic) ++result.test_labels.topic;
    if (pair.label == TruthLabel::kDifferent) ++result.test_labels.different;
  }
  std::vector<std::uint32_t> clusters(set.cluster_of_page);
  std::sort(clusters.begin(), clusters.end());
  clusters.erase(std::unique(clusters.begin(), clusters.end()), clusters.end());
  std::erase(clusters, kNoCluster);
  result.clusters = clusters.size();
}

// How much of the keywords' weight the cut to N keywords keeps, and how often the cut falls between keywords of equal
// weight, so that byte order decides (docs/algorithms/tianwang.md).
void add_cut_analysis(const CutStatistics& cuts, AlgorithmEvaluation& result) {
  if (cuts.pages() == 0) return;
  result.analysis.emplace_back("mean E(N)", cuts.mean_kept_energy());
  result.analysis.emplace_back("share with g(N) = 0", cuts.tied_share());
}

// Passes on what the variants of a group find, without judging it.
Status match_group(const Evaluator& evaluator, const ReadingGroup& group, EvaluationSpool& spool,
                   VariantReceiver& receiver) {
  const SpillOptions spill{evaluator.temporary_folder, evaluator.options.resources.memory};
  for (std::size_t i = 0; i < group.variants.size(); ++i) {
    const EvaluationVariant& variant = evaluator.variants[group.variants[i]];
    PARAPRINT_ASSIGN(const MatchedVariant matched,
                     match_variant(variant, spool, group.log_of_variant[i], spill, evaluator.threads));
    PARAPRINT_TRY(receiver.add(group.variants[i], variant, matched, spool));
  }
  return receiver.end_group(group.profile, spool);
}

// With a receiver, labels are not used, and the result has only counts of pages.
Result<SetEvaluation> evaluate_set(const Evaluator& evaluator, const LabelledSetFiles& files, const LabelFile& labels,
                                   FoundPairTables* pair_tables, VariantReceiver* receiver = nullptr) {
  SetEvaluation result;
  result.name = files.name;
  result.path = files.path;
  result.algorithms.resize(evaluator.variants.size());
  ProgressReporter progress(evaluator.control);
  std::size_t done = 0;
  PARAPRINT_ASSIGN(std::vector<ReadingGroup> groups, group_variants(evaluator.variants));
  // Each group releases its spool before the next one is read: disk use is that of one group.
  for (const ReadingGroup& group : groups) {
    DedupOptions reading;
    reading.profile = group.profile;
    reading.reading = evaluator.options.reading;
    reading.resources = evaluator.options.resources;
    // Corpus weights are learnt for each group, since they depend on extraction and normalisation.
    std::unique_ptr<WordWeights> learnt;
    if (group.profile.idf == IdfSource::kCorpus) {
      PARAPRINT_ASSIGN(std::unique_ptr<WordWeights> weights,
                       learn_word_weights(files.pages, reading, evaluator.threads, progress));
      learnt = std::move(weights);
    }
    PARAPRINT_ASSIGN(EvaluationSpool spool,
                     spool_pages({files.pages, evaluator.options.reading, group.profile, group.algorithms,
                                  learnt ? *learnt : WordWeights::bundled(), evaluator.temporary_folder,
                                  !evaluator.options.sweep.empty(), evaluator.threads},
                                 progress));
    if (receiver != nullptr) {
      result.pages_unreadable = spool.pages_unreadable;
      result.broken_records = spool.broken_records;
      PARAPRINT_TRY(match_group(evaluator, group, spool, *receiver));
      continue;
    }
    PARAPRINT_ASSIGN(LabelledSet set, bind_set(evaluator, files, labels, spool));
    if (done == 0) describe_set(set, spool, result);
    progress.begin("match", evaluator.variants.size(), "algorithms");
    for (std::size_t i = 0; i < group.variants.size(); ++i) {
      const EvaluationVariant& variant = evaluator.variants[group.variants[i]];
      const SpillOptions spill{evaluator.temporary_folder, evaluator.options.resources.memory};
      PARAPRINT_ASSIGN(MatchedVariant matched,
                       match_variant(variant, spool, group.log_of_variant[i], spill, evaluator.threads));
      result.algorithms[group.variants[i]] = judge_variant(evaluator.options, variant, set, spool.pages, matched);
      if (!variant.choice.is_paragraph_method()) {
        add_cut_analysis(spool.cuts[group.log_of_variant[i]], result.algorithms[group.variants[i]]);
      }
      if (pair_tables != nullptr) {
        PARAPRINT_TRY(pair_tables->add(files.name, variant.label, matched.found, spool.pages.size(),
                                       [&](std::uint32_t page) { return spool.pages.id(page); }));
      }
      progress.update(++done, spool.pages.size());
    }
    progress.end();
  }
  return result;
}

}  // namespace

inline namespace lab {
inline namespace evaluation {

Result<ReadCounts> match_variants(const EvaluateOptions& options, const LabelledSetFiles& files,
                                  const std::vector<EvaluationVariant>& variants, const RunControl& control,
                                  VariantReceiver& receiver) {
  const unsigned threads = threads_of(options);
  const Evaluator evaluator{options, variants, temporary_folder(options.resources.tmp), threads, control};
  PARAPRINT_ASSIGN(const SetEvaluation read, evaluate_set(evaluator, files, {}, nullptr, &receiver));
  return ReadCounts{read.pages_unreadable, read.broken_records};
}

}  // namespace evaluation
}  // namespace lab

// Under 100 rounds the bounds of a 95 % interval rest on fewer than three values at either end.
Status EvaluateOptions::validate() const {
  const auto invalid = [](std::string message) -> Status {
    return failure(ErrorCode::kInvalidArgument, std::move(message));
  };
  if (sets.empty() && inputs.pages.empty()) return invalid("no labelled set given");
  if (inputs.pages.empty() != inputs.labels.empty()) return invalid("pages and labels must be given together");
  if (!inputs.clusters.empty() && inputs.labels.empty())
    return invalid("clusters can only be given with pages and labels");
  if (!world.empty() && world != "open" && world != "closed") {
    return invalid(fmt::format("world is '{}'; it must be open or closed", world));
  }
  PARAPRINT_TRY(check_options(evaluate_option_rows(), *this));
  if (write_pairs && out.empty()) return invalid("writing pairs needs an output folder");
  return {};
}

Result<EvaluateOutcome> evaluate(const EvaluateOptions& options, const RunControl& control) {
  // 1. Check the whole request before reading any page: options, sets, label files, scratch space.
  PARAPRINT_TRY(options.validate());
  const StopScope scope(control.stop);
  PARAPRINT_ASSIGN(std::vector<EvaluationVariant> variants, plan_variants(options));
  PARAPRINT_ASSIGN(std::vector<LabelledSetFiles> sets, find_labelled_sets(options));
  if (options.write_pairs) PARAPRINT_TRY(check_pair_folders(sets));
  std::vector<LabelFile> labels;
  for (const LabelledSetFiles& set : sets) {
    PARAPRINT_ASSIGN(LabelFile file, read_label_file(set.labels, set.clusters, set.details));
    labels.push_back(std::move(file));
  }
  const std::string scratch = temporary_folder(options.resources.tmp);
  PARAPRINT_ASSIGN(FoundPairTables pair_tables, FoundPairTables::create(scratch));

  // 2. For each set, read the pages and run one algorithm after the other.
  EvaluateOutcome evaluation;
  evaluation.threads = threads_of(options);
  evaluation.memory_method = MemoryMeter::method();
  evaluation.seed = options.seed;
  evaluation.bootstrap_rounds = options.bootstrap;
  const Evaluator evaluator{options, variants, scratch, evaluation.threads, control};
  for (std::size_t i = 0; i < sets.size(); ++i) {
    PARAPRINT_ASSIGN(SetEvaluation set,
                     evaluate_set(evaluator, sets[i], labels[i], options.write_pairs ? &pair_tables : nullptr));
    evaluation.sets.push_back(std::move(set));
  }

  // 3. Write the output. Nothing has been written under its name before: a failed evaluation leaves no partial figures.
  evaluation.table = evaluation_table(evaluation, options.show);
  if (options.out.empty()) return evaluation;
  PARAPRINT_TRY(write_evaluation(options.out, evaluation));
  if (options.write_pairs) {
    PARAPRINT_TRY(pair_tables.write(options.out + "/pairs"));
  }
  evaluation.report_path = options.out + "/report/index.html";
  return evaluation;
}

}  // namespace paraprint
