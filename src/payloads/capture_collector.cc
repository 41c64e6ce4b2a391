// Rows are sorted outside memory; texts lie behind each other in the order of arrival.
#include "payloads/capture_collector.h"

#include <algorithm>

#include "base/propagate.h"

namespace paraprint::inline payloads {
namespace {

ExternalSortOptions half_of(ExternalSortOptions options) {
  options.memory_limit_bytes /= 2;
  return options;
}

}  // namespace

CaptureCollector::CaptureCollector(const ExternalSortOptions& sorting, MemoryBudget* budget)
    : captures_(half_of(sorting)),
      places_(half_of(sorting)),
      texts_(budget),
      claims_(budget),
      ambiguous_places_(budget),
      ids_(budget) {}

Status CaptureCollector::add(const CaptureBatch& batch) {
  const std::scoped_lock lock(mutex_);
  const std::uint64_t begin = texts_.size();
  PARAPRINT_TRY(texts_.append(std::span<const char>(batch.texts)));
  for (CaptureRow row : batch.captures) {
    row.text += begin;
    PARAPRINT_TRY(captures_.push(row));
  }
  for (const PlaceRow& row : batch.places) PARAPRINT_TRY(places_->push(row));
  PARAPRINT_TRY(claims_.append(std::span<const std::uint64_t>(batch.claims)));
  PARAPRINT_TRY(ids_.append(std::span<const CaptureIdRow>(batch.ids)));
  if (texts_.budget() != nullptr) texts_.budget()->checkpoint();
  return {};
}

Status CaptureCollector::finish() {
  PARAPRINT_TRY(places_->finish());
  PARAPRINT_TRY(find_ambiguous_places());
  places_.reset();
  std::sort(claims_.begin(), claims_.end());
  find_repeated_ids();
  return captures_.finish();
}

// A WACZ file that is read twice has every id twice, so only the first ones are kept.
void CaptureCollector::find_repeated_ids() {
  constexpr std::size_t kKept = 20;
  const auto place = [](const CaptureIdRow& row) { return std::pair(row.file, row.offset_bytes); };
  const auto is_earlier = [&](const RepeatedId& a, const RepeatedId& b) { return place(a.second) < place(b.second); };
  std::sort(ids_.begin(), ids_.end());
  std::size_t first = 0;
  for (std::size_t i = 1; i < ids_.size(); ++i) {
    if (ids_[i].id != ids_[first].id) {
      first = i;
      continue;
    }
    ++repeated_ids_;
    const RepeatedId repeated{ids_[first], ids_[i]};
    if (first_repeated_.size() == kKept && !is_earlier(repeated, first_repeated_.back())) continue;
    if (first_repeated_.size() == kKept) first_repeated_.pop_back();
    first_repeated_.insert(std::upper_bound(first_repeated_.begin(), first_repeated_.end(), repeated, is_earlier),
                           repeated);
  }
  ids_.release();
}

// Equal rows were combined, so a place that has two rows has two payloads.
Status CaptureCollector::find_ambiguous_places() {
  PlaceRow previous;
  PlaceRow row;
  for (bool is_first = true; places_->next(row); is_first = false) {
    const bool is_second = !is_first && row.place == previous.place;
    if (is_second && (ambiguous_places_.empty() || ambiguous_places_.back() != row.place)) {
      PARAPRINT_TRY(ambiguous_places_.push_back(row.place));
    }
    previous = row;
  }
  return places_->status();
}

bool CaptureCollector::is_ambiguous(std::uint64_t place) const {
  return std::binary_search(ambiguous_places_.begin(), ambiguous_places_.end(), place);
}

bool CaptureCollector::is_claimed(std::uint64_t name) const {
  return std::binary_search(claims_.begin(), claims_.end(), name);
}

CaptureText CaptureCollector::text(std::uint64_t at) const {
  tick(texts_.budget());
  return CaptureText::decode(std::string_view(texts_.data(), texts_.size()).substr(at));
}

Result<std::uint64_t> CaptureCollector::add_text(const CaptureText& text) {
  std::string bytes;
  text.append_to(bytes);
  const std::uint64_t at = texts_.size();
  PARAPRINT_TRY(texts_.append(std::span<const char>(bytes)));
  return at;
}

}  // namespace paraprint::inline payloads
