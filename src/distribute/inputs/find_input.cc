// What a task reads is found without the other inputs of the run. A task reads the parts of a WACZ file one after
// another, and to list the file for each of them would be quadratic: one of 42 MB can have 100,000 parts.
#include "distribute/inputs/find_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <limits>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "archive/wacz_input.h"
#include "base/file_stamp.h"
#include "base/hash.h"
#include "base/propagate.h"
#include "base/system_error.h"
#include "engine/surviving_records.h"
#include "paraprint/distributed.h"

namespace paraprint {
namespace distribute::inputs {

namespace fs = std::filesystem;

namespace {

// The file of a path, which for a part of a WACZ file takes the place of a folder in it; empty if there is a folder.
std::string file_at_or_above(const std::string& path) {
  for (fs::path at = path; at.has_relative_path(); at = at.parent_path()) {
    std::error_code ignored;
    const fs::file_status status = fs::status(at, ignored);
    if (fs::is_regular_file(status)) return at.string();
    if (fs::exists(status)) break;
  }
  return {};
}

// The inputs of the WACZ file that was listed last.
class LastListing {
 public:
  // The input with this path in this file, reading from `source`; kNotFound if the file has none of that path, nullopt
  // if this is not the file that was listed last, or it has changed.
  std::optional<Result<InputFile>> find(const std::string& file, const std::string& stamp, const std::string& path,
                                        const std::shared_ptr<ByteSource>& source) {
    const std::lock_guard lock(mutex_);
    if (stamp.empty() || file != file_ || stamp != stamp_) return std::nullopt;
    Result<InputFile> found = find_in(inputs_, path);
    if (found) found->source = source;
    return found;
  }

  // `inputs` are sorted by path. A listing of unknown stamp is not kept.
  Result<InputFile> keep(const std::string& file, const std::string& stamp, const std::string& path,
                         std::vector<InputFile>&& inputs) {
    Result<InputFile> found = find_in(inputs, path);
    if (stamp.empty()) return found;
    for (InputFile& input : inputs) input.source = nullptr;  // it ends with the task's use of it
    const std::lock_guard lock(mutex_);
    file_ = file;
    stamp_ = stamp;
    inputs_ = std::move(inputs);
    return found;
  }

 private:
  static Result<InputFile> find_in(const std::vector<InputFile>& inputs, const std::string& path) {
    const auto at = std::ranges::lower_bound(inputs, path, {}, &InputFile::path);
    if (at == inputs.end() || at->path != path) return failure(ErrorCode::kNotFound, path + ": not an input");
    return *at;
  }

