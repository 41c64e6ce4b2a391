// The lock is an flock(): it belongs to the open descriptor, so a killed run leaves none. Inputs are checked before any
// folder is made, and the identity of a run lists its inputs by path, size and modification time, which is cheap and
// notices nearly every change; hashing the input would cost as much as reading it. Pages in memory have nothing else
// than their hash, and cost no reading.
#include "engine/work_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>

#include "base/atomic_file.h"
#include "base/hash.h"
#include "base/input_wait.h"
#include "base/propagate.h"
#include "base/system_error.h"
#include "engine/output_stage.h"
#include "engine/read_stage.h"
#include "engine/surviving_records.h"
#include "memory/memory_meter.h"
#include "options/option_table.h"
#include "profile/page_match.h"
#include "profile/profile_codec.h"
#include "profile/word_counts.h"

namespace paraprint::inline engine {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kCopyBytes = std::size_t{1} << 20;

// The sorters of a stage get 1/2 of what is left of the memory limit when it begins, but at least 1/8 of the limit
// (match_stage.cc divides it further); the rest is for pages in flight, the page table, the scored pairs and the
// program itself. The data frame of a calling program can be most of what it has.
constexpr std::uint64_t kSorterShare = 2;
constexpr std::uint64_t kSorterLeastShare = 8;
constexpr std::uint64_t kSorterBytesMinimum = std::uint64_t{16} << 20;

// Into an AtomicFile: a copy cut off by a kill must not pass for the input of the resumed run. Waits in a way that a
// stop request interrupts.
Status copy_standard_input(const std::string& path) {
  PARAPRINT_ASSIGN(AtomicFile file, AtomicFile::create(path));
  std::string buffer(kCopyBytes, '\0');
  for (;;) {
    PARAPRINT_TRY(wait_for_input(STDIN_FILENO));
    const ssize_t got = ::read(STDIN_FILENO, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return tl::unexpected<Error>(system_error("read", "standard input", errno));
    if (got == 0) return file.commit();
    PARAPRINT_TRY(file.write(std::string_view(buffer).substr(0, static_cast<std::size_t>(got))));
  }
}

// Whether the bytes of standard input are those of its copy. None at all are no other ones: a run is resumed without
// its input as well. A terminal is not read.
Result<bool> standard_input_is(const std::string& copy_path) {
  if (::isatty(STDIN_FILENO) == 1) return true;
  std::ifstream copy(copy_path, std::ios::binary);
  std::string buffer(kCopyBytes, '\0');
  std::string expected(kCopyBytes, '\0');
  for (bool is_first = true;; is_first = false) {
    PARAPRINT_TRY(wait_for_input(STDIN_FILENO));
    ssize_t got = 0;
    do {
      got = ::read(STDIN_FILENO, buffer.data(), buffer.size());
    } while (got < 0 && errno == EINTR);
    if (got < 0 && is_first && errno == EBADF) return true;  // closed
    if (got < 0) return tl::unexpected<Error>(system_error("read", "standard input", errno));
    if (got == 0) return is_first || copy.peek() == std::ifstream::traits_type::eof();
    copy.read(expected.data(), got);
    if (copy.gcount() != got || !std::equal(buffer.begin(), buffer.begin() + got, expected.begin())) return false;
  }
}

// Of a log that has what pages state about their origin.
constexpr std::string_view kOriginsLine = "origins\n";

// What to say of a log with another identity than the one that is wanted.
std::string refusal_of(const std::string& log_path, const std::string& wanted, const DedupOptions& options) {
  const Result<std::unique_ptr<PageLog>> log = PageLog::open_to_read(log_path);
  const auto without_line = [](std::string identity) {
    const std::size_t at = identity.find(kOriginsLine);
    return at == std::string::npos ? identity : identity.erase(at, kOriginsLine.size());
  };
  if (log && (*log)->identity() != wanted && without_line((*log)->identity()) == without_line(wanted)) {
    return options.output.provenance
               ? "holds a run without --provenance, which did not keep what pages state about their origin; repeat "
                 "`paraprint dedup` with --provenance and --restart"
               : "holds a run with --provenance; leave it on, or use --restart to read the pages again";
  }
  return "holds a run with other inputs or settings, or of another version of paraprint; choose another --out, or "
         "--restart to replace it";
}

std::string work_folder_of(const std::string& out_folder) {
  return out_folder + "/.paraprint";
}

// Compares path components; `outer` may end with a slash, which appears as a last, empty component. An empty path is
// one that may not be examined; using it fails later, with its own error.
bool is_inside(const fs::path& inner, const fs::path& outer) {
  if (outer.empty() || inner.empty()) return false;
  const auto [outer_end, inner_at] = std::mismatch(outer.begin(), outer.end(), inner.begin(), inner.end());
  return outer_end == outer.end() || (std::next(outer_end) == outer.end() && outer_end->empty());
}

// The name is derived from the output folder, whose lock excludes other runs, so a resumed run finds and removes what a
// killed one left.
std::string spill_folder_of(const DedupOptions& options, const std::string& work_folder) {
  const std::string& temporary_folder = options.resources.tmp;
  if (temporary_folder.empty()) return work_folder + "/spill";
  return fmt::format("{}/paraprint-{:016x}", temporary_folder, hash64(canonical_path(options.output.out)));
}

// The reading settings that influence which records become pages, and how; part of the log's identity.
std::string describe_reading(const ReadOptions& options) {
  std::string text =
      fmt::format("fields={},{},{},{},{} limits={},{},{},{},{},{},{}", options.id_field, options.html_field,
                  options.text_field, options.url_field, options.date_field, options.max_record_bytes,
                  options.max_body_bytes, options.max_line_bytes, options.max_record_header_bytes,
                  options.max_http_header_bytes, options.max_expansion_ratio, options.bomb_threshold_bytes);
  if (!options.score_field.empty()) text += fmt::format(" score={}", options.score_field);
  if (!options.place_field.empty()) text += fmt::format(" place={}", options.place_field);
  for (const StatusRange& range : options.status) text += fmt::format(" status={}-{}", range.first, range.last);
  for (const std::string& type : options.content_type) text += fmt::format(" type={}", type);
  return text;
}

bool reads_standard_input(const DedupOptions& options) {
  return options.inputs.size() == 1 && options.inputs.front() == "-";
}

// The inputs of the run, or the reason why they cannot be used. Writes nothing.
Result<std::vector<InputFile>> list_inputs(const DedupOptions& options) {
  Result<std::vector<InputFile>> inputs = expand_inputs(options.inputs, options.reading);
  PARAPRINT_TRY(inputs);
  std::error_code ignored;
  const fs::path output = canonical_path(options.output.out);
  for (const std::string& path : options.inputs) {
    if (!fs::is_directory(path, ignored) || !is_inside(output, canonical_path(path))) continue;
    return failure(ErrorCode::kInvalidArgument,
                   fmt::format("{}: the output folder is inside the input folder {} and would be read as input; choose "
                               "another --out",
                               options.output.out, path));
  }
  for (const InputFile& input : *inputs) {
    const std::string& path = input.stored_path();
    if (fs::is_regular_file(path, ignored) || fs::is_directory(path, ignored)) continue;
    return failure(
        ErrorCode::kInvalidArgument,
        fmt::format("{}: not a regular file. Inputs are read twice, so pipes and devices cannot be used; pass a "
                    "file, or - to copy standard input first",
                    input.path));
  }
  for (const InputFile& input : *inputs) {
    if (!is_inside(canonical_path(input.stored_path()), output)) continue;
    return failure(ErrorCode::kInvalidArgument, fmt::format("{}: is inside the output folder {}; choose another --out",
                                                            input.path, options.output.out));
  }
  return inputs;
}

}  // namespace

Status check_outside_output(const std::string& path, const std::string& out_folder) {
  const fs::path given = canonical_path(path);
  const fs::path output = canonical_path(out_folder);
  std::error_code ignored;
  if (!is_inside(given, output) && !(fs::is_directory(given, ignored) && is_inside(output, given))) return {};
  return failure(
      ErrorCode::kInvalidArgument,
      fmt::format("{}: the output folder {} would be read, or replace it; choose another --out", path, out_folder));
}

std::string options_path_of(const std::string& out_folder) {
  return work_folder_of(out_folder) + "/options.toml";
}

std::string standard_input_copy_of(const std::string& out_folder) {
  return work_folder_of(out_folder) + "/standard-input";
}

WorkFolder::WorkFolder(const DedupOptions& options)
    : options_(options),
      folder_(work_folder_of(options.output.out)),
      spill_folder_(spill_folder_of(options, folder_)) {}

WorkFolder::WorkFolder(WorkFolder&& other) noexcept
    : options_(other.options_),
      inputs_(std::move(other.inputs_)),
      inputs_status_(std::move(other.inputs_status_)),
      may_get_new_input_(other.may_get_new_input_),
      copies_input_again_(other.copies_input_again_),
      folder_(std::move(other.folder_)),
      spill_folder_(std::move(other.spill_folder_)),
      lock_descriptor_(std::exchange(other.lock_descriptor_, -1)) {}

// A moved-from object and one that did not get the lock have no descriptor and remove nothing.
WorkFolder::~WorkFolder() {
  if (lock_descriptor_ < 0) return;
  std::error_code ignored;
  fs::remove_all(spill_folder_, ignored);  // not its parent, which may be the user's --tmp
  ::close(lock_descriptor_);               // unlocks
}

Result<WorkFolder> WorkFolder::open(const DedupOptions& options, bool must_exist) {
  WorkFolder work(options);
  if (must_exist) {
    PARAPRINT_ASSIGN(const bool exists, path_exists(work.log_path()));
    if (!exists) {
      return failure(
          ErrorCode::kNotFound,
          fmt::format("{}: holds no finished run; run `paraprint dedup` with this --out first", options.output.out));
    }
  }
  // Before anything is created: unusable inputs leave no folder behind.
  if (!reads_standard_input(options)) {
    PARAPRINT_ASSIGN(std::vector<InputFile> inputs, list_inputs(options));
    if (options.output.records) PARAPRINT_TRY(check_record_names(inputs));
    work.inputs_ = std::move(inputs);
  }
  work.may_get_new_input_ = !must_exist;
  PARAPRINT_TRY(work.create(options.output.restart && !must_exist));
  return work;
}

Result<WorkFolder> WorkFolder::open_anew(const DedupOptions& options) {
  Result<WorkFolder> work = open(options, false);
  if (work) work->copies_input_again_ = true;
  return work;
}

Result<WorkFolder> WorkFolder::open_for(const DedupOptions& options, std::vector<InputFile> inputs) {
  WorkFolder work(options);
  work.inputs_ = std::move(inputs);
  PARAPRINT_TRY(work.create(options.output.restart));
  return work;
}

// A run that begins while its folder is read replaces files; their readers keep what they have open.
Result<WorkFolder> WorkFolder::open_to_read(const DedupOptions& options) {
  WorkFolder work(options);
  work.spill_folder_ = options.resources.tmp;
  for (const std::string& path : {work.log_path(), work.scores_path()}) {
    PARAPRINT_ASSIGN(const bool exists, path_exists(path));
    if (exists) continue;
    return failure(ErrorCode::kNotFound, fmt::format("{}: holds no finished run ({} is missing); run `paraprint dedup` "
                                                     "with this --out first",
                                                     options.output.out, path));
  }
  const int descriptor = ::open((work.folder_ + "/lock").c_str(), O_RDONLY | O_CLOEXEC);
  const bool is_locked = descriptor >= 0 && ::flock(descriptor, LOCK_SH | LOCK_NB) != 0;
  if (descriptor >= 0) ::close(descriptor);
  if (is_locked) {
    return failure(ErrorCode::kInvalidArgument,
                   fmt::format("{}: a run is still writing to this folder; wait for its end", options.output.out));
  }
  if (reads_standard_input(options)) {
    PARAPRINT_ASSIGN(const bool is_copied, path_exists(standard_input_copy_of(options.output.out)));
    if (!is_copied) work.inputs_status_ = failure(ErrorCode::kNotFound, "the copy of standard input is gone");
    return work;
  }
  Result<std::vector<InputFile>> inputs = list_inputs(options);
  if (inputs) {
    work.inputs_ = std::move(*inputs);
  } else {
    work.inputs_status_ = tl::unexpected<Error>(inputs.error());
  }
  return work;
}

Status WorkFolder::create(bool removes_earlier) {
  std::error_code ignored;
  PARAPRINT_TRY(refuse_foreign_output(options_.output.out));
  PARAPRINT_TRY(create_folders(folder_));
  PARAPRINT_TRY(lock());
  if (removes_earlier) {
    // Answers of the index are matched to a run by the size of its log only, so they must not outlive the log. The list
    // of pages added to an index does: they are still in the index.
    for (const char* name : {"/pages.log", "/scores", "/known", "/options.toml", "/standard-input"}) {
      fs::remove(folder_ + name, ignored);
    }
  }
  fs::remove_all(spill_folder_, ignored);
  return create_folders(spill_folder_);
}

// Does not wait: a second run on the same output is a mistake, not a queue.
Status WorkFolder::lock() {
  const std::string path = folder_ + "/lock";
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (descriptor < 0) return tl::unexpected<Error>(system_error("open", path, errno));
  if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0) {
    lock_descriptor_ = descriptor;  // only now: the destructor empties the folder of whoever has the descriptor
    return {};
  }
  ::close(descriptor);
  return failure(ErrorCode::kInvalidArgument,
                 fmt::format("{}: another run is writing to this folder", options_.output.out));
}

