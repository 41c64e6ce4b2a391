// What strangers and mass deletion can make a call of the index cost, in the work of the database.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "database_work.h"
#include "online/generated_profiles.h"
#include "paraprint/index.h"
#include "temporary_folder.h"

namespace paraprint {
namespace {

constexpr std::uint64_t kMirrors = 2000;

class PageIndexCostTest : public ::testing::Test {
 protected:
  void SetUp() override {
    IndexOptions options;
    options.identity = "test";
    options.sync = SyncMode::kNone;
    auto opened = PageIndex::open(folder_ / "index", options);
    ASSERT_TRUE(opened) << opened.error().message;
    index_ = std::move(*opened);
  }
  void TearDown() override {
    const Result<VerifyOutcome> verification = index_->verify(true);
    ASSERT_TRUE(verification);
    for (const IndexFinding& finding : verification->findings) ADD_FAILURE() << finding.what;
  }

  AddOutcome add(const std::string& id, const Profile& profile, std::uint64_t seen_at_seconds = 1000) {
    IndexPageInput input;
    input.id = id;
    input.seen_at_seconds = seen_at_seconds;
    input.profile = &profile;
    Result<AddOutcome> answer = index_->lookup_or_add(input, {});
    EXPECT_TRUE(answer) << answer.error().message;
    return std::move(*answer);
  }
  Profile new_profile() { return ArticleGenerator::profile_of(generator_.article(6)); }

  // The ids of pages that have one text, ascending.
  std::vector<std::string> add_mirrors(const Profile& profile) {
    std::vector<std::string> ids;
    for (std::uint64_t mirror = 0; mirror < kMirrors; ++mirror) {
      ids.push_back(fmt::format("mirror{:05}", mirror));
      add(ids.back(), profile);
    }
    return ids;
  }

  TemporaryFolder folder_;
  std::unique_ptr<PageIndex> index_;
  ArticleGenerator generator_{7};
};

TEST_F(PageIndexCostTest, NoPageIsAddedMoreSlowlyAfterManyWereDeleted) {
  for (const std::string& id : add_mirrors(new_profile())) ASSERT_TRUE(*index_->remove(id));
  const DatabaseWork work;
  for (std::uint64_t page = 0; page < 10; ++page) add(fmt::format("another{}", page), new_profile());
  EXPECT_LT(work.deletions_passed(), kMirrors);
}

TEST_F(PageIndexCostTest, MirrorsAreRemovedInAnyOrder) {
  const Profile profile = new_profile();
  const std::vector<std::string> ids = add_mirrors(profile);
  {
    const DatabaseWork work;
    for (const std::string& id : ids) ASSERT_TRUE(*index_->remove(id));
    EXPECT_LT(work.deletions_passed(), 100 * kMirrors);
  }
  EXPECT_EQ(index_->statistics()->texts, 0U);
  add_mirrors(profile);
  {
    const DatabaseWork work;
    EXPECT_EQ(*index_->expire(2000), kMirrors);
    EXPECT_LT(work.deletions_passed(), 100 * kMirrors);
  }
  add_mirrors(profile);
  const DatabaseWork work;
  for (std::size_t i = ids.size(); i-- > 0;) ASSERT_TRUE(*index_->remove(ids[i]));
  EXPECT_LT(work.deletions_passed(), 100 * kMirrors);
}

// A page that stays while all mirrors of it go, as the original that every crawl visits again.
TEST_F(PageIndexCostTest, ATextOfWhichOnePageIsLeftIsFoundAsOneThatNeverHadMore) {
  const Profile profile = new_profile();
  for (const std::string original : {"a", "mirror01000x", "z"}) {
    add(original, profile, 3000);
    add_mirrors(profile);
    EXPECT_EQ(*index_->expire(2000), kMirrors);
    const DatabaseWork work;
    IndexPageInput input;
    input.profile = &profile;
    const Result<LookupOutcome> answer = index_->lookup(input, {});
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->matches.front().page.id, original);
    EXPECT_EQ(answer->matches.front().pages_of_text, 1U);
    EXPECT_EQ(add(original, profile, 3000).change, PageChange::kUnchanged);
    EXPECT_EQ(work.deletions_passed(), 0U);
    ASSERT_TRUE(*index_->remove(original));
  }
}

// One text, so that a single page of it takes all of these names.
TEST_F(PageIndexCostTest, NoListOfIdsTakesTheNamesOfASecondClusterAway) {
  const Profile first = new_profile();
  add("home", first);
  add("mirror of home", first);
  const Profile shared = new_profile();
  const std::uint64_t next = index_->statistics()->next_text;
  for (std::uint64_t id = 0; id < kMirrors; ++id) add(fmt::format("home##{}", next + id), shared);
  const Profile other = new_profile();
  const DatabaseWork work;
  const std::string cluster = add("home", other).cluster;
  EXPECT_LT(work.probes(), 100U);
  EXPECT_TRUE(cluster.starts_with("home##")) << cluster;
  EXPECT_EQ(add("another mirror", other).cluster, cluster);
  const Result<std::vector<IndexedPage>> pages = index_->get_cluster(cluster, 10);
  ASSERT_TRUE(pages);
  EXPECT_EQ(pages->size(), 2U);
  EXPECT_EQ(pages->front().id, "home");
}

}  // namespace
}  // namespace paraprint
