// Cutting texts for edits. Pieces put together again give the text, byte for byte.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lab/simulate/edit.h"
#include "lab/simulate/language/article.h"
#include "text/utf8.h"
#include "text/word_segmenter.h"

namespace paraprint {

// Sentences with the white space behind them; what stands before the first one belongs to it.
std::vector<std::string_view> sentence_pieces(std::string_view text);

// Sentences that an edit may touch: not those of code.
bool is_prose(const ArticleParagraph& paragraph);

// Words and what stands between them, in turn; words at odd places. Segmentation is that of the project: a synonym is
// only found where a reader sees the word.
struct WordPieces {
  std::vector<std::string_view> pieces;
  std::size_t word_count() const { return pieces.size() / 2; }
};
WordPieces word_pieces(std::string_view text);

// What stands between two sentences of an article's language: a space or nothing.
std::string_view sentence_gap(ArticleLanguage language);

std::string lower_ascii(std::string_view text);

// Donors of an article's language and script; all donors if there are none.
std::vector<const Article*> donors_like(const EditContext& context);

// The characters of a text, as views.
std::vector<std::string_view> characters(std::string_view text);

// Content characters (letters and digits) of all paragraphs.
std::size_t content_size(const Article& article);

// `count` different numbers below `size`, in order. Requires count <= size.
std::vector<std::size_t> choose_numbers(Random& random, std::size_t count, std::size_t size);

// A share of a number, rounded, at least `least` and at most `most`.
std::size_t share_of(std::size_t number, double share, std::size_t least, std::size_t most);

}  // namespace paraprint
