// Profiles that no page has, from programs that make their own, and pages that change back and forth.
#include <gmock/gmock.h>

#include <string>

#include "online/generated_profiles.h"
#include "paraprint/index.h"
#include "temporary_folder.h"

namespace paraprint {
namespace {

class PageIndexOddProfiles : public testing::Test {
 protected:
  PageIndexOddProfiles() {
    options_.identity = "test";
    options_.sync = SyncMode::kNone;
    options_.head_pages = 64;
  }
  void open() {
    index_ = tl::unexpected<Error>(Error{});
    index_ = PageIndex::open(folder_ / "index", options_);
    ASSERT_TRUE(index_) << index_.error().message;
  }
  static Profile profile_of(std::uint64_t text) {
    ArticleGenerator generator(text);
    return ArticleGenerator::profile_of(generator.article(3));
  }
  Result<AddOutcome> add(const std::string& id, const Profile& profile) {
    IndexPageInput input;
    input.id = id;
    input.profile = &profile;
    return (*index_)->lookup_or_add(input, {});
  }
  Result<LookupOutcome> lookup(const Profile& profile) {
    IndexPageInput input;
    input.profile = &profile;
    return (*index_)->lookup(input, {});
  }
  void expect_clean() {
    const Result<VerifyOutcome> verification = (*index_)->verify(true);
    ASSERT_TRUE(verification) << verification.error().message;
    for (const IndexFinding& finding : verification->findings) ADD_FAILURE() << finding.what;
  }

  TemporaryFolder folder_;
  IndexOptions options_;
  Result<std::unique_ptr<PageIndex>> index_ = tl::unexpected<Error>(Error{});
};

TEST_F(PageIndexOddProfiles, TooManyKeysAreRefused) {
  open();
  Profile profile = profile_of(1);
  profile.sentences.clear();
  for (std::uint64_t i = 0; i < (1 << 20) + 1; ++i) {
    SentenceProfile sentence;
    sentence.hash = i * 0x9E3779B97F4A7C15U;
    sentence.content_characters = 30;
    sentence.is_anchor = true;
    profile.sentences.push_back(sentence);
  }
  const Result<AddOutcome> added = add("many", profile);
  ASSERT_FALSE(added);
  EXPECT_EQ(added.error().code, ErrorCode::kLimitExceeded);
  EXPECT_THAT(added.error().message, testing::HasSubstr("many"));
  EXPECT_TRUE((*index_)->is_about_page(added.error()));
  EXPECT_FALSE((*index_)->is_about_page((*index_)->get("many").error()));
  EXPECT_EQ((*index_)->statistics()->pages, 0U);
  EXPECT_TRUE(add("few", profile_of(2)));
  expect_clean();
}

// Two texts: one stored profile cannot represent both.
TEST_F(PageIndexOddProfiles, EqualHashesOfTextsOfOtherLengthAreTwoTexts) {
  open();
  const Profile profile = profile_of(1);
  Profile longer = profile;
  longer.content_characters += 50;
  // The owner, then another page, changes to the longer text while the text has other pages.
  ASSERT_TRUE(add("a", profile));
  ASSERT_TRUE(add("b", profile));
  ASSERT_TRUE(add("c", profile));
  for (const std::string id : {"a", "c"}) {
    const Result<AddOutcome> changed = add(id, longer);
    ASSERT_TRUE(changed) << changed.error().message;
    EXPECT_EQ(changed->change, PageChange::kChanged);
    expect_clean();
  }
  EXPECT_EQ((*index_)->statistics()->texts, 2U);
  EXPECT_EQ((*index_)->get("c")->content_characters, longer.content_characters);
  EXPECT_EQ((*index_)->get("b")->content_characters, profile.content_characters);
  IndexPageInput input;
  input.id = "a";
  input.profile = &profile;
  EXPECT_EQ((*index_)->add(input), PageChange::kChanged);
  EXPECT_EQ((*index_)->statistics()->texts, 2U);
  expect_clean();
}

TEST_F(PageIndexOddProfiles, PagesOfATextAreCountedWhenOthersHaveLeft) {
  open();
  const Profile profile = profile_of(1);
  ASSERT_TRUE(add("a", profile));
  EXPECT_EQ(lookup(profile)->matches.front().pages_of_text, 1U);
  ASSERT_TRUE(add("b", profile));
  EXPECT_EQ(lookup(profile)->matches.front().pages_of_text, 2U);
  ASSERT_TRUE((*index_)->remove("b"));
  EXPECT_EQ(lookup(profile)->matches.front().pages_of_text, 1U);
}

// Each change leaves a removed text in the search tables. They share their keys with the one that is there.
TEST_F(PageIndexOddProfiles, APageThatChangesBackAndForthIsFound) {
  options_.candidates.group_cap = 4;
  open();
  const Profile one = profile_of(1);
  const Profile other = profile_of(2);
  for (std::uint64_t round = 0; round < 100; ++round) {
    ASSERT_TRUE(add("a", round % 2 == 0 ? one : other));
    const Result<LookupOutcome> answer = lookup(round % 2 == 0 ? one : other);
    ASSERT_TRUE(answer) << answer.error().message;
    ASSERT_EQ(answer->verdict, Verdict::kSame) << round;
    // Fills the head, so that its texts are written to a file, in which the oldest text of a key comes first.
    if (round != 40) continue;
    for (std::uint64_t text = 0; text < 60; ++text)
      ASSERT_TRUE(add("b" + std::to_string(text), profile_of(100 + text)));
    while ((*index_)->statistics()->segments == 0) ASSERT_TRUE((*index_)->check_writable());
    ASSERT_EQ(lookup(one)->verdict, Verdict::kSame);
  }
  expect_clean();
}

}  // namespace
}  // namespace paraprint
