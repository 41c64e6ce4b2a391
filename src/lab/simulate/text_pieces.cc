// Text cutting shared by the edits. All pieces are views into the paragraph's text, so that an edit changes some of
// them and copies the others unchanged.
#include "lab/simulate/text_pieces.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "text/normalise.h"
#include "text/sentence.h"

namespace paraprint::inline lab::inline simulate {

std::vector<std::string_view> sentence_pieces(std::string_view text) {
  std::vector<TextSpan> spans;
  split_sentences(text, spans);
  std::vector<std::string_view> pieces;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < spans.size(); ++i) {
    // A piece extends to the next sentence, so the white space between two sentences belongs to the first.
    const std::size_t end = i + 1 < spans.size() ? spans[i + 1].begin_bytes : text.size();
    pieces.push_back(text.substr(begin, end - begin));
    begin = end;
  }
  // Text without a sentence, such as punctuation alone, is a single piece.
  if (pieces.empty() && !text.empty()) pieces.push_back(text);
  return pieces;
}

bool is_prose(const ArticleParagraph& paragraph) {
  // Code and table cells are not sentences: a replaced word would break what they mean.
  return paragraph.role != BlockRole::kCode && paragraph.role != BlockRole::kTableRow;
}

WordPieces word_pieces(std::string_view text) {
  std::vector<Token> tokens;
  WordSegmenter::shared().segment(text, tokens);
  WordPieces result;
  std::size_t end = 0;
  for (const Token& token : tokens) {
    result.pieces.push_back(text.substr(end, token.begin_bytes - end));
    result.pieces.push_back(token.word(text));
    end = token.end_bytes;
  }
  // The last gap, possibly empty: the number of pieces is always odd.
  result.pieces.push_back(text.substr(end));
  return result;
}

std::string_view sentence_gap(ArticleLanguage language) {
  return language == ArticleLanguage::kChinese ? std::string_view() : std::string_view(" ");
}

std::string lower_ascii(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    // ASCII only, because the lists that it is looked up in are ASCII or Chinese.
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

std::vector<const Article*> donors_like(const EditContext& context) {
  const Article& article = context.draft.article;
  std::vector<const Article*> donors;
  for (const Article* donor : context.material.donors) {
    // Inserted text must not be recognisable by its language or script.
    const bool is_alike = donor->language == article.language && donor->is_traditional == article.is_traditional;
    if (is_alike && donor->base != article.base) donors.push_back(donor);
  }
  // Rather text in another language than no insertion at all.
  return donors.empty() ? context.material.donors : donors;
}

std::vector<std::string_view> characters(std::string_view text) {
  std::vector<std::string_view> result;
  const char* end = text.data() + text.size();
  for (const char* p = text.data(); p < end;) {
    const std::uint32_t size = decode_character(p, end).size_bytes;
    result.emplace_back(p, size);
    p += size;
  }
  return result;
}

std::size_t content_size(const Article& article) {
  std::size_t size = 0;
  for (const ArticleParagraph& paragraph : article.paragraphs) size += count_content_characters(paragraph.text);
  return size;
}

std::vector<std::size_t> choose_numbers(Random& random, std::size_t count, std::size_t size) {
  std::vector<std::size_t> numbers(size);
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  random.shuffle(numbers);
  numbers.resize(count);
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

std::size_t share_of(std::size_t number, double share, std::size_t least, std::size_t most) {
  const auto wanted = static_cast<std::size_t>(std::lround(share * static_cast<double>(number)));
  // The minimum wins over the maximum.
  return std::max(least, std::min(wanted, most));
}

}  // namespace paraprint::inline lab::inline simulate
