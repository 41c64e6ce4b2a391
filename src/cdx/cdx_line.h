// The line of an index for a record of an archive, equal to that of cdxj-indexer 1.5 with its default settings.
//
// Which records have one, and what it says: docs/cdx.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "archive/record.h"
#include "archive/record_reader.h"
#include "cdx/request_query.h"
#include "paraprint/options.h"

namespace paraprint::inline cdx {

// The heading of a file of this form, with its line end; empty for CDXJ.
std::string_view cdx_heading(CdxForm form);

enum class CdxLineState : std::uint8_t {
  kMade,
  kNotACapture,     // requests, warcinfo, conversions, ...: players do not look them up
  kWithoutDate,     // no line can be made
  kNotAddressable,  // the record is not the only one of its compressed member: players could not read it
};
inline constexpr std::size_t kCdxLineStateCount = 4;

struct CdxLine {
  CdxLineState state = CdxLineState::kNotACapture;
  std::string text;  // with its line end; only if kMade
};

// `record` is from a reader that keeps everything (RecordReader::keep_everything()), of a WARC or ARC file. `filename`
// is the name of that file in the index. `query`, if there is one, is what the request of the record says. Pure and
// thread-safe. Cost: O(size), with a SHA-1 if no digest is stated.
CdxLine make_cdx_line(const RawRecord& record, const RecordReader& reader, CdxForm form, std::string_view filename,
                      const RequestQuery* query = nullptr);

// Whether the two records, adjacent in a WARC file, are a request and its response, in this or the other order: of one
// address, the second captured together with the first. Both are from a reader that keeps everything.
bool are_request_and_response(const RawRecord& first, const RawRecord& second);

}  // namespace paraprint::inline cdx
