#include "archive/member_stream.h"

namespace paraprint {

namespace {
// Enough stored bytes to decode kMemberTestBytes of content from, also with a long gzip file name before it.
constexpr std::size_t kTestInputBytes = std::size_t{64} << 10;
}  // namespace

MemberStream::MemberStream(InputWindow window, const ReadOptions& options, DefectSink sink)
    : window_(std::move(window)),
      options_(options),
      sink_(std::move(sink)),
      member_test_([](std::string_view) { return true; }) {
  boundaries_.push_back({window_.offset_bytes(), 0, 0});
}

Result<std::string_view> MemberStream::peek(std::size_t wanted) {
  while (content_.size() < wanted && !break_pending_ && !finished_) {
    if (Status status = decode_more(); !status) return tl::unexpected<Error>(std::move(status.error()));
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
  if (Status status = window_.seek(start.stored_offset_bytes); !status) return status;
  reset_decoder();
  content_.clear();
  boundaries_.assign(1, start);
  content_offset_bytes_ = start.content_offset_bytes;
  defects_end_bytes_ = start.defects_end_bytes;
  break_pending_ = false;
  finished_ = false;
  return {};
}

void MemberStream::mark_boundary() {
  const Start start{window_.offset_bytes(), end_of_content(), 0};
  member_begin_bytes_ = start.stored_offset_bytes;
  // The end of one member and the start of the next are one mark, unless stray bytes lie between: then the break
  // between them has been passed when this is called, and only the start counts.
  if (boundaries_.back().content_offset_bytes == start.content_offset_bytes) {
    boundaries_.back() = start;
  } else {
    boundaries_.push_back(start);
  }
}

Status MemberStream::find_member(std::size_t from_bytes) {
  std::size_t from = from_bytes;
  while (true) {
    if (Status status = window_.ensure(from + kTestInputBytes); !status) return status;
    const std::size_t at = window_.view().find(magic(), from);
    if (at == std::string_view::npos) {
      // The end of the view may hold the start of a magic number.
      const std::size_t size = window_.view().size();
      const std::size_t keep = window_.is_complete() ? 0 : std::min(size, magic().size() - 1);
      window_.consume(size - keep);
      from = 0;
      if (window_.is_complete()) return {};
      continue;
    }
    window_.consume(at);
    if (Status status = window_.ensure(kTestInputBytes); !status) return status;
    const std::optional<std::string> prefix = decode_prefix(window_.view().substr(0, kTestInputBytes));
    if (prefix && member_test_(*prefix)) return {};
    from = 1;
  }
}

Status MemberStream::read_further(std::size_t& used) {
  if (window_.view().size() >= InputWindow::kReadBytes) {
    window_.consume(used);
    used = 0;
  }
  return window_.ensure(used + 1);
}

void MemberStream::report(DefectKind kind, std::uint64_t offset_bytes, std::uint64_t skipped_bytes,
                          std::string message) {
  if (offset_bytes < defects_end_bytes_) return;
  defects_end_bytes_ = offset_bytes + 1;
  sink_({kind, window_.path(), offset_bytes, skipped_bytes, 0, std::move(message)});
}

bool MemberStream::is_bomb(std::uint64_t stored_bytes, std::uint64_t produced_bytes) const {
  return produced_bytes > options_.bomb_threshold_bytes &&
         produced_bytes / (stored_bytes + 1) > options_.max_expansion_ratio;
}

}  // namespace paraprint
