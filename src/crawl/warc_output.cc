// Writes the archive. Every record is a gzip member of its own, as tools need it for reading records by offset. The
// valid length of the current file is part of the crawl's position, so records of unsettled answers are cut off when
// the crawl resumes.
#include "crawl/warc_output.h"

#include <fmt/format.h>

#include <ctime>
#include <filesystem>

#include "archive/member_writer.h"
#include "archive/warc_record.h"
#include "base/atomic_file.h"
#include "base/base32.h"
#include "base/digest.h"
#include "base/propagate.h"

namespace paraprint::inline crawler {
namespace {

namespace fs = std::filesystem;

// Five digits, so that names sort in the order of the files.
std::string file_name(std::uint64_t number) {
  return fmt::format("crawl-{:05}.warc.gz", number);
}

// Made from the random id of the crawl and the number of the record: unique across crawls, and the same again if a
// record is written again after a kill.
std::string record_id(CrawlPosition& position) {
  return uuid_from(fmt::format("{} {}", position.crawl_id, position.next_record++));
}

// WARC puts record ids into angle brackets. An absent id stays empty, and its field is then left out.
std::string bracketed(std::string_view id) {
  return id.empty() ? std::string() : fmt::format("<{}>", id);
}

std::string_view profile_of(CaptureKind kind) {
  switch (kind) {
    case CaptureKind::kIdenticalPayload:
      return kIdenticalPayloadProfile;
    case CaptureKind::kNotModified:
      return kNotModifiedProfile;
    case CaptureKind::kResponse:
    case CaptureKind::kRelation:
      break;
  }
  return {};
}

// Why the record lacks some of the payload: cut by us ("length"), or never received ("disconnect").
std::string_view truncation_of(const Capture& capture) {
  if (capture.fetch->is_cut) return "length";
  return capture.fetch->failure == CrawlReason::kTruncated ? "disconnect" : "";
}

// The response record, with the answer as received, or the revisit record, with its header only.
std::string main_record(const Capture& capture, std::string_view id, std::string_view date) {
  const FetchResult& fetch = *capture.fetch;
  const bool is_response = capture.kind == CaptureKind::kResponse;
  const std::string block = is_response ? fetch.response_header + fetch.body : fetch.response_header;
  const std::string identifier = bracketed(id);
  const std::string digest = sha1_label(block);
  const std::string refers_to = bracketed(capture.refers_to_id);
  const WarcFields fields = {
      {"WARC-Record-ID", identifier},
      {"WARC-Date", date},
      {"WARC-Target-URI", fetch.request.url},
      {"WARC-IP-Address", fetch.address},
      {"WARC-Profile", profile_of(capture.kind)},
      {"WARC-Refers-To", refers_to},
      {"WARC-Refers-To-Target-URI", capture.refers_to_url},
      {"WARC-Refers-To-Date", capture.refers_to_date},
      {"WARC-Truncated", truncation_of(capture)},
      {"WARC-Payload-Digest", capture.payload_digest},
      {"WARC-Block-Digest", digest},
      {"Content-Type", "application/http; msgtype=response"},
  };
  return make_warc_record(is_response ? "response" : "revisit", fields, block);
}

// A request or metadata record. `main_id` is the id of the record that it belongs to; empty if it stands alone.
std::string side_record(std::string_view type, std::string_view content_type, const Capture& capture,
                        std::string_view id, std::string_view main_id, std::string_view date, std::string_view block) {
  const std::string identifier = bracketed(id);
  const std::string main_identifier = bracketed(main_id);
  const std::string digest = sha1_label(block);
  const WarcFields fields = {
      {"WARC-Record-ID", identifier},
      {"WARC-Date", date},
      {"WARC-Target-URI", capture.fetch->request.url},
      {"WARC-Concurrent-To", main_identifier},
      {"WARC-Block-Digest", digest},
      {"Content-Type", content_type},
  };
  return make_warc_record(type, fields, block);
}

// Files are numbered without gaps, so the first missing number ends the search.
Status remove_later_files(const std::string& folder, std::uint64_t number) {
  for (std::error_code error;; ++number) {
    const std::string path = folder + "/" + file_name(number);
    if (!fs::remove(path, error)) return {};
  }
}

}  // namespace

// The usual form of digests in WARC files; other tools compare it.
std::string sha1_label(std::string_view bytes) {
  return "sha1:" + base32(sha1(bytes));
}

std::string utc_date(std::int64_t unix_seconds) {
  const std::time_t time = unix_seconds;
  std::tm parts{};
  ::gmtime_r(&time, &parts);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday,
                     parts.tm_hour, parts.tm_min, parts.tm_sec);
}

