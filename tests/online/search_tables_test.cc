// Search tables that would outgrow one segment.
#include "online/search_tables.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <thread>

#include "base/atomic_file.h"
#include "base/hash.h"
#include "store/index_records.h"
#include "temporary_folder.h"

namespace paraprint {
namespace {

constexpr std::uint32_t kHeadTexts = 64;
constexpr std::uint64_t kTexts = 20 * kHeadTexts;
// The sketch keys of less than three heads, and of more than two.
constexpr std::uint64_t kEntriesMaximum = 5 * kHeadTexts * kShortKeysMaximum / 2;

std::uint64_t exact_key_of(std::uint64_t text) {
  return hash64(std::to_string(text));
}

TextKeys keys_of(std::uint64_t text) {
  TextKeys keys;
  keys.exact = {exact_key_of(text)};
  for (std::uint32_t key = 0; key < kShortKeysMaximum; ++key) {
    keys.sketch.push_back(static_cast<std::uint32_t>(exact_key_of(text) + key) % (1U << kShortKeyBits));
  }
  return keys;
}

// A text's number is what its record has for a site.
Status read_keys(std::string_view bytes, TextKeys& keys) {
  TextRecord record;
  const Status decoded = decode_text_record(bytes, record);
  if (decoded) keys = keys_of(record.site - 1);
  return decoded;
}

// The tables with all that they refer to.
class OpenTables {
 public:
  OpenTables(const std::string& folder, std::uint64_t texts) : next_text_(texts) {
    auto database = IndexDatabase::open(folder + "/database", DatabaseAccess::kCreate);
    EXPECT_TRUE(database) << database.error().message;
    database_ = std::move(*database);
    SearchTablesOptions options;
    options.folder = folder + "/tables";
    options.head_pages = kHeadTexts;
    options.segment_entries_maximum = kEntriesMaximum;
    EXPECT_TRUE(create_folders(options.folder));
    auto tables = SearchTables::open(options, *database_, read_keys, templates_, writer_mutex_, next_text_);
    EXPECT_TRUE(tables) << tables.error().message;
    tables_ = std::move(*tables);
  }

  // Into the database alone, as if the tables had been lost.
  void store(std::uint64_t text) {
    IndexBatch batch;
    TextRecord record;
    record.site = text + 1;
    database_->put_text(batch, text, record);
    ASSERT_TRUE(database_->write(batch));
  }

  void add(std::uint64_t text) {
    IndexBatch batch;
    TextRecord record;
    record.site = text + 1;
    const auto lock = tables_->lock_to_add();
    ASSERT_TRUE(lock);
    database_->put_text(batch, text, record);
    ASSERT_TRUE(database_->write(batch));
    tables_->add(text, keys_of(text));
    next_text_ = text + 1;
  }

  SearchTables& tables() { return *tables_; }

 private:
  std::unique_ptr<IndexDatabase> database_;
  SiteTemplates templates_;
  ScheduledMutex writer_mutex_;
  std::atomic<std::uint64_t> next_text_;
  std::unique_ptr<SearchTables> tables_;
};

void expect_all_found(const SearchView& view) {
  for (std::uint64_t text = 0; text < kTexts; ++text) {
    HitCollector collector;
    view.find_exact(std::vector<ExactQuery>{{exact_key_of(text), 1, true}}, collector);
    const bool is_found = std::any_of(collector.hits.begin(), collector.hits.end(),
                                      [&](const TableHit& hit) { return hit.text == text; });
    EXPECT_TRUE(is_found) << text;
  }
}

void expect_within_bounds(const SearchView& view) {
  EXPECT_GT(view.segments.size(), 1U);
  for (const auto& segment : view.segments) {
    EXPECT_LE(segment->table(kSketchTable).size(), kEntriesMaximum);
    EXPECT_LE(segment->texts().size(), kEntriesMaximum);
  }
}

TEST(SearchTables, NoMergeMakesASegmentThatIsTooLarge) {
  const TemporaryFolder folder;
  {
    OpenTables opened(folder.path(), 0);
    for (std::uint64_t text = 0; text < kTexts; ++text) opened.add(text);
    while (!opened.tables().view()->sealed.empty()) std::this_thread::yield();
    expect_all_found(*opened.tables().view());
    expect_within_bounds(*opened.tables().view());
  }
  OpenTables opened(folder.path(), kTexts);
  EXPECT_TRUE(opened.tables().warnings().empty());
  const Status compacted = opened.tables().compact();
  ASSERT_TRUE(compacted) << compacted.error().message;
  EXPECT_GT(opened.tables().merges(), 0U);
  expect_all_found(*opened.tables().view());
  expect_within_bounds(*opened.tables().view());
}

// Of texts of which most were deleted, so that those left are further apart than a segment reaches.
TEST(SearchTables, TextsFarApartAreInSegmentsThatAreNotTooLarge) {
  const TemporaryFolder folder;
  constexpr std::uint64_t kFar = 10 * kEntriesMaximum;
  const std::vector<std::uint64_t> left = {kFar, kFar + 1, 3 * kFar - 1, 3 * kFar};
  constexpr std::uint64_t kNext = 5 * kFar;
  {
    OpenTables opened(folder.path(), 0);
    for (const std::uint64_t text : left) opened.store(text);
  }
  ASSERT_EQ(std::remove((folder / "tables/manifest").c_str()), 0);
  OpenTables opened(folder.path(), kNext);
  // Fills the head in which the replay ended.
  for (std::uint64_t text = kNext; text < kNext + 2 * kHeadTexts; ++text) opened.add(text);
  while (!opened.tables().view()->sealed.empty()) std::this_thread::yield();
  const std::shared_ptr<const SearchView> view = opened.tables().view();
  expect_within_bounds(*view);
  std::uint64_t end = 0;
  for (const auto& segment : view->segments) {
    EXPECT_EQ(segment->texts().first, end);
    end = segment->texts().end;
  }
  EXPECT_GE(end, kNext);
  for (const std::uint64_t text : left) {
    HitCollector collector;
    view->find_exact(std::vector<ExactQuery>{{exact_key_of(text), 1, true}}, collector);
    ASSERT_EQ(collector.hits.size(), 1U);
    EXPECT_EQ(collector.hits.front().text, text);
  }
}

}  // namespace
}  // namespace paraprint
