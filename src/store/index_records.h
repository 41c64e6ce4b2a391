// The values stored in an index's database, and their encodings (docs/formats/index.md). Decoding is safe on any bytes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "paraprint/result.h"

namespace paraprint::inline store {

inline constexpr std::uint8_t kIndexRecordFormatVersion = 1;  // persisted

// A page, stored under its id.
struct PageRecord {
  std::uint64_t text = 0;
  std::uint64_t first_seen_seconds = 0;
  std::uint64_t last_seen_seconds = 0;
  std::string url;  // empty if the id is the URL or there is no URL
  std::string date;
  std::string cluster;  // empty if it is the page's own id
  bool id_is_url = false;
};

// A text, stored under its number. Views refer to the decoded bytes.
struct TextRecord {
  std::uint64_t site = 0;                          // of the page that introduced it
  bool is_voter = false;                           // its paragraphs count towards the site's template
  bool has_other_pages = false;                    // pages other than the owner may have this text
  std::string_view owner;                          // id of its first page
  std::vector<std::uint16_t> template_paragraphs;  // those that were template when it was added; ascending
  std::string_view fingerprint;                    // encoded; only in an index of a page-level algorithm
  std::string_view profile;                        // encoded profile
};

// Encoders append to `out`. Decoders return kCorruptData, or kUnsupported for another format version.
void encode_page_record(const PageRecord& record, std::string& out);
Status decode_page_record(std::string_view bytes, PageRecord& record);

void encode_text_record(const TextRecord& record, std::string& out);
Status decode_text_record(std::string_view bytes, TextRecord& record);

// Totals of the whole index.
struct IndexCounts {
  std::uint64_t pages = 0;
  std::uint64_t texts = 0;
  std::uint64_t next_text = 0;  // text numbers are never reused
};
std::string encode_index_counts(const IndexCounts& counts);
Status decode_index_counts(std::string_view bytes, IndexCounts& counts);

}  // namespace paraprint::inline store
