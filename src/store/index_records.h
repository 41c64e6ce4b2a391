// The values that the database of an index holds, and their byte forms (docs/formats/index.md). Reading is safe on any
// bytes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "paraprint/result.h"

namespace paraprint {

inline constexpr std::uint8_t kIndexRecordFormatVersion = 1;  // persisted

// A page, under its id.
struct PageRecord {
  std::uint64_t text = 0;
  std::uint64_t first_seen_seconds = 0;
  std::uint64_t last_seen_seconds = 0;
  std::string url;  // empty: the id is the URL, or there is none
  std::string date;
  std::string cluster;  // empty: its own id
  bool id_is_url = false;
};

// A text, under its number. Views point into the bytes decoded.
struct TextRecord {
  std::uint64_t site = 0;                          // of the page that brought it
  bool is_voter = false;                           // its paragraphs count towards the site's template
  bool has_other_pages = false;                    // pages besides the owner may have this text
  std::string_view owner;                          // id of its first page
  std::vector<std::uint16_t> template_paragraphs;  // that were template when the text came; ascending
  std::string_view profile;                        // encoded
};

void encode_page_record(const PageRecord& record, std::string& out);
Status decode_page_record(std::string_view bytes, PageRecord& record);

void encode_text_record(const TextRecord& record, std::string& out);
Status decode_text_record(std::string_view bytes, TextRecord& record);

// Numbers kept of the whole index.
struct IndexCounts {
  std::uint64_t pages = 0;
  std::uint64_t texts = 0;
  std::uint64_t next_text = 0;
};
std::string encode_index_counts(const IndexCounts& counts);
Status decode_index_counts(std::string_view bytes, IndexCounts& counts);

}  // namespace paraprint
