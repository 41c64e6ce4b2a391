// What a page says of itself: author, site, dates, addresses.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/stop.h"
#include "corpus/linked_addresses.h"
#include "html/document.h"
#include "paraprint/model.h"
#include "web/url.h"

namespace paraprint::inline corpus {

// Values longer than this are not what they should be; they are cut, at a character.
inline constexpr std::size_t kMetadataBytesMaximum = 512;

// Where a date of publication was read. Persisted: never renumber.
enum class DatePlace : std::uint8_t {
  kNone = 0,  // there is no date
  kJsonLd = 1,
  kOpenGraph = 2,  // and its relatives
  kMeta = 3,       // other <meta>
  kMarkup = 4,     // microdata
  kAddress = 5,    // the page's own
  kTime = 6,       // <time>
  kText = 7,       // byline.h
};
inline constexpr std::uint8_t kDatePlaceCount = 8;
std::string_view date_place_name(DatePlace place);  // "json-ld", "text"

// What a page says of itself, with more on its origin than PageMetadata has.
struct StatedOrigin {
  PageMetadata metadata;
  DatePlace date_place = DatePlace::kNone;  // of metadata.date_published
  LinkedAddresses linked;
};

// Keeps its memory from page to page. Not thread-safe: one instance per thread.
class PageMetadataReader {
 public:
  PageMetadataReader();
  ~PageMetadataReader();
  PageMetadataReader(const PageMetadataReader&) = delete;
  PageMetadataReader& operator=(const PageMetadataReader&) = delete;

  // The attributes it reads in addition to those of extraction.
  static HtmlAttributeSet attributes_read();

  // Replaces `metadata`. Of several sources the first that has a usable value counts: JSON-LD, then <meta> of Open
  // Graph and its relatives, then other <meta>, then microdata, <time> and rel attributes
  // (docs/extraction.md#metadata). Addresses are resolved with the page's <base> and `page_url`, which may be empty.
  // Incomplete if `stop` is stopped in between. Cost: O(nodes + bytes of JSON-LD).
  void read(const HtmlDocument& document, std::string_view page_url, PageMetadata& metadata, StopCheck& stop);

  // Of the publication date that the last read() gave.
  DatePlace date_place() const { return date_place_; }

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
  DatePlace date_place_ = DatePlace::kNone;
};

// A date as pages write it: "2024-05-01", or "2024-05-01T10:00:00Z" if it is in ISO 8601 with a time; without a zone
// that is taken for UTC. Of other forms (written_date.h), the day. Empty if it is not understood or does not exist.
std::string stated_date(std::string_view text);

}  // namespace paraprint::inline corpus
