// The order of evidence, and the treatment of contradictions (docs/encodings.md has the reasons):
//
//   1. the container's guarantee; a byte order mark; the zero bytes of UTF-16 and UTF-32;
//   2. the declaration of the server, then that of the page, if the bytes fit it;
//   3. the detector.
//
// Bytes fit a declared charset if few sequences are invalid (kMaxInvalidShare). Valid UTF-8 with non-ASCII characters
// is UTF-8, whatever is declared. Nearly all bytes fit single-byte charsets, so a declared one is also ignored if the
// detector is certain of a multi-byte charset.
#include "html/charset.h"

#include <algorithm>
#include <string>

#include "html/charset_declared.h"
#include "html/charset_detect.h"
#include "html/utf8_repair.h"
#include "text/utf8.h"

namespace paraprint::inline html {
namespace {

// Share of the non-ASCII characters. Pages can contain comments, titles or advertisements in another charset, so a
// correct declaration may leave one character in twenty invalid; a wrong declaration makes about one in three invalid.
constexpr double kMaxInvalidShare = 0.05;
// A declared charset is ignored if the detector gives a multi-byte charset at least this score, exceeding that of the
// declared one (0 for single-byte charsets) by this much, on at least this many characters.
constexpr double kSureScore = 0.35;
constexpr double kSureScoreLead = 0.2;
constexpr std::uint64_t kSureCharacters = 8;
// Text in another multi-byte charset does not contain this many valid UTF-8 characters by chance.
constexpr std::uint64_t kSureUtf8Characters = 4;

// A charset and where it comes from.
struct Evidence {
  Charset charset = kCharsetUnknown;
  CharsetSource source = CharsetSource::kDefault;
};

// Charsets of which ASCII is not a subset. They are never taken from a declaration within ASCII text.
bool is_wide(Charset charset) {
  return charset == LXB_ENCODING_UTF_16BE || charset == LXB_ENCODING_UTF_16LE || charset == kCharsetUtf32Be ||
         charset == kCharsetUtf32Le;
}

bool fits(const DecodeCounts& counts) {
  return static_cast<double>(counts.dropped_sequences) <=
         kMaxInvalidShare * static_cast<double>(counts.non_ascii_characters);
}

// In blocks: the loop within a block is vectorised, and most pages are decided after a few blocks.
bool is_ascii(std::string_view bytes) {
  constexpr std::size_t kBlockBytes = 1024;
  while (!bytes.empty()) {
    const std::string_view block = bytes.substr(0, kBlockBytes);
    unsigned char all = 0;
    for (const char c : block) all |= static_cast<unsigned char>(c);
    if (all >= 0x80) return false;
    bytes.remove_prefix(block.size());
  }
  return true;
}

}  // namespace

std::string_view charset_source_name(CharsetSource source) {
  switch (source) {
    case CharsetSource::kContainer:
      return "container";
    case CharsetSource::kByteOrderMark:
      return "byte-order-mark";
    case CharsetSource::kHttpHeader:
      return "http-header";
    case CharsetSource::kMeta:
      return "meta";
    case CharsetSource::kDetector:
      return "detector";
    case CharsetSource::kDefault:
      break;
  }
  return "default";
}

struct PageDecoder::Scratch {
  std::string text;
  std::string other_text;
  CharsetDecoder decoder;
  CharsetDetector detector;
  std::string_view body;
  bool is_valid_utf8 = false;
  DecodedPage* page = nullptr;

  void accept(const Evidence& evidence, std::string_view decoded, std::uint64_t dropped_sequences) {
    page->text = decoded;
    page->charset = charset_name(evidence.charset);
    page->source = evidence.source;
    page->dropped_sequences = dropped_sequences;
  }

  // Decodes without further checks.
  void decode_as(const Evidence& evidence) {
    if (evidence.charset == LXB_ENCODING_UTF_8 && is_valid_utf8) {
      accept(evidence, body, 0);
      return;
    }
    const DecodeCounts counts = decoder.decode(evidence.charset, body, text);
    accept(evidence, text, counts.dropped_sequences);
  }

