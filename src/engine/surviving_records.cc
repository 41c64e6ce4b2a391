// Inputs are copied in parallel, each by one thread, because an archive has to be read front to back. Removed pages are
// listed once, in the order in which the copying threads meet them, and shared read-only.
#include "engine/surviving_records.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <unordered_map>
#include <utility>

#include "archive/revisit_target.h"
#include "base/atomic_file.h"
#include "base/hash.h"
#include "base/ordered_parallel.h"
#include "base/propagate.h"
#include "cdx/index_archives.h"
#include "memory/seeded_hash.h"
#include "report/json_lines.h"
#include "report/savings_report.h"
#include "report/verdict_text.h"

namespace paraprint::inline engine {
namespace {

// Memory per thread for reading and writing records: buffers, a record, the state of compressors. Reserved beforehand,
// because the copying threads do not check the budget.
constexpr std::uint64_t kWriterBytes = std::uint64_t{16} << 20;

// Compares whole path components: /data/a is not below /data/ab.
bool is_below(const std::filesystem::path& path, const std::filesystem::path& folder) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first == folder.end();
}

std::filesystem::path without_end_slash(std::filesystem::path path) {
  return path.has_filename() ? std::move(path) : path.parent_path();
}

// An absolute path without "..", which two different files never share.
std::filesystem::path path_of_input(const std::string& stated) {
  std::filesystem::path above;  // up to the last ".."
  std::filesystem::path rest;
  for (const std::filesystem::path& part : std::filesystem::path(stated)) {
    rest /= part;
    if (part == "..") above /= std::exchange(rest, {});
  }
  std::filesystem::path spelled = without_end_slash(absolute_path(stated));
  if (above.empty()) return spelled;
  const std::string led_to = canonical_path(above.string());
  if (led_to == canonical_path(absolute_path(above.string()))) return spelled;
  return without_end_slash(led_to / rest);
}

// Calls visit(folder) for each folder of the name, the outermost first.
template <class Visit>
void for_each_folder_of(const std::string& name, Visit&& visit) {
  for (std::size_t end = name.find('/'); end != std::string::npos; end = name.find('/', end + 1)) {
    visit(name.substr(0, end));
  }
}

// The names of inputs that are files: what may not be written by another input.
class TakenNames {
 public:
  using Input = std::uint32_t;
  static constexpr Input kNone = ~Input{0};

  // Returns another input that has the name, or kNone.
  Input claim(const std::string& name, Input input) {
    for (const std::string& taken : {name, partial_path(name)}) {
      const auto [at, is_new] = files_.emplace(taken, input);
      if (!is_new) return at->second;
    }
    for_each_folder_of(name, [&](std::string folder) { folders_.emplace(std::move(folder), input); });
    return kNone;
  }

  // An input below the unfinished file of the input with this name, or kNone.
  Input below_unfinished(const std::string& name) const { return find(folders_, partial_path(name)); }

  bool has_folder(const std::string& folder) const { return folders_.contains(folder); }

  // An input whose file, finished or not, is where the path needs a folder, or kNone.
  Input file_above(const std::string& path) const {
    Input above = kNone;
    for_each_folder_of(path, [&](const std::string& folder) {
      if (above == kNone) above = find(files_, folder);
    });
    return above;
  }

  // An input whose file cannot stand next to one of this name, or kNone. Nothing is claimed.
  Input clash_with(const std::string& name) const {
    for (const std::string& written : {name, partial_path(name)}) {
      for (const Names* names : {&files_, &folders_}) {
        if (const Input other = find(*names, written); other != kNone) return other;
      }
    }
    return file_above(name);
  }

 private:
  using Names = std::unordered_map<std::string, Input, SeededHash>;  // strangers name what is in WACZ files

  static Input find(const Names& names, const std::string& name) {
    const auto found = names.find(name);
    return found == names.end() ? kNone : found->second;
  }

  Names files_;    // finished and unfinished
  Names folders_;  // of finished files
};

// A folder of pages has an output for each of them. Unless another input is below it, they can only meet a file in
// whose place the folder would be.
TakenNames::Input clash_of_folder(const InputFile& folder, const std::string& name, const TakenNames& claimed) {
  const bool is_all = name == ".";
  const std::string prefix = is_all ? std::string() : name + "/";
  if (!is_all && !claimed.has_folder(name)) return claimed.file_above(prefix);
  for (const std::string& page : folder.pages) {
    if (const auto other = claimed.clash_with(prefix + page); other != TakenNames::kNone) return other;
  }
  return TakenNames::kNone;
}

}  // namespace

