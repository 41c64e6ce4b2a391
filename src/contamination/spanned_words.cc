// Normalised text has other offsets than the text. White space and the punctuation of Chinese and Japanese end every
// word and every character, so that the pieces between them can be normalised one by one: then each word lies in one
// piece, and mostly at the same distance from its beginning as before.
#include "contamination/spanned_words.h"

#include <algorithm>

#include "text/utf8.h"

namespace paraprint::inline contamination {
namespace {

// A weight of 0 would make texts of such words alone vanish.
constexpr float kWeightMinimum = 0.01F;

bool ends_piece(char32_t character) {
  if (character <= 0x20) return true;
  // Ideographic space, comma and full stop, brackets; full-width ! ( ) , : ; ?
  return (character >= 0x3000 && character <= 0x3003) || (character >= 0x3008 && character <= 0x3011) ||
         character == 0xFF01 || character == 0xFF08 || character == 0xFF09 || character == 0xFF0C ||
         character == 0xFF1A || character == 0xFF1B || character == 0xFF1F;
}

// Whether the characters of both have the same sizes, one by one. Equal sizes of the texts are not enough: of
// "\u00BA\u00AD\u00BD", the first one becomes shorter, the second vanishes, and the third becomes as much longer.
bool has_equal_borders(std::string_view a, std::string_view b) {
  const auto continues = [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](char x, char y) { return continues(x) == continues(y); });
}

}  // namespace

void SpannedWords::read(std::string_view text, std::vector<SpannedWord>& words, StopCheck& stop) {
  words.clear();
  normalised_.clear();
  pieces_.clear();
  const char* const begin = text.data();
  const char* const end = begin + text.size();
  const auto offset_of = [&](const char* position) { return static_cast<std::uint32_t>(position - begin); };
  for (const char* position = begin; position < end;) {
    const char* const piece_begin = position;
    const char* piece_end = position;
    while (position < end) {
      const DecodedCharacter character = decode_character(position, end);
      position += character.size_bytes;
      if (ends_piece(character.code_point)) break;
      piece_end = position;
    }
    if (piece_end == piece_begin) continue;
    const std::string_view piece(piece_begin, static_cast<std::size_t>(piece_end - piece_begin));
    if (stop.after(piece.size())) return;
    const auto normalised_begin = static_cast<std::uint32_t>(normalised_.size());
    normaliser_.append_normalised(piece, normalised_, stop);
    pieces_.push_back({{offset_of(piece_begin), offset_of(piece_end)},
                       normalised_begin,
                       has_equal_borders(piece, std::string_view(normalised_).substr(normalised_begin))});
    normalised_ += ' ';
  }
  WordSegmenter::shared().segment(normalised_, tokens_, stop);
  WordWeights::bundled().weigh(tokens_, normalised_, weights_, stop);
  if (stop.is_stopped()) return;
  words.reserve(tokens_.size());
  std::size_t piece = 0;
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    const Token& token = tokens_[i];
    while (piece + 1 < pieces_.size() && pieces_[piece + 1].normalised_begin <= token.begin_bytes) ++piece;
    const TextPiece& found = pieces_[piece];
    SpannedWord word{weights_[i].hash.high, std::max(weights_[i].idf, kWeightMinimum), found.span};
    if (found.has_equal_borders) {
      word.span = {found.span.begin_bytes + (token.begin_bytes - found.normalised_begin),
                   found.span.begin_bytes + (token.end_bytes - found.normalised_begin)};
    }
    words.push_back(word);
  }
}

}  // namespace paraprint::inline contamination
