#include "archive/zstd_stream.h"

#include <fmt/format.h>
#include <zstd.h>

#include <algorithm>

#include "archive/member_stream.h"

namespace paraprint {
namespace {

constexpr std::string_view kFrameMagic = "\x28\xb5\x2f\xfd";
constexpr std::string_view kSkippableMagicTail = "\x2a\x4d\x18";  // after a byte 0x50 to 0x5f
constexpr unsigned char kDictionaryByte = 0x5d;
// Dictionaries are about 1 MiB; a larger one is not loaded, and the frames that need it are reported as broken.
constexpr std::size_t kMaxDictionaryBytes = std::size_t{64} << 20;
constexpr std::size_t kRefillBytes = std::size_t{512} << 10;
constexpr std::size_t kPieceBytes = std::size_t{256} << 10;

bool is_skippable(std::string_view bytes) {
  return bytes.size() >= 4 && (static_cast<unsigned char>(bytes[0]) & 0xF0) == 0x50 &&
         bytes.substr(1, 3) == kSkippableMagicTail;
}

// The size that a skippable frame's header states, 0 if the header is cut.
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

// A dictionary frame's content: the dictionary itself or a zstd frame that holds it. Empty if it can't be had.
std::string unpack_dictionary(std::string_view stored) {
  if (!stored.starts_with(kFrameMagic)) return std::string(stored);
  const unsigned long long size = ZSTD_getFrameContentSize(stored.data(), stored.size());
  if (size == ZSTD_CONTENTSIZE_ERROR || (size != ZSTD_CONTENTSIZE_UNKNOWN && size > kMaxDictionaryBytes)) return {};
  std::string content;
  Context context(ZSTD_createDCtx());
  ZSTD_inBuffer input{stored.data(), stored.size(), 0};
  while (content.size() < kMaxDictionaryBytes) {
    const std::size_t begin = content.size();
    content.resize(begin + kPieceBytes);
    ZSTD_outBuffer output{content.data() + begin, kPieceBytes, 0};
    const std::size_t left = ZSTD_decompressStream(context.get(), &output, &input);
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
      : MemberStream(std::move(window), options, std::move(sink)), context_(ZSTD_createDCtx()) {}

  Compression compression() const override { return Compression::kZstd; }

 private:
  Status decode_more() override { return inside_member_ ? decode_piece() : start_member(); }
  void reset_decoder() override {
    ZSTD_DCtx_reset(context_.get(), ZSTD_reset_session_only);
    inside_member_ = false;
  }
  std::string_view magic() const override { return kFrameMagic; }
  std::optional<std::string> decode_prefix(std::string_view stored) override;

  Status start_member();
  Status skip_frame();
  Status decode_piece();
  Status give_up(DefectKind kind, const char* what, std::size_t search_from);

  Context context_;
  std::string dictionary_;
  bool inside_member_ = false;
  std::size_t piece_at_ = 0;  // in the window's view
  std::uint64_t produced_bytes_ = 0;
};

Status ZstdStream::start_member() {
  if (window_.view().size() < kRefillBytes) {
    if (Status status = window_.ensure(InputWindow::kReadBytes); !status) return status;
  }
  mark_boundary();
  if (window_.view().empty()) {
    finished_ = true;
    return {};
  }
  if (is_skippable(window_.view())) return skip_frame();
  if (!window_.view().starts_with(kFrameMagic)) {
    const std::uint64_t begin = window_.offset_bytes();
    if (Status status = find_member(0); !status) return status;
    report(DefectKind::kStrayBytes, begin, window_.offset_bytes() - begin, "bytes that are no zstd frame");
    mark_break();
    return {};
  }
  inside_member_ = true;
  piece_at_ = 0;
  produced_bytes_ = 0;
  return {};
}

Status ZstdStream::skip_frame() {
  const std::uint64_t begin = window_.offset_bytes();
  const std::uint64_t size = skippable_content_bytes(window_.view());
  const bool is_dictionary = begin == 0 && dictionary_frame_bytes(window_.view()) > 0 && size <= kMaxDictionaryBytes;
  if (is_dictionary) {
    if (Status status = window_.ensure(kSkippableHeaderBytes + size); !status) return status;
    dictionary_ =
        unpack_dictionary(window_.view().substr(std::min(kSkippableHeaderBytes, window_.view().size()), size));
    if (dictionary_.empty() ||
        ZSTD_isError(ZSTD_DCtx_loadDictionary(context_.get(), dictionary_.data(), dictionary_.size()))) {
      report(DefectKind::kBrokenCompression, begin, kSkippableHeaderBytes + size, "the zstd dictionary can't be used");
    }
  }
  std::uint64_t left = kSkippableHeaderBytes + size;
  while (left > 0) {
    if (window_.view().empty()) {
      if (Status status = window_.ensure(1); !status) return status;
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

Status ZstdStream::decode_piece() {
  if (piece_at_ == window_.view().size()) {
    if (Status status = read_further(piece_at_); !status) return status;
    if (piece_at_ == window_.view().size()) {
      return give_up(DefectKind::kTruncatedCompression, "the file ends inside a member", 1);
    }
  }
  ZSTD_outBuffer output{content_.reserve(kPieceBytes), kPieceBytes, 0};
  ZSTD_inBuffer input{window_.view().data(), window_.view().size(), piece_at_};
  const std::size_t left = ZSTD_decompressStream(context_.get(), &output, &input);
  content_.commit(output.pos);
  produced_bytes_ += output.pos;
  piece_at_ = input.pos;
  if (ZSTD_isError(left)) return give_up(DefectKind::kBrokenCompression, ZSTD_getErrorName(left), 1);
  if (left == 0) {
    window_.consume(piece_at_);
    piece_at_ = 0;
    inside_member_ = false;
    mark_boundary();
    return {};
  }
  if (is_bomb(window_.offset_bytes() + piece_at_ - member_begin_bytes_, produced_bytes_)) {
    return give_up(DefectKind::kCompressionBomb, "the frame expands beyond the limit (max_expansion_ratio)", piece_at_);
  }
  return {};
}

Status ZstdStream::give_up(DefectKind kind, const char* what, std::size_t search_from) {
  const std::uint64_t begin = member_begin_bytes_;
  const bool holds_start = window_.offset_bytes() == begin;
  reset_decoder();
  if (Status status = find_member(holds_start ? search_from : std::min(search_from, piece_at_)); !status) {
    return status;
  }
  report(kind, begin, window_.offset_bytes() - begin,
         fmt::format("{}; {} bytes of content before the damage are used", what, produced_bytes_));
  produced_bytes_ = 0;
  piece_at_ = 0;
  mark_break();
  return {};
}

std::optional<std::string> ZstdStream::decode_prefix(std::string_view stored) {
  Context context(ZSTD_createDCtx());
  if (!dictionary_.empty()) ZSTD_DCtx_loadDictionary(context.get(), dictionary_.data(), dictionary_.size());
  std::string prefix(kMemberTestBytes, '\0');
  ZSTD_inBuffer input{stored.data(), stored.size(), 0};
  ZSTD_outBuffer output{prefix.data(), prefix.size(), 0};
  if (ZSTD_isError(ZSTD_decompressStream(context.get(), &output, &input))) return std::nullopt;
  prefix.resize(output.pos);
  return prefix;
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

}  // namespace paraprint