Result<std::vector<InputFile>> WorkFolder::inputs() const {
  PARAPRINT_TRY(inputs_status_);
  if (!reads_standard_input(options_)) return inputs_;
  const std::string copy = standard_input_copy_of(options_.output.out);
  PARAPRINT_ASSIGN(const bool is_copied, path_exists(copy));
  if (!is_copied || copies_input_again_) {
    PARAPRINT_TRY(copy_standard_input(copy));
  } else if (may_get_new_input_) {
    PARAPRINT_ASSIGN(const bool is_same, standard_input_is(copy));
    if (!is_same) {
      return failure(
          ErrorCode::kInvalidArgument,
          fmt::format("{}: standard input is not that of the run in this folder; choose another --out, or give "
                      "`paraprint dedup` --restart to replace it, or an empty standard input to go on with "
                      "the stored one",
                      options_.output.out));
    }
  }
  PARAPRINT_ASSIGN(std::vector<InputFile> inputs, expand_inputs({copy}, options_.reading));
  for (InputFile& input : inputs) input.is_nameless = true;
  return inputs;
}

Result<std::unique_ptr<WordWeights>> WorkFolder::word_weights(const std::vector<InputFile>& inputs,
                                                              const DedupOptions& options, unsigned threads,
                                                              ProgressReporter& progress) const {
  if (options.profile.idf != IdfSource::kCorpus) return std::unique_ptr<WordWeights>{};
  return learn_word_weights(inputs, options, threads, progress);
}

