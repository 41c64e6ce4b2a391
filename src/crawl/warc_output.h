// The archive of a crawl: WARC 1.1 files with one gzip member per record, as archive tools expect.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "crawl/crawl_records.h"
#include "crawl/crawl_system.h"
#include "crawl/fetcher.h"
#include "memory/appending_file.h"
#include "paraprint/result.h"

namespace paraprint::inline crawler {

// How an answer is archived.
enum class CaptureKind : std::uint8_t {
  kResponse,          // as received
  kRelation,          // metadata, alone: the body was left out, and `metadata` says which page has the text
  kIdenticalPayload,  // revisit: header only; the body equals that of an earlier capture
  kNotModified,       // revisit: the server answered 304
};

struct Capture {
  CaptureKind kind = CaptureKind::kResponse;
  const FetchResult* fetch = nullptr;
  std::string payload_digest;  // "sha1:...", of the body as stored; empty: not written
  std::string refers_to_id;    // for revisits: id, address and date of the record they refer to; may be empty
  std::string refers_to_url;
  std::string refers_to_date;
  // "name: value" lines about the capture, for its metadata record.
  std::vector<std::pair<std::string, std::string>> metadata;
};

struct CaptureRecord {
  std::string file;  // "crawl-00000.warc.gz"
  std::uint64_t offset_bytes = 0;
  std::uint64_t length_bytes = 0;
  std::string record_id;  // "urn:uuid:..."
  std::string date;       // "2024-05-01T10:00:00Z"
};

// "sha1:" followed by the digest in base 32.
std::string sha1_label(std::string_view bytes);

// "2024-05-01T10:00:00Z"
std::string utc_date(std::int64_t unix_seconds);

class WarcOutput {
 public:
  // Continues at `position`: truncates the current file there and removes later files. `description` is the content of
  // the warcinfo record at the beginning of each file. `system` must outlive it.
  static Result<WarcOutput> open(const std::string& folder, const CrawlPosition& position,
                                 std::uint64_t file_bytes_maximum,
                                 std::vector<std::pair<std::string, std::string>> description,
                                 const CrawlSystem& system = CrawlSystem::real());

  // Appends a response or revisit record, a request record and a metadata record (for CaptureKind::kRelation only the
  // last), and advances `position`. They are durable after sync() and belong to the crawl once the position is
  // committed. Returns the place of the first.
  Result<CaptureRecord> write(const Capture& capture, CrawlPosition& position);
  Status sync() { return file_.sync(); }

 private:
  WarcOutput(std::string folder, AppendingFile file, std::uint64_t file_bytes_maximum,
             std::vector<std::pair<std::string, std::string>> description, const CrawlSystem& system);
  Status begin_file(CrawlPosition& position);

  std::string folder_;
  AppendingFile file_;
  std::uint64_t file_bytes_maximum_;
  std::vector<std::pair<std::string, std::string>> description_;
  const CrawlSystem* system_;
};

}  // namespace paraprint::inline crawler
