// What gzip and zstd streams share: members one after the other, the buffer of decoded content, the marks, and the
// search for the next member after damage.
//
// The search: a member that does not decode is left with a break in the content behind what it gave, so that records
// never join over damage, and the search starts again right behind its magic number, not behind what it consumed: stray
// bytes that look like a member do not take the members behind them along. Found is what decodes to the start of a
// record (set_member_test). A frame without a checksum can decode and still be stray bytes that swallow real frames:
// one whose content is not the start of a record, while there is a frame inside that is, is taken for stray bytes.
//
// The cost: going back makes bytes be looked at again. All of that together is at most kSearchFactor times the stored
// bytes up to there, and kSearchBytes; beyond it the search goes on behind what has been looked at, which costs records
// only in files made to be slow.
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
  // Content put into a caller's room, or why there is none.
  struct Step {
    std::size_t read = 0;
    std::size_t written = 0;
    bool is_end = false;          // of the member, but for a trailer
    const char* error = nullptr;  // the member does not decode
  };

  // What members are called in messages.
  virtual std::string_view member_name() const = 0;
  // The first bytes of every member that is searched for.
  virtual std::string_view magic() const = 0;
  // Something of this format starts with `stored`.
  virtual bool begins_member(std::string_view stored) const { return stored.starts_with(magic()); }
  // A short cut: takes all that stands at the window's front. False if that can't be done, and then nothing is changed.
  virtual Result<bool> take_whole() = 0;
  // Makes the decoder ready for the member that starts with `stored`; the length of its header, nothing if that is
  // broken or not whole.
  virtual std::optional<std::size_t> begin_decoding(std::string_view stored) = 0;
  virtual Step decode_step(std::string_view stored, char* output, std::size_t room) = 0;
  // The member's last step is done and the window's view goes on with its trailer at piece_at().
  virtual Status finish_member() = 0;
  // The stored length of the member that starts with `stored` if nothing guards its content (no checksum) and all of it
  // is there; else nothing.
  virtual std::optional<std::size_t> unguarded_member_bytes(std::string_view) const { return std::nullopt; }

  // The next member starts, or the last one ended, at the window's front; the content so far belongs before it.
  void mark_boundary();
  // Consumes the member, which ended `trailer_bytes` after piece_at().
  void end_member(std::size_t trailer_bytes);
  // The member is damaged: a break follows what was decoded of it, and the search for the next one starts
  // `search_from` bytes behind its start.
  Status give_up(DefectKind kind, std::string_view what, std::size_t search_from);
  void report(DefectKind kind, std::uint64_t offset_bytes, std::uint64_t skipped_bytes, std::string message);
  std::uint64_t member_begin_bytes() const { return member_begin_bytes_; }
  std::uint64_t produced_bytes() const { return produced_bytes_; }
  std::size_t piece_at() const { return piece_at_; }

  InputWindow window_;
  ByteBuffer content_;

 private:
  // Appends content, or marks a break, or sets finished_. Called when more content is wanted.
  Status decode_more() { return inside_member_ ? decode_piece() : start_member(); }
  Status start_member();
  Status decode_piece();
  Status skip_stray(std::size_t search_from);
  // Moves the window to the next member at or after `from_bytes` of its view, or to the end of the file.
  Status find_member(std::size_t from_bytes);
  struct Trial {
    bool is_member = false;
    std::size_t looked_at_bytes = 0;  // stored and decoded
  };
  // What starts with `stored` decodes, and its content passes the test.
  Trial try_member(std::string_view stored);
  bool hides_member();
  // More stored bytes behind a view whose first piece_at_ bytes are decoded. They stay in view while the view is small:
  // if the member turns out to be damaged, the search for the next one goes back to its start.
  Status read_further();
  bool is_bomb() const;
  // Counts work that is done again; false when there has been too much of it.
  bool may_search_again(std::uint64_t looked_at_bytes);
  std::uint64_t end_of_content() const { return content_offset_bytes_ + content_.size(); }

  const ReadOptions options_;
  DefectSink sink_;
  std::function<bool(std::string_view)> member_test_;
  std::deque<Start> boundaries_;  // ascending; the first is at or before the next byte
  std::uint64_t content_offset_bytes_ = 0;
  std::uint64_t defects_end_bytes_ = 0;
  std::uint64_t searched_bytes_ = 0;
  bool break_pending_ = false;
  bool finished_ = false;

  // Of the member that is being decoded. The window's view starts at its start while it fits.
  bool inside_member_ = false;
  std::uint64_t member_begin_bytes_ = 0;  // stored offset
  std::size_t piece_at_ = 0;              // in the window's view
  std::uint64_t produced_bytes_ = 0;
};

}  // namespace paraprint
