// The bytes of the event log, whole, torn and damaged.
#include "feed/event_segment.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace paraprint {
namespace {

std::string segment_of(std::uint64_t first, std::uint64_t count) {
  std::string bytes = segment_header_bytes({first, 1000});
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::string json = "{\"id\":\"" + std::string(i % 7, 'x') + "\"}";
    append_frame(bytes, {first + i, 2000 + i, json});
  }
  return bytes;
}

std::size_t size_with(std::uint64_t count) {
  return segment_of(5, count).size();
}

TEST(EventSegment, ReadsWhatItWrote) {
  const std::string bytes = segment_of(5, 20);
  const Result<SegmentHeader> header = read_segment_header(bytes);
  ASSERT_TRUE(header);
  EXPECT_EQ(header->first_number, 5U);
  EXPECT_EQ(header->created_milliseconds, 1000U);
  std::string_view rest = std::string_view(bytes).substr(kSegmentHeaderBytes);
  StoredEvent event;
  for (std::uint64_t i = 0; i < 20; ++i) {
    ASSERT_EQ(take_frame(rest, event), FrameState::kWhole);
    EXPECT_EQ(event.number, 5 + i);
    EXPECT_EQ(event.time_milliseconds, 2000 + i);
    EXPECT_EQ(event.json, "{\"id\":\"" + std::string(i % 7, 'x') + "\"}");
  }
  EXPECT_TRUE(rest.empty());
  EXPECT_EQ(take_frame(rest, event), FrameState::kIncomplete);
}

// The bytes are part of a stored format.
TEST(EventSegment, HasAFixedForm) {
  std::string bytes;
  append_frame(bytes, {1, 2, "{}"});
  ASSERT_EQ(bytes.size(), kFrameHeaderBytes + 3);
  EXPECT_EQ(bytes.substr(0, 8), std::string("EVNT\x23\0\0\0", 8));
  EXPECT_EQ(bytes.substr(16), std::string("\x01\0\0\0\0\0\0\0\x02\0\0\0\0\0\0\0{}\n", 19));
}

TEST(EventSegment, IsCutAfterTheLastWholeFrameWhereverItIsTorn) {
  const std::string bytes = segment_of(5, 4);
  std::uint64_t whole = 0;
  for (std::size_t size = kSegmentHeaderBytes; size <= bytes.size(); ++size) {
    while (whole < 4 && size_with(whole + 1) <= size) ++whole;
    const SegmentScan scan = scan_segment(std::string_view(bytes).substr(0, size), {5, 1000});
    EXPECT_EQ(scan.valid_bytes, size_with(whole)) << size;
    EXPECT_EQ(scan.next_number, 5 + whole) << size;
    EXPECT_EQ(scan.last_number_after_damage, 0U) << size;
  }
}

TEST(EventSegment, NoticesEveryFlippedBit) {
  const std::string bytes = segment_of(5, 3);
  for (std::size_t at = kSegmentHeaderBytes; at < bytes.size(); ++at) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string damaged = bytes;
      damaged[at] = static_cast<char>(damaged[at] ^ (1 << bit));
      const SegmentScan scan = scan_segment(damaged, {5, 1000});
      const std::uint64_t frame = at < size_with(1) ? 0 : at < size_with(2) ? 1 : 2;
      EXPECT_EQ(scan.next_number, 5 + frame);
      EXPECT_EQ(scan.last_number_after_damage, frame < 2 ? 7U : 0U);  // the last frame is found behind the damage
    }
  }
  for (std::size_t at = 0; at < kSegmentHeaderBytes; ++at) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 1);
    EXPECT_FALSE(read_segment_header(damaged)) << at;
  }
}

TEST(EventSegment, RefusesSizesThatNoFrameHas) {
  for (const std::uint32_t size : {0U, 1U, 31U, 32U, 0x00200000U, 0xFFFFFFFFU}) {
    std::string bytes(64, '\0');
    bytes.replace(0, 4, "EVNT");
    for (int i = 0; i < 4; ++i) bytes[4 + i] = static_cast<char>(size >> (8 * i));
    std::string_view rest = bytes;
    StoredEvent event;
    EXPECT_EQ(take_frame(rest, event), FrameState::kDamaged) << size;
    EXPECT_EQ(frame_bytes(bytes), 0U);
  }
}

TEST(EventSegment, EndsOnAnyBytes) {
  std::mt19937_64 random(1);
  const std::string whole = segment_of(5, 30);
  for (int round = 0; round < 2000; ++round) {
    std::string bytes = whole.substr(0, random() % whole.size());
    for (std::uint64_t i = random() % 5; i > 0 && !bytes.empty(); --i)
      bytes[random() % bytes.size()] = "EVNT\n\xFF"[random() % 6];
    const SegmentScan scan = scan_segment(bytes, {5, 1000});
    EXPECT_LE(scan.valid_bytes, bytes.size());
    EXPECT_GE(scan.next_number, 5U);
    EXPECT_LE(scan.next_number, 35U);
  }
}

}  // namespace
}  // namespace paraprint
