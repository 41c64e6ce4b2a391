// Cuts texts into pieces for the edits. The concatenated pieces are the text, byte for byte.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lab/simulate/edit.h"
#include "lab/simulate/language/article.h"
#include "text/utf8.h"
#include "text/word_segmenter.h"

namespace paraprint::inline lab::inline simulate {

// Sentences with their trailing white space; anything before the first sentence belongs to it.
std::vector<std::string_view> sentence_pieces(std::string_view text);

// True if edits may change the paragraph's words: not code, not table rows.
bool is_prose(const ArticleParagraph& paragraph);

// Gaps and words in turn, words at odd indices. Uses the project's word segmentation, so a synonym is only found where
// a reader sees the word.
struct WordPieces {
  std::vector<std::string_view> pieces;
  std::size_t word_count() const { return pieces.size() / 2; }
};
WordPieces word_pieces(std::string_view text);

// Separator of sentences in a language: a space, or nothing for Chinese.
std::string_view sentence_gap(ArticleLanguage language);

std::string lower_ascii(std::string_view text);

// Donors in the article's language and script, without the article itself; all donors if there are none.
std::vector<const Article*> donors_like(const EditContext& context);

// The characters of a text, as views.
std::vector<std::string_view> characters(std::string_view text);

// Content characters (letters and digits) of all paragraphs.
std::size_t content_size(const Article& article);

// `count` different numbers below `size`, ascending. Requires count <= size.
std::vector<std::size_t> choose_numbers(Random& random, std::size_t count, std::size_t size);

// `share` of `number`, rounded, at most `most`, but at least `least`.
std::size_t share_of(std::size_t number, double share, std::size_t least, std::size_t most);

}  // namespace paraprint::inline lab::inline simulate
