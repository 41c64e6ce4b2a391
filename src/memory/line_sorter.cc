// Runs and their merge.
#include "memory/line_sorter.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>

#include "base/assert.h"
#include "base/propagate.h"
#include "base/stop.h"

namespace paraprint::inline memory {
namespace {

constexpr std::size_t kSizeBytes = sizeof(std::uint32_t);
constexpr std::size_t kWriteBytes = std::size_t{1} << 20;

void append_size(std::uint32_t size, std::string& out) {
  std::array<char, kSizeBytes> bytes{};
  std::memcpy(bytes.data(), &size, kSizeBytes);
  out.append(bytes.data(), bytes.size());
}

}  // namespace

Status LineSorter::push(std::string_view line) {
  PARAPRINT_ASSERT(!finished_);
  const std::size_t used = bytes_.size() + places_.size() * sizeof(LinePlace);
  if (!places_.empty() && used + line.size() + sizeof(LinePlace) > options_.memory_limit_bytes) {
    PARAPRINT_TRY(spill());
  }
  places_.push_back({bytes_.size(), static_cast<std::uint32_t>(line.size())});
  bytes_.append(line);
  if (--lines_until_check_ > 0) return {};
  lines_until_check_ = kLinesBetweenChecks;
  return check_stop();
}

void LineSorter::sort() {
  std::sort(places_.begin(), places_.end(),
            [this](const LinePlace& a, const LinePlace& b) { return line_at(a) < line_at(b); });
  const auto end = std::unique(places_.begin(), places_.end(),
                               [this](const LinePlace& a, const LinePlace& b) { return line_at(a) == line_at(b); });
  places_.erase(end, places_.end());
}

Status LineSorter::spill() {
  sort();
  if (!file_.is_open()) {
    Result<TemporaryFile> file = TemporaryFile::create(options_.temporary_directory);
    if (!file) return tl::unexpected<Error>(file.error());
    file_ = std::move(*file);
  }
  SortedLines run;
  run.next_bytes = file_.size_bytes();
  std::string buffer;
  for (const LinePlace& place : places_) {
    append_size(place.size, buffer);
    buffer.append(line_at(place));
    if (buffer.size() < kWriteBytes) continue;
    PARAPRINT_TRY(file_.append(std::as_bytes(std::span<const char>(buffer))));
    buffer.clear();
  }
  PARAPRINT_TRY(file_.append(std::as_bytes(std::span<const char>(buffer))));
  run.end_bytes = file_.size_bytes();
  runs_.push_back(std::move(run));
  bytes_.clear();
  places_.clear();
  return check_stop();
}

// The run with the smallest line on top.
auto LineSorter::later() {
  return [this](std::size_t left, std::size_t right) { return runs_[right].line < runs_[left].line; };
}

Status LineSorter::finish() {
  PARAPRINT_ASSERT(!finished_);
  finished_ = true;
  if (runs_.empty()) {
    sort();
    return {};
  }
  PARAPRINT_TRY(spill());
  bytes_ = {};
  places_ = {};
  window_bytes_ = std::max<std::size_t>(kMinimumBufferBytes, options_.memory_limit_bytes / runs_.size());
  for (std::size_t index = 0; index < runs_.size(); ++index) {
    PARAPRINT_ASSIGN(const bool has_line, advance(runs_[index]));
    if (has_line) heap_.push_back(index);
  }
  std::make_heap(heap_.begin(), heap_.end(), later());
  return {};
}

// Keeps what is left of the window and reads until it has `wanted_bytes`, or more.
Status LineSorter::fill(SortedLines& run, std::size_t wanted_bytes) {
  run.window.erase(0, run.at);
  run.at = 0;
  const std::size_t kept = run.window.size();
  const std::uint64_t room = std::max(window_bytes_, wanted_bytes) - kept;
  const std::size_t count = static_cast<std::size_t>(std::min<std::uint64_t>(room, run.end_bytes - run.next_bytes));
  run.window.resize(kept + count);
  PARAPRINT_TRY(file_.read(run.next_bytes, std::as_writable_bytes(std::span<char>(run.window).subspan(kept))));
  run.next_bytes += count;
  return {};
}

Result<bool> LineSorter::advance(SortedLines& run) {
  if (run.line.data() != nullptr) run.at += kSizeBytes + run.line.size();
  if (run.window.size() - run.at < kSizeBytes) {
    if (run.window.size() == run.at && run.next_bytes == run.end_bytes) {
      run.window = {};
      return false;
    }
    PARAPRINT_TRY(fill(run, kSizeBytes));
  }
  std::uint32_t size = 0;
  std::memcpy(&size, run.window.data() + run.at, kSizeBytes);
  if (run.window.size() - run.at < kSizeBytes + size) PARAPRINT_TRY(fill(run, kSizeBytes + size));
  run.line = std::string_view(run.window).substr(run.at + kSizeBytes, size);
  return true;
}

Result<bool> LineSorter::next_of_runs(std::string_view& line) {
  if (heap_.empty()) return false;
  if (is_pending_) {
    std::pop_heap(heap_.begin(), heap_.end(), later());
    PARAPRINT_ASSIGN(const bool has_line, advance(runs_[heap_.back()]));
    if (has_line) {
      std::push_heap(heap_.begin(), heap_.end(), later());
    } else {
      heap_.pop_back();
    }
  }
  is_pending_ = !heap_.empty();
  if (!is_pending_) return false;
  line = runs_[heap_.front()].line;
  return true;
}

Result<bool> LineSorter::next(std::string_view& line) {
  PARAPRINT_ASSERT(finished_);
  if (--lines_until_check_ == 0) {
    lines_until_check_ = kLinesBetweenChecks;
    PARAPRINT_TRY(check_stop());
  }
  if (runs_.empty()) {
    if (read_at_ == places_.size()) return false;
    line = line_at(places_[read_at_++]);
    return true;
  }
  while (true) {
    PARAPRINT_ASSIGN(const bool has_line, next_of_runs(line));
    if (!has_line) return false;
    if (has_last_ && line == last_) continue;
    has_last_ = true;
    last_ = line;
    return true;
  }
}

}  // namespace paraprint::inline memory
