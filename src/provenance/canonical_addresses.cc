// A page that names itself says nothing of others, so only what differs from its own address names another page.
#include "provenance/canonical_addresses.h"

#include "corpus/linked_addresses.h"

namespace paraprint::inline provenance {

Status CanonicalAddresses::add(std::string_view url, std::string_view canonical_url) {
  Hashes hashes;
  if (!url.empty()) hashes.own = address_hash(url);
  if (!canonical_url.empty()) hashes.canonical = address_hash(canonical_url);
  return pages_.push_back(hashes);
}

CanonicalRelation CanonicalAddresses::relation(std::uint32_t page_a, std::uint32_t page_b) const {
  const Hashes a = pages_[page_a];
  const Hashes b = pages_[page_b];
  const auto names = [](const Hashes& page, const Hashes& other) {
    return page.canonical != 0 && page.canonical == other.own && page.own != other.own;
  };
  const bool b_names_a = names(b, a);
  const bool a_names_b = names(a, b);
  if (b_names_a != a_names_b) return b_names_a ? CanonicalRelation::kNamesA : CanonicalRelation::kNamesB;
  const bool is_one_address = a.canonical != 0 && a.canonical == b.canonical;
  return is_one_address ? CanonicalRelation::kSameAddress : CanonicalRelation::kNone;
}

}  // namespace paraprint::inline provenance
