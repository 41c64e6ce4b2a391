// Payloads are compared by SHA-1, which archive tools rely on for the same purpose.
#include "archive/revisit_target.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <utility>

#include "archive/record_reader.h"
#include "base/base32.h"
#include "base/byte_codec.h"
#include "base/digest.h"
#include "base/hash.h"
#include "base/propagate.h"
#include "base/stop.h"
#include "http/header_block.h"

namespace paraprint::inline archive {
namespace {

// The HTTP header at the front of the stored bytes, with the blank line after it; npos if it has no end.
std::size_t http_header_bytes(const RawRecord& record) {
  return record.is_http ? header_block_bytes(record.payload) : 0;
}

std::string sha1_of_payload(const RawRecord& record) {
  if (record.is_oversized) return record.payload_sha1;
  const std::array<std::uint8_t, 20> digest = sha1(stored_payload(record));
  return {digest.begin(), digest.end()};
}

// Indexes join a revisit record and its target by the text of the digest, so the target's own is repeated if it has
// one.
std::string digest_of(const RawRecord& record) {
  if (!record.payload_digest.empty()) return record.payload_digest;
  const std::string sha1 = sha1_of_payload(record);
  return "sha1:" + base32({reinterpret_cast<const std::uint8_t*>(sha1.data()), sha1.size()});
}

// Players show no payload for a revisit record of a redirect, or lead where the other record does.
bool is_redirect(const RawRecord& record) {
  return http_status_of(record) / 100 == 3;
}

// Some players show status and codings of the record that has the payload, others those of the revisit record. A record
// without HTTP header has only its media type, which a revisit record cannot repeat.
std::string coding_of(const RawRecord& record) {
  if (!record.is_http) return "resource " + record.content_type;
  const HeaderBlock header = parse_header_block(std::string_view(record.payload).substr(0, http_header_bytes(record)));
  std::string coding = fmt::format("http {}", http_status_of(record));
  for (const auto& [name, value] : header.fields) {
    if (equals_ignoring_case(name, "Transfer-Encoding") || equals_ignoring_case(name, "Content-Encoding")) {
      coding.append(" ").append(to_lower(name)).append("=").append(to_lower(value));
    }
  }
  return coding;
}

// A capture as players look it up, in seconds, and what they find there.
struct SeenCapture {
  std::uint64_t place = 0;
  std::uint64_t payload = 0;
  friend auto operator<=>(const SeenCapture&, const SeenCapture&) = default;
};

SeenCapture seen(const RawRecord& record) {
  return {place_of(record.url, record.date), hash64(record.payload)};
}

// `all` is sorted.
bool is_ambiguous(const std::vector<SeenCapture>& all, const SeenCapture& capture) {
  const auto [first, last] = std::equal_range(
      all.begin(), all.end(), capture, [](const SeenCapture& a, const SeenCapture& b) { return a.place < b.place; });
  return std::any_of(first, last, [&](const SeenCapture& other) { return other.payload != capture.payload; });
}

}  // namespace

bool is_plain_address(std::string_view url) {
  const bool is_urn = equals_ignoring_case(url.substr(0, 4), "urn:");
  return !url.empty() && url.back() != '*' && !is_urn;
}

unsigned http_status_of(const RawRecord& record) {
  if (!record.is_http) return 0;
  const std::string_view line = std::string_view(record.payload).substr(0, record.payload.find('\n'));
  const std::string_view rest = trim(line.substr(std::min(line.find(' '), line.size())));
  const std::string_view digits = rest.substr(0, rest.find(' '));
  const std::optional<std::uint64_t> status = parse_number(digits);
  return status && digits.size() == 3 ? static_cast<unsigned>(*status) : 0;
}

std::string_view stored_payload(const RawRecord& record) {
  return std::string_view(record.payload).substr(http_header_bytes(record));
}

RevisitTarget target_of(const RawRecord& record) {
  RevisitTarget target;
  target.payload_sha1 = sha1_of_payload(record);
  target.coding = coding_of(record);
  target.digest = digest_of(record);
  target.id = record.id;
  target.date = record.stated_date.empty() ? record.date : record.stated_date;
  return target;
}

std::uint64_t place_of(std::string_view url, std::string_view date) {
  return hash64(std::string(url).append(" ").append(date));
}

std::string RevisitTarget::encode() const {
  std::string bytes;
  ByteWriter out(bytes);
  for (const std::string* part : {&payload_sha1, &coding, &digest, &id, &date}) out.text(*part);
  if (!file.empty()) {
    out.text(file);
    out.text(file_offset);
  }
  return bytes;
}

RevisitTarget RevisitTarget::decode(std::string_view bytes) {
  RevisitTarget target;
  ByteReader in(bytes);
  for (std::string* part : {&target.payload_sha1, &target.coding, &target.digest, &target.id, &target.date}) {
    *part = in.text();
  }
  if (in.ok() && !in.at_end()) {
    target.file = in.text();
    target.file_offset = in.text();
  }
  return in.ok() && in.at_end() ? target : RevisitTarget{};
}

// Conversions are not what a server sent, nor are pages whose format the container determines. Players do not join
// segments. What a longer header says of codings is not known.
bool is_whole_capture(const RawRecord& record) {
  const bool is_capture =
      record.kind == RecordKind::kPage && record.source != PageSource::kConversion && !record.format_is_known;
  const bool is_whole = !record.is_truncated && (!record.is_oversized || !record.payload_sha1.empty()) &&
                        !record.is_repaired && !record.segment;
  return is_capture && is_whole && is_plain_address(record.url) && !record.date.empty() && !is_redirect(record) &&
         http_header_bytes(record) <= kParsedHeaderBytesMaximum;
}

bool has_payload_of(const RawRecord& record, const RevisitTarget& target) {
  return coding_of(record) == target.coding && sha1_of_payload(record) == target.payload_sha1;
}

Result<std::vector<std::string>> read_revisit_targets(const InputFile& input, std::span<const std::uint64_t> ordinals,
                                                      const ReadOptions& options, bool ends_early) {
  std::vector<std::string> targets(ordinals.size());
  std::vector<std::optional<SeenCapture>> captures(ordinals.size());
  // Defects were reported in the first pass and must not be counted again.
  Result<std::unique_ptr<RecordReader>> reader = open_records(input, options, [](const Defect&) {});
  if (!reader) return tl::unexpected<Error>(std::move(reader.error()));
  if ((*reader)->format() != ArchiveFormat::kWarc) return targets;
  std::vector<SeenCapture> all;
  while (true) {
    PARAPRINT_TRY(check_stop());
    const Result<std::optional<RawRecord>> next = (*reader)->next();
    if (!next && ends_early) break;
    if (!next) return tl::unexpected<Error>(next.error());
    if (!next->has_value()) break;
    const RawRecord& record = **next;
    // Conversions as well: they have the address and date of their originals, and pywb's indexer lists them.
    if (record.kind != RecordKind::kPage) continue;
    all.push_back(seen(record));
    const auto wanted = std::lower_bound(ordinals.begin(), ordinals.end(), record.location.ordinal);
    if (wanted == ordinals.end() || *wanted != record.location.ordinal || !is_whole_capture(record)) continue;
    targets[static_cast<std::size_t>(wanted - ordinals.begin())] = target_of(record).encode();
    captures[static_cast<std::size_t>(wanted - ordinals.begin())] = all.back();
  }
  std::sort(all.begin(), all.end());
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (captures[i] && is_ambiguous(all, *captures[i])) targets[i].clear();
  }
  return targets;
}

}  // namespace paraprint::inline archive
