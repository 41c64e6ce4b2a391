// Digests are those that players know: as stated or, if none is, as they compute it.
#include "payloads/revisit_names.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

#include "archive/revisit_target.h"
#include "base/assert.h"
#include "base/byte_codec.h"
#include "base/hash.h"
#include "payloads/capture.h"

namespace paraprint::inline payloads {
namespace {

constexpr std::string_view kNotModified = "/revisit/server-not-modified";

// An address whose captures need a digest, and one whose earlier captures are asked for.
std::uint64_t digest_address(std::string_view url) {
  return hash64(std::string("a").append(url)) | 1;
}
std::uint64_t previous_address(std::string_view url) {
  return hash64(std::string("u").append(url)) | 1;
}

std::int64_t seconds_or_last(std::string_view date) {
  return seconds_of(date).value_or(std::numeric_limits<std::int64_t>::max());
}

std::string encode_text(const RawRecord& record) {
  std::string bytes;
  ByteWriter out(bytes);
  out.text(record.id);
  out.text(record.url);
  out.text(record.stated_date.empty() ? record.date : record.stated_date);
  out.text(record.profile);
  out.variable(record.location.offset_bytes);
  return bytes;
}

// The digest by which players know the capture; empty if its payload is not there to be hashed.
std::string digest_of(const RawRecord& record) {
  if (!record.payload_digest.empty()) return record.payload_digest;
  return is_whole_capture(record) ? target_of(record).digest : std::string();
}

LinkedRecord without_names(const RawRecord& record) {
  LinkedRecord linked;
  linked.place = {record.location.file_index, record.location.ordinal};
  linked.seconds = seconds_or_last(record.date);
  linked.text = encode_text(record);
  return linked;
}

// The high bits of a name, as many as the table has bits: its number there.
std::uint64_t bit_number(std::uint64_t name, std::size_t words) {
  return name >> (64 - std::bit_width(words * 64 - 1));
}

}  // namespace

LinkedText LinkedText::decode(std::string_view bytes) {
  ByteReader in(bytes);
  LinkedText text;
  text.id = in.text();
  text.url = in.text();
  text.date = in.text();
  text.profile = in.text();
  text.offset_bytes = in.variable();
  return text;
}

bool ClaimedNames::contains(std::uint64_t name) const {
  if (!is_bit_table) return std::binary_search(words.begin(), words.end(), name);
  if (words.empty()) return false;
  const std::uint64_t bit = bit_number(name, words.size());
  return (words[bit / 64] >> (bit % 64) & 1) != 0;
}

std::vector<std::uint64_t> make_bit_table(std::span<const std::uint64_t> names, std::size_t size_bytes) {
  PARAPRINT_ASSERT(size_bytes >= sizeof(std::uint64_t) && std::has_single_bit(size_bytes));
  std::vector<std::uint64_t> words(size_bytes / sizeof(std::uint64_t));
  for (const std::uint64_t name : names) {
    const std::uint64_t bit = bit_number(name, words.size());
    words[bit / 64] |= std::uint64_t{1} << (bit % 64);
  }
  return words;
}

LinkedRecord claims_of(const RawRecord& revisit) {
  LinkedRecord linked = without_names(revisit);
  const std::array<std::uint64_t, 3> names = names_stated_by(revisit);
  for (const LinkWay way : {LinkWay::kId, LinkWay::kPlace}) {
    const std::uint64_t name = names[static_cast<std::size_t>(way)];
    if (name != 0) linked.names.push_back({name, way});
  }
  if (revisit.profile.ends_with(kNotModified)) {
    linked.names.push_back({previous_address(revisit.url), LinkWay::kPrevious});
  }
  if (revisit.payload_digest.empty()) return linked;
  // A stated address without a date is where players look for the digest.
  for (const std::string& url : {revisit.url, revisit.refers_to_url}) {
    if (url.empty()) continue;
    linked.names.push_back({names_of({}, url, {}, revisit.payload_digest)[2], LinkWay::kDigest});
    linked.names.push_back({digest_address(url), LinkWay::kNotFound});
  }
  return linked;
}

std::optional<LinkedRecord> answers_of(const RawRecord& capture, const ClaimedNames& claimed) {
  const std::uint64_t previous = previous_address(capture.url);
  const std::string digest = claimed.contains(digest_address(capture.url)) ? digest_of(capture) : std::string();
  const std::array<std::uint64_t, 3> names = names_of(capture.id, capture.url, capture.date, digest);
  std::vector<LinkName> found;
  for (const LinkWay way : {LinkWay::kId, LinkWay::kPlace, LinkWay::kDigest}) {
    const std::uint64_t name = names[static_cast<std::size_t>(way)];
    if ((way != LinkWay::kDigest || !digest.empty()) && claimed.contains(name)) found.push_back({name, way});
  }
  if (claimed.contains(previous)) found.push_back({previous, LinkWay::kPrevious});
  if (found.empty()) return std::nullopt;
  LinkedRecord linked = without_names(capture);
  linked.names = std::move(found);
  return linked;
}

}  // namespace paraprint::inline payloads
