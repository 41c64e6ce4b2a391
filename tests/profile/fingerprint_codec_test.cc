#include "profile/fingerprint_codec.h"

#include <gtest/gtest.h>

namespace paraprint {
namespace {

PageFingerprint example() {
  PageFingerprint fingerprint;
  fingerprint.state = FingerprintState::kShort;
  fingerprint.text_hash = {1, 2};
  fingerprint.values = {3, ~std::uint64_t{0}};
  fingerprint.weights = {0.5F, 8};
  return fingerprint;
}

TEST(FingerprintCodec, RoundTrips) {
  PageFingerprint without_weights = example();
  without_weights.weights.clear();
  for (const PageFingerprint& fingerprint : {example(), without_weights, PageFingerprint{}}) {
    std::string bytes;
    encode_fingerprint(fingerprint, bytes);
    PageFingerprint decoded = example();
    ASSERT_TRUE(decode_fingerprint(bytes, decoded));
    EXPECT_EQ(decoded, fingerprint);
  }
}

TEST(FingerprintCodec, EncodesKnownAnswer) {
  PageFingerprint fingerprint;
  fingerprint.state = FingerprintState::kUsable;
  fingerprint.text_hash = {0x0102030405060708, 0x090A0B0C0D0E0F10};
  fingerprint.values = {0x11};
  fingerprint.weights = {1};
  std::string bytes;
  encode_fingerprint(fingerprint, bytes);
  const std::string expected(
      "\x02\x80\x08\x07\x06\x05\x04\x03\x02\x01\x10\x0F\x0E\x0D\x0C\x0B\x0A\x09\x01\x11\0\0\0\0\0\0\0\0\0\x80\x3F", 31);
  EXPECT_EQ(bytes, expected);
}

TEST(FingerprintCodec, RejectsEveryOtherLength) {
  std::string bytes;
  encode_fingerprint(example(), bytes);
  PageFingerprint decoded;
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(decode_fingerprint(std::string_view(bytes).substr(0, size), decoded)) << size;
    EXPECT_EQ(decoded, PageFingerprint{});
  }
  EXPECT_FALSE(decode_fingerprint(bytes + "x", decoded));
}

TEST(FingerprintCodec, RejectsOtherVersionsStatesAndImpossibleCounts) {
  std::string bytes;
  encode_fingerprint(example(), bytes);
  PageFingerprint decoded;
  std::string other = bytes;
  other[0] = 1;
  EXPECT_EQ(decode_fingerprint(other, decoded).error().code, ErrorCode::kUnsupported);
  other = bytes;
  other[1] = 3;
  EXPECT_EQ(decode_fingerprint(other, decoded).error().code, ErrorCode::kCorruptData);
  other = bytes;
  other.replace(18, 1, "\xFF\xFF\xFF\xFF\x7F");
  EXPECT_EQ(decode_fingerprint(other, decoded).error().code, ErrorCode::kCorruptData);
}

}  // namespace
}  // namespace paraprint