std::vector<std::string> surviving_record_names(const std::vector<InputFile>& inputs) {
  std::vector<std::filesystem::path> paths;
  for (const InputFile& input : inputs) paths.push_back(path_of_input(input.path));
  std::filesystem::path common = paths.empty() ? std::filesystem::path() : paths.front().parent_path();
  for (const std::filesystem::path& path : paths) {
    while (common.has_relative_path() && !is_below(path, common)) common = common.parent_path();
  }
  std::vector<std::string> names;
  for (const std::filesystem::path& path : paths) names.push_back(path.lexically_relative(common).string());
  return names;
}

// Of a WACZ file, only the archives are looked at: its lists of pages have names that no archive has.
Status check_record_names(const std::vector<InputFile>& inputs) {
  const std::vector<std::string> names = surviving_record_names(inputs);
  const auto check = [&](std::size_t input, TakenNames::Input other) -> Status {
    if (other == TakenNames::kNone) return {};
    return failure(ErrorCode::kInvalidArgument,
                   fmt::format("{} and {} cannot be written next to each other below records/, where a file has the "
                               "name of the other one, also while it is written (NAME.partial); rename one of them",
                               inputs[std::min<std::size_t>(input, other)].path,
                               inputs[std::max<std::size_t>(input, other)].path));
  };
  TakenNames claimed;
  for (std::uint32_t input = 0; input < inputs.size(); ++input) {
    if (inputs[input].kind == InputKind::kFile) PARAPRINT_TRY(check(input, claimed.claim(names[input], input)));
  }
  for (std::size_t input = 0; input < inputs.size(); ++input) {
    if (inputs[input].kind == InputKind::kFile) {
      PARAPRINT_TRY(check(input, claimed.below_unfinished(names[input])));
    } else if (inputs[input].kind == InputKind::kPageFolder) {
      PARAPRINT_TRY(check(input, clash_of_folder(inputs[input], names[input], claimed)));
    }
  }
  return {};
}

Status RevisitTargets::add(std::uint32_t page, std::string_view target) {
  if (target.empty()) return {};
  PARAPRINT_TRY(rows_.push_back({bytes_.size(), page, static_cast<std::uint32_t>(target.size())}));
  return bytes_.append(std::span<const char>(target));
}

std::string_view RevisitTargets::find(std::uint32_t page) const {
  const auto* const row =
      std::lower_bound(rows_.begin(), rows_.end(), page,
                       [](const TargetRow& other, std::uint32_t wanted) { return other.page < wanted; });
  if (row == rows_.end() || row->page != page) return {};
  return {bytes_.data() + row->begin, row->size};
}

// Addresses are compared by hash: an accidental match only costs a revisit record.
std::uint64_t hash_of_address(std::string_view url, std::string_view date) {
  return hash64(fmt::format("{} {}", url, date));
}

Result<SpillArray<std::uint32_t>> pages_to_refer_to(const PageTable& pages, const Decisions& decisions) {
  struct Place {
    std::uint64_t hash = 0;
    std::uint32_t page = 0;
  };
  const auto hash_of = [&](std::uint32_t page) { return hash_of_address(pages.url(page), pages.date(page)); };
  std::vector<bool> is_wanted(pages.size());
  for (std::uint32_t page = 0; page < pages.size(); ++page) {
    const std::uint32_t kept = decisions.clustering.pages[page].kept_page;
    if (kept != page && is_written(decisions, kept)) is_wanted[kept] = true;
  }
  SpillArray<Place> places(pages.budget());
  for (std::uint32_t page = 0; page < pages.size(); ++page) {
    if (is_wanted[page]) PARAPRINT_TRY(places.push_back({hash_of(page), page}));
  }
  const auto by_hash = [](const Place& a, const Place& b) { return a.hash < b.hash; };
  std::sort(places.begin(), places.end(), by_hash);
  for (std::uint32_t page = 0; page < pages.size(); ++page) {
    if (!is_written(decisions, page)) continue;
    const auto [first, last] = std::equal_range(places.begin(), places.end(), Place{hash_of(page), page}, by_hash);
    for (const Place* place = first; place != last; ++place) {
      if (place->page != page) is_wanted[place->page] = false;
    }
  }
  SpillArray<std::uint32_t> wanted(pages.budget());
  for (std::uint32_t page = 0; page < pages.size(); ++page) {
    if (is_wanted[page]) PARAPRINT_TRY(wanted.push_back(page));
  }
  return wanted;
}

