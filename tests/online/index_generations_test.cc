// An index outlives the rules by which profiles are made: it opens with a warning that counts the texts of other
// versions, and remembers which texts were made under which. Other settings are still refused.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "online/generated_profiles.h"
#include "paraprint/index.h"
#include "temporary_folder.h"

namespace paraprint {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

std::string identity_of(int rules, std::string_view settings = "extractor=learned-dom") {
  return fmt::format("paraprint-profile/5 {} idf=bundled/{:016x} anchors=2 text-data={:016x} rules={} icu=72", settings,
                     rules, rules, rules);
}

class IndexGenerations : public ::testing::Test {
 protected:
  Status open(const std::string& identity) {
    index_.reset();
    warnings_.clear();
    IndexOptions options;
    options.identity = identity;
    options.sync = SyncMode::kNone;
    RunControl control;
    control.warning = [&](std::string_view line) { warnings_.emplace_back(line); };
    Result<std::unique_ptr<PageIndex>> opened = PageIndex::open(folder_ / "index", options, control);
    if (!opened) return tl::unexpected<Error>(opened.error());
    index_ = std::move(*opened);
    return {};
  }
  void add(std::uint64_t first, std::uint64_t end) {
    for (std::uint64_t page = first; page < end; ++page) {
      const std::string url = fmt::format("http://example.org/{}", page);
      const Profile profile = profile_of(page);
      IndexPageInput input;
      input.url = url;
      input.profile = &profile;
      ASSERT_TRUE(index_->lookup_or_add(input, {}));
    }
  }
  static Profile profile_of(std::uint64_t page) {
    ArticleGenerator generator(page);
    return ArticleGenerator::profile_of(generator.article(4));
  }
  // First text and number of texts of each generation.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> generations() const {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> all;
    const Result<IndexStatistics> statistics = index_->statistics();
    for (const IndexGeneration& one : statistics->generations) all.emplace_back(one.first_text, one.added);
    return all;
  }

  TemporaryFolder folder_;
  std::unique_ptr<PageIndex> index_;
  std::vector<std::string> warnings_;
};

TEST_F(IndexGenerations, BeginWithTheFirstTextOfOtherRules) {
  ASSERT_TRUE(open(identity_of(1)));
  add(0, 5);
  EXPECT_THAT(generations(), ElementsAre(Pair(0, 5)));
  ASSERT_TRUE(open(identity_of(1)));
  EXPECT_THAT(warnings_, IsEmpty());

  ASSERT_TRUE(open(identity_of(2)));
  EXPECT_THAT(warnings_, ElementsAre(HasSubstr("up to 5 of its 5 texts")));
  EXPECT_EQ(index_->identity(), identity_of(2));
  // Looking up works, and opening alone changes nothing.
  const Profile known = profile_of(3);
  IndexPageInput input;
  input.profile = &known;
  EXPECT_EQ(index_->lookup(input, {})->verdict, Verdict::kSame);
  EXPECT_THAT(generations(), ElementsAre(Pair(0, 5)));
  add(5, 8);
  EXPECT_THAT(generations(), ElementsAre(Pair(0, 5), Pair(5, 3)));
  EXPECT_EQ(index_->statistics()->generations.back().identity, identity_of(2));

  ASSERT_TRUE(open(identity_of(2)));
  EXPECT_THAT(warnings_, ElementsAre(HasSubstr("up to 5 of its 8 texts")));
  // The older program again: its texts begin a generation, too.
  ASSERT_TRUE(open(identity_of(1)));
  EXPECT_THAT(warnings_, ElementsAre(HasSubstr("up to 3 of its 8 texts")));
  add(8, 9);
  EXPECT_THAT(generations(), ElementsAre(Pair(0, 5), Pair(5, 3), Pair(8, 1)));
  // Commands without settings compare nothing.
  ASSERT_TRUE(open(""));
  EXPECT_THAT(warnings_, IsEmpty());
  EXPECT_EQ(index_->identity(), identity_of(1));
  EXPECT_THAT(generations(), ElementsAre(Pair(0, 5), Pair(5, 3), Pair(8, 1)));
  EXPECT_TRUE(index_->verify(true)->is_clean());
}

TEST_F(IndexGenerations, OfAnEmptyIndexAreReplaced) {
  ASSERT_TRUE(open(identity_of(1)));
  ASSERT_TRUE(open(identity_of(2)));
  EXPECT_THAT(warnings_, IsEmpty());
  add(0, 2);
  ASSERT_TRUE(open(""));
  EXPECT_THAT(generations(), ElementsAre(Pair(0, 2)));
  EXPECT_EQ(index_->identity(), identity_of(2));
}

TEST_F(IndexGenerations, PagesThatComeAgainUnchangedKeepTheirText) {
  ASSERT_TRUE(open(identity_of(1)));
  add(0, 5);
  ASSERT_TRUE(open(identity_of(2)));
  add(0, 5);
  EXPECT_THAT(generations(), ElementsAre(Pair(0, 5)));
}

TEST_F(IndexGenerations, OtherSettingsAreRefused) {
  ASSERT_TRUE(open(identity_of(1)));
  const Status other = open(identity_of(1, "extractor=whole-body"));
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(other.error().message, HasSubstr("made with different settings"));
  // Weights of words that were learned from a crawl are settings, not data that come with the program.
  EXPECT_FALSE(open("paraprint-profile/5 extractor=learned-dom idf=corpus/1 anchors=2 text-data=1 rules=1 icu=72"));
  const Status format = open("paraprint-profile/6 extractor=learned-dom anchors=2 text-data=1 rules=1 icu=72");
  ASSERT_FALSE(format);
  EXPECT_EQ(format.error().code, ErrorCode::kUnsupported);
  EXPECT_THAT(format.error().message, HasSubstr("add the pages to a new index"));
}

}  // namespace
}  // namespace paraprint
