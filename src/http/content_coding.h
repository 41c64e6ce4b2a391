// Decoding of HTTP bodies: chunked transfer coding and compression. Pure functions, safe on hostile input.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace paraprint::inline http {

struct Decoded {
  enum class Outcome {
    kComplete,
    kDamaged,   // `bytes` is the content before the damage, possibly empty
    kTooLarge,  // `bytes` is the beginning, as long as the limit
  };
  Outcome state = Outcome::kComplete;
  std::string bytes;
};

// RFC 9112, 7.1; also accepts bare LF and white space around sizes. Trailers are dropped. If `body` is not
// chunked at all, the result is kDamaged and empty; after damage further on, the remaining bytes are appended
// undecoded.
Decoded decode_chunked(std::string_view body);

enum class ContentCoding { kIdentity, kGzip, kDeflate, kBrotli, kZstd, kUnknown };

// Recognises "gzip", "x-gzip", "deflate", "x-deflate", "br", "zstd" and "identity" in any case, and values that servers
// send for an uncompressed body, such as "none" or "utf-8".
ContentCoding content_coding(std::string_view name);

// At most `limit_bytes` of output; more is kTooLarge. gzip: all members; deflate: zlib (RFC 1950) or raw.
Decoded decode_content(ContentCoding coding, std::string_view body, std::uint64_t limit_bytes);

}  // namespace paraprint::inline http
