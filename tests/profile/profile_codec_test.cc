#include "profile/profile_codec.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace paraprint {
namespace {

// Makes span, size and, for a single sentence, hash of the paragraph follow from its sentences, as in nearly all
// profiles.
void make_usual(ParagraphProfile& paragraph, const std::vector<SentenceProfile>& sentences) {
  const auto number = sentences.empty() ? 0 : sentences.back().paragraph;
  const auto is_of_it = [&](const SentenceProfile& sentence) { return sentence.paragraph == number; };
  const auto first = std::find_if(sentences.begin(), sentences.end(), is_of_it);
  if (first == sentences.end() || first->span.begin_bytes < paragraph.span.begin_bytes) return;  // no sentences
  paragraph.content_characters = 0;
  for (auto sentence = first; sentence != sentences.end(); ++sentence) {
    paragraph.content_characters += sentence->content_characters;
  }
  paragraph.span = {first->span.begin_bytes, sentences.back().span.end_bytes};
  if (sentences.end() - first == 1) paragraph.hash = first->hash;
}

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
      sentence.content_characters = static_cast<std::uint16_t>(random() % 4 == 0 ? random() : random() % 100);
      sentence.paragraph = static_cast<std::uint16_t>(p);
      sentence.is_anchor = random() % 2 == 0;
      const std::uint32_t sentence_begin = std::max(at, begin) + static_cast<std::uint32_t>(random() % 6);
      sentence.span = {sentence_begin, sentence_begin + static_cast<std::uint32_t>(random() % 300)};
      at = sentence.span.end_bytes;
      profile.sentences.push_back(sentence);
    }
    at = std::max(at, begin);
    paragraph.span = {begin, at};
    if (random() % 2 == 0) make_usual(paragraph, profile.sentences);
    at = paragraph.span.end_bytes;
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

auto fields_of(const ParagraphProfile& paragraph) {
  return std::tuple(paragraph.simhash, paragraph.hash, paragraph.content_characters, paragraph.span.begin_bytes,
                    paragraph.span.end_bytes, paragraph.role, paragraph.list_level, paragraph.after_heading,
                    paragraph.has_simhash);
}
auto fields_of(const SentenceProfile& sentence) {
  return std::tuple(sentence.hash, sentence.span.begin_bytes, sentence.span.end_bytes, sentence.content_characters,
                    sentence.paragraph, sentence.is_anchor);
}

void expect_equal(const Profile& x, const Profile& y) {
  EXPECT_EQ(x.text_hash, y.text_hash);
  EXPECT_EQ(x.content_characters, y.content_characters);
  EXPECT_EQ(x.sketch, y.sketch);
  ASSERT_EQ(x.paragraphs.size(), y.paragraphs.size());
  for (std::size_t p = 0; p < x.paragraphs.size(); ++p) {
    EXPECT_TRUE(fields_of(x.paragraphs[p]) == fields_of(y.paragraphs[p])) << "paragraph " << p;
  }
  ASSERT_EQ(x.sentences.size(), y.sentences.size());
  for (std::size_t s = 0; s < x.sentences.size(); ++s) {
    EXPECT_TRUE(fields_of(x.sentences[s]) == fields_of(y.sentences[s])) << "sentence " << s;
  }
}

