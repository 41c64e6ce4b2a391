// Finds what the WACZ file is made of: archives, or the output folder of a run, which also says what became of pages.
#include <fmt/format.h>

#include <filesystem>
#include <thread>
#include <utility>

#include "api/output_file.h"
#include "archive/input_files.h"
#include "base/atomic_file.h"
#include "base/progress.h"
#include "base/propagate.h"
#include "base/stop.h"
#include "engine/output_stage.h"
#include "http/date.h"
#include "memory/memory_budget.h"
#include "options/command_tables.h"
#include "options/option_table.h"
#include "paraprint/wacz.h"
#include "wacz/wacz_file.h"

namespace paraprint {
namespace {

namespace fs = std::filesystem;

// Of `paraprint dedup`, `paraprint payloads` or a divided run. kInvalidArgument without summary.json or metrics.json,
// which they write last: records and the list of removed pages may be incomplete, or of different runs.
Result<bool> is_run_folder(const std::string& path) {
  std::error_code ignored;
  if (!fs::is_directory(path + "/records", ignored)) return false;
  const auto has_file = [&](std::string_view name) {
    return fs::is_regular_file(fmt::format("{}/{}", path, name), ignored);
  };
  if (has_file(kSummaryName)) return true;
  const bool is_divided = has_file(kDividedMark);
  if (is_divided && has_file(kDividedMetricsName)) return true;
  if (!is_divided && !fs::is_directory(path + "/.paraprint", ignored)) return false;
  return failure(ErrorCode::kInvalidArgument,
                 fmt::format("{} holds a run that has not finished ({} is missing); repeat its command first", path,
                             is_divided ? kDividedMetricsName : kSummaryName));
}

struct WaczSource {
  std::vector<std::string> paths;
  std::string removed_path;  // of a run that lists removed pages; empty: none
};

Result<WaczSource> find_source(const WaczOptions& options) {
  WaczSource source;
  for (const std::string& path : options.inputs) {
    PARAPRINT_ASSIGN(const bool is_run, is_run_folder(path));
    if (!is_run) {
      source.paths.push_back(path);
      continue;
    }
    if (options.inputs.size() > 1) {
      return failure(ErrorCode::kInvalidArgument,
                     path + " is the output folder of a run, which must be the only input");
    }
    source.paths.push_back(path + "/records");
    const std::string removed = path + "/removed.jsonl";
    PARAPRINT_ASSIGN(const bool exists, path_exists(removed));
    if (exists) source.removed_path = removed;
  }
  return source;
}

}  // namespace

Status WaczOptions::validate() const {
  if (inputs.empty()) return failure(ErrorCode::kInvalidArgument, "no input given");
  if (out.empty()) return failure(ErrorCode::kInvalidArgument, "no output file given (out)");
  for (const std::string& path : inputs) {
    if (path == "-") {
      return failure(ErrorCode::kInvalidArgument, "standard input cannot be packed: the archives need names");
    }
  }
  if (!created.empty() && !normalise_date(created)) {
    return failure(ErrorCode::kInvalidArgument,
                   "created: '" + created + "' is not a date; expected ISO 8601, e.g. 2024-05-01T10:00:00Z");
  }
  PARAPRINT_TRY(check_options(wacz_option_rows(), *this));
  return check_options(resource_option_rows(), resources);
}

Result<WaczOutcome> write_wacz(const WaczOptions& options, const RunControl& control) {
  const StopScope scope(control.stop);
  PARAPRINT_TRY(options.validate());
  PARAPRINT_ASSIGN(const WaczSource source, find_source(options));
  PARAPRINT_ASSIGN(std::vector<InputFile> inputs, expand_inputs(source.paths));
  PARAPRINT_TRY(refuse_inputs(options.out, inputs));
  PARAPRINT_ASSIGN(std::string folder, temporary_folder_beside(options.out, options.resources.tmp));
  MemoryBudget budget(options.resources.memory, std::move(folder));
  const unsigned threads =
      options.resources.threads > 0 ? options.resources.threads : std::max(1U, std::thread::hardware_concurrency());
  ProgressReporter progress(control);
  return write_wacz_file({std::move(inputs), source.removed_path, options, threads, budget}, progress);
}

}  // namespace paraprint
