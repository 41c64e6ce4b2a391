// Packed tables: a worked example bit by bit, searches compared with a scan, and rejection of inconsistent directories.
#include "store/packed_table.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <random>

namespace paraprint {
namespace {

struct Packed {
  std::string pairs;
  std::vector<std::uint64_t> directory;
  PackedTable table;
};

Packed pack(std::vector<PackedPair> pairs, const PackedTableShape& shape) {
  std::sort(pairs.begin(), pairs.end());
  PackedTableBuilder builder(shape);
  Packed packed;
  for (const PackedPair& pair : pairs) {
    builder.add(pair);
    packed.pairs += builder.take();
  }
  packed.pairs += builder.finish();
  const std::string_view directory = builder.directory();
  packed.directory.resize(directory.size() / sizeof(std::uint64_t));
  std::copy(directory.begin(), directory.end(), reinterpret_cast<char*>(packed.directory.data()));
  EXPECT_EQ(packed.pairs.size(), builder.shape().pairs_bytes());
  EXPECT_EQ(directory.size(), builder.shape().directory_bytes());
  auto table =
      PackedTable::create(builder.shape(), packed.pairs.data(), reinterpret_cast<const char*>(packed.directory.data()));
  EXPECT_TRUE(table);
  packed.table = *table;
  return packed;
}

std::vector<std::uint32_t> found(const PackedTable& table, std::uint64_t key) {
  std::vector<std::uint32_t> values;
  table.find(key, [&](std::uint32_t value) {
    values.push_back(value);
    return true;
  });
  return values;
}

template <class Starter, class Visitor>
void visit_within_one_bit(const PackedTable& table, std::uint64_t key, Starter&& visit_key, Visitor&& visit) {
  PackedTable::NearProbe probe;
  table.begin_near(key, probe);
  table.prefetch_near_bitmaps(probe);
  table.prefetch_near_pairs(probe);
  table.visit_near(probe, visit_key, visit);
}

std::vector<std::uint32_t> found_within_one_bit(const PackedTable& table, std::uint64_t key) {
  std::vector<std::uint32_t> values;
  visit_within_one_bit(
      table, key, [] {},
      [&](std::uint32_t value) {
        values.push_back(value);
        return true;
      });
  std::sort(values.begin(), values.end());
  return values;
}

TEST(PackedTable, WorkedExample) {
  // Keys of 4 bits, values of 3, two buckets: pairs of 3 + 3 bits, lowest bits first.
  const PackedTableShape shape{3, 4, 3, 1};
  const Packed packed = pack({{0b0101, 7}, {0b0101, 2}, {0b1100, 1}}, shape);
  // 101 010, 101 111, 100 001 as 18 bits: 100001 101111 101010.
  EXPECT_EQ(static_cast<unsigned char>(packed.pairs[0]), 0b11101010);
  EXPECT_EQ(static_cast<unsigned char>(packed.pairs[1]), 0b00011011);
  EXPECT_EQ(static_cast<unsigned char>(packed.pairs[2]), 0b10);
  // The directory: no pairs before the first group and before its parts, three before its end. The bitmap: a zero, two
  // ones and a zero for bucket 0, a one and a zero for bucket 1.
  EXPECT_THAT(packed.directory, ::testing::ElementsAre(0x0303030000000000, 3, 0b010110, 0));
  EXPECT_THAT(found(packed.table, 0b0101), ::testing::ElementsAre(2, 7));
  EXPECT_THAT(found(packed.table, 0b0100), ::testing::IsEmpty());
  EXPECT_THAT(found_within_one_bit(packed.table, 0b1101), ::testing::ElementsAre(1, 2, 7));
}

TEST(PackedTable, FindsTheSameAsAScan) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 60; ++round) {
    const int key_bits = 1 + static_cast<int>(random() % 40);
    const int value_bits = 1 + static_cast<int>(random() % 32);
    const std::uint64_t count = random() % 700;
    const std::uint64_t key_mask = (std::uint64_t{1} << key_bits) - 1;
    const std::uint64_t value_mask = (std::uint64_t{1} << value_bits) - 1;
    // Few different keys give buckets so large that they are searched instead of scanned.
    const std::uint64_t spread = random() % 2 == 0 ? key_mask : key_mask & 0x8101;
    std::vector<PackedPair> pairs;
    for (std::uint64_t i = 0; i < count; ++i) {
      pairs.push_back({random() & spread, static_cast<std::uint32_t>(random() & value_mask)});
    }
    const Packed packed = pack(pairs, choose_packed_shape(count, key_bits, value_bits));
    PackedTable::Cursor cursor(packed.table);
    std::vector<PackedPair> sorted = pairs;
    std::sort(sorted.begin(), sorted.end());
    PackedPair pair;
    for (const PackedPair& expected : sorted) {
      ASSERT_TRUE(cursor.next(pair));
      ASSERT_EQ(pair, expected);
    }
    EXPECT_FALSE(cursor.next(pair));
    for (int query = 0; query < 40; ++query) {
      const std::uint64_t key = pairs.empty() || query % 2 == 0
                                    ? random() & spread
                                    : pairs[random() % pairs.size()].key ^ (std::uint64_t{1} << random() % key_bits);
      std::vector<std::uint32_t> equal;
      std::vector<std::uint32_t> close;
      for (const PackedPair& one : sorted) {
        if (one.key == key) equal.push_back(one.value);
        if (std::popcount(one.key ^ key) <= 1) close.push_back(one.value);
      }
      std::sort(close.begin(), close.end());
      ASSERT_EQ(found(packed.table, key), equal);
      ASSERT_EQ(found_within_one_bit(packed.table, key), close);
    }
  }
}

