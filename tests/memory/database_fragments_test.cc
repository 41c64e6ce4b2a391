// What is left of RocksDB's list of files after a power cut. The lists are written by RocksDB's rules here; that they
// are also those of a real database is tested in tests/online/page_index_power_test.cc.
#include "memory/database_fragments.h"

#include <gtest/gtest.h>

#include <string>

#include "base/atomic_file.h"
#include "temporary_folder.h"

namespace paraprint {
namespace {

// Bit by bit, unlike the table of the code under test.
std::uint32_t masked_crc32c(std::string_view bytes) {
  std::uint32_t sum = 0xFFFFFFFFU;
  for (const char byte : bytes) {
    sum ^= static_cast<unsigned char>(byte);
    for (int bit = 0; bit < 8; ++bit) sum = (sum & 1U) != 0 ? sum >> 1 ^ 0x82F63B78U : sum >> 1;
  }
  sum = ~sum;
  return ((sum >> 15) | (sum << 17)) + 0xA282EAD8U;
}

void append_record(std::string& list, std::string_view record) {
  bool is_first = true;
  do {
    const std::size_t room = fragment_block_end(list.size()) - list.size();
    if (room < kFragmentHeaderBytes) {
      list.append(room, '\0');
      continue;
    }
    const std::string_view part = record.substr(0, room - kFragmentHeaderBytes);
    record.remove_prefix(part.size());
    const bool is_last = record.empty();
    const int type = is_first && is_last ? kFullFragment
                     : is_first          ? kFirstFragment
                     : is_last           ? kLastFragment
                                         : kMiddleFragment;
    const std::string summed = static_cast<char>(type) + std::string(part);
    const std::uint32_t sum = masked_crc32c(summed);
    for (int byte = 0; byte < 4; ++byte) list += static_cast<char>(sum >> (8 * byte));
    list += static_cast<char>(part.size());
    list += static_cast<char>(part.size() >> 8);
    list += summed;
    is_first = false;
  } while (!record.empty());
}

std::string list_of(std::size_t records, std::size_t record_bytes) {
  std::string list;
  for (std::size_t i = 0; i < records; ++i) append_record(list, std::string(record_bytes, static_cast<char>('a' + i)));
  return list;
}

TEST(UnfinishedRecord, IsWhatIsNotThereAsAWhole) {
  // Records within a block, up to its end, and over several blocks.
  for (const std::size_t record_bytes : {40UL, 10'916UL, 10'910UL, 50'000UL, 100'000UL}) {
    const std::string whole = list_of(3, record_bytes);
    const std::string more = list_of(4, record_bytes);
    const std::size_t step = record_bytes < 100 ? 1 : 997;
    for (std::size_t written = whole.size() + 1; written + 1 < more.size(); written += step) {
      std::string list = more.substr(0, written);
      if (list.back() == '\0') continue;
      list.resize(more.size());
      EXPECT_EQ(bytes_without_unfinished_record(list), whole.size()) << record_bytes << ", " << written;
    }
    EXPECT_EQ(bytes_without_unfinished_record(whole), whole.size());
    EXPECT_EQ(bytes_without_unfinished_record(more), more.size());
    // Zeros alone are no record.
    EXPECT_EQ(bytes_without_unfinished_record(whole + std::string(100, '\0')), whole.size() + 100);
  }
}

TEST(UnfinishedRecord, AWholeRecordMayEndWithZeros) {
  std::string list = list_of(3, 40);
  append_record(list, std::string("a\0\0\0", 4));
  EXPECT_EQ(bytes_without_unfinished_record(list), list.size());
}

TEST(UnfinishedRecord, OtherDamageIsLeftAlone) {
  const std::string whole = list_of(3, 40);
  const std::string more = list_of(4, 40);
  for (std::size_t at = 0; at < more.size(); ++at) {
    std::string damaged = more;
    damaged[at] = static_cast<char>(~damaged[at]);
    EXPECT_EQ(bytes_without_unfinished_record(damaged), damaged.size()) << at;
  }
  // What follows the end of a record shows that it was written.
  std::string damaged = more;
  damaged[whole.size() + 20] = '\0';
  EXPECT_EQ(bytes_without_unfinished_record(damaged + std::string(9, '\0')), damaged.size() + 9);
  EXPECT_EQ(bytes_without_unfinished_record(std::string()), 0U);
  EXPECT_EQ(bytes_without_unfinished_record(std::string(50, '\0')), 50U);
}

TEST(UnfinishedRecord, IsCutOffTheCurrentList) {
  const TemporaryFolder folder;
  const std::string whole = list_of(3, 40);
  std::string list = list_of(4, 40);
  list.replace(list.size() - 10, 10, 10, '\0');
  EXPECT_FALSE(*cut_unfinished_record(folder.path()));  // no database
  ASSERT_TRUE(write_file_atomically(folder / "CURRENT", "MANIFEST-000007\n"));
  EXPECT_FALSE(cut_unfinished_record(folder.path()));  // the list is missing
  ASSERT_TRUE(write_file_atomically(folder / "MANIFEST-000007", list));
  EXPECT_TRUE(*cut_unfinished_record(folder.path()));
  EXPECT_EQ(*read_whole_file(folder / "MANIFEST-000007"), whole);
  EXPECT_FALSE(*cut_unfinished_record(folder.path()));
  ASSERT_TRUE(write_file_atomically(folder / "CURRENT", "MANIFEST-../../other\n"));
  EXPECT_FALSE(*cut_unfinished_record(folder.path()));
}

}  // namespace
}  // namespace paraprint
