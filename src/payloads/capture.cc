// Keys, texts and names of captures.
#include "payloads/capture.h"

#include <chrono>

#include "base/byte_codec.h"
#include "base/digest.h"
#include "base/hash.h"

namespace paraprint::inline payloads {
namespace {

constexpr std::size_t kDigestBytes = 20;
constexpr std::size_t kKeyBytes = 32;

PayloadKey key_of_bytes(const std::array<std::uint8_t, kKeyBytes>& bytes) {
  PayloadKey key;
  for (std::size_t i = 0; i < kKeyBytes; ++i) key.words[i / 8] = key.words[i / 8] << 8 | bytes[i];
  return key;
}

// Accidental equality of names costs a revisit record and nothing else.
std::uint64_t name(char kind, std::string_view first, std::string_view second) {
  return hash64(std::string(1, kind).append(first).append(" ").append(second)) | 1;
}

}  // namespace

PayloadKey payload_key(const RawRecord& record, const RevisitTarget& target, PayloadDigest digest) {
  const std::array<std::uint8_t, 32> long_digest = sha256(stored_payload(record));
  const std::string_view sha256_bytes(reinterpret_cast<const char*>(long_digest.data()), long_digest.size());
  const std::string_view sha1_bytes = target.payload_sha1;
  const bool is_short = digest == PayloadDigest::kSha1;
  const std::string_view listed = (is_short ? sha1_bytes : sha256_bytes).substr(0, kDigestBytes);
  const std::array<std::uint8_t, 32> rest =
      sha256(std::string(is_short ? sha256_bytes : sha1_bytes).append(target.coding));
  std::array<std::uint8_t, kKeyBytes> bytes{};
  std::copy(listed.begin(), listed.end(), bytes.begin());
  std::copy_n(rest.begin(), kKeyBytes - kDigestBytes, bytes.begin() + kDigestBytes);
  return key_of_bytes(bytes);
}

PayloadKey listed_key(std::string_view digest_bytes) {
  std::array<std::uint8_t, kKeyBytes> bytes{};
  const std::string_view front = digest_bytes.substr(0, kDigestBytes);
  std::copy(front.begin(), front.end(), bytes.begin());
  return key_of_bytes(bytes);
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
