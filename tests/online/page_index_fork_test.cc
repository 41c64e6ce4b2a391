// An index in a forked process: refused there, and unharmed where it was opened.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <memory>
#include <string>

#include "online/generated_profiles.h"
#include "paraprint/index.h"
#include "temporary_folder.h"

namespace paraprint {
namespace {

constexpr unsigned kHangSeconds = 60;

std::unique_ptr<PageIndex> opened(const std::string& folder) {
  IndexOptions options;
  options.identity = "test";
  options.sync = SyncMode::kAlways;
  options.head_pages = 64;  // small, so that background threads have work
  auto index = PageIndex::open(folder, options);
  EXPECT_TRUE(index) << index.error().message;
  return index ? std::move(*index) : nullptr;
}

Status add_pages(PageIndex& index, std::uint64_t first, std::uint64_t count) {
  for (std::uint64_t page = first; page < first + count; ++page) {
    ArticleGenerator generator(page);
    const Profile profile = ArticleGenerator::profile_of(generator.article(3));
    const std::string id = std::to_string(page);
    IndexPageInput input;
    input.id = id;
    input.profile = &profile;
    if (auto added = index.add(input); !added) return tl::unexpected<Error>(added.error());
  }
  return {};
}

// What work() returns in a forked process, which is killed if it hangs.
template <class Work>
int status_in_fork(const Work& work) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(kHangSeconds);
    ::_exit(work());
  }
  int status = -1;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  return status;
}

bool is_refusal(const Error& error) {
  return error.code == ErrorCode::kInvalidArgument && error.message.find("forked") != std::string::npos &&
         error.message.find(std::to_string(::getppid())) != std::string::npos;
}

TEST(PageIndexFork, AForkedProcessIsRefusedAndLosesNothing) {
  const TemporaryFolder folder;
  std::unique_ptr<PageIndex> index = opened(folder / "index");
  ASSERT_TRUE(add_pages(*index, 0, 200));

  const int status = status_in_fork([&] {
    const Status added = add_pages(*index, 1000, 1);
    if (added || !is_refusal(added.error())) return 1;
    const auto statistics = index->statistics();
    if (statistics || !is_refusal(statistics.error())) return 2;
    const auto refreshed = index->refresh();
    if (refreshed || !is_refusal(refreshed.error())) return 3;
    if (index->identity().empty()) return 4;
    index.reset();
    return 0;
  });
  EXPECT_EQ(status, 0);

  ASSERT_TRUE(add_pages(*index, 200, 200));
  index.reset();
  index = opened(folder / "index");
  EXPECT_EQ(index->statistics()->pages, 400U);
  EXPECT_TRUE(index->verify(true)->is_clean());
}

TEST(PageIndexFork, TheFolderIsFreeOnceItsProcessHasClosedIt) {
  const TemporaryFolder folder;
  std::unique_ptr<PageIndex> index = opened(folder / "index");
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const pid_t child = ::fork();
  if (child == 0) {  // lives until the other end of the pipe is closed
    ::alarm(kHangSeconds);
    ::close(ends[1]);
    char byte = 0;
    ::_exit(::read(ends[0], &byte, 1) == 0 ? 0 : 1);
  }
  ::close(ends[0]);
  index.reset();
  EXPECT_NE(opened(folder / "index"), nullptr);
  ::close(ends[1]);
  int status = -1;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace paraprint
