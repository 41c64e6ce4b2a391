// "current" has three lines with a number each: snapshot, Unix time and change. A process that was killed may leave
// snapshots that are not named there, and half-removed ones; both are removed when the next one is published.
#include "online/published_snapshots.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <string_view>
#include <vector>

#include "base/atomic_file.h"
#include "base/propagate.h"
#include "online/folder_lock.h"
#include "online/index_copy.h"

namespace paraprint::inline online {
namespace {

std::string snapshots_path(const std::string& index_folder) {
  return index_folder + "/snapshots";
}

std::string current_path(const std::string& index_folder) {
  return snapshots_path(index_folder) + "/current";
}

bool read_number(std::string_view text, std::uint64_t& number) {
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  return read.ec == std::errc() && read.ptr == text.data() + text.size();
}

bool read_line(std::string_view& rest, std::uint64_t& number) {
  const std::size_t end = rest.find('\n');
  if (end == std::string_view::npos) return false;
  const bool is_number = read_number(rest.substr(0, end), number);
  rest.remove_prefix(end + 1);
  return is_number;
}

// The numbers of all snapshots, ascending: also of unfinished copies, which end in ".partial".
Result<std::vector<std::uint64_t>> snapshot_numbers(const std::string& index_folder) {
  std::vector<std::uint64_t> numbers;
  PARAPRINT_ASSIGN(const std::vector<std::string> names, names_in_folder(snapshots_path(index_folder)));
  for (const std::string& name : names) {
    std::uint64_t number = 0;
    if (read_number(std::string_view(name).substr(0, name.find('.')), number)) numbers.push_back(number);
  }
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

// A link could lead to a folder of somebody else, where snapshots would be made and removed.
Status check_is_no_link(const std::string& path) {
  std::error_code failed;
  if (!std::filesystem::is_symlink(std::filesystem::symlink_status(path, failed))) return {};
  return failure(ErrorCode::kInvalidArgument,
                 fmt::format("{} is a link; the snapshots of an index are kept in a folder of its own", path));
}

// Somebody's folder that has a number for a name stays. The lock is held until the folder is gone, so that no reader
// opens what is being removed.
void remove_if_unused(const std::string& folder) {
  std::error_code failed;
  const std::string partial = partial_path(folder);
  if (check_is_copy(partial)) std::filesystem::remove_all(partial, failed);
  if (!check_is_copy(folder)) return;
  const Result<std::optional<FolderLock>> lock = FolderLock::for_removal(folder);
  if (lock && lock->has_value()) std::filesystem::remove_all(folder, failed);
}

}  // namespace

Result<std::optional<PublishedSnapshot>> read_published_snapshot(const std::string& index_folder) {
  const std::string path = current_path(index_folder);
  const Result<std::string> text = read_whole_file(path);
  if (!text && text.error().code == ErrorCode::kNotFound) return std::optional<PublishedSnapshot>();
  if (!text) return tl::unexpected<Error>(text.error());
  PublishedSnapshot snapshot;
  std::string_view rest = *text;
  const bool is_read =
      read_line(rest, snapshot.number) && read_line(rest, snapshot.taken_seconds) && read_line(rest, snapshot.change);
  if (is_read && rest.empty() && snapshot.number > 0) return std::optional(snapshot);
  return failure(ErrorCode::kCorruptData,
                 fmt::format("{} is damaged; publish a snapshot again ('paraprint index snapshot')", path));
}

// The zeros only make listings sort in order.
std::string snapshot_path(const std::string& index_folder, std::uint64_t number) {
  return fmt::format("{}/{:08}", snapshots_path(index_folder), number);
}

// The number in "current" counts as used even if its folder is gone: a reader that has it open would not notice another
// snapshot of the same number.
Result<std::uint64_t> next_snapshot_number(const std::string& index_folder) {
  PARAPRINT_TRY(check_is_no_link(snapshots_path(index_folder)));
  PARAPRINT_TRY(create_folders(snapshots_path(index_folder)));
  PARAPRINT_ASSIGN(const std::vector<std::uint64_t> numbers, snapshot_numbers(index_folder));
  const Result<std::optional<PublishedSnapshot>> current = read_published_snapshot(index_folder);
  if (!current && current.error().code != ErrorCode::kCorruptData) return tl::unexpected<Error>(current.error());
  const std::uint64_t published = current && current->has_value() ? (**current).number : 0;
  return std::max(published, numbers.empty() ? 0 : numbers.back()) + 1;
}

Status publish_snapshot(const std::string& index_folder, const PublishedSnapshot& snapshot) {
  const Result<std::optional<PublishedSnapshot>> before = read_published_snapshot(index_folder);
  PARAPRINT_TRY(
      write_file_atomically(current_path(index_folder),
                            fmt::format("{}\n{}\n{}\n", snapshot.number, snapshot.taken_seconds, snapshot.change)));
  const std::uint64_t kept = before && before->has_value() ? (**before).number : snapshot.number;
  const Result<std::vector<std::uint64_t>> numbers = snapshot_numbers(index_folder);
  for (const std::uint64_t number : numbers.value_or(std::vector<std::uint64_t>())) {
    if (number != snapshot.number && number != kept) remove_if_unused(snapshot_path(index_folder, number));
  }
  return {};
}

}  // namespace paraprint::inline online
