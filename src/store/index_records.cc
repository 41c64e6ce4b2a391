// Every record starts with a version byte and a byte of flags. Unknown versions and flags are rejected, so that an
// older program never misreads a newer record.
#include "store/index_records.h"

#include <fmt/format.h>

#include "base/byte_codec.h"
#include "base/hash.h"
#include "base/propagate.h"

namespace paraprint::inline store {
namespace {

// Flags, persisted. Pages and texts have separate sets.
constexpr std::uint8_t kIdIsUrl = 0x01;
constexpr std::uint8_t kIsVoter = 0x01;
constexpr std::uint8_t kHasOtherPages = 0x02;
constexpr std::uint8_t kHasFingerprint = 0x04;
constexpr std::uint8_t kTextFlags = kIsVoter | kHasOtherPages | kHasFingerprint;

constexpr std::uint64_t kParagraphLimit = 65535;  // paragraph numbers are below this

// That of pages without a host until version 0.1.0, which took all of them for one site.
std::uint64_t site_of_no_host() {
  static const std::uint64_t site = blake2b128("(no host)").high;
  return site;
}

// Turns a failed reader, or bytes left over if `must_end`, into an error.
Status check(const ByteReader& reader, bool must_end, std::string_view what) {
  if (reader.ok() && (!must_end || reader.at_end())) return {};
  return failure(ErrorCode::kCorruptData, fmt::format("malformed record of {}", what));
}

Status check_version(std::uint8_t version, std::uint8_t known, std::string_view what) {
  if (version == known) return {};
  return failure(
      ErrorCode::kUnsupported,
      fmt::format("record of {} has unsupported format {}; this build reads format {}", what, version, known));
}

}  // namespace

void encode_page_record(const PageRecord& record, std::string& out) {
  ByteWriter writer(out);
  writer.fixed(kIndexRecordFormatVersion);
  writer.fixed(static_cast<std::uint8_t>(record.id_is_url ? kIdIsUrl : 0));
  writer.variable(record.text);
  writer.variable(record.first_seen_seconds);
  writer.variable(record.last_seen_seconds - record.first_seen_seconds);  // mostly one byte
  writer.text(record.url);
  writer.text(record.date);
  writer.text(record.cluster);
}

// A reader that has failed returns zeros and empty strings, so errors need to be checked only once, at the end.
Status decode_page_record(std::string_view bytes, PageRecord& record) {
  ByteReader reader(bytes);
  const auto version = reader.fixed<std::uint8_t>();
  if (reader.ok()) {
    PARAPRINT_TRY(check_version(version, kIndexRecordFormatVersion, "a page"));
  }
  const auto flags = reader.fixed<std::uint8_t>();
  if ((flags & ~kIdIsUrl) != 0) reader.fail();
  record.id_is_url = (flags & kIdIsUrl) != 0;
  record.text = reader.variable();
  record.first_seen_seconds = reader.variable();
  record.last_seen_seconds = record.first_seen_seconds + reader.variable();
  record.url = reader.text();
  record.date = reader.text();
  record.cluster = reader.text();
  return check(reader, true, "a page");
}

void encode_text_record(const TextRecord& record, std::string& out) {
  ByteWriter writer(out);
  writer.fixed(kIndexRecordFormatVersion);
  const bool has_fingerprint = !record.fingerprint.empty();
  writer.fixed(static_cast<std::uint8_t>((record.is_voter ? kIsVoter : 0) |
                                         (record.has_other_pages ? kHasOtherPages : 0) |
                                         (has_fingerprint ? kHasFingerprint : 0)));
  writer.fixed(record.site);
  writer.text(record.owner);
  writer.variable(record.template_paragraphs.size());
  for (const std::uint16_t paragraph : record.template_paragraphs) writer.variable(paragraph);
  if (has_fingerprint) writer.text(record.fingerprint);
  out.append(record.profile);
}

Status decode_text_record(std::string_view bytes, TextRecord& record) {
  ByteReader reader(bytes);
  const auto version = reader.fixed<std::uint8_t>();
  if (reader.ok()) {
    PARAPRINT_TRY(check_version(version, kIndexRecordFormatVersion, "a text"));
  }
  const auto flags = reader.fixed<std::uint8_t>();
  if ((flags & ~kTextFlags) != 0) reader.fail();
  record.is_voter = (flags & kIsVoter) != 0;
  record.has_other_pages = (flags & kHasOtherPages) != 0;
  record.site = reader.fixed<std::uint64_t>();
  if (record.site == site_of_no_host()) record.site = 0;
  record.owner = reader.text();
  record.template_paragraphs.clear();
  // Each paragraph takes at least one byte, which bounds the list for any input.
  const std::uint64_t count = reader.variable_below(kParagraphLimit);
  if (count > reader.left_bytes()) reader.fail();
  for (std::uint64_t i = 0; i < count && reader.ok(); ++i) {
    const auto paragraph = static_cast<std::uint16_t>(reader.variable_below(kParagraphLimit));
    if (i > 0 && paragraph <= record.template_paragraphs.back()) reader.fail();
    record.template_paragraphs.push_back(paragraph);
  }
  // One that is stored is not empty, so that every record has one byte form.
  const bool has_fingerprint = (flags & kHasFingerprint) != 0;
  record.fingerprint = has_fingerprint ? reader.text() : std::string_view();
  if (has_fingerprint && record.fingerprint.empty()) reader.fail();
  // The profile is the rest of the record. It is decoded by the caller, in place.
  record.profile = reader.ok() ? bytes.substr(bytes.size() - reader.left_bytes()) : std::string_view();
  return check(reader, false, "a text");
}

std::string encode_index_counts(const IndexCounts& counts) {
  std::string bytes;
  ByteWriter writer(bytes);
  writer.variable(counts.pages);
  writer.variable(counts.texts);
  writer.variable(counts.next_text);
  return bytes;
}

Status decode_index_counts(std::string_view bytes, IndexCounts& counts) {
  ByteReader reader(bytes);
  counts.pages = reader.variable();
  counts.texts = reader.variable();
  counts.next_text = reader.variable();
  return check(reader, true, "the index's counts");
}

std::string encode_profile_generations(const std::vector<ProfileGeneration>& generations) {
  std::string bytes;
  ByteWriter writer(bytes);
  writer.fixed(kIndexSettingsFormatVersion);
  writer.variable(generations.size());
  for (const ProfileGeneration& generation : generations) {
    writer.variable(generation.first_text);
    writer.text(generation.identity);
  }
  return bytes;
}

Status decode_profile_generations(std::string_view bytes, std::vector<ProfileGeneration>& generations) {
  constexpr std::string_view kWhat = "the index's profile generations";
  generations.clear();
  ByteReader reader(bytes);
  const auto version = reader.fixed<std::uint8_t>();
  if (reader.ok()) {
    PARAPRINT_TRY(check_version(version, kIndexSettingsFormatVersion, kWhat));
  }
  const std::uint64_t count = reader.variable();
  if (count == 0 || count > reader.left_bytes()) reader.fail();  // bounds the list for any input
  for (std::uint64_t i = 0; i < count && reader.ok(); ++i) {
    ProfileGeneration generation;
    generation.first_text = reader.variable();
    generation.identity = reader.text();
    const bool is_next =
        generations.empty() ? generation.first_text == 0 : generation.first_text > generations.back().first_text;
    if (!is_next) reader.fail();
    generations.push_back(std::move(generation));
  }
  return check(reader, true, kWhat);
}

}  // namespace paraprint::inline store
