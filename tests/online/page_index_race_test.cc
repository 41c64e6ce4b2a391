// Calls of which one is held at a chosen step while another thread changes the index: the page that the first call is
// about stays in the index all the time, so it must be found.
#include <gmock/gmock.h>

#include <functional>
#include <map>
#include <string>

#include "online/generated_profiles.h"
#include "online/sync_gate.h"
#include "paraprint/index.h"
#include "simulation/seeded_scheduler.h"
#include "temporary_folder.h"

namespace paraprint {
namespace {

IndexOptions small_options() {
  IndexOptions options;
  options.identity = "test";
  options.sync = SyncMode::kNone;
  options.head_pages = 64;
  return options;
}

Profile profile_of(std::uint64_t text) {
  ArticleGenerator generator(text);
  return ArticleGenerator::profile_of(generator.article(3));
}

// A text that is near profile_of(text).
Profile edited_profile_of(std::uint64_t text) {
  ArticleGenerator generator(text);
  ArticleGenerator::Article article = generator.article(3);
  generator.edit_paragraph(article.paragraphs.front(), 2);
  return ArticleGenerator::profile_of(article);
}

IndexPageInput input_of(const std::string& id, const Profile& profile) {
  IndexPageInput input;
  input.id = id;
  input.profile = &profile;
  return input;
}

void add_page(PageIndex& index, const std::string& id, const Profile& profile) {
  const Result<AddOutcome> added = index.lookup_or_add(input_of(id, profile), {});
  ASSERT_TRUE(added) << added.error().message;
}

void expect_clean(const PageIndex& index) {
  const Result<VerifyOutcome> verification = index.verify(true);
  ASSERT_TRUE(verification) << verification.error().message;
  for (const IndexFinding& finding : verification->findings) ADD_FAILURE() << finding.what;
}

// Makes `call` once for each of its steps, with `change` by another thread at that step, until the call is over before
// the step comes. Both are given a new index each time, filled by `prepare`. Returns the number of steps.
std::uint64_t change_at_each_step(const std::function<void(PageIndex&)>& prepare,
                                  const std::function<void(PageIndex&)>& call,
                                  const std::function<void(PageIndex&)>& change) {
  for (std::uint64_t step = 0;; ++step) {
    SCOPED_TRACE(step);
    const TemporaryFolder folder;
    SeededScheduler scheduler(step, 1);
    // Nobody is interrupted but the caller, at one step; the other thread then runs until it ends or has to wait.
    std::uint64_t left = step;
    bool is_calling = false;
    scheduler.decide_by([&] { return is_calling && left-- == 0 && !(is_calling = false); });
    auto index = PageIndex::open(folder / "index", small_options());
    if (!index) {
      ADD_FAILURE() << index.error().message;
      return 0;
    }
    prepare(**index);
    bool is_changed = false;
    Result<ScheduledThread> other = ScheduledThread::start("changes the index", [&] {
      change(**index);
      is_changed = true;
    });
    is_calling = true;
    call(**index);
    const bool was_over = is_calling;
    is_calling = false;
    if (other) other->join();
    EXPECT_TRUE(is_changed);
    expect_clean(**index);
    index = tl::unexpected<Error>(Error{});
    if (was_over || testing::Test::HasFailure()) return step;
  }
}

TEST(PageIndexRace, ALookupFindsATextThatPassesToAnotherOwner) {
  const Profile profile = profile_of(1);
  const auto prepare = [&](PageIndex& index) {
    add_page(index, "a", profile);
    add_page(index, "b", profile);
  };
  const auto lookup = [&](PageIndex& index) {
    const Result<LookupOutcome> answer = index.lookup(input_of("", profile), {});
    ASSERT_TRUE(answer) << answer.error().message;
    EXPECT_EQ(answer->verdict, Verdict::kSame);
  };
  EXPECT_GT(change_at_each_step(prepare, lookup, [](PageIndex& index) { ASSERT_TRUE(index.remove("a")); }), 3U);
  const Profile other = profile_of(2);
  change_at_each_step(prepare, lookup, [&](PageIndex& index) { add_page(index, "a", other); });
}

TEST(PageIndexRace, ALookupFindsATextWhoseOnlyPageLeavesItToANewOne) {
  const Profile profile = profile_of(1);
  change_at_each_step([&](PageIndex& index) { add_page(index, "a", profile); },
                      [&](PageIndex& index) {
                        const Result<LookupOutcome> answer = index.lookup(input_of("", profile), {});
                        ASSERT_TRUE(answer) << answer.error().message;
                        EXPECT_EQ(answer->verdict, Verdict::kSame);
                      },
                      [&](PageIndex& index) {
                        add_page(index, "b", profile);
                        ASSERT_TRUE(index.remove("a"));
                      });
}

TEST(PageIndexRace, OfEqualPagesNoneIsNewWhileOneIsThere) {
  const Profile profile = profile_of(1);
  const auto prepare = [&](PageIndex& index) {
    add_page(index, "a", profile);
    add_page(index, "b", profile);
  };
  const auto add = [&](PageIndex& index) {
    const Result<AddOutcome> answer = index.lookup_or_add(input_of("c", profile), {});
    ASSERT_TRUE(answer) << answer.error().message;
    EXPECT_EQ(answer->lookup.verdict, Verdict::kSame);
    EXPECT_EQ(index.statistics()->texts, 1U);
  };
  change_at_each_step(prepare, add, [](PageIndex& index) { ASSERT_TRUE(index.remove("a")); });
}

TEST(PageIndexRace, APageIsFoundWhileItIsReplacedByANearOne) {
  const Profile profile = profile_of(1);
  const Profile edited = edited_profile_of(1);
  change_at_each_step([&](PageIndex& index) { add_page(index, "a", profile); },
                      [&](PageIndex& index) {
                        const Result<LookupOutcome> answer = index.lookup(input_of("", profile), {});
                        ASSERT_TRUE(answer) << answer.error().message;
                        EXPECT_THAT(answer->verdict, testing::AnyOf(Verdict::kSame, Verdict::kNear));
                      },
                      [&](PageIndex& index) { add_page(index, "a", edited); });
}

TEST(PageIndexRace, APageIsReadWhileItIsReplaced) {
  const Profile profile = profile_of(1);
  const Profile other = profile_of(2);
  const auto characters = testing::AnyOf(profile.content_characters, other.content_characters);
  const auto read = [&](PageIndex& index) {
    const Result<IndexedPage> page = index.get("a");
    ASSERT_TRUE(page) << page.error().message;
    EXPECT_THAT(page->content_characters, characters);
    const Result<Profile> read_profile = index.get_profile("a");
    ASSERT_TRUE(read_profile) << read_profile.error().message;
    EXPECT_TRUE(index.for_each_page(false, [&](const IndexedPage& listed, const Profile*) -> Status {
      EXPECT_THAT(listed.content_characters, characters);
      return {};
    }));
  };
  change_at_each_step([&](PageIndex& index) { add_page(index, "a", profile); }, read,
                      [&](PageIndex& index) { add_page(index, "a", other); });
}

TEST(SyncGate, ASyncThatThrowsLetsOthersSync) {
  int calls = 0;
  SyncGate gate([&]() -> Status {
    if (++calls == 1) throw std::bad_alloc();
    return {};
  });
  const std::uint64_t ticket = gate.written();
  EXPECT_THROW(static_cast<void>(gate.wait(ticket)), std::bad_alloc);
  EXPECT_TRUE(gate.wait(ticket));
  EXPECT_EQ(calls, 2);
}

}  // namespace
}  // namespace paraprint
