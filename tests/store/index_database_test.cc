// A database in a process that may have fewer files open than the database has, and one in which very much was deleted.
#include "store/index_database.h"

#include <gmock/gmock.h>
#include <sys/resource.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <iterator>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "base/atomic_file.h"
#include "database_work.h"
#include "temporary_folder.h"

namespace paraprint {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;

constexpr std::uint64_t kRounds = 3;  // after four, RocksDB would make one file of those of a table
// More files than a database has for other purposes, and fewer than fill() makes.
constexpr rlim_t kFewFiles = 16;

// During its life, the process may open only so many more files.
class FilesLimit {
 public:
  explicit FilesLimit(rlim_t more) {
    ::getrlimit(RLIMIT_NOFILE, &before_);
    rlimit limit = before_;
    limit.rlim_cur = more + static_cast<rlim_t>(std::distance(fs::directory_iterator("/proc/self/fd"), {}));
    ::setrlimit(RLIMIT_NOFILE, &limit);
  }
  ~FilesLimit() { ::setrlimit(RLIMIT_NOFILE, &before_); }
  FilesLimit(const FilesLimit&) = delete;
  FilesLimit& operator=(const FilesLimit&) = delete;

 private:
  rlimit before_{};
};

std::string id_of(std::uint64_t page) {
  return "page" + std::to_string(page);
}

// Writes to every table.
Status add_page(IndexDatabase& database, std::uint64_t number) {
  IndexBatch batch;
  PageRecord page;
  page.text = number;
  TextRecord text;
  const std::string id = id_of(number);
  text.owner = id;
  database.put_setting(batch, "counts", id);
  database.put_page(batch, id, page);
  database.put_text(batch, number, text);
  database.put_member(batch, number, id);
  database.put_url(batch, id, id);
  database.put_cluster_member(batch, id, id);
  database.put_origin(batch, id, id);
  return database.write(batch);
}

std::ptrdiff_t table_files_in(const std::string& folder) {
  const std::vector<std::string> names = *names_in_folder(folder);
  return std::count_if(names.begin(), names.end(), [](const std::string& name) { return name.ends_with(".sst"); });
}

std::ptrdiff_t open_table_files() {
  return std::count_if(fs::directory_iterator("/proc/self/fd"), {}, [](const fs::directory_entry& file) {
    std::error_code closed;  // that of the iterator itself
    return fs::read_symlink(file.path(), closed).extension() == ".sst";
  });
}

// A copy writes what is in memory to files, one for each table.
void write_files(IndexDatabase& database, std::uint64_t number, const std::string& copy) {
  ASSERT_TRUE(add_page(database, number));
  const Status copied = database.checkpoint(copy);
  ASSERT_TRUE(copied) << copied.error().message;
}

void fill(const TemporaryFolder& folder) {
  const auto database = IndexDatabase::open(folder / "database", DatabaseAccess::kCreate);
  ASSERT_TRUE(database) << database.error().message;
  for (std::uint64_t round = 0; round < 2 * kRounds; ++round) {
    write_files(**database, round, folder / ("copy" + std::to_string(round)));
    if (round + 1 != kRounds) continue;
    ASSERT_TRUE((*database)->compact());
  }
  ASSERT_GT(table_files_in(folder / "database"), static_cast<std::ptrdiff_t>(kFewFiles));
}

TEST(IndexDatabase, WorksWithFewerOpenFilesThanItHas) {
  const TemporaryFolder folder;
  fill(folder);
  const FilesLimit limit(2 * kFewFiles);
  const auto database = IndexDatabase::open(folder / "database", DatabaseAccess::kChange);
  ASSERT_TRUE(database) << database.error().message;
  write_files(**database, 2 * kRounds, folder / "last");
  PageRecord page;
  PinnedValue text;
  for (std::uint64_t number = 0; number <= 2 * kRounds; ++number) {
    const Result<bool> has_page = (*database)->get_page(id_of(number), page);
    ASSERT_TRUE(has_page) << has_page.error().message;
    EXPECT_TRUE(*has_page) << number;
    EXPECT_EQ(page.text, number);
    EXPECT_TRUE(*(*database)->get_text(number, text)) << number;
    EXPECT_TRUE(*(*database)->has_cluster_member(id_of(number), id_of(number))) << number;
  }
  EXPECT_LT(open_table_files(), table_files_in(folder / "database"));
}

TEST(IndexDatabase, AReaderNeedsAllFilesAndSaysSo) {
  const TemporaryFolder folder;
  fill(folder);
  const FilesLimit limit(kFewFiles);
  const auto database = IndexDatabase::open(folder / "database", DatabaseAccess::kRead);
  ASSERT_FALSE(database);
  EXPECT_THAT(database.error().message, ::testing::HasSubstr("raise the limit of open files"));
}

constexpr std::uint64_t kDeleted = 2000;

// The ids have the order of the numbers.
std::string member_id(std::uint64_t number) {
  return std::to_string(10'000 + number);
}

class IndexDatabaseTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto opened = IndexDatabase::open(folder_ / "database", DatabaseAccess::kCreate);
    ASSERT_TRUE(opened) << opened.error().message;
    database_ = std::move(*opened);
  }

