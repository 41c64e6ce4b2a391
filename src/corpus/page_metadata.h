// What a page says of itself: author, site, dates, addresses.
#pragma once

#include <string>
#include <string_view>

#include "base/stop.h"
#include "html/document.h"
#include "paraprint/model.h"
#include "web/url.h"

namespace paraprint::inline corpus {

// Values longer than this are not what they should be; they are cut, at a character.
inline constexpr std::size_t kMetadataBytesMaximum = 512;

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

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

// A date as pages write it: "2024-05-01", or "2024-05-01T10:00:00Z" if it is in ISO 8601 with a time; without a zone
// that is taken for UTC. Of other forms (written_date.h), the day. Empty if it is not understood or does not exist.
std::string stated_date(std::string_view text);

}  // namespace paraprint::inline corpus
