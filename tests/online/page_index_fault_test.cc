// Full disks, damaged and missing files, other versions and settings: errors are reported, answers are never wrong.
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>

#include "online/generated_profiles.h"
#include "paraprint/index.h"
#include "store/search_head.h"
#include "temporary_folder.h"

namespace paraprint {
namespace {

namespace fs = std::filesystem;

IndexOptions small_options() {
  IndexOptions options;
  options.identity = "test";
  options.sync = SyncMode::kNone;
  options.head_pages = 64;
  return options;
}

Profile profile_of(std::uint64_t page) {
  ArticleGenerator generator(page);
  return ArticleGenerator::profile_of(generator.article(4));
}

std::string id_of(std::uint64_t page) {
  return "http://site" + std::to_string(page % 5) + ".example/" + std::to_string(page);
}

Result<AddOutcome> add_page(PageIndex& index, std::uint64_t page) {
  const Profile profile = profile_of(page);
  const std::string id = id_of(page);
  IndexPageInput input;
  input.url = id;
  input.profile = &profile;
  return index.lookup_or_add(input, {});
}

Result<LookupOutcome> lookup_page(const PageIndex& index, std::uint64_t page) {
  const Profile profile = profile_of(page);
  IndexPageInput input;
  input.url = "http://elsewhere.example/";
  input.profile = &profile;
  return index.lookup(input, {});
}

void fill(const std::string& folder, std::uint64_t pages) {
  auto index = PageIndex::open(folder, small_options());
  ASSERT_TRUE(index) << index.error().message;
  for (std::uint64_t page = 0; page < pages; ++page) ASSERT_TRUE(add_page(**index, page));
  ASSERT_TRUE((*index)->compact());  // writes everything to files
}

std::vector<std::string> files_with(const std::string& folder, const std::string& extension) {
  std::vector<std::string> found;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == extension) found.push_back(entry.path());
  }
  return found;
}

void flip_byte(const std::string& path, std::uint64_t at) {
  std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
  file.seekg(static_cast<std::streamoff>(at));
  const char byte = static_cast<char>(file.get() ^ 0x21);
  file.seekp(static_cast<std::streamoff>(at));
  file.put(byte);
}

void expect_all_found(const PageIndex& index, std::uint64_t pages) {
  for (std::uint64_t page = 0; page < pages; ++page) {
    const Result<LookupOutcome> answer = lookup_page(index, page);
    ASSERT_TRUE(answer) << answer.error().message;
    EXPECT_EQ(answer->verdict, Verdict::kSame) << page;
  }
  const Result<VerifyOutcome> verification = index.verify(true);
  ASSERT_TRUE(verification);
  for (const IndexFinding& finding : verification->findings) ADD_FAILURE() << finding.what;
  EXPECT_EQ(verification->pages, pages);
}

TEST(PageIndexFault, DamagedSearchTablesAreReportedAndRebuilt) {
  const TemporaryFolder folder;
  constexpr std::uint64_t kPages = 300;
  fill(folder / "index", kPages);
  const std::string tables = folder / "index/tables";
  for (const char* extension : {".tables", ".templates"}) {
    const std::vector<std::string> files = files_with(tables, extension);
    ASSERT_FALSE(files.empty()) << extension;
    const std::uint64_t size = fs::file_size(files.front());
    for (const std::uint64_t at : {std::uint64_t{3}, size / 3, size / 2, size - 20}) {
      const std::string damaged = files_with(tables, extension).front();
      flip_byte(damaged, at);
      auto index = PageIndex::open(folder / "index", small_options());
      ASSERT_TRUE(index) << index.error().message;
      EXPECT_THAT((*index)->statistics()->warnings, ::testing::Contains(::testing::HasSubstr(damaged)));
      expect_all_found(**index, kPages);
      ASSERT_TRUE((*index)->compact());
    }
  }
}

TEST(PageIndexFault, TruncatedAndMissingSearchTablesAreRebuilt) {
  const TemporaryFolder folder;
  constexpr std::uint64_t kPages = 300;
  fill(folder / "index", kPages);
  const std::string tables = folder / "index/tables";
  const auto reopen = [&] {
    auto index = PageIndex::open(folder / "index", small_options());
    ASSERT_TRUE(index) << index.error().message;
    EXPECT_THAT((*index)->statistics()->warnings, ::testing::Not(::testing::IsEmpty()));
    expect_all_found(**index, kPages);
    ASSERT_TRUE((*index)->compact());
  };
  const std::string file = files_with(tables, ".tables").front();
  fs::resize_file(file, fs::file_size(file) / 2);
  reopen();
  fs::remove(files_with(tables, ".tables").front());
  reopen();
  flip_byte(tables + "/manifest", 30);
  reopen();
  fs::remove(tables + "/manifest");
  reopen();
  fs::remove_all(tables);
  reopen();
  auto index = PageIndex::open(folder / "index", small_options());
  ASSERT_TRUE(index);
  EXPECT_THAT((*index)->statistics()->warnings, ::testing::IsEmpty());
}

