#include "base/base32.h"

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

namespace paraprint {
namespace {

std::string encode(std::string_view text) {
  const std::vector<std::uint8_t> bytes(text.begin(), text.end());
  return base32(bytes);
}

// RFC 4648, section 10.
TEST(Base32, MatchesTheTestVectorsOfTheStandard) {
  EXPECT_EQ(encode(""), "");
  EXPECT_EQ(encode("f"), "MY======");
  EXPECT_EQ(encode("fo"), "MZXQ====");
  EXPECT_EQ(encode("foo"), "MZXW6===");
  EXPECT_EQ(encode("foob"), "MZXW6YQ=");
  EXPECT_EQ(encode("fooba"), "MZXW6YTB");
  EXPECT_EQ(encode("foobar"), "MZXW6YTBOI======");
}

TEST(Base32, EncodesAllOnesAndAllZeros) {
  EXPECT_EQ(encode("\xFF\xFF\xFF\xFF\xFF"), "77777777");
  EXPECT_EQ(encode(std::string_view("\0\0\0\0\0", 5)), "AAAAAAAA");
}

}  // namespace
}  // namespace paraprint
