// The public calls that make indexes of archives.
#include <thread>

#include "api/output_file.h"
#include "archive/input_files.h"
#include "base/atomic_file.h"
#include "base/progress.h"
#include "base/propagate.h"
#include "base/stop.h"
#include "cdx/index_archives.h"
#include "options/command_tables.h"
#include "options/option_table.h"
#include "paraprint/cdx.h"

namespace paraprint {
namespace {

CdxOutcome outcome_of(const CdxCounts& counts) {
  CdxOutcome outcome;
  outcome.records = counts.records;
  outcome.lines = counts.lines;
  outcome.captures_without_date = counts.captures_without_date;
  outcome.captures_not_addressable = counts.captures_not_addressable;
  outcome.inputs_passed_over = counts.inputs_passed_over;
  outcome.broken_records = counts.broken_records;
  outcome.unreadable_inputs = counts.unreadable_inputs;
  outcome.unreadable_reasons = counts.unreadable_reasons;
  return outcome;
}

// Lines with their ends, to `sink`.
Result<CdxOutcome> make_index(const CdxOptions& options, const std::vector<InputFile>& archives,
                              const CdxLineSink& sink, const RunControl& control) {
  CdxRules rules;
  rules.form = options.form;
  rules.post_append = options.post_append;
  rules.threads =
      options.resources.threads > 0 ? options.resources.threads : std::max(1U, std::thread::hardware_concurrency());
  // The other half is for records and buffers of compression.
  rules.sorting.memory_limit_bytes = options.resources.memory / 2;
  PARAPRINT_ASSIGN(rules.sorting.temporary_directory, temporary_folder_beside(options.out, options.resources.tmp));
  ProgressReporter progress(control);
  PARAPRINT_ASSIGN(const CdxCounts counts,
                   index_archives(archives, names_in_index(archives, options.root), rules, progress, sink));
  return outcome_of(counts);
}

}  // namespace

Status CdxOptions::validate() const {
  if (inputs.empty()) return failure(ErrorCode::kInvalidArgument, "no input given");
  if (form == CdxForm::kNone) return failure(ErrorCode::kInvalidArgument, "form: choose cdxj or cdx11");
  PARAPRINT_TRY(check_options(cdx_option_rows(), *this));
  return check_options(resource_option_rows(), resources);
}

Result<CdxOutcome> for_each_cdx_line(const CdxOptions& options, const CdxLineReceiver& receiver,
                                     const RunControl& control) {
  const StopScope scope(control.stop);
  PARAPRINT_TRY(options.validate());
  PARAPRINT_ASSIGN(const std::vector<InputFile> archives, expand_inputs(options.inputs));
  return make_index(
      options, archives, [&](std::string_view line) { return receiver(line.substr(0, line.size() - 1)); }, control);
}

Result<CdxOutcome> write_cdx(const CdxOptions& options, const RunControl& control) {
  const StopScope scope(control.stop);
  PARAPRINT_TRY(options.validate());
  if (options.out.empty()) return failure(ErrorCode::kInvalidArgument, "no output file given (out)");
  PARAPRINT_ASSIGN(const std::vector<InputFile> archives, expand_inputs(options.inputs));
  PARAPRINT_TRY(refuse_inputs(options.out, archives));
  PARAPRINT_ASSIGN(AtomicFile file, AtomicFile::create(options.out));
  PARAPRINT_ASSIGN(CdxOutcome outcome,
                   make_index(
                       options, archives, [&](std::string_view line) { return file.write(line); }, control));
  PARAPRINT_TRY(file.commit());
  return outcome;
}

}  // namespace paraprint
