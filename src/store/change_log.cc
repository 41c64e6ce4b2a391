// A record of RocksDB's logs is a batch of changes, which begins with the number of its first change and their count.
//
// After a damaged fragment, reading goes on where it ends according to its length and, if nothing intact follows there,
// with the next block. It never goes on inside a fragment, whose bytes may come from a stranger's page.
#include "store/change_log.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <string_view>
#include <vector>

#include "base/atomic_file.h"
#include "base/propagate.h"
#include "base/system_error.h"
#include "memory/database_fragments.h"
#include "memory/mapped_file.h"

namespace paraprint::inline store {
namespace {

constexpr std::size_t kBatchHeaderBytes = 12;

// Whether the fragments that continue the one that ends here are intact, too.
bool is_continued(std::string_view log, std::size_t at) {
  for (;;) {
    at = (at + kFragmentBlockBytes - 1) / kFragmentBlockBytes * kFragmentBlockBytes;  // a continuation begins a block
    if (at + kFragmentHeaderBytes > log.size()) return false;
    const std::uint8_t type = stated_type(log, at);
    if (type != kMiddleFragment && type != kLastFragment) return false;
    const auto fragment = fragment_at(log, at);
    if (!fragment) return false;
    if (type == kLastFragment) return true;
    at += kFragmentHeaderBytes + fragment->size();
  }
}

// The number of the last change in a batch whose first fragment, without header, this is.
std::uint64_t last_change_of_batch(std::string_view fragment) {
  if (fragment.size() < kBatchHeaderBytes) return 0;
  const auto first = number_at<std::uint64_t>(fragment, 0);
  const auto count = number_at<std::uint32_t>(fragment, 8);
  return count == 0 ? 0 : first + count - 1;  // an empty batch says where RocksDB stopped reading older logs
}

std::uint64_t last_intact_change_of_log(std::string_view log) {
  std::uint64_t last = 0;
  std::size_t at = 0;
  while (at + kFragmentHeaderBytes <= log.size()) {
    const std::size_t block_end = fragment_block_end(at);
    const std::size_t length = stated_length(log, at);
    const std::uint8_t type = stated_type(log, at);
    if (at + kFragmentHeaderBytes + length > block_end || (type == 0 && length == 0)) {
      at = block_end;  // the end of the block is unused, or damaged
      continue;
    }
    const std::size_t end = at + kFragmentHeaderBytes + length;
    const auto fragment = fragment_at(log, at);
    const bool is_batch = fragment && (type == kFullFragment || (type == kFirstFragment && is_continued(log, end)));
    if (is_batch) last = std::max(last, last_change_of_batch(*fragment));
    at = block_end - end < kFragmentHeaderBytes ? block_end : end;
  }
  return last;
}

// None if there is no folder yet.
Result<std::vector<std::string>> logs_in(const std::string& folder) {
  std::vector<std::string> logs;
  Result<std::vector<std::string>> names = names_in_folder(folder);
  if (!names && names.error().code != ErrorCode::kNotFound) return names;
  for (const std::string& name : names.value_or(std::vector<std::string>())) {
    if (name.ends_with(".log")) logs.push_back(fmt::format("{}/{}", folder, name));
  }
  return logs;
}

}  // namespace

Status sync_change_logs(const std::string& folder) {
  PARAPRINT_ASSIGN(const std::vector<std::string> logs, logs_in(folder));
  for (const std::string& log : logs) {
    const int descriptor = ::open(log.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return tl::unexpected<Error>(system_error("open", log, errno));
    const int failed = ::fsync(descriptor);
    const int error_number = errno;
    ::close(descriptor);
    if (failed != 0) return tl::unexpected<Error>(system_error("sync", log, error_number));
  }
  return {};
}

Result<std::uint64_t> last_intact_change(const std::string& folder) {
  std::uint64_t last = 0;
  PARAPRINT_ASSIGN(const std::vector<std::string> logs, logs_in(folder));
  for (const std::string& path : logs) {
    PARAPRINT_ASSIGN(const MappedFile file, MappedFile::open(path));
    last = std::max(last, last_intact_change_of_log(file.bytes()));
  }
  return last;
}

}  // namespace paraprint::inline store
