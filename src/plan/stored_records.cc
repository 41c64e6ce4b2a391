// A start is recognised by a few bytes, as readers do after damage, and accepted if a whole record follows: a member
// that decompresses, or a header that states a length.
#include "plan/stored_records.h"

#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <string_view>
#include <utility>

#include "base/propagate.h"
#include "base/stop.h"
#include "base/system_error.h"
#include "http/header_block.h"

namespace paraprint::inline plan {
namespace {

constexpr std::uint64_t kPieceBytes = std::uint64_t{64} << 10;
constexpr std::uint64_t kHeaderBytes = std::uint64_t{16} << 10;  // of a WARC record, as far as it is looked at
constexpr std::uint64_t kStartBytes = 4096;  // what looking at a start costs at least, in bytes decompressed
constexpr std::string_view kMemberMagic = "\x1f\x8b\x08";
constexpr std::string_view kWarcMagic = "WARC/";

bool may_have_page(const HeaderBlock& header) {
  const std::string* const type = header.find("WARC-Type");
  return type != nullptr && (*type == "response" || *type == "resource" || *type == "conversion");
}

// Ends zlib's state with its scope.
class Inflation {
 public:
  Inflation() { is_ready_ = inflateInit2(&stream_, 15 + 16) == Z_OK; }
  Inflation(const Inflation&) = delete;
  Inflation& operator=(const Inflation&) = delete;
  ~Inflation() {
    if (is_ready_) inflateEnd(&stream_);
  }
  bool is_ready() const { return is_ready_; }
  z_stream& stream() { return stream_; }

 private:
  z_stream stream_{};
  bool is_ready_ = false;
};

}  // namespace

RecordFile::RecordFile(std::string path, RecordForm form, int descriptor)
    : path_(std::move(path)), form_(form), descriptor_(descriptor) {}
RecordFile::RecordFile(RecordFile&& other) noexcept
    : path_(std::move(other.path_)), form_(other.form_), descriptor_(std::exchange(other.descriptor_, -1)) {}
RecordFile::~RecordFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

Result<RecordFile> RecordFile::open(std::string path, RecordForm form) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return tl::unexpected<Error>(system_error("open", path, errno));
  return RecordFile(std::move(path), form, descriptor);
}

Result<std::string> RecordFile::read_some(std::uint64_t offset_bytes, std::uint64_t length_bytes) const {
  std::string bytes(length_bytes, '\0');
  std::size_t filled = 0;
  while (filled < bytes.size()) {
    const ssize_t count =
        pread(descriptor_, bytes.data() + filled, bytes.size() - filled, static_cast<off_t>(offset_bytes + filled));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return tl::unexpected<Error>(system_error("read", path_, errno));
    if (count == 0) break;
    filled += static_cast<std::size_t>(count);
  }
  bytes.resize(filled);
  return bytes;
}

Result<std::string> RecordFile::read(std::uint64_t offset_bytes, std::uint64_t length_bytes) const {
  PARAPRINT_ASSIGN(std::string bytes, read_some(offset_bytes, length_bytes));
  if (bytes.size() < length_bytes) return failure(ErrorCode::kCorruptData, path_ + ": has become shorter");
  return bytes;
}

// What looks like a start and is none costs up to the longest record each time, and a window can be full of such.
Result<StartsInWindow> RecordFile::starting_in(std::uint64_t begin_bytes, std::uint64_t length_bytes,
                                               std::uint64_t record_bytes_maximum, const Deadline& deadline) const {
  const bool has_members = form_ == RecordForm::kWarcMembers || form_ == RecordForm::kJsonMembers;
  const std::string_view magic = has_members ? kMemberMagic : form_ == RecordForm::kWarc ? kWarcMagic : "";
  // Text starts a line, so that the byte before is needed; of a magic number, the bytes after it.
  const std::uint64_t before = !has_members && begin_bytes > 0 ? 1 : 0;
  PARAPRINT_ASSIGN(const std::string bytes, read_some(begin_bytes - before, before + length_bytes + magic.size()));
  StartsInWindow found;
  const std::uint64_t in_vain_maximum = 4 * length_bytes + record_bytes_maximum + kPieceBytes;
  std::uint64_t in_vain_bytes = 0;
  std::uint64_t end_of_last = 0;
  for (std::uint64_t at = before; at < std::min<std::uint64_t>(bytes.size(), before + length_bytes); ++at) {
    const bool is_line_start = at == 0 ? begin_bytes == 0 : bytes[at - 1] == '\n';
    if (has_members ? bytes.compare(at, magic.size(), magic) != 0
                    : !is_line_start || bytes.compare(at, magic.size(), magic) != 0) {
      continue;
    }
    if (form_ == RecordForm::kJsonLines && bytes[at] == '\n') continue;  // blank
    const std::uint64_t offset = begin_bytes - before + at;
    if (offset < end_of_last) continue;  // within the last one: bytes of a page may look like a start
    PARAPRINT_TRY(check_stop());
    if (deadline.has_passed() || in_vain_bytes > in_vain_maximum) {
      found.end = in_vain_bytes > in_vain_maximum ? WindowEnd::kGivenUp : WindowEnd::kLate;
      break;
    }
    std::uint64_t made_bytes = kStartBytes;
    PARAPRINT_ASSIGN(const std::optional<StoredRecord> record, record_at(offset, record_bytes_maximum, made_bytes));
    if (!record) {
      in_vain_bytes += made_bytes;
      continue;
    }
    end_of_last = offset + record->length_bytes;
    found.records.push_back(*record);
  }
  return found;
}

