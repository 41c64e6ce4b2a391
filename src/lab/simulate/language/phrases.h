// Sentences and words that reposts and sites add, in Chinese and English (other languages get the English ones). "{}"
// in a phrase is replaced by a word of the article. Written for this project; static storage.
#pragma once

#include <span>
#include <string_view>

#include "lab/simulate/language/article.h"

namespace paraprint::inline lab::inline simulate::inline language {

using Phrases = std::span<const std::string_view>;

Phrases commentary_phrases(ArticleLanguage language);  // whole sentences around an excerpt
Phrases digest_titles(ArticleLanguage language);
Phrases read_more_phrases(ArticleLanguage language);
Phrases comment_phrases(ArticleLanguage language);  // "{}" is replaced by a word
Phrases user_names(ArticleLanguage language);
Phrases person_names(ArticleLanguage language);
Phrases dateline_phrases(ArticleLanguage language);  // "{date}", "{name}", "{site}", "{number}"
Phrases navigation_words(ArticleLanguage language);
Phrases widget_titles(ArticleLanguage language);
Phrases advertisement_lines(ArticleLanguage language);
Phrases footer_lines(ArticleLanguage language);
Phrases button_words(ArticleLanguage language);

}  // namespace paraprint::inline lab::inline simulate::inline language
