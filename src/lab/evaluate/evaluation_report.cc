// Writes the files of an evaluation, each atomically. The tables come first and index.html last, so a report that has
// one is complete; a run that stops in between leaves valid files, but no report.
#include "lab/evaluate/evaluation_report.h"

#include "base/atomic_file.h"
#include "base/propagate.h"

namespace paraprint::inline lab::inline evaluation {

Status write_evaluation(const std::string& folder, const EvaluateOutcome& evaluation) {
  PARAPRINT_TRY(create_folders(folder));
  PARAPRINT_TRY(write_file_atomically(folder + "/results.csv", evaluation_csv(evaluation)));
  PARAPRINT_TRY(write_file_atomically(folder + "/breakdown.csv", evaluation_breakdown_csv(evaluation)));
  PARAPRINT_TRY(write_file_atomically(folder + "/timing.json", evaluation_timing_json(evaluation)));
  PARAPRINT_TRY(write_file_atomically(folder + "/results.json", evaluation_json(evaluation)));
  PARAPRINT_TRY(create_folders(folder + "/report"));
  return write_file_atomically(folder + "/report/index.html", evaluation_page(evaluation));
}

}  // namespace paraprint::inline lab::inline evaluation
