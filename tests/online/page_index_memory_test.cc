// Every allocation of a call fails once, in turn: the call throws std::bad_alloc or succeeds, the change is made or
// not, and the index goes on.
#include <gtest/gtest.h>

#include <cstdlib>
#include <new>
#include <string>

#include "online/generated_profiles.h"
#include "paraprint/index.h"
#include "simulation/failing_memory.h"
#include "temporary_folder.h"

namespace paraprint {
namespace {

IndexOptions small_options() {
  IndexOptions options;
  options.identity = "test";
  options.sync = SyncMode::kAlways;
  options.head_pages = 64;
  return options;
}

Profile profile_of(std::uint64_t text) {
  ArticleGenerator generator(text);
  return ArticleGenerator::profile_of(generator.article(3));
}

// True if the call succeeded.
template <class Call>
bool succeeds_without_memory(const Call& call) {
  try {
    const UnsafeMemory may_fail;
    return call();
  } catch (const std::bad_alloc&) {
    return false;
  }
}

TEST(PageIndexMemory, AnyAllocationOfAnAddMayFail) {
  const TemporaryFolder folder;
  auto index = PageIndex::open(folder / "index", small_options());
  ASSERT_TRUE(index) << index.error().message;
  std::uint64_t failures = 0;
  std::uint64_t texts = 0;
  // Many heads are filled on the way, so that the creation of a head fails, too.
  for (std::uint64_t round = 0; round < 600; ++round) {
    const Profile profile = profile_of(round);
    const std::string id = "http://site.example/" + std::to_string(round);
    IndexPageInput input;
    input.url = id;
    input.profile = &profile;
    FailingMemory::fail_after(round % 120);
    const bool is_added = succeeds_without_memory([&] { return (*index)->lookup_or_add(input, {}).has_value(); });
    const bool has_failed = FailingMemory::end();
    failures += has_failed ? 1 : 0;
    EXPECT_TRUE(is_added || has_failed);
    if (is_added) {
      EXPECT_TRUE((*index)->get(id)) << round;
    }
    texts += (*index)->get(id) ? 1 : 0;
    ASSERT_TRUE((*index)->check_writable());
    ASSERT_EQ((*index)->statistics()->texts, texts);
  }
  EXPECT_GT(failures, 100U);
  const Result<VerifyOutcome> verification = (*index)->verify(true);
  ASSERT_TRUE(verification) << verification.error().message;
  for (const IndexFinding& finding : verification->findings) ADD_FAILURE() << finding.what;
  EXPECT_EQ(verification->texts, texts);
}

TEST(PageIndexMemory, AnyAllocationOfReadingTheCountsMayFail) {
  const TemporaryFolder folder;
  auto index = PageIndex::open(folder / "index", small_options());
  ASSERT_TRUE(index) << index.error().message;
  std::uint64_t step = 0;
  for (bool has_failed = true; has_failed; ++step) {
    FailingMemory::fail_after(step);
    const bool is_answered = succeeds_without_memory([&] { return (*index)->statistics().has_value(); });
    has_failed = FailingMemory::end();
    EXPECT_TRUE(is_answered || has_failed);
  }
  EXPECT_GT(step, 10U);
}

TEST(PageIndexMemory, AnyAllocationOfALookupMayFail) {
  const TemporaryFolder folder;
  auto index = PageIndex::open(folder / "index", small_options());
  ASSERT_TRUE(index) << index.error().message;
  const Profile profile = profile_of(1);
  IndexPageInput input;
  input.url = "http://site.example/";
  input.profile = &profile;
  ASSERT_TRUE((*index)->lookup_or_add(input, {}));
  std::uint64_t step = 0;
  for (bool has_failed = true; has_failed; ++step) {
    // The first lookup of an index makes the memory that later ones use.
    index = tl::unexpected<Error>(Error{});
    index = PageIndex::open(folder / "index", small_options());
    ASSERT_TRUE(index) << index.error().message;
    FailingMemory::fail_after(step);
    const bool is_answered = succeeds_without_memory([&] { return (*index)->lookup(input, {}).has_value(); });
    has_failed = FailingMemory::end();
    EXPECT_TRUE(is_answered || has_failed);
    const Result<LookupOutcome> answer = (*index)->lookup(input, {});
    ASSERT_TRUE(answer) << answer.error().message;
    EXPECT_EQ(answer->verdict, Verdict::kSame);
  }
  EXPECT_GT(step, 10U);
}

// Ends the process with 0 if an index of which a read ran out of memory is not called damaged.
[[noreturn]] void verify_after_memory_ran_out(const std::string& folder) {
  const auto index = PageIndex::open(folder, small_options());
  if (!index || !(*index)->check_readable()) std::_Exit(1);
  for (std::uint64_t good = 0; good < 40 && (*index)->check_readable(); ++good) {
    FailingMemory::fail_in_database_after(good);
    static_cast<void>(succeeds_without_memory([&] { return (*index)->get("a").has_value(); }));
    FailingMemory::end();
  }
  const Result<VerifyOutcome> verified = (*index)->verify(true);
  const Status compacted = (*index)->compact();
  std::_Exit(!(*index)->check_readable() && !verified && verified.error().code == ErrorCode::kInputOutput &&
                     !compacted && compacted.error().code == ErrorCode::kInputOutput
                 ? 0
                 : 1);
}

// In a process of its own, which ends without closing the database.
TEST(PageIndexMemoryDeathTest, AReadWithoutItIsNoDamage) {
  const TemporaryFolder folder;
  {
    const auto index = PageIndex::open(folder / "index", small_options());
    ASSERT_TRUE(index) << index.error().message;
    const Profile profile = profile_of(1);
    IndexPageInput input;
    input.id = "a";
    input.profile = &profile;
    ASSERT_TRUE((*index)->lookup_or_add(input, {}));
    ASSERT_TRUE((*index)->compact());
  }
  EXPECT_EXIT(verify_after_memory_ran_out(folder / "index"), ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace paraprint
