#include "html/document.h"

#include <gtest/gtest.h>
#include <lexbor/core/lexbor.h>

#include <algorithm>
#include <cstdlib>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "html/hidden_styles.h"
#include "html/name_tables.h"
#include "html/remembered_answers.h"
#include "html/walker.h"
#include "simulation/failing_memory.h"

namespace paraprint {
namespace {

std::string text_of_page(const HtmlDocument& document) {
  std::string text;
  for (const HtmlNode* node = document.root(); node != nullptr; node = next_in_document_order(node, document.root())) {
    if (is_text(node)) text.append(text_of(node));
  }
  return text;
}

TEST(HtmlDocument, ParsesAndIsReusable) {
  HtmlDocument document;
  ASSERT_TRUE(document.parse("<title>One</title><p class='a b' id=x role=main>Hello <b>world</b>"));
  EXPECT_EQ(document.title(), "One");
  const HtmlNode* paragraph = document.body()->first_child;
  ASSERT_TRUE(has_tag(paragraph, LXB_TAG_P));
  EXPECT_EQ(class_of(paragraph), "a b");
  EXPECT_EQ(id_of(paragraph), "x");
  EXPECT_EQ(document.attribute(paragraph, HtmlAttribute::kRole), "main");
  EXPECT_FALSE(document.has_attribute(paragraph, HtmlAttribute::kHidden));
  ASSERT_TRUE(document.parse("<p>Second"));
  EXPECT_EQ(document.title(), "");
  EXPECT_EQ(text_of_page(document), "Second");
  EXPECT_FALSE(document.limits_passed().any());
}

std::string repeat(const std::string& piece, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += piece;
  return out;
}

TEST(HtmlDocument, ForgetsOnlyALargePage) {
  HtmlDocument document;
  EXPECT_FALSE(document.release_if_large());
  ASSERT_TRUE(document.parse("<p>Small"));
  EXPECT_FALSE(document.release_if_large());
  EXPECT_EQ(text_of_page(document), "Small");
  ASSERT_TRUE(document.parse(repeat("<p>a b c d", 100'000)));
  EXPECT_FALSE(document.release_if_large());
  ASSERT_TRUE(document.parse(repeat("<p>a b c d", 140'000)));
  EXPECT_FALSE(document.limits_passed().any());
  EXPECT_TRUE(document.release_if_large());
  ASSERT_TRUE(document.parse(std::string(std::size_t{5} << 20, 'a')));
  EXPECT_TRUE(document.release_if_large());
  EXPECT_EQ(document.root(), nullptr);
  EXPECT_EQ(document.body(), nullptr);
  ASSERT_TRUE(document.parse("<p>Next"));
  EXPECT_EQ(text_of_page(document), "Next");
  EXPECT_FALSE(document.release_if_large());
}

// lexbor's allocations, of which one fails: the one that begins when `left` is 1. Never if it is 0. With
// `do_more_fail`, all after it fail as well.
struct FailingAllocations {
  static inline int made = 0;
  static inline int left = 0;
  static inline bool do_more_fail = false;
  static bool fails() {
    ++made;
    if (left == 1 && do_more_fail) return true;
    return left > 0 && --left == 0;
  }
  FailingAllocations() {
    made = left = 0;
    do_more_fail = false;
    lexbor_memory_setup(
        [](std::size_t size) { return fails() ? nullptr : std::malloc(size); },
        [](void* old, std::size_t size) { return fails() ? nullptr : std::realloc(old, size); },
        [](std::size_t count, std::size_t size) { return fails() ? nullptr : std::calloc(count, size); }, std::free);
  }
  ~FailingAllocations() { lexbor_memory_setup(std::malloc, std::realloc, std::calloc, std::free); }
};

// An allocation fails while the tables of a new document are made. Those before, of lexbor's own creation of a
// document, it does not survive itself.
TEST(HtmlDocument, IsUsableAfterMemoryRanOutWhileItWasMade) {
  const FailingAllocations allocations;
  lxb_html_document_t* const plain = lxb_html_document_create();
  const int of_lexbor = FailingAllocations::made;
  lxb_html_document_destroy(plain);
  int failures = 0;
  for (int number = 1; number <= 20; ++number) {
    HtmlDocument document;
    FailingAllocations::left = of_lexbor + number;
    const Status parsed = document.parse("<p>First");
    if (!parsed) {
      ++failures;
      EXPECT_EQ(parsed.error().code, ErrorCode::kLimitExceeded);
    }
    FailingAllocations::left = 0;
    ASSERT_TRUE(document.parse("<p>Second")) << number;
    EXPECT_EQ(text_of_page(document), "Second");
  }
  EXPECT_GE(failures, 10);
}

// From some allocation on there is no memory, not even for the error.
TEST(HtmlDocument, IsUsableAfterMemoryRanOutForThePageAndForTheError) {
  const FailingAllocations allocations;
  const std::string page = repeat("<p title=a>First</p>", 20'000);
  int failures = 0;
  bool has_failed = true;
  for (int number = 1; has_failed; number += 5) {
    HtmlDocument document;
    ASSERT_TRUE(document.parse("<p>Before"));
    FailingAllocations::do_more_fail = true;
    FailingAllocations::left = number;
    FailingMemory::fail_after(0);
    try {
      const UnsafeMemory unsafe;
      EXPECT_TRUE(document.parse(page));
    } catch (const std::bad_alloc&) {
    }
    has_failed = FailingMemory::end();
    failures += has_failed ? 1 : 0;
    FailingAllocations::left = 0;
    EXPECT_EQ(document.root() == nullptr, has_failed);
    ASSERT_TRUE(document.parse("<p>Second")) << number;
    EXPECT_EQ(text_of_page(document), "Second");
  }
  EXPECT_GE(failures, 10);
}

// Repeats `pattern` with '#' replaced by the number of the repetition.
std::string number(const std::string& pattern, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) {
    for (const char c : pattern) c == '#' ? out += std::to_string(i) : out += c;
  }
  return out;
}

TEST(HtmlDocument, ParsesAHundredThousandNestedTags) {
  constexpr int kTags = 100'000;
  HtmlDocument document;
  for (const char* tag :
       {"<div>", "<b>", "<table><tr><td>", "<ul><li>", "<svg>", "<math><mi>", "<template>", "<unknown>"}) {
    ASSERT_TRUE(document.parse(repeat(tag, kTags) + "deep")) << tag;
    EXPECT_TRUE(document.limits_passed().any()) << tag;
  }
  ASSERT_TRUE(document.parse(repeat("<div>", kTags) + "deep"));
  EXPECT_TRUE(document.limits_passed().depth);
  EXPECT_EQ(text_of_page(document), "deep");
}

TEST(HtmlDocument, BoundsCopiesOfOpenFormatting) {
  HtmlDocument document;
  const std::string page = number("<b id=#>", 1000) + repeat("<p>x", 1000);
  ASSERT_TRUE(document.parse(page));
  EXPECT_TRUE(document.limits_passed().open_formatting);
  EXPECT_LT(document.tree_bytes(), std::size_t{32} << 20);
  EXPECT_EQ(text_of_page(document), std::string(1000, 'x'));
}

// The page as its tree: text, and elements by the numbers of their tags.
std::string outline(const HtmlDocument& document) {
  struct Visitor {
    std::string text;
    WalkAction enter(const HtmlNode* node, std::uint32_t) {
      text += is_text(node) ? std::string(text_of(node)) : "(" + std::to_string(tag_of(node)) + ":";
      return WalkAction::kContinue;
    }
    void leave(const HtmlNode* node, std::uint32_t) { text += is_text(node) ? "" : ")"; }
  };
  Visitor visitor;
  walk_tree(document.root(), visitor);
  return visitor.text;
}

// A cell that is closed around an open <object> leaves a marker in the builder's list of formatting elements. What
// stands before the markers that can still be removed is dropped, and changes nothing. (lexbor ignores the end tag of a
// formatting element if the list has such a marker after it; without its entry it closes it, as the standard does.)
TEST(HtmlDocument, DropsFormattingThatCannotBecomeCurrentAgain) {
  HtmlLimits limits;
  limits.max_open_formatting = 4;
  limits.max_formatting_entries = 16;
  HtmlDocument bounded(limits);
  HtmlDocument whole;
  for (const std::string cell : {"<td><object>x", "<td><i>x<object>", "<th><b><marquee>x", "<td><object><i>x",
                                 "<td><applet><object><b>x", "<caption><object>x"}) {
    for (const std::string before : {"", "<b>", "<div><table><tr><td><i>"}) {
      const std::string page = before + "<table><tr>" + repeat(cell, 40) + "<td><b>y<a>y<a>y</table>z<p>z</table>z";
      ASSERT_TRUE(whole.parse(page));
      EXPECT_FALSE(whole.limits_passed().any());
      ASSERT_TRUE(bounded.parse(page));
      EXPECT_TRUE(bounded.limits_passed().open_formatting) << page;
      EXPECT_EQ(outline(bounded), outline(whole)) << page;
    }
  }
}

TEST(HtmlDocument, BoundsFormattingBeforeMarkers) {
  HtmlLimits limits;
  limits.max_formatting_entries = 64;
  HtmlDocument document(limits);
  ASSERT_TRUE(document.parse(repeat("<template><p><b><b><b><i><i><i></p>", 20) + "x"));
  EXPECT_TRUE(document.limits_passed().open_formatting);
  ASSERT_TRUE(document.parse(repeat("<template><p><b><b><b><i><i><i></p>", 5) + "x"));
  EXPECT_FALSE(document.limits_passed().open_formatting);
}

// Beyond the depth, an <object> is closed for the next one as its end tag would close it.
TEST(HtmlDocument, ClosesDeepObjectsWithTheirMarkers) {
  HtmlLimits limits;
  limits.max_depth = 8;
  HtmlDocument document(limits);
  for (const std::string tag : {"object", "applet", "marquee"}) {
    const std::string page = "<p><b>" + repeat("<" + tag + ">", 20) + repeat("</" + tag + ">", 4) + "x</b>y";
    ASSERT_TRUE(document.parse(page));
    EXPECT_TRUE(document.limits_passed().depth);
    EXPECT_EQ(text_of_page(document), "xy");
    const HtmlNode* const paragraph = document.body()->first_child;
    ASSERT_TRUE(has_tag(paragraph, LXB_TAG_P));
    ASSERT_TRUE(is_text(paragraph->last_child)) << tag;
    EXPECT_EQ(text_of(paragraph->last_child), "y");
  }
}

// Each <option> would make the builder walk all others of a <select> of which only one can be selected.
TEST(HtmlDocument, LetsManyOptionsBeSelected) {
  HtmlDocument document;
  ASSERT_TRUE(document.parse("<p>a<select id=s><option>b<option selected>c</select><select multiple>d</select>"));
  EXPECT_EQ(text_of_page(document), "abcd");
  int found = 0;
  for (const HtmlNode* node = document.root(); node != nullptr; node = next_in_document_order(node, document.root())) {
    if (!has_tag(node, LXB_TAG_SELECT)) continue;
    ++found;
    EXPECT_NE(lxb_dom_element_attr_by_id(element_of(node), LXB_DOM_ATTR_MULTIPLE), nullptr);
  }
  EXPECT_EQ(found, 2);
}

TEST(HtmlDocument, KeepsTextBeyondTheTreeLimit) {
  HtmlLimits limits;
  limits.base_tree_bytes = std::size_t{1} << 20;
  limits.tree_bytes_per_input_byte = 4;
  HtmlDocument document(limits);
  ASSERT_TRUE(document.parse(repeat("<p><i>x</i>", 100'000) + "<script>no &amp; text</script>end"));
  EXPECT_TRUE(document.limits_passed().tree_bytes);
  EXPECT_EQ(text_of_page(document), std::string(100'000, 'x') + "no &amp; textend");
}

TEST(HtmlDocument, IgnoresCommentsBeyondTheTreeLimit) {
  constexpr int kComments = 100'000;
  HtmlLimits limits;
  limits.base_tree_bytes = std::size_t{1} << 20;
  limits.tree_bytes_per_input_byte = 4;
  HtmlDocument document(limits);
  ASSERT_TRUE(document.parse("<p>" + repeat("x<!a>", kComments)));
  EXPECT_TRUE(document.limits_passed().tree_bytes);
  EXPECT_EQ(text_of_page(document), std::string(kComments, 'x'));
  EXPECT_LT(document.tree_bytes(), std::size_t{4} << 20);
}

TEST(HtmlDocument, CountsTheBytesOfLongTexts) {
  constexpr std::size_t kBytes = 1'000'000;
  HtmlDocument document;
  ASSERT_TRUE(document.parse("<p>" + std::string(kBytes, 'x') + "<p>" + std::string(kBytes, 'y') + "<p>z"));
  EXPECT_GT(document.tree_bytes(), 2 * kBytes);
}

// The tree of a whole table of amounts is kept, up to the size at which pages are cut; of pages with less text for each
// element, as much as fits.
TEST(HtmlDocument, LimitsTheTreesOfLargePages) {
  constexpr int kBytes = 16 << 20;
  constexpr std::size_t kMaximumTreeBytes = std::size_t{330} << 20;
  HtmlDocument document;
  ASSERT_TRUE(document.parse("<table><tr>" + repeat("<td>1234567</td>", kBytes / 16 - 1)));
  EXPECT_FALSE(document.limits_passed().any());
  EXPECT_GT(document.tree_bytes(), kMaximumTreeBytes * 3 / 4);
  ASSERT_TRUE(document.parse(repeat("<p>a", kBytes / 4)));
  EXPECT_TRUE(document.limits_passed().tree_bytes);
  EXPECT_LT(document.tree_bytes(), kMaximumTreeBytes);
}

TEST(HtmlDocument, TruncatesInputBetweenCharacters) {
  HtmlLimits limits;
  limits.max_input_bytes = 8;
  HtmlDocument document(limits);
  ASSERT_TRUE(document.parse("\u4E2D\u6587\u5B57\u7B26"));
  EXPECT_TRUE(document.limits_passed().input_bytes);
  EXPECT_EQ(text_of_page(document), "\u4E2D\u6587");
  EXPECT_EQ(document.input_bytes(), 6U);
}

TEST(HtmlDocument, LimitsAttributes) {
  HtmlDocument document;
  ASSERT_TRUE(document.parse("<p " + number("a# ", 100'000) + ">x<p id=y id=z>" + number("<body b#>", 1000)));
  EXPECT_TRUE(document.limits_passed().attributes);
  const HtmlNode* second = document.body()->first_child->next;
  EXPECT_EQ(id_of(second), "y") << "the first of two attributes with the same name";
  ASSERT_TRUE(document.parse("<p title='" + std::string(1'000'000, 'x') + "'>y"));
  EXPECT_EQ(document.attribute(document.body()->first_child, HtmlAttribute::kTitle).size(), 1'000'000U);
}

TEST(HtmlDocument, KnowsElementsThatAreHidden) {
  HtmlDocument document;
  const auto is_hidden = [&](const std::string& attribute) {
    EXPECT_TRUE(document.parse("<p " + attribute + ">x"));
    return document.is_hidden(document.body()->first_child);
  };
  for (int time = 0; time < 2; ++time) {
    for (const std::string style :
         {"display:none", "color:red;display : none", " DISPLAY\n:\tNone !important", ";;visibility:hidden",
          "display:block;visibility:hidden;", "visibility: hidden; visibility: visible"}) {
      EXPECT_TRUE(is_hidden("style='" + style + "'")) << style;
    }
    for (const std::string style : {"", ";", "display:block", "visibility:collapse", "not-display:none", "display;none",
                                    "display none", "none", "a:display:none"}) {
      EXPECT_FALSE(is_hidden("style='" + style + "'")) << style;
    }
    EXPECT_TRUE(is_hidden("hidden"));
    EXPECT_TRUE(is_hidden("hidden style='display:block'"));
    EXPECT_FALSE(is_hidden("class=hidden"));
  }
}

// More values than answers are remembered.
TEST(RememberedAnswers, DoNotDependOnEarlierOnes) {
  RememberedAnswers hides;
  for (int time = 0; time < 3; ++time) {
    for (int i = 0; i < 5000; ++i) {
      const std::string style = "width:" + std::to_string(i) + (i % 3 == 0 ? "px; display:none" : "px; display:block");
      ASSERT_EQ(hides.ask(style, style_hides), i % 3 == 0) << style;
      ASSERT_EQ(style_hides(style), i % 3 == 0) << style;
    }
  }
}

TEST(HtmlDocument, FindsAttributesAmongManyInventedNames) {
  HtmlDocument document;
  const std::string page = number("<x# y#=1></x#>", 60'000) + "<p role=main aria-hidden=true>text";
  ASSERT_TRUE(document.parse(page));
  const HtmlNode* last = document.body()->last_child;
  EXPECT_EQ(document.attribute(last, HtmlAttribute::kRole), "main");
  EXPECT_EQ(document.attribute(last, HtmlAttribute::kAriaHidden), "true");
  EXPECT_FALSE(document.limits_passed().any());
}

// 1,000 names for one bucket of 2^11 or 2^13: the size of the table must not be one of these.
TEST(NameTables, CannotBeFilledThroughOneBucket) {
  constexpr std::uint32_t kBuckets = std::uint32_t{1} << 13;
  lxb_html_document_t* document = lxb_html_document_create();
  ASSERT_TRUE(widen_name_tables(document));
  std::vector<std::string> names;
  for (std::uint64_t number = 0; names.size() < 1000; ++number) {
    std::string name = "a" + std::to_string(number);
    const auto* bytes = reinterpret_cast<const lxb_char_t*>(name.data());
    if (lexbor_hash_make_id(bytes, name.size()) % kBuckets == 0) names.push_back(std::move(name));
  }
  lexbor_hash_t* const table = document->dom_document.attrs;
  for (const std::string& name : names) {
    const auto* bytes = reinterpret_cast<const lxb_char_t*>(name.data());
    ASSERT_NE(lexbor_hash_insert(table, lexbor_hash_insert_raw, bytes, name.size()), nullptr);
  }
  std::size_t longest = 0;
  for (std::size_t bucket = 0; bucket < table->table_size; ++bucket) {
    std::size_t length = 0;
    for (const lexbor_hash_entry_t* entry = table->table[bucket]; entry != nullptr; entry = entry->next) ++length;
    longest = std::max(longest, length);
  }
  EXPECT_LT(longest, 100U);
  lxb_html_document_destroy(document);
}

TEST(HtmlDocument, KeepsLongTextBuiltFromManyTokens) {
  HtmlDocument document;
  const std::string page = number("<font id=#>", 100) + repeat("x</q>", 50'000);
  ASSERT_TRUE(document.parse(page));
  EXPECT_EQ(text_of_page(document), std::string(50'000, 'x'));
}

// Text that stands in a table goes before it, where it is appended to what is there, while its comments and scripts
// stay.
TEST(HtmlDocument, TakesTextOutOfTablesInLittleMemory) {
  constexpr int kUnits = 30'000;
  constexpr std::size_t kTreeBytesPerUnit = 600;  // an element and two texts
  HtmlDocument document;
  for (const std::string_view table : {"<table>", "<table><tr>", "<table><tbody>", "<table><thead>", "<table><tfoot>",
                                       "<b><table>", "<template><table>", "<template><tr>", "<table><template><tr>"}) {
    for (const std::string_view between : {"<!a>", "<!-- -->", "<!>", "<?a>", "</1>", "<script>a</script>",
                                           "<style>a</style>", "<colgroup id=a>", "<input type=hidden id=a>"}) {
      const std::string page = std::string(table) + repeat("xyzw" + std::string(between), kUnits);
      ASSERT_TRUE(document.parse(page));
      EXPECT_LT(document.tree_bytes(), kUnits * kTreeBytesPerUnit) << table << between;
      const HtmlNode* const first = document.body()->first_child;
      if (table.starts_with("<table>") && first != nullptr && is_text(first)) {
        EXPECT_EQ(text_of(first), repeat("xyzw", kUnits)) << table << between;
      }
    }
  }
}

TEST(HtmlDocument, ParsesInputThatIsNotHtml) {
  using namespace std::string_literals;
  HtmlDocument document;
  ASSERT_TRUE(document.parse(""));
  EXPECT_NE(document.body(), nullptr);
  ASSERT_TRUE(document.parse("x"));
  EXPECT_EQ(text_of_page(document), "x");
  ASSERT_TRUE(document.parse("a\0b\0"s));
  EXPECT_EQ(text_of_page(document), "ab");
  ASSERT_TRUE(document.parse("{\"json\": [1, 2, \"<b>\"]}"));
  ASSERT_TRUE(document.parse("%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nstream\n\x01\x02\0\0endstream"s));
  for (const char* page :
       {"<", "<!", "<!--", "<p", "<p a", "<p a='", "&", "&#", "</", "<![CDATA[", "<?", "<script>", "<title>"}) {
    EXPECT_TRUE(document.parse(page)) << page;
  }
}

TEST(HtmlDocument, ParsesNoscriptAsElements) {
  HtmlDocument document;
  ASSERT_TRUE(document.parse("<body><noscript><p>text</p></noscript>"));
  EXPECT_TRUE(has_tag(document.body()->first_child->first_child, LXB_TAG_P));
}

TEST(Walker, EntersAndLeavesInOrderAndSkips) {
  struct Visitor {
    std::string log;
    WalkAction enter(const HtmlNode* node, std::uint32_t depth) {
      if (is_text(node)) {
        log += text_of(node);
        return WalkAction::kContinue;
      }
      log += "(" + std::to_string(depth);
      if (has_tag(node, LXB_TAG_I)) return WalkAction::kStop;
      return has_tag(node, LXB_TAG_UL) ? WalkAction::kSkipSubtree : WalkAction::kContinue;
    }
    void leave(const HtmlNode*, std::uint32_t depth) { log += std::to_string(depth) + ")"; }
  };
  HtmlDocument document;
  ASSERT_TRUE(document.parse("<body>a<p>b<b></b></p><ul><li>c</ul>d"));
  Visitor visitor;
  walk_tree(document.body(), visitor);
  EXPECT_EQ(visitor.log, "(0a(1b(22)1)(1d0)");
  ASSERT_TRUE(document.parse("<body><p>x<i>y</i></p>z"));
  Visitor stopping;
  walk_tree(document.body(), stopping);
  EXPECT_EQ(stopping.log, "(0(1x(2");
  Visitor nothing;
  walk_tree(nullptr, nothing);
  EXPECT_EQ(nothing.log, "");
}

}  // namespace
}  // namespace paraprint
