// A page's statements are followed from address to address; whatever they lead to is compared with the clusters. Each
// check looks at one statement of one page, but for those of duplicates, which look at a whole cluster.
#include "audit/site_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "http/header_block.h"

namespace paraprint::inline audit {
namespace {

// Longer chains are taken for endless.
constexpr std::size_t kChainMaximum = 20;

std::string_view without_parameters(std::string_view url) {
  return url.substr(0, url.find('?'));
}

// What spellings of one address have in common: "http://www.Example.org/A/index.html" -> "example.org/a". The query
// stays as it is.
std::string common_spelling(std::string_view url) {
  const std::string_view query = url.substr(std::min(url.find('?'), url.size()));
  std::string address = to_lower(without_parameters(url));
  address.erase(0, address.find("//") + 2);
  if (address.starts_with("www.")) address.erase(0, 4);
  const std::size_t name = address.rfind('/') + 1;
  const std::string_view file = std::string_view(address).substr(name);
  if (file.starts_with("index.") || file.starts_with("default.")) address.erase(name);
  while (address.ends_with('/')) address.pop_back();
  return address.append(query);
}

// "zh-hant-tw" -> "zh"
std::string_view primary_language(std::string_view language) {
  return language.substr(0, language.find('-'));
}

std::string copy_text(const SitePage& page) {
  if (page.copy->verdict == Verdict::kSame) return "same text";
  return fmt::format("near copy, {} %", static_cast<int>(100 * page.copy->resemblance));  // rounded down: not 100
}

class SiteChecks {
 public:
  SiteChecks(std::span<const SitePage> pages, std::uint64_t near_empty_characters)
      : pages_(pages), near_empty_characters_(near_empty_characters) {
    for (std::uint32_t p = 0; p < pages_.size(); ++p) {
      if (pages_[p].copy) clusters_[pages_[p].copy->cluster].push_back(p);
      sort_alternates(p);
    }
  }

  std::vector<AuditRow> run() {
    find_error_texts();
    for (const auto& [cluster, members] : clusters_) check_cluster(members);
    for (std::uint32_t p = 0; p < pages_.size(); ++p) {
      check_redirect(p);
      check_canonical(p);
      check_alternates(p);
      check_links_to(p);
      check_sitemap(p);
      check_length(p);
    }
    std::sort(rows_.begin(), rows_.end(), [](const AuditRow& a, const AuditRow& b) {
      return std::tie(a.issue, a.group, a.url, a.related_url, a.detail) <
             std::tie(b.issue, b.group, b.url, b.related_url, b.detail);
    });
    return std::move(rows_);
  }

 private:
  std::uint32_t find(std::string_view url) const {
    const auto at = std::lower_bound(pages_.begin(), pages_.end(), url,
                                     [](const SitePage& page, std::string_view wanted) { return page.url < wanted; });
    return at != pages_.end() && at->url == url ? static_cast<std::uint32_t>(at - pages_.begin()) : kNoPage;
  }

  bool have_one_text(std::uint32_t a, std::uint32_t b) const {
    const SitePage& x = pages_[a];
    const SitePage& y = pages_[b];
    if (a == b) return true;
    if (!x.copy || !y.copy || x.copy->cluster != y.copy->cluster) return false;
    // Of three pages in a row, each may be a copy of the next.
    return is_copy_of_kept(x) && is_copy_of_kept(y);
  }

  bool is_indexable(std::uint32_t p) const { return pages_[p].is_page() && !pages_[p].is_noindex && !is_soft_404_[p]; }

  // The page that this one names as the canonical one, if the crawl has it and it is another.
  std::uint32_t other_canonical(std::uint32_t p) const {
    const std::string& canonical = pages_[p].canonical;
    return canonical.empty() || canonical == pages_[p].url ? kNoPage : find(canonical);
  }

  std::uint32_t new_group(AuditIssue issue) { return ++groups_[static_cast<std::size_t>(issue)]; }

  void add(AuditIssue issue, std::uint32_t group, std::uint32_t p, std::string_view related, std::string detail) {
    rows_.push_back({issue, group, pages_[p].url, std::string(related), std::move(detail)});
  }
  void add(AuditIssue issue, std::uint32_t p, std::string_view related, std::string detail) {
    add(issue, new_group(issue), p, related, std::move(detail));
  }

  static std::string state_of(const SitePage& page) {
    if (page.is_redirect()) return "redirects to " + page.location;
    if (page.is_error()) return fmt::format("status {}", page.status);
    return "not a page of text";
  }

