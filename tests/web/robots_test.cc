// robots.txt: the examples of RFC 9309, untidy files, and an exhaustive comparison of pattern matching.
#include "web/robots.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "web/wildcard.h"

namespace paraprint {
namespace {

bool allows(std::string_view rules, std::string_view target, std::string_view token = "paraprint") {
  return RobotsRules::parse(rules, token).allows(target);
}

// RFC 9309 5.1
constexpr std::string_view kSimpleExample =
    "User-Agent: *\n"
    "Disallow: *.gif$\n"
    "Disallow: /example/\n"
    "Allow: /publications/\n"
    "\n"
    "User-Agent: foobot\n"
    "Disallow:/\n"
    "Allow:/example/page.html\n"
    "Allow:/example/allowed.gif\n"
    "\n"
    "User-Agent: barbot\n"
    "User-Agent: bazbot\n"
    "Disallow: /example/page.html\n"
    "\n"
    "User-Agent: quxbot\n";

TEST(Robots, MatchesTheSimpleExampleOfTheRfc) {
  for (const char* general : {"paraprint", "otherbot"}) {
    EXPECT_FALSE(allows(kSimpleExample, "/a.gif", general));
    EXPECT_TRUE(allows(kSimpleExample, "/a.gif?x", general));
    EXPECT_FALSE(allows(kSimpleExample, "/example/page.html", general));
    EXPECT_TRUE(allows(kSimpleExample, "/publications/a", general));
    EXPECT_TRUE(allows(kSimpleExample, "/", general));
  }
  EXPECT_TRUE(allows(kSimpleExample, "/example/page.html", "foobot"));
  EXPECT_TRUE(allows(kSimpleExample, "/example/allowed.gif", "foobot"));
  EXPECT_FALSE(allows(kSimpleExample, "/example/", "foobot"));
  EXPECT_FALSE(allows(kSimpleExample, "/", "foobot"));
  for (const char* either : {"barbot", "bazbot"}) {
    EXPECT_FALSE(allows(kSimpleExample, "/example/page.html", either));
    EXPECT_TRUE(allows(kSimpleExample, "/a.gif", either));
  }
  EXPECT_TRUE(allows(kSimpleExample, "/example/page.html", "quxbot"));
}

// RFC 9309 5.2: the longest match wins.
TEST(Robots, MatchesTheLongestMatchExampleOfTheRfc) {
  constexpr std::string_view kRules =
      "User-Agent: foobot\nAllow: /example/page/\nDisallow: /example/page/disallowed.gif\n";
  EXPECT_FALSE(allows(kRules, "/example/page/disallowed.gif", "foobot"));
  EXPECT_TRUE(allows(kRules, "/example/page/other.gif", "foobot"));
}

// RFC 9309 2.2.1: all groups of a crawler are merged; names are case-insensitive.
TEST(Robots, MergesGroups) {
  constexpr std::string_view kRules =
      "user-agent: ExampleBot\ndisallow: /foo\ndisallow: /bar\n\nuser-agent: ExampleBot/2.0\ndisallow: /baz\n"
      "user-agent: *\ndisallow: /\n";
  for (const char* target : {"/foo", "/bar", "/baz"}) EXPECT_FALSE(allows(kRules, target, "examplebot")) << target;
  EXPECT_TRUE(allows(kRules, "/qux", "EXAMPLEBOT"));
  EXPECT_FALSE(allows(kRules, "/qux", "Example"));
}

// RFC 9309 2.2.2: the table of encodings.
TEST(Robots, ComparesEncodedAndPlainOctets) {
  struct Row {
    std::string_view rule;
    std::string_view target;
  };
  for (const Row& row : {
           Row{"/foo/bar?baz=quz", "/foo/bar?baz=quz"},
           Row{"/foo/bar?baz=https://foo.bar", "/foo/bar?baz=https%3A%2F%2Ffoo.bar"},
           Row{"/foo/bar?baz=https%3a%2F%2ffoo.bar", "/foo/bar?baz=https://foo.bar"},
           Row{"/foo/bar/\xE3\x83\x84", "/foo/bar/%E3%83%84"},
           Row{"/foo/bar/%E3%83%84", "/foo/bar/%e3%83%84"},
           Row{"/foo/bar/%62%61%7A", "/foo/bar/baz"},
           Row{"/foo/bar/baz", "/foo/bar/%62%61%7A"},
       }) {
    const std::string rules = "user-agent: *\ndisallow: " + std::string(row.rule) + "\n";
    EXPECT_FALSE(allows(rules, row.target)) << row.rule << " " << row.target;
  }
  // An encoded slash is not a slash in a path.
  EXPECT_TRUE(allows("user-agent: *\ndisallow: /a/b\n", "/a%2Fb"));
}

// RFC 9309 2.2.3
TEST(Robots, SpecialCharacters) {
  const auto disallows = [](std::string_view pattern, std::string_view target) {
    return !allows("user-agent: *\ndisallow: " + std::string(pattern) + "\n", target);
  };
  EXPECT_TRUE(disallows("/this/path/exactly$", "/this/path/exactly"));
  EXPECT_FALSE(disallows("/this/path/exactly$", "/this/path/exactly/not"));
  EXPECT_TRUE(disallows("/this/*/exactly", "/this/any/where/exactly/more"));
  EXPECT_FALSE(disallows("/this/*/exactly", "/this/exactly"));
  EXPECT_TRUE(disallows("/path/file-with-a-%2A.html", "/path/file-with-a-*.html"));
  EXPECT_FALSE(disallows("/path/file-with-a-%2A.html", "/path/file-with-a-b.html"));
  EXPECT_TRUE(disallows("/path/foo-%24", "/path/foo-$"));
  EXPECT_FALSE(disallows("/path/foo-%24", "/path/foo-"));
  EXPECT_TRUE(disallows("/a$b", "/a$b"));
  EXPECT_TRUE(disallows("*", "/anything"));
  EXPECT_TRUE(disallows("/*", "/"));
  EXPECT_TRUE(disallows("/a**b$", "/axxb"));
  EXPECT_TRUE(disallows("/*.php$", "/x/a.php"));
  EXPECT_FALSE(disallows("/*.php$", "/x/a.php5"));
  EXPECT_TRUE(disallows("/a*bc*bc$", "/abcbc"));
  EXPECT_FALSE(disallows("/a*bc*bc$", "/abc"));
  EXPECT_TRUE(disallows("/*/edit", "/a?b=/edit"));
  EXPECT_TRUE(disallows("/$", "/"));
  EXPECT_FALSE(disallows("/$", "/a"));
}

// Whether the pattern matches the text: each character of it, after whatever may come before it.
bool matches_slowly(std::string_view pattern, std::string_view text) {
  std::vector<bool> may_end(text.size() + 1);  // the pattern so far may match this much of the text
  may_end[0] = true;
  for (const char c : pattern) {
    if (c == '$') return may_end[text.size()];
    std::vector<bool> next(text.size() + 1);
    for (std::size_t i = 0; i <= text.size(); ++i) {
      next[i] = c == '*' ? may_end[i] || (i > 0 && next[i - 1]) : i > 0 && may_end[i - 1] && text[i - 1] == c;
    }
    may_end = std::move(next);
  }
  return std::find(may_end.begin(), may_end.end(), true) != may_end.end();
}

TEST(Robots, MatchesLikeExhaustiveSearch) {
  constexpr std::string_view kLetters = "ab*";
  std::vector<std::string> patterns = {""};
  for (std::size_t i = 0; i < patterns.size() && patterns[i].size() < 5; ++i) {
    for (const char c : kLetters) patterns.push_back(patterns[i] + c);
  }
  std::vector<std::string> targets = {""};
  for (std::size_t i = 0; i < targets.size() && targets[i].size() < 5; ++i) {
    for (const char c : {'a', 'b'}) targets.push_back(targets[i] + c);
  }
  for (const std::string& inner : patterns) {
    for (const char* end : {"", "$"}) {
      const std::string pattern = "/" + inner + end;
      const RobotsRules rules = RobotsRules::parse("user-agent: *\ndisallow: " + pattern, "paraprint");
      for (const std::string& target : targets) {
        ASSERT_EQ(!rules.allows("/" + target), matches_slowly(pattern, "/" + target)) << pattern << " /" << target;
      }
    }
  }
}

TEST(Robots, AllowWinsOverDisallowOfEqualLength) {
  EXPECT_TRUE(allows("user-agent: *\ndisallow: /folder\nallow: /folder\n", "/folder/x"));
  EXPECT_TRUE(allows("user-agent: *\nallow: /folder\ndisallow: /folder\n", "/folder/x"));
  EXPECT_FALSE(allows("user-agent: *\nallow: /p\ndisallow: /*.html\n", "/page.html"));
}

TEST(Robots, RobotsTxtItselfIsAlwaysAllowed) {
  EXPECT_TRUE(RobotsRules::disallow_all().allows("/robots.txt"));
  EXPECT_FALSE(RobotsRules::disallow_all().allows("/"));
  EXPECT_FALSE(RobotsRules::disallow_all().allows("/robots.txt2"));
  EXPECT_TRUE(RobotsRules().allows("/anything"));
}

TEST(Robots, ParsesUntidyFiles) {
  EXPECT_FALSE(allows("\xEF\xBB\xBFUser-Agent: *\r\nDisallow: /a\r\n", "/a"));
  EXPECT_FALSE(allows("user-agent:*#all\rdisallow :  /a  # not this\r", "/a/b"));
  EXPECT_TRUE(allows("user-agent: *\ndisallow:\n", "/a"));
  EXPECT_TRUE(allows("disallow: /\n", "/a"));
  EXPECT_TRUE(allows("<html>not found</html>", "/a"));
  EXPECT_TRUE(allows(std::string_view("\0\0\0", 3), "/a"));
  // Other lines do not end a group.
  EXPECT_FALSE(allows("user-agent: a\nsitemap: /s\nfoo: bar\nuser-agent: paraprint\ndisallow: /a\n", "/a", "a"));
}

TEST(Robots, CrawlDelayAndSitemaps) {
  constexpr std::string_view kRules =
      "Sitemap: https://example.org/one.xml\nuser-agent: *\ncrawl-delay: 10\ndisallow: /a\nSITEMAP: /two.xml\n"
      "user-agent: paraprint\ncrawl-delay: 2.5\n";
  const RobotsRules named = RobotsRules::parse(kRules, "paraprint");
  EXPECT_DOUBLE_EQ(named.crawl_delay_seconds(), 2.5);
  EXPECT_TRUE(named.allows("/a"));
  EXPECT_EQ(named.sitemaps(), (std::vector<std::string>{"https://example.org/one.xml", "/two.xml"}));
  EXPECT_DOUBLE_EQ(RobotsRules::parse(kRules, "other").crawl_delay_seconds(), 10);
  for (const char* bad : {"crawl-delay: -1", "crawl-delay: soon", "crawl-delay: inf", "crawl-delay:"}) {
    EXPECT_LT(RobotsRules::parse("user-agent: *\n" + std::string(bad), "x").crawl_delay_seconds(), 0) << bad;
  }
}

TEST(Robots, ReadsTheFirst500KiB) {
  const std::string head = "user-agent: *\ndisallow: /early\n";
  std::string rules = head + std::string(kRobotsBytesMaximum - head.size() - 10, '#') + "\ndisallow: /late\n";
  EXPECT_FALSE(allows(rules, "/early"));
  EXPECT_TRUE(allows(rules, "/late"));
  EXPECT_TRUE(allows(rules, "/"));  // "disallow: /", the rest of the truncated line, is dropped
}

TEST(Robots, ProductToken) {
  EXPECT_EQ(product_token("paraprint/0.1 (+https://example.org)"), "paraprint");
  EXPECT_EQ(product_token("My_Bot-x 2"), "My_Bot-x");
  EXPECT_EQ(product_token("/"), "");
}

// RFC 9309 wants all rules of the first 500 KiB to count, so memory is bounded by a multiple of that size.
TEST(Robots, MemoryOfAHostileFileIsBounded) {
  for (const std::string line :
       {"Allow:/\n", "Allow:*/*/*/*/*/*/*/*/*/*/*/*/*/*\n", "Sitemap:x\n", "Disallow:/abcdefghijklmnop\n"}) {
    std::string file = "User-agent: *\nDisallow: /first\n";
    while (file.size() < kRobotsBytesMaximum) file += line;
    RobotsRules rules = RobotsRules::parse(file, "paraprint");
    EXPECT_FALSE(rules.allows("/first")) << line;
    EXPECT_LT(rules.memory_bytes(), 40 * kRobotsBytesMaximum) << line;
    EXPECT_GE(rules.memory_bytes(), rules.rule_count() * sizeof(std::string)) << line;
    rules.forget_sitemaps();
    EXPECT_TRUE(rules.sitemaps().empty());
  }
}

std::string repeated(std::string_view unit, std::size_t size_bytes) {
  std::string text;
  while (text.size() + unit.size() <= size_bytes) text += unit;
  return text;
}

std::uint64_t steps_of(std::string_view file, std::string_view target, bool is_allowed) {
  std::uint64_t steps = 0;
  EXPECT_EQ(RobotsRules::parse(file, "paraprint").allows(target, &steps), is_allowed);
  return steps;
}

constexpr std::size_t kTargetBytes = 2000;  // of the longest addresses that are requested

// Patterns that nearly fit everywhere in an address. What cannot be decided within the bound is not requested.
TEST(Robots, WorkOnAHostileFileIsBounded) {
  const std::string target = "/" + repeated("a", kTargetBytes);
  const std::string stars = repeated("*a", 900);
  for (const std::string& line : {
           "Disallow: /" + repeated("*aaaaaaab", 900) + "\n",
           "Disallow: /*" + repeated("a", 900) + "b\n",
           "Disallow: /" + stars + "b\n",
           std::string("Disallow: /*aaaaaaaaab\n"),
           std::string("Allow: /*b\nDisallow: /*aab\n"),
       }) {
    const std::string file = "User-agent: *\n" + repeated(line, kRobotsBytesMaximum - 20);
    std::uint64_t steps = 0;
    const RobotsRules rules = RobotsRules::parse(file, "paraprint");
    const bool is_allowed = rules.allows(target, &steps);
    // One search for a piece may go beyond it.
    EXPECT_LE(steps, RobotsRules::kStepsMaximum + 16 * kTargetBytes) << line;
    EXPECT_EQ(is_allowed, steps <= RobotsRules::kStepsMaximum) << line;
    EXPECT_TRUE(rules.allows("/short")) << line;
  }
  // A long piece that nearly fits everywhere costs no more for each byte of the address than a short one.
  const std::string file = "User-agent: *\n" + repeated("Disallow: /*" + repeated("a", 900) + "b\n", 500'000);
  EXPECT_LT(steps_of(file, target, true), RobotsRules::kStepsMaximum);
}

// What takes the time of a search: places that have the first byte of a piece, and bytes where it nearly fits. A step
// must not stand for more of them.
TEST(Robots, StepsAreCountedWherePiecesNearlyFit) {
  const std::string target = "/" + repeated("a", kTargetBytes);
  for (const std::string piece : {"aab", "ab", "aaaaaaaaab", "aabaaaaaaa"}) {
    EXPECT_GT(steps_of("User-agent: *\nDisallow: /*" + piece + "\n", target, true), 2 * kTargetBytes) << piece;
    EXPECT_LT(steps_of("User-agent: *\nDisallow: /*" + piece + "\n", target, true), 16 * kTargetBytes) << piece;
  }
  EXPECT_LT(steps_of("User-agent: *\nDisallow: /*?b\n", target, true), kTargetBytes / 8);
}

// Patterns and addresses of few letters, which nearly fit often: some short, some long enough for the other search.
TEST(Robots, PatternsMatchAsIfAllWereTried) {
  std::mt19937 random(11);
  std::size_t matching = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string pattern = "/";
    for (std::size_t size = random() % 12; size > 0; --size) pattern += "aaaaab*"[random() % 7];
    if (random() % 4 == 0) pattern += '$';
    std::string target = "/";
    for (std::size_t size = random() % (i % 4 == 0 ? 300 : 12); size > 0; --size) target += "aaaaaab"[random() % 7];
    const bool matches = WildcardPattern(pattern).matches(target);
    EXPECT_EQ(matches, matches_slowly(pattern, target)) << pattern << ' ' << target;
    matching += matches ? 1 : 0;
  }
  EXPECT_GT(matching, 1000U);
  EXPECT_LT(matching, 19'000U);
}

// A file of the maximum size with patterns as people write them is decided as ever, for the longest address, too.
TEST(Robots, LargeOrdinaryFilesAreWithinTheBound) {
  std::string file = "User-agent: *\n";
  for (int rule = 0; file.size() + 100 < kRobotsBytesMaximum; ++rule) {
    const std::string number = std::to_string(rule);
    file += "Disallow: /shop/category-" + number + "/\nDisallow: /*?session=" + number + "\nDisallow: /*.gif$\n";
  }
  file += "Disallow: /*last-one\n";
  const std::string path = "/shop/" + repeated("articles/about-things.html?and=more&", kTargetBytes - 20);
  EXPECT_LT(steps_of(file, path, true), RobotsRules::kStepsMaximum / 2);
  EXPECT_LT(steps_of(file, path + "last-one", false), RobotsRules::kStepsMaximum / 2);
  EXPECT_LT(steps_of(file, "/index.html", true), std::uint64_t{1} << 19);
}

}  // namespace
}  // namespace paraprint
