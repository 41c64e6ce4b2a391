// Guesses the charset of bytes that say nothing of it, or that contradict what is said. Each candidate decodes a sample
// of the text beyond ASCII, and the result is rated by how much it looks like a language: common characters of Chinese
// (in either script), Japanese and Korean; letters of words, in the right case, for the others. docs/encodings.md has
// figures.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "html/charset_decode.h"

namespace paraprint {

struct DetectedCharset {
  Charset charset = kCharsetUnknown;  // unknown: nothing beyond ASCII, or nothing fits
  double score = 0;                   // mean rating of the characters beyond ASCII, 1 is best; 0.3 and more is text
};

// Not thread-safe: one per thread.
class CharsetDetector {
 public:
  // Cost: O(1) in the size of `body` but for finding the sample, some 20 decodings of at most kSampleBytes.
  DetectedCharset detect(std::string_view body);

  static constexpr std::size_t kSampleBytes = 16384;

  // The score of one multi-byte charset; -1 if the text has nothing beyond ASCII or the charset isn't a candidate.
  double score(std::string_view body, Charset charset);

 private:
  double score_sample_as_ideographic(Charset charset);
  void take_sample(std::string_view body);

  std::string sample_;
  std::vector<std::uint32_t> code_points_;
  CharsetDecoder decoder_;
};

// UTF-16 or UTF-32 without a byte order mark, told by where the zero bytes of ASCII characters stand; else unknown.
Charset detect_wide_charset(std::string_view body);

// Whether the escape sequences of ISO-2022-JP occur.
bool has_iso_2022_jp_escapes(std::string_view body);

}  // namespace paraprint
