#include "extract/comment_sections.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "html/attributes.h"

namespace paraprint {
namespace {

// With fewer tokens of content before it a section may be what the page is about: replies to a question.
constexpr std::uint64_t kArticleTokens = 40;
// Log-odds of 2: from even to one in eight.
constexpr BlockWeight kLoweredBy = 2 * kWeightSteps;
constexpr std::uint64_t kCertain = 65535;

// The group of names holds replies and reviews, too, which are content more often than not.
bool names_comments(std::string_view name) {
  constexpr std::array<std::string_view, 4> kWords = {"comment", "disqus", "pinglun", "liuyan"};
  return std::any_of(kWords.begin(), kWords.end(), [&](std::string_view word) {
    return std::search(name.begin(), name.end(), word.begin(), word.end(), [](char letter, char wanted) {
             return (letter >= 'A' && letter <= 'Z' ? letter - 'A' + 'a' : letter) == wanted;
           }) != name.end();
  });
}

}  // namespace

void CommentSections::find(const PageTree& tree) {
  sections_.clear();
  std::uint32_t end = 0;  // of the units of the last one
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
  std::uint64_t content = 0;  // expected before the section, without those before it, in 1/65535 token
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

}  // namespace paraprint
