// Keys, texts and names of captures. The second digest of a key needs to be fast, not one-way: its seed is random, so
// payloads that it takes for equal cannot be prepared, and accidents are as rare as for any 96 bits.
#include "payloads/capture.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <chrono>

#include "base/byte_codec.h"
#include "base/digest.h"
#include "base/hash.h"
#include "memory/seeded_hash.h"

namespace paraprint::inline payloads {
namespace {

constexpr std::size_t kDigestBytes = 20;

// Accidental equality of names costs a revisit record and nothing else.
std::uint64_t name(char kind, std::string_view first, std::string_view second) {
  return hash64(std::string(1, kind).append(first).append(" ").append(second)) | 1;
}

}  // namespace

PayloadKey payload_key(const RawRecord& record, const RevisitTarget& target, PayloadDigest digest) {
  const std::string_view payload = stored_payload(record);
  std::string listed = target.payload_sha1;
  if (digest == PayloadDigest::kSha256) {
    const std::array<std::uint8_t, 32> bytes = sha256(payload);
    listed.assign(bytes.begin(), bytes.end());
  }
  const XXH128_hash_t hash = XXH3_128bits_withSeed(payload.data(), payload.size(), process_hash_seed().high);
  return payload_key(listed, {hash.high64, hash.low64}, target);
}

PayloadKey payload_key(std::string_view digest_bytes, const std::array<std::uint64_t, 2>& seeded_hash,
                       const RevisitTarget& target) {
  PayloadKey key = listed_key(digest_bytes);
  key.words[2] |= seeded_hash[0] >> 32;
  key.words[3] = seeded_hash[1] ^ sip_hash(target.coding, process_hash_seed());
  return key;
}

PayloadKey listed_key(std::string_view digest_bytes) {
  PayloadKey key;
  for (std::size_t i = 0; i < kDigestBytes; ++i) {
    const std::size_t shift = 56 - i % 8 * 8;
    key.words[i / 8] |= std::uint64_t{static_cast<std::uint8_t>(digest_bytes[i])} << shift;
  }
  return key;
}

void CaptureText::append_to(std::string& bytes) const {
  ByteWriter out(bytes);
  out.text(url);
  out.text(target);
  out.variable(offset_bytes);
}

CaptureText CaptureText::decode(std::string_view bytes) {
  ByteReader in(bytes);
  CaptureText text;
  text.url = in.text();
  text.target = in.text();
  text.offset_bytes = in.variable();
  return text;
}

// "2024-05-01T10:00:00Z": the only form that readers give.
std::optional<std::int64_t> seconds_of(std::string_view date) {
  constexpr std::string_view kForm = "dddd-dd-ddTdd:dd:ddZ";
  if (date.size() != kForm.size()) return std::nullopt;
  std::array<int, 6> parts{};
  std::size_t part = 0;
  for (std::size_t i = 0; i < kForm.size(); ++i) {
    if (kForm[i] != 'd') {
      if (date[i] != kForm[i]) return std::nullopt;
      ++part;
    } else {
      if (date[i] < '0' || date[i] > '9') return std::nullopt;
      parts[part] = parts[part] * 10 + (date[i] - '0');
    }
  }
  const std::chrono::year_month_day day{std::chrono::year(parts[0]), std::chrono::month(unsigned(parts[1])),
                                        std::chrono::day(unsigned(parts[2]))};
  if (!day.ok()) return std::nullopt;
  const std::chrono::seconds since_1970 = std::chrono::sys_days(day).time_since_epoch();
  return since_1970.count() + parts[3] * 3600 + parts[4] * 60 + parts[5];
}

std::array<std::uint64_t, 3> names_of(std::string_view id, std::string_view url, std::string_view date,
                                      std::string_view digest) {
  return {name('i', id, {}), name('p', url, date), name('d', url, digest)};
}

std::array<std::uint64_t, 3> names_stated_by(const RawRecord& revisit) {
  const bool has_place = !revisit.refers_to_url.empty() && !revisit.refers_to_date.empty();
  std::array<std::uint64_t, 3> names = names_of(revisit.refers_to, has_place ? revisit.refers_to_url : revisit.url,
                                                revisit.refers_to_date, revisit.payload_digest);
  if (revisit.refers_to.empty()) names[0] = 0;
  if (!has_place) names[1] = 0;
  // The digest is looked up among captures of the revisit record's own address.
  names[2] = revisit.payload_digest.empty() ? 0 : name('d', revisit.url, revisit.payload_digest);
  return names;
}

}  // namespace paraprint::inline payloads