  void decode_valid_utf8(const Evidence& declared);
  bool decode_if_fitting(const Evidence& declared);
  void decode_undeclared(const Evidence& best_declared);
  // Whether the bytes are certainly text in a multi-byte charset other than the declared one. Decodes everything,
  // because the detector sees only a sample.
  bool is_surely_another(Charset declared) {
    double score = 0;
    if (!is_single_byte(declared)) {
      score = detector.score(body, declared);
      if (score >= kSureScore) return false;
    }
    const DetectedCharset detected = detector.detect(body);
    if (detected.charset == declared || is_single_byte(detected.charset)) return false;
    if (detected.score < std::max(kSureScore, score + kSureScoreLead)) return false;
    const DecodeCounts counts = decoder.decode(detected.charset, body, other_text);
    return counts.non_ascii_characters >= kSureCharacters && fits(counts);
  }
};

// For valid UTF-8, including plain ASCII. Apart from wide ones, all declared charsets decode ASCII alike except
// ISO-2022-JP, which uses ASCII escape sequences.
void PageDecoder::Scratch::decode_valid_utf8(const Evidence& declared) {
  const bool is_only_ascii = is_ascii(body);
  if (is_only_ascii && has_iso_2022_jp_escapes(body)) {
    const bool is_declared = declared.charset == LXB_ENCODING_ISO_2022_JP;
    page->declaration_overruled = !is_declared && declared.charset != kCharsetUnknown;
    decode_as({LXB_ENCODING_ISO_2022_JP, is_declared ? declared.source : CharsetSource::kDetector});
    return;
  }
  if (declared.charset == LXB_ENCODING_UTF_8) {
    accept(declared, body, 0);
    return;
  }
  if (is_only_ascii) {
    const bool usable = declared.charset != kCharsetUnknown && !is_wide(declared.charset);
    page->declaration_overruled = is_wide(declared.charset);
    accept(usable ? declared : Evidence{LXB_ENCODING_UTF_8, CharsetSource::kDefault}, body, 0);
    return;
  }
  // A short text in a declared multi-byte charset can happen to be valid UTF-8.
  if (declared.charset != kCharsetUnknown && !is_single_byte(declared.charset) && !is_wide(declared.charset) &&
      repair_utf8(body, nullptr).multibyte_characters < kSureUtf8Characters) {
    const DecodeCounts counts = decoder.decode(declared.charset, body, text);
    if (counts.dropped_sequences == 0) {
      accept(declared, text, 0);
      return;
    }
  }
  page->declaration_overruled = declared.charset != kCharsetUnknown;
  accept({LXB_ENCODING_UTF_8, CharsetSource::kDetector}, body, 0);
}

// For bytes that are not valid UTF-8.
bool PageDecoder::Scratch::decode_if_fitting(const Evidence& declared) {
  if (declared.charset == kCharsetUnknown || is_wide(declared.charset)) return false;
  const DecodeCounts counts = decoder.decode(declared.charset, body, text);
  if (!fits(counts)) return false;
  if (declared.charset != LXB_ENCODING_UTF_8 && is_surely_another(declared.charset)) return false;
  accept(declared, text, counts.dropped_sequences);
  return true;
}

// The last resort. If the detector finds nothing either, a declaration that does not fit is still the best guess;
// without one it is windows-1252, the default of the HTML standard.
void PageDecoder::Scratch::decode_undeclared(const Evidence& best_declared) {
  const DetectedCharset detected = detector.detect(body);
  if (detected.charset == kCharsetUnknown) {
    const bool usable = best_declared.charset != kCharsetUnknown && !is_wide(best_declared.charset);
    decode_as(usable ? best_declared : Evidence{LXB_ENCODING_WINDOWS_1252, CharsetSource::kDefault});
    return;
  }
  page->declaration_overruled = best_declared.charset != kCharsetUnknown && best_declared.charset != detected.charset;
  decode_as({detected.charset, CharsetSource::kDetector});
}

PageDecoder::PageDecoder() : scratch_(std::make_unique<Scratch>()) {}
PageDecoder::~PageDecoder() = default;

const DecodedPage& PageDecoder::decode(std::string_view body, std::string_view content_type, PageFormat format,
                                       bool body_is_utf8) {
  page_ = {};
  Scratch& scratch = *scratch_;
  scratch.page = &page_;
  const ByteOrderMark mark = find_byte_order_mark(body);
  // Text that a container guarantees to be UTF-8 can still begin with its mark, but not with one of another charset.
  scratch.body = body.substr(mark.charset == LXB_ENCODING_UTF_8 || !body_is_utf8 ? mark.size_bytes : 0);
  scratch.is_valid_utf8 = is_valid_utf8(scratch.body);
  if (body_is_utf8) {
    scratch.decode_as({LXB_ENCODING_UTF_8, CharsetSource::kContainer});
    return page_;
  }
  const Evidence from_mark{mark.charset, CharsetSource::kByteOrderMark};
  if (is_wide(mark.charset)) {
    scratch.decode_as(from_mark);
    return page_;
  }
  // From here on a mark can only be that of UTF-8, which is evidence like a declaration: it may contradict the bytes.
  const Evidence from_header{charset_of_content_type(content_type), CharsetSource::kHttpHeader};
  if (const Charset wide = detect_wide_charset(scratch.body); wide != kCharsetUnknown) {
    scratch.decode_as({wide, wide == from_header.charset ? CharsetSource::kHttpHeader : CharsetSource::kDetector});
    return page_;
  }
  Evidence from_markup{kCharsetUnknown, CharsetSource::kMeta};
  // The page's own declaration is consulted last, and not at all for valid UTF-8 when another source decided.
  const bool is_settled =
      scratch.is_valid_utf8 && (from_mark.charset != kCharsetUnknown || from_header.charset != kCharsetUnknown);
  if (format == PageFormat::kHtml && !is_settled) from_markup.charset = charset_of_markup(scratch.body);
  const Evidence declared[] = {from_mark, from_header, from_markup};
  Evidence first;
  for (const Evidence& evidence : declared) {
    if (first.charset == kCharsetUnknown && evidence.charset != kCharsetUnknown) first = evidence;
  }
  if (scratch.is_valid_utf8) {
    scratch.decode_valid_utf8(first);
    return page_;
  }
  // A declaration of lower precedence counts if that of higher precedence does not fit.
  for (const Evidence& evidence : declared) {
    if (scratch.decode_if_fitting(evidence)) {
      page_.declaration_overruled = evidence.charset != first.charset;
      return page_;
    }
  }
  scratch.decode_undeclared(first);
  return page_;
}

}  // namespace paraprint::inline html
