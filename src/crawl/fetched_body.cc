// Reuses the archive reader's decoding: an answer is turned into a raw record as if it had been read from an archive.
// So a page is decoded in the same way while it is crawled and when its archive is read later.
#include "crawl/fetched_body.h"

#include <fmt/format.h>

#include <utility>

#include "crawl/warc_output.h"
#include "http/header_block.h"

namespace paraprint::inline crawler {
namespace {

RawRecord record_of(const FetchResult& fetch) {
  RawRecord record;
  record.kind = RecordKind::kPage;
  record.is_http = true;
  record.is_truncated = fetch.failure == CrawlReason::kTruncated || fetch.is_cut;
  record.id = fetch.request.url;
  record.url = fetch.request.url;
  record.date = utc_date(fetch.began_at_seconds);
  return record;
}

}  // namespace

DecodedRecord decode_fetched_page(const FetchResult& fetch, const CrawlOptions& options) {
  ReadOptions reading;
  reading.content_type = options.content_type;
  reading.max_body_bytes = options.max_decoded_bytes;
  reading.max_http_header_bytes = options.max_header_bytes;
  RawRecord record = record_of(fetch);
  record.payload = fetch.response_header + fetch.body;
  return decode_page(std::move(record), reading, fetch.request.url);
}

std::optional<FetchedFile> decode_fetched_file(const FetchResult& fetch, std::uint64_t limit_bytes) {
  ReadOptions reading;
  reading.max_body_bytes = limit_bytes;
  RawRecord record = record_of(fetch);
  record.format_is_known = true;
  // A header with only the fields that say how the body is encoded: a content type could get it filtered out.
  record.payload = "HTTP/1.1 200 OK\r\n";
  for (const char* name : {"Transfer-Encoding", "Content-Encoding"}) {
    const std::string value = fetch.header(name);
    if (!value.empty()) record.payload += fmt::format("{}: {}\r\n", name, value);
  }
  record.payload += "\r\n" + fetch.body;
  DecodedRecord decoded = decode_page(std::move(record), reading, fetch.request.url);
  // An empty robots.txt is a valid one that allows everything.
  if (decoded.outcome == PageOutcome::kEmptyBody) return FetchedFile{"", decoded.is_partial};
  if (decoded.outcome != PageOutcome::kAccepted) return std::nullopt;
  return FetchedFile{std::move(decoded.page.body), decoded.is_partial};
}

std::string digest_of_body(const FetchResult& fetch) {
  return sha1_label(fmt::format("{}\n{}\n{}", to_lower(fetch.header("Transfer-Encoding")),
                                to_lower(fetch.header("Content-Encoding")), fetch.body));
}

bool is_chunked(const FetchResult& fetch) {
  return to_lower(fetch.header("Transfer-Encoding")).find("chunked") != std::string::npos;
}

}  // namespace paraprint::inline crawler
