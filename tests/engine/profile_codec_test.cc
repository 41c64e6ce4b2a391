#include "engine/profile_codec.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <random>

namespace paraprint {
namespace {

Profile random_profile(std::mt19937_64& random) {
  Profile profile;
  profile.text_hash = {random(), random()};
  profile.content_characters = static_cast<std::uint32_t>(random() % 100'000);
  const std::size_t paragraphs = random() % 12;
  std::uint32_t at = 0;
  for (std::size_t p = 0; p < paragraphs; ++p) {
    ParagraphProfile paragraph;
    paragraph.hash = random();
    paragraph.has_simhash = random() % 2 == 0;
    if (paragraph.has_simhash) paragraph.simhash = {random(), random()};
    paragraph.content_characters = static_cast<std::uint32_t>(random() % 3000);
    paragraph.role = static_cast<BlockRole>(random() % 7);
    paragraph.list_level = static_cast<std::uint8_t>(random() % 3);
    paragraph.after_heading = random() % 2 == 0;
    const std::uint32_t begin = at + static_cast<std::uint32_t>(random() % 5);
    for (std::size_t left = random() % 5; left > 0; --left) {
      SentenceProfile sentence;
      sentence.hash = random();
      sentence.content_characters = static_cast<std::uint16_t>(random());
      sentence.paragraph = static_cast<std::uint16_t>(p);
      sentence.is_anchor = random() % 2 == 0;
      sentence.span = {std::max(at, begin), std::max(at, begin) + static_cast<std::uint32_t>(random() % 300)};
      at = sentence.span.end_bytes;
      profile.sentences.push_back(sentence);
    }
    at = std::max(at, begin);
    paragraph.span = {begin, at};
    profile.paragraphs.push_back(paragraph);
  }
  if (random() % 2 == 0) {
    for (std::size_t i = 0; i < PageSketch::kPairHashes; ++i) {
      profile.sketch.pair_hashes.push_back(static_cast<std::uint8_t>(random()));
    }
  }
  profile.sketch.number_count = static_cast<std::uint32_t>(random() % 40);
  for (std::uint32_t i = 0; i < std::min<std::uint32_t>(profile.sketch.number_count, 24); ++i) {
    profile.sketch.numbers.push_back(i * 100 + static_cast<std::uint32_t>(random() % 100));
  }
  return profile;
}

void expect_equal(const Profile& x, const Profile& y) {
  EXPECT_EQ(x.text_hash, y.text_hash);
  EXPECT_EQ(x.content_characters, y.content_characters);
  EXPECT_EQ(x.sketch, y.sketch);
  ASSERT_EQ(x.paragraphs.size(), y.paragraphs.size());
  for (std::size_t p = 0; p < x.paragraphs.size(); ++p) {
    const ParagraphProfile& a = x.paragraphs[p];
    const ParagraphProfile& b = y.paragraphs[p];
    EXPECT_EQ(a.simhash, b.simhash);
    EXPECT_EQ(a.hash, b.hash);
    EXPECT_EQ(a.content_characters, b.content_characters);
    EXPECT_EQ(a.span.begin_bytes, b.span.begin_bytes);
    EXPECT_EQ(a.span.end_bytes, b.span.end_bytes);
    EXPECT_EQ(a.role, b.role);
    EXPECT_EQ(a.list_level, b.list_level);
    EXPECT_EQ(a.after_heading, b.after_heading);
    EXPECT_EQ(a.has_simhash, b.has_simhash);
  }
  ASSERT_EQ(x.sentences.size(), y.sentences.size());
  for (std::size_t s = 0; s < x.sentences.size(); ++s) {
    EXPECT_EQ(x.sentences[s].hash, y.sentences[s].hash);
    EXPECT_EQ(x.sentences[s].span.begin_bytes, y.sentences[s].span.begin_bytes);
    EXPECT_EQ(x.sentences[s].span.end_bytes, y.sentences[s].span.end_bytes);
    EXPECT_EQ(x.sentences[s].content_characters, y.sentences[s].content_characters);
    EXPECT_EQ(x.sentences[s].paragraph, y.sentences[s].paragraph);
    EXPECT_EQ(x.sentences[s].is_anchor, y.sentences[s].is_anchor);
  }
}

TEST(ProfileCodec, GivesBackWhatItWasGiven) {
  std::mt19937_64 random(5);
  for (int i = 0; i < 200; ++i) {
    const Profile profile = random_profile(random);
    std::string bytes;
    encode_profile(profile, bytes);
    Profile decoded;
    ASSERT_TRUE(decode_profile(bytes, decoded).has_value());
    expect_equal(profile, decoded);
    Profile head;
    ASSERT_TRUE(decode_profile_head(bytes, head).has_value());
    EXPECT_EQ(head.text_hash, profile.text_hash);
    EXPECT_EQ(head.content_characters, profile.content_characters);
  }
}

// docs/formats/profile.md: the known-answer vector. It changes only together with kProfileFormatVersion.
TEST(ProfileCodec, WritesTheKnownAnswer) {
  Profile profile;
  profile.text_hash = {0x0102030405060708, 0x1112131415161718};
  profile.content_characters = 300;
  ParagraphProfile paragraph;
  paragraph.hash = 0x2122232425262728;
  paragraph.has_simhash = true;
  paragraph.simhash = {0x3132333435363738, 0x4142434445464748};
  paragraph.content_characters = 300;
  paragraph.span = {2, 402};
  profile.paragraphs.push_back(paragraph);
  SentenceProfile sentence;
  sentence.hash = 0x5152535455565758;
  sentence.content_characters = 300;
  sentence.is_anchor = true;
  sentence.span = {2, 402};
  profile.sentences.push_back(sentence);
  profile.sketch.numbers = {0x61626364, 0x71727374};
  profile.sketch.number_count = 2;
  std::string bytes;
  encode_profile(profile, bytes);
  std::string hex;
  for (const char byte : bytes) {
    constexpr char kDigits[] = "0123456789abcdef";
    hex += kDigits[static_cast<unsigned char>(byte) >> 4];
    hex += kDigits[static_cast<unsigned char>(byte) & 15];
  }
  EXPECT_EQ(hex,
            "03"
            "0807060504030201"
            "1817161514131211"
            "ac02"
            "01"
            "10"
            "2827262524232221"
            "3837363534333231"
            "4847464544434241"
            "ac02"
            "02"
            "9003"
            "01"
            "5857565554535251"
            "d904"
            "02"
            "9003"
            "00"
            "02"
            "64636261"
            "74737271");
}

TEST(ProfileCodec, RefusesWhatIsCutOrHasMore) {
  std::mt19937_64 random(6);
  for (int i = 0; i < 50; ++i) {
    std::string bytes;
    encode_profile(random_profile(random), bytes);
    Profile decoded;
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      ASSERT_FALSE(decode_profile(std::string_view(bytes).substr(0, size), decoded).has_value()) << size;
    }
    ASSERT_FALSE(decode_profile(bytes + "x", decoded).has_value());
  }
}

TEST(ProfileCodec, NamesAnotherVersion) {
  Profile decoded;
  const Status status = decode_profile("\x63 anything", decoded);
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().code, ErrorCode::kUnsupported);
  EXPECT_NE(status.error().message.find("99"), std::string::npos);
}

RC_GTEST_PROP(ProfileCodecProperty, AnyBytesAreReadSafely, (std::string bytes)) {
  bytes.insert(bytes.begin(), static_cast<char>(kProfileFormatVersion));
  Profile decoded;
  const Status status = decode_profile(bytes, decoded);
  if (!status) RC_ASSERT(decoded.paragraphs.empty() && decoded.sentences.empty());
}

}  // namespace
}  // namespace paraprint
