// The list of pages that runs have added to an index: what it tells to which run, and what damage does to it.
#include "engine/added_pages.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <utility>

#include "profile/profile_codec.h"
#include "temporary_folder.h"

namespace paraprint {
namespace {

class AddedPagesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"one", "two"}) {
      std::ofstream(folder_ / name) << name;
      InputFile input;
      input.path = folder_ / name;
      input.index = static_cast<std::uint32_t>(inputs_.size());
      input.size_bytes = 3;
      inputs_.push_back(std::move(input));
    }
    options_.output.out = folder_ / "out";
  }

  // Pages "a", "b" of the first input and "c", "d" of the second; "b" is removed and "d" has no text.
  void record(const std::string& source) {
    PageTable pages;
    Decisions decisions;
    const std::string ids = "abcd";
    for (std::uint32_t page = 0; page < ids.size(); ++page) {
      LoggedPage logged;
      logged.id = std::string_view(ids).substr(page, 1);
      logged.location.file_index = page / 2;
      ASSERT_TRUE(pages.add(logged, page == 3 ? 0 : 500));
      ASSERT_TRUE(decisions.clustering.pages.push_back({}));
      decisions.clustering.pages[page].kept_page = page == 1 ? 0 : page;
    }
    ASSERT_TRUE(pages.finish());
    const RunSetup run{options_, RunMode::kResume, inputs_, "", 1, budget_};
    const std::unique_ptr<PageLog> log = std::move(PageLog::create_nameless(folder_.path()).value());
    const Status done = record_added_pages(path_, source, run, *log, pages, decisions);
    ASSERT_TRUE(done) << done.error().message;
  }

  std::string known_to(const std::string& source, const std::vector<InputFile>& inputs) {
    const RunSetup run{options_, RunMode::kResume, inputs, "", 1, budget_};
    const Result<AddedPages> added = read_added_pages(path_, source, run);
    if (!added) return added.error().message;
    std::string ids;
    for (const char id : std::string("abcd")) {
      if (added->contains(std::string(1, id))) ids += id;
    }
    return ids;
  }

  TemporaryFolder folder_;
  std::string path_ = folder_ / "added";
  DedupOptions options_;
  std::vector<InputFile> inputs_;
  MemoryBudget budget_{std::uint64_t{1} << 30, folder_.path()};
};

TEST_F(AddedPagesTest, AreThoseOfTheIndexAndTheInputs) {
  EXPECT_EQ(known_to("index", inputs_), "");
  record("index");
  EXPECT_EQ(known_to("index", inputs_), "ac");
  EXPECT_EQ(known_to("index", {inputs_[1]}), "c");
  EXPECT_EQ(known_to("another", inputs_), "");
  const auto size = std::filesystem::file_size(path_);
  record("index");
  EXPECT_EQ(std::filesystem::file_size(path_), size);
  record("another");
  EXPECT_EQ(known_to("index", inputs_), "ac");
  EXPECT_EQ(known_to("another", inputs_), "ac");
  std::filesystem::last_write_time(inputs_[0].path,
                                   std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
  EXPECT_EQ(known_to("index", inputs_), "c");
}

// By the names that the index has for them.
TEST_F(AddedPagesTest, PagesWithoutIdsHaveTheirTexts) {
  const std::unique_ptr<PageLog> log = std::move(PageLog::create_nameless(folder_.path()).value());
  PageBatch batch;
  for (const std::uint64_t text : {1U, 2U}) {
    Page page;
    page.id = "place";
    page.has_id_of_place = true;
    if (text == 2) page.url = "http://x.test/";
    Profile profile;
    profile.text_hash = {text, 0xA};
    profile.content_characters = 500;
    std::string encoded;
    encode_profile(profile, encoded);
    batch.append_page(page, {}, encoded, {});
  }
  ASSERT_TRUE(log->append(batch));
  PageTable pages;
  Decisions decisions;
  ASSERT_TRUE(log->read([&](const LoggedPage& page) { return pages.add(page, 500); },
                        [](const PageBatch&) -> Status { return {}; }));
  for (std::uint32_t page = 0; page < 2; ++page) {
    ASSERT_TRUE(decisions.clustering.pages.push_back({}));
    decisions.clustering.pages[page].kept_page = page;
  }
  const RunSetup run{options_, RunMode::kResume, inputs_, "", 1, budget_};
  ASSERT_TRUE(record_added_pages(path_, "index", run, *log, pages, decisions));
  const Result<AddedPages> added = read_added_pages(path_, "index", run);
  ASSERT_TRUE(added);
  EXPECT_TRUE(added->contains("place#0000000000000001000000000000000a"));
  EXPECT_TRUE(added->contains("http://x.test/#0000000000000002000000000000000a"));
  EXPECT_FALSE(added->contains("place"));
}

TEST_F(AddedPagesTest, AFolderOfOtherPagesIsAnotherInput) {
  std::filesystem::create_directories(folder_ / "pages/deep");
  std::ofstream(folder_ / "pages/deep/a.html") << "<p>a";
  inputs_[1] = expand_inputs({folder_ / "pages"}).value().front();
  inputs_[1].index = 1;
  record("index");
  EXPECT_EQ(known_to("index", {inputs_[1]}), "c");
  std::filesystem::rename(folder_ / "pages/deep/a.html", folder_ / "pages/deep/b.html");
  EXPECT_EQ(known_to("index", expand_inputs({folder_ / "pages"}).value()), "");
}

// Version 0.1.0 told them by path, size and time, like files.
TEST_F(AddedPagesTest, FoldersAreKnownByTheirEarlierNumbers) {
  std::filesystem::create_directories(folder_ / "pages");
  std::ofstream(folder_ / "pages/a.html") << "<p>a";
  const InputFile pages = expand_inputs({folder_ / "pages"}).value().front();
  inputs_[1] = pages;
  inputs_[1].index = 1;
  inputs_[1].kind = InputKind::kFile;
  record("index");
  EXPECT_EQ(known_to("index", {pages}), "c");
}

TEST_F(AddedPagesTest, DamagedFilesAreRejected) {
  record("index");
  std::ifstream file(path_, std::ios::binary);
  const std::string whole((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 1);
    for (const std::string& bytes : {damaged, whole.substr(0, at)}) {
      std::ofstream(path_, std::ios::binary) << bytes;
      EXPECT_GT(known_to("index", inputs_).size(), 4U) << at;
    }
  }
}

}  // namespace
}  // namespace paraprint
