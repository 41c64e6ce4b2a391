// Choice of the decoder by magic number, and the trivial stream for uncompressed files. File names are not consulted,
// so a misnamed file is read correctly.
#include "archive/content_stream.h"

#include <algorithm>
#include <utility>

#include "base/propagate.h"

namespace paraprint::inline archive {
namespace {

// Uncompressed files: the window is the content, every byte can be addressed, and there is no damage to skip.
class PlainStream final : public ContentStream {
 public:
  explicit PlainStream(InputWindow window) : window_(std::move(window)) {}

  Result<std::string_view> peek(std::size_t wanted) override {
    PARAPRINT_TRY(window_.ensure(wanted));
    return window_.view();
  }
  void consume(std::size_t count) override { window_.consume(count); }
  bool at_break() const override { return false; }
  void pass_break() override {}
  std::uint64_t content_offset_bytes() const override { return window_.offset_bytes(); }
  std::optional<std::uint64_t> stored_offset_bytes() const override { return window_.offset_bytes(); }
  Start last_start() const override { return {window_.offset_bytes(), window_.offset_bytes(), 0}; }
  Status restart(const Start& start) override { return window_.seek(start.stored_offset_bytes); }
  Compression compression() const override { return Compression::kNone; }
  std::uint64_t stored_bytes_read() const override { return window_.offset_bytes(); }
  void set_member_test(std::function<bool(std::string_view)>) override {}

 private:
  InputWindow window_;
};

}  // namespace

Result<std::unique_ptr<ContentStream>> open_content(InputWindow window, const ReadOptions& options, DefectSink sink) {
  constexpr std::size_t kMagicBytes = 4;
  PARAPRINT_TRY(window.ensure(kMagicBytes));
  const std::string_view first = window.view();
  if (first.starts_with(kGzipMagic)) return make_gzip_stream(std::move(window), options, std::move(sink));
  if (is_zstd(first)) return make_zstd_stream(std::move(window), options, std::move(sink));
  return std::make_unique<PlainStream>(std::move(window));
}

// Used for resuming and copying: the content was read before, so fewer bytes mean that the file has changed.
Status skip_content(ContentStream& stream, std::uint64_t count) {
  while (count > 0) {
    PARAPRINT_ASSIGN(std::string_view view, stream.peek(1));
    if (view.empty()) {
      if (!stream.at_break()) {
        return failure(ErrorCode::kCorruptData, "the input has changed: it is now shorter than when it was first read");
      }
      stream.pass_break();
      continue;
    }
    const std::size_t step = static_cast<std::size_t>(std::min<std::uint64_t>(count, view.size()));
    stream.consume(step);
    count -= step;
  }
  return {};
}

}  // namespace paraprint::inline archive
