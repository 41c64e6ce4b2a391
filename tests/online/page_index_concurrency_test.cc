// Many threads at once: exactly one of several equal pages is new, and nothing is lost or only partly stored.
#include <gmock/gmock.h>

#include <atomic>
#include <barrier>
#include <random>
#include <thread>

#include "online/generated_profiles.h"
#include "paraprint/index.h"
#include "temporary_folder.h"

namespace paraprint {
namespace {

constexpr std::size_t kThreads = 4;

IndexOptions small_options(SyncMode sync) {
  IndexOptions options;
  options.identity = "test";
  options.sync = sync;
  options.sync_interval_milliseconds = 3;
  options.head_pages = 64;
  return options;
}

Profile profile_of(std::uint64_t text) {
  ArticleGenerator generator(text);
  return ArticleGenerator::profile_of(generator.article(3));
}

Result<AddOutcome> add_page(PageIndex& index, const std::string& id, const Profile& profile) {
  IndexPageInput input;
  input.url = id;
  input.profile = &profile;
  return index.lookup_or_add(input, {});
}

void expect_clean(const PageIndex& index) {
  const Result<VerifyOutcome> verification = index.verify(true);
  ASSERT_TRUE(verification);
  for (const IndexFinding& finding : verification->findings) ADD_FAILURE() << finding.what;
}

TEST(PageIndexConcurrency, ExactlyOneOfEqualPagesIsNew) {
  const TemporaryFolder folder;
  auto index = PageIndex::open(folder / "index", small_options(SyncMode::kNone));
  ASSERT_TRUE(index) << index.error().message;
  constexpr std::uint64_t kTexts = 150;
  std::vector<std::atomic<int>> news(kTexts);
  std::barrier together(kThreads);
  std::vector<std::thread> threads;
  for (std::size_t thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&, thread] {
      for (std::uint64_t text = 0; text < kTexts; ++text) {
        const Profile profile = profile_of(text);
        const std::string id = "http://host" + std::to_string(thread) + ".example/" + std::to_string(text);
        together.arrive_and_wait();
        const Result<AddOutcome> answer = add_page(**index, id, profile);
        ASSERT_TRUE(answer) << answer.error().message;
        news[text] += answer->lookup.verdict == Verdict::kDistinct ? 1 : 0;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (std::uint64_t text = 0; text < kTexts; ++text) EXPECT_EQ(news[text], 1) << text;
  EXPECT_EQ((*index)->statistics()->texts, kTexts);
  EXPECT_EQ((*index)->statistics()->pages, kTexts * kThreads);
  expect_clean(**index);
}

TEST(PageIndexConcurrency, AllCallsRunConcurrently) {
  const TemporaryFolder folder;
  auto index = PageIndex::open(folder / "index", small_options(SyncMode::kInterval));
  ASSERT_TRUE(index) << index.error().message;
  // Pages that are never removed, so lookups must always find them.
  constexpr std::uint64_t kKept = 100;
  for (std::uint64_t text = 0; text < kKept; ++text) {
    ASSERT_TRUE(add_page(**index, "kept" + std::to_string(text), profile_of(text)));
  }
  std::atomic<bool> is_over = false;
  std::vector<std::thread> threads;
  for (std::size_t thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&, thread] {
      std::mt19937_64 random(thread);
      for (int step = 0; step < 250; ++step) {
        const std::uint64_t text = 1000 + random() % 200;
        const std::string id = "page" + std::to_string(random() % 150);
        if (random() % 4 == 0) {
          ASSERT_TRUE((*index)->remove(id));
        } else {
          ASSERT_TRUE(add_page(**index, id, profile_of(text)));
        }
        const Profile kept = profile_of(random() % kKept);
        IndexPageInput input;
        input.url = "asked";
        input.profile = &kept;
        const Result<LookupOutcome> answer = (*index)->lookup(input, {});
        ASSERT_TRUE(answer) << answer.error().message;
        ASSERT_EQ(answer->verdict, Verdict::kSame);
        const Result<IndexedPage> page = (*index)->get(id);
        ASSERT_TRUE(page || page.error().code == ErrorCode::kNotFound);
      }
    });
  }
  std::thread keeper([&] {
    for (int round = 0; !is_over; ++round) {
      ASSERT_TRUE((*index)->statistics());
      ASSERT_TRUE((*index)->expire(1));
      if (round % 3 == 0) {
        ASSERT_TRUE((*index)->compact());
      }
      const std::string name = folder / ("backup" + std::to_string(round));
      const Status copied = (*index)->backup(name);
      ASSERT_TRUE(copied) << copied.error().message;
    }
  });
  for (std::thread& thread : threads) thread.join();
  is_over = true;
  keeper.join();
  expect_clean(**index);
  // Each backup is complete and contains the pages that were never removed.
  for (const std::string name : {"backup0", "backup1"}) {
    if (!std::filesystem::exists(folder / name)) continue;
    const Status restored = restore_index(folder / name, folder / ("restored-" + name));
    ASSERT_TRUE(restored) << restored.error().message;
    auto copy = PageIndex::open(folder / ("restored-" + name), small_options(SyncMode::kNone));
    ASSERT_TRUE(copy) << copy.error().message;
    expect_clean(**copy);
    for (std::uint64_t text = 0; text < kKept; ++text) EXPECT_TRUE((*copy)->get("kept" + std::to_string(text)));
  }
}

}  // namespace
}  // namespace paraprint
