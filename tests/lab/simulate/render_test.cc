// What is random in a page's template is drawn in an order that does not depend on the compiler.
#include "lab/simulate/render.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lab/simulate/test_articles.h"

namespace paraprint {
namespace {

using testing::HasSubstr;

std::string page_of_site(std::uint32_t index) {
  PageDraft draft;
  draft.article = test_article(1, 2);
  draft.chrome_share = 1;
  draft.comments = {"First.", "Second."};
  return render_page(draft, make_site(7, index), {"One title", "Another title", "A third"}, Random(11)).body;
}

TEST(Render, CommentsDoNotDependOnTheCompiler) {
  const std::string page = page_of_site(1);
  EXPECT_THAT(page, HasSubstr("<b>marmalade</b> <span>2010-07-18 06:18</span><p>First.</p>"));
  EXPECT_THAT(page, HasSubstr("<b>old_timer</b> <span>2010-12-10 18:06</span><p>Second.</p>"));
}

TEST(Render, AdvertisementsAndLinksDoNotDependOnTheCompiler) {
  const std::string page = page_of_site(3);
  EXPECT_THAT(page, HasSubstr("c?id=504\" rel=\"nofollow\">Limited offer: hosting from one dollar a month</a>"));
  EXPECT_THAT(page, HasSubstr("<li><a href=\"/610006.html\">One title</a></li>\n"
                              "<li><a href=\"/718360.html\">A third</a></li>\n"));
}

}  // namespace
}  // namespace paraprint