WarcOutput::WarcOutput(std::string folder, AppendingFile file, std::uint64_t file_bytes_maximum,
                       std::vector<std::pair<std::string, std::string>> description, const CrawlSystem& system)
    : folder_(std::move(folder)),
      file_(std::move(file)),
      file_bytes_maximum_(file_bytes_maximum),
      description_(std::move(description)),
      system_(&system) {}

// Later files and bytes beyond the position are records of answers that were not settled before a kill.
Result<WarcOutput> WarcOutput::open(const std::string& folder, const CrawlPosition& position,
                                    std::uint64_t file_bytes_maximum,
                                    std::vector<std::pair<std::string, std::string>> description,
                                    const CrawlSystem& system) {
  PARAPRINT_TRY(create_folders(folder));
  PARAPRINT_TRY(remove_later_files(folder, position.warc_file + 1));
  PARAPRINT_ASSIGN(AppendingFile file,
                   AppendingFile::open(folder + "/" + file_name(position.warc_file), position.warc_bytes));
  return WarcOutput(folder, std::move(file), file_bytes_maximum, std::move(description), system);
}

// The finished file is synced here, because sync() only reaches the current one.
Status WarcOutput::begin_file(CrawlPosition& position) {
  if (file_.size_bytes() > 0) {
    PARAPRINT_TRY(file_.sync());
    PARAPRINT_ASSIGN(AppendingFile next, AppendingFile::open(folder_ + "/" + file_name(++position.warc_file), 0));
    file_ = std::move(next);
  }
  const std::string block = warc_fields(description_);
  const std::string identifier = bracketed(record_id(position));
  const std::string date = utc_date(system_->unix_seconds());
  const std::string name = file_name(position.warc_file);
  const std::string digest = sha1_label(block);
  return file_.append(gzip_member(make_warc_record("warcinfo",
                                                   {{"WARC-Record-ID", identifier},
                                                    {"WARC-Date", date},
                                                    {"WARC-Filename", name},
                                                    {"WARC-Block-Digest", digest},
                                                    {"Content-Type", "application/warc-fields"}},
                                                   block)));
}

// The records are appended together and never split over two files. A file gets its warcinfo record only when there is
// something to write. Without a main record there is no request record, which would refer to it.
Result<CaptureRecord> WarcOutput::write(const Capture& capture, CrawlPosition& position) {
  if (file_.size_bytes() == 0 || file_.size_bytes() >= file_bytes_maximum_) {
    PARAPRINT_TRY(begin_file(position));
  }
  CaptureRecord record;
  record.file = file_name(position.warc_file);
  record.offset_bytes = file_.size_bytes();
  record.record_id = record_id(position);
  record.date = utc_date(capture.fetch->began_at_seconds);
  const auto side = [&](std::string_view type, std::string_view content_type, std::string_view id,
                        std::string_view main_id, std::string_view block) {
    return gzip_member(side_record(type, content_type, capture, id, main_id, record.date, block));
  };
  const std::string metadata = warc_fields(capture.metadata);
  std::string members;
  if (capture.kind == CaptureKind::kRelation) {
    members = side("metadata", "application/warc-fields", record.record_id, {}, metadata);
    record.length_bytes = members.size();
  } else {
    members = gzip_member(main_record(capture, record.record_id, record.date));
    record.length_bytes = members.size();
    members += side("request", "application/http; msgtype=request", record_id(position), record.record_id,
                    capture.fetch->request_header);
    members += side("metadata", "application/warc-fields", record_id(position), record.record_id, metadata);
  }
  PARAPRINT_TRY(file_.append(members));
  position.warc_bytes = file_.size_bytes();
  return record;
}

}  // namespace paraprint::inline crawler
