// Removal of tracking and session parameters.
#include "web/url_cleaning.h"

#include <gtest/gtest.h>

namespace paraprint {
namespace {

std::string cleaned(std::string_view url) {
  UrlParser parser;
  const Url result = without_tracking(parser.parse(url).value());
  EXPECT_EQ(result.origin() + result.target, result.href);
  return result.href;
}

TEST(UrlCleaning, RemovesTrackingParameters) {
  EXPECT_EQ(cleaned("http://a.example/x?utm_source=mail&id=7&utm_medium=b"), "http://a.example/x?id=7");
  EXPECT_EQ(cleaned("http://a.example/x?id=7&gclid=q"), "http://a.example/x?id=7");
  EXPECT_EQ(cleaned("http://a.example/x?fbclid=q"), "http://a.example/x");
  EXPECT_EQ(cleaned("http://a.example/x?PHPSESSID=abc&p=1"), "http://a.example/x?p=1");
  EXPECT_EQ(cleaned("http://a.example/x;jsessionid=AB12/y?p=1"), "http://a.example/x/y?p=1");
  EXPECT_EQ(cleaned("http://a.example/x;JSESSIONID=AB12"), "http://a.example/x");
  EXPECT_EQ(cleaned("http://a.example/?ASPSESSIONIDABCD=1"), "http://a.example/");
}

TEST(UrlCleaning, ResultIsCanonical) {
  EXPECT_EQ(cleaned("http://a.example/x/.;sid=1/y"), "http://a.example/x/y");
  EXPECT_EQ(cleaned("http://a.example/x/..;sid=1/y"), "http://a.example/y");
  EXPECT_EQ(cleaned("http://a.example/;sid=1/y"), "http://a.example//y");
}

TEST(UrlCleaning, KeepsOtherParameters) {
  for (const char* url : {"http://a.example/x?id=7&a=1", "http://a.example/x?", "http://a.example/x?&&a=1&",
                          "http://a.example/x;v=1/y", "http://a.example/?sidebar=1", "http://a.example/?q=utm_source",
                          "http://a.example/sid/1", "http://a.example/?s=7&ref=b"}) {
    EXPECT_EQ(cleaned(url), url);
  }
}

TEST(UrlCleaning, IsIdempotent) {
  for (const char* url : {"http://a.example/x;sid=1;jsessionid=2?sid=3&b&utm_x", "http://a.example/?&sid=1&"}) {
    EXPECT_EQ(cleaned(cleaned(url)), cleaned(url));
  }
}

}  // namespace
}  // namespace paraprint
