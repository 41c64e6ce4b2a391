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

// Pages "first" to "first + pages - 1" by position; the profile of each is its number as text.
Batch batch_of(std::uint32_t first, std::uint32_t pages) {
  Batch batch;
  for (std::uint32_t position = first; position < first + pages; ++position) {
    DriverPage page;
    const std::string url = "http://a.example/" + std::to_string(position);
    page.url = url;
    ByteWriter facts(batch.facts);
    write_page(page, facts);
    ByteWriter(batch.profiles).text("profile " + std::to_string(position));
  }
  return batch;
}

class FetchTest : public ::testing::Test {
 protected:
  static constexpr std::uint32_t kTasks = 3;
  static constexpr std::uint32_t kPages = 90;
  static constexpr std::uint32_t kBatchPages = 10;

  std::unique_ptr<StageTask> make_task() {
    StageSettings settings;
    settings.stage = "fetch";
    settings.partitions = kTasks;
    settings.temporary_folder = folder_.path();
    Result<std::unique_ptr<StageTask>> task = StageTask::create(options_, settings);
    EXPECT_TRUE(task.has_value()) << task.error().message;
    return std::move(*task);
  }

  // Offers all batches, and notes which of them the task asks for.
  void add_batches(StageTask& task, std::uint32_t batches) {
    for (std::uint32_t first = 0; first < batches * kBatchPages; first += kBatchPages) {
      if (!task.needs_pages(first, kBatchPages)) continue;
      read_.insert(first);
      const Batch batch = batch_of(first, kBatchPages);
      ASSERT_TRUE(task.add_pages(first, batch.facts, batch.profiles).has_value());
    }
  }

  TemporaryFolder folder_;
  DedupOptions options_;
  std::multiset<std::uint32_t> read_;  // positions of the batches that were read
};

TEST_F(FetchTest, SendsAPageOnceToEachTaskThatWantsIt) {
  // Page numbers descend by position, as they may in a table.
  std::vector<std::uint32_t> number_of_position;
  for (std::uint32_t position = 0; position < kPages; ++position) number_of_position.push_back(kPages - 1 - position);
  const std::vector<std::uint32_t> positions = positions_of_pages(number_of_position);
  const std::vector<std::vector<std::uint32_t>> wanted = {{5, 3, 3, 88, 5}, {}, {3, 60, 61}};
  ParcelBox box("requests", kTasks);
  for (std::uint32_t task = 0; task < kTasks; ++task) {
    std::vector<std::uint32_t> pages = wanted[task];
    write_wanted_pages(pages, task, positions, kTasks, box);
  }
  std::vector<Parcel> parcels;
  box.take(parcels, true);

  std::map<std::uint32_t, std::multiset<std::uint32_t>> sent;  // page numbers by task
  for (std::uint32_t number = 0; number < kTasks; ++number) {
    const std::unique_ptr<StageTask> task = make_task();
    for (const Parcel& parcel : parcels) {
      if (parcel.partition != number) continue;
      ASSERT_TRUE(task->add_parcel(parcel.kind, parcel.bytes).has_value());
    }
    ASSERT_TRUE(task->end_parcels().has_value());
    add_batches(*task, kPages / kBatchPages);
    const Status finished = task->finish();
    ASSERT_TRUE(finished.has_value()) << finished.error().message;
    for (const Parcel& parcel : task->take_parcels()) {
      for (ByteReader in(parcel.bytes); !in.at_end();) {
        const FetchedPage page = read_fetched_page(in);
        ASSERT_TRUE(in.ok());
        const std::string position = std::to_string(kPages - 1 - page.page);
        EXPECT_EQ(page.profile, "profile " + position);
        EXPECT_EQ(page.url, "http://a.example/" + position);
        sent[parcel.partition].insert(page.page);
      }
    }
  }
  EXPECT_THAT(sent[0], ::testing::ElementsAre(3, 5, 88));
  EXPECT_THAT(sent[1], ::testing::IsEmpty());
  EXPECT_THAT(sent[2], ::testing::ElementsAre(3, 60, 61));
  // Pages 88; 61 and 60; 5 and 3: no other batch is read, and none is read twice.
  EXPECT_THAT(read_, ::testing::ElementsAre(0, 20, 80));
}

TEST_F(FetchTest, NamesMissingPages) {
  std::vector<std::uint32_t> pages = {4, 25};
  ParcelBox box("requests", kTasks);
  std::vector<std::uint32_t> positions(kPages);
  for (std::uint32_t page = 0; page < kPages; ++page) positions[page] = page;
  write_wanted_pages(pages, 0, positions, kTasks, box);
  std::vector<Parcel> parcels;
  box.take(parcels, true);
  const std::unique_ptr<StageTask> task = make_task();
  for (const Parcel& parcel : parcels) ASSERT_TRUE(task->add_parcel(parcel.kind, parcel.bytes).has_value());
  ASSERT_TRUE(task->end_parcels().has_value());
  add_batches(*task, 2);
  const Status finished = task->finish();
  ASSERT_FALSE(finished.has_value());
  EXPECT_EQ(finished.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(finished.error().message, "profiles: 1 of 2 wanted pages are missing from the batches");
}

TEST_F(FetchTest, RejectsPagesForTasksThatDoNotExist) {
  std::string bytes;
  ByteWriter out(bytes);
  write_wanted_page({4, 4, kTasks}, out);
  EXPECT_EQ(make_task()->add_parcel("requests", bytes).error().code, ErrorCode::kCorruptData);
}

}  // namespace
}  // namespace paraprint
