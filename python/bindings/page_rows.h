// The rows of a chunk as pages: which columns they are read from, and which rows are none.
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
  const TextColumn& named() const { return html ? *html : *plain; }
};

// Raises paraprint.Error if there is neither HTML nor text. A chunk that is one column is HTML.
PageColumns page_columns(const ArrowChunk& chunk, const ReadOptions& reading, const std::string& content_type_field);

// What a row holds. HTML wins over text, as in JSON lines.
struct PageRow {
  const TextColumn* column = nullptr;  // null: no page; `defect` says why
  std::string_view body;
  std::string_view defect;  // "null", "too-large", "not-utf8"
};
PageRow page_row(const PageColumns& columns, std::int64_t row, const ReadOptions& reading);

// Column, row and reason of a row that is no page.
std::string complaint_of(const PageColumns& columns, const PageRow& row, std::uint64_t shown_row,
                         const ReadOptions& reading);
// Raises paraprint.Error with it.
[[noreturn]] void raise_row(const PageColumns& columns, const PageRow& row, std::int64_t shown_row,
                            const ReadOptions& reading);

// Everything of the page but id and date. Replaces what `page` held.
void set_page(const PageColumns& columns, const PageRow& row, std::int64_t index, Page& page);

}  // namespace paraprint::python