// A file that cannot be examined now is an error: with another time, the log would be refused when it can be again.
Result<std::string> WorkFolder::log_identity(const std::vector<InputFile>& inputs, const std::string& identity) const {
  std::string text = identity + "\n" + describe_reading(reading_of(options_)) + "\n";
  if (ranks_statements(options_)) text += "scores are ranks of what pages state\n";
  if (options_.output.provenance) text += kOriginsLine;
  for (const InputFile& input : inputs) {
    if (input.kind == InputKind::kMemory) {
      text += fmt::format("{} {}\n", input.path, input.memory_digest);
      continue;
    }
    if (input.kind == InputKind::kPageFolder) {
      text += fmt::format("{} {} {}\n", input.path, input.size_bytes, input.stamp);
      continue;
    }
    struct stat facts {};
    if (::stat(input.stored_path().c_str(), &facts) != 0) {
      return tl::unexpected<Error>(system_error("examine", input.stored_path(), errno));
    }
    text += fmt::format("{} {} {}.{:09}\n", input.path, input.size_bytes, facts.st_mtim.tv_sec, facts.st_mtim.tv_nsec);
  }
  return text;
}

Result<std::unique_ptr<PageLog>> WorkFolder::open_log(const std::vector<InputFile>& inputs,
                                                      const std::string& identity) const {
  PARAPRINT_ASSIGN(const std::string text, log_identity(inputs, identity));
  Result<std::unique_ptr<PageLog>> log = PageLog::open(log_path(), text);
  if (!log && log.error().code == ErrorCode::kInvalidArgument) {
    return failure(ErrorCode::kInvalidArgument,
                   fmt::format("{}: {}", options_.output.out, refusal_of(log_path(), text, options_)));
  }
  return log;
}

