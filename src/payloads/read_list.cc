// An entry becomes a capture without codings, id and SHA-1, which its index does not state.
#include "payloads/read_list.h"

#include <memory>
#include <optional>
#include <utility>

#include "archive/revisit_target.h"
#include "base/propagate.h"
#include "cdx/cdx_reader.h"
#include "cdx/digest_text.h"
#include "http/header_block.h"

namespace paraprint::inline payloads {
namespace {

constexpr std::size_t kListBatchRows = 4096;

// "20240501100000" -> "2024-05-01T10:00:00Z". Requires 14 digits or more.
std::string date_of(std::string_view timestamp) {
  std::string date;
  for (std::size_t i = 0; i < 14; ++i) {
    date += timestamp[i];
    constexpr std::string_view kBehind = "...-.-.T.:.:.Z";
    if (kBehind[i] != '.') date += kBehind[i];
  }
  return date;
}

// With the fractions that the index has.
std::string stated_date_of(std::string_view timestamp) {
  std::string date = date_of(timestamp);
  if (timestamp.size() > 14) date.insert(date.size() - 1, "." + std::string(timestamp.substr(14)));
  return date;
}

// As archives write it: CDX files leave the label of SHA-1 out.
std::string labelled(const std::string& digest) {
  return digest.find(':') == std::string::npos ? "sha1:" + digest : digest;
}

// Indexes give none for what has no HTTP header: players would not show that of a revisit record, either.
std::optional<std::uint64_t> status_of(const CdxEntry& entry) {
  return entry.status.size() == 3 ? parse_number(entry.status) : std::nullopt;
}

// Returns why the entry cannot be referred to; empty if it can.
std::string_view reason_against(const CdxEntry& entry, const DigestValue& value, DigestAlgorithm wanted) {
  if (entry.is_revisit) return "listed_revisits";
  if (value.algorithm != wanted) return "listed_other_digests";
  if (!status_of(entry)) return "listed_without_status";
  return !is_plain_address(entry.url) || entry.timestamp.size() < 14 || !seconds_of(date_of(entry.timestamp))
             ? "listed_incomplete"
             : "";
}

void add_entry(const CdxEntry& entry, const DigestValue& value, CaptureBatch& batch) {
  const std::string date = date_of(entry.timestamp);
  RevisitTarget target;
  target.digest = labelled(entry.digest);
  target.date = stated_date_of(entry.timestamp);
  if (!entry.filename.empty() && entry.offset_bytes) {
    target.file = entry.filename;
    target.file_offset = std::to_string(*entry.offset_bytes);
  }
  CaptureRow row;
  row.key = listed_key(value.bytes);
  row.seconds = *seconds_of(date);
  row.status = static_cast<std::uint32_t>(*status_of(entry));
  row.file = kListed;
  row.ordinal = entry.line;
  row.place = place_of(entry.url, date);
  row.text = batch.texts.size();
  CaptureText{entry.url, target.encode(), 0}.append_to(batch.texts);
  batch.captures.push_back(row);
  batch.places.push_back({row.place, row.key.words[0]});
}

}  // namespace

Result<Counters> read_list(const std::string& path, PayloadDigest digest, CaptureCollector& collector,
                           const DefectSink& sink, const std::function<void(std::uint64_t)>& progress) {
  const DigestAlgorithm wanted = digest == PayloadDigest::kSha1 ? DigestAlgorithm::kSha1 : DigestAlgorithm::kSha256;
  PARAPRINT_ASSIGN(const std::unique_ptr<CdxReader> reader, CdxReader::open(path, sink));
  Counters counters;
  CaptureBatch batch;
  CdxEntry entry;
  std::uint64_t bytes_done = 0;
  for (bool is_end = false; !is_end;) {
    PARAPRINT_ASSIGN(const bool more, reader->next(entry));
    is_end = !more;
    if (more) {
      const DigestValue value = parse_digest(entry.digest);
      const std::string_view reason = reason_against(entry, value, wanted);
      if (reason.empty()) add_entry(entry, value, batch);
      count(counters, reason.empty() ? "listed" : reason);
    }
    if (batch.captures.size() < kListBatchRows && !is_end) continue;
    PARAPRINT_TRY(collector.add(std::exchange(batch, {})));
    progress(reader->stored_bytes_read() - std::exchange(bytes_done, reader->stored_bytes_read()));
  }
  return counters;
}

}  // namespace paraprint::inline payloads
