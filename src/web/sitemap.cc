// XML sitemaps are parsed with expat without building a tree. Everything is bounded: decompressed size, nesting, number
// and length of addresses. Damage ends the parse and keeps what was found before it, because a truncated sitemap still
// has many useful addresses.
#include "web/sitemap.h"

#include <expat.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <memory>
#include <new>
#include <utility>

#include "http/content_coding.h"
#include "http/header_block.h"
#include "web/url.h"

namespace paraprint::inline web {
namespace {

constexpr XML_Char kNamespaceSeparator = ' ';
constexpr std::size_t kDepthMaximum = 64;
// expat copies the name of an attribute's namespace for each attribute. Real names have about fifty bytes.
constexpr std::size_t kNamespaceBytesMaximum = 256;
// Text is cut here while it is collected; the URL parser refuses addresses longer than kUrlBytesMaximum.
constexpr std::size_t kTextBytesMaximum = 4 * kUrlBytesMaximum;

// expat reports names as "namespace name", or as "name" if there is no namespace.
struct ElementName {
  explicit ElementName(const XML_Char* name) : local(name) {
    const std::size_t separator = local.rfind(kNamespaceSeparator);
    if (separator == std::string_view::npos) return;
    space = local.substr(0, separator);
    local.remove_prefix(separator + 1);
  }
  std::string_view space;
  std::string_view local;
};

// Later versions of expat (2.7.2) report documents that take more memory than they should like a lack of it. Only these
// functions know whether it was one.
class ExpatMemory {
  static void* noticed(void* memory) {
    has_run_out |= memory == nullptr;
    return memory;
  }

 public:
  static inline thread_local bool has_run_out = false;
  static constexpr XML_Memory_Handling_Suite kSuite = {
      [](std::size_t size) { return noticed(std::malloc(size)); },
      [](void* old, std::size_t size) { return noticed(std::realloc(old, std::max<std::size_t>(size, 1))); },
      std::free};
};

class XmlSitemap {
 public:
  XmlSitemap() : parser_(XML_ParserCreate_MM(nullptr, &ExpatMemory::kSuite, &kNamespaceSeparator), XML_ParserFree) {
    if (parser_ == nullptr) throw std::bad_alloc();
    XML_SetUserData(parser_.get(), this);
    XML_SetElementHandler(
        parser_.get(),
        [](void* self, const XML_Char* name, const XML_Char** attributes) {
          static_cast<XmlSitemap*>(self)->begin_element(ElementName(name), attributes);
        },
        [](void* self, const XML_Char* name) { static_cast<XmlSitemap*>(self)->end_element(ElementName(name)); });
    XML_SetCharacterDataHandler(parser_.get(), [](void* self, const XML_Char* text, int size) {
      static_cast<XmlSitemap*>(self)->add_text({text, static_cast<std::size_t>(size)});
    });
    // Sitemaps have no use for entity declarations, but they are the means of exponential expansion ("billion laughs").
    XML_SetEntityDeclHandler(
        parser_.get(), [](void* self, const XML_Char*, int, const XML_Char*, int, const XML_Char*, const XML_Char*,
                          const XML_Char*, const XML_Char*) { static_cast<XmlSitemap*>(self)->stop(true); });
    // Declared attributes would be added to each of their elements, which the protocol has no use for either.
    XML_SetAttlistDeclHandler(parser_.get(), [](void* self, const XML_Char*, const XML_Char*, const XML_Char*,
                                                const XML_Char*, int) { static_cast<XmlSitemap*>(self)->stop(true); });
    XML_SetStartNamespaceDeclHandler(parser_.get(), [](void* self, const XML_Char*, const XML_Char* name) {
      if (name != nullptr && std::string_view(name).size() > kNamespaceBytesMaximum) {
        static_cast<XmlSitemap*>(self)->stop(true);
      }
    });
  }

  // At once: expat would begin a long token again with each further piece.
  Sitemap parse(std::string_view bytes) {
    static_assert(kSitemapBytesMaximum <= std::numeric_limits<int>::max(), "expat counts in int");
    ExpatMemory::has_run_out = false;
    const XML_Status status = XML_Parse(parser_.get(), bytes.data(), static_cast<int>(bytes.size()), XML_TRUE);
    if (ExpatMemory::has_run_out) throw std::bad_alloc();
    if (status != XML_STATUS_OK && !has_stopped_) sitemap_.is_damaged = true;
    return std::move(sitemap_);
  }

 private:
  // Called from callbacks; expat returns from XML_Parse() after the current one.
  void stop(bool is_damaged) {
    has_stopped_ = true;
    sitemap_.is_damaged |= is_damaged;
    sitemap_.is_cut |= !is_damaged;
    XML_StopParser(parser_.get(), XML_FALSE);
  }

