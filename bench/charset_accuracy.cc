// Measures how often the charset detector agrees with what pages and servers declare.
//
// usage: charset_accuracy < pages.jsonl      lines {"http": "content type", "body": "hex"}
//
// Prints one line per true charset: pages, correct detections with declarations hidden, and the results of the whole
// decoder; then every page on which detector and declaration differ. docs/encodings.md says how to make the input.
#include <simdjson.h>

#include <cstdio>
#include <iostream>
#include <map>
#include <string>

#include "html/charset.h"
#include "html/charset_declared.h"
#include "html/charset_detect.h"
#include "html/utf8_repair.h"
#include "text/utf8.h"

namespace {

using namespace paraprint;

std::string from_hex(std::string_view hex) {
  const auto digit = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
  std::string bytes(hex.size() / 2, '\0');
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<char>(digit(hex[2 * i]) * 16 + digit(hex[2 * i + 1]));
  }
  return bytes;
}

struct Tally {
  int pages = 0;
  int ascii = 0;      // pages in ASCII: nothing to detect
  int right = 0;      // the detector names the declared charset
  int same_text = 0;  // or another charset that decodes to the same text
  int overruled = 0;  // the whole decoder overrules the declaration
};

}  // namespace

int main() {
  PageDecoder page_decoder;
  CharsetDecoder decoder;
  CharsetDetector detector;
  std::map<std::string, Tally> tallies;
  simdjson::dom::parser parser;
  std::string line;
  std::string declared_text;
  std::string detected_text;
  for (int number = 0; std::getline(std::cin, line); ++number) {
    simdjson::dom::element record;
    if (parser.parse(line).get(record) != simdjson::SUCCESS) continue;
    const std::string body = from_hex(std::string_view(record["body"]));
    const std::string http{std::string_view(record["http"])};
    Charset truth = charset_of_content_type(http);
    if (truth == kCharsetUnknown) truth = charset_of_markup(body);
    const DecodedPage& page = page_decoder.decode(body, http, PageFormat::kHtml, false);
    Tally& tally = tallies[truth == kCharsetUnknown ? "(undeclared)" : std::string(charset_name(truth))];
    ++tally.pages;
    tally.overruled += page.declaration_overruled;
    if (page.declaration_overruled || page.dropped_sequences > 0) {
      std::printf("# %d declared %s, decoded as %s (%s), dropped %llu\n", number,
                  std::string(charset_name(truth)).c_str(), std::string(page.charset).c_str(),
                  std::string(charset_source_name(page.source)).c_str(),
                  static_cast<unsigned long long>(page.dropped_sequences));
    }
    Charset detected = detect_wide_charset(body);
    double score = 1;
    if (detected == kCharsetUnknown && is_valid_utf8(body) && has_iso_2022_jp_escapes(body))
      detected = LXB_ENCODING_ISO_2022_JP;
    if (detected == kCharsetUnknown) {
      const DetectedCharset answer = detector.detect(body);
      detected = answer.charset;
      score = answer.score;
    }
    if (truth == kCharsetUnknown) continue;
    if (detected == kCharsetUnknown && is_valid_utf8(body)) {
      ++tally.ascii;
      continue;
    }
    decoder.decode(truth, body, declared_text);
    if (detected != kCharsetUnknown) decoder.decode(detected, body, detected_text);
    const bool same = detected != kCharsetUnknown && declared_text == detected_text;
    tally.right += detected == truth;
    tally.same_text += same;
    if (!same) {
      std::printf("# %d declared %s, detected %s, score %.2f\n", number, std::string(charset_name(truth)).c_str(),
                  std::string(charset_name(detected)).c_str(), score);
    }
  }
  std::printf("%-16s %6s %6s %6s %9s %9s\n", "declared", "pages", "ascii", "right", "same text", "overruled");
  for (const auto& [name, tally] : tallies) {
    std::printf("%-16s %6d %6d %6d %9d %9d\n", name.c_str(), tally.pages, tally.ascii, tally.right, tally.same_text,
                tally.overruled);
  }
}
