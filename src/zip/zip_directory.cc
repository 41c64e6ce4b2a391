// minizip reads through the functions below. It asks for single bytes, so they keep a small buffer.
//
// The minizip of Debian 12 overlooks the 64-bit sizes and offsets of members on 64-bit systems: it compares fields of
// 32 bits with the largest number of 64. Members that have them are completed here
// (APPNOTE.TXT 6.3, 4.3.7, 4.3.12, 4.5.3).
#include "zip/zip_directory.h"

#include <fmt/format.h>
#include <minizip/unzip.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>
#include <utility>

#include "base/propagate.h"
#include "base/stop.h"
#include "zip/zip_file_bytes.h"

namespace paraprint::inline zip {
namespace {

// Small, because the headers in front of members are far from each other.
constexpr std::size_t kBufferBytes = 4096;

constexpr uLong kEncryptedFlags = 0x1 | 0x40 | 0x2000;  // encrypted, strongly, or in the directory
constexpr uLong kStoredMethod = 0;
constexpr uLong kDeflatedMethod = 8;

constexpr std::uint64_t kIn64Bits = 0xffffffff;  // a field of 32 bits: the extra field has the number
constexpr std::uint64_t kEntryBytes = 46;        // of a member in the directory, without its name
constexpr std::uint64_t kHeaderBytes = 30;       // in front of a member, without its name
constexpr std::uint64_t kZip64Field = 1;         // the identifier in the extra field

// A file as minizip reads it. The first error is kept: minizip only knows that reading failed.
struct BufferedFile {
  std::unique_ptr<ZipFileBytes> bytes;
  std::uint64_t size_bytes = 0;
  std::uint64_t position_bytes = 0;
  std::uint64_t buffer_begin_bytes = 0;
  std::size_t buffered_bytes = 0;
  std::optional<Error> error;
  bool is_read_behind_end = false;  // by minizip, since it was last set to false
  std::array<char, kBufferBytes> buffer{};

  bool holds_position() const {
    return position_bytes >= buffer_begin_bytes && position_bytes < buffer_begin_bytes + buffered_bytes;
  }

  bool fill() {
    const Result<std::size_t> got = bytes->read_at(position_bytes, buffer.data(), buffer.size());
    if (!got && !error) error = got.error();
    buffer_begin_bytes = position_bytes;
    buffered_bytes = got.value_or(0);
    return buffered_bytes > 0;
  }

  std::size_t read(char* target, std::size_t wanted) {
    std::size_t done = 0;
    while (done < wanted && !error && position_bytes < size_bytes && (holds_position() || fill())) {
      const std::size_t at = static_cast<std::size_t>(position_bytes - buffer_begin_bytes);
      const std::size_t step = std::min(wanted - done, buffered_bytes - at);
      std::memcpy(target + done, buffer.data() + at, step);
      done += step;
      position_bytes += step;
    }
    return done;
  }