Result<std::optional<StoredRecord>> RecordFile::record_at(std::uint64_t offset_bytes, std::uint64_t maximum,
                                                          std::uint64_t& made_bytes) const {
  switch (form_) {
    case RecordForm::kWarcMembers:
    case RecordForm::kJsonMembers:
      return member_at(offset_bytes, maximum, made_bytes);
    case RecordForm::kWarc:
      return block_at(offset_bytes, maximum);
    case RecordForm::kJsonLines:
      break;
  }
  return line_at(offset_bytes, maximum);
}

// zlib checks the member's sum, so that bytes that look like a start by chance are not accepted.
Result<std::optional<StoredRecord>> RecordFile::member_at(std::uint64_t offset_bytes, std::uint64_t maximum,
                                                          std::uint64_t& made_bytes) const {
  Inflation inflation;
  if (!inflation.is_ready()) return std::optional<StoredRecord>();
  z_stream& stream = inflation.stream();
  std::string front;
  std::string room(kPieceBytes, '\0');
  for (std::uint64_t read = 0;;) {
    PARAPRINT_TRY(check_stop());
    PARAPRINT_ASSIGN(std::string piece, read_some(offset_bytes + read, kPieceBytes));
    if (piece.empty()) return std::optional<StoredRecord>();
    stream.next_in = reinterpret_cast<Bytef*>(piece.data());
    stream.avail_in = static_cast<uInt>(piece.size());
    while (stream.avail_in > 0) {
      stream.next_out = reinterpret_cast<Bytef*>(room.data());
      stream.avail_out = static_cast<uInt>(room.size());
      const int state = inflate(&stream, Z_NO_FLUSH);
      const std::size_t made = room.size() - stream.avail_out;
      made_bytes += made;
      if (front.size() < kHeaderBytes) front.append(room, 0, std::min(made, kHeaderBytes - front.size()));
      if (stream.total_out > maximum) return std::optional<StoredRecord>();
      if (state == Z_STREAM_END) {
        const bool is_warc = form_ == RecordForm::kWarcMembers;
        if (is_warc && !front.starts_with(kWarcMagic)) return std::optional<StoredRecord>();
        const std::uint64_t length = read + piece.size() - stream.avail_in;
        const bool has_page = !is_warc || may_have_page(parse_header_block(front.substr(0, header_block_bytes(front))));
        return std::optional(StoredRecord{offset_bytes, length, has_page});
      }
      if (state != Z_OK) return std::optional<StoredRecord>();
    }
    read += piece.size();
  }
}

Result<std::optional<StoredRecord>> RecordFile::block_at(std::uint64_t offset_bytes, std::uint64_t maximum) const {
  PARAPRINT_ASSIGN(const std::string front, read_some(offset_bytes, kHeaderBytes));
  const std::size_t end = header_block_bytes(front);
  if (end == std::string::npos) return std::optional<StoredRecord>();
  const HeaderBlock header = parse_header_block(std::string_view(front).substr(0, end));
  const std::string* const stated = header.find("Content-Length");
  const std::optional<std::uint64_t> content = stated != nullptr ? parse_number(*stated) : std::nullopt;
  if (!content || *content > maximum) return std::optional<StoredRecord>();
  std::uint64_t length = end + *content;
  PARAPRINT_ASSIGN(const std::string after, read_some(offset_bytes + length, 4));
  length += std::min(after.find_first_not_of("\r\n"), after.size());
  return std::optional(StoredRecord{offset_bytes, length, may_have_page(header)});
}

Result<std::optional<StoredRecord>> RecordFile::line_at(std::uint64_t offset_bytes, std::uint64_t maximum) const {
  for (std::uint64_t length = 0; length <= maximum; length += kPieceBytes) {
    PARAPRINT_ASSIGN(const std::string piece, read_some(offset_bytes + length, kPieceBytes));
    const std::size_t end = piece.find('\n');
    if (end == std::string::npos && piece.size() == kPieceBytes) continue;
    const std::uint64_t whole = length + (end == std::string::npos ? piece.size() : end + 1);
    if (whole <= 1) break;  // a blank line, or the end of the file
    return std::optional(StoredRecord{offset_bytes, whole, true});
  }
  return std::optional<StoredRecord>();
}

}  // namespace paraprint::inline plan
