// What it costs to compare paragraphs whose fingerprints are near, and that it can be stopped.
#include <gtest/gtest.h>

#include <atomic>
#include <random>
#include <string>

#include "base/stop.h"
#include "trim/repeated_paragraphs.h"

namespace paraprint {
namespace {

// `count` texts of `letters` letters and one fingerprint, none near another one.
RepeatedParagraphs texts_about_one_word(std::uint32_t count, std::size_t letters) {
  std::mt19937 random(1);
  RepeatedParagraphs paragraphs({}, {std::uint64_t{1} << 20, testing::TempDir()}, nullptr);
  for (std::uint32_t page = 0; page < count; ++page) {
    Profile profile;
    ParagraphProfile& paragraph = profile.paragraphs.emplace_back();
    paragraph.hash = page + 1;
    paragraph.span = {0, 100};
    paragraph.content_characters = 100;
    paragraph.simhash = {0, 1};
    paragraph.has_simhash = true;
    EXPECT_TRUE(paragraphs.add(page, 1, profile));
  }
  auto compared = paragraphs.find_compared();
  EXPECT_TRUE(compared);
  EXPECT_EQ(compared->size(), count);
  for (const ComparedParagraph& paragraph : *compared) {
    std::string words;
    for (std::size_t i = 0; i < letters; ++i) words += static_cast<char>('a' + random() % 26);
    EXPECT_TRUE(paragraphs.add_text(paragraph, words));
  }
  return paragraphs;
}

// Each is compared with as many others as have 32 times its groups, however long the texts are.
TEST(ComparedParagraphs, CostAFewTimesTheirSize) {
  constexpr std::uint64_t kTexts = 600;
  constexpr std::uint64_t kGroups = 1002;
  RepeatedParagraphs paragraphs = texts_about_one_word(kTexts, kGroups - 2);
  ASSERT_TRUE(paragraphs.finish());
  EXPECT_LE(paragraphs.looked_at(), kTexts * (32 + 2) * kGroups);
  EXPECT_GT(paragraphs.looked_at(), kTexts * 16 * kGroups);
}

TEST(ComparedParagraphs, StopOnRequest) {
  RepeatedParagraphs paragraphs = texts_about_one_word(10, 100);
  const std::atomic<bool> is_asked = true;
  const StopScope scope(&is_asked);
  const auto found = paragraphs.finish();
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, ErrorCode::kCancelled);
}

}  // namespace
}  // namespace paraprint
