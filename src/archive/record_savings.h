// How many bytes of an archive's records a run saved, by what became of them, by host and by media type. Plain values.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "archive/record.h"
#include "base/byte_codec.h"

namespace paraprint::inline archive {

// What became of a record. In the order of kSavingsClassNames (report/savings_report.h).
enum class SavingsClass : std::uint8_t {
  kEqualPayload,   // became a revisit record
  kNearDuplicate,  // left out, or became a metadata record about the kept page
  kTemplate,       // likewise, and has no text but the template of its site
  kCompanion,      // request or metadata of a page that was left out; left out as well
  kKept,
};
inline constexpr std::size_t kSavingsClassCount = 5;

// Bytes are those of whole records, with their headers and separators, without compression.
struct SavingsAmounts {
  std::uint64_t records = 0;  // of the input
  std::uint64_t bytes_before = 0;
  std::uint64_t bytes_after = 0;  // of what was written for them

  void add(const SavingsAmounts& other);
};
using SavingsByClass = std::array<SavingsAmounts, kSavingsClassCount>;  // by SavingsClass

// Longer hosts and media types count as unknown: domain names have at most 253 bytes, media types 255 (RFC 6838 4.2).
inline constexpr std::size_t kSavingsNameBytesMaximum = 255;

// A tally. Not thread-safe; tallies of several inputs are added up, in any order. Memory: about 200 bytes and the name
// per distinct host, and as much per distinct media type.
class RecordSavings {
 public:
  // `bytes_after`: of what takes the place of the record; 0 if nothing does.
  void add(SavingsClass kind, const RawRecord& record, std::uint64_t bytes_after);
  void add(const RecordSavings& other);

  // For other processes (docs/formats/distributed.md). What decode() makes of malformed bytes counts for nothing: the
  // reader is not ok().
  void encode(ByteWriter& out) const;
  static RecordSavings decode(ByteReader& in);

  const SavingsByClass& totals() const { return totals_; }
  // By name, in byte order; "" for records whose host or type is unknown.
  const std::map<std::string, SavingsByClass>& by_host() const { return by_host_; }
  const std::map<std::string, SavingsByClass>& by_media_type() const { return by_media_type_; }

 private:
  SavingsByClass totals_;
  // Ordered: names come from strangers, who could prepare collisions of an unseeded hash.
  std::map<std::string, SavingsByClass> by_host_;
  std::map<std::string, SavingsByClass> by_media_type_;
};

// In lower case, without parameters. Of an HTTP response or the like, the type that its header states; of a request and
// of a revisit record with an HTTP header, "application/http"; otherwise, the type of the record. Empty if none is
// stated.
std::string savings_media_type(const RawRecord& record);

}  // namespace paraprint::inline archive
