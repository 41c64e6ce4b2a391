// The archive of a crawl: WARC 1.1 files of gzip members, one a record, as archive tools read them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "crawl/appending_file.h"
#include "crawl/crawl_records.h"
#include "crawl/fetcher.h"
#include "paraprint/result.h"

namespace paraprint {

// How an answer is kept.
enum class CaptureKind : std::uint8_t {
  kResponse,          // as received
  kNearDuplicate,     // revisit: its header, and the page whose text it has (kNearDuplicateProfile)
  kIdenticalPayload,  // revisit: its header; the body is that of an earlier capture of the address
  kNotModified,       // revisit: the server said so (304)
};

struct Capture {
  CaptureKind kind = CaptureKind::kResponse;
  const FetchResult* fetch = nullptr;
  std::string payload_digest;  // "sha1:...", of the body as it is kept; empty: none is written
  std::string refers_to_id;    // for revisits: record, address and date of what they repeat; may be empty
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

// "sha1:" and base 32.
std::string sha1_label(std::string_view bytes);

// "2024-05-01T10:00:00Z"
std::string utc_date(std::int64_t unix_seconds);

class WarcOutput {
 public:
  // Goes on at `position`: cuts what is behind it and removes later files. `description` is the content of the warcinfo
  // record that begins each file.
  static Result<WarcOutput> open(const std::string& folder, const CrawlPosition& position,
                                 std::uint64_t file_bytes_maximum,
                                 std::vector<std::pair<std::string, std::string>> description);

  // Appends response or revisit, request and metadata record and moves `position` behind them. Safe after sync(), and
  // part of the crawl when the position is.
  Result<CaptureRecord> write(const Capture& capture, CrawlPosition& position);
  Status sync() { return file_.sync(); }

 private:
  WarcOutput(std::string folder, AppendingFile file, std::uint64_t file_bytes_maximum,
             std::vector<std::pair<std::string, std::string>> description);
  Status begin_file(CrawlPosition& position);

  std::string folder_;
  AppendingFile file_;
  std::uint64_t file_bytes_maximum_;
  std::vector<std::pair<std::string, std::string>> description_;
};

}  // namespace paraprint
