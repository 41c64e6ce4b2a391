// Revisit records are joined with captures by names, whatever else is handed over.
#include "payloads/link_tables.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace paraprint {
namespace {

LinkedRecord record_at(std::uint64_t file, std::uint64_t ordinal, std::int64_t seconds, std::vector<LinkName> names) {
  LinkedRecord record;
  record.place = {file, ordinal};
  record.seconds = seconds;
  record.names = std::move(names);
  return record;
}

TEST(ClaimedNames, TableOfBitsHasAllNamesAndFewOthers) {
  std::mt19937_64 random(3);
  std::vector<std::uint64_t> names(5'000);
  for (std::uint64_t& name : names) name = random();
  for (const std::size_t size_bytes : {8U, 1024U, 65'536U}) {
    const std::vector<std::uint64_t> table = make_bit_table(names, size_bytes);
    ASSERT_EQ(table.size() * 8, size_bytes);
    const ClaimedNames claimed{table, true};
    for (const std::uint64_t name : names) ASSERT_TRUE(claimed.contains(name));
    int others = 0;
    for (int i = 0; i < 10'000; ++i) others += claimed.contains(random()) ? 1 : 0;
    // 5,000 of 524,288 bits: about 95 of 10,000.
    if (size_bytes == 65'536) {
      EXPECT_LT(others, 200);
    }
    if (size_bytes == 8) {
      EXPECT_EQ(others, 10'000);
    }
  }
  EXPECT_FALSE((ClaimedNames{{}, true}.contains(1)));
  EXPECT_FALSE(ClaimedNames{}.contains(1));
}

TEST(LinkTables, ChoosesByEvidenceAndDateInAnyOrder) {
  const LinkName id{1, LinkWay::kId};
  const LinkName digest{2, LinkWay::kDigest};
  const LinkName previous{3, LinkWay::kPrevious};
  std::vector<LinkedRecord> revisits = {
      record_at(0, 0, 50, {digest}),      // the latest before it
      record_at(0, 1, 5, {digest}),       // none before it: the first after it
      record_at(0, 2, 5, {previous}),     // none before it
      record_at(0, 3, 60, {previous}),    // the latest before it
      record_at(0, 4, 50, {digest, id}),  // the id is better evidence
      record_at(0, 5, 50, {{9, LinkWay::kId}}),
  };
  std::vector<LinkedRecord> captures = {
      record_at(1, 0, 10, {digest, previous}), record_at(1, 1, 40, {digest, previous}),
      record_at(1, 2, 70, {digest, previous, id}), record_at(1, 3, 45, {{77, LinkWay::kId}, {78, LinkWay::kPlace}})};
  std::mt19937 random(5);
  for (int round = 0; round < 20; ++round) {
    std::shuffle(revisits.begin(), revisits.end(), random);
    std::shuffle(captures.begin(), captures.end(), random);
    LinkTables tables(nullptr);
    for (const LinkedRecord& revisit : revisits) ASSERT_TRUE(tables.add_revisit(revisit).has_value());
    ASSERT_TRUE(tables.end_revisits().has_value());
    EXPECT_TRUE(tables.claimed().contains(9));
    EXPECT_FALSE(tables.claimed().contains(77));
    for (const LinkedRecord& capture : captures) ASSERT_TRUE(tables.add_capture(capture).has_value());
    const Result<RevisitLinks> links = tables.finish();
    ASSERT_TRUE(links.has_value());
    ASSERT_EQ(links->links.size(), 6U);
    const std::vector<std::pair<LinkWay, std::uint64_t>> expected = {{LinkWay::kDigest, 1},   {LinkWay::kDigest, 0},
                                                                     {LinkWay::kNotFound, 0}, {LinkWay::kPrevious, 1},
                                                                     {LinkWay::kId, 2},       {LinkWay::kNotFound, 0}};
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_EQ(links->links[i].revisit, (RecordPlace{0, i}));
      EXPECT_EQ(links->links[i].way, expected[i].first) << i;
      if (expected[i].first == LinkWay::kNotFound) continue;
      EXPECT_EQ(links->links[i].target.ordinal, expected[i].second) << i;
    }
    // What has only names that nothing claims may go.
    ASSERT_EQ(links->referred_to.size(), 3U);
    EXPECT_EQ(links->referred_to[2], (RecordPlace{1, 2}));
  }
}

}  // namespace
}  // namespace paraprint
