// Lines of the tables of known texts: what goes in comes out, and keys find what they should.
#include "distribute/known/known_lines.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <random>
#include <string>
#include <vector>

#include "base/hamming_distance.h"

namespace paraprint::distribute::known {
namespace {

class KnownLinesTest : public ::testing::Test {
 protected:
  Fingerprint128 any_fingerprint() { return {random_(), random_()}; }
  std::vector<std::uint8_t> any_sketch() {
    std::vector<std::uint8_t> sketch(PageSketch::kPairHashes);
    for (std::uint8_t& byte : sketch) byte = static_cast<std::uint8_t>(random_());
    return sketch;
  }

  std::mt19937_64 random_{1};
};

TEST_F(KnownLinesTest, ExactLines) {
  std::string line;
  append_exact_line(0x0123456789abcdef, {0xfedcba98, 7}, line);
  ASSERT_EQ(line.size(), kExactLineBytes);
  EXPECT_EQ(line.substr(0, 3), "\x01\x23\x45");
  EXPECT_EQ(key_of_line(line), 0x0123456789abcdefULL);
  EXPECT_EQ(text_of_line(line).text, 0xfedcba98U);
  EXPECT_EQ(text_of_line(line).length_class, 7);
}

TEST_F(KnownLinesTest, NearLinesHaveTheFingerprint) {
  for (int i = 0; i < 1000; ++i) {
    const Fingerprint128 fingerprint = any_fingerprint();
    for (std::size_t table = 0; table < kBlockTables; ++table) {
      std::string line;
      append_near_line(table, fingerprint, {42, 9}, line);
      ASSERT_EQ(line.size(), kNearLineBytes);
      EXPECT_EQ(fingerprint_of_line(line), fingerprint);
      EXPECT_EQ(table_of_near_key(key_of_line(line)), table);
      EXPECT_EQ(key_of_line(line) >> kNearRestBits << kNearRestBits, near_key(table, blocks_of(fingerprint)[table]));
      EXPECT_EQ(text_of_line(line).text, 42U);
    }
  }
}

// All fingerprints within the distance are found, by the first of the tables that could and by a single probe of it.
TEST_F(KnownLinesTest, ProbesFindAllWithinTheDistance) {
  std::vector<std::uint64_t> probes;
  for (int i = 0; i < 20'000; ++i) {
    const Fingerprint128 asked = any_fingerprint();
    Fingerprint128 known = asked;
    for (int flip = 0; flip < kSearchDistanceBits; ++flip) {
      const std::size_t bit = random_() % 128;
      (bit < 64 ? known.high : known.low) ^= std::uint64_t{1} << bit % 64;
    }
    const std::size_t table = first_table_of(asked, known);
    ASSERT_LT(table, kBlockTables);
    collect_near_probes(asked, probes);
    EXPECT_EQ(probes.size(), kNearProbes);
    EXPECT_EQ(std::count(probes.begin(), probes.end(), near_key(table, blocks_of(known)[table])), 1);
  }
}

TEST_F(KnownLinesTest, ShortSketchesAgreeWhereSketchesDo) {
  for (int i = 0; i < 1000; ++i) {
    const std::vector<std::uint8_t> a = any_sketch();
    std::vector<std::uint8_t> b = any_sketch();
    const std::size_t equal = random_() % (b.size() + 1);
    std::copy(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(equal), b.begin());
    std::size_t expected = 0;
    for (std::size_t at = 0; at < a.size(); ++at) expected += (a[at] & 3) == (b[at] & 3) ? 1 : 0;
    EXPECT_EQ(agreements(short_sketch(SketchBytes(a)), short_sketch(SketchBytes(b))), expected);
    EXPECT_GE(expected, equal);
    const std::size_t band = random_() % kSketchBands;
    std::string line;
    append_sketch_line(band, SketchBytes(a), {7, 1}, line);
    ASSERT_EQ(line.size(), kSketchLineBytes);
    EXPECT_EQ(key_of_line(line), sketch_key_of(band, sketch_band(SketchBytes(a), band)));
    EXPECT_EQ(sketch_of_line(line), short_sketch(SketchBytes(a)));
  }
}

// Tasks have ranges of keys in their order, of about the same size.
TEST_F(KnownLinesTest, TasksHaveRangesOfKeys) {
  for (const std::uint32_t tasks : {1U, 3U, 1000U}) {
    EXPECT_EQ(task_of_hash(0, tasks), 0U);
    EXPECT_EQ(task_of_hash(~0ULL, tasks), tasks - 1);
    EXPECT_EQ(task_of_hash(1ULL << 63, tasks), tasks / 2);
    EXPECT_EQ(task_of_sketch_key(0, tasks), 0U);
    EXPECT_EQ(task_of_sketch_key(sketch_key_of(kSketchBands - 1, 0xffffff), tasks), tasks - 1);
    std::uint32_t last = 0;
    for (int i = 0; i < 100; ++i) {
      const std::uint64_t key = 0x28F5C28F5C28F5CULL * static_cast<std::uint64_t>(i);
      EXPECT_GE(task_of_hash(key, tasks), last);
      last = task_of_hash(key, tasks);
    }
  }
}

TEST_F(KnownLinesTest, BlocksSayWhichKeysTheyHave) {
  ParcelBox box("known/exact", 2);
  BlockBox blocks(box, 1, 10'000);
  std::string all;
  for (std::uint64_t key = 1; key <= 50'000; ++key) {
    std::string line;
    append_exact_line(key, {static_cast<std::uint32_t>(key), 3}, line);
    blocks.add(key, line);
    all += line;
  }
  blocks.end();
  std::vector<Parcel> parcels;
  box.take(parcels, true);
  std::string read;
  std::uint64_t next = 1;
  for (const Parcel& parcel : parcels) {
    EXPECT_EQ(parcel.partition, 1U);
    const Result<std::vector<KnownBlock>> found = read_known_blocks(parcel.bytes);
    ASSERT_TRUE(found.has_value()) << found.error().message;
    for (const KnownBlock& block : *found) {
      EXPECT_EQ(block.first_key, next);
      next = block.last_key + 1;
      read += block.bytes;
    }
  }
  EXPECT_EQ(read, all);
  EXPECT_EQ(next, 50'001U);
  EXPECT_EQ(read_known_blocks("\x05\x01\x01x").error().code, ErrorCode::kCorruptData);
}

TEST_F(KnownLinesTest, CutLinesAreAnError) {
  std::string line;
  append_exact_line(1, {2, 3}, line);
  line.pop_back();
  const Status read = for_each_line(line, kExactLines, [](std::string_view) { return Status{}; });
  EXPECT_EQ(read.error().code, ErrorCode::kCorruptData);
}

}  // namespace
}  // namespace paraprint::distribute::known
