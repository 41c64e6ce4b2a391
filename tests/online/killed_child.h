// Runs a test of this program in a process of its own that is killed before one of its file operations. A fork alone
// would not do: the threads of RocksDB do not follow into the child.
//
//   TEST(Child, DISABLED_Works) {
//     const KilledChild child;
//     if (child.is_here()) child.exit_with(work_in(child.folder()));
//   }
//   run_until_killed("Child.DISABLED_Works", folder, FileWork::kWrite, "part", 3);
#pragma once

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <memory>
#include <string>

#include "failing_files.h"

namespace paraprint {

// The child's side. Nothing happens in a process that run_until_killed() did not start.
class KilledChild {
 public:
  KilledChild() {
    const char* const folder = std::getenv("PARAPRINT_CHILD_FOLDER");
    if (folder == nullptr) return;
    folder_ = folder;
    const auto work = static_cast<FileWork>(std::atoi(std::getenv("PARAPRINT_CHILD_WORK")));
    const std::string part = std::getenv("PARAPRINT_CHILD_PART");
    const auto after = static_cast<std::uint64_t>(std::atoll(std::getenv("PARAPRINT_CHILD_AFTER")));
    kill_ = std::make_unique<FailingFiles>(
        FileFault{.work = work, .path_part = part, .after = after, .moment = [] { ::_exit(kKilled); }});
  }
  bool is_here() const { return kill_ != nullptr; }
  const std::string& folder() const { return folder_; }
  [[noreturn]] static void exit_with(bool is_successful) { ::_exit(is_successful ? 0 : kFailed); }

  static constexpr int kKilled = 9;
  static constexpr int kFailed = 1;

 private:
  std::string folder_;
  std::unique_ptr<FailingFiles> kill_;
};

// Returns whether the child came to its end, because it has not so many operations on files with `part` in their path.
inline bool run_until_killed(const std::string& test, const std::string& folder, FileWork work, const std::string& part,
                             std::uint64_t after) {
  const std::string filter = "--gtest_filter=" + test;
  const pid_t child = ::fork();
  if (child == 0) {
    ::setenv("PARAPRINT_CHILD_FOLDER", folder.c_str(), 1);
    ::setenv("PARAPRINT_CHILD_WORK", fmt::format("{}", static_cast<int>(work)).c_str(), 1);
    ::setenv("PARAPRINT_CHILD_PART", part.c_str(), 1);
    ::setenv("PARAPRINT_CHILD_AFTER", fmt::format("{}", after).c_str(), 1);
    const int nowhere = ::open("/dev/null", O_WRONLY);
    ::dup2(nowhere, STDOUT_FILENO);
    ::execl("/proc/self/exe", "test", filter.c_str(), "--gtest_also_run_disabled_tests", nullptr);
    ::_exit(KilledChild::kFailed);
  }
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) != KilledChild::kFailed) << test << " failed by itself";
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace paraprint
