// Decodes the bytes of a page to UTF-8. docs/encodings.md describes the order of evidence and the detector's accuracy.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "paraprint/model.h"

namespace paraprint::inline html {

// The evidence that decided the charset, in order of precedence.
enum class CharsetSource : std::uint8_t {
  kContainer,  // the container guarantees UTF-8
  kByteOrderMark,
  kHttpHeader,  // charset of Content-Type
  kMeta,        // <meta> or XML declaration in the page
  kDetector,    // the bytes themselves: no declaration, or one that contradicts the bytes
  kDefault,     // no declaration and nothing to detect: ASCII, or no candidate fits
};
std::string_view charset_source_name(CharsetSource source);  // "http-header", stable

struct DecodedPage {
  std::string_view text;     // valid UTF-8 without byte order mark
  std::string_view charset;  // WHATWG name in lower case ("gb18030"); static storage
  CharsetSource source = CharsetSource::kDefault;
  bool declaration_overruled = false;   // a declared charset was ignored because the bytes contradict it
  std::uint64_t dropped_sequences = 0;  // invalid sequences (in UTF-8: bytes) omitted from `text`
};

// Not thread-safe: use one per thread. Its buffers are reused from page to page.
class PageDecoder {
 public:
  PageDecoder();
  ~PageDecoder();
  PageDecoder(const PageDecoder&) = delete;
  PageDecoder& operator=(const PageDecoder&) = delete;

  // Decodes a page. Never fails: bytes that are invalid in the chosen charset are omitted and counted. `text` is a view
  // of `body` if that is valid UTF-8, else of a buffer that the next call overwrites. <meta> is considered for kHtml
  // only. NUL bytes are kept, because the HTML parser has rules for them. Cost: O(size).
  const DecodedPage& decode(std::string_view body, std::string_view content_type, PageFormat format, bool body_is_utf8);

 private:
  struct Scratch;
  std::unique_ptr<Scratch> scratch_;
  DecodedPage page_;
};

}  // namespace paraprint::inline html
