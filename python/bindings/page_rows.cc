// Shared by batches, spools and the Spark stages, so that all of them accept the same rows and describe bad ones alike.
#include "page_rows.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "module.h"
#include "utf8.h"

namespace paraprint::python {

PageColumns page_columns(const ArrowChunk& chunk, const ReadOptions& reading, const std::string& content_type_field) {
  PageColumns columns;
  columns.html = chunk.find(reading.html_field);
  if (chunk.is_struct()) {
    columns.plain = chunk.find(reading.text_field);
    columns.url = chunk.find(reading.url_field);
    if (!content_type_field.empty()) columns.content_type = chunk.find(content_type_field);
    if (!reading.score_field.empty()) columns.score = chunk.find_number(reading.score_field);
  }
  // A batch without either column is a mistake in the call, not a batch of bad rows.
  if (!columns.html && !columns.plain) {
    raise({ErrorCode::kInvalidArgument,
           fmt::format("there is no column '{}' or '{}'; the columns are {}", reading.html_field, reading.text_field,
                       fmt::join(chunk.column_names(), ", "))});
  }
  return columns;
}

// The defect names are part of the package's interface: `skipped` of a result counts rows by them.
RowContent row_content(const PageColumns& columns, std::int64_t row) {
  for (const std::optional<TextColumn>* column : {&columns.html, &columns.plain}) {
    const std::optional<std::string_view> body = *column ? (*column)->at(row) : std::nullopt;
    if (body) return {&**column, *body, {}};
  }
  return {nullptr, {}, "null"};
}

RowContent page_row(const PageColumns& columns, std::int64_t row, const ReadOptions& reading) {
  RowContent found = row_content(columns, row);
  if (found.column == nullptr) return found;
  if (found.body.size() > reading.max_body_bytes) {
    found.defect = "too-large";
  } else if (found.column->is_utf8() && !is_valid_utf8(found.body)) {
    found.defect = "not-utf8";
  }
  return found;
}

std::string complaint_of(const PageColumns& columns, const RowContent& row, std::uint64_t shown_row,
                         const ReadOptions& reading) {
  std::string reason(row.defect);
  if (row.defect == "too-large") {
    reason = fmt::format("{} bytes, more than {} (max_body_bytes)", row.body.size(), reading.max_body_bytes);
  } else if (row.defect == "not-utf8") {
    reason = "invalid UTF-8 in a text column; a column of bytes may have any charset";
  }
  const std::string& name = row.column != nullptr ? row.column->name() : columns.named().name();
  return fmt::format("column '{}', row {}: {}", name, shown_row, reason);
}

void raise_row(const PageColumns& columns, const RowContent& row, std::int64_t shown_row, const ReadOptions& reading) {
  raise({ErrorCode::kInvalidArgument, complaint_of(columns, row, static_cast<std::uint64_t>(shown_row), reading)});
}

void set_page(const PageColumns& columns, const RowContent& row, std::int64_t index, Page& page) {
  page.body = row.body;
  page.body_is_utf8 = row.column->is_utf8();
  page.format = columns.html && row.column == &*columns.html ? PageFormat::kHtml : PageFormat::kPlainText;
  page.content_type = columns.content_type ? columns.content_type->at(index).value_or("") : std::string_view();
  page.url = columns.url ? columns.url->at(index).value_or("") : std::string_view();
  page.score = columns.score ? columns.score->at(index) : std::nullopt;
}

}  // namespace paraprint::python
