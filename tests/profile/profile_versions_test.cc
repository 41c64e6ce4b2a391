// Tests which settings identities can be compared.
#include "profile/profile_versions.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "profile/page_profiler.h"
#include "text/word_weights.h"

namespace paraprint {
namespace {

constexpr const char* kStored =
    "paraprint-profile/5 extractor=learned-dom idf=bundled/0123456789abcdef anchors=2 text-data=0123456789abcdef "
    "rules=1 icu=72";

std::string replaced(std::string text, std::string_view part, std::string_view by) {
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + by.size())) {
    text.replace(at, part.size(), by);
  }
  return text;
}

TEST(ProfileVersions, AreComparedByTheirKind) {
  EXPECT_EQ(compare_identities(kStored, kStored), IdentityDifference::kNone);
  for (const std::string& other :
       {replaced(kStored, "rules=1", "rules=2"), replaced(kStored, "icu=72", "icu=76"),
        replaced(kStored, "0123456789abcdef", "fedcba9876543210"), replaced(kStored, " rules=1 icu=72", "")}) {
    EXPECT_EQ(compare_identities(kStored, other), IdentityDifference::kRules) << other;
    EXPECT_EQ(compare_identities(other, kStored), IdentityDifference::kRules) << other;
  }
  for (const std::string& other :
       {replaced(kStored, "anchors=2", "anchors=3"), replaced(kStored, "idf=bundled", "idf=corpus"),
        std::string(kStored) + " synonyms=list/1", replaced(kStored, " anchors=2", ""),
        replaced(kStored, "learned-dom", "text-data=")}) {
    EXPECT_EQ(compare_identities(kStored, other), IdentityDifference::kSettings) << other;
  }
  for (const std::string& other : {replaced(kStored, "profile/5", "profile/4"), std::string("test"), std::string()}) {
    EXPECT_EQ(compare_identities(kStored, other), IdentityDifference::kFormat) << other;
  }
  EXPECT_EQ(compare_identities("test", "other"), IdentityDifference::kSettings);
}

TEST(ProfileVersions, NameTheFormat) {
  EXPECT_EQ(profile_format_of(kStored), 5U);
  EXPECT_EQ(profile_format_of("paraprint-profile/12"), 12U);
  for (const char* other : {"", "test", "paraprint-profile/", "paraprint-profile/x", "paraprint-profile/5x a=b",
                            "paraprint-profile/99999999999"}) {
    EXPECT_EQ(profile_format_of(other), 0U) << other;
  }
}

TEST(ProfileVersions, AreInTheIdentity) {
  const Result<std::string> identity = settings_identity(ProfileOptions(), WordWeights::bundled());
  ASSERT_TRUE(identity);
  EXPECT_NE(identity->find(fmt::format(" rules={} icu=", kProfileRulesVersion)), std::string::npos) << *identity;
  ProfileOptions other;
  other.anchors += 1;
  EXPECT_EQ(compare_identities(*identity, *settings_identity(other, WordWeights::bundled())),
            IdentityDifference::kSettings);
}

}  // namespace
}  // namespace paraprint
