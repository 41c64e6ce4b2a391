// From a stored record to the page in it: HTTP header, filters, transfer and content encodings. Pure functions, safe
// to call from any number of threads.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "archive/record.h"
#include "paraprint/model.h"
#include "paraprint/read_options.h"

namespace paraprint {

enum class PageOutcome : std::uint8_t {
  kAccepted,
  kNotAPage,        // the record's kind is not kPage
  kStatusFiltered,  // ReadOptions::statuses
  kTypeFiltered,    // ReadOptions::content_types, or a body that is neither HTML nor text
  kEmptyBody,       // nothing but white space
  kTooLarge,        // a limit; a defect says which
  kBroken,          // can't be decoded; a defect says why
};
inline constexpr std::size_t kPageOutcomeCount = 7;

// Stable: "accepted", "not-a-page", "status-filtered", "type-filtered", "empty-body", "too-large", "broken".
std::string_view page_outcome_name(PageOutcome outcome);

// Whether the first bytes could be those of a text: no control characters but white space, or a mark of UTF-16.
bool is_text_like(std::string_view bytes);

struct DecodedRecord {
  PageOutcome outcome = PageOutcome::kBroken;
  Page page;                    // complete if kAccepted; else everything but the body
  std::vector<Defect> defects;  // also on kAccepted, where a body was used in spite of them
};

// `file` names the input in defects. Takes the record's strings. Cost: one pass over the payload per encoding.
//
// Understood: HTTP/1.0 to 3 status lines, LF line ends, folded headers; chunked coding; gzip, x-gzip, deflate (zlib or
// raw), br, zstd, identity, stacked in any order. Bodies that contradict their header are used as far as they can be
// read: not chunked after all, not compressed after all, cut short, longer or shorter than Content-Length.
DecodedRecord decode_page(RawRecord&& record, const ReadOptions& options, std::string_view file);

}  // namespace paraprint
