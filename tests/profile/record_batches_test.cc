// Batches of records: none grows with what an archive has beside pages.
#include "profile/record_batches.h"

#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "archive/input_files.h"
#include "temporary_folder.h"

namespace paraprint {
namespace {

// Each line is a record, has a defect, and is no page: few of so many are listed, and all are counted.
TEST(RecordBatchSource, EndsABatchOfManyRecordsThatAreNoPages) {
  constexpr std::size_t kLines = 150'000;
  const TemporaryFolder folder;
  {
    std::ofstream lines(folder / "a.jsonl");
    for (std::size_t i = 0; i < kLines; ++i) lines << "{}\n";
  }
  const auto inputs = expand_inputs({folder / "a.jsonl"});
  ASSERT_TRUE(inputs.has_value()) << inputs.error().message;
  RecordBatchSource source(*inputs, {}, {});
  std::size_t batches = 0;
  std::uint64_t defects = 0;
  Counters counters;
  for (bool ends_file = false; !ends_file; ++batches) {
    const auto batch = source.next();
    ASSERT_TRUE(batch.has_value() && batch->has_value());
    EXPECT_TRUE((*batch)->records.empty());
    EXPECT_EQ((*batch)->defects.size(), 100U);
    for (const Defect& defect : (*batch)->defects) {
      EXPECT_EQ(defect.line, defects + 1);
      defects += defect.count;
    }
    add_counters(counters, (*batch)->counters);
    ends_file = (*batch)->ends_file;
    // A run that is continued here reads the same as one that goes on.
    if (!ends_file) {
      RecordBatchSource resumed(*inputs, {}, {0, true, (*batch)->resume});
      const auto next = resumed.next();
      ASSERT_TRUE(next.has_value() && next->has_value() && !(*next)->defects.empty());
      EXPECT_EQ((*next)->defects.front().line, defects + 1);
    }
  }
  EXPECT_EQ(batches, 3U);
  EXPECT_EQ(defects, kLines);
  EXPECT_EQ(counters.at("records_other"), kLines);
}

// Where batches end depends on the memory limit, and what is listed does not.
TEST(RecordBatchSource, ListsTheSameDefectsInBatchesOfAnySize) {
  const TemporaryFolder folder;
  {
    const std::string text(4000, 't');
    std::ofstream lines(folder / "a.jsonl");
    for (std::size_t page = 0; page < 2000; ++page) {
      lines << "{\"id\":\"" << page << "\",\"text\":\"" << text << "\"}\n";
      for (std::size_t i = 0; page % 20 == 0 && i < 300; ++i) lines << (i % 3 == 0 ? "x\n" : "{}\n");
    }
    for (std::size_t i = 0; i < 70'000; ++i) lines << "{}\n";
  }
  const auto inputs = expand_inputs({folder / "a.jsonl"});
  ASSERT_TRUE(inputs.has_value()) << inputs.error().message;
  const auto read = [&](std::uint64_t memory_bytes) {
    RecordBatchSource source(*inputs, {}, {}, memory_bytes);
    std::pair<std::size_t, std::string> batches_and_defects;
    while (true) {
      const auto batch = source.next();
      if (!batch.has_value() || !batch->has_value()) return batches_and_defects;
      ++batches_and_defects.first;
      for (const Defect& defect : (*batch)->defects) batches_and_defects.second += describe(defect) + '\n';
    }
  };
  const auto few = read(std::uint64_t{1} << 30);
  const auto many = read(std::uint64_t{1} << 24);
  EXPECT_GT(many.first, few.first);
  EXPECT_EQ(many.second, few.second);
  EXPECT_NE(few.second.find("more like it"), std::string::npos);
}

// What is no archive at all has a defect for every line or header, all of them before the next record.
TEST(RecordBatchSource, ManyDefectsBetweenTwoPagesAreOneOfEachKind) {
  constexpr std::size_t kEach = 500;
  const TemporaryFolder folder;
  {
    std::ofstream lines(folder / "a.jsonl");
    for (std::size_t i = 0; i < kEach; ++i) lines << "x\n\"\xff\"\n";
    lines << "{\"id\":\"page\",\"text\":\"t\"}\nx\n";
  }
  const auto inputs = expand_inputs({folder / "a.jsonl"});
  ASSERT_TRUE(inputs.has_value()) << inputs.error().message;
  RecordBatchSource source(*inputs, {}, {});
  const auto batch = source.next();
  ASSERT_TRUE(batch.has_value() && batch->has_value() && (*batch)->ends_file);
  ASSERT_EQ((*batch)->records.size(), 1U);
  EXPECT_EQ((*batch)->records[0].line, 2 * kEach + 1);
  const std::vector<Defect>& defects = (*batch)->defects;
  ASSERT_EQ(defects.size(), 102U);
  for (std::size_t i = 0; i < 99; ++i) {
    EXPECT_EQ(defects[i].line, i + 1);
    EXPECT_EQ(defects[i].kind, i % 2 == 0 ? DefectKind::kBadJson : DefectKind::kBadUtf8);
  }
  EXPECT_EQ(defects[99].line, 100U);
  EXPECT_EQ(defects[99].kind, DefectKind::kBadUtf8);
  EXPECT_EQ(defects[99].skipped_bytes, 4 * (kEach - 49));
  EXPECT_EQ(defects[99].count, 451U);
  EXPECT_TRUE(describe(defects[99]).ends_with(", and 450 more like it, 1804 bytes skipped")) << describe(defects[99]);
  EXPECT_EQ(defects[100].line, 101U);
  EXPECT_EQ(defects[100].kind, DefectKind::kBadJson);
  EXPECT_EQ(defects[100].skipped_bytes, 2 * (kEach - 50));
  EXPECT_EQ(defects[100].count, 450U);
  EXPECT_EQ(defects[101].line, 2 * kEach + 2);
  EXPECT_EQ(defects[101].skipped_bytes, 2U);
  EXPECT_EQ(defects[101].count, 1U);
}

// A folder may have thousands of pages that cannot be read, and the user has to know which.
TEST(DefectsBetweenPages, NamesEveryFile) {
  constexpr std::size_t kFiles = 300;
  DefectsBetweenPages between;
  for (std::size_t file = 0; file < kFiles; ++file) {
    between.add({DefectKind::kUnreadableFile, "folder/" + std::to_string(file), 0, 0, 0, "cannot be read"});
    for (std::uint64_t line = 1; line <= 10; ++line)
      between.add({DefectKind::kBadJson, "folder/" + std::to_string(file), line, 2, line, "no JSON"});
  }
  std::vector<Defect> defects;
  between.move_to(defects);
  std::set<std::string> files;
  std::uint64_t count = 0;
  for (const Defect& defect : defects) {
    count += defect.count;
    if (defect.kind == DefectKind::kUnreadableFile) files.insert(defect.file);
  }
  EXPECT_EQ(files.size(), kFiles);
  EXPECT_EQ(count, kFiles * 11);
  EXPECT_EQ(defects.size(), 99 + kFiles - 9 + 1);  // nine files have the first 99
  EXPECT_EQ(defects.back().count, (kFiles - 9) * 10);
}

}  // namespace
}  // namespace paraprint