TEST(PackedTable, AnnouncesEachKeyAndStopsWithinIt) {
  std::vector<PackedPair> pairs;
  for (std::uint32_t value = 0; value < 200; ++value) pairs.push_back({5, value});
  for (std::uint32_t value = 0; value < 3; ++value) pairs.push_back({7, value});
  const Packed packed = pack(pairs, choose_packed_shape(pairs.size(), 8, 8));
  std::size_t left = 0;
  std::size_t visited = 0;
  visit_within_one_bit(
      packed.table, 5, [&] { left = 2; },
      [&](std::uint32_t) {
        if (left == 0) return false;
        --left;
        ++visited;
        return true;
      });
  EXPECT_EQ(visited, 4U);
}

// With many equal pairs, 16 buckets have more pairs than fit a word of the bitmap, or more than a byte can count.
TEST(PackedTable, FindsKeysWithAnyNumberOfPairs) {
  std::mt19937_64 random(11);
  for (const std::size_t repeated : {3U, 5U, 40U, 70U, 300U, 5000U}) {
    std::vector<PackedPair> pairs;
    for (std::uint64_t key = 0; key < 256; ++key) {
      const std::size_t count = random() % 8 == 0 ? repeated : random() % 3;
      for (std::size_t i = 0; i < count; ++i) pairs.push_back({key, static_cast<std::uint32_t>(random() % 4096)});
    }
    const Packed packed = pack(pairs, choose_packed_shape(pairs.size(), 8, 12));
    std::sort(pairs.begin(), pairs.end());
    for (std::uint64_t key = 0; key < 256; ++key) {
      const auto first_value = static_cast<std::uint32_t>(random() % 5000);
      std::vector<std::uint32_t> equal;
      std::vector<std::uint32_t> from;
      std::size_t close = 0;
      for (const PackedPair& pair : pairs) {
        close += std::popcount(pair.key ^ key) <= 1 ? 1 : 0;
        if (pair.key != key) continue;
        equal.push_back(pair.value);
        if (pair.value >= first_value) from.push_back(pair.value);
      }
      ASSERT_EQ(found(packed.table, key), equal);
      ASSERT_EQ(found_within_one_bit(packed.table, key).size(), close);
      std::vector<std::uint32_t> found_from;
      packed.table.find_from(key, first_value, [&](std::uint32_t value) {
        found_from.push_back(value);
        return true;
      });
      ASSERT_EQ(found_from, from) << key << " from " << first_value;
    }
  }
}

