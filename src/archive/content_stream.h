// The decompressed content of a file as one sequence of bytes with marks: where members (gzip members, zstd frames)
// begin and end in the stored file, and where damage interrupts the content.
//
// Records are found in the content. The marks determine whether a record can be addressed in the stored file, and they
// keep readers from joining the bytes before damage with those after it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>

#include "archive/input_window.h"
#include "archive/record.h"
#include "archive/record_reader.h"
#include "paraprint/read_options.h"
#include "paraprint/result.h"

namespace paraprint::inline archive {

class ContentStream {
 public:
  virtual ~ContentStream() = default;

  // Returns at least `wanted` bytes of content, fewer only before a break or the end. The view is valid until the next
  // call other than consume(), which only removes bytes from its front. Errors: kInputOutput.
  virtual Result<std::string_view> peek(std::size_t wanted) = 0;
  // `count` must not exceed the size of the last peek().
  virtual void consume(std::size_t count) = 0;

  // True if damage lies between the consumed content and the next byte; peek() returns nothing until pass_break().
  virtual bool at_break() const = 0;
  virtual void pass_break() = 0;

  // Offset of the next byte.
  virtual std::uint64_t content_offset_bytes() const = 0;
  // Offset of the next byte in the stored file if decoding can start or stop exactly there, otherwise nullopt.
  virtual std::optional<std::uint64_t> stored_offset_bytes() const = 0;
  // The last position at or before the next byte where decoding can start. Decoding runs ahead of consumption, so
  // damage may be reported early: `defects_end_bytes` prevents reporting it twice after restart(). `searched_bytes` is
  // the bounded search budget spent so far (member_stream.h).
  struct Start {
    std::uint64_t stored_offset_bytes = 0;
    std::uint64_t content_offset_bytes = 0;
    std::uint64_t defects_end_bytes = 0;
    std::uint64_t searched_bytes = 0;
  };
  virtual Start last_start() const = 0;
  virtual Status restart(const Start& start) = 0;

  virtual Compression compression() const = 0;
  virtual std::uint64_t stored_bytes_read() const = 0;

  // After damage, a candidate is accepted as a member only if its first content bytes pass `test`. Default: always
  // true.
  virtual void set_member_test(std::function<bool(std::string_view prefix)> test) = 0;
};

// Detects the compression from the first bytes of `window`, which is moved from. Damage is reported to `sink` as
// defects of the window's path. `options` is copied. Errors: kInputOutput.
Result<std::unique_ptr<ContentStream>> open_content(InputWindow window, const ReadOptions& options, DefectSink sink);

// Consumes `count` bytes of content, passing breaks. Errors: kInputOutput; kCorruptData if there are fewer bytes.
Status skip_content(ContentStream& stream, std::uint64_t count);

// Maximum number of content bytes passed to a member test.
inline constexpr std::size_t kMemberTestBytes = 4096;

// gzip files of any number of members (RFC 1952). Small members, the rule in web archives, are decoded at once by
// libdeflate; members larger than the buffers are decoded in pieces by zlib.
std::unique_ptr<ContentStream> make_gzip_stream(InputWindow window, const ReadOptions& options, DefectSink sink);

inline constexpr std::string_view kGzipMagic = "\x1f\x8b\x08";

// zstd files of any number of frames (RFC 8878), including the dictionary that .warc.zst files may contain in a
// skippable frame at their start (iipc/warc-specifications, warc-zstd).
std::unique_ptr<ContentStream> make_zstd_stream(InputWindow window, const ReadOptions& options, DefectSink sink);

// The length of the dictionary frame at the start of a file, or 0 if there is none. `bytes` must contain the file's
// first kSkippableHeaderBytes.
inline constexpr std::size_t kSkippableHeaderBytes = 8;
std::uint64_t dictionary_frame_bytes(std::string_view bytes);

// Whether `bytes` starts with a zstd frame or a skippable frame.
bool is_zstd(std::string_view bytes);

}  // namespace paraprint::inline archive