  // Positions come from the file and may be anything; behind the end there is nothing to read.
  bool seek(std::uint64_t offset_bytes, int origin) {
    std::uint64_t base = 0;
    if (origin == ZLIB_FILEFUNC_SEEK_CUR) base = position_bytes;
    if (origin == ZLIB_FILEFUNC_SEEK_END) base = size_bytes;
    if (offset_bytes > size_bytes || base > size_bytes - offset_bytes) return false;
    position_bytes = base + offset_bytes;
    return true;
  }
};

// A number of `size` bytes, the lowest first.
std::uint64_t number_at(std::string_view bytes, std::size_t at, std::size_t size) {
  std::uint64_t number = 0;
  for (std::size_t i = size; i-- > 0;) number = number << 8 | static_cast<unsigned char>(bytes[at + i]);
  return number;
}

// Empty if the file ends before.
std::string bytes_at(BufferedFile& file, std::uint64_t offset_bytes, std::uint64_t size) {
  std::string bytes(static_cast<std::size_t>(size), '\0');
  const bool is_there =
      file.seek(offset_bytes, ZLIB_FILEFUNC_SEEK_SET) && file.read(bytes.data(), bytes.size()) == size;
  return is_there ? bytes : std::string();
}

// The field of the extra field that has numbers of 64 bits; empty if there is none.
std::string_view zip64_field(std::string_view extra) {
  constexpr std::size_t kFieldHeadBytes = 4;
  while (extra.size() >= kFieldHeadBytes) {
    const std::uint64_t size = number_at(extra, 2, 2);
    const std::string_view field = extra.substr(kFieldHeadBytes, static_cast<std::size_t>(size));
    if (field.size() < size) return {};
    if (number_at(extra, 0, 2) == kZip64Field) return field;
    extra.remove_prefix(kFieldHeadBytes + field.size());
  }
  return {};
}

// What the directory says about a member.
struct DirectoryEntry {
  ZipPlace place;
  std::uint64_t header_offset_bytes = 0;  // of the header in front of the content
  std::uint64_t method = 0;
  std::uint64_t name_bytes = 0;
  bool is_zip64 = false;
};

// Of the member whose entry begins at this offset; nullopt if none does, or not all of its numbers are there.
std::optional<DirectoryEntry> read_entry(BufferedFile& file, std::uint64_t offset_bytes) {
  const std::string head = bytes_at(file, offset_bytes, kEntryBytes);
  if (!head.starts_with("PK\x01\x02")) return std::nullopt;
  DirectoryEntry entry;
  entry.method = number_at(head, 10, 2);
  entry.name_bytes = number_at(head, 28, 2);
  entry.place.stored_bytes = number_at(head, 20, 4);
  entry.place.content_bytes = number_at(head, 24, 4);
  entry.header_offset_bytes = number_at(head, 42, 4);
  const std::string extra = bytes_at(file, offset_bytes + kEntryBytes + entry.name_bytes, number_at(head, 30, 2));
  std::string_view field = zip64_field(extra);
  // In this order, and only those that do not fit.
  for (std::uint64_t* number : {&entry.place.content_bytes, &entry.place.stored_bytes, &entry.header_offset_bytes}) {
    if (*number != kIn64Bits) continue;
    if (field.size() < sizeof(std::uint64_t)) return std::nullopt;
    *number = number_at(field, 0, sizeof(std::uint64_t));
    field.remove_prefix(sizeof(std::uint64_t));
    entry.is_zip64 = true;
  }
  return entry;
}

// Where the content begins; nullopt if the header in front of it is not that of the entry.
std::optional<std::uint64_t> content_offset(BufferedFile& file, const DirectoryEntry& entry) {
  const std::string head = bytes_at(file, entry.header_offset_bytes, kHeaderBytes);
  if (!head.starts_with("PK\x03\x04")) return std::nullopt;
  if (number_at(head, 8, 2) != entry.method || number_at(head, 26, 2) != entry.name_bytes) return std::nullopt;
  return entry.header_offset_bytes + kHeaderBytes + entry.name_bytes + number_at(head, 28, 2);
}

BufferedFile& file_of(voidpf opaque) {
  return *static_cast<BufferedFile*>(opaque);
}

voidpf open_callback(voidpf opaque, const void*, int) {
  return opaque;
}

// Where the file ends in the middle of an extra field, minizip would read the rest of it in fields of no bytes, 16,384
// of them for each look at the member. So there are bytes behind the end, those of a field that is long enough, and
// whoever calls minizip has to ask whether it has read them.
uLong read_callback(voidpf opaque, voidpf, void* target, uLong size) {
  BufferedFile& file = file_of(opaque);
  const std::size_t done = file.read(static_cast<char*>(target), size);
  if (done == size || file.error) return done;
  file.is_read_behind_end = true;
  std::memset(static_cast<char*>(target) + done, 0xFF, size - done);
  return size;
}

uLong write_callback(voidpf, voidpf, const void*, uLong) {
  return 0;
}

ZPOS64_T tell_callback(voidpf opaque, voidpf) {
  return file_of(opaque).position_bytes;
}

long seek_callback(voidpf opaque, voidpf, ZPOS64_T offset, int origin) {
  return file_of(opaque).seek(offset, origin) ? 0 : -1;
}

int close_callback(voidpf, voidpf) {
  return 0;
}

int error_callback(voidpf opaque, voidpf) {
  return file_of(opaque).error ? 1 : 0;
}

// Whether the member can be read, from the directory alone.
std::string problem_of(const unz_file_info64& info) {
  if ((info.flag & kEncryptedFlags) != 0) return "it is encrypted";
  if (info.compression_method != kStoredMethod && info.compression_method != kDeflatedMethod) {
    return fmt::format("its compression method {} is not supported", info.compression_method);
  }
  if (info.size_filename > kMaxMemberNameBytes) {
    return fmt::format("its name has {} bytes, more than {}", info.size_filename, kMaxMemberNameBytes);
  }
  return {};
}

}  // namespace

struct ZipDirectory::Implementation {
  std::string path;
  BufferedFile file;
  unzFile archive = nullptr;
  std::uint64_t member_count = 0;
  std::uint64_t members_read = 0;

  ~Implementation() {
    if (archive != nullptr) unzClose(archive);
  }

