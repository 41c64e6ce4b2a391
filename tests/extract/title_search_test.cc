#include "extract/title_search.h"

#include <gtest/gtest.h>

#include <random>

namespace paraprint {
namespace {

std::string letters_in(std::string_view text) {
  std::string letters;
  append_letters(text, letters);
  return letters;
}

TEST(TitleSearch, ComparesLettersAndDigitsOnly) {
  TitleSearch search;
  search.set_title("The Old Ferry - 2nd part | River News");
  EXPECT_EQ(search.size(), letters_in("theoldferry2ndpartrivernews").size());
  EXPECT_TRUE(search.contains(letters_in("the OLD ferry")));
  EXPECT_TRUE(search.contains(letters_in("River-News")));
  EXPECT_FALSE(search.contains(letters_in("the new ferry")));
  EXPECT_TRUE(search.may_begin("T-h"));
  EXPECT_FALSE(search.may_begin("xy"));
}

TEST(TitleSearch, FindsNothingInAnEmptyTitle) {
  TitleSearch search;
  search.set_title(" | ");
  EXPECT_EQ(search.size(), 0U);
  EXPECT_FALSE(search.contains("a"));
  EXPECT_FALSE(search.may_begin("a"));
}

// The first searches and the later ones, which use sorted positions, must agree.
TEST(TitleSearch, AgreesWithASearchFromTheBeginning) {
  std::mt19937 random(1);
  for (const std::size_t title_bytes : {1, 2, 7, 60, 256, 257, 1000, 1024}) {
    std::string title;
    for (std::size_t i = 0; i < title_bytes; ++i) title.push_back(static_cast<char>('a' + random() % 2));
    TitleSearch search;
    search.set_title(title);
    for (int i = 0; i < 500; ++i) {
      std::string wanted = title.substr(random() % title.size(), random() % TitleSearch::kTextBytes + 1);
      if (i % 2 == 0) wanted[random() % wanted.size()] ^= 'a' ^ 'b';
      ASSERT_EQ(search.contains(wanted), title.find(wanted) != std::string::npos) << title << ' ' << wanted;
    }
  }
}

TEST(TitleSearch, SearchesTheBeginningOfAVeryLongTitle) {
  const std::string title = std::string(TitleSearch::kLettersSearched, 'a') + "bcd";
  TitleSearch search;
  search.set_title(title);
  EXPECT_EQ(search.size(), title.size());
  EXPECT_TRUE(search.contains(std::string(TitleSearch::kTextBytes, 'a')));
  EXPECT_FALSE(search.contains("bcd"));
}

}  // namespace
}  // namespace paraprint
