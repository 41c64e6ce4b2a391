// Where a page says its text comes from: "来源：新华网", "转载自 ...", "Originally published at ...".
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace paraprint::inline corpus {

struct StatedSource {
  std::string_view name;  // in the text that was searched; an address if that is how the source is named
  std::size_t begin_bytes = 0;
};

// The first statement of a source in a line of text. Statements about all pages of a site, such as "凡注明来源：...",
// and sources that name nobody ("网络", "本站") do not count. Cost: O(size).
std::optional<StatedSource> find_stated_source(std::string_view line);

}  // namespace paraprint::inline corpus
