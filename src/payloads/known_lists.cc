// The index of an output folder is the one that `--cdx` writes into it, or that `paraprint cdx` wrote there later.
#include "payloads/known_lists.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "base/atomic_file.h"
#include "base/propagate.h"
#include "cdx/index_archives.h"

namespace paraprint::inline payloads {
namespace {

namespace fs = std::filesystem;

// Where the archives of a run are below its output folder: of `dedup` and `payloads`, and of `crawl`.
constexpr std::string_view kArchiveFolders[] = {"records", "warc"};

// Compares path components; `outer` may end with a slash, which appears as a last, empty component.
bool is_inside(const std::string& inner, const std::string& outer) {
  const fs::path inner_path = canonical_path(inner);
  const fs::path outer_path = canonical_path(outer + "/.");
  const fs::path folder = outer_path.filename().empty() ? outer_path.parent_path() : outer_path;
  return std::mismatch(folder.begin(), folder.end(), inner_path.begin(), inner_path.end()).first == folder.end();
}

// What to do about a folder without a list.
Result<std::string> advice_for(const std::string& folder) {
  PARAPRINT_ASSIGN(const bool has_format, path_exists(folder + "/format"));
  PARAPRINT_ASSIGN(const bool has_database, path_exists(folder + "/database"));
  if (has_format && has_database) {
    return "it is an index of pages, which does not store the digests of their payloads. Name the index of the "
           "archives that the pages are from; `paraprint cdx` writes it";
  }
  for (const std::string_view name : kArchiveFolders) {
    const std::string archives = fmt::format("{}/{}", folder, name);
    PARAPRINT_ASSIGN(const bool is_there, path_exists(archives));
    if (is_there) {
      return fmt::format("write it with: paraprint cdx {0} --root {0} --out {1}/index.cdxj", archives, folder);
    }
  }
  return "it is not an output folder of paraprint. Name the index of its archives; `paraprint cdx` writes it";
}

Result<std::string> find_known_list(const std::string& named) {
  std::error_code ignored;
  if (!fs::is_directory(named, ignored)) return named;
  const std::string folder = named.size() > 1 && named.ends_with('/') ? named.substr(0, named.size() - 1) : named;
  for (const CdxForm form : {CdxForm::kCdxj, CdxForm::kCdx11}) {
    std::string path = fmt::format("{}/{}", folder, index_file_name(form));
    PARAPRINT_ASSIGN(const bool is_there, path_exists(path));
    if (is_there) return path;
  }
  PARAPRINT_ASSIGN(const std::string advice, advice_for(folder));
  return failure(ErrorCode::kInvalidArgument,
                 fmt::format("{}: the folder has no index.cdxj or index.cdx; {}", folder, advice));
}

}  // namespace

Result<std::vector<std::string>> find_known_lists(const std::vector<std::string>& named, const std::string& out) {
  std::vector<std::string> paths;
  for (const std::string& name : named) {
    PARAPRINT_ASSIGN(std::string path, find_known_list(name));
    if (is_inside(path, out)) {
      return failure(
          ErrorCode::kInvalidArgument,
          fmt::format("{}: is inside the output folder {}, whose records would be replaced; choose another --out", name,
                      out));
    }
    paths.push_back(std::move(path));
  }
  return paths;
}

}  // namespace paraprint::inline payloads
