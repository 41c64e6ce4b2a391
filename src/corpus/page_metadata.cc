// One walk collects the values of all sources, each at its rank; the best rank counts, and the first of equal ones. The
// walk ends in the head for most values, but microdata, <time> and some JSON-LD are in the body.
#include "corpus/page_metadata.h"

#include <algorithm>
#include <array>

#include "corpus/byline.h"
#include "corpus/json_ld.h"
#include "corpus/stated_source.h"
#include "corpus/written_date.h"
#include "html/walker.h"
#include "http/date.h"
#include "http/header_block.h"
#include "http/url_host.h"
#include "text/language.h"
#include "text/utf8.h"
#include "web/links.h"

namespace paraprint::inline corpus {
namespace {

constexpr std::size_t kJsonLdScriptsMaximum = 16;
constexpr std::size_t kShortTextNodesMaximum = 64;

// From the most to the least trusted.
enum Rank : std::uint8_t {
  kJsonLdRank,
  kSocialRank,
  kNamedRank,
  kMarkedRank,
  kAddressRank,
  kGuessedRank,
  kTextRank,
  kNoRank
};

DatePlace place_of(Rank rank) {
  constexpr std::array<DatePlace, kNoRank + 1> kPlaces = {DatePlace::kJsonLd, DatePlace::kOpenGraph, DatePlace::kMeta,
                                                          DatePlace::kMarkup, DatePlace::kAddress,   DatePlace::kTime,
                                                          DatePlace::kText,   DatePlace::kNone};
  return kPlaces[rank];
}

struct Value {
  std::string text;
  Rank rank = kNoRank;
};

enum class Field : std::uint8_t { kTitle, kAuthor, kSite, kDate, kModified, kSource, kSourceUrl, kCanonical, kLicence };
constexpr std::size_t kFieldCount = 9;

struct MetaName {
  std::string_view name;  // of name, property or itemprop, lower case
  Field field;
  Rank rank;
};

constexpr std::array<MetaName, 58> kMetaNames = {{
    {"og:title", Field::kTitle, kSocialRank},
    {"twitter:title", Field::kTitle, kNamedRank},
    {"dc.title", Field::kTitle, kNamedRank},
    {"article:author", Field::kAuthor, kSocialRank},
    {"author", Field::kAuthor, kNamedRank},
    {"byl", Field::kAuthor, kNamedRank},
    {"parsely-author", Field::kAuthor, kNamedRank},
    {"sailthru.author", Field::kAuthor, kNamedRank},
    {"citation_author", Field::kAuthor, kNamedRank},
    {"dc.creator", Field::kAuthor, kNamedRank},
    {"og:site_name", Field::kSite, kSocialRank},
    {"application-name", Field::kSite, kNamedRank},
    {"dc.publisher", Field::kSite, kNamedRank},
    {"article:published_time", Field::kDate, kSocialRank},
    {"og:published_time", Field::kDate, kSocialRank},
    {"datepublished", Field::kDate, kNamedRank},
    {"date", Field::kDate, kNamedRank},
    {"pubdate", Field::kDate, kNamedRank},
    {"publishdate", Field::kDate, kNamedRank},
    {"publish-date", Field::kDate, kNamedRank},
    {"parsely-pub-date", Field::kDate, kNamedRank},
    {"sailthru.date", Field::kDate, kNamedRank},
    {"citation_publication_date", Field::kDate, kNamedRank},
    {"dc.date", Field::kDate, kNamedRank},
    {"dc.date.issued", Field::kDate, kNamedRank},
    {"dcterms.created", Field::kDate, kNamedRank},
    {"dcterms.issued", Field::kDate, kNamedRank},
    {"article:published", Field::kDate, kSocialRank},
    {"bytedance:published_time", Field::kDate, kSocialRank},
    {"og:release_date", Field::kDate, kSocialRank},
    {"og:pubdate", Field::kDate, kSocialRank},
    {"article_date_original", Field::kDate, kNamedRank},
    {"originalpublicationdate", Field::kDate, kNamedRank},
    {"publication_date", Field::kDate, kNamedRank},
    {"published", Field::kDate, kNamedRank},
    {"pub_date", Field::kDate, kNamedRank},
    {"pdate", Field::kDate, kNamedRank},
    {"displaydate", Field::kDate, kNamedRank},
    {"cxenseparse:publishtime", Field::kDate, kNamedRank},
    {"dcsext.articlefirstpublished", Field::kDate, kNamedRank},
    {"t_omni_pubdate", Field::kDate, kNamedRank},
    {"dcterms.date", Field::kDate, kNamedRank},
    {"dc.date.created", Field::kDate, kNamedRank},
    {"article:modified_time", Field::kModified, kSocialRank},
    {"article:modified", Field::kModified, kSocialRank},
    {"og:updated_time", Field::kModified, kNamedRank},
    {"datemodified", Field::kModified, kNamedRank},
    {"dateupdate", Field::kModified, kNamedRank},
    {"dcterms.modified", Field::kModified, kNamedRank},
    {"dc.date.modified", Field::kModified, kNamedRank},
    {"last-modified", Field::kModified, kNamedRank},
    {"lastmod", Field::kModified, kNamedRank},
    {"modified", Field::kModified, kNamedRank},
    {"source", Field::kSource, kNamedRank},
    {"og:article:source", Field::kSource, kSocialRank},
    {"original-source", Field::kSourceUrl, kNamedRank},
    {"syndication-source", Field::kSourceUrl, kNamedRank},
    {"og:url", Field::kCanonical, kNamedRank},
}};

// Controls, and characters that change the direction of what follows: values are shown next to other text.
bool is_unwanted(char32_t c) {
  return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x200B || c == 0x200E || c == 0x200F ||
         (c >= 0x2028 && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069) || c == 0xFEFF || c == kInvalidCharacter;
}

// With single spaces and none around, without unwanted characters, at most kMetadataBytesMaximum.
std::string clean_value(std::string_view raw) {
  std::string clean;
  bool space_pending = false;
  const char* const end = raw.data() + raw.size();
  for (const char* at = raw.data(); at != end;) {
    const DecodedCharacter character = decode_character(at, end);
    const std::string_view bytes(at, character.size_bytes);
    at += character.size_bytes;
    const bool is_space = bytes == " " || bytes == "\n" || bytes == "\t" || bytes == "\r" || bytes == "\f";
    if (is_space) {
      space_pending = !clean.empty();
      continue;
    }
    if (is_unwanted(character.code_point)) continue;
    if (clean.size() + bytes.size() + 1 > kMetadataBytesMaximum) break;
    if (space_pending) clean += ' ';
    space_pending = false;
    clean += bytes;
  }
  return clean;
}

bool is_address(std::string_view text) {
  return text.starts_with("http://") || text.starts_with("https://");
}

bool names_relation(std::string_view list, std::string_view relation) {
  while (!list.empty()) {
    const std::size_t end = std::min(list.find_first_of(" \t\n\r\f"), list.size());
    if (equals_ignoring_case(list.substr(0, end), relation)) return true;
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return false;
}

// The text of an element of a few nodes, such as a name.
std::string short_text(const HtmlNode* element) {
  std::size_t nodes_left = kShortTextNodesMaximum;
  std::string text;
  for (const HtmlNode* node = element; node != nullptr && nodes_left > 0 && text.size() < kMetadataBytesMaximum;
       node = next_in_document_order(node, element)) {
    if (is_text(node)) text += text_of(node).substr(0, kMetadataBytesMaximum);
    --nodes_left;
  }
  return text;
}

}  // namespace

std::string_view date_place_name(DatePlace place) {
  constexpr std::array<std::string_view, kDatePlaceCount> kNames = {"none",   "json-ld", "open-graph", "meta",
                                                                    "markup", "address", "time",       "text"};
  return kNames[static_cast<std::size_t>(place)];
}

struct PageMetadataReader::Implementation {
  JsonLdReader json_ld;
  BylineReader bylines;
  UrlParser parser;
  const HtmlDocument* document = nullptr;
  std::array<Value, kFieldCount> values;
  JsonLdPage described;
  std::size_t scripts = 0;