  // A page with the text of an error page is one, whatever its status says.
  void find_error_texts() {
    is_soft_404_.assign(pages_.size(), false);
    for (const auto& [cluster, members] : clusters_) {
      const auto error = std::find_if(members.begin(), members.end(), [this](std::uint32_t p) {
        return pages_[p].is_error() && is_copy_of_kept(pages_[p]);
      });
      if (error == members.end()) continue;
      std::uint32_t group = 0;
      for (const std::uint32_t p : members) {
        if (!pages_[p].is_page() || !is_copy_of_kept(pages_[p])) continue;
        is_soft_404_[p] = true;
        if (group == 0) group = new_group(AuditIssue::kSoft404);
        add(AuditIssue::kSoft404, group, p, pages_[*error].url,
            fmt::format("the text of a page with status {}", pages_[*error].status));
      }
    }
  }

  void check_cluster(const std::vector<std::uint32_t>& members) {
    // Those that claim to be the original: they name no other page of the cluster as canonical.
    std::vector<std::uint32_t> claiming;
    for (const std::uint32_t p : members) {
      if (!is_indexable(p) || !is_copy_of_kept(pages_[p])) continue;
      const std::uint32_t canonical = other_canonical(p);
      const bool is_settled = canonical != kNoPage && is_indexable(canonical) && have_one_text(p, canonical);
      if (!is_settled && !is_elsewhere(p)) claiming.push_back(p);
    }
    if (claiming.size() < 2) return;
    if (check_languages(claiming)) return;
    const std::uint32_t best = original_of(claiming, members);
    const AuditIssue issue = kind_of(claiming);
    const std::uint32_t group = new_group(issue);
    for (const std::uint32_t p : claiming) {
      add(issue, group, p, pages_[best].url, p == best ? "suggested as canonical" : copy_text(pages_[p]));
    }
  }

  // The canonical page is at another site or not in the crawl: nobody can say here whether that is right.
  bool is_elsewhere(std::uint32_t p) const {
    return !pages_[p].canonical.empty() && pages_[p].canonical != pages_[p].url && find(pages_[p].canonical) == kNoPage;
  }

  // Those with one address stay in the order of the page.
  void sort_alternates(std::uint32_t p) {
    std::vector<const LanguageAlternate*>& sorted = alternates_.emplace_back();
    for (const LanguageAlternate& alternate : pages_[p].alternates) sorted.push_back(&alternate);
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const LanguageAlternate* a, const LanguageAlternate* b) { return a->url < b->url; });
  }

  // The first one with this address, and all that follow it.
  std::span<const LanguageAlternate* const> alternates_from(std::uint32_t p, std::string_view url) const {
    const std::vector<const LanguageAlternate*>& sorted = alternates_[p];
    const auto first = std::lower_bound(
        sorted.begin(), sorted.end(), url,
        [](const LanguageAlternate* alternate, std::string_view wanted) { return alternate->url < wanted; });
    return {first, sorted.end()};
  }

  bool names_as_alternate(std::uint32_t p, std::uint32_t other) const {
    const auto named = alternates_from(p, pages_[other].url);
    return !named.empty() && named.front()->url == pages_[other].url;
  }

  std::string_view own_language(std::uint32_t p, std::uint32_t by) const {
    for (const LanguageAlternate* const alternate : alternates_from(by, pages_[p].url)) {
      if (alternate->url != pages_[p].url) break;
      if (alternate->language != "x-default") return alternate->language;
    }
    return {};
  }

  // Alternates of each other are no duplicates: for countries of one language they may have one text. Those for
  // different languages should not.
  bool check_languages(const std::vector<std::uint32_t>& claiming) {
    const std::uint32_t first = claiming.front();
    for (const std::uint32_t p : claiming) {
      if (p != first && !names_as_alternate(first, p) && !names_as_alternate(p, first)) return false;
    }
    std::map<std::string_view, std::uint32_t> of_language;
    for (const std::uint32_t p : claiming) {
      const std::string_view language = primary_language(own_language(p, names_as_alternate(first, p) ? first : p));
      if (!language.empty()) of_language.emplace(language, p);
    }
    if (of_language.size() < 2) return true;
    const std::uint32_t group = new_group(AuditIssue::kAlternateSameText);
    for (const auto& [language, p] : of_language) {
      add(AuditIssue::kAlternateSameText, group, p, pages_[of_language.begin()->second].url,
          fmt::format("for language {}", language));
    }
    return true;
  }

  // Which page to keep: the one that most pages of the cluster name as canonical, then one of a sitemap, then the one
  // with most links to it, then the shortest address.
  std::uint32_t original_of(const std::vector<std::uint32_t>& claiming,
                            const std::vector<std::uint32_t>& members) const {
    std::map<std::uint32_t, std::uint32_t> named;
    for (const std::uint32_t p : members) {
      if (const std::uint32_t canonical = other_canonical(p); canonical != kNoPage) ++named[canonical];
    }
    const auto rank = [&](std::uint32_t p) {
      const auto found = named.find(p);
      const SitePage& page = pages_[p];
      return std::tuple(found == named.end() ? 0 : -static_cast<std::int64_t>(found->second), !page.is_in_sitemap,
                        -static_cast<std::int64_t>(page.linking_pages), page.url.size(), std::string_view(page.url));
    };
    return *std::min_element(claiming.begin(), claiming.end(),
                             [&](std::uint32_t a, std::uint32_t b) { return rank(a) < rank(b); });
  }

