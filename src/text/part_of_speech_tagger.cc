// Viterbi decoding reduces to one running sum per tag, because a word never changes its tag and its length determines
// the sequence of places (B M..M E, or S). Emissions are sparse: each character has few possible tags.
#include "text/part_of_speech_tagger.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "text/text_data.h"
#include "text/utf8.h"

namespace paraprint::inline text {
namespace {

using text_data::TaggerEmission;
using text_data::TaggerPlace;
using text_data::TaggerTag;

constexpr double kImpossible = -std::numeric_limits<double>::infinity();

// Log probabilities of the path so far, one per tag.
using Scores = std::array<double, text_data::kTaggerTagsMaximum>;

// Extends all paths by a character at `place`; tags that cannot emit it there become impossible.
template <class Step>
void add_character(std::uint32_t id, TaggerPlace place, Step step, Scores& scores) {
  Scores emitted;
  emitted.fill(kImpossible);
  const std::uint32_t end = text_data::paraprint_tagger_begins[id + 1];
  for (std::uint32_t i = text_data::paraprint_tagger_begins[id]; i < end; ++i) {
    const TaggerEmission& emission = text_data::paraprint_tagger_emissions[i];
    if (emission.place != static_cast<std::uint8_t>(place)) continue;
    emitted[emission.tag] =
        scores[emission.tag] + step(text_data::paraprint_tagger_tags[emission.tag]) + double{emission.log_probability};
  }
  scores = emitted;
}

}  // namespace

std::string_view tag_unknown_word(std::string_view word) {
  const text_data::Constants& constants = text_data::paraprint_constants;
  Scores scores{};
  const char* position = word.data();
  const char* const end = position + word.size();
  bool is_first = true;
  TaggerPlace before = TaggerPlace::kBegin;
  while (position < end) {
    const DecodedCharacter character = decode_character(position, end);
    position += character.size_bytes;
    if (character.code_point < text_data::kFirstHan || character.code_point > text_data::kLastHan) return {};
    // A character unknown to the model has id 0, which has no emissions and thus rules out every tag.
    const std::uint32_t id = text_data::paraprint_han_ids[character.code_point - text_data::kFirstHan];
    const bool is_last = position >= end;
    const TaggerPlace place = is_first && is_last ? TaggerPlace::kSingle
                              : is_first          ? TaggerPlace::kBegin
                              : is_last           ? TaggerPlace::kEnd
                                                  : TaggerPlace::kMiddle;
    add_character(
        id, place,
        [&](const TaggerTag& tag) {
          // The first character has a start probability, every other one a transition from the place before.
          if (is_first) return is_last ? tag.start_single : tag.start_begin;
          if (before == TaggerPlace::kBegin) return is_last ? tag.begin_end : tag.begin_middle;
          return is_last ? tag.middle_end : tag.middle_middle;
        },
        scores);
    before = place;
    is_first = false;
  }
  if (is_first) return {};
  // ">=" lets the later of several equal tags win, as jieba's max() over (score, tag) pairs does.
  std::size_t best = 0;
  for (std::size_t tag = 1; tag < constants.tagger_tag_count; ++tag) {
    if (scores[tag] >= scores[best]) best = tag;
  }
  // The model represents "impossible" as -3.14e100, far below any sum of logarithms.
  constexpr double kNever = -1e90;
  return scores[best] > kNever ? std::string_view(text_data::paraprint_tagger_tags[best].name) : std::string_view();
}

}  // namespace paraprint::inline text
