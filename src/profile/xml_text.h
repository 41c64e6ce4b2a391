// The text of XML documents (DocBook, TEI, JATS, news, records with text): pages of declared XML that are not XHTML.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/stop.h"
#include "paraprint/model.h"

namespace paraprint::inline profile {

// Input beyond this is not read, as of an HTML page (HtmlLimits). It bounds memory: at most 9 bytes per byte of input.
inline constexpr std::size_t kXmlBytesMaximum = std::size_t{16} << 20;

// Replaces `content` with all text of the document: no main content is chosen, because names of elements mean something
// else in each vocabulary. `text` must be valid UTF-8.
//
// Each element begins and ends a block, except inside an element that has text of its own, as <p>a <b>word</b></p> has.
// CDATA sections are text, also next to other text. References to characters and to the five entities of XML are
// resolved; others stay as they are written, since declarations are not read. Attributes, comments, processing
// instructions, <script> and <style> are no text. White space collapses. The title is the first <title>, which is part
// of the text as well.
//
// What is not well-formed is read as far as possible: a document that was cut off has the text that it has, an end tag
// without its start is ignored, and a '<' that starts nothing is text. Never fails. If `stop` is stopped in between,
// the rest is missing. Cost: O(size).
void extract_xml_text(std::string_view text, MainContent& content, StopCheck& stop);
inline void extract_xml_text(std::string_view text, MainContent& content) {
  StopCheck never;
  extract_xml_text(text, content, never);
}

}  // namespace paraprint::inline profile
