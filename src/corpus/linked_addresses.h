// The pages of other sites that a page links to, as hashes: enough to see whether it links to the page that it was
// copied from.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/stop.h"
#include "html/document.h"
#include "web/url.h"

namespace paraprint::inline corpus {

// Of pages with more links to other hosts, the first ones.
inline constexpr std::size_t kLinkedAddressesMaximum = 256;

// The hash of an address, whatever its scheme (address_key.h).
std::uint64_t address_hash(std::string_view url);

// Keeps a parser. Not thread-safe: one instance per thread.
class LinkedAddressReader {
 public:
  // Replaces `hashes` by those of the addresses that <a> elements of the page link to on other hosts than its own,
  // ascending and distinct. Incomplete if `stop` is stopped in between. Cost: O(nodes).
  void read(const HtmlDocument& document, std::string_view page_url, std::vector<std::uint64_t>& hashes,
            StopCheck& stop);

 private:
  UrlParser parser_;
};

}  // namespace paraprint::inline corpus