  // Keeps a value if it is usable and none of its rank or a better one is known.
  void add(Field field, Rank rank, std::string_view raw) {
    Value& known = values[static_cast<std::size_t>(field)];
    if (known.rank <= rank) return;
    std::string value;
    if (field == Field::kDate || field == Field::kModified) {
      value = stated_date(raw);
    } else if (field == Field::kCanonical || field == Field::kLicence || field == Field::kSourceUrl) {
      const std::string_view reference = trim(raw);  // an empty one would be the page
      if (const std::optional<Url> url = reference.empty() ? std::nullopt : parser.parse(reference)) value = url->href;
    } else {
      value = clean_value(raw);
      if (field == Field::kAuthor && is_address(value)) value.clear();  // of a profile
      if (field == Field::kSource) {
        if (const std::optional<StatedSource> source = find_stated_source(value)) value = std::string(source->name);
      }
    }
    if (!value.empty()) known = {std::move(value), rank};
  }

  void visit(const HtmlNode* element) {
    const HtmlTag tag = tag_of(element);
    if (tag == LXB_TAG_META) {
      visit_meta(element);
    } else if (tag == LXB_TAG_SCRIPT) {
      visit_script(element);
    } else if (tag == LXB_TAG_LINK || tag == LXB_TAG_A) {
      visit_link(element, tag == LXB_TAG_LINK);
    } else if (tag == LXB_TAG_TIME) {
      add(Field::kDate, kGuessedRank, document->attribute(element, HtmlAttribute::kDatetime));
    }
    if (tag != LXB_TAG_META) visit_property(element);
  }