std::span<const std::uint32_t> first_of_one_file(const PageTable& pages, std::span<const std::uint32_t> wanted) {
  const auto file_of = [&](std::uint32_t page) { return pages.row(page).location.file_index; };
  std::size_t size = 1;
  while (size < wanted.size() && file_of(wanted[size]) == file_of(wanted.front())) ++size;
  return wanted.first(size);
}

std::vector<std::uint64_t> ordinals_of(const PageTable& pages, std::span<const std::uint32_t> wanted) {
  std::vector<std::uint64_t> ordinals;
  ordinals.reserve(wanted.size());
  for (const std::uint32_t page : wanted) ordinals.push_back(pages.row(page).location.ordinal);
  return ordinals;
}

// Pages follow the files, so one pass fills the list and the begins; a file without pages gets an empty range.
Result<RemovedPages> list_removed_pages(std::size_t input_count, const PageTable& pages, const Decisions& decisions,
                                        const RevisitTargets& targets, double share_maximum) {
  RemovedPages removed(pages.budget());
  std::size_t in_other_languages = 0;  // asked for, so they do not count towards the limit
  for (std::uint32_t page = 0; page < pages.size(); ++page) {
    const RecordLocation& location = pages.row(page).location;
    removed.begin.resize(std::max<std::size_t>(removed.begin.size(), location.file_index + 1), removed.pages.size());
    if (is_written(decisions, page)) continue;
    RemovedPage row;
    row.ordinal = location.ordinal;
    row.is_template = is_template(decisions, page);
    if (is_in_other_language(decisions, page)) {
      ++in_other_languages;
      row.relation.reason = kReasonLanguage;
    } else if (const std::optional<KnownPage> known = decisions.known.find(page)) {
      row.relation = {verdict_name(known->verdict),
                      known->resemblance,
                      known->containment,
                      known->containment_known,
                      kReasonKnown,
                      known->id,
                      known->url,
                      {}};
    } else {
      const PageCluster& cluster = decisions.clustering.pages[page];
      const std::uint32_t kept = cluster.kept_page;
      row.relation = {verdict_name(cluster.verdict),
                      cluster.resemblance,
                      cluster.containment,
                      cluster.containment_kept,
                      reason_of_removal(decisions, pages, page),
                      pages.id(kept),
                      pages.url(kept),
                      pages.date(kept)};
      row.target = targets.find(kept);
    }
    PARAPRINT_TRY(removed.pages.push_back(row));
  }
  removed.begin.resize(input_count + 1, removed.pages.size());
  const std::size_t copies = removed.pages.size() - in_other_languages;
  const std::size_t compared = pages.size() - in_other_languages;
  PARAPRINT_TRY(check_removed_share(copies, compared, share_maximum));
  return removed;
}

Status check_removed_share(std::uint64_t removed, std::uint64_t compared, double share_maximum) {
  if (compared == 0 || static_cast<double>(removed) / static_cast<double>(compared) <= share_maximum) return {};
  return failure(ErrorCode::kLimitExceeded,
                 fmt::format("{} of {} pages would be removed, more than max_removed_share ({}); no records were "
                             "written. removed.jsonl lists these pages; if they may go, run again with a higher "
                             "max_removed_share",
                             removed, compared, share_maximum));
}

// The names are those of summary.json (docs/output.md).
void add_write_counts(const WriteCounts& written, Counters& counters) {
  count(counters, "records_kept", written.records_kept);
  count(counters, "pages_removed", written.pages_removed);
  count(counters, "companions_removed", written.companions_removed);
  count(counters, "segments_removed", written.segments_removed);
  count(counters, "revisits_written", written.revisits_written);
  count(counters, "relations_written", written.relations_written);
  count(counters, "records_rewritten", written.records_rewritten);
  count(counters, "bytes_written", written.bytes_written);
}

