// Fixed-size rows and one array of texts, both able to spill. Ids are made unique by sorting page numbers by id: output
// needs that order anyway, repeated ids are neighbours in it, and no second copy of the ids is made.
#include "profile/page_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "base/propagate.h"
#include "memory/radix_sort.h"
#include "paraprint/read_options.h"

namespace paraprint::inline profile {
namespace {

// Eight bytes of a text, zeros after its end, as a number of the same order.
std::uint64_t bytes_as_number(std::string_view text, std::size_t begin) {
  std::array<char, sizeof(std::uint64_t)> bytes{};
  if (begin < text.size()) text.copy(bytes.data(), bytes.size(), begin);
  std::uint64_t number = 0;
  for (const char byte : bytes) number = number << 8 | static_cast<unsigned char>(byte);
  return number;
}

}  // namespace

std::string index_id(std::string_view id, bool has_id_of_place, std::string_view url,
                     const std::array<std::uint64_t, 2>& text_hash) {
  if (!has_id_of_place) return std::string(id);
  const std::string hash = fmt::format("#{:016x}{:016x}", text_hash[0], text_hash[1]);
  if (!url.empty() && url.size() + hash.size() <= kPageNameBytesMaximum) return std::string(url) + hash;
  // Without the number that a place of other inputs with the same name gets (PageTable::finish()). Lines and entries
  // are numbered after the last colon.
  return std::string(id.substr(0, id.find('#', id.rfind(':') + 1))) + hash;
}

// Id, URL and date are stored one after the other; the row has their lengths.
Status PageTable::add(const LoggedPage& page, std::uint32_t content_characters) {
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
  row.has_id_of_place = page.has_id_of_place;
  row.language = page.language;
  has_urls_ = has_urls_ || !page.url.empty();
  for (const std::string_view text : {page.id, page.url, page.date}) {
    PARAPRINT_TRY(texts_.append(text));
  }
  if (page.score) PARAPRINT_TRY(add_score(*page.score));
  return rows_.push_back(row);
}

// Of the page that is about to be added.
Status PageTable::add_score(double score) {
  while (scores_.size() < rows_.size()) PARAPRINT_TRY(scores_.push_back(std::numeric_limits<double>::quiet_NaN()));
  return scores_.push_back(score);
}

std::optional<double> PageTable::score(std::uint32_t page) const {
  if (page >= scores_.size() || std::isnan(scores_[page])) return std::nullopt;
  return scores_[page];
}

// Appends the renamed page's texts at the end; the old ones remain unused. Few pages are renamed.
Status PageTable::rename(std::uint32_t page, std::uint32_t number) {
  PageRow row = rows_[page];
  const std::string name = fmt::format("{}#{}", id(page), number);
  const std::string tail(text(row.text_begin + row.id_bytes, row.url_bytes + row.date_bytes));
  row.text_begin = texts_.size();
  row.id_bytes = static_cast<std::uint32_t>(name.size());
  rows_[page] = row;
  Status added = texts_.append(name);
  return added ? texts_.append(tail) : added;
}

// Ties by page number: repeated ids are numbered in input order.
Status PageTable::sort_by_id() {
  SpillArray<PageById> pages(budget());
  PARAPRINT_TRY(pages.resize_for_overwrite(rows_.size()));
  for (std::uint32_t page = 0; page < size(); ++page) pages[page].page = page;
  sort_by_id(std::span(pages.begin(), pages.end()), 0);
  for (std::uint32_t page = 0; page < size(); ++page) pages_by_id_[page] = pages[page].page;
  return {};
}

// Ids are compared eight bytes at a time, as numbers beside the page's: comparing two ids reads two places of the table
// at random. What many have in common, such as a protocol and host, is compared once per page. The ids of `pages` are
// equal before `begin`.
void PageTable::sort_by_id(std::span<PageById> pages, std::size_t begin) {
  constexpr std::size_t kPagesForNumbers = 32;
  constexpr std::size_t kBytesAsNumbers = 128;  // limits the depth for ids that are long and equal
  if (pages.size() < kPagesForNumbers || begin >= kBytesAsNumbers) {
    std::sort(pages.begin(), pages.end(), [this](const PageById& x, const PageById& y) {
      const int order = id(x.page).compare(id(y.page));
      return order != 0 ? order < 0 : x.page < y.page;
    });
    return;
  }
  for (PageById& page : pages) page.next_bytes = bytes_as_number(id(page.page), begin);
  radix_sort(pages, [](const PageById& page) { return page.next_bytes; });
  for (std::size_t first = 0, end = 0; first < pages.size(); first = end) {
    while (end < pages.size() && pages[end].next_bytes == pages[first].next_bytes) ++end;
    if (end - first > 1) sort_by_id(pages.subspan(first, end - first), begin + sizeof(std::uint64_t));
  }
}

std::optional<std::uint32_t> PageTable::find(std::string_view id) const {
  const auto found =
      std::lower_bound(pages_by_id_.begin(), pages_by_id_.end(), id,
                       [this](std::uint32_t page, std::string_view wanted) { return this->id(page) < wanted; });
  if (found == pages_by_id_.end() || this->id(*found) != id) return std::nullopt;
  return *found;
}

Result<std::uint64_t> PageTable::finish(const VisitRepeated& visit) {
  struct Renaming {
    std::uint32_t page = 0;
    std::uint32_t number = 0;
  };
  PARAPRINT_TRY(pages_by_id_.resize_for_overwrite(rows_.size()));
  PARAPRINT_TRY(sort_by_id());
  // New names cannot collide with each other: for different ids the parts before the last "#" differ, and for one id
  // the numbers ascend. They are collected first, because renaming would invalidate the order that find()
  // searches. The input may have a new name already: a literal "a#2" next to two pages "a".
  SpillArray<Renaming> renamings(budget());
  std::uint32_t number = 1;
  std::size_t first = 0;
  for (std::size_t i = 1; i < pages_by_id_.size(); ++i) {
    const std::string_view repeated = id(pages_by_id_[i]);
    if (repeated != id(pages_by_id_[i - 1])) {
      number = 1;
      first = i;
      continue;
    }
    do {
      ++number;
    } while (find(fmt::format("{}#{}", repeated, number)));
    PARAPRINT_TRY(renamings.push_back({pages_by_id_[i], number}));
    if (visit) visit(pages_by_id_[i], pages_by_id_[first]);
  }
  for (const Renaming& renaming : renamings) {
    PARAPRINT_TRY(rename(renaming.page, renaming.number));
  }
  if (!renamings.empty()) PARAPRINT_TRY(sort_by_id());
  return renamings.size();
}

}  // namespace paraprint::inline profile
