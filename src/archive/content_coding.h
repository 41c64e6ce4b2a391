// Undoing what HTTP does to a body: chunks and compressions. Pure functions; input is hostile.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace paraprint {

struct Decoded {
  enum class State {
    kComplete,
    kDamaged,  // `bytes` is what came before the damage, maybe nothing
    kTooLarge,
  };
  State state = State::kComplete;
  std::string bytes;
};

// RFC 9112 7.1, with bare LF and white space around sizes accepted. Trailers are left out. If `body` isn't chunked at
// all the result is kDamaged and empty; after damage further on the remaining bytes follow as they are.
Decoded decode_chunked(std::string_view body);

enum class ContentCoding { kIdentity, kGzip, kDeflate, kBrotli, kZstd, kUnknown };

// "gzip", "x-gzip", "deflate", "br", "zstd", "identity" in any case, and the names that servers write for none.
ContentCoding content_coding(std::string_view name);

// At most `limit_bytes` of output. gzip: all members; deflate: zlib (RFC 1950) or raw.
Decoded decode_content(ContentCoding coding, std::string_view body, std::uint64_t limit_bytes);

}  // namespace paraprint
