// Memory that runs out within RocksDB, which is not made for that: what is left of the database.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <new>
#include <string>

#include "simulation/failing_memory.h"
#include "store/index_database.h"
#include "temporary_folder.h"

namespace paraprint {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kPages = 100;

std::string id_of(std::uint64_t page) {
  return "page" + std::to_string(page);
}

std::unique_ptr<IndexDatabase> open_database(const std::string& folder) {
  auto database = IndexDatabase::open(folder, DatabaseAccess::kCreate);
  EXPECT_TRUE(database) << database.error().message;
  return database ? std::move(*database) : nullptr;
}

// Writes all pages again, and everything that is in memory to files.
void rewrite(IndexDatabase& database) {
  IndexBatch batch;
  for (std::uint64_t page = 0; page < kPages; ++page) database.put_page(batch, id_of(page), {});
  ASSERT_TRUE(database.write(batch));
  const Status compacted = database.compact();
  ASSERT_TRUE(compacted) << compacted.error().message;
}

std::ptrdiff_t table_files(const std::string& folder) {
  return std::count_if(fs::directory_iterator(folder), {},
                       [](const fs::directory_entry& file) { return file.path().extension() == ".sst"; });
}

// Returns whether the call met the failure.
template <class Call>
bool fails_in_database(std::uint64_t good_allocations, const Call& call) {
  bool has_thrown = false;
  FailingMemory::fail_in_database_after(good_allocations);
  try {
    const UnsafeMemory may_fail;
    static_cast<void>(call());
  } catch (const std::bad_alloc&) {
    has_thrown = true;
  }
  return FailingMemory::end() && has_thrown;
}

TEST(DatabaseMemory, ACopyThatRanOutOfItKeepsNoFileFromBeingDeleted) {
  const TemporaryFolder folder;
  const std::unique_ptr<IndexDatabase> database = open_database(folder / "database");
  rewrite(*database);
  ASSERT_TRUE(fails_in_database(20, [&] { return database->checkpoint(folder / "copy"); }));
  for (int round = 0; round < 4; ++round) rewrite(*database);
  EXPECT_EQ(table_files(folder / "database"), 1);
  const Status copied = database->checkpoint(folder / "copy");
  EXPECT_TRUE(copied) << copied.error().message;
}

// Ends the process with 0 if every read after one without memory is refused, else with 1.
[[noreturn]] void read_until_memory_runs_out(const std::string& folder) {
  const std::unique_ptr<IndexDatabase> database = open_database(folder);
  PageRecord record;
  if (!*database->get_page(id_of(1), record) || !database->check_usable()) std::_Exit(1);
  // The first allocations may be our own, outside of the database.
  for (std::uint64_t good = 0; good < 20 && database->check_usable(); ++good) {
    fails_in_database(good, [&] { return database->get_page(id_of(2), record); });
  }
  const Result<bool> found = database->get_page(id_of(3), record);
  const Status walked = database->for_each_page([](std::string_view, std::string_view) { return Status(); });
  const auto is_refused = [](const Status& status) {
    return !status && status.error().code == ErrorCode::kInputOutput;
  };
  std::_Exit(!database->check_usable() && !database->check_readable() && !found &&
                     found.error().code == ErrorCode::kInputOutput && is_refused(walked) &&
                     is_refused(database->verify_checksums()) && is_refused(database->compact())
                 ? 0
                 : 1);
}

// The same for changes; reads go on.
[[noreturn]] void write_until_memory_runs_out(const std::string& folder) {
  const std::unique_ptr<IndexDatabase> database = open_database(folder);
  IndexBatch batch;
  database->put_page(batch, id_of(1), {});
  for (std::uint64_t good = 0; good < 20 && database->check_usable(); ++good) {
    fails_in_database(good, [&] { return database->write(batch); });
  }
  const Status written = database->write(batch);
  PageRecord record;
  const Result<bool> found = database->get_page(id_of(1), record);
  std::_Exit(
      !written && written.error().code == ErrorCode::kInputOutput && database->check_readable() && found && *found ? 0
                                                                                                                   : 1);
}

// In a process of its own, which ends without closing the database: RocksDB does not survive that.
TEST(DatabaseMemoryDeathTest, AReadThatRanOutOfItIsTheLast) {
  const TemporaryFolder folder;
  rewrite(*open_database(folder / "database"));
  EXPECT_EXIT(read_until_memory_runs_out(folder / "database"), ::testing::ExitedWithCode(0), "");
}

TEST(DatabaseMemoryDeathTest, AChangeThatRanOutOfItIsTheLast) {
  const TemporaryFolder folder;
  rewrite(*open_database(folder / "database"));
  EXPECT_EXIT(write_until_memory_runs_out(folder / "database"), ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace paraprint
