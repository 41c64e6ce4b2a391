// Parcels that are made faster than they are taken.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "distribute/records.h"
#include "temporary_folder.h"

namespace paraprint {
namespace {

using namespace distribute;

TEST(ParcelFile, HoldsWhatABoxHasNotGivenInItsOrder) {
  constexpr std::uint64_t kRecords = 70;  // of a megabyte each
  const TemporaryFolder folder;
  ParcelFile overflow(folder.path());
  ParcelBox box("kind", 2, &overflow);
  for (std::uint64_t record = 0; record < kRecords; ++record) {
    box.record_for(record % 2) += std::string((std::size_t{1} << 20) + 1, static_cast<char>('0' + record));
  }
  std::vector<Parcel> in_memory;
  box.take(in_memory, true);
  EXPECT_LE(in_memory.size(), 35U);
  std::vector<Parcel> parcels;
  while (true) {
    std::vector<Parcel> taken;
    ASSERT_TRUE(overflow.take(taken, std::size_t{5} << 20).has_value());
    if (taken.empty()) break;
    EXPECT_LE(taken.size(), 5U);
    std::move(taken.begin(), taken.end(), std::back_inserter(parcels));
  }
  std::move(in_memory.begin(), in_memory.end(), std::back_inserter(parcels));
  ASSERT_EQ(parcels.size(), kRecords);
  std::uint64_t next[] = {0, 1};  // by partition
  for (const Parcel& parcel : parcels) {
    ASSERT_EQ(parcel.kind, "kind");
    EXPECT_EQ(parcel.bytes, std::string((std::size_t{1} << 20) + 1, static_cast<char>('0' + next[parcel.partition])));
    next[parcel.partition] += 2;
  }
}

TEST(ParcelFile, NamesTheFolderThatItCannotWriteTo) {
  ParcelFile overflow("/no/such/folder");
  overflow.add({"kind", 0, "bytes"});
  std::vector<Parcel> parcels;
  const Status taken = overflow.take(parcels, 100);
  ASSERT_FALSE(taken.has_value());
  EXPECT_THAT(taken.error().message, ::testing::HasSubstr("/no/such/folder"));
}

}  // namespace
}  // namespace paraprint
