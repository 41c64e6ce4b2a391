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
  EXPECT_EQ(cleaned("http://a.example/x/.;jsessionid=1/y"), "http://a.example/x/y");
  EXPECT_EQ(cleaned("http://a.example/x/..;jsessionid=1/y"), "http://a.example/y");
  EXPECT_EQ(cleaned("http://a.example/;jsessionid=1/y"), "http://a.example//y");
}

// Some sites call their articles and sections like sessions.
TEST(UrlCleaning, RemovesAmbiguousParametersWithSessionIds) {
  for (const std::string name : {"sid", "SessionID", "session_id", "sessid"}) {
    const std::string plain = "http://a.example/x";
    EXPECT_EQ(cleaned(plain + "?" + name + "=0123456789abcdef&p=1"), plain + "?p=1");
    EXPECT_EQ(cleaned(plain + "?p=1&" + name + "=0Z23456789ABCDEFghijkl"), plain + "?p=1");
    for (const std::string value : {"", "=", "=7", "=0123456789abcde", "=0123456789012345", "=thestoryoftheyear",
                                    "=24/05/01/1234567", "=0123456789abcdef-1", "=0123456789abcdef%31"}) {
      const std::string url = plain + "?" + name + value;
      EXPECT_EQ(cleaned(url), url);
    }
  }
  EXPECT_EQ(cleaned("http://a.example/x;sid=0123456789abcdef/y"), "http://a.example/x/y");
  EXPECT_EQ(cleaned("http://a.example/x;sid=17/y"), "http://a.example/x;sid=17/y");
  EXPECT_EQ(cleaned("http://a.example/x;sid/y"), "http://a.example/x;sid/y");
}

TEST(UrlCleaning, KeepsOtherParameters) {
  for (const char* url : {"http://a.example/x?id=7&a=1", "http://a.example/x?", "http://a.example/x?&&a=1&",
                          "http://a.example/x;v=1/y", "http://a.example/?sidebar=1", "http://a.example/?q=utm_source",
                          "http://a.example/sid/1", "http://a.example/?s=7&ref=b"}) {
    EXPECT_EQ(cleaned(url), url);
  }
}

TEST(UrlCleaning, IsIdempotent) {
  for (const char* url : {"http://a.example/x;sid=0123456789abcdef;jsessionid=2?sid=0123456789abcdef&b&utm_x",
                          "http://a.example/?&sid=0123456789abcdef&"}) {
    EXPECT_EQ(cleaned(cleaned(url)), cleaned(url));
  }
}

TEST(UrlCleaning, RemovesTheDotAtTheEndOfAHost) {
  UrlParser parser;
  const auto undotted = [&](const std::string& url) { return without_final_dot(parser.parse(url).value()); };
  for (const std::string rest : {"/", "/a./b.?c=d.", ":8080/a"}) {
    const Url url = undotted("https://www.example.org." + rest);
    EXPECT_EQ(url.href, "https://www.example.org" + rest);
    EXPECT_EQ(url.host, "www.example.org");
    EXPECT_EQ(url.href, parser.parse(url.href).value().href);
  }
  for (const std::string url : {"http://localhost./", "http://example.org../", "http://example.org/a.",
                                "http://192.0.2.1/", "http://[2001:db8::1]/"}) {
    EXPECT_EQ(undotted(url).href, url);
  }
}

}  // namespace
}  // namespace paraprint
