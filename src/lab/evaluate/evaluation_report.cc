// Writes the files of an evaluation, each atomically. The tables come first and index.html last, so a report that has
// one is complete; a run that stops in between leaves valid files, but no report.
#include "lab/evaluate/evaluation_report.h"

#include "base/atomic_file.h"

namespace paraprint {

Status write_evaluation(const std::string& folder, const Evaluation& evaluation) {
  if (Status created = create_folders(folder); !created) return created;
  if (Status written = write_file_atomically(folder + "/results.csv", evaluation_csv(evaluation)); !written) {
    return written;
  }
  if (Status written = write_file_atomically(folder + "/breakdown.csv", evaluation_breakdown_csv(evaluation));
      !written) {
    return written;
  }
  if (Status written = write_file_atomically(folder + "/timing.json", evaluation_timing_json(evaluation)); !written) {
    return written;
  }
  if (Status written = write_file_atomically(folder + "/results.json", evaluation_json(evaluation)); !written) {
    return written;
  }
  if (Status created = create_folders(folder + "/report"); !created) return created;
  return write_file_atomically(folder + "/report/index.html", evaluation_page(evaluation));
}

}  // namespace paraprint
