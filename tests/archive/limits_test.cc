// Inputs that would exhaust memory if any reader held them completely.
#include <fcntl.h>
#include <sys/resource.h>

#include "archive_testing.h"

namespace paraprint {
namespace {

constexpr std::int64_t kHugeBytes = std::int64_t{1} << 30;

class LimitsTest : public ArchiveTest {
 protected:
  // Writes `begin`, a gigabyte of NUL bytes as a hole that occupies no disk space, and `end`.
  std::string write_huge(const std::string& file, std::string_view begin, std::string_view end) const {
    write(file, begin);
    std::filesystem::resize_file(name(file), begin.size() + static_cast<std::uintmax_t>(kHugeBytes));
    std::ofstream(name(file), std::ios::binary | std::ios::app) << end;
    return name(file);
  }
  static std::int64_t peak_memory_bytes() {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return std::int64_t{usage.ru_maxrss} * 1024;
  }
  void TearDown() override {
    // Well below the gigabyte, above any line limit plus buffers. Sanitizers delay the reuse of freed memory.
    EXPECT_LT(peak_memory_bytes(), kHugeBytes * 3 / 4);
  }
};

TEST_F(LimitsTest, SkipsHugeLine) {
  const std::string good = "{\"id\":\"g\",\"text\":\"x\"}\n";
  const Reading reading = read_archive(write_huge("a.jsonl", good + "{\"text\":\"", "\"}\n" + good));
  ASSERT_EQ(reading.records.size(), 2U);
  EXPECT_EQ(reading.records[1].line, 3U);
  ASSERT_EQ(reading.defects.size(), 1U);
  EXPECT_EQ(reading.defects[0].kind, DefectKind::kLineTooLong);
  EXPECT_EQ(reading.defects[0].line, 2U);
  EXPECT_EQ(reading.defects[0].skipped_bytes, static_cast<std::uint64_t>(kHugeBytes) + 12);
}

TEST_F(LimitsTest, PassesHugeRecordThrough) {
  const std::string header =
      "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:huge>\r\nWARC-Target-URI: "
      "http://x.test/\r\nContent-Length: " +
      std::to_string(kHugeBytes + 17) + "\r\n\r\nHTTP/1.1 200 OK\r\n";
  const Reading reading = read_archive(write_huge("a.warc", header, "\r\n\r\n" + response_record(2)));
  EXPECT_EQ(reading.ids(), (std::vector<std::string>{"urn:huge", record_id(2)}));
  EXPECT_TRUE(reading.records[0].is_oversized);
  EXPECT_LT(reading.records[0].payload.size(), std::size_t{1} << 20);
  EXPECT_EQ(reading.records[0].location.length_bytes, header.size() + kHugeBytes + 4);
  EXPECT_EQ(reading.defect_counts(), (Counts{{"record-too-large", 1}}));
}

TEST_F(LimitsTest, SaysThatTheLengthOfAHugeRecordIsWrong) {
  const std::string header =
      "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:huge>\r\nWARC-Target-URI: "
      "http://x.test/\r\nContent-Length: " +
      std::to_string(kHugeBytes - 5) + "\r\n\r\n";
  const Reading reading = read_archive(write_huge("a.warc", header, "\r\n\r\n" + response_record(2)));
  EXPECT_EQ(reading.ids(), (std::vector<std::string>{"urn:huge", record_id(2)}));
  EXPECT_EQ(reading.defect_counts(), (Counts{{"garbage", 1}, {"record-too-large", 1}, {"wrong-content-length", 1}}));
  EXPECT_NE(reading.defects[1].message.find("records in them are not read"), std::string::npos);
}

// Counts what it sees of the last payload.
class CountingObserver final : public PayloadObserver {
 public:
  void begin() override { bytes_ = 0; }
  void add(std::string_view piece) override { bytes_ += piece.size(); }
  std::uint64_t bytes() const { return bytes_; }

 private:
  std::uint64_t bytes_ = 0;
};

TEST_F(LimitsTest, DigestsHugeRecordsOnRequest) {
  const std::string header =
      "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:huge>\r\nWARC-Target-URI: "
      "http://x.test/\r\nContent-Length: " +
      std::to_string(kHugeBytes + 19) + "\r\n\r\nHTTP/1.1 200 OK\r\n\r\n";
  // The SHA-1 of a gigabyte of NUL bytes, by sha1sum.
  const std::string expected = "\x2a\x49\x2f\x15\x39\x6a\x67\x68\xbc\xbc\xa0\x16\x99\x3f\x4b\x4c\x8b\x0b\x53\x07";
  for (const bool is_followed : {true, false}) {
    const std::string end = is_followed ? response_record(2) : "what is this?\r\n\r\n" + response_record(2);
    std::vector<Defect> defects;
    auto reader = open_records(input_file(write_huge("a.warc", header, "\r\n\r\n" + end)), {},
                               [&](Defect defect) { defects.push_back(defect); });
    CountingObserver observer;
    (*reader)->digest_oversized(&observer);
    const RawRecord record = (*reader)->next().value().value();
    EXPECT_TRUE(record.is_oversized);
    EXPECT_EQ(record.payload_sha1, is_followed ? expected : "");
    EXPECT_EQ(observer.bytes(), static_cast<std::uint64_t>(kHugeBytes));
    EXPECT_EQ(defects.size(), is_followed ? 0U : 1U);
  }
}

TEST_F(LimitsTest, SkipsHugeGarbage) {
  const Reading reading = read_archive(write_huge("a.warc", response_record(1), response_record(2)));
  EXPECT_EQ(reading.ids(), (std::vector<std::string>{record_id(1), record_id(2)}));
  EXPECT_EQ(reading.defect_counts(), (Counts{{"garbage", 1}}));
  EXPECT_EQ(reading.defects[0].skipped_bytes, static_cast<std::uint64_t>(kHugeBytes));
}

TEST_F(LimitsTest, RejectsHugePage) {
  const Reading reading = read_archive(write_huge("a.html", "<p>", "</p>"));
  ASSERT_EQ(reading.records.size(), 1U);
  EXPECT_TRUE(reading.records[0].is_oversized);
  EXPECT_EQ(reading.defect_counts(), (Counts{{"record-too-large", 1}}));
}

TEST_F(LimitsTest, HugeStatedLengthCostsNoMemory) {
  const std::string length = std::to_string(http_response("<html><p>Page 1</p></html>").size());
  const std::string wrong = replaced(response_record(1), "Content-Length: " + length, "Content-Length: 99999999999");
  const Reading reading = read_archive(write("a.warc", wrong + response_record(2) + response_record(3)));
  EXPECT_EQ(reading.ids(), (std::vector<std::string>{record_id(1), record_id(2), record_id(3)}));
  EXPECT_EQ(reading.defect_counts(), (Counts{{"wrong-content-length", 1}}));
}

}  // namespace
}  // namespace paraprint
