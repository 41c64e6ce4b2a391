// The names by which captures are found for revisit records: of a revisit record, those that it states; of a capture,
// those that it has. Names are hashes of 64 bits: an accidental match keeps a page that could have gone.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "archive/record.h"

namespace paraprint::inline payloads {

// How the capture was found, the best evidence first.
enum class LinkWay : std::uint32_t {
  kId,        // WARC-Refers-To
  kPlace,     // WARC-Refers-To-Target-URI and -Date
  kDigest,    // the latest earlier capture of the address with the digest; if there is none, the earliest later one
  kPrevious,  // profile "server-not-modified": the latest earlier capture of the address
  kNotFound,
};
inline constexpr std::size_t kLinkWayCount = 5;

struct RecordPlace {
  std::uint64_t file = 0;
  std::uint64_t ordinal = 0;

  friend auto operator<=>(const RecordPlace&, const RecordPlace&) = default;
};

// What a report says of a revisit record, or of the capture that it refers to. Views are valid as long as the bytes.
struct LinkedText {
  std::string_view id;
  std::string_view url;
  std::string_view date;  // as stored
  std::string_view profile;
  std::uint64_t offset_bytes = 0;

  // Malformed bytes give empty members.
  static LinkedText decode(std::string_view bytes);
};

struct LinkName {
  std::uint64_t name = 0;
  LinkWay way = LinkWay::kId;  // kNotFound: of an address whose captures need a digest
};

// A revisit record, or a capture that one may refer to.
struct LinkedRecord {
  RecordPlace place;
  std::int64_t seconds = 0;  // of its date; undated records count as the latest
  std::string text;          // for LinkedText::decode()
  std::vector<LinkName> names;
};

// The names that revisit records state.
struct ClaimedNames {
  // Ascending names; or a table of bits, with that of each name set, which also contains some others.
  std::span<const std::uint64_t> words;
  bool is_bit_table = false;

  bool contains(std::uint64_t name) const;
};

// A table of `size_bytes` (a power of two, at least 8). For a name that is not in `names`, it says yes with a
// probability of at most names / bits.
std::vector<std::uint64_t> make_bit_table(std::span<const std::uint64_t> names, std::size_t size_bytes);

// Requires a record of kind kRevisit.
LinkedRecord claims_of(const RawRecord& revisit);

// The names of a capture, a record of kind kPage, that are claimed; nullopt if none is. Computes the digest of a
// payload only for captures of an address that a revisit record has.
std::optional<LinkedRecord> answers_of(const RawRecord& capture, const ClaimedNames& claimed);

}  // namespace paraprint::inline payloads
