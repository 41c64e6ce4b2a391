// RocksDB writes the logs; change_log.h reads them.
#include "store/change_log.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "store/index_database.h"
#include "temporary_folder.h"

namespace paraprint {
namespace {

namespace fs = std::filesystem;

std::uint64_t last_of(const std::string& folder) {
  const Result<std::uint64_t> last = last_intact_change(folder);
  EXPECT_TRUE(last);
  return last.value_or(0);
}

TEST(ChangeLog, FindsTheLastIntactChange) {
  const TemporaryFolder folder;
  const auto database = IndexDatabase::open(folder / "database", DatabaseAccess::kCreate);
  ASSERT_TRUE(database) << database.error().message;
  const std::string& path = folder / "database";
  std::uint64_t before = 0;
  // Values of all sizes, so that batches end at and around the ends of blocks, and some take several blocks.
  for (std::size_t size = 1; size < 100'000; size += 1'999) {
    IndexBatch batch;
    (*database)->put_setting(batch, "one", std::string(size, 'x'));
    (*database)->put_setting(batch, "two", "");
    ASSERT_TRUE((*database)->write(batch));
    const std::uint64_t last = last_of(path);
    EXPECT_EQ(last, before + 2);
    // Without its last byte, the change is not intact.
    const std::string copy = folder / "copy";
    fs::remove_all(copy);
    fs::create_directory(copy);
    for (const auto& entry : fs::directory_iterator(path)) {
      if (entry.path().extension() != ".log") continue;
      const std::string cut = copy + "/" + entry.path().filename().string();
      fs::copy_file(entry.path(), cut);
      if (fs::file_size(cut) > 0) fs::resize_file(cut, fs::file_size(cut) - 1);
    }
    EXPECT_EQ(last_of(copy), before);
    before = last;
  }
}

TEST(ChangeLog, NoLogHasNoChange) {
  const TemporaryFolder folder;
  EXPECT_EQ(last_of(folder.path()), 0U);
  EXPECT_TRUE(sync_change_logs(folder.path()));
  EXPECT_EQ(last_of(folder / "missing"), 0U);
}

}  // namespace
}  // namespace paraprint
