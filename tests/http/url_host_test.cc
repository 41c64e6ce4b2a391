#include "http/url_host.h"

#include <gtest/gtest.h>

namespace paraprint {
namespace {

struct Case {
  std::string_view url;
  std::string_view host;
};

TEST(UrlHost, IsWhereABrowserWouldGo) {
  for (const auto& [url, host] : {
           Case{"http://me@News.Example:80/a", "news.example"},
           Case{"https://a.example", "a.example"},
           Case{"https://a.example?b", "a.example"},
           Case{"https://a.example#b@c.example", "a.example"},
           Case{"https://a.example./b", "a.example."},
           Case{"https://b@c@a.example/", "a.example"},
           Case{"https://user:pass@a.example/", "a.example"},
           Case{"http://[2001:DB8::1]:8080/a", "[2001:db8::1]"},
           Case{"http://[2001:db8::1]", "[2001:db8::1]"},
           // Not at the host that a program which takes \ for a part of a name would see.
           Case{"http://a.example\\@trusted.example/", "a.example"},
           Case{"http://a.example\\.trusted.example/", "a.example"},
           Case{"http://a.example/@trusted.example/", "a.example"},
           Case{"http://a.example?@trusted.example/", "a.example"},
           Case{"http://a.example#@trusted.example/", "a.example"},
           // Not the host of an address in a path.
           Case{"http:/a.example/://trusted.example/", ""},
           Case{"a.example/?to=http://trusted.example/", ""},
           Case{"?http://trusted.example/", ""},
           Case{"\\\\a.example\\http://trusted.example/", ""},
           Case{"http:///trusted.example/", ""},
           Case{"dns:a.example", ""},
           Case{"/a", ""},
           Case{"", ""},
           // Names that archives give to what was made of a page.
           Case{"urn:text:https://a.example/b", "a.example"},
       }) {
    EXPECT_EQ(url_host(url), host) << url;
  }
}

}  // namespace
}  // namespace paraprint
