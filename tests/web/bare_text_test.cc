// Texts without the addresses of their pages.
#include "web/bare_text.h"

#include <gtest/gtest.h>

namespace paraprint {
namespace {

struct Missing {
  const char* text;
  const char* url;
};

TEST(BareText, LacksTheAddress) {
  constexpr Missing kAlike[] = {
      {"Not found: .\nSorry.", "https://example.org/"},
      {"Not found: /bcdf.\nSorry.", "https://example.org/bcdf"},
      {"Not  found:\tbcdf. Sorry.\n", "https://example.org/bcdf"},
      {"Not found: https://example.org/a/b?c=1.\nSorry.", "https://example.org/a/b?c=1"},
      {"Not found: example.org/a.\nSorry.", "https://example.org/a"},
      {"Not found: /a b/\xC3\xA9.\nSorry.", "https://example.org/a%20b/%C3%A9"},
      {"Not found: /a%20b.\nSorry.", "https://example.org/a%20b"},
      {"Not found: /x%zz%4.\nSorry.", "https://example.org/x%zz%4"},
      {"Not found: /twice/twice.\nSorry.", "https://example.org/twice"},
  };
  const std::uint64_t expected = bare_text_hash(kAlike[0].text, kAlike[0].url);
  EXPECT_NE(expected, 0u);
  for (const auto& [text, url] : kAlike) EXPECT_EQ(bare_text_hash(text, url), expected) << text;
  constexpr Missing kOther[] = {
      {"Not found: /other.\nSorry.", "https://example.org/bcdf"},
      {"Not found: .\nSorry!", "https://example.org/"},
      {"Not found: /bcdf/more.\nSorry.", "https://example.org/bcdf"},
      {"t found: .\nSorry.", "https://example.org/No"},  // too short to be taken out of words
  };
  for (const auto& [text, url] : kOther) EXPECT_NE(bare_text_hash(text, url), expected) << text;
}

TEST(BareText, IsNothingWithoutWords) {
  EXPECT_EQ(bare_text_hash("", "http://a.example/"), 0u);
  EXPECT_EQ(bare_text_hash("http://a.example/gone!", "http://a.example/gone"), 0u);
  EXPECT_EQ(bare_text_hash("gone", ""), bare_text_hash("gone", "http://a.example/"));
  EXPECT_NE(bare_text_hash("\xE7\x84\xA1", "http://a.example/"), 0u);
}

}  // namespace
}  // namespace paraprint