// Nothing is repaired: what is missing could not be read again.
Result<std::unique_ptr<PageLog>> WorkFolder::open_finished_log(const std::vector<InputFile>& inputs,
                                                               const std::string& identity) const {
  PARAPRINT_ASSIGN(const std::string text, log_identity(inputs, identity));
  Result<std::unique_ptr<PageLog>> log = PageLog::open_to_read(log_path());
  if (log && (*log)->identity() != text) {
    return failure(ErrorCode::kInvalidArgument,
                   fmt::format("{}: {}", options_.output.out, refusal_of(log_path(), text, options_)));
  }
  return log;
}

Status WorkFolder::remove_stored_options() const {
  const std::string path = options_path_of(options_.output.out);
  std::error_code failed;
  fs::remove(path, failed);
  if (failed) return tl::unexpected<Error>(system_error("remove", path, failed.value()));
  return {};
}

// Scores and answers of the index are matched to a run by the size of its log only, so they go first.
Status WorkFolder::forget_failed_reads(PageLog& log) const {
  if (!log.has_failed_reads()) return {};
  std::error_code failed;
  for (const std::string& path : {scores_path(), known_pages_path()}) {
    fs::remove(path, failed);
    if (failed) return tl::unexpected<Error>(system_error("remove", path, failed.value()));
  }
  return log.drop_failed_reads();
}

