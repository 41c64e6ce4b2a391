// A made-up web site: its host, and the template that all of its pages share.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lab/simulate/language/article.h"
#include "lab/simulate/language/random.h"

namespace paraprint {

enum class SiteLayout : std::uint8_t { kBlog, kPortal, kTable, kForum, kDocumentation, kMobile, kBare };
inline constexpr std::size_t kSiteLayoutCount = 7;

struct Site {
  std::string host;  // below .example
  std::string name;
  SiteLayout layout = SiteLayout::kBlog;
  ParagraphMarkup markup = ParagraphMarkup::kParagraphs;
  std::string content_class;  // of the element around the text
  std::string prefix;         // of other class names
  std::string font;
  std::string colour;
  bool has_html5_elements = true;
  bool has_scripts = true;
  std::vector<std::string> navigation;
  std::vector<std::string> widgets;
  std::vector<std::string> advertisements;
  std::vector<std::string> footers;
};

// The site number `index` of a corpus. Even numbers are Chinese, odd ones English. Pure.
Site make_site(std::uint64_t seed, std::uint32_t index);

// A site of the language, any but `other_than`. Requires site_count >= 4.
std::uint32_t choose_site(Random& random, std::uint32_t site_count, ArticleLanguage language, std::int64_t other_than);

// `mirror` numbers other hosts that use the site's template; 0 is its own.
std::string page_url(const Site& site, std::uint32_t mirror, std::uint64_t page_number);

}  // namespace paraprint
