// Input expansion. The order of inputs determines file indexes and thereby the output of a run, so it must depend
// neither on the order of arguments nor on the order of directory entries: everything is sorted bytewise, and of the
// names of one file (device and inode) the first in that order is kept.
#include "archive/input_files.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "archive/archive_format.h"
#include "archive/wacz_input.h"
#include "base/file_stamp.h"
#include "base/hash.h"
#include "base/propagate.h"
#include "base/system_error.h"
#include "http/header_block.h"

namespace paraprint::inline archive {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 5> kPageEndings = {".html", ".htm", ".xhtml", ".shtml", ".mhtml.html"};
// In folders without archives: next to those, XML files describe the archives.
constexpr std::string_view kXmlEnding = ".xml";
// The file that is in each work folder of a Python run (python/src/paraprint/work_folder.py).
constexpr std::string_view kWorkFolderMark = ".paraprint-work";

bool is_page_name(std::string_view path) {
  const std::string lower = to_lower(path);
  return std::any_of(kPageEndings.begin(), kPageEndings.end(),
                     [&](std::string_view ending) { return lower.ends_with(ending); });
}

// Whether the path is that of a list of pages in an unpacked WACZ file, a folder "NAME.wacz". By its name it would be
// an archive of JSON lines.
bool is_page_list(std::string_view path) {
  return to_lower(path).find(std::string(kWaczEnding) + "/pages/") != std::string::npos;
}

// An archive's ending may be followed by that of a compression, in any case: "CRAWL.WARC.GZ".
bool is_archive_name(std::string_view path) {
  const std::string lower = to_lower(path);
  if (lower.ends_with(kWaczEnding)) return true;
  for (const std::string_view compression : kCompressionEndings) {
    if (!lower.ends_with(compression)) continue;
    const std::string_view stem = std::string_view(lower).substr(0, lower.size() - compression.size());
    for (const ArchiveFormatRow* row : kArchiveFormats) {
      for (const std::string_view ending : row->names) {
        if (stem.ends_with(ending)) return true;
      }
    }
  }
  return false;
}

// What tells the pages of a folder from others, with one more of them. The inode number has no part in it: a work
// folder is still that of its input if both were copied.
std::string stamp_with(std::string_view stamp, std::string_view name, const struct stat& facts) {
  return fmt::format("{:016x}", hash64(fmt::format("{} {} {}.{:09} {}", stamp, facts.st_size, facts.st_mtim.tv_sec,
                                                   facts.st_mtim.tv_nsec, name)));
}

// Empty if one of the pages is gone.
std::string folder_stamp(const InputFile& folder) {
  std::string stamp;
  for (const std::string& name : folder.pages) {
    struct stat facts {};
    if (::stat(fmt::format("{}/{}", folder.path, name).c_str(), &facts) != 0) return {};
    stamp = stamp_with(stamp, name, facts);
  }
  return stamp;
}

// Collects inputs without duplicates. Files are identified by device and inode, so a file reached through several names
// or links is read once.
class Collector {
 public:
  explicit Collector(const ReadOptions& options) : options_(options) {}

  Status add(const std::string& path) {
    struct stat status;
    if (::stat(path.c_str(), &status) != 0) {
      const int error_number = errno;
      if (error_number == ENOTDIR) {
        if (const std::string wacz = file_above(path); !wacz.empty()) return add_wacz_part(wacz, path);
      }
      return tl::unexpected<Error>(system_error("open", path, error_number));
    }
    if (S_ISDIR(status.st_mode)) return add_folder(path);
    return add_file(path, status);
  }
  std::vector<InputFile> take() { return std::move(inputs_); }

 private:
  Status add_file(const std::string& path, const struct stat& status) {
    if (!seen_.emplace(status.st_dev, status.st_ino).second) return {};
    // Regular files only: opening and closing a pipe here would break it for its writer. Opening every file up front
    // reports an unreadable one before hours of work, not in the middle.
    if (S_ISREG(status.st_mode)) {
      PARAPRINT_ASSIGN(const bool is_zip, is_zip_file(path));
      if (is_zip) return add_wacz(path, status);
    }
    InputFile input;
    input.path = path;
    input.size_bytes = static_cast<std::uint64_t>(status.st_size);
    input.stamp = file_stamp(status);
    inputs_.push_back(std::move(input));
    return {};
  }

  Status add_folder(const std::string& path) {
    std::vector<std::string> names;
    PARAPRINT_TRY(list_files(path, names));
    std::sort(names.begin(), names.end());
    InputFile pages;
    pages.kind = InputKind::kPageFolder;
    pages.path = path;
    bool is_empty = true;
    const bool has_archives = std::any_of(names.begin(), names.end(), is_archive_name);
    for (std::string& name : names) {
      std::string full = path;
      if (!full.ends_with('/')) full += '/';
      full += name;
      if (is_page_list(full)) continue;
      const bool is_archive = is_archive_name(name);
      const bool is_xml = !has_archives && to_lower(name).ends_with(kXmlEnding);
      if (!is_archive && !is_xml && !is_page_name(name)) continue;
      struct stat status;
      if (::stat(full.c_str(), &status) != 0) return tl::unexpected<Error>(system_error("open", full, errno));
      // Opening a pipe or socket that happens to be in the folder could block the run.
      if (!S_ISREG(status.st_mode)) continue;
      is_empty = false;
      if (is_archive) {
        PARAPRINT_TRY(add_file(full, status));
      } else if (seen_.emplace(status.st_dev, status.st_ino).second) {
        pages.size_bytes += static_cast<std::uint64_t>(status.st_size);
        pages.stamp = stamp_with(pages.stamp, name, status);
        pages.pages.push_back(std::move(name));
      }
    }
    if (is_empty) {
      return failure(ErrorCode::kInvalidArgument,
                     path + " contains no archives, JSON lines, HTML or XML files (recognised by name)");
    }
    if (!pages.pages.empty()) inputs_.push_back(std::move(pages));
    return {};
  }

