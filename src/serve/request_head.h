// Refuses request heads that another HTTP implementation could read differently. A proxy and the service that disagree
// about where a request ends let a client smuggle a second request in the body of the first (RFC 9112 11.2), so
// whatever is ambiguous is refused, and the connection is closed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "serve/refusal.h"

namespace paraprint::inline service {

// Checks the bytes of one head as they arrive. The grammar is that of RFC 9112 without its allowances: lines end with
// CRLF, single spaces separate the parts of the request line, nothing precedes it, and no field is folded or has space
// before its colon. Cost: O(size), however the bytes are split.
class RequestHeadScanner {
 public:
  explicit RequestHeadScanner(std::size_t limit_bytes) : limit_bytes_(limit_bytes) {}

  // Takes all bytes received so far, those of earlier calls included. Returns whether the head is complete; bytes after
  // it are not looked at. kBadRequest at the first byte that cannot be part of a head, kHeaderTooLarge if it cannot end
  // within the limit.
  Answer<bool> scan(std::string_view received);

  // Size of the complete head, including the empty line.
  std::size_t size_bytes() const { return scanned_bytes_; }

 private:
  enum class Place : std::uint8_t {
    kMethod,
    kTarget,
    kVersion,
    kLineBegin,
    kFieldName,
    kFieldValue,
    kLineEnd,  // between CR and LF
    kHeadEnd,  // the same in the empty line
    kComplete,
  };
  // What is wrong with the next byte; null if it is valid.
  const char* step(unsigned char byte);

  std::size_t limit_bytes_;
  std::size_t scanned_bytes_ = 0;
  std::size_t part_bytes_ = 0;  // of the method, target or field name at hand
  Place place_ = Place::kMethod;
};

// The parts of a head that say where its request begins and ends, each value without surrounding white space.
struct RequestFraming {
  bool is_http_1_0 = false;
  std::string_view target;
  std::vector<std::string_view> hosts;
  std::vector<std::string_view> content_lengths;
  std::vector<std::string_view> transfer_encodings;
  // The name of another field that has one value and is given more than once: some readers take the first and some the
  // last. Empty if there is none.
  std::string_view repeated_field;
};

// Accepts a target in origin form ("/v1/stats"), one valid Host (HTTP/1.0: or none), no repeated field, and at most one
// of a decimal Content-Length and, in HTTP/1.1, the Transfer-Encoding "chunked". Refusals: kBadTarget, kBadRequest, and
// kUnsupportedCoding for other codings before a final "chunked" (RFC 9112 6.1).
Answer<void> check_framing(const RequestFraming& framing);

// Checks the extensions of one chunk and counts their bytes. They mean nothing to this service, and some
// implementations end them at a bare line feed.
class ChunkExtensions {
 public:
  // False if the request must be refused.
  bool accept(std::string_view extensions);

 private:
  std::size_t total_bytes_ = 0;
};

}  // namespace paraprint::inline service