  std::mutex mutex_;  // guards all below
  std::string file_;
  std::string stamp_;
  std::vector<InputFile> inputs_;
};

LastListing& last_listing() {
  static LastListing listing;
  return listing;
}

Result<InputFile> find_part(const std::string& wacz, const std::string& path) {
  const std::string stamp = file_stamp(wacz);
  if (std::optional<Result<InputFile>> found = last_listing().find(wacz, stamp, path, nullptr)) {
    return std::move(*found);
  }
  PARAPRINT_ASSIGN(WaczListing listing, list_wacz(wacz));
  for (InputFile& input : listing.inputs) input.stamp = stamp;
  return last_listing().keep(wacz, stamp, path, std::move(listing.inputs));
}

const std::string& file_of(const DistributedInput& given) {
  return given.file.empty() ? given.path : given.file;
}

// One, or those of a WACZ file. That a file is cut off or damaged is for its reader to say.
Result<std::vector<InputFile>> inputs_of_source(const DistributedInput& given) {
  std::array<char, kZipStartBytes> start{};
  std::size_t got = 0;
  while (got < start.size()) {
    PARAPRINT_ASSIGN(const std::size_t more, given.source->read_at(got, start.data() + got, start.size() - got));
    if (more == 0) break;
    got += more;
  }
  if (is_zip_start({start.data(), got})) {
    PARAPRINT_ASSIGN(WaczListing listing, list_wacz(file_of(given), given.source));
    return std::move(listing.inputs);
  }
  std::vector<InputFile> inputs(1);
  inputs[0].path = file_of(given);
  inputs[0].size_bytes = given.source->size_bytes();
  inputs[0].source = given.source;
  return inputs;
}

Result<InputFile> find_in_source(const DistributedInput& given) {
  const std::string& file = file_of(given);
  if (std::optional<Result<InputFile>> found = last_listing().find(file, given.version, given.path, given.source)) {
    return std::move(*found);
  }
  PARAPRINT_ASSIGN(std::vector<InputFile> inputs, inputs_of_source(given));
  return last_listing().keep(file, given.version, given.path, std::move(inputs));
}

// Expanding a folder can yield several inputs (its archives, and itself for its loose pages), so the one with this very
// path is chosen.
Result<InputFile> find_on_disk(const std::string& path, const ReadOptions& options) {
  const std::string file = file_at_or_above(path);
  if (!file.empty() && file != path && is_zip_file(file).value_or(false)) return find_part(file, path);
  PARAPRINT_ASSIGN(std::vector<InputFile> inputs, expand_inputs({path}, options));
  const auto found = std::ranges::find(inputs, path, &InputFile::path);
  if (found == inputs.end()) return failure(ErrorCode::kNotFound, path + ": not an input");
  return std::move(*found);
}

// A run in one process reads a page with several names once, but a task sees its own input alone.
Status check_shared_pages(const std::vector<InputFile>& inputs, const ReadOptions& options) {
  for (const InputFile& input : inputs) {
    if (input.kind != InputKind::kPageFolder || inputs.size() == 1) continue;
    PARAPRINT_ASSIGN(const InputFile alone, find_on_disk(input.path, options));
    if (alone.pages.size() <= input.pages.size()) continue;
    return failure(ErrorCode::kInvalidArgument,
                   fmt::format("{}: {} of its pages are links to those of other inputs, or in a folder that is given, "
                               "too, and would be read twice; run it in one process, or copy what is linked",
                               input.path, alone.pages.size() - input.pages.size()));
  }
  return {};
}

}  // namespace

// Tasks see one input each, hence index 0; the run's own number of the file travels separately.
Result<InputFile> find_input(const DistributedInput& given, const ReadOptions& options) {
  PARAPRINT_ASSIGN(InputFile found,
                   given.source != nullptr ? find_in_source(given) : find_on_disk(given.path, options));
  found.index = 0;
  return found;
}

}  // namespace distribute::inputs

using namespace distribute::inputs;

// Sorted by expand_inputs() as in a run, so that file numbers agree.
Result<std::vector<std::string>> list_distributed_inputs(const DedupOptions& options) {
  PARAPRINT_ASSIGN(const std::vector<InputFile> inputs, expand_inputs(options.inputs, options.reading));
  PARAPRINT_TRY(check_shared_pages(inputs, options.reading));
  if (options.output.records) PARAPRINT_TRY(check_record_names(inputs));
  std::vector<std::string> paths;
  for (const InputFile& input : inputs) paths.push_back(input.path);
  return paths;
}

Result<std::vector<std::string>> list_distributed_parts(const DistributedInput& file) {
  PARAPRINT_ASSIGN(const std::vector<InputFile> inputs, inputs_of_source(file));
  std::vector<std::string> paths;
  for (const InputFile& input : inputs) paths.push_back(input.path);
  return paths;
}

// A WACZ file is not listed for the size of the whole.
Result<std::string> stamp_distributed_input(const std::string& path) {
  const auto size_of = [](const std::string& file) -> Result<std::uint64_t> {
    std::error_code failed;
    const std::uint64_t size_bytes = fs::file_size(file, failed);
    if (failed) return tl::unexpected<Error>(system_error("examine", file, failed.value()));
    return size_bytes;
  };
  const std::string file = file_at_or_above(path);
  if (!file.empty()) {
    PARAPRINT_ASSIGN(const std::uint64_t size_bytes, size_of(file));
    return fmt::format("{}", size_bytes);
  }
  ReadOptions options;
  options.max_files = std::numeric_limits<std::uint64_t>::max();  // whoever reads the input keeps to the run's limit
  PARAPRINT_ASSIGN(const InputFile input, find_input({path}, options));
  std::uint64_t hash = 0;
  for (const std::string& name : input.pages) {
    PARAPRINT_ASSIGN(const std::uint64_t size_bytes, size_of(fmt::format("{}/{}", path, name)));
    hash = hash64(fmt::format("{:016x} {} {}", hash, size_bytes, name));
  }
  return fmt::format("{} {:016x}", input.pages.size(), hash);
}

}  // namespace paraprint
