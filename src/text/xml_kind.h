// Tells from the start of a document whether it is XML, and of which kind, without parsing it.
#pragma once

#include <cstdint>
#include <string_view>

namespace paraprint::inline text {

enum class XmlKind : std::uint8_t {
  kNone,      // not XML, or nothing is recognised: to be read as HTML
  kHtml,      // XHTML, or HTML behind an XML declaration: to be read as HTML
  kDocument,  // text with markup of its own: DocBook, TEI, JATS, news, data with text, ...
  kListing,  // by its root a feed or sitemap, which lists pages and is not one, or a file for programs (SVG, XSLT, ...)
};

// `markup` is the start of the document or all of it, in UTF-16 or any charset that contains ASCII. Without an XML
// declaration, it is XML only if its media type said so, as `is_declared_xml`. Only names of root elements decide, in
// any namespace. Cost: O(bytes before the root element).
XmlKind xml_kind_of(std::string_view markup, bool is_declared_xml);

// Whether a media type without parameters, in lower case, is one of generic XML: text/xml, application/xml.
inline bool is_xml_type(std::string_view media_type) {
  return media_type == "text/xml" || media_type == "application/xml";
}

// The length of the document type declaration at the start of `markup`, with its internal subset; 0 if there is none or
// its end is missing.
std::size_t doctype_bytes(std::string_view markup);

}  // namespace paraprint::inline text
