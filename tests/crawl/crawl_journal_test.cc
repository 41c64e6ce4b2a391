// The journal after a kill (everything is replayed) and after a crash of the system (nothing is).
#include "crawl/crawl_journal.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "../temporary_folder.h"

namespace paraprint {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::int64_t kNow = 1'800'000'000;  // Unix time

class CrawlJournalTest : public testing::Test {
 protected:
  CrawlJournal open(const std::string& boot_id, std::int64_t began_at_seconds = 0) {
    replayed_.clear();
    const Boot boot{boot_id, began_at_seconds};
    Result<CrawlJournal> journal = CrawlJournal::open(path_, boot, [this](std::string_view batch) -> Status {
      replayed_.emplace_back(batch);
      return {};
    });
    EXPECT_TRUE(journal) << journal.error().message;
    return std::move(*journal);
  }

  TemporaryFolder folder_;
  std::string path_ = folder_ / "journal";
  std::vector<std::string> replayed_;
};

TEST_F(CrawlJournalTest, KeepsBatchesOfThisBootUntilTheyAreDurable) {
  const std::string large(100'000, 'x');
  {
    CrawlJournal journal = open("boot");
    EXPECT_FALSE(journal.lost());
    ASSERT_TRUE(journal.clear(kNow));
    EXPECT_EQ(journal.size_bytes(), 0U);
    ASSERT_TRUE(journal.append("one"));
    ASSERT_TRUE(journal.append(large));
    EXPECT_GT(journal.size_bytes(), large.size());
  }
  {
    CrawlJournal journal = open("boot");
    EXPECT_THAT(replayed_, ElementsAre("one", large));
    ASSERT_TRUE(journal.append("three"));
  }
  {
    CrawlJournal journal = open("boot");
    EXPECT_THAT(replayed_, ElementsAre("one", large, "three"));
    ASSERT_TRUE(journal.clear(kNow));
    ASSERT_TRUE(journal.append("four"));
  }
  {
    CrawlJournal journal = open("boot");
    EXPECT_THAT(replayed_, ElementsAre("four"));
    ASSERT_TRUE(journal.remove());
  }
  EXPECT_FALSE(std::filesystem::exists(path_));
}

// A kill may interrupt a write.
TEST_F(CrawlJournalTest, CutsOffIncompleteBatches) {
  std::vector<std::uintmax_t> sizes;
  {
    CrawlJournal journal = open("boot");
    ASSERT_TRUE(journal.clear(kNow));
    for (const char* batch : {"first", "", "third"}) {
      sizes.push_back(std::filesystem::file_size(path_));
      ASSERT_TRUE(journal.append(batch));
    }
    sizes.push_back(std::filesystem::file_size(path_));
  }
  const std::string whole = folder_ / "whole";
  std::filesystem::copy_file(path_, whole);
  for (std::uintmax_t size = sizes.front(); size <= sizes.back(); ++size) {
    std::filesystem::copy_file(whole, path_, std::filesystem::copy_options::overwrite_existing);
    std::filesystem::resize_file(path_, size);
    open("boot");
    const std::size_t expected = size < sizes[1] ? 0 : size < sizes[2] ? 1 : size < sizes[3] ? 2 : 3;
    ASSERT_EQ(replayed_.size(), expected) << size;
    EXPECT_EQ(std::filesystem::file_size(path_), sizes[expected]);
  }
  // A damaged byte ends the journal as well.
  std::fstream file(path_, std::ios::binary | std::ios::in | std::ios::out);
  file.seekp(static_cast<std::streamoff>(sizes[2]) - 1);
  file.put('?');
  file.close();
  open("boot");
  EXPECT_THAT(replayed_, ElementsAre("first"));
}

TEST_F(CrawlJournalTest, IgnoresAJournalOfAnotherBoot) {
  {
    CrawlJournal journal = open("boot");
    ASSERT_TRUE(journal.clear(kNow));
    ASSERT_TRUE(journal.append("lost"));
  }
  for (int attempt = 0; attempt < 2; ++attempt) {  // reported until clear(), which comes after the repair
    CrawlJournal journal = open("other boot");
    EXPECT_THAT(replayed_, IsEmpty());
    ASSERT_TRUE(journal.lost());
    EXPECT_EQ(journal.lost()->since_seconds, kNow);
    EXPECT_EQ(journal.lost()->until_seconds, INT64_MAX);
    ASSERT_TRUE(journal.append("not kept"));
  }
  const std::int64_t later = std::int64_t{1} << 40;
  EXPECT_EQ(open("other boot", later).lost()->until_seconds, later);
  ASSERT_TRUE(open("other boot").clear(kNow));
  EXPECT_FALSE(open("other boot").lost());
  EXPECT_THAT(replayed_, IsEmpty());
}

TEST_F(CrawlJournalTest, TrustsNothingWithoutBootIdOrHeader) {
  {
    CrawlJournal journal = open("");
    ASSERT_TRUE(journal.clear(kNow));
    ASSERT_TRUE(journal.append("a"));
  }
  EXPECT_TRUE(open("").lost());
  EXPECT_THAT(replayed_, IsEmpty());
  for (const std::string bytes : {"", "paraprint crawl journal 1\nboot\n", "paraprint crawl journal 2\nboot\n7\n",
                                  "paraprint crawl journal 1\nboot\n7x\n"}) {
    std::ofstream(path_, std::ios::binary) << bytes;
    const CrawlJournal journal = open("boot");
    ASSERT_TRUE(journal.lost()) << bytes;
    EXPECT_EQ(journal.lost()->since_seconds, 0) << bytes;
  }
}

}  // namespace
}  // namespace paraprint
