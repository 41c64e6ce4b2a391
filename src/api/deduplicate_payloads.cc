// Two passes over the inputs, each parallel by file: the first compares, the second writes. In between only rows and
// short texts of captures are kept.
#include <fmt/format.h>

#include <mutex>
#include <set>
#include <thread>

#include "archive/input_files.h"
#include "base/atomic_file.h"
#include "base/ordered_parallel.h"
#include "base/progress.h"
#include "base/propagate.h"
#include "base/stop.h"
#include "engine/output_stage.h"
#include "engine/read_stage.h"
#include "engine/stage_clock.h"
#include "engine/surviving_records.h"
#include "engine/work_folder.h"
#include "options/command_tables.h"
#include "options/option_table.h"
#include "paraprint/engine.h"
#include "paraprint/payloads.h"
#include "payloads/choose_originals.h"
#include "payloads/read_captures.h"
#include "payloads/read_list.h"
#include "report/json_writer.h"

namespace paraprint {
namespace {

constexpr std::int64_t kSecondsPerDay = 24 * 60 * 60;

// What the two passes have in common.
struct PayloadRun {
  const PayloadOptions& options;
  const DedupOptions& folder_options;
  std::vector<InputFile> inputs;
  unsigned threads = 1;
  MemoryBudget& budget;
  SpillOptions spill;
};

// The first pass.
struct PayloadsRead {
  Counters counters;
  Counters listed;  // entries of lists
  DefectTally defects;
  std::set<std::uint32_t> inputs_ended_early;
};

// What one input adds to it.
struct InputRead {
  std::uint32_t file = 0;
  Counters counters;
  DefectTally defects;
};

DedupOptions folder_options_of(const PayloadOptions& options) {
  DedupOptions run;
  run.inputs = options.inputs;
  run.output.out = options.out;
  run.reading.max_record_bytes = options.max_record_bytes;
  run.resources = options.resources;
  return run;
}

ExternalSortOptions sort_options(const PayloadRun& run, std::uint64_t share) {
  return {run.spill.memory_bytes / share, run.spill.folder};
}

PayloadDigest digest_of(const PayloadOptions& options) {
  return options.listed_digest == ListedDigest::kSha1 ? PayloadDigest::kSha1 : PayloadDigest::kSha256;
}

// Lists are read one after the other: an index is small compared with what it lists.
Status read_lists(const PayloadRun& run, CaptureCollector& collector, PayloadsRead& read, ProgressReporter& progress) {
  if (run.options.known.empty()) return {};
  progress.begin("lists", 0, "bytes");
  std::uint64_t bytes_done = 0;
  for (const std::string& path : run.options.known) {
    PARAPRINT_ASSIGN(const Counters counters, read_list(
                                                  path, digest_of(run.options), collector,
                                                  [&](const Defect& defect) { read.defects.add(defect); },
                                                  [&](std::uint64_t bytes) { progress.update(bytes_done += bytes); }));
    add_counters(read.listed, counters);
  }
  progress.end();
  return {};
}

// Reads what is in the inputs.
Status read_inputs(const PayloadRun& run, CaptureCollector& collector, PayloadsRead& read, ProgressReporter& progress) {
  const CaptureRules rules{digest_of(run.options), run.options.min_payload_bytes};
  std::uint64_t bytes_total = 0;
  for (const InputFile& input : run.inputs) bytes_total += input.size_bytes;
  progress.begin("payloads", bytes_total, "bytes");
  std::mutex progress_mutex;
  std::uint64_t bytes_done = 0;
  const auto add_progress = [&](std::uint64_t bytes) {
    const std::scoped_lock lock(progress_mutex);
    progress.update(bytes_done += bytes);
  };
  std::size_t next = 0;
  PARAPRINT_TRY(run_in_order<const InputFile*, Result<InputRead>>(
      run.threads,
      [&]() -> Result<std::optional<const InputFile*>> {
        if (next == run.inputs.size()) return std::optional<const InputFile*>{};
        return std::optional(&run.inputs[next++]);
      },
      [&](unsigned, const InputFile*&& input) -> Result<InputRead> {
        InputRead of_input;
        of_input.file = input->index;
        PARAPRINT_ASSIGN(of_input.counters,
                         read_captures(
                             *input, run.folder_options.reading, rules, collector,
                             [&](const Defect& defect) { of_input.defects.add(defect); }, add_progress));
        return of_input;
      },
      [&](Result<InputRead>&& made) -> Status {
        PARAPRINT_ASSIGN(const InputRead of_input, std::move(made));
        add_counters(read.counters, of_input.counters);
        read.defects.add(of_input.defects);
        if (of_input.defects.unreadable_inputs > 0) read.inputs_ended_early.insert(of_input.file);
        return {};
      }));
  progress.end();
  return {};
}

Result<PayloadsRead> read_payloads(const PayloadRun& run, CaptureCollector& collector, ProgressReporter& progress) {
  PayloadsRead read;
  PARAPRINT_TRY(read_lists(run, collector, read, progress));
  PARAPRINT_TRY(read_inputs(run, collector, read, progress));
  PARAPRINT_TRY(collector.finish());
  PARAPRINT_TRY(run.budget.status());
  return read;
}

void write_revisit(JsonWriter& json, const InputFile& input, const Replacement& row, const CaptureText& copy,
                   const CaptureText& original) {
  const RevisitTarget of_copy = RevisitTarget::decode(copy.target);
  const RevisitTarget target = RevisitTarget::decode(original.target);
  json.begin_object();
  json.member("id", of_copy.id);
  json.member("url", copy.url);
  json.member("date", of_copy.date);
  json.member("refers_to_id", target.id);
  json.member("refers_to_url", original.url);
  json.member("refers_to_date", target.date);
  json.member("payload_digest", target.digest);
  json.member("payload_bytes", row.payload_bytes);
  json.member("file", input.path);
  json.member("offset_bytes", copy.offset_bytes);
  json.end_object();
}

// The replacements as the writer takes them, and revisits.jsonl, in the order of the input.
Result<RemovedPages> list_revisits(const PayloadRun& run, const CaptureCollector& collector,
                                   ReplacementSorter& replacements) {
  PARAPRINT_ASSIGN(AtomicFile list, AtomicFile::create(run.options.out + "/revisits.jsonl"));
  JsonWriter json;
  RemovedPages removed(&run.budget);
  Replacement row;
  while (replacements.next(row)) {
    removed.begin.resize(std::max<std::size_t>(removed.begin.size(), row.file + 1), removed.pages.size());
    const CaptureText copy = collector.text(row.copy_text);
    const CaptureText original = collector.text(row.original_text);
    RemovedPage page;
    page.ordinal = row.ordinal;
    page.relation.kept_url = original.url;
    page.target = original.target;
    page.only_as_revisit = true;
    PARAPRINT_TRY(removed.pages.push_back(page));
    write_revisit(json, run.inputs[row.file], row, copy, original);
    PARAPRINT_TRY(list.write(json.take() + "\n"));
  }
  PARAPRINT_TRY(replacements.status());
  removed.begin.resize(run.inputs.size() + 1, removed.pages.size());
  PARAPRINT_TRY(list.commit());
  return removed;
}

NamedGroup group_of(std::string name, const Counters& counters) {
  NamedGroup group;
  group.name = std::move(name);
  for (const auto& [counter, amount] : counters) group.values.push_back({counter, amount, ""});
  return group;
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
  PARAPRINT_ASSIGN(const bool is_other, path_exists(out + "/.paraprint/pages.log"));
  if (!is_other) return {};
  return failure(ErrorCode::kInvalidArgument,
                 fmt::format("{}: holds a run of `paraprint dedup`; choose another --out", out));
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
  ProgressReporter progress(control);
  StageClock clock;
  const DedupOptions folder_options = folder_options_of(options);
  PARAPRINT_ASSIGN(const WorkFolder work, WorkFolder::open(folder_options, false));
  MemoryBudget budget(options.resources.memory, work.spill_folder());
  PARAPRINT_ASSIGN(std::vector<InputFile> inputs, work.inputs());
  const unsigned threads =
      options.resources.threads > 0 ? options.resources.threads : std::max(1U, std::thread::hardware_concurrency());
  const PayloadRun run{options, folder_options, std::move(inputs), threads, budget, work.spill_options(budget)};

  CaptureCollector collector(sort_options(run, 2), &budget);
  PARAPRINT_ASSIGN(const PayloadsRead read, read_payloads(run, collector, progress));
  clock.end_stage("read", records_of(read.counters), "records");

  Counters choice;
  std::optional<std::int64_t> max_age_seconds;
  if (options.max_age_days > 0) max_age_seconds = static_cast<std::int64_t>(options.max_age_days) * kSecondsPerDay;
  PARAPRINT_ASSIGN(ReplacementSorter replacements,
                   choose_originals(collector, max_age_seconds, sort_options(run, 4), choice));
  clock.end_stage("choose", value_of(read.counters, "captures_compared"), "captures");

  PARAPRINT_TRY(remove_earlier_output(options.out));
  PARAPRINT_ASSIGN(const RemovedPages removed, list_revisits(run, collector, replacements));
  WriteOptions write_options;
  write_options.write_revisits = true;
  write_options.drop_companions = false;
  const RecordOutput output{run.inputs,    folder_options.reading,  options.out + "/records",
                            write_options, read.inputs_ended_early, threads,
                            budget};
  PARAPRINT_ASSIGN(const Counters writing, write_records(output, removed, progress));
  clock.end_stage("write", run.inputs.size(), "files");

  PARAPRINT_TRY(write_summary(options.out + "/summary.json", summarise(run, read, choice, writing)));
  PARAPRINT_TRY(clock.write(options.out + "/timing.json", threads, budget));
  return outcome_of(run, read, choice, writing);
}

}  // namespace paraprint
