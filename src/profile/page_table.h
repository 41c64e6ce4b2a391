// The facts about each page of a run that clustering and writing need, without texts and profiles. About 100 bytes per
// page plus its id, URL and date, in memory or, above the run's budget, on disk.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "memory/spill_array.h"
#include "paraprint/model.h"
#include "profile/page_log.h"
#include "text/language.h"

namespace paraprint::inline profile {

struct PageRow {
  RecordLocation location;
  std::uint64_t profile_offset_bytes = 0;
  std::uint32_t profile_bytes = 0;
  std::uint32_t content_characters = 0;
  std::uint64_t text_begin = 0;  // of id, URL and date in the table's text
  std::uint32_t id_bytes = 0;
  std::uint32_t url_bytes = 0;
  std::uint32_t date_bytes = 0;
  PageFormat format = PageFormat::kHtml;
  bool has_id_of_place = false;  // Page::has_id_of_place
  LanguageCode language;         // of the main content
};

// What an index of known pages calls a page: its id, or if that is the one of its place (Page::has_id_of_place), its
// URL or, without one, the place, with the hash of the text: "http://example.org/#0123...", "pages.jsonl:7#0123...".
// Pages of other inputs may have the same place, and those of one input the same URL. So no page takes that of another,
// as with captures, which have ids; and a page keeps its name, whichever pages are read with it.
std::string index_id(std::string_view id, bool has_id_of_place, std::string_view url,
                     const std::array<std::uint64_t, 2>& text_hash);

// Errors of add() and finish(): those of the spill. After finish(), any number of threads may read, and views stay
// valid.
class PageTable {
 public:
  explicit PageTable(MemoryBudget* budget = nullptr)
      : rows_(budget), texts_(budget), pages_by_id_(budget), scores_(budget) {}

  // Pages are added in the order of the log; their index is their page number.
  Status add(const LoggedPage& page, std::uint32_t content_characters);

  // Makes ids unique: the second page (in input order) with an id gets the suffix "#2", and so on. Returns the number
  // of changed ids. Before an id is changed, calls visit(page, first page with this id) for each, in the order of ids.
  // Call once, after the last add().
  using VisitRepeated = std::function<void(std::uint32_t page, std::uint32_t first)>;
  Result<std::uint64_t> finish(const VisitRepeated& visit = {});

  std::uint32_t size() const { return static_cast<std::uint32_t>(rows_.size()); }
  MemoryBudget* budget() const { return rows_.budget(); }
  const PageRow& row(std::uint32_t page) const {
    tick(budget());
    return rows_[page];
  }
  std::string_view id(std::uint32_t page) const { return text(row(page).text_begin, rows_[page].id_bytes); }
  std::string_view url(std::uint32_t page) const {
    return text(row(page).text_begin + rows_[page].id_bytes, rows_[page].url_bytes);
  }
  std::string_view date(std::uint32_t page) const {
    return text(row(page).text_begin + rows_[page].id_bytes + rows_[page].url_bytes, rows_[page].date_bytes);
  }

  // The page's score, if it has one. Pages of a run without scores cost no memory for it, others 8 bytes.
  std::optional<double> score(std::uint32_t page) const;
  bool has_scores() const { return scores_.size() > 0; }
  bool has_urls() const { return has_urls_; }  // whether any page has one

  // Page numbers sorted by the bytes of their ids. Valid after finish().
  std::span<const std::uint32_t> pages_by_id() const { return pages_by_id_; }
  // The page with this id, if there is one. Valid after finish(). O(log n).
  std::optional<std::uint32_t> find(std::string_view id) const;

 private:
  struct PageById {
    std::uint64_t next_bytes = 0;  // of the id
    std::uint32_t page = 0;
    friend auto operator<=>(const PageById&, const PageById&) = default;
  };

  std::string_view text(std::uint64_t begin, std::uint32_t size) const { return {texts_.data() + begin, size}; }
  Status sort_by_id();
  void sort_by_id(std::span<PageById> pages, std::size_t begin);
  Status rename(std::uint32_t page, std::uint32_t number);
  Status add_score(double score);

  SpillArray<PageRow> rows_;
  SpillArray<char> texts_;
  SpillArray<std::uint32_t> pages_by_id_;
  SpillArray<double> scores_;  // of the pages up to the last that has one; NaN: none
  bool has_urls_ = false;
};

}  // namespace paraprint::inline profile
