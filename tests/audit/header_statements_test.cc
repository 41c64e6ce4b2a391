// What headers of responses say, as servers write them.
#include "audit/header_statements.h"

#include <gtest/gtest.h>

namespace paraprint {
namespace {

TEST(HeaderStatements, TakesStatusTargetAndDirectives) {
  const HeaderStatements header = read_header_statements(
      "HTTP/1.1 301 Moved\r\nlocation: /new\r\nX-Robots-Tag: noindex\r\nX-Robots-Tag: nofollow\r\n\r\nbody");
  EXPECT_EQ(header.status, 301);
  EXPECT_EQ(header.location, "/new");
  EXPECT_EQ(header.robots, (std::vector<std::string>{"noindex", "nofollow"}));
  EXPECT_EQ(header.canonical, "");
}

TEST(HeaderStatements, FindsTheCanonicalLinkAmongOthers) {
  const auto canonical = [](std::string_view value) {
    return read_header_statements("HTTP/2 200\r\nLink: " + std::string(value) + "\r\n\r\n").canonical;
  };
  EXPECT_EQ(canonical("</a>; rel=\"canonical\""), "/a");
  EXPECT_EQ(canonical("</style>; rel=preload, <https://example.org/a,b>; REL=Canonical"), "https://example.org/a,b");
  EXPECT_EQ(canonical("</a>; rel=\"next canonical\""), "/a");
  EXPECT_EQ(canonical("</canonical>; rel=next"), "");
  EXPECT_EQ(canonical("</a; rel=canonical"), "");
  EXPECT_EQ(canonical("<"), "");
}

TEST(HeaderStatements, OfAnythingElseSaysNothing) {
  for (const std::string_view message : {"", "\r\n\r\n", "<html>", "HTTP/1.1", "HTTP/1.1 abc", "200 OK\r\n\r\n"}) {
    EXPECT_EQ(read_header_statements(message).status, 0) << message;
  }
}

TEST(HeaderStatements, BodiesAreWithoutTransferCoding) {
  EXPECT_EQ(body_of_response("HTTP/1.1 200 OK\r\n\r\nabc", true), "abc");
  EXPECT_EQ(body_of_response("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n", true),
            "abc");
  // Some archives store the body without its chunks, and the header as it was.
  EXPECT_EQ(body_of_response("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n<urlset>", true), "<urlset>");
  EXPECT_EQ(body_of_response("abc", false), "abc");
  EXPECT_EQ(body_of_response("abc", true), "");
}

}  // namespace
}  // namespace paraprint
