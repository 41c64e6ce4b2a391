// Shapes of addresses, and repetitions in paths.
#include "web/url_shape.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace paraprint {
namespace {

Url url(std::string_view text) {
  UrlParser parser;
  return parser.parse(text).value();
}

std::string shape(std::string_view text) {
  return url_shape(url(text));
}

TEST(UrlShape, ReplacesNumbersAndIdentifiers) {
  EXPECT_EQ(shape("https://a.example/calendar/2031/05?view=month&day=3"), "a.example/calendar/#/#?view&day");
  EXPECT_EQ(shape("http://a.example/calendar/2031/06?view=week&day=4"), "a.example/calendar/#/#?view&day");
  EXPECT_EQ(shape("http://a.example/s/9f86d081884c7d65/x"), "a.example/s/*/x");
  EXPECT_EQ(shape("http://a.example/item-12.html"), "a.example/item-#.html");
  EXPECT_EQ(shape("http://a.example/page12b/"), "a.example/page#b/");
}

TEST(UrlShape, KeepsWords) {
  EXPECT_EQ(shape("http://a.example/news/harbour-walk"), "a.example/news/harbour-walk");
  EXPECT_NE(shape("http://a.example/news/harbour"), shape("http://a.example/news/bridge"));
  EXPECT_NE(shape("http://a.example/?a=1"), shape("http://a.example/?b=1"));
  EXPECT_NE(shape("http://a.example/1"), shape("http://b.example/1"));
}

TEST(UrlShape, CountsRepeatedSegments) {
  EXPECT_EQ(repeated_path_segments(url("http://a.example/")), 1u);
  EXPECT_EQ(repeated_path_segments(url("http://a.example/x/y")), 1u);
  EXPECT_EQ(repeated_path_segments(url("http://a.example/a/a/a")), 3u);
  EXPECT_EQ(repeated_path_segments(url("http://a.example/a/b/a/b/a/b/c")), 3u);
  EXPECT_EQ(repeated_path_segments(url("http://a.example/x/a/b/c/a/b/c")), 2u);
  EXPECT_EQ(repeated_path_segments(url("http://a.example/a/b/a/c/a/d")), 1u);
  EXPECT_EQ(repeated_path_segments(url("http://a.example/a?/a/a/a")), 1u);
}

// By its definition: every run of segments, compared with the one before it.
std::size_t repetitions_by_definition(const std::vector<std::string>& segments) {
  std::size_t most = 1;
  for (std::size_t length = 1; 2 * length <= segments.size(); ++length) {
    std::size_t equal = 0;
    for (std::size_t i = length; i < segments.size(); ++i) {
      equal = segments[i] == segments[i - length] ? equal + 1 : 0;
      most = std::max(most, equal / length + 1);
    }
  }
  return most;
}

TEST(UrlShape, CountsRepetitionsAsDefined) {
  std::mt19937 random(1);
  for (int round = 0; round < 20'000; ++round) {
    const std::size_t letters = 1 + random() % 3;
    std::vector<std::string> segments;
    std::string path;
    for (std::size_t i = 1 + random() % 24; i > 0; --i) {
      segments.emplace_back(1, static_cast<char>('a' + random() % letters));
      path += "/" + segments.back();
    }
    Url address;
    address.target = path + "?/a/a/a/a/a";
    ASSERT_EQ(repeated_path_segments(address), repetitions_by_definition(segments)) << path;
  }
}

}  // namespace
}  // namespace paraprint
