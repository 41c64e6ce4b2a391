// Fragments of RocksDB's logs, and the repair of a list of files after a power cut.
#include "memory/database_fragments.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "base/atomic_file.h"
#include "base/propagate.h"
#include "base/system_error.h"

namespace paraprint::inline memory {
namespace {

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

Status truncate_durably(const std::string& path, std::size_t size_bytes) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) return tl::unexpected<Error>(system_error("open", path, errno));
  const bool is_done = ::ftruncate(descriptor, static_cast<off_t>(size_bytes)) == 0 && ::fsync(descriptor) == 0;
  const int error_number = errno;
  ::close(descriptor);
  if (!is_done) return tl::unexpected<Error>(system_error("truncate", path, error_number));
  return {};
}

}  // namespace

std::optional<std::string_view> fragment_at(std::string_view log, std::size_t at) {
  const std::size_t left = std::min(fragment_block_end(at), log.size()) - at;
  if (left < kFragmentHeaderBytes) return std::nullopt;
  const std::size_t length = stated_length(log, at);
  if (length > left - kFragmentHeaderBytes) return std::nullopt;
  if (number_at<std::uint32_t>(log, at) != stored_checksum_of(log.substr(at + 6, length + 1))) return std::nullopt;
  return log.substr(at + kFragmentHeaderBytes, length);
}

std::size_t bytes_without_unfinished_record(std::string_view list) {
  const std::size_t written = list.find_last_not_of('\0') + 1;
  if (written == list.size()) return list.size();  // whatever damage there is, it was written
  std::size_t record = 0;                          // begins where the last whole one ends
  std::size_t at = 0;
  while (at < written) {
    const std::size_t block_end = fragment_block_end(at);
    if (block_end - at < kFragmentHeaderBytes) {
      at = block_end;  // too little for a fragment
      continue;
    }
    const auto fragment = fragment_at(list, at);
    if (!fragment) {
      const bool has_header = at + kFragmentHeaderBytes <= list.size();
      const std::size_t end = at + kFragmentHeaderBytes + (has_header ? stated_length(list, at) : 0);
      return written < std::min(end, block_end) ? record : list.size();  // damage that was written is something else
    }
    const std::uint8_t type = stated_type(list, at);
    at += kFragmentHeaderBytes + fragment->size();
    if (type == kFullFragment || type == kLastFragment) record = at;
  }
  return record < at ? record : list.size();  // the other fragments of the record are zeros
}

Result<bool> cut_unfinished_record(const std::string& folder) {
  constexpr std::string_view kListName = "MANIFEST-";
  Result<std::string> current = read_whole_file(folder + "/CURRENT");
  if (!current && current.error().code == ErrorCode::kNotFound) return false;
  if (!current) return tl::unexpected<Error>(current.error());
  if (current->ends_with('\n')) current->pop_back();
  if (!current->starts_with(kListName) || current->find('/') != std::string::npos) return false;
  const std::string path = fmt::format("{}/{}", folder, *current);
  PARAPRINT_ASSIGN(const std::string list, read_whole_file(path));
  const std::size_t left = bytes_without_unfinished_record(list);
  if (left == list.size()) return false;
  PARAPRINT_TRY(truncate_durably(path, left));
  return true;
}

}  // namespace paraprint::inline memory
