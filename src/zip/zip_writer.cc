// minizip writes through the functions below into an AtomicFile. It goes back only to complete the header of a member.
#include "zip/zip_writer.h"

#include <fmt/format.h>
#include <libdeflate.h>
#include <minizip/zip.h>
#include <zlib.h>

#include <algorithm>
#include <limits>
#include <new>
#include <utility>

#include "base/assert.h"
#include "base/atomic_file.h"
#include "base/propagate.h"
#include "zip/sha256_stream.h"

namespace paraprint::inline zip {
namespace {

constexpr int kDeflateLevel = 6;
constexpr int kIsRaw = 0;    // minizip compresses
constexpr int kIsZip64 = 1;  // room for large sizes in front of the content, which is written before they are known
constexpr uLong kDosDate = 1U << 21U | 1U << 16U;  // 1 January of the first year, 1980
constexpr uLong kMadeByUnix = 3U << 8U | 45U;      // version 4.5 of the format: zip64
constexpr uLong kUtf8Names = 1U << 11U;
constexpr uLong kRegularFile = 0100644UL << 16U;  // readable by all once unpacked

// Padding (0xa220, 4 bytes: its signature, no more to come), for the directory. Before its content, each member has a
// field of 20 bytes for large sizes. wabac.js, the player of replayweb.page, looks at what is before the content only
// if the directory has such fields, too, and otherwise takes the content to begin 20 bytes earlier.
constexpr std::string_view kDirectoryPadding("\x20\xa2\x04\x00\x28\xa0\x00\x00", 8);

struct OutputFile {
  AtomicFile file;
  std::uint64_t position_bytes = 0;
  Status status = {};  // the first failure: minizip only knows that writing failed

  bool write(std::string_view bytes) {
    if (!status) return false;
    const std::uint64_t end = file.size_bytes();
    const std::size_t replaced = static_cast<std::size_t>(std::min<std::uint64_t>(bytes.size(), end - position_bytes));
    if (replaced > 0) status = file.overwrite(position_bytes, bytes.substr(0, replaced));
    if (status && replaced < bytes.size()) status = file.write(bytes.substr(replaced));
    position_bytes += bytes.size();
    return status.has_value();
  }

  bool seek(std::uint64_t offset_bytes, int origin) {
    std::uint64_t base = 0;
    if (origin == ZLIB_FILEFUNC_SEEK_CUR) base = position_bytes;
    if (origin == ZLIB_FILEFUNC_SEEK_END) base = file.size_bytes();
    if (base + offset_bytes > file.size_bytes()) return false;
    position_bytes = base + offset_bytes;
    return true;
  }
};

OutputFile& output_of(voidpf opaque) {
  return *static_cast<OutputFile*>(opaque);
}

voidpf open_output(voidpf opaque, const void*, int) {
  return opaque;
}

uLong read_output(voidpf, voidpf, void*, uLong) {
  return 0;
}

uLong write_output(voidpf opaque, voidpf, const void* bytes, uLong size) {
  return output_of(opaque).write({static_cast<const char*>(bytes), size}) ? size : 0;
}

ZPOS64_T tell_output(voidpf opaque, voidpf) {
  return output_of(opaque).position_bytes;
}

long seek_output(voidpf opaque, voidpf, ZPOS64_T offset, int origin) {
  return output_of(opaque).seek(offset, origin) ? 0 : -1;
}

int close_output(voidpf, voidpf) {
  return 0;
}

int error_output(voidpf opaque, voidpf) {
  return output_of(opaque).status ? 0 : 1;
}

}  // namespace

struct ZipWriter::Implementation {
  explicit Implementation(AtomicFile file) : output{std::move(file)} {}
  ~Implementation() {
    if (archive != nullptr) zipClose(archive, nullptr);
  }

  // Of a call of minizip.
  Status check(int result) {
    if (!output.status) return output.status;
    if (result == ZIP_OK) return {};
    return failure(ErrorCode::kInputOutput,
                   fmt::format("{}: writing the ZIP file failed ({})", output.file.path(), result));
  }

