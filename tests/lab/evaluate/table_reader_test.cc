#include "lab/evaluate/table_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <filesystem>
#include <string>
#include <vector>

#include "evaluate_testing.h"

namespace paraprint {
namespace {

using ::testing::ElementsAre;
using Row = std::vector<std::string>;

std::vector<Row> rows_of(const std::string& path) {
  std::vector<Row> rows;
  const Status read = read_table(path, [&](std::uint64_t line, std::span<const std::string_view> fields) -> Status {
    Row row = {std::to_string(line)};
    row.insert(row.end(), fields.begin(), fields.end());
    rows.push_back(row);
    return {};
  });
  EXPECT_TRUE(read) << read.error().message;
  return rows;
}

TEST(TableReader, SplitsAtTabsOrElseSpacesAndSkipsBlankLinesAndComments) {
  const testing::ScratchFile file("t.tsv", "\xEF\xBB\xBF# remark\n\na\tb c\t d \r\nx  y\tz\n  k   l \nlast\t\tone");
  EXPECT_THAT(rows_of(file.path()), ElementsAre(Row{"3", "a", "b c", "d"}, Row{"4", "x  y", "z"}, Row{"5", "k", "l"},
                                                Row{"6", "last", "", "one"}));
}

TEST(TableReader, ReadsGzip) {
  const testing::ScratchFile file("t.tsv.gz", "");
  gzFile zipped = gzopen(file.path().c_str(), "wb");
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += "a" + std::to_string(i) + "\tb\n";
  gzwrite(zipped, text.data(), static_cast<unsigned>(text.size()));
  gzclose(zipped);
  EXPECT_EQ(rows_of(file.path()).size(), 20'000U);
  std::filesystem::resize_file(file.path(), std::filesystem::file_size(file.path()) / 2);
  const auto ignore = [](std::uint64_t, std::span<const std::string_view>) -> Status { return {}; };
  const Status cut = read_table(file.path(), ignore);
  ASSERT_FALSE(cut);
  EXPECT_EQ(cut.error().code, ErrorCode::kCorruptData);
}

TEST(TableReader, RejectsMissingFilesAndOverlongLines) {
  const auto ignore = [](std::uint64_t, std::span<const std::string_view>) -> Status { return {}; };
  EXPECT_EQ(read_table("/nowhere/labels.tsv", ignore).error().code, ErrorCode::kNotFound);
  const testing::ScratchFile file("long.tsv", std::string(kTableLineBytesMaximum * 2, 'x'));
  EXPECT_EQ(read_table(file.path(), ignore).error().code, ErrorCode::kLimitExceeded);
}

}  // namespace
}  // namespace paraprint
