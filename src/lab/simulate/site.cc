#include "lab/simulate/site.h"

#include <fmt/format.h>

#include "base/assert.h"
#include "lab/simulate/language/phrases.h"

namespace paraprint {
namespace {

constexpr std::string_view kSyllables[] = {"ba",  "chen", "da", "feng", "gu",   "hai", "jin", "ka",  "lin", "mo",
                                           "nor", "pel",  "qi", "ris",  "shan", "ton", "ver", "wei", "xin", "yo"};
constexpr std::string_view kHostWords[] = {"news", "blog", "daily", "net",   "times", "bbs",
                                           "wiki", "home", "info",  "press", "read",  "club"};
constexpr std::string_view kContentClasses[] = {
    "post-content", "entry-content", "article-body",  "content",       "article",    "main-text", "text",
    "c12",          "detail",        "pages_content", "markdown-body", "TRS_Editor", "newsbody",  "article_txt"};
constexpr std::string_view kPrefixes[] = {"site-", "", "g-", "ui_", "x-", "w3-", "m-", "blk-"};
constexpr std::string_view kFonts[] = {"Georgia, serif", "Arial, sans-serif", "SimSun",         "Microsoft YaHei",
                                       "Verdana",        "Times New Roman",   "Helvetica Neue", "PingFang SC"};

std::vector<std::string> some(Random& random, Phrases phrases, std::size_t least, std::size_t most) {
  std::vector<std::string> all(phrases.begin(), phrases.end());
  random.shuffle(all);
  all.resize(std::min(all.size(), random.between(least, most)));
  return all;
}

}  // namespace

Site make_site(std::uint64_t seed, std::uint32_t index) {
  constexpr std::uint64_t kPurpose = 0x51;
  Random random(derive_seed(seed, {kPurpose, index}));
  const ArticleLanguage language = index % 2 == 0 ? ArticleLanguage::kChinese : ArticleLanguage::kEnglish;
  Site site;
  for (std::size_t i = random.between(2, 3); i > 0; --i) site.name += random.pick(kSyllables);
  // The number keeps hosts apart whose syllables are the same.
  site.host = fmt::format("{}.{}{}.example", random.pick(kHostWords), site.name, index);
  site.layout = static_cast<SiteLayout>(random.below(kSiteLayoutCount));
  site.markup = random.chance(0.5) ? ParagraphMarkup::kParagraphs
                                   : static_cast<ParagraphMarkup>(random.below(kParagraphMarkupCount));
  site.content_class = random.pick(kContentClasses);
  site.prefix = random.pick(kPrefixes);
  site.font = random.pick(kFonts);
  site.colour = fmt::format("#{:06x}", random.below(1U << 24));
  site.has_html5_elements = random.chance(0.6);
  site.has_scripts = random.chance(0.8);
  site.navigation = some(random, navigation_words(language), 5, 14);
  site.widgets = some(random, widget_titles(language), 2, 6);
  site.advertisements = some(random, advertisement_lines(language), 1, 5);
  site.footers = some(random, footer_lines(language), 1, 4);
  return site;
}

std::uint32_t choose_site(Random& random, std::uint32_t site_count, ArticleLanguage language, std::int64_t other_than) {
  PARAPRINT_ASSERT(site_count >= 4);
  const std::uint32_t parity = language == ArticleLanguage::kChinese ? 0 : 1;
  for (;;) {
    const auto site = static_cast<std::uint32_t>(2 * random.below(site_count / 2)) + parity;
    if (std::int64_t{site} != other_than) return site;
  }
}

std::string page_url(const Site& site, std::uint32_t mirror, std::uint64_t page_number) {
  // A host name of its own, not one below the site's: whoever counts pages by site counts them apart.
  const std::string host = mirror == 0 ? site.host : fmt::format("www.{}{}.example", site.name, mirror);
  return fmt::format("http{}://{}/{}/{}.html", page_number % 3 == 0 ? "" : "s", host, page_number % 97, page_number);
}

}  // namespace paraprint
