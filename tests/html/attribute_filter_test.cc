#include "html/attribute_filter.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "../property.h"
#include "html/document.h"

namespace paraprint {
namespace {

constexpr HtmlAttributeSet kFew = {HtmlAttribute::kClass, HtmlAttribute::kRole};

std::string attributes_of(const HtmlNode* element) {
  std::string names;
  for (lxb_dom_attr_t* attribute = element_of(element)->first_attr; attribute != nullptr; attribute = attribute->next) {
    std::size_t size = 0;
    const lxb_char_t* name = lxb_dom_attr_qualified_name(attribute, &size);
    names.append(reinterpret_cast<const char*>(name), size).append("=").append(value_of(attribute)).append(" ");
  }
  return names;
}

TEST(HtmlAttributeFilter, KeepsRequestedAttributesInOrder) {
  HtmlDocument document(HtmlLimits{}, kFew);
  ASSERT_TRUE(document.parse("<p id=a CLASS=b data-x=1 role=c roles=d title=e><a href=x>link</a><hr title=x class=y>"));
  const HtmlNode* paragraph = document.body()->first_child;
  EXPECT_EQ(attributes_of(paragraph), "class=b role=c ");
  EXPECT_EQ(class_of(paragraph), "b");
  EXPECT_EQ(id_of(paragraph), "");
  EXPECT_EQ(document.attribute(paragraph, HtmlAttribute::kRole), "c");
  EXPECT_FALSE(document.has_attribute(paragraph, HtmlAttribute::kTitle));
  EXPECT_EQ(attributes_of(paragraph->first_child), "");
  EXPECT_EQ(attributes_of(paragraph->next), "class=y ");
}

TEST(HtmlAttributeFilter, KeepsAllByDefault) {
  HtmlDocument document;
  ASSERT_TRUE(document.parse("<p id=a data-x=1>"));
  EXPECT_EQ(attributes_of(document.body()->first_child), "id=a data-x=1 ");
}

TEST(HtmlAttributeFilter, KnowsEveryName) {
  EXPECT_EQ(attribute_name(HtmlAttribute::kAlt), "alt");
  EXPECT_EQ(attribute_name(HtmlAttribute::kAriaHidden), "aria-hidden");
  EXPECT_EQ(attribute_name(HtmlAttribute::kType), "type");
  for (std::size_t i = 0; i < kHtmlAttributeCount; ++i) {
    const auto attribute = static_cast<HtmlAttribute>(i);
    const std::string name(attribute_name(attribute));
    HtmlDocument document(HtmlLimits{}, {attribute});
    ASSERT_TRUE(document.parse("<p data-x=1 " + name + "=v x=2>"));
    EXPECT_EQ(attributes_of(document.body()->first_child), name + "=v ");
  }
}

// The tree in one line, without the attributes that may be removed.
std::string tree_of(const HtmlDocument& document) {
  std::string tree;
  const auto describe = [&](const auto& self, const HtmlNode* node) -> void {
    if (is_text(node)) {
      tree.append("'").append(text_of(node)).append("'");
    } else if (is_element(node)) {
      std::size_t size = 0;
      const lxb_char_t* name = lxb_dom_element_qualified_name(element_of(node), &size);
      tree.append("(").append(std::to_string(node->ns)).append(":").append(reinterpret_cast<const char*>(name), size);
      tree.append(" .").append(class_of(node)).append(" @").append(document.attribute(node, HtmlAttribute::kRole));
      for (const HtmlNode* child = node->first_child; child != nullptr; child = child->next) self(self, child);
      tree.append(")");
    }
  };
  describe(describe, document.root());
  return tree;
}

// Misnested and repeated formatting, tables, foreign content, forms: where the tree builder uses attributes.
constexpr std::array<const char*, 44> kPieces = {
    "<b x=1>",
    "<b x=2>",
    "<b x=3 class=k>",
    "</b>",
    "<i id=1>",
    "<i id=2>",
    "</i>",
    "<a href=1>",
    "<a href=2 class=l>",
    "</a>",
    "<font color=red>",
    "<font id=f>",
    "</font>",
    "<nobr id=1>",
    "<p title=t>",
    "<p class=p>",
    "</p>",
    "<div data-x=1 role=main>",
    "</div>",
    "<table width=1>",
    "<tr>",
    "<td height=1>",
    "</td>",
    "</table>",
    "<input type=hidden>",
    "<input type=text>",
    "<select size=2>",
    "<select multiple>",
    "<option selected>",
    "<option disabled>",
    "</select>",
    "<svg viewbox=0 xlink:href=x>",
    "<foreignobject x=1>",
    "</svg>",
    "<math definitionurl=x>",
    "<annotation-xml encoding=text/html>",
    "<annotation-xml encoding=x>",
    "</math>",
    "<body bgcolor=x class=m>",
    "<html lang=x>",
    "<template shadowrootmode=open>",
    "</template>",
    "<object data=x>",
    "x",
};

TEST(HtmlAttributeFilter, DoesNotChangeTheTree) {
  CHECK_PROPERTY([] {
    const auto pieces = *rc::gen::container<std::vector<std::size_t>>(rc::gen::inRange<std::size_t>(0, kPieces.size()));
    std::string page = "<!doctype html>";
    for (const std::size_t piece : pieces) page += kPieces[piece];
    HtmlDocument everything;
    HtmlDocument few(HtmlLimits{}, kFew);
    RC_ASSERT(everything.parse(page).has_value());
    RC_ASSERT(few.parse(page).has_value());
    RC_ASSERT(tree_of(few) == tree_of(everything));
  });
}

}  // namespace
}  // namespace paraprint