  // The root element tells an index from a list of pages.
  void begin_element(const ElementName& name, const XML_Char** attributes) {
    if (++depth_ > kDepthMaximum) return stop(true);
    text_.clear();
    if (depth_ == 1) is_index_ = name.local == "sitemapindex";
    // Elements of extensions may have these names as well, and must not end the entry that they are in.
    const bool is_of_entries = entry_depth_ == 0 || name.space == entry_space_;
    if (is_of_entries && (name.local == "url" || name.local == "sitemap")) {
      entry_depth_ = depth_;
      entry_space_ = name.space;
    }
    if (name.local != "link") return;
    // Atom: <link rel="alternate" href="..."/>; RSS has the address as text.
    for (; attributes[0] != nullptr; attributes += 2) {
      if (std::string_view(attributes[0]) == "href") text_ = attributes[1];
    }
  }

  void end_element(const ElementName& name) {
    if (depth_-- == entry_depth_) entry_depth_ = 0;
    if (!is_address_of_entry(name) && name.local != "link") return;
    const std::string_view url = trim(text_);
    if (!url.empty()) {
      if (sitemap_.pages.size() + sitemap_.sitemaps.size() >= kSitemapUrlsMaximum) return stop(false);
      (is_index_ ? sitemap_.sitemaps : sitemap_.pages).emplace_back(url);
    }
    text_.clear();
  }

  // The names of extensions begin with "loc", too, as those of images and videos. Sitemaps declare all kinds of
  // namespaces as theirs, so it only has to be that of the entry.
  bool is_address_of_entry(const ElementName& name) const {
    return name.local == "loc" && depth_ > 0 && depth_ == entry_depth_ && name.space == entry_space_;
  }

  void add_text(std::string_view text) {
    if (text_.size() < kTextBytesMaximum) text_ += text.substr(0, kTextBytesMaximum - text_.size());
  }

  std::unique_ptr<XML_ParserStruct, decltype(&XML_ParserFree)> parser_;
  Sitemap sitemap_;
  std::string text_;
  std::size_t depth_ = 0;
  std::size_t entry_depth_ = 0;  // of the <url> or <sitemap> that is open; 0: none
  std::string entry_space_;
  bool is_index_ = false;
  bool has_stopped_ = false;
};

// Plain text with one address per line. Lines that are too long are ignored, and one that may be a part.
Sitemap parse_text(std::string_view bytes, bool is_whole) {
  Sitemap sitemap;
  if (!is_whole) bytes = bytes.substr(0, bytes.find_last_of("\r\n") + 1);
  while (!bytes.empty()) {
    const std::size_t end = std::min(bytes.find_first_of("\r\n"), bytes.size());
    const std::string_view line = trim(bytes.substr(0, end));
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
    if (line.empty()) continue;
    if (sitemap.pages.size() >= kSitemapUrlsMaximum) {
      sitemap.is_cut = true;
      return sitemap;
    }
    if (line.size() <= kTextBytesMaximum) sitemap.pages.emplace_back(line);
  }
  return sitemap;
}

// XML may be UTF-16, which is recognised by its byte-order mark.
bool is_xml(std::string_view bytes) {
  if (bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF")) return true;
  if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);
  return trim(bytes.substr(0, 256)).starts_with('<');
}

}  // namespace

// gzip is recognised by its first bytes, because servers declare it as content, as encoding or not at all.
Sitemap parse_sitemap(std::string_view bytes, bool is_whole) {
  Decoded unpacked;
  bool is_damaged = false;
  bool is_cut = false;
  if (bytes.starts_with("\x1f\x8b")) {
    unpacked = decode_content(ContentCoding::kGzip, bytes, kSitemapBytesMaximum);
    is_damaged = unpacked.state == Decoded::Outcome::kDamaged;
    is_cut = unpacked.state == Decoded::Outcome::kTooLarge;
    bytes = unpacked.bytes;
  }
  if (bytes.size() > kSitemapBytesMaximum) {
    bytes = bytes.substr(0, kSitemapBytesMaximum);
    is_cut = true;
  }
  is_whole = is_whole && !is_damaged && !is_cut;
  Sitemap sitemap = is_xml(bytes) ? XmlSitemap().parse(bytes)
                                  : parse_text(bytes.substr(bytes.starts_with("\xEF\xBB\xBF") ? 3 : 0), is_whole);
  sitemap.is_damaged |= is_damaged;
  sitemap.is_cut |= is_cut;
  return sitemap;
}

}  // namespace paraprint::inline web
