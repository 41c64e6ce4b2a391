// Parsing and canonical form of URLs, by the WHATWG URL standard.
#include "web/url.h"

#include <gtest/gtest.h>
#include <lexbor/core/base.h>

#include <cstdlib>
#include <iterator>
#include <new>
#include <random>
#include <string>
#include <utility>

namespace paraprint {
namespace {

struct Case {
  std::string_view reference;
  std::string_view base;
  std::string_view href;  // empty: refused
};

// Derived from the URL standard: parsing, hosts, relative references, percent-encode sets.
constexpr Case kCases[] = {
    // Unchanged, and changed by the canonical form
    {"http://example.org/a/b?c=d", "", "http://example.org/a/b?c=d"},
    {"HTTP://EXAMPLE.org/Path", "", "http://example.org/Path"},
    {"http://example.org", "", "http://example.org/"},
    {"http://example.org?x", "", "http://example.org/?x"},
    {"http://example.org/a#part", "", "http://example.org/a"},
    {"http://example.org/a?#", "", "http://example.org/a?"},
    {"http://user:secret@example.org/", "", "http://example.org/"},
    {"http://example.org:80/", "", "http://example.org/"},
    {"https://example.org:443/", "", "https://example.org/"},
    {"https://example.org:80/", "", "https://example.org:80/"},
    {"http://example.org:0080/", "", "http://example.org/"},
    {"http://example.org:/", "", "http://example.org/"},
    {"  http://example.org/a \n", "", "http://example.org/a"},
    {"http://exa\tmple.org/a\nb", "", "http://example.org/ab"},
    {"http:\\\\example.org\\a\\b", "", "http://example.org/a/b"},
    {"http:example.org", "", "http://example.org/"},
    {"http:////example.org//a", "", "http://example.org//a"},
    // Dot segments
    {"http://example.org/a/./b/../c", "", "http://example.org/a/c"},
    {"http://example.org/../../a", "", "http://example.org/a"},
    {"http://example.org/a/%2e%2E/b", "", "http://example.org/b"},
    {"http://example.org/a/..", "", "http://example.org/"},
    {"http://example.org/a/b/.", "", "http://example.org/a/b/"},
    // Percent-encoding: existing encodings are kept
    {"http://example.org/a b", "", "http://example.org/a%20b"},
    {"http://example.org/%7Euser/%e4", "", "http://example.org/%7Euser/%e4"},
    {"http://example.org/\"<>`{}", "", "http://example.org/%22%3C%3E%60%7B%7D"},
    {"http://example.org/?a='b'\"", "", "http://example.org/?a=%27b%27%22"},
    {"http://example.org/%zz%", "", "http://example.org/%zz%"},
    {"http://example.org/ä?ö=ü", "", "http://example.org/%C3%A4?%C3%B6=%C3%BC"},
    // Hosts
    {"http://EXAMPLE.Org./", "", "http://example.org./"},
    {"http://bücher.example/", "", "http://xn--bcher-kva.example/"},
    {"http://ＧＯ.example/", "", "http://go.example/"},
    {"http://%65xample.org/", "", "http://example.org/"},
    {"http://%45XAMPLE%2Eorg/", "", "http://example.org/"},
    {"http://%31%32%37.1/", "", "http://127.0.0.1/"},
    {"http://192.168.0.1/", "", "http://192.168.0.1/"},
    {"http://0x7f.1/", "", "http://127.0.0.1/"},
    {"http://2130706433/", "", "http://127.0.0.1/"},
    {"http://0177.0.0.01/", "", "http://127.0.0.1/"},
    {"http://127.1/", "", "http://127.0.0.1/"},
    {"http://[::1]/", "", "http://[::1]/"},
    {"http://[2001:DB8:0:0:0:0:0:1]:8080/", "", "http://[2001:db8::1]:8080/"},
    {"http://[::ffff:127.0.0.1]/", "", "http://[::ffff:7f00:1]/"},
    {"http://256.256.256.256/", "", ""},
    {"http://1.2.3.4.5/", "", ""},
    {"http://exa mple.org/", "", ""},
    {"http://exa<mple.org/", "", ""},
    {"http://[::1/", "", ""},
    {"http:///", "", ""},
    {"http://", "", ""},
    {"http://example.org:65536/", "", ""},
    {"http://example.org:b/", "", ""},
    // Relative references
    {"b", "http://example.org/a/x", "http://example.org/a/b"},
    {"../b", "http://example.org/a/c/x", "http://example.org/a/b"},
    {"/b", "http://example.org/a/x?q", "http://example.org/b"},
    {"?p", "http://example.org/a/x?q", "http://example.org/a/x?p"},
    {"#f", "http://example.org/a/x?q", "http://example.org/a/x?q"},
    {"", "http://example.org/a/x?q#f", "http://example.org/a/x?q"},
    {"//other.example/b", "https://example.org/a", "https://other.example/b"},
    {"\\\\other.example\\b", "https://example.org/a", "https://other.example/b"},
    {"http:b", "http://example.org/a/x", "http://example.org/a/b"},
    {"https:b", "http://example.org/a/x", "https://b/"},
    {"./;x=1", "http://example.org/a/", "http://example.org/a/;x=1"},
    {"b", "", ""},
    // Other schemes
    {"mailto:someone@example.org", "http://example.org/", ""},
    {"javascript:void(0)", "http://example.org/", ""},
    {"data:text/html,x", "http://example.org/", ""},
    {"ftp://example.org/a", "http://example.org/", ""},
    {"file:///etc/passwd", "http://example.org/", ""},
    {"tel:+123", "http://example.org/", ""},
};

TEST(Url, FollowsTheStandard) {
  UrlParser parser;
  for (const Case& c : kCases) {
    parser.clear_base();
    if (!c.base.empty()) {
      ASSERT_TRUE(parser.set_base(c.base)) << c.base;
    }
    const std::optional<Url> url = parser.parse(c.reference);
    EXPECT_EQ(url ? url->href : "", c.href) << "'" << c.reference << "' on '" << c.base << "'";
  }
}

TEST(Url, CanonicalFormIsAFixedPoint) {
  UrlParser parser;
  for (const Case& c : kCases) {
    if (c.href.empty()) continue;
    const std::optional<Url> url = parser.parse(c.href);
    ASSERT_TRUE(url) << c.href;
    EXPECT_EQ(url->href, c.href);
    EXPECT_EQ(url->origin() + url->target, c.href);
  }
}

// An address that needs no second look is one that another look would not change.
TEST(Url, CanonicalFormsOfAllKindsAreFixedPoints) {
  constexpr std::string_view kPieces[] = {"a", "B",   "xn--", "xn--mgb", "1", "0x7f",     "255", ".", "..",
                                          "/", "//",  "-",    "_",       "~", "%41",      "%2e", "%", "?",
                                          "&", "=",   "#",    ":",       "@", "\xC3\xA9", "\\",  " ", "'",
                                          "|", "..;", ":80",  "\t",      "$", "!*()"};
  std::minstd_rand random(7);
  UrlParser parser;
  UrlParser other;
  std::size_t accepted = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string reference = i % 2 == 0 ? "http://" : "";
    for (auto count = random() % 9; count > 0; --count) reference += kPieces[random() % std::size(kPieces)];
    parser.set_base("http://b.example/c/d?e");
    const std::optional<Url> url = parser.parse(reference);
    if (!url) continue;
    ++accepted;
    const std::optional<Url> again = other.parse(url->href);
    ASSERT_TRUE(again) << reference;
    EXPECT_EQ(again->href, url->href) << reference;
    EXPECT_EQ(again->host, url->host) << reference;
    EXPECT_EQ(again->target, url->target) << reference;
  }
  EXPECT_GT(accepted, 5'000U);
}

TEST(Url, SaysHowMuchItHasRead) {
  UrlParser parser;
  ASSERT_TRUE(parser.set_base("http://a.example/" + std::string(500, 'x') + "/b?" + std::string(500, 'y')));
  const std::uint64_t before = parser.bytes_read();
  EXPECT_TRUE(parser.parse("c"));
  EXPECT_EQ(parser.bytes_read() - before, 504U);  // the base's path and the reference
  EXPECT_TRUE(parser.parse("%41"));
  EXPECT_GT(parser.bytes_read() - before, 1'500U);  // looked at twice
}

TEST(Url, CanonicalFormIsAscii) {
  UrlParser parser;
  EXPECT_EQ(parser.parse("http://example.org/a%\xB2/b")->href, "http://example.org/a%%B2/b");
  EXPECT_EQ(parser.parse("http://example.org/a%\x01/b")->href, "http://example.org/a%%01/b");
}

TEST(Url, SplitsIntoParts) {
  UrlParser parser;
  const std::optional<Url> url = parser.parse("https://Example.org:8443/a/b?c#d");
  ASSERT_TRUE(url);
  EXPECT_EQ(url->scheme, "https");
  EXPECT_EQ(url->host, "example.org");
  EXPECT_EQ(url->port, 8443);
  EXPECT_EQ(url->target, "/a/b?c");
  EXPECT_EQ(url->origin(), "https://example.org:8443");
  EXPECT_EQ(parser.parse("http://example.org")->port, 80);
  EXPECT_EQ(parser.parse("https://example.org")->port, 443);
}

TEST(Url, EncodesQueriesInTheCharsetOfThePage) {
  UrlParser parser;
  EXPECT_EQ(parser.parse("http://example.org/中?q=中", "gbk")->href, "http://example.org/%E4%B8%AD?q=%D6%D0");
  EXPECT_EQ(parser.parse("http://example.org/?q=中", "utf-8")->href, "http://example.org/?q=%E4%B8%AD");
  EXPECT_EQ(parser.parse("http://example.org/?q=中", "no-charset")->href, "http://example.org/?q=%E4%B8%AD");
}

TEST(Url, RefusesOverlongUrls) {
  UrlParser parser;
  const std::string prefix = "http://example.org/";
  EXPECT_TRUE(parser.parse(prefix + std::string(kUrlBytesMaximum - prefix.size(), 'a')));
  EXPECT_FALSE(parser.parse(prefix + std::string(kUrlBytesMaximum - prefix.size() + 1, 'a')));
  EXPECT_FALSE(parser.parse(prefix + std::string(100'000, 'a')));
}

// A longer name cannot be resolved, and encoding it costs the square of its length.
TEST(Url, RefusesOverlongHosts) {
  UrlParser parser;
  parser.set_base("http://a.example/");
  const std::string longest(254, 'a');
  const std::string too_long(255, 'a');
  EXPECT_TRUE(parser.parse("http://" + longest + "/"));
  for (const std::string& host : {too_long, "x" + longest, "%61" + longest, "\xC3\xA4" + longest}) {
    for (const char* const before :
         {"http://", "//", "\\\\", " hTtP:/", "ht\ntp:/\t/", "https:", "http://user:secret@"}) {
      EXPECT_FALSE(parser.parse(before + host + "/")) << before << host;
    }
  }
  EXPECT_TRUE(parser.parse("http://" + longest + ":8080/"));
  EXPECT_TRUE(parser.parse("http://user:secret@" + longest + ":\t80/"));
  EXPECT_FALSE(parser.parse("http://" + too_long + ":80/"));
  EXPECT_TRUE(parser.parse("/" + too_long));
  EXPECT_TRUE(parser.parse(too_long + "/b"));
  EXPECT_TRUE(parser.parse("?//" + too_long));
  EXPECT_TRUE(parser.parse("http://b.example?" + too_long));
  EXPECT_TRUE(parser.parse("http://" + too_long + "@b.example/" + too_long));
}

// Encoding in Punycode and normalising make a host longer.
TEST(Url, RefusesHostsThatBecomeOverlong) {
  UrlParser parser;
  const auto host = [](const char* part, int times) {
    std::string text;
    for (int i = 0; i < times; ++i) text += part;
    return "http://" + text;
  };
  const auto expect_fixed_point = [&](const std::string& reference) {
    const std::optional<Url> url = parser.parse(reference);
    ASSERT_TRUE(url) << reference;
    const std::optional<Url> again = parser.parse(url->href);
    ASSERT_TRUE(again) << url->href;
    EXPECT_EQ(again->href, url->href);
  };
  constexpr const char* kTelephone = "\u2121";  // "tel"
  for (const char* const rest : {"/", ":8080/"}) {
    expect_fixed_point(host(kTelephone, 84) + ".a" + rest);  // 254 characters
    EXPECT_FALSE(parser.parse(host(kTelephone, 84) + ".aa" + rest));
    expect_fixed_point(host("\u00E9.", 28) + "a" + rest);  // "xn--9ca." each
    EXPECT_FALSE(parser.parse(host("\u00E9.", 110) + "example" + rest));
    EXPECT_FALSE(parser.parse(host("%C3%A9.", 40) + "example" + rest));
  }
  EXPECT_FALSE(parser.set_base(host(kTelephone, 100) + ".example/"));
}

// lexbor's allocations, of which one fails: the one that begins when `left` is 1. Never if it is 0.
struct FailingUrlAllocations {
  static inline int left = 0;
  static bool fails() { return left > 0 && --left == 0; }
  FailingUrlAllocations() {
    left = 0;
    lexbor_memory_setup(
        [](std::size_t size) { return fails() ? nullptr : std::malloc(size); },
        [](void* old, std::size_t size) { return fails() ? nullptr : std::realloc(old, size); },
        [](std::size_t count, std::size_t size) { return fails() ? nullptr : std::calloc(count, size); }, std::free);
  }
  ~FailingUrlAllocations() { lexbor_memory_setup(std::malloc, std::realloc, std::calloc, std::free); }
};

// An address that could not be parsed for lack of memory is not one that is none, and a parser survives it.
TEST(Url, SaysThatMemoryHasRunOut) {
  const FailingUrlAllocations allocations;
  std::string long_path;
  for (int i = 0; i < 200; ++i) long_path += "/s\u00E9";
  int failures = 0;
  for (const std::string& reference : {std::string("http://a.example/"), std::string("http://b\u00FCcher.example/a"),
                                       std::string("/a\nb?\u00E9"), long_path}) {
    bool is_reached = true;
    for (int number = 1; is_reached; ++number) {
      UrlParser parser;
      ASSERT_TRUE(parser.set_base("http://base.example/"));
      FailingUrlAllocations::left = number;
      std::string href;
      try {
        href = parser.parse(reference).value().href;
      } catch (const std::bad_alloc&) {
        ++failures;
      }
      is_reached = std::exchange(FailingUrlAllocations::left, 0) == 0;
      const std::string expected = parser.parse(reference).value().href;
      EXPECT_EQ(parser.parse("http://m\u00FCller.example/").value().host, "xn--mller-kva.example");
      EXPECT_TRUE(href.empty() || href == expected) << href;
    }
  }
  EXPECT_GT(failures, 5);
}

TEST(Url, BaseOutlivesReferences) {
  UrlParser parser;
  ASSERT_TRUE(parser.set_base("http://example.org/a/b"));
  for (int i = 0; i < 1000; ++i) {
    EXPECT_EQ(parser.parse(std::to_string(i))->href, "http://example.org/a/" + std::to_string(i));
  }
}

}  // namespace
}  // namespace paraprint
