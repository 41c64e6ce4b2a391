// What gzip and zstd streams share: the buffer of decoded content, the marks, the search for the next member.
#pragma once

#include <deque>
#include <string>
#include <utility>

#include "archive/content_stream.h"

namespace paraprint {

class MemberStream : public ContentStream {
 public:
  MemberStream(InputWindow window, const ReadOptions& options, DefectSink sink);

  Result<std::string_view> peek(std::size_t wanted) final;
  void consume(std::size_t count) final;
  bool at_break() const final { return break_pending_ && content_.size() == 0; }
  void pass_break() final { break_pending_ = false; }
  std::uint64_t content_offset_bytes() const final { return content_offset_bytes_; }
  std::optional<std::uint64_t> stored_offset_bytes() const final;
  Start last_start() const final;
  Status restart(const Start& start) final;
  std::uint64_t stored_bytes_read() const final { return window_.offset_bytes(); }
  void set_member_test(std::function<bool(std::string_view)> test) final { member_test_ = std::move(test); }

 protected:
  // Appends content, or marks a break, or sets finished_. Called when more content is wanted.
  virtual Status decode_more() = 0;
  // Forgets the state inside a member.
  virtual void reset_decoder() = 0;
  // The first bytes of every member.
  virtual std::string_view magic() const = 0;
  // The first bytes (at most kMemberTestBytes) of the content of what may be a member; nothing if it does not decode.
  virtual std::optional<std::string> decode_prefix(std::string_view stored) = 0;

  // The next member starts, or the last one ended, at the window's front; the content so far belongs before it.
  void mark_boundary();
  void mark_break() { break_pending_ = true; }
  // Moves the window to the next member at or after `from_bytes` of its view, or to the end of the file.
  Status find_member(std::size_t from_bytes);
  // More stored bytes behind a view whose first `used` bytes are decoded. They stay in view while the view is small:
  // if the member turns out to be damaged, the search for the next one goes back to its start.
  Status read_further(std::size_t& used);
  void report(DefectKind kind, std::uint64_t offset_bytes, std::uint64_t skipped_bytes, std::string message);
  bool is_bomb(std::uint64_t stored_bytes, std::uint64_t produced_bytes) const;

  InputWindow window_;
  ByteBuffer content_;
  const ReadOptions options_;
  std::uint64_t member_begin_bytes_ = 0;  // stored offset of the current member
  bool finished_ = false;

 private:
  std::uint64_t end_of_content() const { return content_offset_bytes_ + content_.size(); }

  DefectSink sink_;
  std::function<bool(std::string_view)> member_test_;
  std::deque<Start> boundaries_;  // ascending; the first is at or before the next byte
  std::uint64_t content_offset_bytes_ = 0;
  std::uint64_t defects_end_bytes_ = 0;
  bool break_pending_ = false;
};

}  // namespace paraprint
