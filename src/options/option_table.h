// The tables of all options, one row each (option_row.h): what every other list of options is made from.
//
// Adding an option: a member in its struct (include/paraprint/), a row here, the code that uses it, its test. Then
// `make option-tables` rewrites docs/cli.md and Python's keyword types, which tests compare with the tables.
#pragma once

#include <span>

#include "options/option_row.h"
#include "paraprint/options.h"
#include "paraprint/presets.h"

namespace paraprint::inline options {

// The rows are in the order of --help and of identities, which is part of the stored form: append within a group.
std::span<const OptionRow<ProfileOptions>> profile_option_rows();
std::span<const OptionRow<MatchOptions>> match_option_rows();
std::span<const OptionRow<CandidateSearchOptions>> candidate_option_rows();
std::span<const OptionRow<SurvivorOptions>> survivor_option_rows();
std::span<const OptionRow<OutputOptions>> output_option_rows();
std::span<const OptionRow<ReadOptions>> read_option_rows();
std::span<const OptionRow<ResourceOptions>> resource_option_rows();

// The one row of a preset, which a command line applies before all other options, wherever it is given.
struct PresetChoice {
  std::string preset;  // empty: none
};
std::span<const OptionRow<PresetChoice>> preset_option_rows();

// Calls visit(rows, options) for each table of what finds and judges copies. `Pipeline` has the members profile, match
// and candidates.
template <class Pipeline, class Visit>
void for_each_pipeline_table(Pipeline& pipeline, Visit&& visit) {
  visit(profile_option_rows(), pipeline.profile);
  visit(match_option_rows(), pipeline.match);
  visit(candidate_option_rows(), pipeline.candidates);
}

// Calls visit(rows, options) for each table of a run over files, in the order of --help. `Run` is DedupOptions, const
// or not.
template <class Run, class Visit>
void for_each_run_table(Run& run, Visit&& visit) {
  visit(output_option_rows(), run.output);
  visit(survivor_option_rows(), run.survivors);
  visit(match_option_rows(), run.match);
  visit(candidate_option_rows(), run.candidates);
  visit(profile_option_rows(), run.profile);
  visit(read_option_rows(), run.reading);
  visit(resource_option_rows(), run.resources);
}

}  // namespace paraprint::inline options
