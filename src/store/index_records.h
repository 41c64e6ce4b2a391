// The values stored in an index's database, and their encodings (docs/formats/index.md). Decoding is safe on any bytes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "paraprint/result.h"

namespace paraprint::inline store {

inline constexpr std::uint8_t kIndexRecordFormatVersion = 1;    // persisted: of pages and texts
inline constexpr std::uint8_t kIndexSettingsFormatVersion = 1;  // persisted: of the table of settings

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

// Which settings identity (profile/page_profiler.h) texts were made under: those from `first_text` up to the first text
// of the next generation. A new version of the rules of extraction, or of the text tables, begins a new one.
struct ProfileGeneration {
  std::uint64_t first_text = 0;
  std::string identity;
};
// At least one generation; the first begins with text 0, each other one after the one before it.
std::string encode_profile_generations(const std::vector<ProfileGeneration>& generations);
Status decode_profile_generations(std::string_view bytes, std::vector<ProfileGeneration>& generations);

}  // namespace paraprint::inline store