// The database has the same format in both versions.
TEST(PageIndexFault, SearchTablesOfAnOlderFormatAreRebuilt) {
  const TemporaryFolder folder;
  constexpr std::uint64_t kPages = 200;
  fill(folder / "index", kPages);
  const std::string tables = folder / "index/tables";
  const auto set_version = [](const std::string& path, std::streamoff at, char version) {
    std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(at);
    file.put(version);
  };
  set_version(files_with(tables, ".tables").front(), 24, 2);
  set_version(files_with(tables, ".templates").front(), 25, 1);
  {
    auto index = PageIndex::open(folder / "index", small_options());
    ASSERT_TRUE(index) << index.error().message;
    EXPECT_THAT((*index)->statistics()->warnings, ::testing::Contains(::testing::HasSubstr("older format 2")));
    expect_all_found(**index, kPages);
  }
  auto index = PageIndex::open(folder / "index", small_options());
  ASSERT_TRUE(index) << index.error().message;
  EXPECT_THAT((*index)->statistics()->warnings, ::testing::IsEmpty());
}

// Tables made before they had summaries hold other keys.
TEST(PageIndexFault, SearchTablesWithoutSummariesAreRebuilt) {
  const TemporaryFolder folder;
  constexpr std::uint64_t kPages = 100;
  IndexOptions options = small_options();
  options.algorithm = "keyword-cosine";  // has summaries
  const auto fingerprint_of = [](std::uint64_t page) {
    PageFingerprint fingerprint;
    fingerprint.state = FingerprintState::kUsable;
    fingerprint.text_hash = {page, 1};
    for (std::uint64_t word = 0; word < 10; ++word) fingerprint.values.push_back(page * 100 + word + 1);
    fingerprint.weights.assign(10, 2);
    return fingerprint;
  };
  const auto add_and_check = [&](PageIndex& index, bool adds) {
    for (std::uint64_t page = 0; page < kPages; ++page) {
      PageFingerprint fingerprint = fingerprint_of(page);
      Profile profile;
      profile.content_characters = 500;
      IndexPageInput input;
      const std::string id = std::to_string(page);
      input.id = id;
      input.profile = &profile;
      input.fingerprint = &fingerprint;
      if (adds) {
        profile.text_hash = fingerprint.text_hash;
        ASSERT_TRUE(index.add(input));
        continue;
      }
      fingerprint.text_hash[1] = 2;
      profile.text_hash = fingerprint.text_hash;
      fingerprint.weights[3] = 1;
      const Result<LookupOutcome> found = index.lookup(input, {});
      ASSERT_TRUE(found) << found.error().message;
      ASSERT_EQ(found->matches.size(), 1U) << page;
      EXPECT_EQ(found->matches.front().page.id, id);
      EXPECT_EQ(found->work.profiles_read, 1U);
    }
  };
  {
    auto index = PageIndex::open(folder / "index", options);
    ASSERT_TRUE(index) << index.error().message;
    add_and_check(**index, true);
    ASSERT_TRUE((*index)->compact());
    add_and_check(**index, false);
  }
  const std::string file = files_with(folder / "index/tables", ".tables").front();
  const TextRange texts = (*SearchSegment::open(file, SegmentMemory::kMapped))->texts();
  SearchHead without(texts.first, 4096);
  without.add(texts.first, TextKeys());
  ASSERT_TRUE(without.write_segment(file, texts.end));
  auto index = PageIndex::open(folder / "index", options);
  ASSERT_TRUE(index) << index.error().message;
  EXPECT_THAT((*index)->statistics()->warnings,
              ::testing::Contains(::testing::HasSubstr("in an older format, without summaries")));
  add_and_check(**index, false);
  const Result<VerifyOutcome> verification = (*index)->verify(true);
  EXPECT_TRUE(verification && verification->is_clean());
}

// All files in a folder and below it except the lock.
std::vector<std::string> files_of_index(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file() || entry.file_size() == 0 || entry.path().filename() == "lock") continue;
    names.push_back(fs::relative(entry.path(), folder));
  }
  std::sort(names.begin(), names.end());
  return names;
}

