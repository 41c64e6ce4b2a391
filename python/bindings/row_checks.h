// Which rows of a collection become pages of a run, and with which ids: the same whether a run reads them from the
// table itself (table_pages.cc), from files (file_rows.cc) or from a spool file (spool.cc).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "arrow_input.h"
#include "module.h"
#include "page_rows.h"
#include "paraprint/memory_pages.h"

namespace paraprint::python {

// The columns of a chunk that a page of a run is made of. The chunk must outlive them.
struct RowColumns {
  PageColumns page;
  std::optional<TextColumn> ids;
  std::optional<TextColumn> dates;
};

// Raises as page_columns() and ArrowChunk::find() do.
RowColumns row_columns(const ArrowChunk& chunk, const ReadOptions& reading, const std::string& content_type_field);

// Sets URL, date and id of `page` from row `index`. A URL or date that is not UTF-8 is dropped, because JSON lines
// cannot have it. Without an id column, the id is `prefix` followed by `number`, and one of the place
// (Page::has_id_of_place). Returns the id as it is in the column, which may be null. Needs no GIL.
std::optional<std::string_view> set_names(const RowColumns& columns, std::int64_t index, std::string_view prefix,
                                          std::int64_t number, Page& page);

// Sets all fields of `page` from row `index`, which must be a page, with its body decoded to UTF-8, and no content
// type, which has then served its purpose. Needs no GIL.
void set_decoded_page(const RowColumns& columns, std::int64_t index, std::string_view prefix, std::int64_t number,
                      BodyDecoder& decoder, Page& page);

// The field of the place in JSON lines of a spool (ReadOptions::place_field). No name of a column: a score keeps its
// own one in these lines.
inline constexpr std::string_view kPlaceField = "\x01place";

// Checks rows against each other and against the limits of `reading`. Without `checks_ids`, ids may repeat, and a row
// whose id is missing or too long gets one as set_names() makes it. Requires the GIL.
class RowChecks {
 public:
  explicit RowChecks(ReadOptions reading, bool checks_ids = true)
      : reading_(std::move(reading)), checks_ids_(checks_ids) {}
  const ReadOptions& reading() const { return reading_; }

  // Returns one byte per row: 0 for a page, else the reason for skipping it (SKIP_REASONS in datasets.py). With
  // `raises`, the first such row raises instead. Calls take(row, page) for every page, in order; `page` has the body as
  // it is in the column. `take` may be empty, which saves making the pages.
  nb::bytes check(const RowColumns& columns, std::int64_t rows, std::string_view prefix, bool raises,
                  std::int64_t first_row, const std::function<void(std::int64_t row, const Page& page)>& take);

  // Returns 0 for an id that is new and valid, else the reason as above, or raises it.
  char check_id(std::optional<std::string_view> id, bool raises, std::int64_t shown_row);

 private:
  ReadOptions reading_;
  bool checks_ids_;
  IdSet known_;
};

}  // namespace paraprint::python
