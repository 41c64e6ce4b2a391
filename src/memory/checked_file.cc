// The version is checked before the checksum: a later format may place the checksum elsewhere, and "unsupported" is
// then the right answer.
#include "memory/checked_file.h"

#include <fmt/format.h>

#include <fstream>
#include <span>

#include "base/atomic_file.h"
#include "base/byte_codec.h"
#include "base/hash.h"
#include "base/propagate.h"

namespace paraprint::inline memory {
namespace {

constexpr std::size_t kSumBytes = 8;

// Encoded and read in pieces of this size, which bounds memory outside the budget.
constexpr std::size_t kPieceBytes = 1 << 18;

// Appends the whole file.
Status read_file(const std::string& path, SpillArray<char>& all) {
  PARAPRINT_ASSIGN(const bool exists, path_exists(path));
  if (!exists) return failure(ErrorCode::kNotFound, fmt::format("{} does not exist", path));
  std::ifstream file(path, std::ios::binary);
  std::string piece(kPieceBytes, '\0');
  while (file) {
    file.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    const auto read = static_cast<std::size_t>(file.gcount());
    PARAPRINT_TRY(all.append(std::span<const char>(piece).first(read)));
  }
  if (!file.is_open() || file.bad()) return failure(ErrorCode::kInputOutput, fmt::format("cannot read {}", path));
  return {};
}

}  // namespace

CheckedFile::CheckedFile(std::string_view magic, std::uint32_t version, MemoryBudget* budget)
    : all_(budget), piece_(magic) {
  ByteWriter(piece_).fixed(version);
}

Status CheckedFile::next() {
  if (piece_.size() < kPieceBytes) return {};
  PARAPRINT_TRY(all_.append(piece_));
  piece_.clear();
  return {};
}

Status CheckedFile::commit(const std::string& path) {
  PARAPRINT_TRY(all_.append(piece_));
  piece_.clear();
  ByteWriter(piece_).fixed(hash64({all_.data(), all_.size()}));
  PARAPRINT_TRY(all_.append(piece_));
  return write_file_atomically(path, {all_.data(), all_.size()});
}

Result<CheckedBytes> CheckedBytes::read(const std::string& path, std::string_view magic, std::uint32_t version,
                                        MemoryBudget* budget) {
  CheckedBytes file(budget);
  PARAPRINT_TRY(read_file(path, file.all_));
  const auto damaged = [&] { return failure(ErrorCode::kCorruptData, fmt::format("{} is damaged", path)); };
  std::string_view bytes(file.all_.data(), file.all_.size());
  if (!bytes.starts_with(magic) || bytes.size() < magic.size() + kSumBytes) return damaged();
  ByteReader sum(bytes.substr(bytes.size() - kSumBytes));
  bytes.remove_suffix(kSumBytes);
  ByteReader reader(bytes.substr(magic.size()));
  const auto stored_version = reader.fixed<std::uint32_t>();
  if (reader.ok() && stored_version != version) {
    return failure(ErrorCode::kUnsupported,
                   fmt::format("{}: format {}; this build reads format {}", path, stored_version, version));
  }
  if (!reader.ok() || sum.fixed<std::uint64_t>() != hash64(bytes)) return damaged();
  file.head_bytes_ = magic.size() + sizeof version;
  return file;
}

std::string_view CheckedBytes::content() const {
  return {all_.data() + head_bytes_, all_.size() - head_bytes_ - kSumBytes};
}

}  // namespace paraprint::inline memory
