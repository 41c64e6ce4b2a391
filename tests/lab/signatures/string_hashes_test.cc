#include "lab/signatures/string_hashes.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <string>

#include "property.h"

namespace paraprint {
namespace {

struct KnownAnswer {
  std::string_view name;
  std::uint32_t of_abc;
  std::uint32_t of_all;  // "abcdefghijklmnopqrstuvwxyz1234567890"
};

// Hashes of "abc" and of all letters and digits.
constexpr KnownAnswer kKnownAnswers[] = {
    {"elf", 26499, 126631744},     {"rs", 2969643692, 4097835502}, {"js", 446371745, 1651003062},
    {"pjw", 26499, 126631744},     {"bkdr", 1677554, 3153586616},  {"sdbm", 807794786, 3449571336},
    {"djb", 193485963, 729241521}, {"ap", 511219427, 2062213678},  {"ap2", 633864072, 882643939},
};

TEST(StringHashes, MatchTheWorkedExamples) {
  ASSERT_EQ(std::size(kKnownAnswers), kStringHashNames.size());
  for (const KnownAnswer& known : kKnownAnswers) {
    const auto name = std::find(kStringHashNames.begin(), kStringHashNames.end(), known.name);
    ASSERT_NE(name, kStringHashNames.end());
    const StringHash hash = kStringHashes[static_cast<std::size_t>(name - kStringHashNames.begin())];
    EXPECT_EQ(hash("abc"), known.of_abc) << known.name;
    EXPECT_EQ(hash("abcdefghijklmnopqrstuvwxyz1234567890"), known.of_all) << known.name;
  }
}

TEST(StringHashes, PjwEqualsElf) {
  CHECK_PROPERTY("pjw == elf", [](const std::string& bytes) { RC_ASSERT(pjw_hash(bytes) == elf_hash(bytes)); });
}

// SDBM as c + (h << 6) + (h << 16) - h and DJB as h * 33 + c, their other common forms.
TEST(StringHashes, EqualTheirAlternativeForms) {
  CHECK_PROPERTY("shifts and factors", [](const std::string& bytes) {
    std::uint32_t sdbm = 0;
    std::uint32_t djb = 5381;
    for (const unsigned char byte : bytes) {
      sdbm = byte + (sdbm << 6) + (sdbm << 16) - sdbm;
      djb = (djb << 5) + djb + byte;
    }
    RC_ASSERT(sdbm_hash(bytes) == sdbm);
    RC_ASSERT(djb_hash(bytes) == djb);
  });
}

}  // namespace
}  // namespace paraprint