  void visit_meta(const HtmlNode* element) {
    const std::string_view content = document->attribute(element, HtmlAttribute::kContent);
    if (content.empty()) return;
    for (const HtmlAttribute attribute : {HtmlAttribute::kProperty, HtmlAttribute::kName, HtmlAttribute::kItemprop}) {
      const std::string_view name = trim(document->attribute(element, attribute));
      if (name.empty()) continue;
      const auto* const row = std::find_if(kMetaNames.begin(), kMetaNames.end(), [&](const MetaName& known) {
        return equals_ignoring_case(known.name, name);
      });
      if (row != kMetaNames.end()) add(row->field, row->rank, content);
    }
  }

  void visit_script(const HtmlNode* element) {
    if (element->first_child == nullptr || !is_text(element->first_child) || scripts >= kJsonLdScriptsMaximum ||
        !equals_ignoring_case(trim(document->attribute(element, HtmlAttribute::kType)), "application/ld+json")) {
      return;
    }
    ++scripts;
    json_ld.read(text_of(element->first_child), described);
  }

  void visit_link(const HtmlNode* element, bool is_head_link) {
    const std::string_view relations = document->attribute(element, HtmlAttribute::kRel);
    if (relations.empty()) return;
    const std::string_view href = document->attribute(element, HtmlAttribute::kHref);
    if (names_relation(relations, "license")) add(Field::kLicence, is_head_link ? kNamedRank : kMarkedRank, href);
    if (is_head_link && names_relation(relations, "canonical")) add(Field::kCanonical, kSocialRank, href);
    if (!is_head_link && names_relation(relations, "author")) add(Field::kAuthor, kGuessedRank, short_text(element));
  }

  void visit_property(const HtmlNode* element) {
    const std::string_view property = document->attribute(element, HtmlAttribute::kItemprop);
    if (property.empty()) return;
    std::string_view date = document->attribute(element, HtmlAttribute::kDatetime);
    if (date.empty()) date = document->attribute(element, HtmlAttribute::kContent);
    if (names_relation(property, "datePublished")) add(Field::kDate, kMarkedRank, date);
    if (names_relation(property, "dateCreated")) add(Field::kDate, kGuessedRank, date);
    if (names_relation(property, "dateModified")) add(Field::kModified, kMarkedRank, date);
    if (names_relation(property, "author")) add(Field::kAuthor, kMarkedRank, short_text(element));
  }

  void add_byline(std::string_view page_url, StopCheck& stop) {
    // The text is less certain than any other place.
    const bool has_date = values[static_cast<std::size_t>(Field::kDate)].rank < kTextRank;
    const Byline byline = bylines.read(*document, document->title(), !has_date, stop);
    add(Field::kDate, kTextRank, byline.published);
    add(Field::kModified, kTextRank, byline.modified);
    add(Field::kSource, kTextRank, byline.source_name);
    add(Field::kSourceUrl, kTextRank, byline.source_href);
    if (is_address(byline.source_name)) add(Field::kSourceUrl, kTextRank, byline.source_name);
    forget_own_address(page_url);
  }

  // A page that states its own address is its own source.
  void forget_own_address(std::string_view page_url) {
    Value& source = values[static_cast<std::size_t>(Field::kSourceUrl)];
    const std::optional<Url> own = page_url.empty() ? std::nullopt : parser.parse(page_url);
    if (!own || source.text.empty() || url_host(source.text) != url_host(own->href)) return;
    Value& name = values[static_cast<std::size_t>(Field::kSource)];
    if (is_address(name.text)) name = {};
    source = {};
  }

