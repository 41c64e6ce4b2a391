#include "archive/gzip_stream.h"

#include <fmt/format.h>
#include <libdeflate.h>
#include <zlib.h>

#include <algorithm>
#include <optional>

#include "archive/member_stream.h"

namespace paraprint {
namespace {

constexpr std::size_t kTrailerBytes = 8;  // CRC-32 and size modulo 2^32
// A member whose content may be larger than this is decoded in pieces.
constexpr std::size_t kWholeMemberBytes = std::size_t{16} << 20;
constexpr std::size_t kFirstOutputBytes = std::size_t{1} << 20;
// Refilling the window moves what is left to its front: below this it is little.
constexpr std::size_t kRefillBytes = std::size_t{512} << 10;
constexpr std::size_t kPieceBytes = std::size_t{256} << 10;
constexpr std::size_t kMaxHeaderBytes = std::size_t{1} << 20;  // name, comment and extra field together

struct DecompressorDeleter {
  void operator()(libdeflate_decompressor* decompressor) const { libdeflate_free_decompressor(decompressor); }
};

std::uint32_t load_u32(std::string_view bytes) {
  return static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[0])) |
         static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[1])) << 8 |
         static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[2])) << 16 |
         static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[3])) << 24;
}

// The length of a gzip header, nothing if it is broken or not whole.
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
  if (flags & kHeaderCrc) at += 2;
  return at <= bytes.size() ? std::optional(at) : std::nullopt;
}

// One zlib raw-deflate decoder.
class Inflater {
 public:
  ~Inflater() { end(); }
  bool begin() {
    end();
    stream_ = {};
    is_open_ = ::inflateInit2(&stream_, -MAX_WBITS) == Z_OK;
    return is_open_;
  }
  void end() {
    if (is_open_) ::inflateEnd(&stream_);
    is_open_ = false;
  }
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
    return {given - stream_.avail_in, room - stream_.avail_out, code};
  }

 private:
  z_stream stream_{};
  bool is_open_ = false;
};

class GzipStream final : public MemberStream {
 public:
  GzipStream(InputWindow window, const ReadOptions& options, DefectSink sink)
      : MemberStream(std::move(window), options, std::move(sink)), decompressor_(libdeflate_alloc_decompressor()) {}

  Compression compression() const override { return Compression::kGzip; }

 private:
  Status decode_more() override;
  void reset_decoder() override {
    inflater_.end();
    inside_member_ = false;
  }
  std::string_view magic() const override { return kGzipMagic; }
  std::optional<std::string> decode_prefix(std::string_view stored) override;

  Status start_member();
  bool decode_whole_member();
  Status decode_piece();
  Status finish_member();
  Status give_up(DefectKind kind, const char* what, std::size_t search_from);

  std::unique_ptr<libdeflate_decompressor, DecompressorDeleter> decompressor_;
  Inflater inflater_;
  bool inside_member_ = false;
  // Of the member that is decoded in pieces. The window's view starts at the member while it still fits, so that the
  // search after damage can begin at its start.
  std::size_t piece_at_ = 0;  // in the window's view
  std::uint64_t produced_bytes_ = 0;
  std::uint32_t crc_ = 0;
};

Status GzipStream::decode_more() {
  return inside_member_ ? decode_piece() : start_member();
}

