#include "profile/table_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "temporary_folder.h"

namespace paraprint {
namespace {

using ::testing::ElementsAre;
using Row = std::vector<std::string>;

std::string write(const std::string& path, std::string_view content) {
  std::ofstream(path, std::ios::binary) << content;
  return path;
}

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
  const TemporaryFolder folder;
  const std::string path =
      write(folder / "t.tsv", "\xEF\xBB\xBF# remark\n\na\tb c\t d \r\nx  y\tz\n  k   l \nlast\t\tone");
  EXPECT_THAT(rows_of(path), ElementsAre(Row{"3", "a", "b c", "d"}, Row{"4", "x  y", "z"}, Row{"5", "k", "l"},
                                         Row{"6", "last", "", "one"}));
}

TEST(TableReader, ReadsGzip) {
  const TemporaryFolder folder;
  const std::string path = folder / "t.tsv.gz";
  gzFile zipped = gzopen(path.c_str(), "wb");
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += "a" + std::to_string(i) + "\tb\n";
  gzwrite(zipped, text.data(), static_cast<unsigned>(text.size()));
  gzclose(zipped);
  EXPECT_EQ(rows_of(path).size(), 20'000U);
  std::filesystem::resize_file(path, std::filesystem::file_size(path) / 2);
  const auto ignore = [](std::uint64_t, std::span<const std::string_view>) -> Status { return {}; };
  const Status cut = read_table(path, ignore);
  ASSERT_FALSE(cut);
  EXPECT_EQ(cut.error().code, ErrorCode::kCorruptData);
}

TEST(TableReader, RejectsMissingFilesAndOverlongLines) {
  const auto ignore = [](std::uint64_t, std::span<const std::string_view>) -> Status { return {}; };
  EXPECT_EQ(read_table("/nowhere/labels.tsv", ignore).error().code, ErrorCode::kNotFound);
  const TemporaryFolder folder;
  const std::string path = write(folder / "long.tsv", std::string(kTableLineBytesMaximum * 2, 'x'));
  EXPECT_EQ(read_table(path, ignore).error().code, ErrorCode::kLimitExceeded);
}

}  // namespace
}  // namespace paraprint
