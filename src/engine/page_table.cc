#include "engine/page_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <unordered_set>

namespace paraprint {

void PageTable::add(const LoggedPage& page, std::uint32_t content_characters) {
  PageRow row;
  row.location = page.location;
  row.profile_offset_bytes = page.profile_offset_bytes;
  row.profile_bytes = static_cast<std::uint32_t>(page.profile.size());
  row.content_characters = content_characters;
  row.text_begin = texts_.size();
  row.id_bytes = static_cast<std::uint32_t>(page.id.size());
  row.url_bytes = static_cast<std::uint32_t>(page.url.size());
  row.date_bytes = static_cast<std::uint32_t>(page.date.size());
  row.format = page.format;
  texts_.append(page.id).append(page.url).append(page.date);
  rows_.push_back(row);
}

void PageTable::rename(std::uint32_t page, std::string_view id) {
  PageRow& row = rows_[page];
  const std::string tail(text(row.text_begin + row.id_bytes, row.url_bytes + row.date_bytes));
  row.text_begin = texts_.size();
  row.id_bytes = static_cast<std::uint32_t>(id.size());
  texts_.append(id).append(tail);
}

std::uint64_t PageTable::finish() {
  const auto sort_by_id = [this] {
    std::sort(pages_by_id_.begin(), pages_by_id_.end(), [this](std::uint32_t x, std::uint32_t y) {
      const int order = id(x).compare(id(y));
      return order != 0 ? order < 0 : x < y;
    });
  };
  pages_by_id_.resize(rows_.size());
  std::iota(pages_by_id_.begin(), pages_by_id_.end(), 0);
  sort_by_id();
  std::vector<std::pair<std::uint32_t, std::uint32_t>> repeated;  // page, how many before it have its id
  for (std::size_t i = 1, before = 0; i < pages_by_id_.size(); ++i) {
    before = id(pages_by_id_[i]) == id(pages_by_id_[i - 1]) ? before + 1 : 0;
    if (before > 0) repeated.emplace_back(pages_by_id_[i], static_cast<std::uint32_t>(before));
  }
  if (repeated.empty()) return 0;
  std::unordered_set<std::string> given;  // names made here; those of the input are found by binary search
  const auto is_taken = [&](const std::string& name) {
    const auto found = std::lower_bound(pages_by_id_.begin(), pages_by_id_.end(), name,
                                        [this](std::uint32_t page, const std::string& key) { return id(page) < key; });
    return given.contains(name) || (found != pages_by_id_.end() && id(*found) == name);
  };
  std::vector<std::pair<std::uint32_t, std::string>> renamed;
  for (const auto& [page, before] : repeated) {
    std::uint32_t number = before + 1;
    std::string name = fmt::format("{}#{}", id(page), number);
    while (is_taken(name)) name = fmt::format("{}#{}", id(page), ++number);
    given.insert(name);
    renamed.emplace_back(page, std::move(name));
  }
  for (const auto& [page, name] : renamed) rename(page, name);
  sort_by_id();
  return renamed.size();
}

}  // namespace paraprint
