// Pages are found by five kinds of keys: address, hash of the address, host, name of the site, and parts of the host.
#include "provenance/stated_sources.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>

#include "corpus/linked_addresses.h"
#include "http/header_block.h"
#include "web/address_key.h"

namespace paraprint::inline provenance {
namespace {

// What a statement is worth, by how precisely it names the page (docs/provenance.md#stated-sources).
struct Worth {
  double lean;
  double parent;
};
constexpr Worth kAddressWorth = {6, 6};
constexpr Worth kHostWorth = {4, 3};
constexpr Worth kNameWorth = {4, 3};
constexpr Worth kHostPartWorth = {3, 2};
constexpr Worth kCanonicalHostWorth = {3, 2};
constexpr Worth kLinkWorth = {3, 3};
constexpr Worth kAlternateWorth = {0, 2};  // versions of one page: made of each other, in either direction
constexpr Worth kSiteNameWorth = {3, 2};   // the page has the name of the source's site as its own

constexpr std::size_t kHostPartBytesMinimum = 5;  // "news" is part of many hosts

// Without spaces, ASCII in lower case.
std::string name_key(std::string_view name) {
  std::string key = to_lower(name);
  std::erase(key, ' ');
  return key;
}

// "news.paper.example" -> "news", "paper"; parts of the length that can name a site.
template <class Visit>
void for_each_host_part(std::string_view host, const Visit& visit) {
  for (std::size_t dot = host.find('.'); dot != std::string_view::npos; dot = host.find('.')) {
    const std::string_view part = host.substr(0, dot);
    if (part.size() >= kHostPartBytesMinimum) visit(part);
    host.remove_prefix(dot + 1);
  }
}

class SourceResolver {
 public:
  SourceResolver(std::span<const TracedPage> pages, std::span<std::vector<StatementProblem>> problems)
      : pages_(pages), problems_(problems) {
    for (std::uint32_t page = 0; page < pages.size(); ++page) {
      const TracedPage& each = pages[page];
      add(by_address_, address_key(each.url), page);
      add(by_host_, host_key(each.url), page);
      add(by_name_, name_key(each.stated.metadata.site_name), page);
      for_each_host_part(host_key(each.url), [&](std::string_view part) { add(by_part_, std::string(part), page); });
      if (!each.url.empty()) add(by_hash_, address_hash(each.url), page);
    }
  }

  StatedSources resolve() {
    found_.names_source.resize(pages_.size());
    for (std::uint32_t page = 0; page < pages_.size(); ++page) resolve_page(page);
    std::vector<SourceStatement>& all = found_.statements;
    const auto key = [](const SourceStatement& each) { return std::tuple(each.page, each.source, each.reason); };
    // Of several statements of one kind, the most precise one.
    std::sort(all.begin(), all.end(), [&](const SourceStatement& a, const SourceStatement& b) {
      return key(a) != key(b) ? key(a) < key(b) : a.parent > b.parent;
    });
    all.erase(std::unique(all.begin(), all.end(),
                          [&](const SourceStatement& a, const SourceStatement& b) { return key(a) == key(b); }),
              all.end());
    return std::move(found_);
  }

 private:
  template <class Key>
  using Index = std::map<Key, std::vector<std::uint32_t>>;

  template <class Key>
  static void add(Index<Key>& index, const Key& key, std::uint32_t page) {
    if constexpr (std::is_same_v<Key, std::string>) {
      if (key.empty()) return;
    }
    std::vector<std::uint32_t>& pages = index[key];
    if (pages.size() < kNamesakesMaximum) pages.push_back(page);
  }

  // Returns whether there is a page with this key, `page` itself included.
  template <class Key>
  bool state(std::uint32_t page, const Index<Key>& index, const Key& key, Reason reason, Worth worth) {
    const auto found = index.find(key);
    if (found == index.end()) return false;
    for (const std::uint32_t source : found->second) {
      // Pages of one host copy from each other without saying so.
      const bool is_of_one_site = reason == Reason::kCanonical || reason == Reason::kAlternate;
      if (source == page || (!is_of_one_site && is_same_host(source, page))) continue;
      found_.statements.push_back({page, source, reason, worth.lean, worth.parent});
    }
    return true;
  }

