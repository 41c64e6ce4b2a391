// The index under kill -9: a child process adds, replaces and deletes pages on two threads, records each change before
// and after it, and is killed at a random moment. Afterwards every acknowledged change must be there, no text may be
// stored twice, and the integrity check must be clean. The next child continues with the same index.
//
//   page_index_kill_test [KILLS [SEED]]       default: 10 1
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "online/generated_profiles.h"
#include "paraprint/index.h"
#include "temporary_folder.h"

namespace paraprint {
namespace {

constexpr std::uint32_t kPages = 600;
constexpr std::uint32_t kThreads = 2;
constexpr std::uint32_t kDeleted = 0;

// A record in the child's diary. Version 0 deletes the page.
struct Note {
  std::uint32_t page = 0;
  std::uint32_t version = 0;
  std::uint32_t is_done = 0;
};

IndexOptions options_of(std::uint64_t round) {
  IndexOptions options;
  options.identity = "kill test";
  options.head_pages = 64;  // small, so that files are written and merged all the time
  options.sync = round % 3 == 0 ? SyncMode::kAlways : round % 3 == 1 ? SyncMode::kInterval : SyncMode::kNone;
  options.sync_interval_milliseconds = 5;
  return options;
}

std::string id_of(std::uint32_t page) {
  return fmt::format("http://site{}.example/{}", page % 7, page);
}

// Pages 2n and 2n + 1 share the text of each version.
Profile profile_of(std::uint32_t page, std::uint32_t version) {
  ArticleGenerator generator(std::uint64_t{version} * 100'000 + page / 2);
  return ArticleGenerator::profile_of(generator.article(1 + generator.below(6)));
}

[[noreturn]] void fail(const std::string& message) {
  fmt::print(stderr, "page_index_kill_test: {}\n", message);
  std::exit(1);
}

// The child process; runs until it is killed.
[[noreturn]] void work(const std::string& folder, const std::string& diary, std::uint64_t seed, int ready) {
  Result<std::unique_ptr<PageIndex>> index = PageIndex::open(folder, options_of(seed));
  if (!index) fail(index.error().message);
  const int notes = ::open(diary.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (notes < 0 || ::write(ready, "r", 1) != 1) fail("the child cannot start");
  const auto note = [&](const Note& line) {
    if (::write(notes, &line, sizeof line) != sizeof line) fail("cannot write the diary");
  };
  std::vector<std::thread> threads;
  for (std::uint32_t thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&, thread] {
      std::mt19937_64 random(seed * kThreads + thread);
      for (;;) {
        const auto page = static_cast<std::uint32_t>(random() % (kPages / kThreads)) * kThreads + thread;
        const auto version = static_cast<std::uint32_t>(random() % 5);
        note({page, version, 0});
        const std::string id = id_of(page);
        if (version == kDeleted) {
          if (const auto removed = (*index)->remove(id); !removed) fail(removed.error().message);
        } else {
          const Profile profile = profile_of(page, version);
          IndexPageInput input;
          input.url = id;
          input.profile = &profile;
          if (const auto added = (*index)->lookup_or_add(input, {}); !added) fail(added.error().message);
        }
        note({page, version, 1});
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::abort();
}

// The versions that each page may have: the last acknowledged one, or one that was begun after it.
using Possible = std::map<std::uint32_t, std::vector<std::uint32_t>>;

void read_diary(const std::string& diary, Possible& possible) {
  std::FILE* file = std::fopen(diary.c_str(), "rb");
  if (file == nullptr) return;
  for (Note line; std::fread(&line, sizeof line, 1, file) == 1;) {
    std::vector<std::uint32_t>& versions = possible[line.page];
    if (versions.empty()) versions.push_back(kDeleted);
    if (line.is_done != 0) {
      versions.assign(1, line.version);
    } else {
      versions.push_back(line.version);
    }
  }
  std::fclose(file);
  ::unlink(diary.c_str());
}

void check(const std::string& folder, std::uint64_t round, Possible& possible) {
  Result<std::unique_ptr<PageIndex>> index = PageIndex::open(folder, options_of(round));
  if (!index) fail(index.error().message);
  const Result<IndexStatistics> statistics = (*index)->statistics();
  if (!statistics) fail(statistics.error().message);
  for (const std::string& warning : statistics->warnings) fail("unexpected warning: " + warning);
  std::uint64_t stored = 0;
  for (auto& [page, versions] : possible) {
    const Result<Profile> profile = (*index)->get_profile(id_of(page));
    if (!profile && profile.error().code != ErrorCode::kNotFound) fail(profile.error().message);
    bool is_possible = false;
    for (const std::uint32_t version : versions) {
      const bool agrees =
          version == kDeleted ? !profile : profile && profile->text_hash == profile_of(page, version).text_hash;
      if (!agrees) continue;
      versions.assign(1, version);
      is_possible = true;
      break;
    }
    if (!is_possible) fail(fmt::format("page {} differs from what was acknowledged", id_of(page)));
    stored += profile ? 1 : 0;
  }
  std::map<std::array<std::uint64_t, 2>, std::uint64_t> texts;
  std::uint64_t walked = 0;
  const Status done = (*index)->for_each_page(true, [&](const IndexedPage& page, const Profile* profile) -> Status {
    ++walked;
    if (profile == nullptr) fail(page.id + " has no text");
    const auto [text, is_first] = texts.emplace(profile->text_hash, page.text);
    if (!is_first && text->second != page.text) fail(page.id + ": its text is stored twice");
    return {};
  });
  if (!done) fail(done.error().message);
  if (walked != stored) fail(fmt::format("{} pages are stored, expected {}", walked, stored));
  const Result<VerifyOutcome> verification = (*index)->verify(true);
  if (!verification) fail(verification.error().message);
  if (!verification->is_clean()) fail(verification->findings.front().what);
}

int run(std::uint64_t kills, std::uint64_t seed) {
  const TemporaryFolder folder;
  std::mt19937_64 random(seed);
  Possible possible;
  for (std::uint64_t round = 0; round < kills; ++round) {
    int ready[2];
    if (::pipe(ready) != 0) fail("cannot create a pipe");
    const pid_t child = ::fork();
    if (child < 0) fail("cannot fork");
    if (child == 0) work(folder / "index", folder / "diary", seed * 1'000'003 + round, ready[1]);
    ::close(ready[1]);
    // One kill in eight comes while the index is being opened, the others while it changes.
    if (round % 8 != 7) {
      char letter = 0;
      if (::read(ready[0], &letter, 1) != 1) fail("the child ended on its own");
    }
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 60'000));
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    ::close(ready[0]);
    if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL) fail("the child ended on its own");
    read_diary(folder / "diary", possible);
    check(folder / "index", round, possible);
  }
  fmt::print(
      "{} kills, {} pages touched: nothing acknowledged was lost, no text is stored twice, every check was clean\n",
      kills, possible.size());
  return 0;
}

}  // namespace
}  // namespace paraprint

int main(int argc, char** argv) {
  return paraprint::run(argc > 1 ? std::stoull(argv[1]) : 10, argc > 2 ? std::stoull(argv[2]) : 1);
}
