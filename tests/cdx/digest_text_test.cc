// Digests: every label and encoding of one value is equal, and what is no digest is unknown. The values are those of
// the empty text, from the standards.
#include "cdx/digest_text.h"

#include <gtest/gtest.h>

#include "base/digest.h"

namespace paraprint {
namespace {

constexpr std::string_view kSha1Base32 = "3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ";
constexpr std::string_view kSha256Hexadecimal = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

template <std::size_t kSize>
std::string text_of(const std::array<std::uint8_t, kSize>& bytes) {
  return {bytes.begin(), bytes.end()};
}

TEST(DigestText, ReadsEveryFormOfSha1) {
  const DigestValue expected{DigestAlgorithm::kSha1, text_of(sha1(""))};
  for (const std::string_view text :
       {"sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ", "3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ",
        "SHA-1:3i42h3s6nnfq2msvx7xzkyayscx5qbyj", " sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ\r",
        "sha1:da39a3ee5e6b4b0d3255bfef95601890afd80709", "DA39A3EE5E6B4B0D3255BFEF95601890AFD80709",
        "sha1:2jmj7l5rSw0yVb/vlWAYkK/YBwk=", "sha1:2jmj7l5rSw0yVb_vlWAYkK_YBwk"}) {
    EXPECT_EQ(parse_digest(text), expected) << text;
  }
}

TEST(DigestText, ReadsEveryFormOfSha256) {
  const DigestValue expected{DigestAlgorithm::kSha256, text_of(sha256(""))};
  for (const std::string_view text : {"sha-256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                                      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                                      "sha256:4OYMIQUY7QOBJGX36TEJS35ZEQT24QPEMSNZGTFESWMRW6CSXBKQ====",
                                      "4OYMIQUY7QOBJGX36TEJS35ZEQT24QPEMSNZGTFESWMRW6CSXBKQ",
                                      "SHA256:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="}) {
    EXPECT_EQ(parse_digest(text), expected) << text;
  }
}

TEST(DigestText, ReadsEveryFormOfMd5) {
  const DigestValue expected{DigestAlgorithm::kMd5, text_of(md5(""))};
  for (const std::string_view text :
       {"md5:d41d8cd98f00b204e9800998ecf8427e", "d41d8cd98f00b204e9800998ecf8427e", "D41D8CD98F00B204E9800998ECF8427E",
        "md5:2QOYZWMPACZAJ2MABGMOZ6CCPY======", "md5:1B2M2Y8AsgTpgAmY7PhCfg=="}) {
    EXPECT_EQ(parse_digest(text), expected) << text;
  }
}

// 32 characters may be base32 or hexadecimal. Classic CDX files have SHA-1 in upper case, others MD5 in lower case.
TEST(DigestText, TellsUnlabelledFormsOfOneLengthApart) {
  EXPECT_EQ(parse_digest("ABCDEF234567ABCDEF234567ABCDEF23").algorithm, DigestAlgorithm::kSha1);
  EXPECT_EQ(parse_digest("abcdef234567abcdef234567abcdef23").algorithm, DigestAlgorithm::kMd5);
  EXPECT_EQ(parse_digest("abcdef234567abcdef234567abcdefgh").algorithm, DigestAlgorithm::kSha1);
  EXPECT_EQ(parse_digest("ABCDEF234567ABCDEF234567ABCDEF01").algorithm, DigestAlgorithm::kMd5);
}

TEST(DigestText, DoesNotGuess) {
  for (const std::string_view text : {"", "-", ":", "sha1:", "sha1", "sha1:-", "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBY",
                                      "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJJ", "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBY1",
                                      "sha512:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ", ":3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ",
                                      "sha1:sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ",
                                      "sha256:zzb0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"}) {
    EXPECT_FALSE(parse_digest(text).is_known()) << text;
    EXPECT_EQ(parse_digest(text), DigestValue{}) << text;
  }
}

// The rest bits of the last character must be zero, or two texts would mean the same bytes.
TEST(DigestText, RefusesRestBits) {
  const std::string whole = "sha256:4OYMIQUY7QOBJGX36TEJS35ZEQT24QPEMSNZGTFESWMRW6CSXBK";
  EXPECT_TRUE(parse_digest(whole + "Q").is_known());
  EXPECT_FALSE(parse_digest(whole + "R").is_known());
}

TEST(DigestText, DifferentAlgorithmsDiffer) {
  EXPECT_NE(parse_digest(kSha1Base32), parse_digest(kSha256Hexadecimal));
}

}  // namespace
}  // namespace paraprint