TEST(ProfileCodec, RoundTrips) {
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

std::string hex_of(std::string_view bytes) {
  std::string hex;
  for (const char byte : bytes) {
    constexpr char kDigits[] = "0123456789abcdef";
    hex += kDigits[static_cast<unsigned char>(byte) >> 4];
    hex += kDigits[static_cast<unsigned char>(byte) & 15];
  }
  return hex;
}

std::string encoded(const Profile& profile) {
  std::string bytes;
  encode_profile(profile, bytes);
  return bytes;
}

// Three paragraphs: a single sentence, a list item of two, and one whose span and size differ from its sentence's.
Profile known_profile() {
  Profile profile;
  profile.text_hash = {0x0102030405060708, 0x1112131415161718};
  profile.content_characters = 337;
  profile.sketch.numbers = {0x61626364, 0x71727374};
  profile.sketch.number_count = 2;

  ParagraphProfile single;
  single.hash = 0x2122232425262728;
  single.has_simhash = true;
  single.simhash = {0x3132333435363738, 0x4142434445464748};
  single.content_characters = 300;
  single.span = {2, 402};
  ParagraphProfile item;
  item.role = BlockRole::kListItem;
  item.list_level = 1;
  item.after_heading = true;
  item.hash = 0x5152535455565758;
  item.content_characters = 30;
  item.span = {403, 532};
  ParagraphProfile row;
  row.role = BlockRole::kTableRow;
  row.hash = 0x8182838485868788;
  row.content_characters = 7;
  row.span = {533, 553};
  profile.paragraphs = {single, item, row};

  const auto add = [&](std::uint64_t hash, TextSpan span, std::uint16_t characters, std::uint16_t paragraph) {
    profile.sentences.push_back({hash, span, characters, paragraph, false});
  };
  add(0x2122232425262728, {2, 402}, 300, 0);
  profile.sentences.back().is_anchor = true;
  add(0x9192939495969798, {403, 433}, 20, 1);
  add(0xA1A2A3A4A5A6A7A8, {442, 532}, 10, 1);
  add(0xB1B2B3B4B5B6B7B8, {535, 553}, 5, 2);
  return profile;
}

constexpr std::string_view kKnownAnswer =
    "05"
    "0807060504030201"
    "1817161514131211"
    "d102"
    "03"
    "33"
    "d0"
    "2827262524232221"
    "3837363534333231"
    "4847464544434241"
    "fd"
    "ac02"
    "7c"
    "6a"
    "01"
    "5857565554535251"
    "02"
    "9897969594939291"
    "72"
    "14"
    "a8a7a6a5a4a3a2a1"
    "fe"
    "0a"
    "06"
    "77"
    "03"
    "8887868584838281"
    "07"
    "01"
    "14"
    "01"
    "b8b7b6b5b4b3b2b1"
    "d4"
    "05"
    "04"
    "64636261"
    "74737271";

// The known answer in docs/formats/profile.md. It changes only together with kProfileFormatVersion.
TEST(ProfileCodec, EncodesKnownAnswer) {
  const Profile profile = known_profile();
  const std::string bytes = encoded(profile);
  EXPECT_EQ(hex_of(bytes), kKnownAnswer);
  Profile decoded;
  ASSERT_TRUE(decode_profile(bytes, decoded).has_value());
  expect_equal(profile, decoded);
}

// Values at the limits: offsets of four gigabytes, sentences at and above the maximum number of characters.
TEST(ProfileCodec, RoundTripsLargestValues) {
  Profile profile;
  profile.content_characters = 0xFFFFFFFE;
  ParagraphProfile paragraph;
  paragraph.content_characters = 70'000;  // its sentence says 65,535
  paragraph.span = {0, 0xFFFFFFFE};
  profile.paragraphs.push_back(paragraph);
  profile.sentences.push_back({1, {0xFFFF0000, 0xFFFFFFFE}, 0xFFFF, 0, true});
  profile.sketch.number_count = 0xFFFFFFFE;
  for (std::uint32_t i = 0; i < PageSketch::kNumbersKept; ++i) profile.sketch.numbers.push_back(0xFFFFFFE0 + i);
  Profile decoded;
  ASSERT_TRUE(decode_profile(encoded(profile), decoded).has_value());
  expect_equal(profile, decoded);
  profile.sentences.front() = {1, {0, 0xFFFFFFFE}, 0, 0, false};
  ASSERT_TRUE(decode_profile(encoded(profile), decoded).has_value());
  expect_equal(profile, decoded);
}

// Everything that can be left out must be, because a profile has only one byte form.
TEST(ProfileCodec, RejectsNonCanonicalForms) {
  const std::string known = encoded(known_profile());
  const auto is_read = [](const std::string& bytes) {
    Profile decoded;
    return decode_profile(bytes, decoded).has_value();
  };
  ASSERT_TRUE(is_read(known));
  constexpr std::size_t kHeadBytes = 21;  // up to the bytes per character
  constexpr std::size_t kSingleEnd = kHeadBytes + 1 + 8 + 16 + 4;
  std::string other = known;
  other.replace(18, 1, "\x82\x00", 2);  // the page size in three bytes instead of two
  EXPECT_FALSE(is_read(other));
  other = known;
  ++other[kHeadBytes - 1];  // bytes per character that differ from the sentences'
  EXPECT_FALSE(is_read(other));
  const auto with_single = [&](std::string_view single) {
    return known.substr(0, kHeadBytes) + std::string(single) + known.substr(kSingleEnd);
  };
  const std::string hashes = known.substr(kHeadBytes + 1, 24);
  const std::string sentence = known.substr(kHeadBytes + 1 + 24, 4);
  ASSERT_TRUE(is_read(with_single("\xd0" + hashes + sentence)));
  // The hash of the sentence, although it equals that of the paragraph.
  std::string hash = hashes.substr(0, 8);
  EXPECT_FALSE(is_read(with_single("\x50" + hashes + "\x01" + hash + sentence)));
  ++hash[0];
  EXPECT_TRUE(is_read(with_single("\x50" + hashes + "\x01" + hash + sentence)));
  // Characters and span, although they equal those of the sentence.
  std::string at_begin = sentence;
  at_begin[0] = static_cast<char>(at_begin[0] & ~6);  // no gap
  EXPECT_FALSE(is_read(with_single("\x90" + hashes + "\xac\x02\x02\x90\x03" + at_begin)));
  EXPECT_TRUE(is_read(with_single("\x90" + hashes + "\xad\x02\x02\x90\x03" + at_begin)));
  // List level 0.
  EXPECT_FALSE(is_read(with_single(std::string("\xf0\0", 2) + hashes + sentence)));
}

TEST(ProfileCodec, RejectsTruncatedAndExtendedBytes) {
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

TEST(ProfileCodec, ReportsOtherVersions) {
  Profile decoded;
  const Status status = decode_profile("\x63 anything", decoded);
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().code, ErrorCode::kUnsupported);
  EXPECT_NE(status.error().message.find("99"), std::string::npos);
}

RC_GTEST_PROP(ProfileCodecProperty, ReadsAnyBytesSafely, (std::string bytes)) {
  bytes.insert(bytes.begin(), static_cast<char>(kProfileFormatVersion));
  Profile decoded;
  const Status status = decode_profile(bytes, decoded);
  if (!status) {
    RC_ASSERT(decoded.paragraphs.empty() && decoded.sentences.empty());
  } else {
    RC_ASSERT(encoded(decoded) == bytes);
  }
}

TEST(ProfileCodec, ReencodesToTheSameBytes) {
  std::mt19937_64 random(7);
  std::size_t read = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string bytes = encoded(random_profile(random));
    for (std::uint64_t changes = 1 + random() % 3; changes > 0; --changes) {
      bytes[1 + random() % (bytes.size() - 1)] = static_cast<char>(random() % 4 == 0 ? random() : random() % 3);
    }
    Profile decoded;
    if (!decode_profile(bytes, decoded)) continue;
    ++read;
    ASSERT_EQ(hex_of(encoded(decoded)), hex_of(bytes));
  }
  EXPECT_GT(read, 1000U);
}

}  // namespace
}  // namespace paraprint