// Damaging any byte of any file, or truncating it anywhere, gives an error that names the place, or the right answer.
// One exception: RocksDB may take damage in its list of files (MANIFEST) for the end of that list and open without some
// files; then the integrity check reports it.
TEST(PageIndexFault, DamagedFilesNeverGiveWrongAnswers) {
  const TemporaryFolder folder;
  constexpr std::uint64_t kPages = 150;
  fill(folder / "sound", kPages);
  const std::vector<std::string> names = files_of_index(folder / "sound");
  ASSERT_GE(names.size(), 9U);  // format, manifest, tables, templates and those of the database
  std::uint64_t noticed = 0;
  std::mt19937_64 random(5);
  for (std::size_t round = 0; round < 8 * names.size(); ++round) {
    fs::remove_all(folder / "damaged");
    fs::copy(folder / "sound", folder / "damaged", fs::copy_options::recursive);
    const std::string& name = names[round % names.size()];
    const std::string path = folder / ("damaged/" + name);
    const std::uint64_t at = random() % fs::file_size(path);
    SCOPED_TRACE(name + (round % 3 == 0 ? " cut at " : " changed at ") + std::to_string(at));
    if (round % 3 == 0) {
      fs::resize_file(path, at);
    } else {
      flip_byte(path, at);
    }
    auto index = PageIndex::open(folder / "damaged", small_options());
    if (!index) {
      EXPECT_THAT(index.error().message, ::testing::HasSubstr("damaged"));
      ++noticed;
      continue;
    }
    bool is_clean = (*index)->statistics()->warnings.empty();
    std::uint64_t wrong = 0;
    for (std::uint64_t page = 0; page < kPages; ++page) {
      const Result<LookupOutcome> answer = lookup_page(**index, page);
      if (answer) {
        wrong += answer->verdict == Verdict::kSame ? 0 : 1;
      } else {
        is_clean = false;
        EXPECT_EQ(answer.error().code, ErrorCode::kCorruptData);
        EXPECT_THAT(answer.error().message, ::testing::HasSubstr("damaged/database"));
      }
    }
    const Result<VerifyOutcome> verification = (*index)->verify(true);
    ASSERT_TRUE(verification) << verification.error().message;
    if (wrong > 0) {
      EXPECT_TRUE(fs::path(name).filename().string().starts_with("MANIFEST"));
      EXPECT_FALSE(verification->is_clean());
    }
    noticed += is_clean && verification->is_clean() ? 0 : 1;
  }
  EXPECT_GT(noticed, 4 * names.size());
}

// A kill between writing the settings of a new index and its file "format", which comes last, leaves an index without
// that file.
TEST(PageIndexFault, InterruptedCreationIsCompletedWhenTheIndexIsOpened) {
  const TemporaryFolder folder;
  fill(folder / "index", 3);
  fs::remove(folder / "index/format");
  IndexOptions reading = small_options();
  reading.create_if_missing = false;
  EXPECT_EQ(PageIndex::open(folder / "index", reading).error().code, ErrorCode::kNotFound);
  ASSERT_TRUE(PageIndex::open(folder / "index", small_options()));
  auto index = PageIndex::open(folder / "index", reading);
  ASSERT_TRUE(index) << index.error().message;
  EXPECT_EQ((*index)->statistics()->pages, 3U);
}

// The error names the file and tells what to do.
TEST(PageIndexFault, ErrorsOfOpeningIncludeAdvice) {
  const TemporaryFolder folder;
  fill(folder / "sound", 40);
  for (const std::string& name : files_of_index(folder / "sound")) {
    const std::string file = fs::path(name).filename();
    const bool is_needed = file.ends_with(".sst") || file.starts_with("MANIFEST") || file == "CURRENT";
    if (!is_needed) continue;
    for (const bool is_cut : {false, true}) {
      SCOPED_TRACE(name + (is_cut ? " cut" : " gone"));
      fs::remove_all(folder / "damaged");
      fs::copy(folder / "sound", folder / "damaged", fs::copy_options::recursive);
      const std::string path = folder / ("damaged/" + name);
      if (is_cut) {
        fs::resize_file(path, 5);
      } else {
        fs::remove(path);
      }
      auto index = PageIndex::open(folder / "damaged", small_options());
      ASSERT_FALSE(index);
      EXPECT_EQ(index.error().code, ErrorCode::kCorruptData);
      EXPECT_THAT(index.error().message, ::testing::HasSubstr("index restore"));
    }
  }
}

TEST(PageIndexFault, UnusableBackupIsNamed) {
  const TemporaryFolder folder;
  fill(folder / "backup", 40);
  flip_byte(folder / "backup/database/CURRENT", 3);
  const Status damaged = restore_index(folder / "backup", folder / "restored");
  ASSERT_FALSE(damaged);
  EXPECT_THAT(damaged.error().message, ::testing::HasSubstr(folder / "backup/database"));
  EXPECT_THAT(damaged.error().message, ::testing::Not(::testing::HasSubstr("restored")));
  std::ofstream(folder / "backup/format") << "paraprint index 3\n";
  const Status older = restore_index(folder / "backup", folder / "restored");
  ASSERT_FALSE(older);
  EXPECT_EQ(older.error().code, ErrorCode::kUnsupported);
  EXPECT_THAT(older.error().message, ::testing::HasSubstr(folder / "backup has format 3"));
  EXPECT_EQ(restore_index(folder / "nothing", folder / "restored").error().code, ErrorCode::kNotFound);
  EXPECT_FALSE(fs::exists(folder / "restored"));
}

