// Ids are checked last, so that a row that is skipped for another reason does not take an id.
#include "row_checks.h"

#include <fmt/format.h>

#include "paraprint/read_options.h"
#include "utf8.h"

namespace paraprint::python {

RowColumns row_columns(const ArrowChunk& chunk, const ReadOptions& reading, const std::string& content_type_field) {
  RowColumns columns;
  columns.page = page_columns(chunk, reading, content_type_field);
  if (chunk.is_struct()) {
    columns.ids = chunk.find(reading.id_field);
    columns.dates = chunk.find(reading.date_field);
  }
  return columns;
}

std::optional<std::string_view> set_names(const RowColumns& columns, std::int64_t index, std::string_view prefix,
                                          std::int64_t number, Page& page) {
  const auto valid_text = [index](const std::optional<TextColumn>& column) {
    const std::string_view text = column ? column->at(index).value_or("") : std::string_view();
    return is_valid_utf8(text) ? text : std::string_view();
  };
  page.url = valid_text(columns.page.url);
  page.date = valid_text(columns.dates);
  page.has_id_of_place = !columns.ids;
  if (!columns.ids) {
    page.id = fmt::format("{}{}", prefix, number);
    return page.id;
  }
  const std::optional<std::string_view> id = columns.ids->at(index);
  page.id = id.value_or("");
  return id;
}

void set_decoded_page(const RowColumns& columns, std::int64_t index, std::string_view prefix, std::int64_t number,
                      BodyDecoder& decoder, Page& page) {
  const RowContent content = row_content(columns.page, index);
  set_page(columns.page, content, index, page);
  set_names(columns, index, prefix, number, page);
  if (!page.body_is_utf8) page.body = decoder.decode(content.body, page.content_type, page.format);
  page.body_is_utf8 = true;
  page.content_type.clear();
}

nb::bytes RowChecks::check(const RowColumns& columns, std::int64_t rows, std::string_view prefix, bool raises,
                           std::int64_t first_row,
                           const std::function<void(std::int64_t row, const Page& page)>& take) {
  std::string outcome(static_cast<std::size_t>(rows), '\0');
  Page page;
  for (std::int64_t r = 0; r < rows; ++r) {
    const RowContent row = page_row(columns.page, r, reading_);
    if (!row.defect.empty()) {
      if (raises) raise_row(columns.page, row, first_row + r, reading_);
      outcome[static_cast<std::size_t>(r)] = row.defect == "null" ? 1 : row.defect == "too-large" ? 2 : 3;
      continue;
    }
    if (!take && !checks_ids_) continue;
    if (take) set_page(columns.page, row, r, page);
    const std::optional<std::string_view> id = set_names(columns, r, prefix, first_row + r, page);
    const char defect = checks_ids_ ? check_id(id, raises, first_row + r) : '\0';
    outcome[static_cast<std::size_t>(r)] = defect;
    const bool has_id = !page.id.empty() && page.id.size() <= kPageNameBytesMaximum;
    if (!has_id && !checks_ids_) {
      page.id = fmt::format("{}{}", prefix, first_row + r);
      page.has_id_of_place = true;
    }
    if (defect == 0 && take) take(r, page);
  }
  return nb::bytes(outcome.data(), outcome.size());
}

char RowChecks::check_id(std::optional<std::string_view> id, bool raises, std::int64_t shown_row) {
  char defect = 0;
  std::string what;
  if (!id || id->empty()) {
    defect = 1;
    what = "null or empty";
  } else if (!is_valid_utf8(*id)) {
    defect = 3;
    what = "invalid UTF-8";
  } else if (id->size() > kPageNameBytesMaximum) {
    // A run would give the page the id of its place, which may be that of another row.
    defect = 7;
    what = fmt::format("an id of {} bytes, more than {}", id->size(), kPageNameBytesMaximum);
  } else if (!known_.insert(*id)) {
    defect = 4;
    what = fmt::format("the id '{}' occurs in an earlier row", *id);
  }
  if (defect == 0 || !raises) return defect;
  raise({ErrorCode::kInvalidArgument, fmt::format("column '{}', row {}: {}", reading_.id_field, shown_row, what)});
}

}  // namespace paraprint::python
