// The rules in order of their cost: comparing bytes rejects most pairs, keys are compared only for the rest. The online
// index and the batch join call the same functions, so both propose the same pairs.
#include "index/sketch_rule.h"

namespace paraprint::inline index {
namespace {

// A sketch is used only if at most this share of the page is site boilerplate.
constexpr double kTemplateShareMaximum = 0.2;
constexpr std::size_t kEqualKeysMinimum = 2;

}  // namespace

bool has_own_sketch(const Profile& profile, std::span<const std::uint8_t> skip_paragraph) {
  if (profile.sketch.pair_hashes.size() != PageSketch::kPairHashes) return false;
  double template_characters = 0;
  for (std::size_t index = 0; index < skip_paragraph.size(); ++index) {
    template_characters += skip_paragraph[index] != 0 ? profile.paragraphs[index].content_characters : 0;
  }
  return template_characters <= kTemplateShareMaximum * profile.content_characters;
}

std::size_t equal_sketch_bytes(SketchBytes a, SketchBytes b) {
  std::size_t equal = 0;
  for (std::size_t i = 0; i < PageSketch::kPairHashes; ++i) equal += a[i] == b[i] ? 1 : 0;
  if (equal < kSketchEqualBytesMinimum) return 0;
  std::size_t equal_keys = 0;
  for (std::size_t band = 0; band < kSketchKeys; ++band) {
    equal_keys += sketch_key(a, band) == sketch_key(b, band) ? 1 : 0;
  }
  return equal_keys >= kEqualKeysMinimum ? equal : 0;
}

// Rule 1 first: of unrelated pages hardly any pair agrees in a band.
std::size_t equal_bytes_of_candidates(SketchBytes a, SketchBytes b) {
  for (std::size_t band = 0; band < kSketchBands; ++band) {
    if (sketch_band(a, band) == sketch_band(b, band)) return equal_sketch_bytes(a, b);
  }
  return 0;
}

}  // namespace paraprint::inline index
