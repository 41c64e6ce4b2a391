// The words of a text in its order, each with its weight and its place (docs/algorithms/contamination.md).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/stop.h"
#include "paraprint/model.h"
#include "text/normalise.h"
#include "text/word_segmenter.h"
#include "text/word_weights.h"

namespace paraprint::inline contamination {

struct SpannedWord {
  std::uint64_t hash = 0;  // of the normalised word
  float weight = 0;        // its inverse document frequency; more than 0
  TextSpan span;           // in the text as it was given
};

// Keeps scratch memory: use one per thread.
class SpannedWords {
 public:
  explicit SpannedWords(bool fold_traditional = true) : normaliser_({fold_traditional}) {}

  // Replaces `words` by those of `text`, which is UTF-8 of less than 4 GiB. Places are exact wherever normalisation
  // changes the size of no character; elsewhere, as with ligatures, they are those of the text between two white
  // spaces. They cut no character. Cost: O(text), about that of segmenting it. If `stop` is stopped in between,
  // the words are incomplete.
  void read(std::string_view text, std::vector<SpannedWord>& words, StopCheck& stop);

 private:
  // A part of the text that normalisation and segmentation treat by itself.
  struct TextPiece {
    TextSpan span;                       // in the text
    std::uint32_t normalised_begin = 0;  // in normalised_
    bool has_equal_borders = false;      // of its characters, before and after
  };

  Normaliser normaliser_;
  std::string normalised_;
  std::vector<TextPiece> pieces_;
  std::vector<Token> tokens_;
  std::vector<WordWeight> weights_;
};

}  // namespace paraprint::inline contamination