// Thousands of keys that anyone can make for a few buckets, at the beginning of the table, in it and at its end.
TEST(PackedTable, FindsPairsOfCrowdedGroups) {
  constexpr int kKeyBits = 32;
  std::mt19937_64 random(12);
  std::vector<PackedPair> pairs;
  const auto add = [&](std::uint64_t key) {
    pairs.push_back({key & 0xFFFF'FFFF, static_cast<std::uint32_t>(random() % 65'536)});
  };
  for (const std::uint64_t crowd : {0x0000'0000U, 0x8A35'0000U, 0xFFFF'0000U}) {
    for (int i = 0; i < 1500; ++i) add(crowd | (random() & 0x7FFF));
    for (int i = 0; i < 9000; ++i) add(crowd | (random() & 3));
    for (int bit = 15; bit < kKeyBits; ++bit) {  // where searches for a flipped bit lead
      for (int i = 0; i < 300; ++i) add((crowd ^ std::uint64_t{1} << bit) | (random() & 0xFFF));
    }
  }
  for (int i = 0; i < 2000; ++i) add(random());
  const Packed packed = pack(pairs, choose_packed_shape(pairs.size(), kKeyBits, 16));
  std::sort(pairs.begin(), pairs.end());
  for (int query = 0; query < 400; ++query) {
    const std::uint64_t key = pairs[random() % pairs.size()].key ^ (random() % 2 << random() % kKeyBits);
    std::vector<std::uint32_t> equal;
    std::vector<std::uint32_t> close;
    for (const PackedPair& pair : pairs) {
      if (std::popcount(pair.key ^ key) > 1) continue;
      close.push_back(pair.value);
      if (pair.key == key) equal.push_back(pair.value);
    }
    std::sort(close.begin(), close.end());
    ASSERT_EQ(found(packed.table, key), equal) << key;
    ASSERT_EQ(found_within_one_bit(packed.table, key), close) << key;
  }
}

// Any directory that is accepted must be safe to search. In this one every bit matters, so each change must be
// rejected.
TEST(PackedTable, RejectsInconsistentDirectory) {
  std::vector<PackedPair> pairs;
  for (std::uint64_t key = 0; key < 256; key += 3) pairs.push_back({key, static_cast<std::uint32_t>(key % 8)});
  for (std::uint32_t value = 0; value < 300; ++value) pairs.push_back({40, value});
  const Packed packed = pack(pairs, choose_packed_shape(pairs.size(), 8, 9));
  std::vector<std::uint64_t> damaged = packed.directory;
  const auto is_read = [&] {
    return PackedTable::create(packed.table.shape(), packed.pairs.data(), reinterpret_cast<const char*>(damaged.data()))
        .has_value();
  };
  ASSERT_TRUE(is_read());
  const std::size_t unread_bits = 32;  // in the entry for the end
  std::size_t unnoticed = 0;
  for (std::size_t bit = 0; bit < damaged.size() * 64; ++bit) {
    damaged[bit / 64] ^= std::uint64_t{1} << bit % 64;
    unnoticed += is_read() ? 1 : 0;
    damaged[bit / 64] ^= std::uint64_t{1} << bit % 64;
  }
  EXPECT_LE(unnoticed, unread_bits);
}

TEST(BitSelect, FindsZerosAndOnes) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 200; ++round) {
    std::vector<std::uint64_t> bitmap(6);
    for (std::uint64_t& word : bitmap) {
      word = random();
      for (int i = 0; i < round % 3; ++i) word |= random();
    }
    bitmap[4] = 0;
    bitmap[5] = 0;
    const auto bit_at = [&](std::uint64_t bit) { return bitmap[bit / 64] >> bit % 64 & 1; };
    for (std::uint64_t from = 0; from < 256; from += 1 + random() % 5) {
      std::uint64_t ones = 0;
      while (bit_at(from + ones) != 0) ++ones;
      ASSERT_EQ(count_ones_from(bitmap.data(), from), ones);
      std::uint64_t rank = 0;
      for (std::uint64_t bit = from; bit < 300; ++bit) {
        if (bit_at(bit) != 0) continue;
        ASSERT_EQ(find_zero_bit(bitmap.data(), from, rank), bit);
        ++rank;
      }
      ASSERT_EQ(count_set_bits(bitmap[from / 64]), static_cast<unsigned>(std::popcount(bitmap[from / 64])));
    }
  }
}

}  // namespace
}  // namespace paraprint
