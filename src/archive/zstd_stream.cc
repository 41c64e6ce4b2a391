// zstd frames are always decoded in pieces; only skippable frames are consumed at once. Frames may lack a checksum, in
// which case arbitrary bytes can decode: unguarded_member_bytes() lets MemberStream detect such stray frames.
#include <fmt/format.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>

#include "archive/content_stream.h"
#include "archive/member_stream.h"
#include "base/propagate.h"
#include "memory/require_memory.h"

namespace paraprint::inline archive {
namespace {

constexpr std::string_view kFrameMagic = "\x28\xb5\x2f\xfd";
constexpr std::string_view kSkippableMagicTail = "\x2a\x4d\x18";  // after a byte 0x50 to 0x5f
constexpr unsigned char kDictionaryByte = 0x5d;
// Dictionaries are about 1 MiB. A larger one than this is not loaded, and frames that need it are reported as broken.
constexpr std::size_t kMaxDictionaryBytes = std::size_t{64} << 20;
constexpr std::size_t kDecodedPieceBytes = std::size_t{256} << 10;

bool is_skippable(std::string_view bytes) {
  return bytes.size() >= 4 && (static_cast<unsigned char>(bytes[0]) & 0xF0) == 0x50 &&
         bytes.substr(1, 3) == kSkippableMagicTail;
}

// The content size stated by a skippable frame's header (little-endian); 0 if the header is incomplete.
std::uint64_t skippable_content_bytes(std::string_view bytes) {
  std::uint64_t size = 0;
  if (bytes.size() < kSkippableHeaderBytes) return size;
  for (std::size_t i = kSkippableHeaderBytes; i-- > 4;) size = size << 8 | static_cast<unsigned char>(bytes[i]);
  return size;
}

struct ContextDeleter {
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};
using Context = std::unique_ptr<ZSTD_DCtx, ContextDeleter>;

// Returns a zstd result, or throws if it means out of memory.
std::size_t checked(std::size_t answer) {
  if (ZSTD_getErrorCode(answer) == ZSTD_error_memory_allocation) throw std::bad_alloc();
  return answer;
}

// Returns the dictionary in a dictionary frame's content, which may itself be compressed as a zstd frame. Empty if it
// is damaged or larger than kMaxDictionaryBytes, whatever size its frame header states.
std::string unpack_dictionary(std::string_view stored) {
  if (!stored.starts_with(kFrameMagic)) return std::string(stored);
  const unsigned long long size = ZSTD_getFrameContentSize(stored.data(), stored.size());
  if (size == ZSTD_CONTENTSIZE_ERROR || (size != ZSTD_CONTENTSIZE_UNKNOWN && size > kMaxDictionaryBytes)) return {};
  std::string content;
  Context context(require_memory(ZSTD_createDCtx()));
  ZSTD_inBuffer input{stored.data(), stored.size(), 0};
  while (content.size() < kMaxDictionaryBytes) {
    const std::size_t begin = content.size();
    content.resize(begin + kDecodedPieceBytes);
    ZSTD_outBuffer output{content.data() + begin, kDecodedPieceBytes, 0};
    const std::size_t left = checked(ZSTD_decompressStream(context.get(), &output, &input));
    content.resize(begin + output.pos);
    if (ZSTD_isError(left)) return {};
    if (left == 0) return content;
    if (output.pos == 0 && input.pos == input.size) return {};
  }
  return {};
}

class ZstdStream final : public MemberStream {
 public:
  ZstdStream(InputWindow window, const ReadOptions& options, DefectSink sink)
      : MemberStream(std::move(window), options, std::move(sink)), context_(require_memory(ZSTD_createDCtx())) {}

  Compression compression() const override { return Compression::kZstd; }

