// gzip and zstd files: addresses of members, and what survives damage at any byte, truncation, stray bytes that look
// like members, and compression bombs.
#include <random>

#include "archive_testing.h"

namespace paraprint {
namespace {

class CompressionTest : public ArchiveTest {
 protected:
  static std::string noise(std::size_t size) {
    std::mt19937 random(7);
    std::string bytes(size, '\0');
    for (char& c : bytes) c = static_cast<char>(random());
    return bytes;
  }
};

const std::vector<std::string> kThreeIds = {record_id(1), record_id(2), record_id(3)};

std::string members(std::string (*compress)(std::string_view)) {
  return compress(response_record(1)) + compress(response_record(2)) + compress(response_record(3));
}
std::string gzip_default(std::string_view content) {
  return gzip(content);
}
std::string zstd_default(std::string_view content) {
  return zstd(content);
}

TEST_F(CompressionTest, RecordsInSeparateMembersAreAddressable) {
  for (auto* compress : {gzip_default, zstd_default}) {
    const Reading reading = read_archive(write("a.warc.x", members(compress)));
    EXPECT_EQ(reading.ids(), kThreeIds);
    EXPECT_TRUE(reading.defects.empty());
    std::uint64_t offset = 0;
    for (int i = 0; i < 3; ++i) {
      const std::uint64_t length = compress(response_record(i + 1)).size();
      EXPECT_EQ(reading.records[i].location.offset_bytes, offset);
      EXPECT_EQ(reading.records[i].location.length_bytes, length);
      offset += length;
    }
  }
}

TEST_F(CompressionTest, ReadsManyRecordsInOneMember) {
  for (auto* compress : {gzip_default, zstd_default}) {
    const std::string all = response_record(1) + response_record(2) + response_record(3);
    const Reading reading = read_archive(write("a.warc.x", compress(all)));
    EXPECT_EQ(reading.ids(), kThreeIds);
    EXPECT_TRUE(reading.defects.empty());
    EXPECT_EQ(reading.records[1].location.length_bytes, 0U);
    EXPECT_EQ(reading.records[1].content_offset_bytes, response_record(1).size());
    EXPECT_EQ(reading.records[1].content_length_bytes, response_record(2).size());
  }
}

TEST_F(CompressionTest, ReadsRecordsThatSpanMembers) {
  const std::string all = response_record(1) + response_record(2) + response_record(3);
  std::string stored;
  for (std::size_t at = 0; at < all.size(); at += 37) stored += gzip(all.substr(at, 37));
  const Reading reading = read_archive(write("a.warc.gz", stored));
  EXPECT_EQ(reading.ids(), kThreeIds);
  EXPECT_TRUE(reading.defects.empty());
}

TEST_F(CompressionTest, LargeMembersAreDecodedInPieces) {
  // Larger than the window and than what is decoded at once.
  const std::string large = response_record(1, http_response("<p>" + noise(std::size_t{20} << 20)));
  const std::string stored = gzip(large, 1) + gzip(response_record(2));
  const Reading reading = read_archive(write("a.warc.gz", stored));
  ASSERT_EQ(reading.ids(), (std::vector<std::string>{record_id(1), record_id(2)}));
  EXPECT_TRUE(reading.defects.empty());
  EXPECT_EQ(reading.records[0].location.length_bytes, gzip(large, 1).size());
  EXPECT_EQ(reading.records[0].payload.size(), large.size() - (large.find("\r\n\r\n") + 4) - 4);
}

TEST_F(CompressionTest, DamagedMemberDoesNotAffectOthers) {
  for (auto* compress : {gzip_default, zstd_default}) {
    const std::string one = compress(response_record(1));
    const std::string two = compress(response_record(2));
    const std::string three = compress(response_record(3));
    for (std::size_t at = 4; at < two.size(); ++at) {
      std::string broken = two;
      broken[at] = static_cast<char>(broken[at] ^ 0x5A);
      const Reading reading = read_archive(write("a.warc.x", one + broken + three));
      // The position of the damage decides whether the second record is lost, cut or kept; the others always survive.
      ASSERT_GE(reading.records.size(), 2U) << at;
      EXPECT_EQ(reading.records.front().id, record_id(1)) << at;
      EXPECT_EQ(reading.records.back().id, record_id(3)) << at;
      // Some bits are ignored (gzip's timestamp, reserved bits). Without a defect, nothing may be missing.
      if (reading.defects.empty()) {
        ASSERT_EQ(reading.ids(), kThreeIds) << at;
        EXPECT_EQ(reading.records[1].payload, http_response("<html><p>Page 2</p></html>")) << at;
      }
      for (const Defect& defect : reading.defects) EXPECT_GE(defect.offset_bytes, one.size()) << at;
    }
  }
}

TEST_F(CompressionTest, TruncatedFileYieldsCompleteRecords) {
  const std::string one = gzip(response_record(1));
  const std::string two = gzip(response_record(2));
  for (std::size_t size = 1; size < two.size(); ++size) {
    const Reading reading = read_archive(write("a.warc.gz", one + two.substr(0, size)));
    ASSERT_GE(reading.records.size(), 1U) << size;
    EXPECT_EQ(reading.records[0].id, record_id(1));
    ASSERT_FALSE(reading.defects.empty()) << size;
    EXPECT_EQ(reading.defects[0].offset_bytes, one.size()) << size;
    if (size < 3 || size >= two.size() - 8) continue;
    EXPECT_EQ(reading.defects[0].kind, DefectKind::kTruncatedCompression) << size;
  }
}

TEST_F(CompressionTest, TruncatedMemberDoesNotHideTheNext) {
  const std::string one = gzip(response_record(1));
  for (std::size_t size = 3; size < one.size(); ++size) {
    const Reading reading =
        read_archive(write("a.warc.gz", gzip(response_record(3)) + one.substr(0, size) + gzip(response_record(2))));
    ASSERT_GE(reading.records.size(), 2U) << size;
    EXPECT_EQ(reading.records.back().id, record_id(2)) << size;
    EXPECT_FALSE(reading.defects.empty()) << size;
  }
}

TEST_F(CompressionTest, ReportsStrayBytesBetweenMembers) {
  for (auto* compress : {gzip_default, zstd_default}) {
    const std::string stray = noise(9000);
    const Reading reading = read_archive(write(
        "a.warc.x", compress(response_record(1)) + stray + compress(response_record(2)) + std::string(512, '\0')));
    EXPECT_EQ(reading.ids(), (std::vector<std::string>{record_id(1), record_id(2)}));
    ASSERT_EQ(reading.defects.size(), 2U);
    EXPECT_EQ(reading.defects[0].kind, DefectKind::kStrayBytes);
    EXPECT_EQ(reading.defects[0].offset_bytes, compress(response_record(1)).size());
    EXPECT_EQ(reading.defects[0].skipped_bytes, stray.size());
    EXPECT_EQ(reading.defects[1].skipped_bytes, 512U);
    EXPECT_GT(reading.records[0].location.length_bytes, 0U);
  }
}

// The header of a zstd frame with one raw block of `size` bytes and no checksum, so any bytes after it decode.
std::string raw_frame_header(std::size_t size) {
  constexpr unsigned kLastRawBlock = 1;
  std::string header = std::string("\x28\xb5\x2f\xfd\0\x58", 6);  // no flags; a window of 2 MiB
  for (int shift = 0; shift < 24; shift += 8) header += static_cast<char>((size << 3 | kLastRawBlock) >> shift);
  return header;
}

TEST_F(CompressionTest, StrayFrameDoesNotHideFramesInside) {
  const std::string two = zstd(response_record(2));
  for (const std::string_view start : {"", "WARC/1.0\r\nContent-Type: x\r\n"}) {
    for (const std::string_view before : {"", "g"}) {
      const std::string stray = std::string(before) + raw_frame_header(start.size() + two.size()) + std::string(start);
      const Reading reading =
          read_archive(write("a.warc.zst", zstd(response_record(1)) + stray + two + zstd(response_record(3))));
      EXPECT_EQ(reading.ids(), kThreeIds) << start << before;
      ASSERT_EQ(reading.defects.size(), 1U);
      EXPECT_EQ(reading.defects[0].kind, DefectKind::kStrayBytes);
      EXPECT_EQ(reading.defects[0].skipped_bytes, stray.size());
    }
  }
}

TEST_F(CompressionTest, StrayMemberDoesNotHideMembersInside) {
  // A gzip member with one stored block that covers the next member and ends at a meaningless position.
  const std::string two = gzip(response_record(2));
  std::string stray = std::string("\x1f\x8b\x08\0\0\0\0\0\0\3\0", 11);
  const unsigned size = static_cast<unsigned>(two.size());
  for (const unsigned number : {size, ~size}) {
    for (int shift = 0; shift < 16; shift += 8) stray += static_cast<char>(number >> shift);
  }
  const Reading reading =
      read_archive(write("a.warc.gz", gzip(response_record(1)) + stray + two + gzip(response_record(3))));
  EXPECT_EQ(reading.ids(), kThreeIds);
  // The content decoded before the failure is a separate defect and is not joined to anything.
  EXPECT_EQ(reading.defect_counts(), (Counts{{"broken-compression", 1}, {"garbage", 1}}));
}

TEST_F(CompressionTest, FindsFramesWithLargeBlocksAfterDamage) {
  // zstd yields no content before the first block of 128 KiB is complete.
  const std::string large = response_record(2, http_response("<p>" + noise(std::size_t{300} << 10)));
  const Reading reading = read_archive(write("a.warc.zst", zstd(response_record(1)) + "stray" + zstd(large)));
  EXPECT_EQ(reading.ids(), (std::vector<std::string>{record_id(1), record_id(2)}));
}

TEST_F(CompressionTest, BoundsTheSearchOverManyFalseStarts) {
  // Every start decodes up to the same distant end, where it fails: going back each time would take hours.
  constexpr std::size_t kBlockBytes = 60'000;
  constexpr std::size_t kBlocks = 200;
  const std::string one = gzip(response_record(1));
  std::string beginnings;
  while (beginnings.size() < kBlockBytes) {
    std::string beginning = std::string("\x1f\x8b\x08\0\0\0\0\0\0\3\0", 11);
    const unsigned size = static_cast<unsigned>(kBlockBytes - beginnings.size());
    const std::string text = "WARC/1.0\r\nContent-Length: 9\r\n\r\n";
    for (const unsigned number : {size, ~size}) {
      for (int shift = 0; shift < 16; shift += 8) beginning += static_cast<char>(number >> shift);
    }
    beginnings += beginning + text;
  }
  std::string stored = one;
  for (std::size_t i = 0; i < kBlocks; ++i) stored += beginnings;
  const Reading reading = read_archive(write("a.warc.gz", stored + one));
  ASSERT_FALSE(reading.records.empty());
  EXPECT_EQ(reading.records.front().id, record_id(1));
  EXPECT_FALSE(reading.defects.empty());
}

TEST_F(CompressionTest, ReportsWrongChecksumAndUsesContent) {
  std::string one = gzip(response_record(1));
  one[one.size() - 8] = static_cast<char>(one[one.size() - 8] + 1);
  const Reading reading = read_archive(write("a.warc.gz", one + gzip(response_record(2))));
  EXPECT_EQ(reading.ids(), (std::vector<std::string>{record_id(1), record_id(2)}));
  EXPECT_EQ(reading.defect_counts(), (Counts{{"bad-checksum", 1}}));
}

TEST_F(CompressionTest, SkipsOptionalGzipHeaderFields) {
  std::string one = gzip(response_record(1));
  const std::string extra = std::string("\x1f\x8b\x08\x1c\0\0\0\0\0\3", 10) + std::string("\4\0skip", 6) +
                            std::string("name\0", 5) + std::string("comment\0", 8) + one.substr(10);
  const Reading reading = read_archive(write("a.warc.gz", extra + gzip(response_record(2))));
  EXPECT_EQ(reading.ids(), (std::vector<std::string>{record_id(1), record_id(2)}));
  EXPECT_TRUE(reading.defects.empty());
}

TEST_F(CompressionTest, SkipsCompressionBombs) {
  ReadOptions options;
  options.bomb_threshold_bytes = 1 << 20;
  options.max_record_bytes = 1 << 20;
  const std::string zeros(std::size_t{40} << 20, '\0');
  const std::string header = "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:bomb>\r\nContent-Length: " +
                             std::to_string(zeros.size()) + "\r\n\r\n";
  for (auto* compress : {gzip_default, zstd_default}) {
    const std::string bomb = compress(header + zeros + "\r\n\r\n");
    const Reading reading = read_archive(write("a.warc.x", bomb + compress(response_record(2))), options);
    // What is before the cut is the beginning of a record.
    ASSERT_EQ(reading.ids(), (std::vector<std::string>{"urn:bomb", record_id(2)}));
    EXPECT_TRUE(reading.records[0].is_truncated && reading.records[0].is_oversized);
    EXPECT_LT(reading.records[0].content_length_bytes, zeros.size());
    EXPECT_EQ(reading.defect_counts()["compression-bomb"], 1);
    EXPECT_EQ(reading.defects[0].offset_bytes, 0U);
    EXPECT_EQ(reading.defects[0].skipped_bytes, bomb.size());
  }
}

// A record of zeros, which compress by a factor near 1000 if there are many.
std::string zero_record(int number, std::size_t bytes) {
  const std::string id = fmt::format("<urn:zeros:{}>", number);
  return make_warc_record("resource", {{"WARC-Record-ID", id}, {"WARC-Target-URI", "http://x.test/"}},
                          std::string(bytes, '\0'));
}

TEST_F(CompressionTest, ManySmallBombsAreOne) {
  constexpr std::size_t kZeros = 200'000;
  constexpr int kRecords = 60;
  ReadOptions options;
  options.bomb_threshold_bytes = 1 << 20;
  options.max_expansion_ratio = 100;
  for (auto* compress : {gzip_default, zstd_default}) {
    std::string stored;
    for (int i = 0; i < kRecords; ++i) stored += compress(zero_record(i, kZeros)) + compress(response_record(i));
    const std::string path = write("a.warc.x", stored);
    const Reading reading = read_archive(path, options);
    std::uint64_t content = 0;
    int ordinary = 0;
    for (const RawRecord& record : reading.records) {
      content += record.content_length_bytes;
      ordinary += record.id == record_id(ordinary) ? 1 : 0;
    }
    EXPECT_EQ(ordinary, kRecords);
    EXPECT_LE(content, options.bomb_threshold_bytes + options.max_expansion_ratio * stored.size() + kZeros);
    const int cut = reading.defect_counts().at("compression-bomb");
    EXPECT_EQ(reading.defect_counts().size(), 1U);
    EXPECT_EQ(reading.records.size(), static_cast<std::size_t>(2 * kRecords - cut));
    EXPECT_GT(cut, kRecords / 2);
    // A run that is resumed cuts the same ones.
    for (std::size_t stop = 0; stop < reading.records.size(); stop += 7) {
      Reading parts;
      const auto sink = [&](Defect defect) { parts.defects.push_back(std::move(defect)); };
      auto first = open_records(input_file(path), options, sink);
      for (std::size_t i = 0; i < stop; ++i) ASSERT_TRUE((*first)->next().value().has_value());
      auto second = open_records(input_file(path), options, sink);
      ASSERT_TRUE((*second)->resume((*first)->position()).has_value());
      for (std::size_t i = stop; i < reading.records.size(); ++i) {
        const auto record = (*second)->next();
        ASSERT_TRUE(record.has_value() && record->has_value()) << stop << " " << i;
        EXPECT_EQ((*record)->id, reading.records[i].id);
      }
      EXPECT_FALSE((*second)->next().value().has_value());
      EXPECT_EQ(parts.defect_counts(), reading.defect_counts()) << stop;
    }
  }
}

// The limit is that of the file: members above the ratio are read as long as the others make up for them.
TEST_F(CompressionTest, HighlyCompressedMembersAreReadInOrdinaryFiles) {
  ReadOptions options;
  options.bomb_threshold_bytes = 1 << 20;
  options.max_expansion_ratio = 100;
  std::string noise;
  for (std::uint32_t i = 0, state = 1; i < 20'000; ++i) {
    noise += static_cast<char>('a' + (state = static_cast<std::uint32_t>(state * 48271ULL % 0x7fffffff)) % 26);
  }
  for (auto* compress : {gzip_default, zstd_default}) {
    std::string stored;
    for (int i = 0; i < 20; ++i) {
      stored += compress(zero_record(i, 500'000)) + compress(response_record(i, http_response(noise)));
    }
    const Reading reading = read_archive(write("a.warc.x", stored), options);
    EXPECT_EQ(reading.records.size(), 40U);
    EXPECT_TRUE(reading.defects.empty());
  }
}

TEST_F(CompressionTest, UsesZstdDictionaryFrames) {
  const std::string dictionary = response_record(9) + response_record(8);
  for (const bool is_packed : {false, true}) {
    const std::string content = is_packed ? zstd(dictionary) : dictionary;
    std::string frame = "\x5d\x2a\x4d\x18";
    for (int shift = 0; shift < 32; shift += 8) frame += static_cast<char>(content.size() >> shift);
    frame += content;
    const std::string stored = frame + zstd(response_record(1), dictionary) + zstd(response_record(2), dictionary);
    const Reading reading = read_archive(write("a.warc.zst", stored));
    EXPECT_EQ(reading.ids(), (std::vector<std::string>{record_id(1), record_id(2)}));
    EXPECT_TRUE(reading.defects.empty());
    EXPECT_EQ(reading.records[0].location.offset_bytes, frame.size());
  }
}

}  // namespace
}  // namespace paraprint
