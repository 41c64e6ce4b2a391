// Renders a page draft as HTML within its site's template.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lab/simulate/language/article.h"
#include "lab/simulate/language/random.h"
#include "lab/simulate/site.h"

namespace paraprint::inline lab::inline simulate {

struct RenderedPage {
  std::string http_content_type;  // "text/html; charset=gbk"
  std::string body;               // in the draft's charset
};

// `titles` are titles of other pages, for lists of links. `random` decides what differs between pages of one site.
RenderedPage render_page(const PageDraft& draft, const Site& site, const std::vector<std::string>& titles,
                         Random random);

}  // namespace paraprint::inline lab::inline simulate
