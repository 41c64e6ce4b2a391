// Most relative references lead to the page's own site, so only those with a host are parsed.
#include "corpus/linked_addresses.h"

#include <algorithm>
#include <optional>

#include "base/hash.h"
#include "html/tag_traits.h"
#include "html/walker.h"
#include "web/address_key.h"

namespace paraprint::inline corpus {

std::uint64_t address_hash(std::string_view url) {
  return hash64(address_key(url));
}

void LinkedAddressReader::read(const HtmlDocument& document, std::string_view page_url,
                               std::vector<std::uint64_t>& hashes, StopCheck& stop) {
  hashes.clear();
  if (!parser_.set_base(page_url)) parser_.clear_base();
  const std::string own_host = host_key(page_url);
  const HtmlNode* const root = document.root();
  for (const HtmlNode* node = root; node != nullptr; node = next_in_document_order(node, root)) {
    if (stop.after(StopCheck::kUnitsPerNode) || hashes.size() >= kLinkedAddressesMaximum) break;
    if (!is_element(node) || tag_of(node) != LXB_TAG_A) continue;
    const std::string_view reference = document.attribute(node, HtmlAttribute::kHref);
    if (reference.find("//") == std::string_view::npos) continue;
    const std::optional<Url> url = parser_.parse(reference);
    if (!url || host_key(url->href) == own_host) continue;
    hashes.push_back(address_hash(url->href));
  }
  std::sort(hashes.begin(), hashes.end());
  hashes.erase(std::unique(hashes.begin(), hashes.end()), hashes.end());
}

}  // namespace paraprint::inline corpus