// The minimum keeps sorters from writing runs too small to merge efficiently.
SpillOptions WorkFolder::spill_options(MemoryBudget& budget) const {
  const std::uint64_t target = budget.target_bytes();
  const std::uint64_t left = target - std::min(target, process_resident_bytes());
  return {spill_folder_, std::max({kSorterBytesMinimum, target / kSorterLeastShare, left / kSorterShare}), &budget};
}

// The size of the log identifies its content: it grows with every batch, and its header fixes inputs and settings.
// Thresholds that are applied to stored scores must not appear here; everything that changes scores must.
std::string WorkFolder::scores_identity(const DedupOptions& options, const PageLog& log) const {
  // Pairs are stored down to this limit, so thresholds above it need no new search.
  const ResolvedValue stored = {"min_characters", fmt::format("{}", stored_characters_minimum(options.match))};
  std::string identity =
      fmt::format("profile-format={} log-bytes={}{}{}", kProfileFormatVersion, log.size_bytes(),
                  identity_of(candidate_option_rows(), options.candidates, kScoresIdentity),
                  identity_of(match_option_rows(), options.match, kScoresIdentity, std::span(&stored, 1)));
  // Which pages were compared.
  const std::string languages = log.compared_languages().text();
  if (!languages.empty()) identity += " languages=" + languages;
  return identity;
}

}  // namespace paraprint::inline engine
