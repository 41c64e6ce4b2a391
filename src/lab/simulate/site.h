// A fictitious web site: its host, and the template shared by all of its pages.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lab/simulate/language/article.h"
#include "lab/simulate/language/random.h"

namespace paraprint::inline lab::inline simulate {

enum class SiteLayout : std::uint8_t { kBlog, kPortal, kTable, kForum, kDocumentation, kMobile, kBare };
inline constexpr std::size_t kSiteLayoutCount = 7;

struct Site {
  std::string host;  // a subdomain of .example
  std::string name;
  SiteLayout layout = SiteLayout::kBlog;
  ParagraphMarkup markup = ParagraphMarkup::kParagraphs;
  std::string content_class;  // class of the element around the text
  std::string prefix;         // prefix of other class names
  std::string font;
  std::string colour;
  bool has_html5_elements = true;
  bool has_scripts = true;
  std::vector<std::string> navigation;
  std::vector<std::string> widgets;
  std::vector<std::string> advertisements;
  std::vector<std::string> footers;
};

// Site number `index` of a corpus; even numbers are Chinese, odd ones English. A pure function.
Site make_site(std::uint64_t seed, std::uint32_t index);

// A random site in the language, other than `other_than` (-1: any). Requires site_count >= 4.
std::uint32_t choose_site(Random& random, std::uint32_t site_count, ArticleLanguage language, std::int64_t other_than);

// The URL of a page. `mirror` is the number of another host with the site's template; 0 is the site's own host.
std::string page_url(const Site& site, std::uint32_t mirror, std::uint64_t page_number);

}  // namespace paraprint::inline lab::inline simulate
