// Members are first tried with libdeflate, which is much faster than zlib but needs a whole member in the window
// and its whole content in one buffer. Anything else, including every damaged member, falls back to zlib, which yields
// the content before the damage. The trailer is checked here because raw inflate leaves it to us.
#include <fmt/format.h>
#include <libdeflate.h>
#include <zlib.h>

#include <algorithm>
#include <optional>

#include "archive/content_stream.h"
#include "archive/member_stream.h"
#include "base/propagate.h"
#include "memory/require_memory.h"

namespace paraprint::inline archive {
namespace {

constexpr std::size_t kTrailerBytes = 8;  // CRC-32 and size modulo 2^32
// Members whose content does not fit in this are decoded in pieces, which bounds memory.
constexpr std::size_t kWholeMemberBytes = std::size_t{16} << 20;
constexpr std::size_t kFirstOutputBytes = std::size_t{1} << 20;
struct DecompressorDeleter {
  void operator()(libdeflate_decompressor* decompressor) const { libdeflate_free_decompressor(decompressor); }
};

std::uint32_t load_u32(std::string_view bytes) {
  return static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[0])) |
         static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[1])) << 8 |
         static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[2])) << 16 |
         static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[3])) << 24;
}

// The length of a gzip header; nullopt if it is malformed or incomplete. Verifies the header checksum if there is one.
std::optional<std::size_t> gzip_header_bytes(std::string_view bytes) {
  constexpr std::size_t kFixedBytes = 10;
  constexpr unsigned kHeaderCrc = 2, kExtra = 4, kName = 8, kComment = 16, kReserved = 0xE0;
  if (bytes.size() < kFixedBytes || !bytes.starts_with(kGzipMagic)) return std::nullopt;
  const unsigned flags = static_cast<unsigned char>(bytes[3]);
  if (flags & kReserved) return std::nullopt;
  std::size_t at = kFixedBytes;
  if (flags & kExtra) {
    if (bytes.size() < at + 2) return std::nullopt;
    at += 2u + static_cast<unsigned char>(bytes[at]) + (std::size_t{static_cast<unsigned char>(bytes[at + 1])} << 8);
  }
  for (const unsigned text : {kName, kComment}) {
    if (!(flags & text)) continue;
    const std::size_t end = bytes.find('\0', at);
    if (end == std::string_view::npos) return std::nullopt;
    at = end + 1;
  }
  if (!(flags & kHeaderCrc)) return at <= bytes.size() ? std::optional(at) : std::nullopt;
  constexpr std::size_t kCrcBytes = 2;
  if (bytes.size() < at + kCrcBytes) return std::nullopt;
  const std::uint32_t crc = libdeflate_crc32(0, bytes.data(), at) & 0xFFFF;
  const bool is_right =
      static_cast<unsigned char>(bytes[at]) == (crc & 0xFF) && static_cast<unsigned char>(bytes[at + 1]) == crc >> 8;
  return is_right ? std::optional(at + kCrcBytes) : std::nullopt;
}

// A reusable zlib decoder for raw deflate: resetting is cheap, allocating its window is not.
class Inflater {
 public:
  Inflater() {
    if (::inflateInit2(&stream_, -MAX_WBITS) != Z_OK) throw std::bad_alloc();
  }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  ~Inflater() { ::inflateEnd(&stream_); }
  bool begin() { return ::inflateReset(&stream_) == Z_OK; }
  struct Step {
    std::size_t read = 0;
    std::size_t written = 0;
    int code = Z_OK;
  };
  Step step(std::string_view input, char* output, std::size_t room) {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(input.data()));
    stream_.avail_in = static_cast<uInt>(std::min<std::size_t>(input.size(), 1u << 30));
    const uInt given = stream_.avail_in;
    stream_.next_out = reinterpret_cast<Bytef*>(output);
    stream_.avail_out = static_cast<uInt>(room);
    const int code = ::inflate(&stream_, Z_NO_FLUSH);
    if (code == Z_MEM_ERROR) throw std::bad_alloc();  // zlib allocates its window on first use
    return {given - stream_.avail_in, room - stream_.avail_out, code};
  }

 private:
  z_stream stream_{};
};

class GzipStream final : public MemberStream {
 public:
  GzipStream(InputWindow window, const ReadOptions& options, DefectSink sink)
      : MemberStream(std::move(window), options, std::move(sink)),
        decompressor_(require_memory(libdeflate_alloc_decompressor())) {}

