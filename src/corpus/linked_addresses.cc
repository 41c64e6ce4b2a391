// Most relative references lead to the page's own site, so only those with a host are parsed. Some without one look as
// if they had one ("a//b"), and each may stand for as many bytes as the page's address has, hence the limit of links.h.
#include "corpus/linked_addresses.h"

#include <algorithm>
#include <optional>

#include "base/hash.h"
#include "html/tag_traits.h"
#include "html/walker.h"
#include "http/header_block.h"
#include "web/address_key.h"
#include "web/links.h"

namespace paraprint::inline corpus {
namespace {

bool is_alternate(const HtmlDocument& document, const HtmlNode* link) {
  constexpr std::string_view kAlternate = "alternate";
  if (document.attribute(link, HtmlAttribute::kHreflang).empty()) return false;
  return to_lower(document.attribute(link, HtmlAttribute::kRel)).find(kAlternate) != std::string::npos;
}

}  // namespace

std::uint64_t address_hash(std::string_view url) {
  return hash64(address_key(url));
}

void LinkedAddressReader::read(const HtmlDocument& document, std::string_view page_url, LinkedAddresses& linked,
                               StopCheck& stop) {
  linked.links.clear();
  linked.alternates.clear();
  if (!parser_.set_base(page_url)) parser_.clear_base();
  const std::string own_host = host_key(page_url);
  const std::string own_key = address_key(page_url);
  const std::uint64_t bytes_read_maximum = address_bytes_maximum(parser_, document.input_bytes());
  const HtmlNode* const root = document.root();
  for (const HtmlNode* node = root; node != nullptr; node = next_in_document_order(node, root)) {
    if (stop.after(StopCheck::kUnitsPerNode) || parser_.bytes_read() >= bytes_read_maximum) break;
    if (!is_element(node)) continue;
    const HtmlTag tag = tag_of(node);
    const std::string_view reference = document.attribute(node, HtmlAttribute::kHref);
    if (tag == LXB_TAG_A && linked.links.size() < kLinkedAddressesMaximum) {
      if (reference.find("//") == std::string_view::npos) continue;
      const std::optional<Url> url = parser_.parse(reference);
      if (url && host_key(url->href) != own_host) linked.links.push_back(address_hash(url->href));
    }
    if (tag == LXB_TAG_LINK && linked.alternates.size() < kAlternateAddressesMaximum && is_alternate(document, node)) {
      const std::optional<Url> url = parser_.parse(reference);
      if (url && address_key(url->href) != own_key) linked.alternates.push_back(address_hash(url->href));
    }
  }
  for (std::vector<std::uint64_t>* const hashes : {&linked.links, &linked.alternates}) {
    std::sort(hashes->begin(), hashes->end());
    hashes->erase(std::unique(hashes->begin(), hashes->end()), hashes->end());
  }
}

}  // namespace paraprint::inline corpus