  // All files below `folder`, as relative paths. Links to folders are not followed, because they can form cycles, and
  // work folders of Python runs, which hold copies of inputs, are left out.
  Status list_files(const std::string& folder, std::vector<std::string>& names) {
    std::error_code error;
    fs::recursive_directory_iterator at(folder, error);
    if (error) return tl::unexpected<Error>(system_error("search the folder", folder, error.value()));
    while (at != fs::recursive_directory_iterator()) {
      const fs::directory_entry entry = *at;
      std::error_code ignored;
      if (entry.is_directory(ignored)) {
        if (fs::exists(entry.path() / kWorkFolderMark, ignored)) at.disable_recursion_pending();
      } else {
        names.push_back(entry.path().lexically_relative(folder).string());
        if (names.size() > options_.max_files) {
          return failure(ErrorCode::kLimitExceeded,
                         fmt::format("{} contains more than {} files (max_files)", folder, options_.max_files));
        }
      }
      at.increment(error);
      if (error) return tl::unexpected<Error>(system_error("search the folder", entry.path().string(), error.value()));
    }
    return {};
  }

  Status add_wacz(const std::string& path, const struct stat& status) {
    Result<WaczListing> listing = list_wacz(path);
    if (!listing && listing.error().code == ErrorCode::kInputOutput) {
      // Reading it as an input fails again, which ends that input and not the run.
      InputFile& unreadable = inputs_.emplace_back();
      unreadable.kind = InputKind::kWacz;
      unreadable.path = path;
      return {};
    }
    PARAPRINT_TRY(listing);
    for (InputFile& input : listing->inputs) {
      input.stamp = file_stamp(status);
      const std::string name = input.path.substr(path.size());
      if (seen_parts_.emplace(status.st_dev, status.st_ino, name).second) inputs_.push_back(std::move(input));
    }
    return {};
  }

  // "a.wacz/archive/b.warc.gz": that WARC file alone, without the WACZ file's own defects.
  Status add_wacz_part(const std::string& wacz, const std::string& path) {
    struct stat status;
    if (::stat(wacz.c_str(), &status) != 0) return tl::unexpected<Error>(system_error("open", wacz, errno));
    PARAPRINT_ASSIGN(WaczListing listing, list_wacz(wacz));
    for (InputFile& input : listing.inputs) {
      if (input.path != path) continue;
      input.stamp = file_stamp(status);
      const bool is_new = seen_parts_.emplace(status.st_dev, status.st_ino, path.substr(wacz.size())).second;
      if (is_new) inputs_.push_back(std::move(input));
      return {};
    }
    return failure(ErrorCode::kNotFound,
                   fmt::format("{} contains no WARC file '{}'", wacz, path.substr(wacz.size() + 1)));
  }

  // The ZIP file that takes the place of a folder in `path`; empty if there is none.
  static std::string file_above(const std::string& path) {
    for (std::size_t at = path.rfind('/'); at != std::string::npos && at > 0; at = path.rfind('/', at - 1)) {
      const std::string above = path.substr(0, at);
      struct stat status;
      if (::stat(above.c_str(), &status) != 0) continue;
      return S_ISREG(status.st_mode) && is_zip_file(above).value_or(false) ? above : std::string();
    }
    return {};
  }

  const ReadOptions& options_;
  std::vector<InputFile> inputs_;
  std::set<std::pair<dev_t, ino_t>> seen_;
  std::set<std::tuple<dev_t, ino_t, std::string>> seen_parts_;  // of WACZ files
};

}  // namespace

Result<std::vector<InputFile>> expand_inputs(const std::vector<std::string>& paths, const ReadOptions& options) {
  if (paths.empty())
    return failure(ErrorCode::kInvalidArgument, "no input: pass files or folders, or - for standard input");
  if (std::find(paths.begin(), paths.end(), "-") != paths.end()) {
    if (paths.size() > 1) {
      return failure(ErrorCode::kInvalidArgument, "standard input (-) cannot be read together with files");
    }
    InputFile input;
    input.kind = InputKind::kStandardInput;
    input.path = "-";
    input.is_nameless = true;
    return std::vector<InputFile>{std::move(input)};
  }
  // Sorted, so that the name kept for a repeated file does not depend on the caller's order.
  std::vector<std::string> sorted = paths;
  std::sort(sorted.begin(), sorted.end());
  Collector collector(options);
  for (const std::string& path : sorted) {
    if (Status status = collector.add(path); !status) return pass_on(status.error());
  }
  std::vector<InputFile> inputs = collector.take();
  std::sort(inputs.begin(), inputs.end(), [](const InputFile& a, const InputFile& b) { return a.path < b.path; });
  for (std::size_t i = 0; i < inputs.size(); ++i) inputs[i].index = static_cast<std::uint32_t>(i);
  return inputs;
}

Status check_unchanged(const InputFile& input) {
  if (input.stamp.empty()) return {};
  const bool is_folder = input.kind == InputKind::kPageFolder;
  if ((is_folder ? folder_stamp(input) : file_stamp(input.stored_path())) == input.stamp) return {};
  return failure(
      ErrorCode::kCorruptData,
      fmt::format("{} has changed since the run began; repeat the run (`paraprint dedup` with --restart) when nothing "
                  "writes there any more",
                  input.path));
}

bool is_searched_name(std::string_view name) {
  return is_archive_name(name) || is_page_name(name);
}

}  // namespace paraprint::inline archive
