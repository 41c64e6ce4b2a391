// Whole runs: deduplication, evaluation and the search for benchmark items, and the list of algorithms. Runs work on
// another thread, so that Ctrl-C can stop them (interruptible.h); results beyond counts are read from the output files
// by the package.
#include <fmt/format.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arguments.h"
#include "file_rows.h"
#include "frame_columns.h"
#include "interruptible.h"
#include "module.h"
#include "options.h"
#include "paraprint/algorithms.h"
#include "paraprint/contamination.h"
#include "paraprint/evaluate.h"
#include "paraprint/evaluate_extraction.h"
#include "paraprint/index.h"
#include "paraprint/judged_samples.h"
#include "paraprint/memory_pages.h"
#include "paraprint/presets.h"
#include "row_checks.h"
#include "table_pages.h"

namespace paraprint::python {
namespace {

// `report` is called as report(stage, done, total, unit, is_finished). Its exceptions are printed and dropped, because
// a progress callback cannot end a run.
std::function<void(const Progress&)> progress_of(nb::handle report) {
  if (report.is_none()) return {};
  return [report = nb::borrow(report)](const Progress& progress) {
    const nb::gil_scoped_acquire acquired;
    try {
      report(text(progress.stage), progress.done, progress.total, text(progress.unit), progress.is_finished);
    } catch (nb::python_error& error) {
      error.discard_as_unraisable("progress of paraprint");
    }
  };
}

// The keys are the names that paraprint.DedupResult reads.
nb::dict outcome_dict(const DedupOutcome& outcome) {
  nb::dict values;
  values["pages"] = outcome.pages;
  values["pages_kept"] = outcome.pages_kept;
  values["pages_removed"] = outcome.pages_removed;
  values["pages_known"] = outcome.pages_known;
  values["known_replaced"] = outcome.known_replaced;
  values["pages_not_indexed"] = outcome.pages_not_indexed;
  values["pages_in_other_languages"] = outcome.pages_in_other_languages;
  values["pages_empty"] = outcome.pages_empty;
  values["cluster_count"] = outcome.clusters;
  values["match_count"] = outcome.matches;
  values["broken_records"] = outcome.broken_records;
  values["unreadable_inputs"] = outcome.unreadable_inputs;
  nb::list ignored_pairs;
  for (const std::string& line : outcome.ignored_pairs) ignored_pairs.append(text(line));
  values["ignored_pairs"] = ignored_pairs;
  values["memory_peak_bytes"] = outcome.memory_peak_bytes;
  values["report_path"] = text(outcome.report_path);
  return values;
}

// `run(control)` is the run.
template <class Run>
Result<DedupOutcome> outcome_of(nb::handle progress, const Run& run) {
  RunControl control;
  control.progress = progress_of(progress);
  return interruptible([&](const std::atomic<bool>& stop) {
    control.stop = &stop;
    return run(control);
  });
}

// `is_spooled`: the input is what PageSpool wrote.
nb::dict run_dedup(const std::vector<SystemPath>& inputs, const SystemPath& index_folder, nb::handle progress,
                   const nb::dict& keywords, bool is_spooled) {
  DedupOptions options = dedup_options_of(strings_of(inputs), keywords);
  if (is_spooled) options.reading.place_field = kPlaceField;
  return outcome_dict(take(outcome_of(progress, [&](const RunControl& control) {
    return index_folder.empty() ? deduplicate(options, control)
                                : deduplicate_with_index(options, index_folder, control);
  })));
}

Result<DedupOutcome> run_over_pages(const PageSequence& pages, const std::string& index_folder, nb::handle progress,
                                    const nb::dict& keywords) {
  const DedupOptions options = dedup_options_of({}, keywords);
  return outcome_of(progress, [&](const RunControl& control) {
    return index_folder.empty() ? deduplicate(pages, options, control)
                                : deduplicate_with_index(pages, options, index_folder, control);
  });
}

nb::dict run_table_dedup(const TablePages& pages, const SystemPath& index_folder, nb::handle progress,
                         const nb::dict& keywords) {
  return outcome_dict(take(run_over_pages(pages, index_folder, progress, keywords)));
}

// An exception of Python while rows were read takes the place of the error that it became.
nb::dict run_rows_dedup(const FileRows& rows, const SystemPath& index_folder, nb::handle progress,
                        const nb::dict& keywords) {
  Result<DedupOutcome> outcome = run_over_pages(rows, index_folder, progress, keywords);
  rows.rethrow();
  return outcome_dict(take(std::move(outcome)));
}

// Returns (counts, columns with a row for every row of the table).
nb::tuple run_frame_dedup(const TablePages& pages, nb::handle progress, const nb::dict& keywords) {
  const DedupOptions options = dedup_options_of({}, keywords, "frame");
  RunControl control;
  control.progress = progress_of(progress);
  const Result<DeduplicatePagesOutcome> outcome = interruptible([&](const std::atomic<bool>& stop) {
    control.stop = &stop;
    return deduplicate_pages(pages, options, control, MatchList::kNone);
  });
  if (!outcome) raise(outcome.error());
  return nb::make_tuple(outcome_dict(outcome->counts), frame_columns(pages, *outcome));
}

// The table and the path of the page to open, of whichever of the three kinds of evaluation the options ask for.
using TableAndPage = std::pair<std::string, std::string>;

Result<TableAndPage> evaluate_any(const EvaluateOptions& options, const SampleOptions& sample,
                                  const RunControl& control) {
  if (!sample.judgements.empty()) {
    const bool has_pages = !options.sets.empty() || !options.inputs.pages.empty() || sample.sample > 0;
    if (has_pages) return failure(ErrorCode::kInvalidArgument, "judgements: give neither sets and pages nor sample");
    return evaluate_judgements({sample.judgements, options.show, options.out}, control)
        .map([](const JudgedEvaluation& made) { return TableAndPage(made.table, made.report_path); });
  }
  if (sample.sample > 0) {
    return draw_sample(options, sample.sample, control).map([](const DrawnSample& drawn) {
      return TableAndPage(drawn.table, drawn.pages_path);
    });
  }
  return evaluate(options, control).map([](const EvaluateOutcome& made) {
    return TableAndPage(made.table, made.report_path);
  });
}

// Returns (table, report path); everything else is in the folder.
nb::tuple run_evaluation(const std::vector<SystemPath>& sets, nb::handle progress, const nb::dict& keywords) {
  CallOptions call = options_of("evaluate", keywords);
  EvaluateOptions& options = call.evaluation;
  options.sets = strings_of(sets);
  options.profile = call.profile;
  options.match = call.match;
  options.candidates = call.candidates;
  options.reading = call.reading;
  options.resources = call.resources;
  RunControl control;
  control.progress = progress_of(progress);
  const Result<TableAndPage> evaluation = interruptible([&](const std::atomic<bool>& stop) {
    control.stop = &stop;
    return evaluate_any(options, call.sample, control);
  });
  if (!evaluation) raise(evaluation.error());
  return nb::make_tuple(text(evaluation->first), text(evaluation->second));
}

// Returns (table, text of results.json, report path, warnings).
nb::tuple run_extraction_evaluation(const std::vector<SystemPath>& gold, nb::handle progress,
                                    const nb::dict& keywords) {
  CallOptions call = options_of("evaluate_extraction", keywords);
  EvaluateExtractionOptions& options = call.extraction;
  options.gold = strings_of(gold);
  options.reading = call.reading;
  std::vector<std::string> warnings;
  RunControl control;
  control.progress = progress_of(progress);
  control.warning = [&](std::string_view line) { warnings.emplace_back(line); };
  const Result<ExtractionEvaluation> evaluation = interruptible([&](const std::atomic<bool>& stop) {
    control.stop = &stop;
    return evaluate_extraction(options, control);
  });
  if (!evaluation) raise(evaluation.error());
  nb::list lines;
  for (const std::string& warning : warnings) lines.append(text(warning));
  return nb::make_tuple(text(evaluation->table), text(evaluation->json), text(evaluation->report_path), lines);
}

// The keys are the names that paraprint.ContaminationResult reads. `shown_names` are those of ContaminationOptions.
nb::dict run_contamination(const std::vector<SystemPath>& inputs, nb::handle progress, const nb::dict& keywords,
                           const std::map<SystemPath, SystemPath>& shown_names) {
  CallOptions call = options_of("contaminated", keywords);
  ContaminationOptions& options = call.contamination;
  options.inputs = strings_of(inputs);
  options.reading = call.reading;
  options.resources = call.resources;
  options.shown_names = {shown_names.begin(), shown_names.end()};
  RunControl control;
  control.progress = progress_of(progress);
  const Result<ContaminationOutcome> outcome = interruptible([&](const std::atomic<bool>& stop) {
    control.stop = &stop;
    return find_contamination(options, control);
  });
  if (!outcome) raise(outcome.error());
  nb::dict values;
  values["documents"] = outcome->documents;
  values["documents_exact"] = outcome->documents_exact;
  values["documents_whole"] = outcome->documents_whole;
  values["documents_part"] = outcome->documents_part;
  values["items"] = outcome->items;
  values["items_too_short"] = outcome->items_too_short;
  values["items_found"] = outcome->items_found;
  values["items_found_part"] = outcome->items_found_part;
  values["common_finds"] = outcome->common_finds;
  values["broken_records"] = outcome->broken_records;
  values["unreadable_inputs"] = outcome->unreadable_inputs;
  return values;
}

nb::list list_usual_item_fields() {
  nb::list names;
  for (const std::string_view name : kUsualItemFields) names.append(text(name));
  return names;
}

// A parameter value in Python's type: the name of a choice, int or float.
nb::object value_of(const ParameterInfo& parameter, double value) {
  if (!parameter.choices.empty()) return text(parameter.choices[static_cast<std::size_t>(value)]);
  if (parameter.is_integer) return nb::int_(static_cast<std::int64_t>(value));
  return nb::float_(value);
}

// (name, summary, section, index, is_crawl_scale, parameters); a parameter is (name, summary, default, range).
nb::list list_algorithms() {
  nb::list rows;
  for (const AlgorithmInfo& info : algorithms()) {
    nb::list parameters;
    for (const ParameterInfo& parameter : info.parameters) {
      nb::object range = nb::make_tuple(value_of(parameter, parameter.minimum), value_of(parameter, parameter.maximum));
      if (!parameter.choices.empty()) {
        nb::list choices;
        for (const std::string_view choice : parameter.choices) choices.append(text(choice));
        range = nb::tuple(choices);
      }
      parameters.append(nb::make_tuple(text(parameter.name), text(parameter.summary),
                                       value_of(parameter, parameter.default_value), range));
    }
    rows.append(nb::make_tuple(text(info.name), text(info.summary), text(info.page), text(info.index),
                               info.scale == AlgorithmScale::kCrawl, parameters));
  }
  return rows;
}

}  // namespace

void bind_runs(nb::module_& module) {
  module.def("deduplicate", run_dedup, nb::arg("inputs"), nb::arg("index_folder"), nb::arg("progress").none(),
             nb::arg("keywords"), nb::arg("is_spooled") = false);
  module.def("deduplicate_table", run_table_dedup, nb::arg("pages"), nb::arg("index_folder"),
             nb::arg("progress").none(), nb::arg("keywords"));
  module.def("deduplicate_rows", run_rows_dedup, nb::arg("rows"), nb::arg("index_folder"), nb::arg("progress").none(),
             nb::arg("keywords"));
  module.def("deduplicate_frame", run_frame_dedup, nb::arg("pages"), nb::arg("progress").none(), nb::arg("keywords"));
  module.def("evaluate", run_evaluation, nb::arg("sets"), nb::arg("progress").none(), nb::arg("keywords"));
  module.def("evaluate_extraction", run_extraction_evaluation, nb::arg("gold"), nb::arg("progress").none(),
             nb::arg("keywords"));
  module.def("find_contamination", run_contamination, nb::arg("inputs"), nb::arg("progress").none(),
             nb::arg("keywords"), nb::arg("shown_names"));
  module.def("usual_item_fields", list_usual_item_fields);
  module.def("algorithms", list_algorithms);
  module.def("presets_json", [] { return text(presets_json()); });
}

}  // namespace paraprint::python