  // Completes the place of the member that was read last; false if it cannot be found.
  bool find_content(ZipMember& member) {
    unz64_file_pos position{};
    if (unzGetFilePos64(archive, &position) != UNZ_OK) return false;
    const std::optional<DirectoryEntry> entry = read_entry(file, position.pos_in_zip_directory);
    if (entry && entry->is_zip64) {
      member.place.stored_bytes = entry->place.stored_bytes;
      member.place.content_bytes = entry->place.content_bytes;
      const std::optional<std::uint64_t> offset_bytes = content_offset(file, *entry);
      member.place.offset_bytes = offset_bytes.value_or(0);
      return offset_bytes.has_value();
    }
    int method = 0;
    int level = 0;
    constexpr int kRaw = 1;  // as stored, without decompressing
    file.is_read_behind_end = false;
    if (unzOpenCurrentFile2(archive, &method, &level, kRaw) != UNZ_OK) return false;
    member.place.offset_bytes = unzGetCurrentFileZStreamPos64(archive);
    unzCloseCurrentFile(archive);
    return !file.is_read_behind_end;
  }

  // For a failure that minizip reported: the error of reading, if there was one.
  Error failure_of(std::string message) const {
    if (file.error) return *file.error;
    return {ErrorCode::kCorruptData, std::move(message)};
  }
};

ZipDirectory::ZipDirectory(std::unique_ptr<Implementation> implementation)
    : implementation_(std::move(implementation)) {}
ZipDirectory::ZipDirectory(ZipDirectory&& other) noexcept = default;
ZipDirectory::~ZipDirectory() = default;

std::uint64_t ZipDirectory::file_bytes() const {
  return implementation_->file.size_bytes;
}

Result<ZipDirectory> ZipDirectory::open(const std::string& path, std::shared_ptr<ByteSource> source) {
  auto opened = std::make_unique<Implementation>();
  opened->path = path;
  BufferedFile& file = opened->file;
  PARAPRINT_ASSIGN(file.bytes, ZipFileBytes::open(path, std::move(source)));
  file.size_bytes = file.bytes->size_bytes();
  zlib_filefunc64_def functions{.zopen64_file = open_callback,
                                .zread_file = read_callback,
                                .zwrite_file = write_callback,
                                .ztell64_file = tell_callback,
                                .zseek64_file = seek_callback,
                                .zclose_file = close_callback,
                                .zerror_file = error_callback,
                                .opaque = &file};
  opened->archive = unzOpen2_64(path.c_str(), &functions);
  if (opened->archive == nullptr) {
    return tl::unexpected<Error>(
        opened->failure_of(path + " has no directory at its end: it is cut off, or not a ZIP file"));
  }
  unz_global_info64 info{};
  unzGetGlobalInfo64(opened->archive, &info);
  opened->member_count = info.number_entry;
  return ZipDirectory(std::move(opened));
}

Result<std::optional<ZipMember>> ZipDirectory::next() {
  PARAPRINT_TRY(check_stop());
  Implementation& own = *implementation_;
  if (own.members_read == own.member_count) return std::optional<ZipMember>{};
  own.file.is_read_behind_end = false;
  const int moved = own.members_read == 0 ? unzGoToFirstFile(own.archive) : unzGoToNextFile(own.archive);
  unz_file_info64 info{};
  std::array<char, kMaxMemberNameBytes + 1> name{};
  const int read = moved == UNZ_OK ? unzGetCurrentFileInfo64(own.archive, &info, name.data(), kMaxMemberNameBytes,
                                                             nullptr, 0, nullptr, 0)
                                   : moved;
  if (read != UNZ_OK || own.file.is_read_behind_end) {
    return tl::unexpected<Error>(own.failure_of(fmt::format("{}: its directory is damaged after {} of {} members",
                                                            own.path, own.members_read, own.member_count)));
  }
  ++own.members_read;
  ZipMember member;
  member.name.assign(name.data(), std::min<std::size_t>(info.size_filename, kMaxMemberNameBytes));
  member.place.stored_bytes = info.compressed_size;
  member.place.content_bytes = info.uncompressed_size;
  member.place.checksum = static_cast<std::uint32_t>(info.crc);
  member.place.is_deflated = info.compression_method == kDeflatedMethod;
  member.problem = problem_of(info);
  return std::optional(std::move(member));
}

Status ZipDirectory::locate(ZipMember& member) {
  if (!member.problem.empty()) return {};
  Implementation& own = *implementation_;
  if (!own.find_content(member)) {
    if (own.file.error) return tl::unexpected<Error>(own.failure_of({}));
    member.problem = "the header in front of its bytes is missing, or differs from the directory";
    return {};
  }
  if (!member.place.is_deflated && member.place.stored_bytes != member.place.content_bytes) {
    member.problem = "it is not compressed, but has two sizes";
    return {};
  }
  const std::uint64_t end = own.file.size_bytes;
  if (member.place.offset_bytes > end || member.place.stored_bytes > end - member.place.offset_bytes) {
    member.problem = "its bytes reach beyond the end of the file";
  }
  return {};
}

}  // namespace paraprint::inline zip
