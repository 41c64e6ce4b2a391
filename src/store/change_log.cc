// The format of RocksDB's logs (its doc "Write Ahead Log File Format"): blocks of 32 KiB, filled with fragments. A
// fragment has a checksum, a length and a type; a batch of changes is one full fragment, or a first, any number of
// middle ones and a last one. A batch begins with the number of its first change and their count.
//
// After a damaged fragment, reading goes on where it ends according to its length and, if nothing intact follows there,
// with the next block. It never goes on inside a fragment, whose bytes may come from a stranger's page.
#include "store/change_log.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <optional>
#include <string_view>
#include <vector>

#include "base/atomic_file.h"
#include "base/propagate.h"
#include "base/system_error.h"
#include "memory/mapped_file.h"

namespace paraprint::inline store {
namespace {

constexpr std::size_t kBlockBytes = 32768;
constexpr std::size_t kHeaderBytes = 7;
constexpr std::size_t kBatchHeaderBytes = 12;
enum FragmentType : std::uint8_t { kFull = 1, kFirst = 2, kMiddle = 3, kLast = 4 };

constexpr std::array<std::uint32_t, 256> make_table() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < table.size(); ++byte) {
    std::uint32_t sum = byte;
    for (int bit = 0; bit < 8; ++bit) sum = sum >> 1 ^ ((sum & 1) != 0 ? 0x82F63B78U : 0);  // CRC-32C
    table[byte] = sum;
  }
  return table;
}
constexpr std::array<std::uint32_t, 256> kTable = make_table();

// RocksDB stores checksums of checksums, so it rotates them and adds a constant.
std::uint32_t stored_checksum_of(std::string_view bytes) {
  std::uint32_t sum = ~std::uint32_t{0};
  for (const char byte : bytes) sum = sum >> 8 ^ kTable[(sum ^ static_cast<unsigned char>(byte)) & 255U];
  sum = ~sum;
  return (sum >> 15 | sum << 17) + 0xA282EAD8U;
}

template <class Number>
Number number_at(std::string_view bytes, std::size_t at) {
  Number number = 0;
  for (std::size_t i = sizeof number; i-- > 0;) {
    number = static_cast<Number>(std::uint64_t{number} << 8 | static_cast<unsigned char>(bytes[at + i]));
  }
  return number;
}

// The fragment at this place, without its header, if it is intact.
std::optional<std::string_view> fragment_at(std::string_view log, std::size_t at) {
  const std::size_t left = std::min(kBlockBytes - at % kBlockBytes, log.size() - at);
  if (left < kHeaderBytes) return std::nullopt;
  const std::size_t length = number_at<std::uint16_t>(log, at + 4);
  if (length > left - kHeaderBytes) return std::nullopt;
  if (number_at<std::uint32_t>(log, at) != stored_checksum_of(log.substr(at + 6, length + 1))) return std::nullopt;
  return log.substr(at + kHeaderBytes, length);
}

// Whether the fragments that continue the one that ends here are intact, too.
bool is_continued(std::string_view log, std::size_t at) {
  for (;;) {
    at = (at + kBlockBytes - 1) / kBlockBytes * kBlockBytes;  // a continuation begins a block
    if (at + kHeaderBytes > log.size()) return false;
    const auto type = static_cast<std::uint8_t>(log[at + 6]);
    if (type != kMiddle && type != kLast) return false;
    const auto fragment = fragment_at(log, at);
    if (!fragment) return false;
    if (type == kLast) return true;
    at += kHeaderBytes + fragment->size();
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
  while (at + kHeaderBytes <= log.size()) {
    const std::size_t block_end = (at / kBlockBytes + 1) * kBlockBytes;
    const std::size_t length = number_at<std::uint16_t>(log, at + 4);
    const auto type = static_cast<std::uint8_t>(log[at + 6]);
    if (at + kHeaderBytes + length > block_end || (type == 0 && length == 0)) {
      at = block_end;  // the end of the block is unused, or damaged
      continue;
    }
    const std::size_t end = at + kHeaderBytes + length;
    const auto fragment = fragment_at(log, at);
    const bool is_batch = fragment && (type == kFull || (type == kFirst && is_continued(log, end)));
    if (is_batch) last = std::max(last, last_change_of_batch(*fragment));
    at = block_end - end < kHeaderBytes ? block_end : end;
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
