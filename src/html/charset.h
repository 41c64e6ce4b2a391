// From the bytes of a page to UTF-8. docs/encodings.md tells the order of evidence and how often the detector is right.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "paraprint/model.h"

namespace paraprint {

// What decided on the charset, in the order in which they are asked.
enum class CharsetSource : std::uint8_t {
  kContainer,  // the container guarantees UTF-8
  kByteOrderMark,
  kHttpHeader,  // charset of Content-Type
  kMeta,        // <meta> or XML declaration within the page
  kDetector,    // the bytes themselves: nothing declared, or what is declared contradicts the bytes
  kDefault,     // nothing declared, nothing to detect: ASCII, or no candidate fits
};
std::string_view charset_source_name(CharsetSource source);  // "http-header", stable

struct DecodedPage {
  std::string_view text;     // valid UTF-8 without byte order mark
  std::string_view charset;  // WHATWG name in lower case ("gb18030"); static storage
  CharsetSource source = CharsetSource::kDefault;
  bool declaration_overruled = false;   // a declared charset was dropped because the bytes contradict it
  std::uint64_t dropped_sequences = 0;  // invalid sequences (bytes, in UTF-8) left out of `text`
};

// Not thread-safe: one per thread, its buffers serve page after page.
class PageDecoder {
 public:
  PageDecoder();
  ~PageDecoder();
  PageDecoder(const PageDecoder&) = delete;
  PageDecoder& operator=(const PageDecoder&) = delete;

  // Decodes a page. Never fails: bytes that mean nothing in the chosen charset are left out and counted. `text` is a
  // view of `body` when that is valid UTF-8 already, else of a buffer that the next call overwrites. <meta> is looked
  // at only for kHtml. NUL bytes pass: the HTML parser has rules for them. Cost: O(size).
  const DecodedPage& decode(std::string_view body, std::string_view content_type, PageFormat format, bool body_is_utf8);

 private:
  struct Scratch;
  std::unique_ptr<Scratch> scratch_;
  DecodedPage page_;
};

}  // namespace paraprint
