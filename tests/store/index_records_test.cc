// Encodings compared byte for byte with docs/formats/index.md. Truncation must be rejected, in the manifest also any
// damage.
#include "store/index_records.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "base/hash.h"
#include "store/index_manifest.h"

namespace paraprint {
namespace {

TEST(IndexRecords, EncodesAPageAsDocumented) {
  const PageRecord record{300, 1000, 1005, "u", "d2", "abc", false};
  std::string bytes;
  encode_page_record(record, bytes);
  EXPECT_EQ(bytes, std::string("\x01\x00\xac\x02\xe8\x07\x05\x01u\x02"
                               "d2\x03"
                               "abc",
                               16));
  PageRecord read;
  ASSERT_TRUE(decode_page_record(bytes, read));
  EXPECT_EQ(read.text, 300U);
  EXPECT_EQ(read.last_seen_seconds, 1005U);
  EXPECT_EQ(read.cluster, "abc");
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(decode_page_record(std::string_view(bytes).substr(0, size), read)) << size;
  }
  bytes[0] = 2;
  EXPECT_EQ(decode_page_record(bytes, read).error().code, ErrorCode::kUnsupported);
}

TEST(IndexRecords, EncodesATextAsDocumented) {
  TextRecord record;
  record.site = 0x0807060504030201;
  record.is_voter = true;
  record.owner = "id";
  record.template_paragraphs = {3, 200};
  record.profile = "rest";
  std::string bytes;
  encode_text_record(record, bytes);
  EXPECT_EQ(bytes, std::string("\x01\x01\x01\x02\x03\x04\x05\x06\x07\x08\x02id\x02\x03\xc8\x01rest", 21));
  TextRecord read;
  ASSERT_TRUE(decode_text_record(bytes, read));
  EXPECT_TRUE(read.is_voter);
  EXPECT_FALSE(read.has_other_pages);
  EXPECT_EQ(read.owner, "id");
  EXPECT_EQ(read.profile, "rest");
  EXPECT_THAT(read.template_paragraphs, ::testing::ElementsAre(3, 200));
}

// Pages without a host had the site of the host "(no host)" until version 0.1.0.
TEST(IndexRecords, ReadsPagesWithoutAHostAsWithoutASite) {
  TextRecord record;
  record.site = blake2b128("(no host)").high;
  record.owner = "id";
  std::string bytes;
  encode_text_record(record, bytes);
  TextRecord read;
  read.site = 1;
  ASSERT_TRUE(decode_text_record(bytes, read));
  EXPECT_EQ(read.site, 0U);
}

TEST(IndexRecords, EncodesGenerationsAsDocumented) {
  const std::string bytes = encode_profile_generations({{0, "a"}, {300, "bc"}});
  EXPECT_EQ(bytes, std::string("\x01\x02\x00\x01"
                               "a\xac\x02\x02"
                               "bc",
                               10));
  std::vector<ProfileGeneration> read;
  ASSERT_TRUE(decode_profile_generations(bytes, read));
  ASSERT_EQ(read.size(), 2U);
  EXPECT_EQ(read[0].identity, "a");
  EXPECT_EQ(read[1].first_text, 300U);
  EXPECT_EQ(read[1].identity, "bc");
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(decode_profile_generations(std::string_view(bytes).substr(0, size), read)) << size;
  }
  EXPECT_FALSE(decode_profile_generations(bytes + "x", read));
  // None, one that does not begin with text 0, and one that does not begin after the one before.
  EXPECT_FALSE(decode_profile_generations(std::string_view("\x01\x00", 2), read));
  EXPECT_FALSE(decode_profile_generations(std::string_view("\x01\x01\x07\x01x", 5), read));
  EXPECT_FALSE(decode_profile_generations(encode_profile_generations({{0, "a"}, {0, "b"}}), read));
  EXPECT_EQ(decode_profile_generations(std::string_view("\x02\x01\x00\x01x", 5), read).error().code,
            ErrorCode::kUnsupported);
}

TEST(IndexManifest, RoundTripsAndRejectsDamage) {
  IndexManifest manifest;
  manifest.next_file = 9;
  manifest.templates_file = 4;
  manifest.segments = {{3, {0, 100}}, {8, {100, 107}}};
  const std::string bytes = encode_manifest(manifest);
  const Result<IndexManifest> read = decode_manifest(bytes);
  ASSERT_TRUE(read);
  EXPECT_EQ(encode_manifest(*read), bytes);
  EXPECT_EQ(read->end_text(), 107U);
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 4);
    EXPECT_FALSE(decode_manifest(damaged)) << at;
    EXPECT_FALSE(decode_manifest(std::string_view(bytes).substr(0, at))) << at;
  }
}

}  // namespace
}  // namespace paraprint
