// Headers as the tools that make indexes read them, within limits.
#include "cdx/stored_fields.h"

#include <gtest/gtest.h>

#include "http/header_block.h"

namespace paraprint {
namespace {

TEST(StoredFields, ReadsHeadersAsIndexersDo) {
  const std::string header = "HTTP/1.1 200 OK \r\nA: 1\r\n b\r\nno colon\r\n c\r\nD :\xe9\r\n \r\n";
  const StoredFields fields = read_stored_fields(header + "body: 1\r\n");
  EXPECT_EQ(fields.first_line, "HTTP/1.1 200 OK");
  EXPECT_EQ(fields.size_bytes, header.size());
  ASSERT_EQ(fields.fields.size(), 2U);
  EXPECT_EQ(*fields.find("a"), "1 b");
  EXPECT_EQ(*fields.find("d"), "\u00e9");
  EXPECT_EQ(fields.find("body"), nullptr);
}

// Each would otherwise become two strings of many times its size.
TEST(StoredFields, FindsTheEndOfLongHeadersWithoutTheirFields) {
  constexpr std::size_t kLines = 1'000'000;
  std::string header = "HTTP/1.1 200 OK\r\n";
  for (std::size_t i = 0; i < kLines; ++i) header += "a:\n";
  header += " folded\r\nLast: 1\r\n\r\n";
  const StoredFields fields = read_stored_fields(header + "body");
  EXPECT_EQ(fields.size_bytes, header.size());
  EXPECT_LE(fields.fields.size(), kParsedHeaderBytesMaximum / 3);
  EXPECT_GT(fields.fields.size(), kParsedHeaderBytesMaximum / 3 - 10);
  EXPECT_EQ(fields.find("last"), nullptr);
}

}  // namespace
}  // namespace paraprint
