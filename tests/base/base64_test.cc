#include "base/base64.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <string>

namespace paraprint {
namespace {

// RFC 4648, section 10.
TEST(Base64, MatchesTheTestVectorsOfTheStandard) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foob"), "Zm9vYg==");
  EXPECT_EQ(base64("fooba"), "Zm9vYmE=");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base64("\xFB\xFF"), "+/8=");
}

TEST(Base64, RoundTripsAnyBytes) {
  EXPECT_TRUE(rc::check([](const std::string& bytes) { return decode_base64(base64(bytes)) == bytes; }));
}

TEST(Base64, PaddingMayBeMissingButNotWrong) {
  EXPECT_EQ(decode_base64("Zg"), "f");
  EXPECT_EQ(decode_base64("Zm8"), "fo");
  EXPECT_EQ(decode_base64(""), "");
  for (const char* wrong : {"Z",        "Zg=",    "Zg===",  "Zm9v=", "=",        "Zm9vZ",     "Zm 9v",
                            "Zm-_",     "Zh==",   "Zm9=",   "====",  "Zg==Zg==", "Z=9v",      "Zm9v    ",
                            "    Zm9v", "\nZm9v", "Zm9v\n", "Zm9v-", "Zm9vZh",   "\xC3\xA9Zm"}) {
    EXPECT_FALSE(decode_base64(wrong)) << wrong;
  }
}

}  // namespace
}  // namespace paraprint
