// Parsing of request targets, and routing.
#include "serve/target.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "serve/routes.h"

namespace paraprint {
namespace {

using testing::ElementsAre;

TEST(Target, SegmentsAreDecodedSeparately) {
  const Answer<Target> target = parse_target("/v1/pages/https%3A%2F%2Fexample.org%2Fa%20b?x=1&y=a+b%2B&&flag");
  ASSERT_TRUE(target);
  EXPECT_THAT(target->segments, ElementsAre("v1", "pages", "https://example.org/a b"));
  ASSERT_EQ(target->parameters.size(), 3U);
  EXPECT_EQ(target->parameters[1].name, "y");
  EXPECT_EQ(target->parameters[1].value, "a b+");
  EXPECT_EQ(target->parameters[2].name, "flag");
  EXPECT_EQ(target->parameters[2].value, "");
}

TEST(Target, PlusIsASpaceOnlyInQueries) {
  EXPECT_THAT(parse_target("/a+b")->segments, ElementsAre("a+b"));
}

TEST(Target, InvalidTargetsAreRefused) {
  for (const char* target : {"", "v1/pages", "*", "http://x/", "/%", "/%4", "/%zz", "/%ff", "/a?x=%c3", "/?%e4=1"}) {
    const Answer<Target> parsed = parse_target(target);
    ASSERT_FALSE(parsed) << target;
    EXPECT_EQ(parsed.error().refusal, Refusal::kBadTarget);
  }
}

TEST(Target, DotSegmentsAreOrdinaryNames) {
  EXPECT_THAT(parse_target("/v1/pages/../../etc/passwd")->segments,
              ElementsAre("v1", "pages", "..", "..", "etc", "passwd"));
}

std::string routed(std::string_view method, std::string_view target) {
  std::string allow;
  const Answer<RoutedTarget> found = find_route(method, target, allow);
  if (found) return std::string(found->route->path) + " " + found->id;
  return std::string(refusal_name(found.error().refusal)) + (allow.empty() ? "" : " " + allow);
}

TEST(Routes, MatchesPathsAndMethods) {
  EXPECT_EQ(routed("GET", "/v1/pages/a%2Fb"), "/v1/pages/{id} a/b");
  EXPECT_EQ(routed("DELETE", "/v1/pages/%2e%2e"), "/v1/pages/{id} ..");
  EXPECT_EQ(routed("GET", "/v1/pages?url=x"), "/v1/pages ");
  EXPECT_EQ(routed("HEAD", "/v1/pages/a"), "/v1/pages/{id} a");
  EXPECT_EQ(routed("PUT", "/v1/pages"), "method-not-allowed POST, GET, HEAD");
  EXPECT_EQ(routed("POST", "/healthz"), "method-not-allowed GET, HEAD");
  EXPECT_EQ(routed("HEAD", "/v1/lookup"), "method-not-allowed POST");
  std::string allow;
  ASSERT_TRUE(find_route("DELETE", "/v1/pages/a", allow));
  EXPECT_EQ(allow, "");
  EXPECT_EQ(routed("GET", "/v1/backups/a"), "no-such-call");
  for (const char* target : {"/", "/v1", "/v1/pages/", "/v1/pages/a/b", "/V1/stats", "/v1/stats/", "//v1/stats",
                             "/v1/pages/../../etc/passwd", "/healthz/.."}) {
    EXPECT_EQ(routed("GET", target), "no-such-call") << target;
  }
}

TEST(Routes, NoTwoRowsAreAlike) {
  std::set<std::string> seen;
  for (const Route& route : kRoutes) {
    EXPECT_TRUE(seen.insert(std::string(route.method) + " " + std::string(route.path)).second);
  }
}

}  // namespace
}  // namespace paraprint
