// What an answer may put into later requests.
#include <gtest/gtest.h>

#include <string>

#include "crawl/fetcher.h"

namespace paraprint {
namespace {

std::string etag_of(const std::string& value) {
  FetchResult result;
  result.response_header = "HTTP/1.1 200 OK\r\nETag: " + value + "\r\n\r\n";
  return result.validator("ETag");
}

TEST(FetchResult, ValidatorsCannotBecomeFields) {
  EXPECT_EQ(etag_of("\"abc\""), "\"abc\"");
  EXPECT_EQ(etag_of("W/\"\xC3\xA9 \""), "W/\"\xC3\xA9 \"");
  EXPECT_EQ(etag_of(std::string(1024, 'x')), std::string(1024, 'x'));
  EXPECT_EQ(etag_of(std::string(1025, 'x')), "");
  EXPECT_EQ(etag_of("a\rX-Injected: b"), "");
  EXPECT_EQ(etag_of("a\x1B[31m"), "");
  EXPECT_EQ(etag_of("a\x7F"), "");
  FetchResult without;
  EXPECT_EQ(without.validator("ETag"), "");
}

}  // namespace
}  // namespace paraprint