namespace {

SavingsRow row_of(std::string name, const SavingsByClass& amounts) {
  static_assert(kSavingsClassCount == kSavingsClassNames.size());
  SavingsRow row;
  row.name = std::move(name);
  for (std::size_t i = 0; i < amounts.size(); ++i) {
    row.classes[i] = {amounts[i].records, amounts[i].bytes_before, amounts[i].bytes_after};
  }
  return row;
}

}  // namespace

Status write_savings_of(const std::string& folder, const RecordSavings& savings, const RecordFiles& files,
                        std::string_view report_href) {
  SavingsReport report;
  report.totals = row_of({}, savings.totals());
  report.file_bytes_before = files.bytes_before;
  report.file_bytes_after = files.bytes_after;
  report.report_href = report_href;
  for (const auto& [type, amounts] : savings.by_media_type()) report.media_types.add(row_of(type, amounts));
  for (const auto& [host, amounts] : savings.by_host()) report.hosts.add(row_of(host, amounts));
  return write_savings(folder, report);
}

namespace {

// Players find archives by the names that the index has: their paths below the folder of records. What is broken in
// them was reported when the inputs were read.
Status write_index(const RecordOutput& output, const std::vector<std::string>& names, Counters& counters,
                   ProgressReporter& progress) {
  std::vector<std::string> archives;
  for (const std::string& name : names) {
    std::error_code ignored;
    std::string path = output.folder + "/" + name;
    if (std::filesystem::is_regular_file(path, ignored)) archives.push_back(std::move(path));
  }
  CdxRules rules;
  rules.form = output.cdx;
  rules.reading = output.reading;
  rules.threads = output.threads;
  rules.sorting = payload_sorting(output.budget);
  rules.warns = false;
  const std::string folder = std::filesystem::path(output.folder).parent_path().string();
  PARAPRINT_ASSIGN(const CdxCounts index, write_index_file(archives, output.folder, rules, progress,
                                                           fmt::format("{}/{}", folder, index_file_name(output.cdx))));
  count(counters, "index_lines", index.lines);
  count(counters, "index_captures_left_out", index.captures_without_date + index.captures_not_addressable);
  return {};
}

}  // namespace

Result<Counters> write_records(const RecordOutput& output, const RemovedPages& removed, ProgressReporter& progress) {
  output.budget.make_room_for(output.threads * kWriterBytes);
  const std::vector<std::string> names = surviving_record_names(output.inputs);
  progress.begin("write", output.inputs.size(), "files");
  Counters counters;
  RecordSavings savings;
  RecordFiles files;
  for (const InputFile& input : output.inputs) files.bytes_before += input.size_bytes;
  std::size_t next = 0;
  std::uint64_t done = 0;
  PARAPRINT_TRY(run_in_order<std::size_t, Result<WriteCounts>>(
      output.threads,
      [&]() -> Result<std::optional<std::size_t>> {
        if (next == output.inputs.size()) return std::optional<std::size_t>{};
        return std::optional<std::size_t>{next++};
      },
      [&](unsigned, std::size_t&& input) -> Result<WriteCounts> {
        const std::string path = output.folder + "/" + names[input];
        const std::string parent = std::filesystem::path(path).parent_path().string();
        PARAPRINT_TRY(create_folders(parent));
        // The end of an input that could not be read to its end is not new damage: the same error is expected here.
        WriteOptions options = output.options;
        options.budget = &output.budget;
        std::unique_ptr<RecordNotes> notes;
        if (output.notes_of_input) notes = output.notes_of_input(static_cast<std::uint32_t>(input));
        options.notes = notes.get();
        options.input_ends_early = output.inputs_ended_early.contains(static_cast<std::uint32_t>(input));
        return write_survivors(output.inputs[input], path, removed.of_file(input), output.reading, options);
      },
      [&](Result<WriteCounts>&& written) -> Status {
        if (!written) return tl::unexpected<Error>(written.error());
        add_write_counts(*written, counters);
        if (output.notes_of_input) count(counters, "records_with_notes", written->notes_written);
        savings.add(written->savings);
        files.bytes_after += written->bytes_written;
        // Copying fills memory without touching budgeted arrays; look once per file.
        output.budget.checkpoint();
        progress.update(++done);
        return {};
      }));
  progress.end();
  PARAPRINT_TRY(write_savings_of(std::filesystem::path(output.folder).parent_path().string(), savings, files,
                                 output.report_href));
  if (output.cdx != CdxForm::kNone) PARAPRINT_TRY(write_index(output, names, counters, progress));
  return counters;
}

