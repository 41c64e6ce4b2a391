// The archive of a crawl: WARC 1.1 files with one gzip member per record, as archive tools expect.
//
// Their names are PREFIX-YYYYMMDDHHMMSSmmm-NNNNN.warc.gz, followed by ".open" while records are added. They are made of
// the time at which a file was begun (UTC), so that files of several crawls can be put into one folder, and of its
// number within the crawl.
#pragma once

#include <cstdint>
#include <optional>
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
  std::string file;  // its name once it is finished: "crawl-20240501100000123-00000.warc.gz"
  std::uint64_t offset_bytes = 0;
  std::uint64_t length_bytes = 0;
  std::string record_id;  // "urn:uuid:..."
  std::string date;       // "2024-05-01T10:00:00Z"
};

// "sha1:" followed by the digest in base 32.
std::string sha1_label(std::string_view bytes);

// "2024-05-01T10:00:00Z"
std::string utc_date(std::int64_t unix_seconds);

// Follows the name of the file that is being written.
inline constexpr std::string_view kOpenSuffix = ".open";

// "crawl-20240501100000123-00000.warc.gz" for "crawl", 1714557600123 and 0.
std::string warc_name(std::string_view prefix, std::int64_t unix_milliseconds, std::uint64_t number);

// "crawl-00000.warc.gz", as files were called before their names had a time.
std::string numbered_warc_name(std::uint64_t number);

// The number in a name of either form. Empty for any other text, for one that ends with kOpenSuffix, too.
std::optional<std::uint64_t> number_of_warc(std::string_view name);

// Whether names may begin with it: 1 to 100 letters, digits, '-', '_' and '.', not beginning with '.'.
bool is_warc_prefix(std::string_view prefix);

struct WarcFileRules {
  std::uint64_t bytes_maximum = 0;  // a file that has as many is finished
  // Content of the warcinfo record at the beginning of each file. Fields without a value are left out.
  std::vector<std::pair<std::string, std::string>> description;
  std::string prefix = "crawl";  // of the names of new files: see is_warc_prefix()
};

// Files are called NAME.open until finish_earlier_files() or finish(). Not thread-safe. Errors: kInputOutput, kNoSpace
// and the like, each naming the file; after one, nothing more may be called.
class WarcOutput {
 public:
  // Continues at `position`: opens the current file again if it was finished, truncates it there, and removes later
  // files. `system` must outlive it. kCorruptData if the current file is missing or too short.
  static Result<WarcOutput> open(const std::string& folder, const CrawlPosition& position, WarcFileRules rules,
                                 const CrawlSystem& system = CrawlSystem::real());

  // Appends a response or revisit record, a request record and a metadata record (for CaptureKind::kRelation only the
  // last), and advances `position`. They are durable after sync() and belong to the crawl once the position is
  // committed. Returns the place of the first.
  Result<CaptureRecord> write(const Capture& capture, CrawlPosition& position);
  Status sync() { return file_ ? file_->sync() : Status{}; }

  // Gives the files before the current one their final names. Requires that the position is durable: a power cut must
  // not bring back one for which they are later files, because such files are removed by their open names only.
  Status finish_earlier_files();
  // The same for all files, once nothing is added any more.
  Status finish();

 private:
  WarcOutput(std::string folder, WarcFileRules rules, const CrawlSystem& system)
      : folder_(std::move(folder)), rules_(std::move(rules)), system_(&system) {}
  Status take_open_files(std::uint64_t current, bool has_current);
  Status begin_file(CrawlPosition& position);
  std::string path(std::string_view name) const { return folder_ + "/" + std::string(name); }

  std::string folder_;
  WarcFileRules rules_;
  const CrawlSystem* system_;
  std::optional<AppendingFile> file_;  // none before the first record
  std::string name_;                   // of the file, without ".open"
  std::vector<std::string> earlier_;   // names of complete files, without the ".open" that they still have
};

}  // namespace paraprint::inline crawler
