// Addresses made comparable.
#include "web/address_key.h"

#include <gtest/gtest.h>

namespace paraprint {
namespace {

TEST(AddressKey, IsTheSameForTheUsualFormsOfAnAddress) {
  for (const char* url : {"http://news.example/a", "https://news.example/a/", "https://www.News.example/a#top",
                          "http://news.example/a//", "http://me@news.example:80/a"}) {
    EXPECT_EQ(address_key(url), "news.example/a") << url;
  }
}

TEST(AddressKey, KeepsPathAndQueryAsTheyAre) {
  EXPECT_EQ(address_key("http://news.example/A/b?id=7&x=/"), "news.example/A/b?id=7&x=");
  EXPECT_EQ(address_key("http://news.example?id=7"), "news.example?id=7");
  EXPECT_EQ(address_key("http://news.example"), "news.example");
  EXPECT_EQ(address_key("http://news.example\\@b.example/c"), "news.example\\@b.example/c");
  EXPECT_EQ(address_key("http://a.example/to/http://b.example/c"), "a.example/to/http://b.example/c");
}

TEST(AddressKey, IsEmptyWithoutAHost) {
  for (const char* url : {"", "/a/b", "dns:a.example", "http://", "#top", "news.example/a"}) {
    EXPECT_EQ(address_key(url), "") << url;
  }
}

TEST(HostKey, LeavesOutTheCommonLabel) {
  EXPECT_EQ(host_key("http://www.news.example/www.a"), "news.example");
  EXPECT_EQ(host_key("http://wwwnews.example/"), "wwwnews.example");
}

}  // namespace
}  // namespace paraprint
