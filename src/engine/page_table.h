// Facts of every page of a run, in memory: what clustering and writing need, without texts and profiles. About 100
// bytes a page plus its id, URL and date.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/page_log.h"
#include "paraprint/model.h"

namespace paraprint {

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
};

class PageTable {
 public:
  // Pages are added in the order of the log; their index is their page number.
  void add(const LoggedPage& page, std::uint32_t content_characters);

  // Makes ids unique: the second page (in order) with an id gets "#2" behind it, and so on. Answers how many were
  // changed. Call once, after the last add().
  std::uint64_t finish();

  std::uint32_t size() const { return static_cast<std::uint32_t>(rows_.size()); }
  const PageRow& row(std::uint32_t page) const { return rows_[page]; }
  std::string_view id(std::uint32_t page) const { return text(rows_[page].text_begin, rows_[page].id_bytes); }
  std::string_view url(std::uint32_t page) const {
    return text(rows_[page].text_begin + rows_[page].id_bytes, rows_[page].url_bytes);
  }
  std::string_view date(std::uint32_t page) const {
    return text(rows_[page].text_begin + rows_[page].id_bytes + rows_[page].url_bytes, rows_[page].date_bytes);
  }

  // Page numbers in the order of their ids' bytes. Valid after finish().
  const std::vector<std::uint32_t>& pages_by_id() const { return pages_by_id_; }

 private:
  std::string_view text(std::uint64_t begin, std::uint32_t size) const {
    return std::string_view(texts_).substr(begin, size);
  }
  void rename(std::uint32_t page, std::string_view id);

  std::vector<PageRow> rows_;
  std::string texts_;
  std::vector<std::uint32_t> pages_by_id_;
};

}  // namespace paraprint
