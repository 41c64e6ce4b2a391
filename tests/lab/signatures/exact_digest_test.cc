#include <gtest/gtest.h>

#include "base/digest.h"
#include "lab/fingerprint_testing.h"
#include "lab/fingerprinters.h"

namespace paraprint {
namespace {

TEST(Digest, MatchesPublishedTestVectors) {
  // RFC 1321 and FIPS 180-4, the digest of "abc".
  EXPECT_EQ(leading_words(md5("abc")), (std::array<std::uint64_t, 2>{0x900150983cd24fb0, 0xd6963f7d28e17f72}));
  EXPECT_EQ(leading_words(sha1("abc")), (std::array<std::uint64_t, 2>{0xa9993e364706816a, 0xba3e25717850c26c}));
  EXPECT_EQ(leading_words(sha256("abc")), (std::array<std::uint64_t, 2>{0xba7816bf8f01cfea, 0x414140de5dae2223}));
}

TEST(ExactDigest, TextDigestIgnoresMarkup) {
  TestPage a({"one", "two"});
  TestPage b({"one", "two"});
  b.page.body = "<p>one two</p>";
  for (double function = 0; function < 5; ++function) {
    ParameterValues values(kDigestOfText.parameters);
    values.set("function", function);
    const auto text = kDigestOfText.make(values);
    const auto bytes = kDigestOfBytes.make(values);
    EXPECT_EQ(text->similarity(fingerprint_of(*text, a), fingerprint_of(*text, b)).resemblance, 1);
    EXPECT_EQ(bytes->similarity(fingerprint_of(*bytes, a), fingerprint_of(*bytes, b)).resemblance, 0);
    EXPECT_FALSE(text->compares_raw_bytes());
    EXPECT_TRUE(bytes->compares_raw_bytes());
  }
}

TEST(ExactDigest, OneWordChangesTheTextDigest) {
  const auto text = make_default(kDigestOfText);
  EXPECT_EQ(text->similarity(fingerprint_of(*text, TestPage({"one", "two"})), fingerprint_of(*text, TestPage({"one"})))
                .resemblance,
            0);
}

}  // namespace
}  // namespace paraprint
