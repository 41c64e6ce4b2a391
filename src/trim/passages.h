// Passages that pages repeat: what they are and what is known about them (docs/algorithms/repeated-passages.md).
#pragma once

#include <compare>
#include <cstdint>
#include <string_view>

#include "paraprint/model.h"

namespace paraprint::inline trim {

struct PassageRules {
  // Content characters of a paragraph, or of a run of sentences, from which it is a passage.
  std::uint32_t characters_minimum = 100;
  // Places from which a passage is repeated, the one where it stays included. At least 2.
  std::uint32_t places_minimum = 2;
  // Paragraphs whose fingerprints differ in at most this many of 128 bits may be one passage. -1: equal text only.
  int distance_bits = 3;
  // Texts are compared after traditional Chinese characters were made simplified ones, as in the profiles.
  bool fold_traditional = true;
  // Only the pages of one site are compared with each other.
  bool within_sites = false;
};

enum class RepeatKind : std::uint8_t { kParagraph, kNearParagraph, kSentences };

constexpr std::string_view repeat_kind_name(RepeatKind kind) {
  switch (kind) {
    case RepeatKind::kParagraph:
      return "paragraph";
    case RepeatKind::kNearParagraph:
      return "near-paragraph";
    case RepeatKind::kSentences:
      return "sentences";
  }
  return {};
}

// A place in a page. Ranks number the pages in the order in which they keep passages: the lowest place of a passage is
// where it stays.
struct PassagePlace {
  std::uint32_t rank = 0;
  std::uint32_t begin_bytes = 0;  // in the extracted text
  std::uint32_t end_bytes = 0;
  friend auto operator<=>(const PassagePlace&, const PassagePlace&) = default;
};

// A passage that stands in another place as well, which may be in the same page.
struct RepeatedPassage {
  PassagePlace place;
  PassagePlace kept;
  std::uint32_t content_characters = 0;  // of `place`
  std::uint32_t places = 0;              // all together; of sentences, those of the rarest one
  RepeatKind kind = RepeatKind::kParagraph;
  std::uint8_t distance_bits = 0;  // between the two paragraphs
  friend auto operator<=>(const RepeatedPassage&, const RepeatedPassage&) = default;
};

}  // namespace paraprint::inline trim
