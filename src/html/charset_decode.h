// Decodes a given charset to UTF-8, with lexbor's decoders for the WHATWG Encoding Standard and one for UTF-32, which
// is not in the standard.
#pragma once

#include <lexbor/encoding/encoding.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace paraprint::inline html {

// lexbor's ids, plus two of our own.
using Charset = std::uint32_t;
inline constexpr Charset kCharsetUnknown = LXB_ENCODING_DEFAULT;
inline constexpr Charset kCharsetUtf32Be = LXB_ENCODING_LAST_ENTRY + 1;
inline constexpr Charset kCharsetUtf32Le = LXB_ENCODING_LAST_ENTRY + 2;

// "gb18030": lower case, static storage. GBK is reported as GB18030, because both have the same decoder.
std::string_view charset_name(Charset charset);

// The charset of a label as written by pages and servers: WHATWG labels and a few misspellings ("euc_kr", "iso-1252").
// kCharsetUnknown for unknown labels and for those the standard forbids decoding (the `replacement` encodings).
Charset charset_of_label(std::string_view label);

bool is_single_byte(Charset charset);

struct DecodeCounts {
  std::uint64_t dropped_sequences = 0;     // invalid in this charset; in UTF-8: bytes
  std::uint64_t non_ascii_characters = 0;  // valid non-ASCII characters
};

inline constexpr std::uint32_t kInvalidSequence = 0x110000;  // represents an invalid sequence among code points

// Not thread-safe: use one per thread.
class CharsetDecoder {
 public:
  CharsetDecoder();
  // Replaces `out` by the valid characters of `bytes`, as UTF-8. Cost: O(size).
  DecodeCounts decode(Charset charset, std::string_view bytes, std::string& out);
  // Replaces `out` by the code points, kInvalidSequence for each invalid sequence.
  void decode_code_points(Charset charset, std::string_view bytes, std::vector<std::uint32_t>& out);

 private:
  template <class Sink>
  void decode_blocks(Charset charset, std::string_view bytes, Sink&& sink);
  std::vector<lxb_codepoint_t> block_;
};

}  // namespace paraprint::inline html