  void change(const std::function<void(IndexBatch&)>& make) {
    IndexBatch batch;
    make(batch);
    ASSERT_TRUE(database_->write(batch));
  }
  std::vector<std::string> members(std::uint64_t text, std::string_view first) const {
    std::vector<std::string> ids;
    EXPECT_TRUE(database_->for_each_member(text, first, [&](std::string_view id) -> Status {
      ids.emplace_back(id);
      return {};
    }));
    return ids;
  }

  TemporaryFolder folder_;
  std::unique_ptr<IndexDatabase> database_;
};

TEST_F(IndexDatabaseTest, WalksPassNoDeletionsBehindTheirEnd) {
  const std::vector<std::string> clusters = {"a", std::string("a\xff"), std::string("\xff\xff")};
  change([&](IndexBatch& batch) {
    database_->put_text(batch, 1, {});
    database_->put_member(batch, 1, "x");
    for (const std::string& cluster : clusters) database_->put_cluster_member(batch, cluster, "x");
    for (std::uint64_t number = 0; number < kDeleted; ++number) {
      database_->put_text(batch, 2 + number, {});
      database_->put_member(batch, 2 + number % 3, member_id(number));
      database_->put_cluster_member(batch, "b", member_id(number));
      database_->put_cluster_member(batch, "\xff\xff!", member_id(number));
    }
  });
  change([&](IndexBatch& batch) {
    for (std::uint64_t number = 0; number < kDeleted; ++number) {
      database_->remove_text(batch, 2 + number);
      database_->remove_member(batch, 2 + number % 3, member_id(number));
      database_->remove_cluster_member(batch, "b", member_id(number));
      database_->remove_cluster_member(batch, "\xff\xff!", member_id(number));
    }
  });
  const DatabaseWork work;
  EXPECT_THAT(members(1, "a"), ElementsAre("x"));
  EXPECT_THAT(members(0, "a"), ElementsAre());
  for (const std::string& cluster : clusters) {
    std::vector<std::string> ids;
    EXPECT_TRUE(database_->for_each_cluster_member(cluster, [&](std::string_view id) -> Status {
      ids.emplace_back(id);
      return {};
    }));
    EXPECT_THAT(ids, ElementsAre("x"));
  }
  std::vector<std::uint64_t> texts;
  EXPECT_TRUE(database_->for_each_text(0, 2, [&](std::uint64_t text, std::string_view) -> Status {
    texts.push_back(text);
    return {};
  }));
  EXPECT_THAT(texts, ElementsAre(1));
  EXPECT_EQ(work.deletions_passed(), 0U);
}

TEST_F(IndexDatabaseTest, MembersAreVisitedFromAnIdOnAndThenThoseBeforeIt) {
  constexpr std::uint64_t kLastText = ~std::uint64_t{0};  // no key is behind its members
  change([&](IndexBatch& batch) {
    for (const std::uint64_t text : {std::uint64_t{6}, std::uint64_t{7}, std::uint64_t{8}, kLastText}) {
      for (const char* id : {"a", "c", "e"}) database_->put_member(batch, text, id);
    }
    database_->put_member(batch, 8, "b");
  });
  for (const std::uint64_t text : {std::uint64_t{7}, kLastText}) {
    EXPECT_THAT(members(text, ""), ElementsAre("a", "c", "e"));
    EXPECT_THAT(members(text, "a"), ElementsAre("a", "c", "e"));
    EXPECT_THAT(members(text, "b"), ElementsAre("c", "e", "a"));
    EXPECT_THAT(members(text, "c"), ElementsAre("c", "e", "a"));
    EXPECT_THAT(members(text, "f"), ElementsAre("a", "c", "e"));
  }
  std::uint64_t visited = 0;
  EXPECT_TRUE(database_->for_each_member(7, "d", [&](std::string_view) -> Status {
    ++visited;
    return IndexDatabase::end_of_walk();
  }));
  EXPECT_EQ(visited, 1U);
}

// In any order, without passing what was deleted again and again.
TEST_F(IndexDatabaseTest, TellsWhetherAMemberIsTheLast) {
  std::vector<std::uint64_t> ascending(kDeleted);
  std::iota(ascending.begin(), ascending.end(), std::uint64_t{0});
  const std::vector<std::uint64_t> descending(ascending.rbegin(), ascending.rend());
  std::vector<std::uint64_t> mixed = ascending;
  std::shuffle(mixed.begin(), mixed.end(), std::mt19937_64(1));
  for (const std::vector<std::uint64_t>& order : {ascending, descending, mixed}) {
    change([&](IndexBatch& batch) {
      for (const std::uint64_t text : {1, 2, 3}) {
        for (const std::uint64_t number : order) database_->put_member(batch, text, member_id(number));
      }
    });
    const DatabaseWork work;
    for (std::size_t i = 0; i < order.size(); ++i) {
      EXPECT_EQ(*database_->has_member_besides(2, member_id(order[i])), i + 1 < order.size());
      change([&](IndexBatch& batch) { database_->remove_member(batch, 2, member_id(order[i])); });
    }
    EXPECT_LT(work.deletions_passed(), 100 * kDeleted);
    EXPECT_FALSE(*database_->has_member_besides(2, "none"));
    EXPECT_TRUE(*database_->has_member_besides(1, "none"));
  }
}

}  // namespace
}  // namespace paraprint
