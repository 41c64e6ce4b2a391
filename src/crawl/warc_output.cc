// Writes the archive. Every record is a gzip member of its own, as tools need it for reading records by offset. The
// valid length of the current file is part of the crawl's position, so records of unsettled answers are cut off when
// the crawl resumes.
#include "crawl/warc_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <ctime>
#include <filesystem>

#include "archive/member_writer.h"
#include "archive/warc_record.h"
#include "base/atomic_file.h"
#include "base/base32.h"
#include "base/digest.h"
#include "base/propagate.h"
#include "base/system_error.h"

namespace paraprint::inline crawler {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEnding = ".warc.gz";
constexpr std::string_view kNumbered = "crawl";  // before the number of names without a time
constexpr std::size_t kTimeDigits = 17;
constexpr std::size_t kNumberDigits = 5;  // at least, so that names sort in the order of the files
constexpr std::size_t kPrefixBytesMaximum = 100;

bool is_digits(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool is_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
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

std::string open_name(std::string_view name) {
  return fmt::format("{}{}", name, kOpenSuffix);
}

Status remove_file(const std::string& path) {
  std::error_code failed;
  fs::remove(path, failed);
  if (failed) return tl::unexpected<Error>(system_error("remove", path, failed.value()));
  return {};
}

Status rename_file(const std::string& from, const std::string& to) {
  if (::rename(from.c_str(), to.c_str()) == 0) return {};
  return tl::unexpected<Error>(system_error("rename", from, errno));
}

// Files of a crawl that was begun before names had a time: they were never called ".open". They are numbered without
// gaps, so the first missing number ends the search.
Status remove_numbered_files(const std::string& folder, std::uint64_t number) {
  for (;; ++number) {
    const std::string path = folder + "/" + numbered_warc_name(number);
    PARAPRINT_ASSIGN(const bool is_there, path_exists(path));
    if (!is_there) return {};
    PARAPRINT_TRY(remove_file(path));
  }
}

// Lets the current file have its open name, if a run finished it.
Status reopen(const std::string& path) {
  PARAPRINT_ASSIGN(const bool is_open, path_exists(open_name(path)));
  PARAPRINT_ASSIGN(const bool is_finished, path_exists(path));
  if (is_open && is_finished) {
    return failure(
        ErrorCode::kCorruptData,
        fmt::format("{} is there with and without '{}'; remove the one that is not of this crawl", path, kOpenSuffix));
  }
  if (is_open) return {};
  if (!is_finished) {
    return failure(ErrorCode::kCorruptData, fmt::format("{}, to which records were written, is missing", path));
  }
  PARAPRINT_TRY(rename_file(path, open_name(path)));
  return sync_folder_of(path);
}

}  // namespace

std::string warc_name(std::string_view prefix, std::int64_t unix_milliseconds, std::uint64_t number) {
  const std::time_t seconds = unix_milliseconds / 1000;
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  return fmt::format("{}-{:04}{:02}{:02}{:02}{:02}{:02}{:03}-{:05}{}", prefix, parts.tm_year + 1900, parts.tm_mon + 1,
                     parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec, unix_milliseconds % 1000, number,
                     kEnding);
}

std::string numbered_warc_name(std::uint64_t number) {
  return fmt::format("{}-{:05}{}", kNumbered, number, kEnding);
}

std::optional<std::uint64_t> number_of_warc(std::string_view name) {
  if (!name.ends_with(kEnding)) return std::nullopt;
  name.remove_suffix(kEnding.size());
  const std::size_t dash = name.rfind('-');
  if (dash == std::string_view::npos) return std::nullopt;
  const std::string_view digits = name.substr(dash + 1);
  std::uint64_t number = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (digits.size() < kNumberDigits || !is_digits(digits) || read.ec != std::errc()) return std::nullopt;
  name = name.substr(0, dash);
  if (name == kNumbered) return number;
  if (name.size() < kTimeDigits + 2 || name[name.size() - kTimeDigits - 1] != '-') return std::nullopt;
  if (!is_digits(name.substr(name.size() - kTimeDigits))) return std::nullopt;
  if (!is_warc_prefix(name.substr(0, name.size() - kTimeDigits - 1))) return std::nullopt;
  return number;
}

bool is_warc_prefix(std::string_view prefix) {
  if (prefix.empty() || prefix.size() > kPrefixBytesMaximum || prefix.front() == '.') return false;
  return std::all_of(prefix.begin(), prefix.end(),
                     [](char c) { return is_letter_or_digit(c) || c == '-' || c == '_' || c == '.'; });
}

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

// Later files and bytes beyond the position are records of answers that were not settled before a kill. Without a valid
// byte in the current file, that is one of the later ones, too.
Result<WarcOutput> WarcOutput::open(const std::string& folder, const CrawlPosition& position, WarcFileRules rules,
                                    const CrawlSystem& system) {
  WarcOutput output(folder, std::move(rules), system);
  PARAPRINT_TRY(create_folders(folder));
  const bool has_current = position.warc_bytes > 0;
  const std::string& name = position.warc_name;
  if (name == numbered_warc_name(position.warc_file)) {
    PARAPRINT_TRY(remove_numbered_files(folder, position.warc_file + (has_current ? 1 : 0)));
  }
  PARAPRINT_TRY(output.take_open_files(position.warc_file, has_current));
  if (!has_current) return output;
  if (number_of_warc(name) != position.warc_file) {
    return failure(ErrorCode::kCorruptData,
                   fmt::format("the state of the crawl has '{}' as the name of archive file {} in {}", name,
                               position.warc_file, folder));
  }
  PARAPRINT_TRY(reopen(output.path(name)));
  PARAPRINT_ASSIGN(AppendingFile file, AppendingFile::open(output.path(open_name(name)), position.warc_bytes));
  output.file_.emplace(std::move(file));
  output.name_ = name;
  return output;
}

// Removes open files of later numbers, and notes those of earlier ones, which the last run did not come to rename.
Status WarcOutput::take_open_files(std::uint64_t current, bool has_current) {
  PARAPRINT_ASSIGN(const std::vector<std::string> names, names_in_folder(folder_));
  for (std::string_view name : names) {
    if (!name.ends_with(kOpenSuffix)) continue;
    name.remove_suffix(kOpenSuffix.size());
    const std::optional<std::uint64_t> number = number_of_warc(name);
    if (!number) continue;
    if (*number > current || (*number == current && !has_current)) {
      PARAPRINT_TRY(remove_file(path(open_name(name))));
    } else if (*number < current) {
      earlier_.emplace_back(name);
    }
  }
  return {};
}

Status WarcOutput::finish_earlier_files() {
  if (earlier_.empty()) return {};
  for (const std::string& name : earlier_) PARAPRINT_TRY(rename_file(path(open_name(name)), path(name)));
  earlier_.clear();
  return sync_folder_of(path(name_));
}

Status WarcOutput::finish() {
  if (file_) {
    file_.reset();
    earlier_.push_back(name_);
  }
  return finish_earlier_files();
}

// The complete file is synced here, because sync() only reaches the current one. Its name must wait for the position.
Status WarcOutput::begin_file(CrawlPosition& position) {
  if (file_) {
    PARAPRINT_TRY(file_->sync());
    earlier_.push_back(name_);
    ++position.warc_file;
  }
  name_ = warc_name(rules_.prefix, system_->unix_milliseconds(), position.warc_file);
  position.warc_name = name_;
  PARAPRINT_ASSIGN(AppendingFile next, AppendingFile::open(path(open_name(name_)), 0));
  file_.emplace(std::move(next));
  const std::string block = warc_fields(rules_.description);
  const std::string identifier = bracketed(record_id(position));
  const std::string date = utc_date(system_->unix_seconds());
  const std::string digest = sha1_label(block);
  return file_->append(gzip_member(make_warc_record("warcinfo",
                                                    {{"WARC-Record-ID", identifier},
                                                     {"WARC-Date", date},
                                                     {"WARC-Filename", name_},
                                                     {"WARC-Block-Digest", digest},
                                                     {"Content-Type", "application/warc-fields"}},
                                                    block)));
}

// The records are appended together and never split over two files. A file gets its warcinfo record only when there is
// something to write. Without a main record there is no request record, which would refer to it.
Result<CaptureRecord> WarcOutput::write(const Capture& capture, CrawlPosition& position) {
  if (!file_ || file_->size_bytes() >= rules_.bytes_maximum) PARAPRINT_TRY(begin_file(position));
  CaptureRecord record;
  record.file = name_;
  record.offset_bytes = file_->size_bytes();
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
  PARAPRINT_TRY(file_->append(members));
  position.warc_bytes = file_->size_bytes();
  return record;
}

}  // namespace paraprint::inline crawler
