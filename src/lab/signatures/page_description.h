// The description that a page gives of itself: <meta name="description" content="...">.
#pragma once

#include <string>

#include "html/charset.h"
#include "html/document.h"
#include "paraprint/model.h"

namespace paraprint::inline lab::inline signatures {

// Not thread-safe: use one per thread.
class PageDescriptions {
 public:
  PageDescriptions();

  // The first description of the page that is not blank, as written, without character references; empty if there is
  // none, as in plain text. Descriptions behind the first kDescriptionBytes of a page are not found. Valid until the
  // next call. Cost: parses that part of the page.
  std::string_view description_of(const Page& page);

  // Descriptions are in the head. No head of the pages that we know has more.
  static constexpr std::size_t kDescriptionBytes = std::size_t{256} << 10;

 private:
  PageDecoder decoder_;
  HtmlDocument document_;
};

}  // namespace paraprint::inline lab::inline signatures
