// Profiles on their way from the stored batches to the tasks that compare them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "distribute/records.h"
#include "distribute/wanted_pages.h"
#include "paraprint/engine.h"
#include "temporary_folder.h"

namespace paraprint {
namespace {

using namespace distribute;

struct Batch {
  std::string facts;
  std::string profiles;
};

// Pages "first" to "first + pages - 1"; the profile of each is its number as text, and it has as many characters.
Batch batch_of(std::uint32_t first, std::uint32_t pages) {
  Batch batch;
  for (std::uint32_t position = first; position < first + pages; ++position) {
    DriverPage page;
    const std::string url = "http://a.example/" + std::to_string(position);
    page.url = url;
    page.content_characters = position;
    ByteWriter facts(batch.facts);
    write_page(page, facts);
    ByteWriter(batch.profiles).text("profile " + std::to_string(position));
  }
  return batch;
}

class FetchTest : public ::testing::Test {
 protected:
  static constexpr std::uint32_t kTasks = 3;
  static constexpr std::uint32_t kBatchPages = 10;

  static const std::vector<std::uint32_t> kFirstPages;

  std::unique_ptr<StageTask> make_task(std::uint32_t number) {
    StageSettings settings;
    settings.stage = "fetch";
    settings.partitions = kTasks;
    settings.share = number;
    settings.shares = kTasks;
    settings.first_pages = kFirstPages;
    settings.temporary_folder = folder_.path();
    Result<std::unique_ptr<StageTask>> task = StageTask::create(options_, settings);
    EXPECT_TRUE(task.has_value()) << task.error().message;
    return std::move(*task);
  }

  // Offers the batches of the task, and notes which of them it asks for.
  void add_batches(StageTask& task, std::uint32_t first_page, std::uint32_t end) {
    for (std::uint32_t first = first_page; first < end; first += kBatchPages) {
      if (!task.needs_pages(first, kBatchPages)) continue;
      read_.insert(first);
      const Batch batch = batch_of(first, kBatchPages);
      ASSERT_TRUE(task.add_pages(first, batch.facts, batch.profiles).has_value());
    }
  }

  TemporaryFolder folder_;
  DedupOptions options_;
  // The task wants the pages, of any size.
  static void want(const std::vector<std::uint32_t>& pages, std::uint32_t task, ParcelBox& box) {
    for (const std::uint32_t page : pages) {
      ByteWriter out(box.record_for(owner_of_page(kFirstPages, page)));
      write_wanted_page({page, task}, out);
    }
  }

  std::multiset<std::uint32_t> read_;  // positions of the batches that were read
};

// The second task has no pages.
const std::vector<std::uint32_t> FetchTest::kFirstPages = {0, 50, 50, 90};

TEST_F(FetchTest, SendsAPageOnceToEachTaskThatWantsIt) {
  ParcelBox box("requests", kTasks);
  want({5, 3, 88}, 0, box);
  want({3, 60, 61}, 2, box);
  // Only if they have at most so many characters.
  for (const WantedPage& page : {WantedPage{7, 1, 7}, WantedPage{8, 1, 7}}) {
    ByteWriter out(box.record_for(0));
    write_wanted_page(page, out);
  }
  std::vector<Parcel> parcels;
  box.take(parcels, true);

  std::map<std::uint32_t, std::multiset<std::uint32_t>> sent;  // page numbers by task
  for (std::uint32_t number = 0; number < kTasks; ++number) {
    const std::unique_ptr<StageTask> task = make_task(number);
    for (const Parcel& parcel : parcels) {
      if (parcel.partition != number) continue;
      ASSERT_TRUE(task->add_parcel(parcel.kind, parcel.bytes).has_value());
    }
    ASSERT_TRUE(task->end_parcels().has_value());
    add_batches(*task, kFirstPages[number], kFirstPages[number + 1]);
    const Status finished = task->finish();
    ASSERT_TRUE(finished.has_value()) << finished.error().message;
    const Result<std::vector<Parcel>> taken = task->take_parcels();
    ASSERT_TRUE(taken.has_value());
    for (const Parcel& parcel : *taken) {
      for (ByteReader in(parcel.bytes); !in.at_end();) {
        const FetchedPage page = read_fetched_page(in);
        ASSERT_TRUE(in.ok());
        EXPECT_EQ(page.profile, "profile " + std::to_string(page.page));
        EXPECT_EQ(page.url, "http://a.example/" + std::to_string(page.page));
        EXPECT_EQ(page.content_characters, page.page);
        sent[parcel.partition].insert(page.page);
      }
    }
  }
  EXPECT_THAT(sent[0], ::testing::ElementsAre(3, 5, 88));
  EXPECT_THAT(sent[1], ::testing::ElementsAre(7));
  EXPECT_THAT(sent[2], ::testing::ElementsAre(3, 60, 61));
  // Pages 3 to 8; 60 and 61; 88: no other batch is read, and none is read twice.
  EXPECT_THAT(read_, ::testing::ElementsAre(0, 60, 80));
}

TEST_F(FetchTest, NamesMissingPages) {
  ParcelBox box("requests", kTasks);
  want({4, 25}, 0, box);
  std::vector<Parcel> parcels;
  box.take(parcels, true);
  const std::unique_ptr<StageTask> task = make_task(0);
  for (const Parcel& parcel : parcels) ASSERT_TRUE(task->add_parcel(parcel.kind, parcel.bytes).has_value());
  ASSERT_TRUE(task->end_parcels().has_value());
  add_batches(*task, 0, 20);
  const Status finished = task->finish();
  ASSERT_FALSE(finished.has_value());
  EXPECT_EQ(finished.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(finished.error().message, "profiles: 1 of 2 wanted pages are missing from the batches");
}

TEST_F(FetchTest, RejectsPagesOfOtherTasks) {
  std::string bytes;
  ByteWriter out(bytes);
  write_wanted_page({4, kTasks}, out);
  EXPECT_EQ(make_task(0)->add_parcel("requests", bytes).error().code, ErrorCode::kCorruptData);
  bytes.clear();
  write_wanted_page({4, 1}, out);
  EXPECT_EQ(make_task(2)->add_parcel("requests", bytes).error().code, ErrorCode::kCorruptData);
  EXPECT_TRUE(make_task(0)->add_parcel("requests", bytes).has_value());
}

}  // namespace
}  // namespace paraprint
