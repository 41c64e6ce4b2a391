// Rows are appended in any order, and sorting by place in the input gives them one order again.
#include "payloads/link_tables.h"

#include <algorithm>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/propagate.h"

namespace paraprint::inline payloads {

LinkedText RevisitLinks::text(std::uint64_t at) const {
  tick(texts.budget());
  return LinkedText::decode(std::string_view(texts.data(), texts.size()).substr(at));
}

Status LinkTables::add_revisit(const LinkedRecord& revisit) {
  PARAPRINT_TRY(revisits_.push_back({revisit.place, links_.texts.size()}));
  PARAPRINT_TRY(links_.texts.append(std::span<const char>(revisit.text)));
  for (const LinkName& name : revisit.names) {
    PARAPRINT_TRY(claims_.push_back({name.name, static_cast<std::uint64_t>(name.way), revisit.seconds, revisit.place}));
  }
  return {};
}

Status LinkTables::end_revisits() {
  std::sort(claims_.begin(), claims_.end(), [](const ClaimRow& a, const ClaimRow& b) {
    return std::tie(a.name, a.way, a.revisit) < std::tie(b.name, b.way, b.revisit);
  });
  for (const ClaimRow& claim : claims_) {
    if (claimed_.empty() || claimed_.back() != claim.name) PARAPRINT_TRY(claimed_.push_back(claim.name));
  }
  return {};
}

Status LinkTables::add_capture(const LinkedRecord& capture) {
  const std::uint64_t text = links_.texts.size();
  bool is_referred_to = false;
  for (const LinkName& name : capture.names) {
    if (!claimed().contains(name.name)) continue;
    is_referred_to = true;
    PARAPRINT_TRY(
        found_.push_back({name.name, static_cast<std::uint64_t>(name.way), capture.seconds, capture.place, text}));
  }
  return is_referred_to ? links_.texts.append(std::span<const char>(capture.text)) : Status{};
}

Result<RevisitLinks> LinkTables::finish() {
  std::sort(found_.begin(), found_.end());
  PARAPRINT_TRY(match());
  PARAPRINT_TRY(list_referred_to());
  PARAPRINT_TRY(list_links());
  return std::move(links_);
}

// Both sides are sorted by name. The captures of one name are sorted by date.
Status LinkTables::match() {
  const FoundRow* first = found_.begin();
  const FoundRow* const end = found_.end();
  for (const ClaimRow& claim : claims_) {
    while (first != end && first->name < claim.name) ++first;
    if (claim.way == static_cast<std::uint64_t>(LinkWay::kNotFound)) continue;
    const FoundRow* const last = std::upper_bound(
        first, end, claim.name, [](std::uint64_t name, const FoundRow& row) { return name < row.name; });
    if (first == last) continue;
    const FoundRow* const chosen = choose(claim, first, last);
    if (chosen == nullptr) continue;
    PARAPRINT_TRY(chosen_.push_back({claim.revisit, claim.way, chosen->capture, chosen->text}));
  }
  std::sort(chosen_.begin(), chosen_.end());
  return {};
}

// Of the captures in [first, last).
const LinkTables::FoundRow* LinkTables::choose(const ClaimRow& claim, const FoundRow* first, const FoundRow* last) {
  const auto way = static_cast<LinkWay>(claim.way);
  if (way == LinkWay::kId || way == LinkWay::kPlace) return first;
  const FoundRow* const later = std::upper_bound(
      first, last, claim.seconds, [](std::int64_t seconds, const FoundRow& row) { return seconds < row.seconds; });
  if (later != first) return later - 1;
  return way == LinkWay::kDigest ? first : nullptr;
}

// Everything that has a stated id or place, and what was chosen by other evidence where there was no such capture.
// For "not modified", some players show the capture before, whatever else is stated.
Status LinkTables::list_referred_to() {
  for (const FoundRow& row : found_) {
    if (row.way > static_cast<std::uint64_t>(LinkWay::kPlace)) continue;
    PARAPRINT_TRY(links_.referred_to.push_back(row.capture));
  }
  for (std::size_t i = 0; i < chosen_.size(); ++i) {
    const bool is_best = i == 0 || chosen_[i - 1].revisit != chosen_[i].revisit;
    const bool is_previous = chosen_[i].way == static_cast<std::uint64_t>(LinkWay::kPrevious);
    if (is_best || is_previous) PARAPRINT_TRY(links_.referred_to.push_back(chosen_[i].capture));
  }
  SpillArray<RecordPlace>& places = links_.referred_to;
  std::sort(places.begin(), places.end());
  places.shrink(static_cast<std::size_t>(std::unique(places.begin(), places.end()) - places.begin()));
  return {};
}

// The captures chosen for one revisit record begin with the best one.
Status LinkTables::list_links() {
  std::sort(revisits_.begin(), revisits_.end(),
            [](const RevisitRow& a, const RevisitRow& b) { return a.place < b.place; });
  const ChosenCapture* chosen = chosen_.begin();
  for (const RevisitRow& row : revisits_) {
    while (chosen != chosen_.end() && chosen->revisit < row.place) ++chosen;
    RevisitLink link;
    link.revisit = row.place;
    link.revisit_text = row.text;
    if (chosen != chosen_.end() && chosen->revisit == row.place) {
      link.way = static_cast<LinkWay>(chosen->way);
      link.target = chosen->capture;
      link.target_text = chosen->text;
    }
    PARAPRINT_TRY(links_.links.push_back(link));
  }
  return {};
}

}  // namespace paraprint::inline payloads
