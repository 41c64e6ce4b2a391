// The common base of gzip and zstd streams: consecutive members, the buffer of decoded content, the marks, and the
// search for the next member after damage.
//
// Search: if a member does not decode, its content so far is followed by a break, so that records never continue across
// damage. The search restarts right after the member's magic number, not after the bytes it consumed: stray bytes that
// look like a member then do not hide the members inside them. A candidate is accepted if it decodes to the start of a
// record (set_member_test). A zstd frame without a checksum may decode although it is stray bytes covering real frames:
// it is treated as stray if its content does not start a record while a frame inside it does.
//
// Expansion: a member is cut off where it has expanded beyond the limit of ReadOptions. Many members, each of which is
// small enough, could still make a small file endless. So all content is compared with all stored bytes as well, on
// disk if the file is compressed within a ZIP file. From where a file has expanded beyond the limit as a whole, members
// are cut off that exceed the ratio by themselves, however small, and all others are read as before. Both counts are
// those of the place in the file, so that a resumed run decides alike.
//
// Cost: going back means examining bytes repeatedly. All of that is limited to kSearchBytes plus kSearchFactor times
// the stored bytes before that position. Beyond the limit the search continues after the bytes already examined; only
// adversarial files lose records that way.
#pragma once

#include <deque>
#include <string>
#include <utility>

#include "archive/content_stream.h"

namespace paraprint::inline archive {

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
  // The result of decoding into the caller's memory.
  struct Step {
    std::size_t read = 0;
    std::size_t written = 0;
    bool is_end = false;          // the member ends here, except for its trailer
    const char* error = nullptr;  // if the member does not decode
  };

  // The name of a member in messages.
  virtual std::string_view member_name() const = 0;
  // The first bytes of every member; the search looks for them.
  virtual std::string_view magic() const = 0;
  // Whether a member, or anything else this format skips, starts at the front of `stored`.
  virtual bool begins_member(std::string_view stored) const { return stored.starts_with(magic()); }
  // A shortcut: consumes and decodes the whole member at the window's front. Returns false, with nothing consumed, if
  // that is impossible.
  virtual Result<bool> take_whole() = 0;
  // Prepares the decoder for the member at the front of `stored`. Returns the length of its header, or nullopt if that
  // is malformed or incomplete.
  virtual std::optional<std::size_t> begin_decoding(std::string_view stored) = 0;
  virtual Step decode_step(std::string_view stored, char* output, std::size_t room) = 0;
  // Called after the last step of a member; its trailer starts at piece_at() of the window's view.
  virtual Status finish_member() = 0;
  // The stored length of the member at the front of `stored` if it is complete and its content has no checksum,
  // otherwise nullopt.
  virtual std::optional<std::size_t> unguarded_member_bytes(std::string_view) const { return std::nullopt; }

  // Marks the window's front as the end of the last member and the start of the next; all content so far precedes it.
  void mark_boundary();
  // Consumes the member, which ends `trailer_bytes` after piece_at().
  void end_member(std::size_t trailer_bytes);
  // Abandons a damaged member: a break follows the content decoded so far, and the search for the next member starts
  // `search_from` bytes after this member's start.
  Status give_up(DefectKind kind, std::string_view what, std::size_t search_from);
  void report(DefectKind kind, std::uint64_t offset_bytes, std::uint64_t skipped_bytes, std::string message);
  std::uint64_t member_begin_bytes() const { return member_begin_bytes_; }
  // Whether the file has expanded beyond the limit before the member that begins now. No shortcut may decode it then.
  bool is_beyond_limit() const { return is_beyond_limit_; }
  std::uint64_t produced_bytes() const { return produced_bytes_; }
  std::size_t piece_at() const { return piece_at_; }

  InputWindow window_;
  ByteBuffer content_;

 private:
  // Appends content, marks a break, or sets finished_.
  Status decode_more() { return inside_member_ ? decode_piece() : start_member(); }
  Status start_member();
  Status decode_piece();
  Status skip_stray(std::size_t search_from);
  // Advances the window to the next member at or after `from_bytes` of its view, or to the end of the file.
  Status find_member(std::size_t from_bytes);
  struct Trial {
    bool is_member = false;
    std::size_t looked_at_bytes = 0;  // examined: stored plus decoded
  };
  // Tests whether `stored` decodes and its content passes the member test.
  Trial try_member(std::string_view stored);
  // Whether the unguarded member at the window's front is stray bytes that contain a real member.
  bool hides_member();
  // Reads more stored bytes. The decoded ones stay in view while the view is small, because the search goes back to the
  // member's start if it turns out to be damaged.
  Status read_further();
  bool has_expanded_beyond_limit() const;
  bool is_bomb() const;
  // Charges repeated work to the search budget; returns false once it is exhausted.
  bool may_search_again(std::uint64_t looked_at_bytes);
  std::uint64_t end_of_content() const { return content_offset_bytes_ + content_.size(); }

  const ReadOptions options_;
  DefectSink sink_;
  std::function<bool(std::string_view)> member_test_;
  std::deque<Start> boundaries_;  // ascending and never empty; the first is at or before the next byte
  std::uint64_t content_offset_bytes_ = 0;
  std::uint64_t defects_end_bytes_ = 0;
  std::uint64_t searched_bytes_ = 0;
  bool break_pending_ = false;
  bool finished_ = false;

  // State of the member being decoded. The window's view begins at the member's start as long as that fits.
  bool inside_member_ = false;
  bool is_beyond_limit_ = false;
  std::uint64_t member_begin_bytes_ = 0;  // stored offset
  std::size_t piece_at_ = 0;              // in the window's view
  std::uint64_t produced_bytes_ = 0;
};

}  // namespace paraprint::inline archive