  AuditIssue kind_of(const std::vector<std::uint32_t>& claiming) const {
    const auto all_equal = [&](const auto& key) {
      return std::all_of(claiming.begin(), claiming.end(),
                         [&](std::uint32_t p) { return key(pages_[p].url) == key(pages_[claiming.front()].url); });
    };
    if (all_equal(without_parameters)) return AuditIssue::kParameterDuplicates;
    if (all_equal(common_spelling)) return AuditIssue::kAddressDuplicates;
    const bool is_series =
        std::all_of(claiming.begin(), claiming.end(), [&](std::uint32_t p) { return pages_[p].is_paginated; });
    return is_series ? AuditIssue::kPaginationDuplicates : AuditIssue::kDuplicates;
  }

  void check_redirect(std::uint32_t p) {
    const SitePage& page = pages_[p];
    if (!page.is_redirect()) return;
    const std::uint32_t target = find(page.location);
    if (target == kNoPage) return;
    if (pages_[target].is_error()) {
      return add(AuditIssue::kRedirectToError, p, page.location, state_of(pages_[target]));
    }
    if (!pages_[target].is_redirect()) return;
    const Chain chain = follow(p, [](const SitePage& at) { return std::string_view(at.location); });
    if (chain.is_loop) return add(AuditIssue::kRedirectLoop, p, page.location, chain_text(chain));
    add(AuditIssue::kRedirectChain, p,
        pages_[chain.last].is_redirect() ? pages_[chain.last].location : pages_[chain.last].url, chain_text(chain));
  }

  struct Chain {
    std::uint32_t last = 0;  // the last address that the crawl has
    std::size_t steps = 0;
    bool is_loop = false;
  };

  static std::string chain_text(const Chain& chain) {
    return chain.is_loop ? fmt::format("comes back after {} steps", chain.steps) : fmt::format("{} steps", chain.steps);
  }

  template <class Next>
  Chain follow(std::uint32_t p, Next next) const {
    Chain chain{p, 0, false};
    std::vector<std::uint32_t> seen = {p};
    while (chain.steps < kChainMaximum) {
      const std::string_view url = next(pages_[chain.last]);
      if (url.empty() || url == pages_[chain.last].url) break;
      ++chain.steps;
      const std::uint32_t target = find(url);
      if (target == kNoPage) break;
      if (std::find(seen.begin(), seen.end(), target) != seen.end()) {
        chain.is_loop = true;
        break;
      }
      seen.push_back(target);
      chain.last = target;
    }
    return chain;
  }

  void check_canonical(std::uint32_t p) {
    const SitePage& page = pages_[p];
    if (!page.is_page() || page.canonical.empty() || page.canonical == page.url) return;
    if (page.is_noindex) add(AuditIssue::kNoindexWithCanonical, p, page.canonical, "");
    const std::uint32_t target = find(page.canonical);
    if (target == kNoPage) {
      if (is_of_host(page.canonical, page.url)) add(AuditIssue::kCanonicalNotCrawled, p, page.canonical, "");
      return;
    }
    const SitePage& canonical = pages_[target];
    if (!canonical.is_page()) return add(AuditIssue::kCanonicalToError, p, page.canonical, state_of(canonical));
    if (canonical.is_noindex && !page.is_noindex) add(AuditIssue::kCanonicalToNoindex, p, page.canonical, "");
    if (!canonical.canonical.empty() && canonical.canonical != canonical.url) {
      const Chain chain = follow(p, [](const SitePage& at) { return std::string_view(at.canonical); });
      return add(chain.is_loop ? AuditIssue::kCanonicalLoop : AuditIssue::kCanonicalChain, p,
                 chain.is_loop ? std::string_view(page.canonical) : std::string_view(pages_[chain.last].url),
                 chain_text(chain));
    }
    const bool is_part = page.copy && canonical.copy && page.copy->cluster == canonical.copy->cluster;
    if (page.copy && canonical.copy && !is_part) {
      add(AuditIssue::kCanonicalToOtherText, p, page.canonical,
          page.is_paginated ? "a page of a series names another one" : "no common text of importance");
    }
  }

  // Hosts of one site differ in subdomains; those of other sites are not in the crawl by intention.
  static bool is_of_host(std::string_view url, std::string_view page_url) {
    const auto host = [](std::string_view address) {
      const std::size_t begin = address.find("//") + 2;
      return address.substr(begin, address.find('/', begin) - begin);
    };
    return host(url) == host(page_url);
  }