namespace {

// Reads the inputs once more, which is done only for revisit records: one input per thread at a time.
Result<RevisitTargets> read_targets(const RunSetup& run, const ReadOutcome& read, const Decisions& decisions,
                                    ProgressReporter& progress) {
  RevisitTargets targets(read.pages.budget());
  PARAPRINT_ASSIGN(const SpillArray<std::uint32_t> wanted, pages_to_refer_to(read.pages, decisions));
  progress.begin("payloads", wanted.size(), "pages");
  const std::span<const std::uint32_t> all(wanted);
  std::size_t next = 0;
  PARAPRINT_TRY(run_in_order<std::span<const std::uint32_t>, Result<std::vector<std::string>>>(
      run.threads,
      [&]() -> Result<std::optional<std::span<const std::uint32_t>>> {
        if (next == all.size()) return std::optional<std::span<const std::uint32_t>>{};
        const std::span<const std::uint32_t> of_file = first_of_one_file(read.pages, all.subspan(next));
        next += of_file.size();
        return std::optional(of_file);
      },
      [&](unsigned, std::span<const std::uint32_t>&& of_file) -> Result<std::vector<std::string>> {
        const std::uint32_t file = read.pages.row(of_file.front()).location.file_index;
        return read_revisit_targets(run.inputs[file], ordinals_of(read.pages, of_file), run.options.reading,
                                    read.inputs_ended_early.contains(file));
      },
      [&, done = std::size_t{0}](Result<std::vector<std::string>>&& found) mutable -> Status {
        if (!found) return tl::unexpected<Error>(found.error());
        for (const std::string& target : *found) PARAPRINT_TRY(targets.add(all[done++], target));
        progress.update(done);
        return {};
      }));
  progress.end();
  return targets;
}

}  // namespace

Result<Counters> write_surviving_records(const RunSetup& run, const ReadOutcome& read, const Decisions& decisions,
                                         RecordAdditions& additions, ProgressReporter& progress) {
  const OutputOptions& output_options = run.options.output;
  WriteOptions options;
  options.write_revisits = output_options.revisits || output_options.payloads;
  std::function<std::unique_ptr<RecordNotes>(std::uint32_t)> notes;
  if (additions) {
    notes = [&](std::uint32_t file_index) { return notes_of_input(run, read.pages, additions, file_index); };
  }
  const RecordOutput output{
      run.inputs, run.options.reading,     output_options.out + "/records",
      options,    read.inputs_ended_early, run.threads,
      run.budget, output_options.cdx,      output_options.report ? kReportHref : std::string_view(),
      notes};
  if (additions.annotations) {
    RemovedPages none(read.pages.budget());
    none.begin.resize(run.inputs.size() + 1);
    return write_records(output, none, progress);
  }
  const auto list = [&](const RevisitTargets& targets) {
    return list_removed_pages(run.inputs.size(), read.pages, decisions, targets, run.options.output.max_removed_share);
  };
  RevisitTargets targets(read.pages.budget());
  PARAPRINT_ASSIGN(RemovedPages removed, list(targets));
  // Both read the inputs once more, so a run that removes too much has failed before.
  CaptureCollector captures(payload_sorting(run.budget), &run.budget);
  Counters counters;
  if (output_options.payloads) {
    PARAPRINT_ASSIGN(removed, replace_equal_payloads(run, removed, captures, counters, progress));
  } else if (output_options.revisits) {
    PARAPRINT_ASSIGN(targets, read_targets(run, read, decisions, progress));
    PARAPRINT_ASSIGN(removed, list(targets));
  }
  PARAPRINT_ASSIGN(const Counters written, write_records(output, removed, progress));
  add_counters(counters, written);
  return counters;
}

}  // namespace paraprint::inline engine
