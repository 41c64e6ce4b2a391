// Decides by names which inputs are for the Python package. Nothing is opened: a table that is broken, or missing, is
// reported by what reads it.
#include "paraprint/table_inputs.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>

#include "archive/archive_format.h"
#include "archive/input_files.h"
#include "http/header_block.h"

namespace paraprint {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 6> kTableEndings = {".parquet", ".pq", ".arrow", ".feather", ".ipc", ".arrows"};
constexpr std::array<std::string_view, 2> kTextTableEndings = {".csv", ".tsv"};

bool is_table_name(std::string_view path) {
  const std::string lower = to_lower(path);
  const auto ends_with = [](std::string_view name) {
    return [name](std::string_view ending) { return name.ends_with(ending); };
  };
  if (std::any_of(kTableEndings.begin(), kTableEndings.end(), ends_with(lower))) return true;
  return std::any_of(kCompressionEndings.begin(), kCompressionEndings.end(), [&](std::string_view compression) {
    if (!lower.ends_with(compression)) return false;
    const std::string_view stem = std::string_view(lower).substr(0, lower.size() - compression.size());
    return std::any_of(kTextTableEndings.begin(), kTextTableEndings.end(), ends_with(stem));
  });
}

}  // namespace

// RFC 3986: a letter, then letters, digits, '+', '-' and '.'.
bool is_remote(std::string_view path) {
  const std::size_t end = path.find("://");
  if (end == std::string_view::npos || end < 2) return false;
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  return is_letter(path.front()) &&
         std::all_of(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(end), [&](char c) {
           return is_letter(c) || (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
         });
}

bool is_table(const std::string& path) {
  std::error_code error;
  if (is_remote(path) || !fs::is_directory(path, error)) return is_table_name(path);
  bool has_tables = false;
  fs::recursive_directory_iterator at(path, error);
  while (!error && at != fs::recursive_directory_iterator()) {
    const std::string name = at->path().filename().string();
    if (std::error_code ignored; !at->is_directory(ignored)) {
      if (is_searched_name(name)) return false;
      has_tables = has_tables || is_table_name(name);
    }
    at.increment(error);
  }
  return has_tables && !error;
}

}  // namespace paraprint
