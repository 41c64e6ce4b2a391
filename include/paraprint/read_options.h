// Selects the records that are read as pages, and limits their size. The limits bound memory and time on hostile input;
// a record that exceeds one is counted as a defect and the run continues.
//
// Example:
//
//   ReadOptions reading;
//   reading.status = {{200, 299}};
//   reading.max_body_bytes = std::uint64_t{16} << 20;
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace paraprint {

// Ids and URLs are repeated in rows of tables and are keys of an index, which has the same limit. A run gives a page
// with a longer id the id of its place, and one with a longer URL none, and counts it. Real ones are far shorter.
inline constexpr std::size_t kPageNameBytesMaximum = 8192;

struct StatusRange {
  int first = 200;
  int last = 200;
};

struct ReadOptions {
  // JSON lines. Each line needs html_field or text_field; html_field takes precedence. An id is a string or a number.
  std::string id_field = "id";
  std::string html_field = "html";
  std::string text_field = "text";
  std::string url_field = "url";
  std::string date_field = "date";
  // A number (JSON lines); empty: none is read. No option of its own: runs take it from SurvivorOptions::keep.
  std::string score_field;
  // JSON lines: what says where a page without an id is (Page::has_id_of_place), in place of the name of the file and
  // the line; empty: nothing does. No option: for files that stand for pages of another kind of input.
  std::string place_field;

  // Filters for captured HTTP responses. Responses with an unlisted status or media type are counted and passed
  // through, but not compared. Types are compared ignoring parameters and case. A missing type is detected from the
  // first bytes of the body. Feeds, sitemaps and files for programs, by the root element, do not count as text/xml or
  // application/xml.
  std::vector<StatusRange> status = {{200, 200}};
  std::vector<std::string> content_type = {"text/html", "application/xhtml+xml", "text/plain", "text/xml",
                                           "application/xml"};

  // Larger records stay in the archive but are neither held in memory nor treated as pages. 64 MiB is about a hundred
  // times the largest page of ordinary crawls.
  std::uint64_t max_record_bytes = std::uint64_t{64} << 20;
  // The body after decoding of transfer and content encodings.
  std::uint64_t max_body_bytes = std::uint64_t{64} << 20;
  // Twice a record, because a JSON line has escapes and several fields.
  std::uint64_t max_line_bytes = std::uint64_t{128} << 20;
  // Real WARC headers are under 4 KiB, HTTP headers under 64 KiB even with large cookies.
  std::uint64_t max_record_header_bytes = std::uint64_t{64} << 10;
  std::uint64_t max_http_header_bytes = std::uint64_t{256} << 10;
  // A member that expands beyond bomb_threshold_bytes must not exceed this many times its compressed size. Web archives
  // compress by factors of 3 to 30; deflate cannot exceed 1032, and only runs of a single byte come close.
  std::uint64_t max_expansion_ratio = 500;
  std::uint64_t bomb_threshold_bytes = std::uint64_t{64} << 20;
  // Maximum number of names in an input folder; beyond it the call fails rather than exhaust memory.
  std::uint64_t max_files = 50'000'000;
};

}  // namespace paraprint
