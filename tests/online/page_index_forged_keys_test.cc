// Texts made to share the key of another text in the search tables, which have 28 bits of it, must not hide that text
// or what is similar to it.
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>

#include "base/hash.h"
#include "murmur_attack.h"
#include "online/candidate_search.h"
#include "online/generated_profiles.h"
#include "paraprint/index.h"
#include "temporary_folder.h"

namespace paraprint {
namespace {

std::uint64_t unmixed64(std::uint64_t value) {
  value ^= value >> 33;
  value *= MurmurState::inverse_of(0xC4CEB9FE1A85EC53ULL);
  value ^= value >> 33;
  value *= MurmurState::inverse_of(0xFF51AFD7ED558CCDULL);
  return value ^ value >> 33;
}

// Another text hash whose key begins with the same 32 bits, as a stranger would look for with words.
void forge_key(const Profile& of, std::uint32_t number, Profile& forged) {
  const std::uint64_t wanted = (text_key_of(of) >> 32 << 32) + number;
  forged.text_hash = {number, unmixed64(wanted) - mix64(number)};
}

class PageIndexForgedKeysTest : public ::testing::Test {
 protected:
  static constexpr std::uint32_t kForged = 40;

  void SetUp() override {
    IndexOptions options;
    options.identity = "test";
    options.sync = SyncMode::kNone;
    options.candidates.group_cap = 2;
    auto opened = PageIndex::open(folder_ / "index", options);
    ASSERT_TRUE(opened) << opened.error().message;
    index_ = std::move(*opened);
    add_.lookup.max_candidates = 2;
  }

  AddOutcome add(const std::string& id, const Profile& profile) {
    IndexPageInput input;
    input.id = id;
    input.seen_at_seconds = 1000;
    input.profile = &profile;
    Result<AddOutcome> answer = index_->lookup_or_add(input, add_);
    EXPECT_TRUE(answer) << answer.error().message;
    return std::move(*answer);
  }

  void add_forged(const Profile& of) {
    for (std::uint32_t number = 1; number <= kForged; ++number) {
      Profile forged = ArticleGenerator::profile_of(generator_.article(4));
      forge_key(of, number, forged);
      ASSERT_EQ(text_key_of(forged) >> 32, text_key_of(of) >> 32);
      EXPECT_EQ(add("forged" + std::to_string(number), forged).lookup.verdict, Verdict::kDistinct);
    }
  }

  TemporaryFolder folder_;
  std::unique_ptr<PageIndex> index_;
  ArticleGenerator generator_{5};
  AddOptions add_;
};

TEST_F(PageIndexForgedKeysTest, AnEqualTextIsFound) {
  const Profile page = ArticleGenerator::profile_of(generator_.article(1));
  EXPECT_EQ(add("first", page).lookup.verdict, Verdict::kDistinct);
  add_forged(page);
  const AddOutcome again = add("again", page);
  EXPECT_EQ(again.lookup.verdict, Verdict::kSame);
  EXPECT_EQ(again.cluster, "first");
  EXPECT_EQ(index_->statistics()->texts, kForged + 1);
}

TEST_F(PageIndexForgedKeysTest, ASimilarTextIsFound) {
  ArticleGenerator::Article article = generator_.article(8);
  add("first", ArticleGenerator::profile_of(article));
  generator_.edit_paragraph(article.paragraphs[2], 5);
  const Profile edited = ArticleGenerator::profile_of(article);
  add_forged(edited);
  EXPECT_EQ(add("edited", edited).lookup.verdict, Verdict::kNear);
}

}  // namespace
}  // namespace paraprint
