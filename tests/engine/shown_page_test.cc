// Which blocks of a page are marked as boilerplate.
#include "engine/shown_page.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace paraprint {
namespace {

// As the marks are defined: every span is compared with every block.
std::vector<bool> marks_by_definition(const std::vector<TextSpan>& spans, const ShownPage& page) {
  std::vector<bool> marks;
  for (const ShownBlock& block : page.blocks) {
    marks.push_back(std::any_of(spans.begin(), spans.end(), [&](TextSpan span) {
      return span.begin_bytes <= block.span.begin_bytes && block.span.end_bytes <= span.end_bytes;
    }));
  }
  return marks;
}

std::vector<bool> marks_of(const ShownPage& page) {
  std::vector<bool> marks;
  for (const ShownBlock& block : page.blocks) marks.push_back(block.is_boilerplate);
  return marks;
}

// Blocks from these lengths, with gaps between some of them. Some are empty.
ShownPage page_of(const std::vector<std::uint8_t>& lengths) {
  ShownPage page;
  std::uint32_t at_bytes = 0;
  for (const std::uint8_t length : lengths) {
    at_bytes += length / 8 % 3;
    const std::uint32_t end_bytes = at_bytes + length % 8;
    page.blocks.push_back({{at_bytes, end_bytes}, BlockRole::kParagraph, 0, false});
    at_bytes = end_bytes;
  }
  return page;
}

RC_GTEST_PROP(ShownPage, BoilerplateIsMarkedAsDefined, (const std::vector<std::uint8_t>& lengths)) {
  ShownPage page = page_of(lengths);
  const std::uint32_t end_bytes = page.blocks.empty() ? 1 : page.blocks.back().span.end_bytes + 1;
  std::vector<TextSpan> spans;
  for (const auto& [begin, size] : *rc::gen::arbitrary<std::vector<std::pair<std::uint8_t, std::uint8_t>>>()) {
    const std::uint32_t begin_bytes = begin % end_bytes;
    spans.push_back({begin_bytes, begin_bytes + size % 24});
  }
  mark_boilerplate(spans, page);
  RC_ASSERT(marks_of(page) == marks_by_definition(spans, page));
}

TEST(ShownPage, BlocksThatAParagraphCoversAreMarked) {
  ShownPage page = page_of({7, 7, 7, 7});
  mark_boilerplate({{14, 28}, {0, 5}}, page);
  EXPECT_EQ(marks_of(page), (std::vector<bool>{false, false, true, true}));
  mark_boilerplate({}, page);
  EXPECT_EQ(marks_of(page), (std::vector<bool>{false, false, false, false}));
}

// Many short paragraphs, all of them of the site's template: comparing each with each would take minutes.
TEST(ShownPage, PagesOfManyParagraphsAreMarkedInOneWalk) {
  constexpr std::uint32_t kParagraphs = 1'000'000;
  ShownPage page;
  std::vector<TextSpan> spans;
  for (std::uint32_t i = 0; i < kParagraphs; ++i) {
    page.blocks.push_back({{i * 2, i * 2 + 1}, BlockRole::kParagraph, 0, false});
    if (i % 2 == 0) spans.push_back({i * 2, i * 2 + 1});
  }
  mark_boilerplate(std::move(spans), page);
  EXPECT_EQ(std::count_if(page.blocks.begin(), page.blocks.end(),
                          [](const ShownBlock& block) { return block.is_boilerplate; }),
            kParagraphs / 2);
}

}  // namespace
}  // namespace paraprint
