// The pages of other sites that a page links to, and those that it calls its versions for other languages or regions,
// as hashes: enough to see whether it names the page that it was copied from.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/stop.h"
#include "html/document.h"
#include "web/url.h"

namespace paraprint::inline corpus {

// Of pages with more links to other hosts, or more versions, or addresses beyond kAddressBytesPerByte, the first ones.
inline constexpr std::size_t kLinkedAddressesMaximum = 256;
inline constexpr std::size_t kAlternateAddressesMaximum = 64;

// Hashes of addresses, ascending and distinct.
struct LinkedAddresses {
  std::vector<std::uint64_t> links;       // of <a> elements, on other hosts than the page's own
  std::vector<std::uint64_t> alternates;  // of <link rel="alternate" hreflang>, without the page's own address
};

// The hash of an address, whatever its scheme (address_key.h).
std::uint64_t address_hash(std::string_view url);

// Keeps a parser. Not thread-safe: one instance per thread.
class LinkedAddressReader {
 public:
  // Replaces `linked`. Incomplete if `stop` is stopped in between. Cost: O(nodes).
  void read(const HtmlDocument& document, std::string_view page_url, LinkedAddresses& linked, StopCheck& stop);

 private:
  UrlParser parser_;
};

}  // namespace paraprint::inline corpus