  void check_alternates(std::uint32_t p) {
    const SitePage& page = pages_[p];
    if (!page.is_page()) return;
    for (const LanguageAlternate& alternate : page.alternates) {
      const std::uint32_t target = find(alternate.url);
      if (target == kNoPage || target == p) continue;
      const SitePage& other = pages_[target];
      const std::string language = fmt::format("for {}", alternate.language);
      if (!other.is_page()) {
        add(AuditIssue::kAlternateToError, p, alternate.url, fmt::format("{}: {}", language, state_of(other)));
      } else if (!other.canonical.empty() && other.canonical != other.url) {
        add(AuditIssue::kAlternateNotCanonical, p, alternate.url,
            fmt::format("{}: names {} as canonical", language, other.canonical));
      } else if (!names_as_alternate(target, p)) {
        add(AuditIssue::kAlternateWithoutReturn, p, alternate.url, language);
      }
    }
  }

  void check_links_to(std::uint32_t p) {
    const SitePage& page = pages_[p];
    if (page.linking_pages == 0) return;
    const std::string pages = page.linking_pages == 1 ? fmt::format("linked by {}", page.linking_example)
                                                      : fmt::format("linked by {} pages, such as {}",
                                                                    page.linking_pages, page.linking_example);
    if (page.is_redirect()) {
      add(AuditIssue::kLinkToRedirect, p, page.location, pages);
    } else if (page.is_error()) {
      add(AuditIssue::kLinkToError, p, "", fmt::format("status {}, {}", page.status, pages));
    } else if (page.is_page() && !page.canonical.empty() && page.canonical != page.url) {
      add(AuditIssue::kLinkToDuplicate, p, page.canonical, pages);
    }
  }

  void check_sitemap(std::uint32_t p) {
    const SitePage& page = pages_[p];
    if (!page.is_in_sitemap) return;
    if (page.is_redirect() || page.is_error()) {
      add(AuditIssue::kSitemapNotIndexable, p, page.location, state_of(page));
    } else if (page.is_noindex) {
      add(AuditIssue::kSitemapNotIndexable, p, "", "noindex");
    } else if (page.is_page() && !page.canonical.empty() && page.canonical != page.url) {
      add(AuditIssue::kSitemapNotCanonical, p, page.canonical, "");
    }
  }

  void check_length(std::uint32_t p) {
    const SitePage& page = pages_[p];
    if (!is_indexable(p) || page.content_characters >= near_empty_characters_) return;
    if (!page.canonical.empty() && page.canonical != page.url) return;
    add(AuditIssue::kNearEmpty, p, "",
        fmt::format("{} letters and digits of main content, {} on the whole page", page.content_characters,
                    page.text_characters));
  }

  std::span<const SitePage> pages_;
  std::uint64_t near_empty_characters_;
  std::map<std::uint32_t, std::vector<std::uint32_t>> clusters_;
  std::vector<std::vector<const LanguageAlternate*>> alternates_;  // by page, sorted by their addresses
  std::vector<bool> is_soft_404_;
  std::array<std::uint32_t, kAuditIssueCount> groups_{};
  std::vector<AuditRow> rows_;
};

}  // namespace

bool is_copy_of_kept(const SitePage& page) {
  return page.copy && (page.copy->verdict == Verdict::kSame || page.copy->verdict == Verdict::kNear);
}

std::vector<AuditRow> check_site(std::span<const SitePage> pages, std::uint64_t near_empty_characters) {
  return SiteChecks(pages, near_empty_characters).run();
}

std::vector<AuditPageType> page_types_of(std::span<const SitePage> pages) {
  std::map<std::string_view, AuditPageType> types;
  for (std::size_t p = 0; p < pages.size(); ++p) {
    const SitePage& page = pages[p];
    if (!page.is_page()) continue;
    AuditPageType& type = types[page.shape];
    if (type.pages++ == 0) type.example_url = page.url;
    if (is_copy_of_kept(page) && page.copy->kept_page != p) ++type.copies;
    type.content_characters += page.content_characters;
    const std::uint32_t whole = std::max(page.text_characters, page.content_characters);
    if (whole > 0) type.template_share += 1 - static_cast<double>(page.content_characters) / whole;
  }
  std::vector<AuditPageType> sorted;
  for (auto& [shape, type] : types) {
    type.shape = shape;
    type.content_characters /= static_cast<double>(type.pages);
    type.template_share /= static_cast<double>(type.pages);
    sorted.push_back(std::move(type));
  }
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const AuditPageType& a, const AuditPageType& b) { return a.pages > b.pages; });
  return sorted;
}

}  // namespace paraprint::inline audit
