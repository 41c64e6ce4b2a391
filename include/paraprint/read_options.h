// What is read as a page, and how much of it. Every limit bounds memory or time against hostile input; what passes one
// is counted as a defect and the run goes on.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace paraprint {

struct StatusRange {
  int first = 200;
  int last = 200;
};

struct ReadOptions {
  // JSON lines. A line needs html_field or text_field; with both, html_field wins. Strings or numbers make an id.
  std::string id_field = "id";
  std::string html_field = "html";
  std::string text_field = "text";
  std::string url_field = "url";
  std::string date_field = "date";

  // Filters for captured HTTP responses. A status that isn't listed or a media type that isn't listed is counted and
  // passed through, not compared. Types are compared without parameters and case. A missing type is told from the
  // first bytes of the body.
  std::vector<StatusRange> statuses = {{200, 200}};
  std::vector<std::string> content_types = {"text/html", "application/xhtml+xml", "text/plain"};

  // Larger records stay in the archive but are never held in memory and never pages. 64 MiB is about a hundred times
  // the largest page of ordinary crawls.
  std::uint64_t max_record_bytes = std::uint64_t{64} << 20;
  // The body after transfer and content encodings.
  std::uint64_t max_body_bytes = std::uint64_t{64} << 20;
  // JSON escapes and carries several fields: twice a record.
  std::uint64_t max_line_bytes = std::uint64_t{128} << 20;
  // Real WARC headers are under 4 KiB, HTTP headers under 64 KiB even with large cookies.
  std::uint64_t max_record_header_bytes = std::uint64_t{64} << 10;
  std::uint64_t max_http_header_bytes = std::uint64_t{256} << 10;
  // A member that has grown beyond bomb_threshold_bytes may not be more than this many times its compressed size. Web
  // archives compress 3 to 30 times; deflate cannot exceed 1032 times, and only runs of one byte come near.
  std::uint64_t max_expansion_ratio = 500;
  std::uint64_t bomb_threshold_bytes = std::uint64_t{64} << 20;
  // Names in a folder that is searched for input; beyond it the call fails rather than exhaust memory.
  std::uint64_t max_files = 50'000'000;
};

}  // namespace paraprint