  void add_described() {
    add(Field::kTitle, kJsonLdRank, described.title);
    add(Field::kAuthor, kJsonLdRank, described.author);
    // Publishers are often companies; the name of the site is what og:site_name says.
    add(Field::kSite, kNamedRank, described.publisher);
    add(Field::kDate, kJsonLdRank, described.date_published);
    add(Field::kModified, kJsonLdRank, described.date_modified);
    add(Field::kSourceUrl, kJsonLdRank, described.based_on);
    add(Field::kLicence, kJsonLdRank, described.licence);
  }
};

PageMetadataReader::PageMetadataReader() : implementation_(std::make_unique<Implementation>()) {}
PageMetadataReader::~PageMetadataReader() = default;

HtmlAttributeSet PageMetadataReader::attributes_read() {
  return BylineReader::attributes_read() | HtmlAttributeSet{HtmlAttribute::kContent,  HtmlAttribute::kDatetime,
                                                            HtmlAttribute::kHref,     HtmlAttribute::kHreflang,
                                                            HtmlAttribute::kItemprop, HtmlAttribute::kLang,
                                                            HtmlAttribute::kName,     HtmlAttribute::kRel,
                                                            HtmlAttribute::kProperty, HtmlAttribute::kType};
}

void PageMetadataReader::read(const HtmlDocument& document, std::string_view page_url, PageMetadata& metadata,
                              StopCheck& stop) {
  Implementation& reader = *implementation_;
  reader.document = &document;
  reader.values = {};
  reader.described = {};
  reader.scripts = 0;
  set_base_of_page(document, page_url, reader.parser);
  const HtmlNode* const root = document.root();
  for (const HtmlNode* node = root; node != nullptr; node = next_in_document_order(node, root)) {
    if (is_element(node)) reader.visit(node);
    if (stop.after(StopCheck::kUnitsPerNode)) break;
  }
  reader.add_described();
  reader.add(Field::kDate, kAddressRank, date_in_address(page_url));
  reader.add_byline(page_url, stop);
  date_place_ = place_of(reader.values[static_cast<std::size_t>(Field::kDate)].rank);
  const auto value_of = [&](Field field) { return std::move(reader.values[static_cast<std::size_t>(field)].text); };
  metadata.title = value_of(Field::kTitle);
  metadata.author = value_of(Field::kAuthor);
  metadata.site_name = value_of(Field::kSite);
  metadata.date_published = value_of(Field::kDate);
  metadata.date_modified = value_of(Field::kModified);
  metadata.source_name = value_of(Field::kSource);
  metadata.source_url = value_of(Field::kSourceUrl);
  metadata.canonical_url = value_of(Field::kCanonical);
  metadata.licence_url = value_of(Field::kLicence);
  const std::optional<LanguageCode> declared =
      root == nullptr ? std::nullopt : LanguageCode::of_tag(trim(document.attribute(root, HtmlAttribute::kLang)));
  metadata.declared_language = declared && declared->is_known() ? declared->text() : std::string();
}

std::string stated_date(std::string_view text) {
  constexpr std::size_t kDayBytes = 10;  // "2024-05-01"
  constexpr std::size_t kDigitsOfDay = 8;
  constexpr std::string_view kEarliestDate = "1600";
  text = trim(text).substr(0, kMetadataBytesMaximum);
  std::string dashed(text);
  for (std::size_t at = 0; at < std::min(dashed.size(), kDayBytes); ++at) {
    if (dashed[at] == '/') dashed[at] = '-';
  }
  const bool has_digits_only = dashed.find_first_not_of("0123456789") == std::string::npos;
  if (dashed.size() >= (has_digits_only ? kDigitsOfDay : kDayBytes)) {
    // "0001-01-01" and the like stand for no date.
    const std::optional<std::string> date = normalise_date(dashed);
    if (date && *date >= kEarliestDate) {
      const bool has_time = dashed.size() > (has_digits_only ? kDigitsOfDay : kDayBytes);
      return has_time ? *date : date->substr(0, kDayBytes);
    }
  }
  std::vector<WrittenDate> dates;
  find_written_dates(text, dates);
  return dates.empty() ? std::string() : dates.front().iso();
}

}  // namespace paraprint::inline corpus
