// Turns a stored record into a page: HTTP header, filters, transfer and content encodings. Pure functions, thread-safe.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "archive/record.h"
#include "paraprint/model.h"
#include "paraprint/read_options.h"

namespace paraprint::inline archive {

enum class PageOutcome : std::uint8_t {
  kAccepted,
  kNotAPage,        // the record's kind is not kPage
  kStatusFiltered,  // not in ReadOptions::status
  kTypeFiltered,    // not in ReadOptions::content_type, a body that is neither markup nor text, or XML that is no page
  kEmptyBody,       // only white space
  kTooLarge,        // exceeds a limit; a defect names it
  kBroken,          // cannot be decoded; a defect gives the reason
};
inline constexpr std::size_t kPageOutcomeCount = 7;

// A stable name: "accepted", "not-a-page", "status-filtered", "type-filtered", "empty-body", "too-large", "broken".
std::string_view page_outcome_name(PageOutcome outcome);

// Whether the first bytes could be text: a UTF-16 byte-order mark, or no control characters other than white space and
// ESC (ISO-2022).
bool is_text_like(std::string_view bytes);

struct DecodedRecord {
  PageOutcome outcome = PageOutcome::kBroken;
  Page page;                    // complete if kAccepted; otherwise without the body
  bool is_partial = false;      // chunks or an encoding are damaged, and the body is what comes before that
  std::vector<Defect> defects;  // may be non-empty for kAccepted: a damaged body can still be usable
};

// `file` names the input in defects. Moves the record's strings. Cost: one pass over the payload per encoding.
//
// Supports status lines of HTTP/1.0 to 3, LF line ends, folded headers, chunked coding, and gzip, x-gzip, deflate (zlib
// or raw), br, zstd and identity stacked in any order. Bodies that contradict their header are used as far as possible:
// not chunked or not compressed in spite of the header, truncated, or longer or shorter than Content-Length.
DecodedRecord decode_page(RawRecord&& record, const ReadOptions& options, std::string_view file);

}  // namespace paraprint::inline archive
