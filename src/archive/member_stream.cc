// The decoding loop and the search after damage; the header describes the search and its cost.
//
// Content is decoded ahead of consumption and may cover many members, so member boundaries are queued with their
// content offsets and dropped once consumption has passed them.
#include "archive/member_stream.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/propagate.h"

namespace paraprint::inline archive {
namespace {
// Enough stored bytes to decode kMemberTestBytes of content: zstd yields nothing before a block of up to 128 KiB is
// complete.
constexpr std::size_t kTestInputBytes = std::size_t{160} << 10;
// Refill only below this size, because refilling copies the remaining bytes to the buffer's front.
constexpr std::size_t kRefillBytes = std::size_t{512} << 10;
constexpr std::size_t kPieceBytes = std::size_t{256} << 10;
constexpr std::size_t kMaxHeaderBytes = std::size_t{1} << 20;  // gzip: name, comment and extra field together
// The search budget, see the header. Accidental damage stays far below kSearchBytes.
constexpr std::uint64_t kSearchBytes = std::uint64_t{64} << 20;
constexpr std::uint64_t kSearchFactor = 8;
// A trial has a fixed cost comparable to decoding this many bytes. Without budget the search advances by as much.
constexpr std::size_t kTrialBytes = 1024;
}  // namespace

MemberStream::MemberStream(InputWindow window, const ReadOptions& options, DefectSink sink)
    : window_(std::move(window)),
      options_(options),
      sink_(std::move(sink)),
      member_test_([](std::string_view) { return true; }) {
  boundaries_.push_back({window_.offset_bytes(), 0, 0, 0});
}

Result<std::string_view> MemberStream::peek(std::size_t wanted) {
  while (content_.size() < wanted && !break_pending_ && !finished_) {
    PARAPRINT_TRY(decode_more());
  }
  return content_.view();
}

void MemberStream::consume(std::size_t count) {
  content_.consume(count);
  content_offset_bytes_ += count;
  while (boundaries_.size() > 1 && boundaries_[1].content_offset_bytes <= content_offset_bytes_) {
    boundaries_.pop_front();
  }
}

// Only the boundary itself has a stored offset: inside a member, stored and content bytes do not correspond.
std::optional<std::uint64_t> MemberStream::stored_offset_bytes() const {
  const Start& start = boundaries_.front();
  if (start.content_offset_bytes != content_offset_bytes_) return std::nullopt;
  return start.stored_offset_bytes;
}

ContentStream::Start MemberStream::last_start() const {
  Start start = boundaries_.front();
  start.defects_end_bytes = defects_end_bytes_;
  return start;
}

Status MemberStream::restart(const Start& start) {
  PARAPRINT_TRY(window_.seek(start.stored_offset_bytes));
  inside_member_ = false;
  content_.clear();
  boundaries_.assign(1, start);
  content_offset_bytes_ = start.content_offset_bytes;
  defects_end_bytes_ = start.defects_end_bytes;
  searched_bytes_ = start.searched_bytes;
  break_pending_ = false;
  finished_ = false;
  return {};
}

void MemberStream::mark_boundary() {
  const Start start{window_.offset_bytes(), end_of_content(), 0, searched_bytes_};
  member_begin_bytes_ = start.stored_offset_bytes;
  // The end of one member and the start of the next share a mark. If stray bytes lie between them, their break has been
  // passed by now, so only the start matters.
  if (boundaries_.back().content_offset_bytes == start.content_offset_bytes) {
    boundaries_.back() = start;
  } else {
    boundaries_.push_back(start);
  }
}

void MemberStream::end_member(std::size_t trailer_bytes) {
  window_.consume(piece_at_ + trailer_bytes);
  inside_member_ = false;
  piece_at_ = 0;
  mark_boundary();
}

// Tries the cheap ways first: whole member at once, then piece by piece. Stray bytes are recognised before decoding, so
// their content never reaches a reader.
Status MemberStream::start_member() {
  if (window_.view().size() < kRefillBytes) {
    PARAPRINT_TRY(window_.ensure(kRefillBytes));
  }
  mark_boundary();
  if (window_.view().empty()) {
    finished_ = true;
    return {};
  }
  if (!begins_member(window_.view())) return skip_stray(0);
  is_beyond_limit_ = has_expanded_beyond_limit();
  PARAPRINT_ASSIGN(bool is_taken, take_whole());
  if (is_taken) return {};
  // The member is incomplete in the window, damaged, or large.
  PARAPRINT_TRY(window_.ensure(kMaxHeaderBytes));
  if (hides_member()) return skip_stray(1);
  piece_at_ = 0;
  produced_bytes_ = 0;
  const std::optional<std::size_t> header = begin_decoding(window_.view().substr(0, kMaxHeaderBytes));
  if (!header) {
    const bool is_cut = window_.is_complete() && window_.view().size() < kMaxHeaderBytes;
    return give_up(is_cut ? DefectKind::kTruncatedCompression : DefectKind::kBrokenCompression,
                   "the member's header is incomplete or malformed", 1);
  }
  inside_member_ = true;
  piece_at_ = *header;
  return {};
}

Status MemberStream::skip_stray(std::size_t search_from) {
  const std::uint64_t begin = window_.offset_bytes();
  PARAPRINT_TRY(find_member(search_from));
  report(DefectKind::kStrayBytes, begin, window_.offset_bytes() - begin,
         fmt::format("bytes outside any {}", member_name()));
  break_pending_ = true;
  return {};
}

// Bombs are detected per piece: without the check, a small file could expand ten thousand times (zstd). The search then
// continues after the bytes decoded so far, which are known to be this member's. Beyond the limit of the file, not even
// the piece that shows it is used.
Status MemberStream::decode_piece() {
  if (piece_at_ == window_.view().size()) {
    PARAPRINT_TRY(read_further());
    if (piece_at_ == window_.view().size()) {
      return give_up(DefectKind::kTruncatedCompression, "the file ends inside a member", 1);
    }
  }
  const Step step = decode_step(window_.view().substr(piece_at_), content_.reserve(kPieceBytes), kPieceBytes);
  piece_at_ += step.read;
  produced_bytes_ += step.written;
  const bool is_cut = (is_beyond_limit_ || !step.is_end) && !step.error && is_bomb();
  if (is_cut && is_beyond_limit_) {
    produced_bytes_ -= step.written;
  } else {
    content_.commit(step.written);
  }
  if (step.error) return give_up(DefectKind::kBrokenCompression, step.error, 1);
  if (is_cut) {
    return give_up(DefectKind::kCompressionBomb,
                   fmt::format("the {} expands beyond the limit (max_expansion_ratio)", member_name()), piece_at_);
  }
  return step.is_end ? finish_member() : Status{};
}

// The budget decides whether the search may go back to the start of the member; without budget it continues where
// decoding stopped. The defect is reported after the search, when the number of skipped bytes is known.
Status MemberStream::give_up(DefectKind kind, std::string_view what, std::size_t search_from) {
  const std::uint64_t begin = member_begin_bytes_;
  const std::uint64_t produced = produced_bytes_;
  const bool may_go_back = may_search_again(piece_at_ + produced);
  // For a member larger than the window, the start is gone; search what is still in view.
  std::size_t from = window_.offset_bytes() == begin ? search_from : std::min(search_from, piece_at_);
  if (!may_go_back) from = std::max(from, piece_at_);
  inside_member_ = false;
  piece_at_ = 0;
  produced_bytes_ = 0;
  PARAPRINT_TRY(find_member(from));
  report(kind, begin, window_.offset_bytes() - begin,
         fmt::format("{}; the {} bytes of content before the damage are used", what, produced));
  break_pending_ = true;
  return {};
}

// Every occurrence of the magic number is tried. The window is moved to each candidate, because a trial needs up to
// kTestInputBytes in view. Nothing is reported here; the caller knows why it searches.
Status MemberStream::find_member(std::size_t from_bytes) {
  std::size_t from = from_bytes;
  while (true) {
    PARAPRINT_TRY(window_.ensure(from + kTestInputBytes));
    const std::size_t at = window_.view().find(magic(), from);
    if (at == std::string_view::npos) {
      // The magic number may straddle the end of the view.
      const std::size_t size = window_.view().size();
      const std::size_t keep = window_.is_complete() ? 0 : std::min(size, magic().size() - 1);
      window_.consume(size - keep);
      from = 0;
      if (window_.is_complete()) return {};
      continue;
    }
    window_.consume(at);
    PARAPRINT_TRY(window_.ensure(kTestInputBytes));
    const Trial trial = try_member(window_.view());
    if (trial.is_member) return {};
    from = may_search_again(trial.looked_at_bytes) ? 1 : std::min(kTrialBytes, window_.view().size());
  }
}

// Decodes only a prefix: a record header near the front is enough to accept a candidate.
MemberStream::Trial MemberStream::try_member(std::string_view stored) {
  stored = stored.substr(0, kTestInputBytes);
  Trial trial{false, kTrialBytes};
  const std::optional<std::size_t> header = begin_decoding(stored);
  if (!header) return trial;
  std::string content(kMemberTestBytes, '\0');
  const Step step = decode_step(stored.substr(*header), content.data(), content.size());
  trial.looked_at_bytes += *header + step.read + step.written;
  trial.is_member = !step.error && member_test_(std::string_view(content).substr(0, step.written));
  return trial;
}

bool MemberStream::hides_member() {
  const std::string_view view = window_.view();
  const std::size_t size = unguarded_member_bytes(view).value_or(0);
  // There is nearly always no magic number inside, so nothing is decoded twice.
  std::size_t at = view.substr(0, size).find(magic(), 1);
  if (at == std::string_view::npos || try_member(view).is_member) return false;
  for (; at != std::string_view::npos; at = view.substr(0, size).find(magic(), at + 1)) {
    const Trial trial = try_member(view.substr(at));
    if (trial.is_member) return true;
    if (!may_search_again(trial.looked_at_bytes)) return false;
  }
  return false;
}

Status MemberStream::read_further() {
  if (window_.view().size() >= InputWindow::kReadBytes) {
    window_.consume(piece_at_);
    piece_at_ = 0;
  }
  return window_.ensure(piece_at_ + 1);
}

bool MemberStream::may_search_again(std::uint64_t looked_at_bytes) {
  searched_bytes_ += looked_at_bytes;
  return searched_bytes_ <= kSearchBytes + kSearchFactor * window_.offset_bytes();
}

// After restart() the same damage may be met again; it was reported if it starts before defects_end_bytes_.
void MemberStream::report(DefectKind kind, std::uint64_t offset_bytes, std::uint64_t skipped_bytes,
                          std::string message) {
  if (offset_bytes < defects_end_bytes_) return;
  defects_end_bytes_ = offset_bytes + 1;
  sink_({kind, window_.path(), offset_bytes, skipped_bytes, 0, std::move(message)});
}

bool MemberStream::has_expanded_beyond_limit() const {
  const std::uint64_t produced_bytes = end_of_content();
  const std::uint64_t stored_bytes = window_.disk_bytes_behind(window_.offset_bytes());
  return produced_bytes > options_.bomb_threshold_bytes &&
         (produced_bytes - options_.bomb_threshold_bytes) / (stored_bytes + 1) > options_.max_expansion_ratio;
}

// The threshold spares small members: a short run of one byte may compress extremely well without doing harm.
bool MemberStream::is_bomb() const {
  const std::uint64_t end = window_.offset_bytes() + piece_at_;
  const std::uint64_t stored_bytes =
      is_beyond_limit_ ? window_.disk_bytes_behind(end) - window_.disk_bytes_behind(member_begin_bytes_)
                       : end - member_begin_bytes_;
  return (is_beyond_limit_ || produced_bytes_ > options_.bomb_threshold_bytes) &&
         produced_bytes_ / (stored_bytes + 1) > options_.max_expansion_ratio;
}

}  // namespace paraprint::inline archive
