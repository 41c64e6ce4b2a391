// Which containers are taken as a whole: those with program text or terms, where the weights are undecided.
#include "extract/code_containers.h"

#include <gtest/gtest.h>

#include <string>

namespace paraprint {
namespace {

constexpr BlockWeight kChosen = 160;
constexpr BlockWeight kUndecided = 130;
constexpr BlockWeight kClutter = 20;

struct Choice {
  std::string added;  // text of the units that were added, in order, separated by spaces
  std::vector<bool> chosen;
};

// Units in <p> are chosen at first, those in <nav> are clutter, all others are undecided and left out.
Choice completed(const std::string& body, BlockWeight other = kUndecided, const std::string& head = "") {
  HtmlDocument document;
  EXPECT_TRUE(document.parse("<html><head>" + head + "</head><body>" + body + "</body></html>"));
  PageTreeReader reader;
  PageTree tree;
  reader.read(document, tree);
  std::vector<BlockWeight> weights;
  BlockSelection selection;
  for (const TextUnit& unit : tree.units) {
    const auto tag = tree.elements[unit.element].tag;
    weights.push_back(tag == LXB_TAG_P ? kChosen : tag == LXB_TAG_NAV ? kClutter : other);
    selection.chosen.push_back(tag == LXB_TAG_P);
  }
  selection.expected_f1 = 45000;  // about what the page below has
  const std::vector<bool> before = selection.chosen;
  CodeContainers().complete(tree, weights, selection);
  Choice choice;
  for (std::size_t i = 0; i < before.size(); ++i) {
    EXPECT_GE(selection.chosen[i], before[i]) << "nothing may be taken away";
    if (selection.chosen[i] && !before[i]) choice.added += std::string(tree.texts[tree.units[i].text_begin].text) + " ";
  }
  choice.chosen = selection.chosen;
  return choice;
}

const std::string kMenu = "<nav>Overview of all the packages and classes of the library, with help</nav>";
const std::string kProse = "<p>Returns the number of bytes that the last call has written to the buffer.</p>";

TEST(CodeContainers, TakesWholeContainersWithCodeOrTerms) {
  for (const std::string tag : {"pre", "dt"}) {
    const std::string code = "<" + tag + ">Throws</" + tag + "><div>IOException</div>";
    EXPECT_EQ(completed(kMenu + "<div>" + kProse + code + code + kProse + "</div>").added,
              "Throws IOException Throws IOException ")
        << tag;
  }
}

TEST(CodeContainers, LeavesArticlesAlone) {
  const std::string one = "<pre>Throws</pre><div>IOException</div>";
  EXPECT_EQ(completed(kMenu + "<div>" + kProse + one + kProse + "</div>").added, "") << "one element is an aside";
  const std::string none = "<div>Throws</div><div>IOException</div>";
  EXPECT_EQ(completed(kMenu + "<div>" + kProse + none + none + kProse + "</div>").added, "");
  const std::string empty = "<pre></pre><pre> </pre><div>IOException</div>";
  EXPECT_EQ(completed(kMenu + "<div>" + kProse + empty + kProse + "</div>").added, "");
}

TEST(CodeContainers, CodeElsewhereOnThePageDoesNotCount) {
  const std::string code = "<div><pre>Throws</pre><pre>Returns</pre></div>";
  EXPECT_EQ(
      completed(kMenu + "<section><div>" + kProse + kProse + "<div>share</div></div></section>" + code, kClutter).added,
      "");
}

TEST(CodeContainers, LeavesDecidedClutterOut) {
  std::string clutter;
  for (int i = 0; i < 40; ++i) clutter += "<pre>one of very many lines in a menu of examples</pre>";
  EXPECT_EQ(completed(kMenu + "<div>" + kProse + clutter + "</div>", kClutter).added, "");
}

TEST(CodeContainers, LeavesNumbersOut) {
  const std::string code = "<pre>1</pre><pre>return</pre><pre>2</pre>";
  EXPECT_EQ(completed(kMenu + "<div>" + kProse + code + code + kProse + "</div>").added, "return return ");
}

TEST(CodeContainers, LeavesForumsAlone) {
  const std::string code = "<dt>Joined</dt><div>Long ago</div>";
  const std::string head = R"(<script type="application/ld+json">{"@type": "DiscussionForumPosting"}</script>)";
  EXPECT_EQ(completed(kMenu + "<div>" + kProse + code + code + kProse + "</div>", kUndecided, head).added, "");
}

TEST(CodeContainers, AcceptsPagesWithoutText) {
  EXPECT_TRUE(completed("").chosen.empty());
  EXPECT_TRUE(completed("<pre></pre><pre></pre>").chosen.empty());
}

}  // namespace
}  // namespace paraprint
