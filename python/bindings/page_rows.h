// Rows of a chunk as pages: the columns they are read from, and the rows that are not pages.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "arrow_input.h"
#include "paraprint/model.h"
#include "paraprint/read_options.h"

namespace paraprint::python {

struct PageColumns {
  std::optional<TextColumn> html;
  std::optional<TextColumn> plain;
  std::optional<TextColumn> content_type;
  std::optional<TextColumn> url;
  std::optional<NumberColumn> score;
  const TextColumn& named() const { return html ? *html : *plain; }
};

// Raises paraprint.Error if there is neither HTML nor text. A single-column chunk is HTML.
PageColumns page_columns(const ArrowChunk& chunk, const ReadOptions& reading, const std::string& content_type_field);

// The content of a row. HTML takes precedence over text, as in JSON lines.
struct RowContent {
  const TextColumn* column = nullptr;  // null: not a page; `defect` gives the reason
  std::string_view body;
  std::string_view defect;  // "null", "too-large", "not-utf8"
};
RowContent page_row(const PageColumns& columns, std::int64_t row, const ReadOptions& reading);
// The same without checks of the body.
RowContent row_content(const PageColumns& columns, std::int64_t row);

// A message with column, row and reason for a row that is not a page.
std::string complaint_of(const PageColumns& columns, const RowContent& row, std::uint64_t shown_row,
                         const ReadOptions& reading);
// Raises paraprint.Error with this message.
[[noreturn]] void raise_row(const PageColumns& columns, const RowContent& row, std::int64_t shown_row,
                            const ReadOptions& reading);

// Sets all fields of `page` except id and date.
void set_page(const PageColumns& columns, const RowContent& row, std::int64_t index, Page& page);

}  // namespace paraprint::python
