// The constants were chosen by cross-validation on the labelled pages; docs/algorithms/extraction.md lists the
// alternatives that were measured.
#include "extract/comment_sections.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "html/attributes.h"

namespace paraprint::inline extract {
namespace {

// With fewer content tokens before it, the section may itself be the subject of the page: replies to a question.
constexpr std::uint64_t kArticleTokens = 40;
// Log-odds of 2: an even chance becomes about one in eight.
constexpr BlockWeight kLoweredBy = 2 * kWeightSteps;

// Narrower than the name group kNameComment, which includes replies and reviews: those are more often content than not.
bool names_comments(std::string_view name) {
  constexpr std::array<std::string_view, 4> kWords = {"comment", "disqus", "pinglun", "liuyan"};
  return std::any_of(kWords.begin(), kWords.end(), [&](std::string_view word) {
    return std::search(name.begin(), name.end(), word.begin(), word.end(), [](char letter, char wanted) {
             return (letter >= 'A' && letter <= 'Z' ? letter - 'A' + 'a' : letter) == wanted;
           }) != name.end();
  });
}

}  // namespace

// The name group, already matched, excludes nearly all elements before their names are searched again. Nested sections
// are part of the outermost one.
void CommentSections::find(const PageTree& tree) {
  sections_.clear();
  std::uint32_t end = 0;  // end of the last section's units
  for (std::uint32_t index = 0; index < tree.elements.size(); ++index) {
    const PageElement& element = tree.elements[index];
    const bool is_outermost = element.unit_begin >= end && element.unit_begin < element.unit_end;
    if (!is_outermost || element.distances[kNameComment] != 0) continue;
    if (!names_comments(class_of(element.node)) && !names_comments(id_of(element.node))) continue;
    sections_.push_back(index);
    end = element.unit_end;
  }
}

void CommentSections::lower(const PageTree& tree, std::vector<BlockWeight>& weights) {
  if ((tree.hints & (PageHints{1} << kHintForum)) != 0) return;
  find(tree);
  std::uint64_t content = 0;  // expected content before the section, without earlier sections, in 1/65535 token
  std::size_t unit = 0;
  for (const std::uint32_t index : sections_) {
    const PageElement& section = tree.elements[index];
    for (; unit < section.unit_begin; ++unit) {
      content += std::uint64_t{tree.units[unit].text.tokens} * kWeightProbability[weights[unit]];
    }
    unit = section.unit_end;
    if (content < kArticleTokens * kCertain) continue;
    for (std::size_t i = section.unit_begin; i < section.unit_end; ++i) {
      weights[i] = static_cast<BlockWeight>(std::max(weights[i], kLoweredBy) - kLoweredBy);
    }
  }
}

}  // namespace paraprint::inline extract
