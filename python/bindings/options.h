// Keyword arguments as options. The names are those of the option tables (src/options/), which the command line writes
// with dashes: near=0.8 is --near 0.8, report=False is --no-report.
#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <string_view>
#include <vector>

#include "options/option_table.h"
#include "paraprint/contamination.h"
#include "paraprint/engine.h"
#include "paraprint/evaluate.h"
#include "paraprint/evaluate_extraction.h"
#include "paraprint/index.h"
#include "paraprint/judged_samples.h"
#include "paraprint/options.h"

namespace paraprint::python {

// Room for the options of any call; which of them a call declares, declare_options() says.
struct CallOptions {
  PresetChoice preset;  // already applied to the options below
  ProfileOptions profile;
  MatchOptions match;
  CandidateSearchOptions candidates;
  SurvivorOptions survivors;
  ReadOptions reading;
  OutputOptions output;
  ResourceOptions resources;
  // What only these calls have; the rest is above.
  EvaluateOptions evaluation;
  SampleOptions sample;
  EvaluateExtractionOptions extraction;
  ContaminationOptions contamination;
};

// Sets what `keywords` names for this call ("extract", "profile", "batch", "compare", "dedup", "frame", "evaluate",
// "evaluate_extraction", "contaminated", "index", "read"). TypeError for an unknown name, paraprint.Error for a value
// that the command line would refuse too.
CallOptions options_of(std::string_view call, const nanobind::dict& keywords);

// The options of reading rows, with the column of their scores ("": none).
ReadOptions reading_of(const nanobind::dict& keywords, const std::string& score_field);

// The same for a run: "dedup" over `inputs`, or "frame", which has none.
DedupOptions dedup_options_of(const std::vector<std::string>& inputs, const nanobind::dict& keywords,
                              std::string_view call = "dedup");

}  // namespace paraprint::python
