// Sorting with and without spilling equals std::set, whatever the order of arrival.
#include "memory/line_sorter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "temporary_folder.h"

namespace paraprint {
namespace {

std::vector<std::string> sorted(const std::vector<std::string>& lines, const ExternalSortOptions& options,
                                std::uint64_t* runs = nullptr) {
  LineSorter sorter(options);
  for (const std::string& line : lines) EXPECT_TRUE(sorter.push(line));
  EXPECT_TRUE(sorter.finish());
  if (runs != nullptr) *runs = sorter.runs_spilled();
  std::vector<std::string> out;
  std::string_view line;
  while (true) {
    const Result<bool> more = sorter.next(line);
    EXPECT_TRUE(more);
    if (!more || !*more) return out;
    out.emplace_back(line);
  }
}

TEST(LineSorter, EqualsASet) {
  const TemporaryFolder folder;
  std::mt19937 random(1);
  for (const std::size_t longest : {3U, 40U, 9000U}) {
    std::vector<std::string> lines;
    for (int i = 0; i < 3000; ++i) {
      std::string line;
      for (std::size_t size = random() % (longest + 1); size > 0; --size) line += "ab\n\0\xff"[random() % 5];
      lines.push_back(std::move(line));
    }
    const std::set<std::string> expected(lines.begin(), lines.end());
    for (const std::uint64_t limit : {std::uint64_t{0}, std::uint64_t{5000}, std::uint64_t{1} << 30}) {
      std::uint64_t runs = 0;
      const std::vector<std::string> found = sorted(lines, {limit, folder.path()}, &runs);
      EXPECT_TRUE(std::equal(found.begin(), found.end(), expected.begin(), expected.end())) << longest << " " << limit;
      EXPECT_EQ(runs > 0, limit < 1 << 20);
      std::shuffle(lines.begin(), lines.end(), random);
    }
  }
}

TEST(LineSorter, NothingIsNothing) {
  EXPECT_TRUE(sorted({}, {}).empty());
  EXPECT_EQ(sorted({""}, {}), std::vector<std::string>{""});
}

TEST(LineSorter, NamesTheFolderThatIsMissing) {
  LineSorter sorter({0, "/nonexistent/folder"});
  ASSERT_TRUE(sorter.push("a"));
  const Status status = sorter.push("b");
  ASSERT_FALSE(status);
  EXPECT_NE(status.error().message.find("/nonexistent/folder"), std::string::npos);
}

}  // namespace
}  // namespace paraprint
