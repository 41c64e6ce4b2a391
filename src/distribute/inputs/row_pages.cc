// A row becomes a RawRecord and takes the same path through decode_page() as a record of an archive, so a table gives
// the profiles that the same pages would give as JSON lines.
#include "distribute/inputs/row_pages.h"

#include <optional>
#include <string>
#include <utility>

#include "http/date.h"

namespace paraprint::distribute::inputs {

DecodedRecord decode_row(const PageInputRow& row, const ReadOptions& options, Counters& counters) {
  RawRecord record;
  record.kind = RecordKind::kPage;
  record.id = row.id;
  record.url = row.url;
  record.content_type = row.content_type;
  // Ids and dates take part in the order of pages, so dates are normalised before they are used.
  if (!row.date.empty()) {
    if (std::optional<std::string> date = normalise_date(row.date)) {
      record.date = std::move(*date);
    } else {
      count(counters, "rows_with_bad_date");
    }
  }
  record.format = row.is_text ? PageFormat::kPlainText : PageFormat::kHtml;
  record.format_is_known = true;
  record.body_is_utf8 = row.body_is_utf8;
  record.payload = row.body;
  record.location.ordinal = row.ordinal;
  return decode_page(std::move(record), options, "row " + std::to_string(row.ordinal));
}

}  // namespace paraprint::distribute::inputs
