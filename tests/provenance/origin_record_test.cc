// The stored form of what a page says of its origin.
#include "provenance/origin_record.h"

#include <gtest/gtest.h>

#include <string>

namespace paraprint {
namespace {

OriginRecord record() {
  OriginRecord record;
  record.stated.metadata.date_published = "2008-01-07";
  record.stated.metadata.author = "Li Bai";
  record.stated.metadata.source_name = "新华网";
  record.stated.metadata.canonical_url = "https://a.example/1";
  record.stated.date_place = DatePlace::kText;
  record.stated.linked = {{7, 0xFFFFFFFFFFFFFFFF}, {9}};
  record.marks = {{1, 2}, {3, 255}};
  return record;
}

TEST(OriginRecord, IsReadBackAsItWasWritten) {
  std::string bytes;
  encode_origin(record(), bytes);
  OriginRecord read;
  ASSERT_TRUE(decode_origin(bytes, read).has_value());
  EXPECT_EQ(read.stated.metadata.date_published, "2008-01-07");
  EXPECT_EQ(read.stated.metadata.date_modified, "");
  EXPECT_EQ(read.stated.metadata.author, "Li Bai");
  EXPECT_EQ(read.stated.metadata.source_name, "新华网");
  EXPECT_EQ(read.stated.metadata.canonical_url, "https://a.example/1");
  EXPECT_EQ(read.stated.date_place, DatePlace::kText);
  EXPECT_EQ(read.stated.linked.links, record().stated.linked.links);
  EXPECT_EQ(read.stated.linked.alternates, record().stated.linked.alternates);
  EXPECT_EQ(read.marks, record().marks);
}

TEST(OriginRecord, APageThatStatesNothingHasARecordToo) {
  std::string bytes;
  encode_origin({}, bytes);
  EXPECT_FALSE(bytes.empty());
  OriginRecord read = record();
  ASSERT_TRUE(decode_origin(bytes, read).has_value());
  EXPECT_TRUE(read.stated.metadata.author.empty() && read.marks.empty() && read.stated.linked.links.empty());
}

TEST(OriginRecord, DamagedBytesAreRefused) {
  std::string bytes;
  encode_origin(record(), bytes);
  OriginRecord read;
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(decode_origin(bytes.substr(0, size), read).has_value()) << size;
    EXPECT_TRUE(read.stated.metadata.author.empty());
  }
  EXPECT_FALSE(decode_origin(bytes + "x", read).has_value());
  bytes[0] = static_cast<char>(kDatePlaceCount);
  EXPECT_FALSE(decode_origin(bytes, read).has_value());
}

}  // namespace
}  // namespace paraprint
