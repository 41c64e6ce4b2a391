// The file may have been edited, or belong to another run, so every id is looked up, and nothing is believed that the
// run contradicts. Ids and sources of one cluster are near each other in the file, and so are their pages by id.
#include "view/copies/run_origins.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/propagate.h"
#include "base/stop.h"
#include "http/url_host.h"
#include "report/text_safety.h"

namespace paraprint::inline explorer::inline copies {
namespace {

constexpr std::uint64_t kLinesPerStep = 4096;
// Of an id in a message.
constexpr std::size_t kShownIdBytes = 80;

std::string shown_id(std::string_view id) {
  return std::string(utf8_prefix(id, kShownIdBytes));
}

// As JSON has it.
std::string valid_id(std::string_view id) {
  std::string valid;
  append_valid_utf8(valid, id);
  return valid;
}

}  // namespace

RunOrigins::RunOrigins(const PageTable& pages)
    : pages_(pages),
      row_of_page_(pages.budget()),
      rows_(pages.budget()),
      page_of_row_(pages.budget()),
      stated_(pages.budget()) {}

Status RunOrigins::load(const std::string& path, const SpillArray<std::uint32_t>& cluster_numbers,
                        ProgressReporter& progress) {
  path_ = path;
  Result<ProvenanceFile> file = ProvenanceFile::open(path);
  if (!file) {
    if (file.error().code != ErrorCode::kNotFound) failure_reason_ = file.error().message;
    return {};
  }
  PARAPRINT_TRY(row_of_page_.assign(pages_.size(), kNoPage));
  std::uint64_t lines = 0;
  progress.begin("provenance", 0, "lines");
  Status read = file->read(
      [&](const ProvenancePlace& place, const OriginLine& origin) -> Status {
        if (++lines % kLinesPerStep == 0) progress.update(lines);
        return add(place, origin, cluster_numbers);
      },
      [&](const ProvenancePlace& place, const std::string& reason) { return refuse(place.line, reason); });
  progress.end();
  if (!read) {
    // A disk that fails on this file is no reason to show nothing of the run.
    if (read.error().code != ErrorCode::kInputOutput) return read;
    failure_reason_ = read.error().message;
    return {};
  }
  repaired_ids_.reset();
  PARAPRINT_TRY(break_circles());
  file_.emplace(std::move(*file));
  return {};
}

Status RunOrigins::refuse(std::uint64_t line, std::string_view reason) {
  if (++lines_refused_ <= kRefusedLinesShown) refused_.push_back(line_message(path_, line, reason));
  return {};
}

std::optional<std::uint32_t> RunOrigins::find_page(std::string_view id) {
  constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
  const std::optional<std::uint32_t> found = pages_.find(id);
  if (found || id.find(kReplacement) == std::string_view::npos) return found;
  if (!repaired_ids_) {
    repaired_ids_.emplace();
    for (const std::uint32_t page : pages_.pages_by_id()) {
      std::string valid = valid_id(pages_.id(page));
      if (valid != pages_.id(page)) repaired_ids_->try_emplace(std::move(valid), page);
    }
  }
  const auto repaired = repaired_ids_->find(std::string(id));
  return repaired == repaired_ids_->end() ? std::nullopt : std::optional(repaired->second);
}

Status RunOrigins::add(const ProvenancePlace& place, const OriginLine& origin,
                       const SpillArray<std::uint32_t>& cluster_numbers) {
  const std::optional<std::uint32_t> page = find_page(origin.id);
  if (!page) return refuse(place.line, fmt::format("the run has no page '{}'", shown_id(origin.id)));
  if (cluster_numbers[*page] != origin.cluster) {
    return refuse(place.line, fmt::format("the run has page '{}' in cluster {}, not {}", shown_id(origin.id),
                                          cluster_numbers[*page], origin.cluster));
  }
  if (row_of_page_[*page] != kNoPage) {
    return refuse(place.line, fmt::format("page '{}' was given before", shown_id(origin.id)));
  }
  OriginRow row;
  if (origin.copied_from) {
    const std::optional<std::uint32_t> source = find_page(*origin.copied_from);
    if (!source || cluster_numbers[*source] != origin.cluster) {
      return refuse(place.line, fmt::format("its source '{}' is not in its cluster", shown_id(*origin.copied_from)));
    }
    row.copied_from = *source;
  }
  row.line_offset_bytes = place.offset_bytes;
  row.line_bytes = place.size_bytes;
  row.confidence_percent = static_cast<std::uint8_t>(std::lround(origin.confidence * 100));
  row.is_first = origin.is_first;
  row.is_traced = origin.is_traced;
  const std::string_view day = published_day(origin);
  std::copy(day.begin(), day.end(), row.day.begin());
  PARAPRINT_TRY(add_stated(origin, row));
  row_of_page_[*page] = static_cast<std::uint32_t>(rows_.size());
  PARAPRINT_TRY(page_of_row_.push_back(*page));
  return rows_.push_back(row);
}

Status RunOrigins::add_stated(const OriginLine& origin, OriginRow& row) {
  const std::string host = origin.source_url.empty() ? std::string() : url_host(origin.source_url);
  const std::string_view first = utf8_prefix(host, kStatedBytesMaximum);
  const std::string_view second = utf8_prefix(origin.source_name, kStatedBytesMaximum);
  row.stated_begin = stated_.size();
  PARAPRINT_TRY(stated_.append(first));
  if (!first.empty() && !second.empty()) PARAPRINT_TRY(stated_.push_back(' '));
  PARAPRINT_TRY(stated_.append(second));
  row.stated_bytes = static_cast<std::uint16_t>(stated_.size() - row.stated_begin);
  return {};
}

// Follows sources from each row until a page without one, or one that was followed before. A page that is met again on
// the same way is in a circle, and loses its source.
Status RunOrigins::break_circles() {
  SpillArray<std::uint32_t> followed_from(pages_.budget());  // by row: the row where the way began, plus one
  PARAPRINT_TRY(followed_from.assign(rows_.size(), 0));
  for (std::uint32_t begin = 0; begin < rows_.size(); ++begin) {
    if (begin % kLinesPerStep == 0) PARAPRINT_TRY(check_stop());
    for (std::uint32_t row = begin; followed_from[row] == 0;) {
      followed_from[row] = begin + 1;
      const std::uint32_t source = rows_[row].copied_from;
      const std::uint32_t next = source == kNoPage ? kNoPage : row_of_page_[source];
      if (next == kNoPage) break;
      if (followed_from[next] == begin + 1) {
        rows_[row].copied_from = kNoPage;
        ++lines_refused_;
        if (refused_.size() < kRefusedLinesShown) {
          refused_.push_back(fmt::format("{}: page '{}' is copied from itself over others; its source is left out",
                                         path_, shown_id(pages_.id(page_of_row_[row]))));
        }
        break;
      }
      row = next;
    }
  }
  return {};
}

const OriginRow* RunOrigins::find(std::uint32_t page) const {
  if (!is_there() || row_of_page_[page] == kNoPage) return nullptr;
  return &rows_[row_of_page_[page]];
}

std::string_view RunOrigins::day(std::uint32_t page) const {
  const OriginRow* const row = find(page);
  if (row == nullptr || row->day.front() == 0) return {};
  return {row->day.data(), row->day.size()};
}

std::string_view RunOrigins::stated_source(const OriginRow& row) const {
  return {stated_.data() + row.stated_begin, row.stated_bytes};
}

Status RunOrigins::read(std::uint32_t page, ProvenanceParser& parser, OriginLine& origin) const {
  const OriginRow* const row = find(page);
  if (row == nullptr) return failure(ErrorCode::kNotFound, path_ + ": says nothing of this page");
  PARAPRINT_TRY(file_->read_line(row->line_offset_bytes, row->line_bytes, parser, origin));
  if (origin.id == pages_.id(page) || origin.id == valid_id(pages_.id(page))) return {};
  return failure(ErrorCode::kCorruptData, path_ + ": was changed since it was read");
}

}  // namespace paraprint::inline explorer::inline copies
