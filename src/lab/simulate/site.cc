// Makes sites from a seed. Host names are below .example, which is reserved (RFC 2606), so no simulated URL
// can reach a real server. Class names and fonts are those of real publishing systems, so that the main
// content is not found by an artificial name.
#include "lab/simulate/site.h"

#include <fmt/format.h>

#include "base/assert.h"
#include "lab/simulate/language/phrases.h"

namespace paraprint::inline lab::inline simulate {
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

// `least` to `most` random phrases, or all if there are fewer.
std::vector<std::string> some(Random& random, Phrases phrases, std::size_t least, std::size_t most) {
  std::vector<std::string> all(phrases.begin(), phrases.end());
  random.shuffle(all);
  all.resize(std::min(all.size(), random.between(least, most)));
  return all;
}

}  // namespace

Site make_site(std::uint64_t seed, std::uint32_t index) {
  // Keeps site seeds apart from group seeds, which are derived from the same corpus seed.
  constexpr std::uint64_t kPurpose = 0x51;
  Random random(derive_seed(seed, {kPurpose, index}));
  const ArticleLanguage language = index % 2 == 0 ? ArticleLanguage::kChinese : ArticleLanguage::kEnglish;
  Site site;
  for (std::size_t i = random.between(2, 3); i > 0; --i) site.name += random.pick(kSyllables);
  // The number distinguishes hosts with the same syllables.
  site.host = fmt::format("{}.{}{}.example", random.pick(kHostWords), site.name, index);
  site.layout = static_cast<SiteLayout>(random.below(kSiteLayoutCount));
  // More than half of the sites use <p>; the rest is spread over the other kinds of markup.
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
  // Ends, because four sites include two of each language.
  for (;;) {
    const auto site = static_cast<std::uint32_t>(2 * random.below(site_count / 2)) + parity;
    if (std::int64_t{site} != other_than) return site;
  }
}

std::string page_url(const Site& site, std::uint32_t mirror, std::uint64_t page_number) {
  // A separate host name rather than a subdomain of the site's, so that code which groups pages
  // by site treats mirrors as different sites.
  const std::string host = mirror == 0 ? site.host : fmt::format("www.{}{}.example", site.name, mirror);
  return fmt::format("http{}://{}/{}/{}.html", page_number % 3 == 0 ? "" : "s", host, page_number % 97, page_number);
}

}  // namespace paraprint::inline lab::inline simulate
