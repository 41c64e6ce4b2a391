// Inputs are copied in parallel, each by one thread, because an archive has to be read front to back. Removed pages are
// listed once, in the order in which the copying threads meet them, and shared read-only.
#include "engine/surviving_records.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include "base/atomic_file.h"
#include "base/ordered_parallel.h"
#include "base/propagate.h"

namespace paraprint {
namespace {

// Memory per thread for reading and writing records: buffers, a record, the state of compressors. Reserved beforehand,
// because the copying threads do not check the budget.
constexpr std::uint64_t kWriterBytes = std::uint64_t{16} << 20;

// Compares whole path components: /data/a is not below /data/ab.
bool is_below(const std::filesystem::path& path, const std::filesystem::path& folder) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first == folder.end();
}

}  // namespace

// Paths are made absolute first, so that "a/x" and "./a/x" have one common folder; a trailing slash is dropped.
std::vector<std::string> surviving_record_names(const std::vector<InputFile>& inputs) {
  namespace fs = std::filesystem;
  std::vector<fs::path> paths;
  for (const InputFile& input : inputs) {
    std::error_code ignored;
    fs::path path = fs::absolute(input.path, ignored).lexically_normal();
    paths.push_back(path.has_filename() ? path : path.parent_path());
  }
  fs::path common = paths.empty() ? fs::path() : paths.front().parent_path();
  for (const fs::path& path : paths) {
    while (common.has_relative_path() && !is_below(path, common)) common = common.parent_path();
  }
  std::vector<std::string> names;
  for (const fs::path& path : paths) names.push_back(path.lexically_relative(common).string());
  return names;
}

// Pages follow the files, so one pass fills the list and the begins; a file without pages gets an empty range.
Result<RemovedPages> list_removed_pages(std::size_t input_count, const PageTable& pages, const Decisions& decisions,
                                        double share_maximum) {
  RemovedPages removed(pages.budget());
  for (std::uint32_t page = 0; page < pages.size(); ++page) {
    const RecordLocation& location = pages.row(page).location;
    removed.begin.resize(std::max<std::size_t>(removed.begin.size(), location.file_index + 1), removed.pages.size());
    if (is_kept(decisions, page)) continue;
    RemovedPage row;
    row.ordinal = location.ordinal;
    if (const std::optional<KnownPage> known = decisions.known.find(page)) {
      row.kept_id = known->id;
      row.kept_url = known->url;
    } else {
      const std::uint32_t kept = decisions.clustering.pages[page].kept_page;
      row.kept_id = pages.id(kept);
      row.kept_url = pages.url(kept);
      row.kept_date = pages.date(kept);
    }
    PARAPRINT_TRY(removed.pages.push_back(row));
  }
  removed.begin.resize(input_count + 1, removed.pages.size());
  if (static_cast<double>(removed.pages.size()) / static_cast<double>(pages.size()) > share_maximum) {
    return failure(ErrorCode::kLimitExceeded,
                   fmt::format("{} of {} pages would be removed, more than max_removed_share ({}); no records were "
                               "written. removed.jsonl lists these pages; if they may go, run again with a higher "
                               "max_removed_share",
                               removed.pages.size(), pages.size(), share_maximum));
  }
  return removed;
}

// The names are those of summary.json (docs/output.md).
void add_write_counts(const WriteCounts& written, Counters& counters) {
  count(counters, "records_kept", written.records_kept);
  count(counters, "pages_removed", written.pages_removed);
  count(counters, "companions_removed", written.companions_removed);
  count(counters, "revisits_written", written.revisits_written);
  count(counters, "records_rewritten", written.records_rewritten);
  count(counters, "bytes_written", written.bytes_written);
}

Result<Counters> write_surviving_records(const RunSetup& run, const ReadOutcome& read, const Decisions& decisions,
                                         ProgressReporter& progress) {
  PARAPRINT_ASSIGN(const RemovedPages removed,
                   list_removed_pages(run.inputs.size(), read.pages, decisions, run.options.output.max_removed_share));
  const std::vector<std::string> names = surviving_record_names(run.inputs);
  const std::string folder = run.options.output.out + "/records";
  WriteOptions write_options;
  write_options.write_revisits = run.options.output.revisits;
  run.budget.make_room_for(run.threads * kWriterBytes);
  progress.begin("write", run.inputs.size(), "files");
  Counters counters;
  std::size_t next = 0;
  std::uint64_t done = 0;
  PARAPRINT_TRY(run_in_order<std::size_t, Result<WriteCounts>>(
      run.threads,
      [&]() -> Result<std::optional<std::size_t>> {
        if (next == run.inputs.size()) return std::optional<std::size_t>{};
        return std::optional<std::size_t>{next++};
      },
      [&](unsigned, std::size_t&& input) -> Result<WriteCounts> {
        const std::string path = folder + "/" + names[input];
        const std::string parent = std::filesystem::path(path).parent_path().string();
        PARAPRINT_TRY(create_folders(parent));
        // The end of an input that could not be read to its end is not new damage: the same error is expected here.
        WriteOptions options = write_options;
        options.input_ends_early = read.inputs_ended_early.contains(static_cast<std::uint32_t>(input));
        return write_survivors(run.inputs[input], path, removed.of_file(input), run.options.reading, options);
      },
      [&](Result<WriteCounts>&& written) -> Status {
        if (!written) return tl::unexpected<Error>(written.error());
        add_write_counts(*written, counters);
        // Copying fills memory without touching budgeted arrays; look once per file.
        run.budget.checkpoint();
        progress.update(++done);
        return {};
      }));
  progress.end();
  return counters;
}

}  // namespace paraprint
