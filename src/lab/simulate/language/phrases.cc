// Selects between two sets of phrase lists, compiled in from phrases_zh.inc and phrases_en.inc. Both define the same
// names in their own namespace, so a list missing from one language is a compile error.
#include "lab/simulate/language/phrases.h"

namespace paraprint::inline lab::inline simulate::inline language {
namespace {

// The .inc files hold data only; they are included once, here.
namespace zh {
#include "lab/simulate/language/phrases_zh.inc"
}
namespace en {
#include "lab/simulate/language/phrases_en.inc"
}

// Articles in other languages get the English phrases; there are no others.
Phrases in(ArticleLanguage language, Phrases chinese, Phrases english) {
  return language == ArticleLanguage::kChinese ? chinese : english;
}

}  // namespace

Phrases commentary_phrases(ArticleLanguage language) {
  return in(language, zh::kCommentary, en::kCommentary);
}
Phrases digest_titles(ArticleLanguage language) {
  return in(language, zh::kDigestTitles, en::kDigestTitles);
}
Phrases read_more_phrases(ArticleLanguage language) {
  return in(language, zh::kReadMore, en::kReadMore);
}
Phrases comment_phrases(ArticleLanguage language) {
  return in(language, zh::kComments, en::kComments);
}
Phrases user_names(ArticleLanguage language) {
  return in(language, zh::kUsers, en::kUsers);
}
Phrases person_names(ArticleLanguage language) {
  return in(language, zh::kPersons, en::kPersons);
}
Phrases dateline_phrases(ArticleLanguage language) {
  return in(language, zh::kDatelines, en::kDatelines);
}
Phrases navigation_words(ArticleLanguage language) {
  return in(language, zh::kNavigation, en::kNavigation);
}
Phrases widget_titles(ArticleLanguage language) {
  return in(language, zh::kWidgets, en::kWidgets);
}
Phrases advertisement_lines(ArticleLanguage language) {
  return in(language, zh::kAdvertisements, en::kAdvertisements);
}
Phrases footer_lines(ArticleLanguage language) {
  return in(language, zh::kFooters, en::kFooters);
}
Phrases button_words(ArticleLanguage language) {
  return in(language, zh::kButtons, en::kButtons);
}

}  // namespace paraprint::inline lab::inline simulate::inline language