  bool is_same_host(std::uint32_t a, std::uint32_t b) const {
    const std::string host = host_key(pages_[a].url);
    return !host.empty() && host == host_key(pages_[b].url);
  }

  void resolve_page(std::uint32_t page) {
    const TracedPage& each = pages_[page];
    const PageMetadata& stated = each.stated.metadata;
    resolve_source(page, stated, host_key(each.url));
    resolve_site_name(page, name_key(stated.site_name), host_key(each.url));
    const std::string canonical = address_key(stated.canonical_url);
    if (!canonical.empty() && canonical != address_key(each.url)) {
      const bool is_elsewhere = host_key(stated.canonical_url) != host_key(each.url);
      const bool is_page = state(page, by_address_, canonical, Reason::kCanonical, kAddressWorth);
      if (!is_page && is_elsewhere) {
        state(page, by_host_, host_key(stated.canonical_url), Reason::kCanonical, kCanonicalHostWorth);
      }
      found_.names_source[page] = found_.names_source[page] || is_elsewhere;
    }
    for (const std::uint64_t link : each.stated.linked.links) state(page, by_hash_, link, Reason::kLink, kLinkWorth);
    for (const std::uint64_t alternate : each.stated.linked.alternates) {
      state(page, by_hash_, alternate, Reason::kAlternate, kAlternateWorth);
    }
  }

  void resolve_source(std::uint32_t page, const PageMetadata& stated, const std::string& own_host) {
    if (stated.source_name.empty() && stated.source_url.empty()) return;
    const std::string name = name_key(stated.source_name);
    const std::string source_host = host_key(stated.source_url);
    const bool is_itself = (!name.empty() && (name == name_key(stated.site_name) || name == own_host)) ||
                           (!source_host.empty() && source_host == own_host);
    if (is_itself) {
      problems_[page].push_back(StatementProblem::kNamesItself);
      return;
    }
    found_.names_source[page] = true;
    const bool is_resolved =
        (!source_host.empty() &&
         (state(page, by_address_, address_key(stated.source_url), Reason::kStatedSource, kAddressWorth) ||
          state(page, by_host_, source_host, Reason::kStatedSource, kHostWorth))) ||
        (!name.empty() && (state(page, by_host_, host_of_name(stated.source_name), Reason::kStatedSource, kHostWorth) ||
                           state(page, by_part_, name, Reason::kStatedSource, kHostPartWorth) ||
                           state(page, by_name_, name, Reason::kStatedSource, kNameWorth)));
    if (!is_resolved) problems_[page].push_back(StatementProblem::kSourceElsewhere);
  }

  // Pages that are copied with their template keep the name of the site that they are from.
  void resolve_site_name(std::uint32_t page, const std::string& name, const std::string& own_host) {
    bool is_own = name.empty();
    for_each_host_part(own_host, [&](std::string_view part) { is_own = is_own || part == name; });
    if (is_own || !state(page, by_part_, name, Reason::kStatedSource, kSiteNameWorth)) return;
    found_.names_source[page] = true;
  }

  // A source may be named by its host or address.
  static std::string host_of_name(std::string_view name) {
    return name.find("//") != std::string_view::npos ? host_key(name) : host_key("http://" + std::string(name));
  }

  std::span<const TracedPage> pages_;
  std::span<std::vector<StatementProblem>> problems_;
  Index<std::string> by_address_;
  Index<std::string> by_host_;
  Index<std::string> by_name_;
  Index<std::string> by_part_;
  Index<std::uint64_t> by_hash_;
  StatedSources found_;
};

}  // namespace

StatedSources resolve_sources(std::span<const TracedPage> pages, std::span<std::vector<StatementProblem>> problems) {
  return SourceResolver(pages, problems).resolve();
}

}  // namespace paraprint::inline provenance
