#include "base/nearest_name.h"

#include <gtest/gtest.h>

#include <array>
#include <string_view>

namespace paraprint {
namespace {

constexpr std::array<std::string_view, 3> kNames = {"simhash-64", "scam", "simhash-65"};

std::string_view nearest(std::string_view name) {
  return nearest_name(name, kNames, [](std::string_view known) { return known; });
}

TEST(NearestName, HasTheFewestChangedLettersAndIsTheFirstOfEquals) {
  EXPECT_EQ(nearest("simhash64"), "simhash-64");
  EXPECT_EQ(nearest("simhash-6"), "simhash-64");
  EXPECT_EQ(nearest("simhash_65"), "simhash-65");
  EXPECT_EQ(nearest("scan"), "scam");
}

TEST(NearestName, CountsExchangedLettersOnce) {
  EXPECT_EQ(edit_distance("naer", "near"), 1U);
  EXPECT_EQ(edit_distance("naer", "never"), 2U);
  EXPECT_EQ(edit_distance("abcd", "badc"), 2U);
  EXPECT_EQ(edit_distance("", "abc"), 3U);
  EXPECT_EQ(edit_distance("abc", ""), 3U);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
}

TEST(NearestName, IsEmptyIfMoreThanHalfTheLettersDiffer) {
  EXPECT_EQ(nearest("sc"), "scam");  // two of four
  EXPECT_EQ(nearest("s"), "");       // three of four
  EXPECT_EQ(nearest("nosuch"), "");
  EXPECT_EQ(nearest(""), "");
}

TEST(NearestName, SuggestionIsASentenceOrNothing) {
  const auto suggestion = [](std::string_view name) {
    return suggestion_for(name, kNames, [](std::string_view known) { return known; });
  };
  EXPECT_EQ(suggestion("scan"), " did you mean 'scam'?");
  EXPECT_EQ(suggestion("nosuch"), "");
}

}  // namespace
}  // namespace paraprint
