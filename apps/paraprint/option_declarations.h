// Every option once: the flag, its help and the field it sets. The configuration file takes the same names.
#pragma once

#include <CLI/CLI.hpp>

#include "paraprint/evaluate.h"
#include "paraprint/options.h"

namespace paraprint::cli {

// A flag that the stored configuration writes with the value in force, also if it was not given.
CLI::Option* add_switch(CLI::App& command, const char* names, bool& field, const char* help);

void declare_reading(CLI::App& command, ReadOptions& options);
void declare_profile(CLI::App& command, ProfileOptions& options);
void declare_profile_of_run(CLI::App& command, ProfileOptions& options);  // what only runs over files can
// Where synonyms and topics come from; declare_profile has these too.
void declare_meaning(CLI::App& command, ProfileOptions& options);
void declare_candidates(CLI::App& command, CandidateSearchOptions& options);
void declare_match(CLI::App& command, MatchOptions& options);
void declare_alignment(CLI::App& command, MatchOptions& options);  // `dedup` alone reads pages twice
void declare_survivors(CLI::App& command, SurvivorOptions& options);
void declare_output(CLI::App& command, OutputOptions& options);
void declare_evaluation(CLI::App& command, EvaluateOptions& options);  // what only `eval` has
void declare_resources(CLI::App& command, ResourceOptions& options);

}  // namespace paraprint::cli