  Compression compression() const override { return Compression::kGzip; }

 private:
  std::string_view member_name() const override { return "gzip member"; }
  std::string_view magic() const override { return kGzipMagic; }
  Result<bool> take_whole() override;
  std::optional<std::size_t> begin_decoding(std::string_view stored) override;
  Step decode_step(std::string_view stored, char* output, std::size_t room) override;
  Status finish_member() override;

  bool decode_whole_member();

  std::unique_ptr<libdeflate_decompressor, DecompressorDeleter> decompressor_;
  Inflater inflater_;
  std::uint32_t crc_ = 0;  // of the content of the member being decoded in pieces
};

// A failure may only mean that the window ends inside the member, so more input is read once before giving up.
Result<bool> GzipStream::take_whole() {
  if (is_beyond_limit()) return false;
  if (decode_whole_member()) return true;
  const std::size_t size = window_.view().size();
  PARAPRINT_TRY(window_.ensure(InputWindow::kReadBytes));
  return window_.view().size() > size && decode_whole_member();
}

bool GzipStream::decode_whole_member() {
  const std::string_view input = window_.view();
  std::size_t room = std::max(content_.room(), kFirstOutputBytes);
  while (true) {
    char* output = content_.reserve(room);
    std::size_t read = 0;
    std::size_t written = 0;
    const libdeflate_result result =
        libdeflate_gzip_decompress_ex(decompressor_.get(), input.data(), input.size(), output, room, &read, &written);
    if (result == LIBDEFLATE_SUCCESS) {
      content_.commit(written);
      window_.consume(read);
      mark_boundary();
      return true;
    }
    if (result != LIBDEFLATE_INSUFFICIENT_SPACE || room >= kWholeMemberBytes) return false;

    room = std::min(room * 4, kWholeMemberBytes);
  }
}

// Raw inflate does not read gzip headers, so the header is parsed here and skipped by the caller.
std::optional<std::size_t> GzipStream::begin_decoding(std::string_view stored) {
  crc_ = 0;
  return inflater_.begin() ? gzip_header_bytes(stored) : std::nullopt;
}

MemberStream::Step GzipStream::decode_step(std::string_view stored, char* output, std::size_t room) {
  const Inflater::Step step = inflater_.step(stored, output, room);
  crc_ = libdeflate_crc32(crc_, output, step.written);
  // Z_BUF_ERROR only means that more input or output room is needed.
  const bool is_fine = step.code == Z_OK || step.code == Z_STREAM_END || step.code == Z_BUF_ERROR;
  return {step.read, step.written, step.code == Z_STREAM_END,
          is_fine ? nullptr : "the member's deflate data is damaged"};
}

Status GzipStream::finish_member() {
  const std::size_t end = piece_at() + kTrailerBytes;
  PARAPRINT_TRY(window_.ensure(end + kGzipMagic.size()));
  const std::uint64_t begin = member_begin_bytes();
  if (window_.view().size() < end) {
    end_member(window_.view().size() - piece_at());
    report(DefectKind::kTruncatedCompression, begin, 0, "the file ends inside the checksum of a member");
    return {};
  }
  const std::string_view trailer = window_.view().substr(piece_at(), kTrailerBytes);
  const bool is_right =
      load_u32(trailer) == crc_ && load_u32(trailer.substr(4)) == static_cast<std::uint32_t>(produced_bytes());
  if (!is_right) {
    // Damage can move a member's end into the middle of the next one. Unless a member follows, search again from this
    // member's start, so that the next one is not lost.
    const std::string_view following = window_.view().substr(end);
    if (!following.starts_with(kGzipMagic)) {
      return give_up(following.empty() ? DefectKind::kBadChecksum : DefectKind::kBrokenCompression,
                     "the member's checksum does not match and no member follows", 1);
    }
  }
  end_member(kTrailerBytes);
  if (!is_right)
    report(DefectKind::kBadChecksum, begin, 0, "the gzip member's checksum or length does not match its content");
  return {};
}

}  // namespace

std::unique_ptr<ContentStream> make_gzip_stream(InputWindow window, const ReadOptions& options, DefectSink sink) {
  return std::make_unique<GzipStream>(std::move(window), options, std::move(sink));
}

}  // namespace paraprint::inline archive
