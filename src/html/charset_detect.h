// Detects the charset of bytes without a declaration, or whose declaration they contradict. Each candidate charset
// decodes a sample of the non-ASCII text, and the result is rated by how much it resembles a language: by common
// characters for Chinese (simplified and traditional), Japanese and Korean, by letters of words in plausible case for
// other languages. docs/encodings.md has figures.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "html/charset_decode.h"

namespace paraprint::inline html {

struct DetectedCharset {
  Charset charset = kCharsetUnknown;  // unknown: no non-ASCII bytes, or no candidate fits
  double score = 0;                   // mean rating of the non-ASCII characters; 1 is best, 0.3 or more is text
};

// Not thread-safe: use one per thread.
class CharsetDetector {
 public:
  // Cost: about 20 decodings of at most kSampleBytes, plus a scan of `body` for the sample.
  DetectedCharset detect(std::string_view body);

  static constexpr std::size_t kSampleBytes = 16384;

  // The score of one multi-byte charset; -1 or less if the text is ASCII or the charset is not a candidate.
  double score(std::string_view body, Charset charset);

 private:
  double score_sample_as_ideographic(Charset charset);
  void take_sample(std::string_view body);

  std::string sample_;
  std::vector<std::uint32_t> code_points_;
  CharsetDecoder decoder_;
};

// Detects UTF-16 and UTF-32 without a byte order mark by the positions of the zero bytes of ASCII characters.
// kCharsetUnknown if it is neither.
Charset detect_wide_charset(std::string_view body);

// Whether escape sequences of ISO-2022-JP occur.
bool has_iso_2022_jp_escapes(std::string_view body);

}  // namespace paraprint::inline html
