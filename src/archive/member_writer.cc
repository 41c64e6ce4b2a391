// One compressor per writer, reset for each member: resetting is much cheaper than allocating the compressor's tables.
// Output leaves in small pieces, so memory does not depend on the size of a member.
#include "archive/member_writer.h"

#include <libdeflate.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <array>

#include "base/assert.h"
#include "base/propagate.h"
#include "memory/require_memory.h"

namespace paraprint::inline archive {
namespace {

constexpr std::size_t kOutputBytes = std::size_t{64} << 10;

class PlainWriter final : public MemberWriter {
 public:
  explicit PlainWriter(ByteSink& file) : file_(file) {}
  void begin() override {}
  Status write(std::string_view content) override { return file_.write(content); }
  Status end() override { return {}; }

 private:
  ByteSink& file_;
};

class GzipWriter final : public MemberWriter {
 public:
  explicit GzipWriter(ByteSink& file) : file_(file) {
    constexpr int kLevel = 6;
    constexpr int kGzipWindow = MAX_WBITS + 16;  // 16 selects the gzip format
    constexpr int kMemoryLevel = 8;
    const int code = ::deflateInit2(&stream_, kLevel, Z_DEFLATED, kGzipWindow, kMemoryLevel, Z_DEFAULT_STRATEGY);
    if (code != Z_OK) throw std::bad_alloc();
  }
  GzipWriter(const GzipWriter&) = delete;
  GzipWriter& operator=(const GzipWriter&) = delete;
  ~GzipWriter() override { ::deflateEnd(&stream_); }

  void begin() override { ::deflateReset(&stream_); }
  Status write(std::string_view content) override {
    constexpr std::size_t kMaxPieceBytes = std::size_t{1} << 30;  // zlib counts in 32 bits
    while (!content.empty()) {
      const std::string_view piece = content.substr(0, kMaxPieceBytes);
      PARAPRINT_TRY(deflate_all(piece, Z_NO_FLUSH));
      content.remove_prefix(piece.size());
    }
    return {};
  }
  Status end() override { return deflate_all({}, Z_FINISH); }

 private:
  Status deflate_all(std::string_view content, int flush) {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
    stream_.avail_in = static_cast<uInt>(content.size());
    // Output that fills the buffer means that more may be pending. A last round without output is harmless.
    do {
      stream_.next_out = reinterpret_cast<Bytef*>(output_.data());
      stream_.avail_out = static_cast<uInt>(output_.size());
      ::deflate(&stream_, flush);
      PARAPRINT_TRY(file_.write({output_.data(), output_.size() - stream_.avail_out}));
    } while (stream_.avail_out == 0);
    return {};
  }

  ByteSink& file_;
  z_stream stream_{};
  std::array<char, kOutputBytes> output_;
};

class ZstdWriter final : public MemberWriter {
 public:
  explicit ZstdWriter(ByteSink& file) : file_(file), context_(require_memory(ZSTD_createCCtx()), ZSTD_freeCCtx) {
    // Without a checksum, damaged frames decode silently and the reader's search after damage is less certain.
    ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_checksumFlag, 1);
  }
  void begin() override { ZSTD_CCtx_reset(context_.get(), ZSTD_reset_session_only); }
  Status write(std::string_view content) override { return compress(content, ZSTD_e_continue); }
  Status end() override { return compress({}, ZSTD_e_end); }

 private:
  Status compress(std::string_view content, ZSTD_EndDirective directive) {
    ZSTD_inBuffer input{content.data(), content.size(), 0};
    while (true) {
      ZSTD_outBuffer output{output_.data(), output_.size(), 0};
      const std::size_t left = ZSTD_compressStream2(context_.get(), &output, &input, directive);
      if (ZSTD_getErrorCode(left) == ZSTD_error_memory_allocation) throw std::bad_alloc();
      PARAPRINT_ASSERT(!ZSTD_isError(left));  // every other error is wrong usage
      PARAPRINT_TRY(file_.write({output_.data(), output.pos}));
      // Input being consumed is enough for continuing; a frame ends only when nothing is left to flush.
      if (directive == ZSTD_e_end ? left == 0 : input.pos == input.size) return {};
    }
  }

  ByteSink& file_;
  std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context_;
  std::array<char, kOutputBytes> output_;
};

}  // namespace

std::unique_ptr<MemberWriter> make_member_writer(Compression compression, ByteSink& file) {
  switch (compression) {
    case Compression::kGzip:
      return std::make_unique<GzipWriter>(file);
    case Compression::kZstd:
      return std::make_unique<ZstdWriter>(file);
    case Compression::kNone:
      break;
  }
  return std::make_unique<PlainWriter>(file);
}

std::string gzip_member(std::string_view content) {
  constexpr int kLevel = 6;
  const std::unique_ptr<libdeflate_compressor, decltype(&libdeflate_free_compressor)> compressor(
      require_memory(libdeflate_alloc_compressor(kLevel)), libdeflate_free_compressor);
  std::string member(libdeflate_gzip_compress_bound(compressor.get(), content.size()), '\0');
  const std::size_t size =
      libdeflate_gzip_compress(compressor.get(), content.data(), content.size(), member.data(), member.size());
  PARAPRINT_ASSERT(size > 0);
  member.resize(size);
  return member;
}

}  // namespace paraprint::inline archive
