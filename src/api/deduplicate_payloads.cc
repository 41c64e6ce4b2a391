// Two passes over the inputs, each parallel by file: the first compares, the second writes. In between only rows and
// short texts of captures are kept.
#include <fmt/format.h>

#include <array>
#include <mutex>
#include <set>
#include <thread>

#include "api/benchmark_items.h"
#include "archive/input_files.h"
#include "base/atomic_file.h"
#include "base/ordered_parallel.h"
#include "base/progress.h"
#include "base/propagate.h"
#include "base/stop.h"
#include "engine/output_stage.h"
#include "engine/read_stage.h"
#include "engine/surviving_records.h"
#include "engine/work_folder.h"
#include "options/command_tables.h"
#include "options/option_table.h"
#include "paraprint/engine.h"
#include "paraprint/payloads.h"
#include "payloads/choose_originals.h"
#include "payloads/known_lists.h"
#include "payloads/read_captures.h"
#include "payloads/read_list.h"
#include "report/json_writer.h"
#include "report/stage_clock.h"

namespace paraprint {
namespace {

constexpr std::int64_t kSecondsPerDay = 24 * 60 * 60;

// What the two passes have in common.
struct PayloadRun {
  const PayloadOptions& options;
  const DedupOptions& folder_options;
  std::vector<InputFile> inputs;
  std::vector<std::string> known;  // files
  unsigned threads = 1;
  MemoryBudget& budget;
};

// The first pass.
struct PayloadsRead {
  Counters counters;
  Counters listed;  // entries of lists
  DefectTally defects;
  std::set<std::uint32_t> inputs_ended_early;
};

DedupOptions folder_options_of(const PayloadOptions& options) {
  DedupOptions run;
  run.inputs = options.inputs;
  run.output.out = options.out;
  run.reading.max_record_bytes = options.max_record_bytes;
  run.resources = options.resources;
  return run;
}

PayloadDigest digest_of(const PayloadOptions& options) {
  return options.listed_digest == ListedDigest::kSha1 ? PayloadDigest::kSha1 : PayloadDigest::kSha256;
}

// Lists are read one after the other: an index is small compared with what it lists.
Status read_lists(const PayloadRun& run, CaptureCollector& collector, PayloadsRead& read, ProgressReporter& progress) {
  if (run.known.empty()) return {};
  progress.begin("lists", 0, "bytes");
  std::uint64_t bytes_done = 0;
  for (const std::string& path : run.known) {
    PARAPRINT_ASSIGN(const Counters counters, read_list(
                                                  path, digest_of(run.options), collector,
                                                  [&](const Defect& defect) { read.defects.add(defect); },
                                                  [&](std::uint64_t bytes) { progress.update(bytes_done += bytes); }));
    add_counters(read.listed, counters);
  }
  progress.end();
  return {};
}

// Each input has a tally of its own: they are read at the same time.
Status read_inputs(const PayloadRun& run, CaptureCollector& collector, PayloadsRead& read, ProgressReporter& progress) {
  const CaptureRules rules{digest_of(run.options), run.options.min_payload_bytes};
  std::vector<DefectTally> tallies(run.inputs.size());
  const auto sink_of = [&](const InputFile& input) -> DefectSink {
    return [&tally = tallies[input.index]](const Defect& defect) { tally.add(defect); };
  };
  PARAPRINT_ASSIGN(read.counters, read_all_captures(run.inputs, run.folder_options.reading, rules, run.threads,
                                                    collector, sink_of, progress));
  for (const InputFile& input : run.inputs) {
    read.defects.add(tallies[input.index]);
    if (tallies[input.index].unreadable_inputs > 0) read.inputs_ended_early.insert(input.index);
  }
  return {};
}

// Each record stays what it is, or becomes a revisit record of its own, so none is lost.
std::vector<BrokenRecord> repeated_ids(const PayloadRun& run, const CaptureCollector& collector) {
  std::vector<BrokenRecord> examples;
  for (const RepeatedId& repeated : collector.first_repeated()) {
    examples.push_back({run.inputs[repeated.second.file].path, repeated.second.offset_bytes,
                        fmt::format("the id of the record is also that of the one at byte {} of {}",
                                    repeated.first.offset_bytes, run.inputs[repeated.first.file].path)});
  }
  return examples;
}

Result<PayloadsRead> read_payloads(const PayloadRun& run, CaptureCollector& collector, ProgressReporter& progress) {
  PayloadsRead read;
  PARAPRINT_TRY(read_lists(run, collector, read, progress));
  PARAPRINT_TRY(read_inputs(run, collector, read, progress));
  PARAPRINT_TRY(collector.finish());
  count(read.counters, "duplicate_ids", collector.repeated_ids());
  read.defects.add_repeated_ids(collector.repeated_ids(), repeated_ids(run, collector));
  PARAPRINT_TRY(run.budget.status());
  return read;
}

Summary summarise(const PayloadRun& run, const PayloadsRead& read, const Counters& choice, const Counters& writing) {
  Summary summary;
  summary.version = version();
  summary.command = "payloads";
  for (const InputFile& input : run.inputs) summary.inputs.push_back(input.path);
  for (const auto& row : payload_option_rows()) {
    if (!row.has(kKeepsOutput)) summary.settings.push_back({std::string(row.name), option_value(row, run.options), ""});
  }
  summary.counters = {group_of("reading", read.counters), group_of("lists", read.listed), group_of("payloads", choice),
                      group_of("output", writing)};
  summary.broken = read.defects.kinds;
  return summary;
}

std::uint64_t value_of(const Counters& counters, std::string_view name) {
  const auto found = counters.find(name);
  return found == counters.end() ? 0 : found->second;
}

std::uint64_t records_of(const Counters& reading) {
  std::uint64_t records = 0;
  for (const auto& [name, amount] : reading) records += name.starts_with("records_") ? amount : 0;
  return records;
}

PayloadOutcome outcome_of(const PayloadRun& run, const PayloadsRead& read, const Counters& choice,
                          const Counters& writing) {
  PayloadOutcome outcome;
  outcome.records = records_of(read.counters);
  outcome.captures = value_of(read.counters, "captures_compared");
  outcome.listed = value_of(read.listed, "listed");
  for (const auto& [name, amount] : read.listed) outcome.listed_passed_over += name == "listed" ? 0 : amount;
  outcome.revisits_written = value_of(writing, "revisits_written");
  outcome.payload_bytes_saved = value_of(choice, "payload_bytes_saved");
  for (const InputFile& input : run.inputs) outcome.bytes_read += input.size_bytes;
  outcome.bytes_written = value_of(writing, "bytes_written");
  outcome.broken_records = read.defects.total;
  outcome.unreadable_inputs = read.defects.unreadable_inputs;
  outcome.unreadable_reasons = read.defects.unreadable_reasons();
  return outcome;
}

// Both kinds of runs have a folder `records`.
Status check_folder(const std::string& out) {
  return refuse_output_of_others(out, std::array{kPageLogPlace, kFindsName});
}

}  // namespace

Status PayloadOptions::validate() const {
  if (inputs.empty()) return failure(ErrorCode::kInvalidArgument, "no input given");
  if (out.empty()) return failure(ErrorCode::kInvalidArgument, "no output folder given (out)");
  PARAPRINT_TRY(check_options(payload_option_rows(), *this));
  return check_options(resource_option_rows(), resources);
}

Result<PayloadOutcome> deduplicate_payloads(const PayloadOptions& options, const RunControl& control) {
  const StopScope scope(control.stop);
  PARAPRINT_TRY(options.validate());
  PARAPRINT_TRY(check_folder(options.out));
  PARAPRINT_ASSIGN(std::vector<std::string> known, find_known_lists(options.known, options.out));
  ProgressReporter progress(control);
  StageClock clock;
  const DedupOptions folder_options = folder_options_of(options);
  PARAPRINT_ASSIGN(const WorkFolder work, WorkFolder::open_anew(folder_options));
  MemoryBudget budget(options.resources.memory, work.spill_folder());
  PARAPRINT_ASSIGN(std::vector<InputFile> inputs, work.inputs());
  const unsigned threads =
      options.resources.threads > 0 ? options.resources.threads : std::max(1U, std::thread::hardware_concurrency());
  const PayloadRun run{options, folder_options, std::move(inputs), std::move(known), threads, budget};

  CaptureCollector collector(payload_sorting(budget), &budget);
  PARAPRINT_ASSIGN(const PayloadsRead read, read_payloads(run, collector, progress));
  clock.end_stage("read", records_of(read.counters), "records");

  Counters choice;
  std::optional<std::int64_t> max_age_seconds;
  if (options.max_age_days > 0) max_age_seconds = static_cast<std::int64_t>(options.max_age_days) * kSecondsPerDay;
  PARAPRINT_ASSIGN(ReplacementSorter replacements,
                   choose_originals(collector, max_age_seconds, payload_sorting(budget), choice));
  clock.end_stage("choose", value_of(read.counters, "captures_compared"), "captures");

  PARAPRINT_TRY(remove_earlier_output(options.out));
  RemovedPages none(&budget);
  none.begin.resize(run.inputs.size() + 1);
  PARAPRINT_ASSIGN(const RemovedPages removed,
                   add_payload_revisits(run.inputs, none, collector, std::move(replacements),
                                        fmt::format("{}/{}", options.out, kRevisitsName)));
  WriteOptions write_options;
  write_options.write_revisits = true;
  write_options.drop_companions = false;
  const RecordOutput output{run.inputs,
                            folder_options.reading,
                            options.out + "/records",
                            write_options,
                            read.inputs_ended_early,
                            threads,
                            budget,
                            options.cdx};
  PARAPRINT_ASSIGN(const Counters writing, write_records(output, removed, progress));
  clock.end_stage("write", run.inputs.size(), "files");

  PARAPRINT_TRY(clock.write(options.out + "/timing.json", threads, budget));
  // Last: it says that the output is whole.
  PARAPRINT_TRY(write_summary(fmt::format("{}/{}", options.out, kSummaryName), summarise(run, read, choice, writing)));
  return outcome_of(run, read, choice, writing);
}

}  // namespace paraprint