 private:
  std::string_view member_name() const override { return "zstd frame"; }
  std::string_view magic() const override { return kFrameMagic; }
  bool begins_member(std::string_view stored) const override { return is_zstd(stored); }
  Result<bool> take_whole() override;
  std::optional<std::size_t> begin_decoding(std::string_view) override {
    ZSTD_DCtx_reset(context_.get(), ZSTD_reset_session_only);
    return 0;
  }
  Step decode_step(std::string_view stored, char* output, std::size_t room) override;
  Status finish_member() override {
    end_member(0);
    return {};
  }
  std::optional<std::size_t> unguarded_member_bytes(std::string_view stored) const override;

  Status skip_frame();

  Context context_;
  std::string dictionary_;
};

Result<bool> ZstdStream::take_whole() {
  if (!is_skippable(window_.view())) return false;
  PARAPRINT_TRY(skip_frame());
  return true;
}

// A skippable frame can be larger than memory, so it is consumed in pieces. The dictionary counts only at the very
// start of the file; elsewhere such frames are ignored like any other skippable frame.
Status ZstdStream::skip_frame() {
  const std::uint64_t begin = window_.offset_bytes();
  const std::uint64_t size = skippable_content_bytes(window_.view());
  const bool is_dictionary = begin == 0 && dictionary_frame_bytes(window_.view()) > 0 && size <= kMaxDictionaryBytes;
  if (is_dictionary) {
    PARAPRINT_TRY(window_.ensure(kSkippableHeaderBytes + size));
    dictionary_ =
        unpack_dictionary(window_.view().substr(std::min(kSkippableHeaderBytes, window_.view().size()), size));
    if (dictionary_.empty() ||
        ZSTD_isError(checked(ZSTD_DCtx_loadDictionary(context_.get(), dictionary_.data(), dictionary_.size())))) {
      report(DefectKind::kBrokenCompression, begin, kSkippableHeaderBytes + size, "the zstd dictionary is unusable");
    }
  }
  std::uint64_t left = kSkippableHeaderBytes + size;
  while (left > 0) {
    if (window_.view().empty()) {
      PARAPRINT_TRY(window_.ensure(1));
      if (window_.view().empty()) {
        report(DefectKind::kTruncatedCompression, begin, 0, "the file ends inside a skippable frame");
        break;
      }
    }
    const std::size_t count = static_cast<std::size_t>(std::min<std::uint64_t>(left, window_.view().size()));
    window_.consume(count);
    left -= count;
  }
  return {};
}

MemberStream::Step ZstdStream::decode_step(std::string_view stored, char* output, std::size_t room) {
  ZSTD_outBuffer out{output, room, 0};
  ZSTD_inBuffer in{stored.data(), stored.size(), 0};
  const std::size_t left = checked(ZSTD_decompressStream(context_.get(), &out, &in));
  return {in.pos, out.pos, left == 0, ZSTD_isError(left) ? ZSTD_getErrorName(left) : nullptr};
}

std::optional<std::size_t> ZstdStream::unguarded_member_bytes(std::string_view stored) const {
  // The frame header descriptor follows the magic number (RFC 8878, 3.1.1.1.1).
  constexpr unsigned kChecksumFlag = 4;
  if (stored.size() <= kFrameMagic.size()) return std::nullopt;
  if (static_cast<unsigned char>(stored[kFrameMagic.size()]) & kChecksumFlag) return std::nullopt;
  const std::size_t size = ZSTD_findFrameCompressedSize(stored.data(), stored.size());
  return ZSTD_isError(size) ? std::nullopt : std::optional(size);
}

}  // namespace

bool is_zstd(std::string_view bytes) {
  return bytes.starts_with(kFrameMagic) || is_skippable(bytes);
}

std::uint64_t dictionary_frame_bytes(std::string_view bytes) {
  const bool is_dictionary = is_skippable(bytes) && static_cast<unsigned char>(bytes[0]) == kDictionaryByte;
  return is_dictionary ? kSkippableHeaderBytes + skippable_content_bytes(bytes) : 0;
}

std::unique_ptr<ContentStream> make_zstd_stream(InputWindow window, const ReadOptions& options, DefectSink sink) {
  return std::make_unique<ZstdStream>(std::move(window), options, std::move(sink));
}

}  // namespace paraprint::inline archive