Status GzipStream::start_member() {
  if (window_.view().size() < kRefillBytes) {
    if (Status status = window_.ensure(InputWindow::kReadBytes); !status) return status;
  }
  mark_boundary();
  if (window_.view().empty()) {
    finished_ = true;
    return {};
  }
  if (!window_.view().starts_with(kGzipMagic)) {
    const std::uint64_t begin = window_.offset_bytes();
    if (Status status = find_member(0); !status) return status;
    report(DefectKind::kStrayBytes, begin, window_.offset_bytes() - begin, "bytes that are no gzip member");
    mark_break();
    return {};
  }
  if (decode_whole_member()) return {};
  // Not whole in the window, or damaged, or large.
  if (Status status = window_.ensure(InputWindow::kReadBytes); !status) return status;
  if (decode_whole_member()) return {};
  if (Status status = window_.ensure(kMaxHeaderBytes); !status) return status;
  const std::optional<std::size_t> header = gzip_header_bytes(window_.view());
  if (!header || !inflater_.begin()) {
    const bool is_cut = window_.is_complete() && window_.view().size() < kMaxHeaderBytes;
    return give_up(is_cut ? DefectKind::kTruncatedCompression : DefectKind::kBrokenCompression,
                   "the gzip header can't be read", 1);
  }
  inside_member_ = true;
  piece_at_ = *header;
  produced_bytes_ = 0;
  crc_ = 0;
  return {};
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

Status GzipStream::decode_piece() {
  if (piece_at_ == window_.view().size()) {
    if (Status status = read_further(piece_at_); !status) return status;
    if (piece_at_ == window_.view().size()) {
      return give_up(DefectKind::kTruncatedCompression, "the file ends inside a member", 1);
    }
  }
  char* output = content_.reserve(kPieceBytes);
  const Inflater::Step step = inflater_.step(window_.view().substr(piece_at_), output, kPieceBytes);
  crc_ = libdeflate_crc32(crc_, output, step.written);
  content_.commit(step.written);
  piece_at_ += step.read;
  produced_bytes_ += step.written;
  if (step.code == Z_STREAM_END) return finish_member();
  if (step.code != Z_OK && step.code != Z_BUF_ERROR) {
    return give_up(DefectKind::kBrokenCompression, "the member does not inflate", 1);
  }
  const std::uint64_t stored = window_.offset_bytes() + piece_at_ - member_begin_bytes_;
  if (is_bomb(stored, produced_bytes_)) {
    return give_up(DefectKind::kCompressionBomb, "the member expands beyond the limit (max_expansion_ratio)",
                   piece_at_);
  }
  return {};
}

Status GzipStream::finish_member() {
  inflater_.end();
  inside_member_ = false;
  if (Status status = window_.ensure(piece_at_ + kTrailerBytes); !status) return status;
  if (window_.view().size() < piece_at_ + kTrailerBytes) {
    const std::uint64_t begin = member_begin_bytes_;
    window_.consume(window_.view().size());
    mark_boundary();
    report(DefectKind::kTruncatedCompression, begin, 0, "the file ends inside the checksum of a member");
    return {};
  }
  const std::string_view trailer = window_.view().substr(piece_at_, kTrailerBytes);
  const bool is_right =
      load_u32(trailer) == crc_ && load_u32(trailer.substr(4)) == static_cast<std::uint32_t>(produced_bytes_);
  const std::uint64_t begin = member_begin_bytes_;
  if (!is_right) {
    // Damage can make a member end too late, in the middle of the next one, which must not be lost with it.
    const std::size_t end = piece_at_ + kTrailerBytes;
    if (Status status = window_.ensure(end + kGzipMagic.size()); !status) return status;
    const std::string_view following = window_.view().substr(end);
    if (!following.starts_with(kGzipMagic)) {
      return give_up(following.empty() ? DefectKind::kBadChecksum : DefectKind::kBrokenCompression,
                     "the member's checksum is wrong and no member follows it", 1);
    }
  }
  window_.consume(piece_at_ + kTrailerBytes);
  mark_boundary();
  if (!is_right) report(DefectKind::kBadChecksum, begin, 0, "checksum or length of a gzip member is wrong");
  return {};
}

Status GzipStream::give_up(DefectKind kind, const char* what, std::size_t search_from) {
  const std::uint64_t begin = member_begin_bytes_;
  const bool holds_start = window_.offset_bytes() == begin;
  reset_decoder();
  if (Status status = find_member(holds_start ? search_from : std::min<std::size_t>(search_from, piece_at_)); !status) {
    return status;
  }
  report(kind, begin, window_.offset_bytes() - begin,
         fmt::format("{}; {} bytes of content before the damage are used", what, produced_bytes_));
  produced_bytes_ = 0;
  piece_at_ = 0;
  mark_break();
  return {};
}

std::optional<std::string> GzipStream::decode_prefix(std::string_view stored) {
  const std::optional<std::size_t> header = gzip_header_bytes(stored);
  Inflater inflater;
  if (!header || !inflater.begin()) return std::nullopt;
  std::string prefix(kMemberTestBytes, '\0');
  const Inflater::Step step = inflater.step(stored.substr(*header), prefix.data(), prefix.size());
  if (step.code != Z_OK && step.code != Z_STREAM_END && step.code != Z_BUF_ERROR) return std::nullopt;
  prefix.resize(step.written);
  return prefix;
}

}  // namespace

std::unique_ptr<ContentStream> make_gzip_stream(InputWindow window, const ReadOptions& options, DefectSink sink) {
  return std::make_unique<GzipStream>(std::move(window), options, std::move(sink));
}

}  // namespace paraprint
