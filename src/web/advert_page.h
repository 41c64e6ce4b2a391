// Recognises pages that consist of advertising: what expired domains and link farms show instead of a page.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/stop.h"
#include "html/document.h"
#include "web/url.h"

namespace paraprint::inline web {

// A page has at least this many advertising links, and at least this share of its links advertises.
inline constexpr std::size_t kAdvertLinksMinimum = 10;
inline constexpr double kAdvertLinkShare = 0.9;
// Letters and digits of the page outside of advertising. A page with more has something to say.
inline constexpr std::size_t kAdvertOwnCharactersMaximum = 100;

// Whether the page has advertising links and nothing else. A link counts as advertising if it leads to another site and
// says so itself: by rel=sponsored, by the name of its host or path (ads.example.net, /adclick), or by a name of an
// element around it (class="ad-list"). A list of links to other sites that nothing marks as advertising is not
// advertising, and a page that passes one limit only is not either.
//
// `page` is the page's address; `parser` has its base set. Once that has read `bytes_read_maximum` bytes, links count
// as no advertising. The answer is false if `stop` is stopped in between. Cost: O(nodes), and one parsed address per
// link that nothing else marks.
bool is_advertising_only(const HtmlDocument& document, const Url& page, UrlParser& parser,
                         std::uint64_t bytes_read_maximum, StopCheck& stop);

}  // namespace paraprint::inline web