  OutputFile output;
  zipFile archive = nullptr;
  bool is_open = false;  // a member
  ZipWritten member;
  Sha256Stream sha256;
};

ZipWriter::ZipWriter(std::unique_ptr<Implementation> implementation) : implementation_(std::move(implementation)) {}
ZipWriter::~ZipWriter() = default;

Result<std::unique_ptr<ZipWriter>> ZipWriter::create(const std::string& path) {
  PARAPRINT_ASSIGN(AtomicFile file, AtomicFile::create(path));
  auto opened = std::make_unique<Implementation>(std::move(file));
  zlib_filefunc64_def functions{.zopen64_file = open_output,
                                .zread_file = read_output,
                                .zwrite_file = write_output,
                                .ztell64_file = tell_output,
                                .zseek64_file = seek_output,
                                .zclose_file = close_output,
                                .zerror_file = error_output,
                                .opaque = &opened->output};
  opened->archive = zipOpen2_64(path.c_str(), APPEND_STATUS_CREATE, nullptr, &functions);
  if (opened->archive == nullptr) throw std::bad_alloc();
  return std::unique_ptr<ZipWriter>(new ZipWriter(std::move(opened)));
}

Status ZipWriter::begin(const std::string& name, ZipMethod method) {
  Implementation& own = *implementation_;
  PARAPRINT_ASSERT(!own.is_open && name.size() <= std::numeric_limits<std::uint16_t>::max());
  zip_fileinfo info{};
  info.dosDate = kDosDate;
  info.external_fa = kRegularFile;
  const bool is_deflated = method == ZipMethod::kDeflate;
  PARAPRINT_TRY(own.check(zipOpenNewFileInZip4_64(
      own.archive, name.c_str(), &info, nullptr, 0, kDirectoryPadding.data(), kDirectoryPadding.size(), nullptr,
      is_deflated ? Z_DEFLATED : 0, kDeflateLevel, kIsRaw, -MAX_WBITS, DEF_MEM_LEVEL, Z_DEFAULT_STRATEGY, nullptr, 0,
      kMadeByUnix, kUtf8Names, kIsZip64)));
  own.is_open = true;
  own.member = {name, {}, {}};
  own.member.place.offset_bytes = own.output.position_bytes;
  own.member.place.is_deflated = is_deflated;
  return {};
}

Status ZipWriter::write(std::string_view bytes) {
  Implementation& own = *implementation_;
  PARAPRINT_ASSERT(own.is_open);
  own.sha256.add(bytes);
  own.member.place.checksum = libdeflate_crc32(own.member.place.checksum, bytes.data(), bytes.size());
  own.member.place.content_bytes += bytes.size();
  constexpr std::size_t kPieceBytes = std::size_t{1} << 30;  // minizip counts pieces in 32 bits
  for (; !bytes.empty(); bytes.remove_prefix(std::min(bytes.size(), kPieceBytes))) {
    const std::string_view piece = bytes.substr(0, kPieceBytes);
    PARAPRINT_TRY(own.check(zipWriteInFileInZip(own.archive, piece.data(), static_cast<unsigned>(piece.size()))));
  }
  return {};
}

Result<ZipWritten> ZipWriter::end() {
  Implementation& own = *implementation_;
  PARAPRINT_ASSERT(own.is_open);
  PARAPRINT_TRY(own.check(zipCloseFileInZip(own.archive)));
  own.is_open = false;
  own.member.place.stored_bytes = own.output.position_bytes - own.member.place.offset_bytes;
  own.member.sha256 = own.sha256.take_hex();
  return own.member;
}

Result<std::string> ZipWriter::readable_path() {
  PARAPRINT_TRY(implementation_->output.file.flush());
  return partial_path(implementation_->output.file.path());
}

Result<std::uint64_t> ZipWriter::commit() {
  Implementation& own = *implementation_;
  PARAPRINT_ASSERT(!own.is_open);
  PARAPRINT_TRY(own.check(zipClose(std::exchange(own.archive, nullptr), nullptr)));
  PARAPRINT_TRY(own.output.file.commit());
  return own.output.file.size_bytes();
}

}  // namespace paraprint::inline zip
