// The content of a file, whatever it is compressed with, as one run of bytes with marks: where members (gzip members,
// zstd frames) begin and end in the stored file, and where damage interrupts the content.
//
// Records are found in the content; the marks tell whether a record can be addressed in the stored file, and a reader
// never mistakes the bytes after damage for the continuation of those before.
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

namespace paraprint {

class ContentStream {
 public:
  virtual ~ContentStream() = default;

  // At least `wanted` bytes of content, fewer only before a break or the end; maybe more. Valid until the next call
  // but consume(), which shortens it from the front. Errors: kInputOutput.
  virtual Result<std::string_view> peek(std::size_t wanted) = 0;
  // At most as many as the last peek() gave.
  virtual void consume(std::size_t count) = 0;

  // Damage lies between the content consumed and what comes next; peek() gives nothing until pass_break().
  virtual bool at_break() const = 0;
  virtual void pass_break() = 0;

  // Of the next byte.
  virtual std::uint64_t content_offset_bytes() const = 0;
  // Where the next byte stands in the stored file, if decoding can start or stop just there.
  virtual std::optional<std::uint64_t> stored_offset_bytes() const = 0;
  // The last place at or before the next byte where decoding can start, and its content offset. Decoding runs ahead of
  // what is consumed, so damage may be reported early: `defects_end_bytes` keeps it from being reported twice.
  // `searched_bytes` is the work spent on searching behind damage up to there, which is bounded (member_stream.h).
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

  // After damage, a member is only taken for one when its first bytes pass this test. Default: all do.
  virtual void set_member_test(std::function<bool(std::string_view prefix)> test) = 0;
};

// Tells the compression from the first bytes of `window` and takes it over. Damage goes to `sink` as defects of
// the window's path. `options` is copied.
Result<std::unique_ptr<ContentStream>> open_content(InputWindow window, const ReadOptions& options, DefectSink sink);

// Consumes `count` bytes of content, over breaks if need be. Errors: kCorruptData if there are fewer.
Status skip_content(ContentStream& stream, std::uint64_t count);

// How many bytes of a member's content its test may look at.
inline constexpr std::size_t kMemberTestBytes = 4096;

}  // namespace paraprint
