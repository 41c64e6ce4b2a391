#include "paraprint/table_inputs.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "temporary_folder.h"

namespace paraprint {
namespace {

TEST(TableInputs, RemoteNamesHaveAScheme) {
  for (const char* const path : {"s3://bucket/a.parquet", "https://example.org/", "abfs+x.1://a", "S3://b/*.csv"}) {
    EXPECT_TRUE(is_remote(path)) << path;
  }
  for (const char* const path : {"", "a.parquet", "/s3://x", "c://x", "3s://x", "s3:/x", "folder/a://b", "s 3://x"}) {
    EXPECT_FALSE(is_remote(path)) << path;
  }
}

TEST(TableInputs, TablesAreKnownByTheirNames) {
  for (const char* const path : {"a.parquet", "b/A.PQ", "a.arrow", "a.feather", "a.ipc", "a.arrows", "a.csv",
                                 "a.tsv.gz", "a.CSV.zst", "a.csv.zstd", "s3://bucket/*.parquet"}) {
    EXPECT_TRUE(is_table(path)) << path;
  }
  for (const char* const path : {"a.parquet.gz", "a.jsonl", "a.csv.txt", "parquet", "a.warc.gz", "", "csv", "-"}) {
    EXPECT_FALSE(is_table(path)) << path;
  }
}

TEST(TableInputs, AFolderCountsIfNothingInItIsReadAsPages) {
  const TemporaryFolder folder;
  const auto touch = [&](const std::string& name) {
    const std::filesystem::path path = std::filesystem::path(folder.path()) / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << "x";
  };
  EXPECT_FALSE(is_table(folder.path()));
  touch("README.md");
  touch("notes/plan");
  EXPECT_FALSE(is_table(folder.path()));
  touch("year=2024/part-0.parquet");
  EXPECT_TRUE(is_table(folder.path()));
  EXPECT_TRUE(is_table(folder.path() + "/year=2024"));
  touch("year=2025/page.html");
  EXPECT_FALSE(is_table(folder.path()));
  EXPECT_FALSE(is_table(folder.path() + "/none"));
}

}  // namespace
}  // namespace paraprint
