// Which records a revisit record may refer to, and whether a payload equals theirs.
//
// A revisit record stands for the bytes of another record, so equality is established here, from the payloads
// themselves: a digest stated in an archive may be wrong. A payload is what follows the HTTP header, as stored, with
// chunks and compression. That is what warcio, wget and cdxj-indexer compute digests of, and it is the safe choice:
// the header of the removed record followed by the payload of the other one is the removed record, byte for byte.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "archive/input_files.h"
#include "archive/record.h"
#include "paraprint/read_options.h"
#include "paraprint/result.h"

namespace paraprint::inline archive {

// What a revisit record needs to know of the record that it refers to, besides its address.
struct RevisitTarget {
  std::string payload_sha1;  // 20 bytes; computed
  std::string coding;        // status, and how the payload is to be read: must be equal, too
  std::string digest;        // WARC-Payload-Digest of the revisit record: the one that indexes have for the target
  std::string id;
  std::string date;  // as stored
  // Only of a record in another collection, if its index says where: name of the file, and offset in it.
  std::string file;
  std::string file_offset;

  std::string encode() const;
  // Requires bytes made by encode(), or their like: malformed ones give a target that no payload equals.
  static RevisitTarget decode(std::string_view bytes);
};

// Whether players look up the address as it is. pywb takes one that ends in an asterisk for all that begin like it, and
// URNs are of things that crawlers look up for themselves.
bool is_plain_address(std::string_view url);

// The status of the HTTP answer; 0 without an HTTP header, and for a status that is not a number of three digits.
unsigned http_status_of(const RawRecord& record);

// The bytes after the HTTP header; all of them if there is none. Requires an HTTP header that ends, and a record that
// is not too large.
std::string_view stored_payload(const RawRecord& record);

// The target that `record` is. Requires is_whole_capture(). Cost: one SHA-1 of the payload.
RevisitTarget target_of(const RawRecord& record);

// Names the capture as players look it up, by address and second. `date` as in RawRecord::date.
std::uint64_t place_of(std::string_view url, std::string_view date);

// Whether `record` is a complete capture with address and date, so that it can be replaced by a revisit record, or be
// referred to by one: a response or resource record of a WARC file, with the length it states, of a plain address, and
// not a redirect. One that is too large has to have the digest of RecordReader::digest_oversized().
bool is_whole_capture(const RawRecord& record);

// Whether the payload of the capture `record`, its status and the way to read it are those of `target`. Cost: one SHA-1
// of the payload.
bool has_payload_of(const RawRecord& record, const RevisitTarget& target);

// The encoded targets of the pages with these ordinals (ascending), in their order; empty for pages that must not be
// referred to: if they are not whole captures, and if the input has a record of the same address and second with
// another payload, which players might show instead. `ends_early` as in WriteOptions; pages beyond the end get none.
//
// Reads the input once. Errors: those of reading it. Memory: one record, and 16 bytes per capture of the input.
Result<std::vector<std::string>> read_revisit_targets(const InputFile& input, std::span<const std::uint64_t> ordinals,
                                                      const ReadOptions& options, bool ends_early);

}  // namespace paraprint::inline archive
