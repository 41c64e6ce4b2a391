// What is remembered of a record whose payload may be stored elsewhere as well: a row of fixed size, which is sorted,
// and a text, which is read only if a revisit record is to name the record.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include "archive/record.h"
#include "archive/revisit_target.h"

namespace paraprint::inline payloads {

// The digest by which payloads are joined with those of lists of earlier collections.
enum class PayloadDigest : std::uint8_t { kSha1, kSha256 };

// Equal for equal payloads with equal codings. The first 20 bytes are those of the digest that lists have; the others
// are a seeded hash of payload and codings, so that neither two payloads of one SHA-1, which can be made, nor equal
// bytes that are to be read differently pass for one. They differ from process to process: order by them decides
// nothing.
struct PayloadKey {
  std::array<std::uint64_t, 4> words{};  // big-endian

  friend auto operator<=>(const PayloadKey&, const PayloadKey&) = default;
  bool has_digest_of(const PayloadKey& other) const {
    return words[0] == other.words[0] && words[1] == other.words[1] && words[2] >> 32 == other.words[2] >> 32;
  }
};

// Of a payload in memory. Requires is_whole_capture(); for records that are too large, there is StreamedPayload.
PayloadKey payload_key(const RawRecord& record, const RevisitTarget& target, PayloadDigest digest);
// The same from the bytes of the digest and both words, high and low, of the seeded hash.
PayloadKey payload_key(std::string_view digest_bytes, const std::array<std::uint64_t, 2>& seeded_hash,
                       const RevisitTarget& target);
// Of an entry of a list, which is less than the keys of all payloads with this digest. Requires at least 20 bytes.
PayloadKey listed_key(std::string_view digest_bytes);

// CaptureRow::file of an entry of a list.
inline constexpr std::uint64_t kListed = std::numeric_limits<std::uint64_t>::max();

// In the order in which originals are chosen: by payload, then by date, then by place in the input; what has to go
// comes last.
struct CaptureRow {
  PayloadKey key;
  std::uint32_t is_removed = 0;  // 1: nothing may refer to it
  std::uint32_t status = 0;      // of the HTTP answer; 0 without one
  std::int64_t seconds = 0;      // of the date, since 1970
  std::uint64_t file = 0;        // number of the input
  std::uint64_t ordinal = 0;
  std::uint64_t place = 0;  // place_of()
  std::uint64_t payload_bytes = 0;
  std::uint64_t text = 0;  // where the CaptureText begins

  friend auto operator<=>(const CaptureRow& a, const CaptureRow& b) {
    const auto order = [](const CaptureRow& row) {
      return std::tie(row.key, row.is_removed, row.seconds, row.file, row.ordinal, row.place, row.payload_bytes,
                      row.text, row.status);
    };
    return order(a) <=> order(b);
  }
  friend bool operator==(const CaptureRow&, const CaptureRow&) = default;
};

// The address and the bytes found there: two payloads at one place cannot be told apart by players.
struct PlaceRow {
  std::uint64_t place = 0;
  std::uint64_t payload = 0;

  friend auto operator<=>(const PlaceRow&, const PlaceRow&) = default;
};

// The id of a capture and its place in the input. Records must not share an id, but some do.
struct CaptureIdRow {
  std::uint64_t id = 0;  // hash
  std::uint64_t file = 0;
  std::uint64_t offset_bytes = 0;
  friend auto operator<=>(const CaptureIdRow&, const CaptureIdRow&) = default;
};

// What revisit records and reports say of a capture. Views are valid as long as the bytes.
struct CaptureText {
  std::string_view url;
  std::string_view target;  // RevisitTarget::encode()
  std::uint64_t offset_bytes = 0;

  void append_to(std::string& bytes) const;
  // `bytes` begin with a text made by append_to(); others may follow.
  static CaptureText decode(std::string_view bytes);
};

// Seconds since 1970 of a date as RawRecord has it; nullopt for others.
std::optional<std::int64_t> seconds_of(std::string_view date);

// The captures that a revisit record of the input resolves to must stay. Players find them by id, by address and date,
// or, if neither is stated, by address and digest. Hashes of all three, none of them 0.
std::array<std::uint64_t, 3> names_of(std::string_view id, std::string_view url, std::string_view date,
                                      std::string_view digest);
// Those that a revisit record states; 0 for those that it does not.
std::array<std::uint64_t, 3> names_stated_by(const RawRecord& revisit);

}  // namespace paraprint::inline payloads