// Runs in a child process with a limit on the size of its files; returns 0 if everything went as expected.
int fill_until_full(const std::string& folder, std::uint64_t limit_bytes) {
  ::signal(SIGXFSZ, SIG_IGN);
  const rlimit limit{limit_bytes, limit_bytes};
  if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) return 2;
  IndexOptions options = small_options();
  auto index = PageIndex::open(folder, options);
  if (!index) return 3;
  std::uint64_t added = 0;
  for (; added < 5000; ++added) {
    const Result<AddOutcome> answer = add_page(**index, added);
    if (answer) continue;
    if (answer.error().code != ErrorCode::kNoSpace) return 4;
    break;
  }
  if (added == 5000) return 5;
  std::ofstream(folder + "/../added") << added;
  // Changes are refused, lookups still work.
  if (add_page(**index, 7777)) return 6;
  for (std::uint64_t page = 0; page < added; ++page) {
    const Result<LookupOutcome> answer = lookup_page(**index, page);
    if (!answer || answer->verdict != Verdict::kSame) return 7;
  }
  return 0;
}

// One limit per test, so that the child is started before any thread: thread sanitizer knows no others.
class FullDisk : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(FullDisk, StopsChangesAndLosesNothing) {
  const TemporaryFolder folder;
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) ::_exit(fill_until_full(folder / "index", GetParam()));
  int status = 0;
  ::waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  ASSERT_EQ(WEXITSTATUS(status), 0);
  std::uint64_t added = 0;
  std::ifstream(folder / "added") >> added;
  ASSERT_GT(added, 0U);
  auto index = PageIndex::open(folder / "index", small_options());
  ASSERT_TRUE(index) << index.error().message;
  EXPECT_GE((*index)->statistics()->pages, added);
  for (std::uint64_t page = 0; page < added; ++page) {
    EXPECT_EQ(lookup_page(**index, page)->verdict, Verdict::kSame) << page;
  }
  EXPECT_TRUE((*index)->verify(true)->is_clean());
  EXPECT_TRUE(add_page(**index, 7777));
}

INSTANTIATE_TEST_SUITE_P(LimitsInBytes, FullDisk, ::testing::Values(40'000, 150'000, 400'000));

TEST(PageIndexFault, OtherSettingsVersionsAndProcessesAreRefused) {
  const TemporaryFolder folder;
  fill(folder / "index", 3);
  IndexOptions options = small_options();
  options.identity = "other";
  auto other = PageIndex::open(folder / "index", options);
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(other.error().message, ::testing::AllOf(::testing::HasSubstr("other"), ::testing::HasSubstr("test")));
  {
    auto first = PageIndex::open(folder / "index", small_options());
    ASSERT_TRUE(first);
    auto second = PageIndex::open(folder / "index", small_options());
    ASSERT_FALSE(second);
    EXPECT_THAT(second.error().message, ::testing::HasSubstr(std::to_string(::getpid())));
  }
  options = small_options();
  options.candidates.candidate_bits = 7;
  EXPECT_EQ(PageIndex::open(folder / "index", options).error().code, ErrorCode::kInvalidArgument);
  options = small_options();
  options.create_if_missing = false;
  EXPECT_EQ(PageIndex::open(folder / "nothing", options).error().code, ErrorCode::kNotFound);
  fs::create_directories(folder / "full");
  std::ofstream(folder / "full/letter.txt") << "dear";
  EXPECT_EQ(PageIndex::open(folder / "full", small_options()).error().code, ErrorCode::kInvalidArgument);
  // Version 3 had profiles of an older format; later versions are unknown.
  for (const auto& [format, advice] : {std::pair("3", "paraprint index add"), std::pair("77", "a later version")}) {
    std::ofstream(folder / "index/format") << "paraprint index " << format << "\n";
    auto of_format = PageIndex::open(folder / "index", small_options());
    ASSERT_FALSE(of_format);
    EXPECT_EQ(of_format.error().code, ErrorCode::kUnsupported);
    EXPECT_THAT(of_format.error().message, ::testing::HasSubstr(std::string("has format ") + format));
    EXPECT_THAT(of_format.error().message, ::testing::HasSubstr(advice));
  }
}

}  // namespace
}  // namespace paraprint
