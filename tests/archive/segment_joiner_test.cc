// Records in segments: joined where the whole record is in the file, and kept as they are everywhere else.
#include "archive/segment_joiner.h"

#include "archive/record_writer.h"
#include "archive/revisit_target.h"
#include "archive_testing.h"

namespace paraprint {
namespace {

constexpr std::string_view kDate = "2024-05-01T10:00:00Z";
constexpr std::string_view kUrl = "http://example.test/long";

struct Part {
  int number = 2;
  std::string content;
  std::string total;  // WARC-Segment-Total-Length
  std::string url = std::string(kUrl);
  int origin = 1;
};

std::string first_segment(std::string_view content, int id = 1, std::string_view number = "1",
                          std::string_view total = "") {
  return make_warc_record("response",
                          {{"WARC-Record-ID", fmt::format("<{}>", record_id(id))},
                           {"WARC-Date", kDate},
                           {"WARC-Target-URI", kUrl},
                           {"WARC-Segment-Number", number},
                           {"WARC-Segment-Total-Length", total},
                           {"Content-Type", "application/http; msgtype=response"}},
                          content);
}

std::string continuation(const Part& part) {
  const std::string id = fmt::format("<{}>", record_id(100 * part.origin + part.number));
  const std::string origin = fmt::format("<{}>", record_id(part.origin));
  const std::string number = fmt::format("{}", part.number);
  return make_warc_record("continuation",
                          {{"WARC-Record-ID", id},
                           {"WARC-Date", kDate},
                           {"WARC-Target-URI", part.url},
                           {"WARC-Segment-Origin-ID", origin},
                           {"WARC-Segment-Number", number},
                           {"WARC-Segment-Total-Length", part.total}},
                          part.content);
}

std::string warcinfo() {
  return make_warc_record("warcinfo", {{"WARC-Record-ID", "<urn:test:info>"}, {"WARC-Date", kDate}}, "software: x\r\n");
}

class SegmentJoinerTest : public ArchiveTest {
 protected:
  const std::string page_ = http_response("<html><p>The first part, the second part, the third part.</p></html>");
  const std::string one_ = page_.substr(0, 70);
  const std::string two_ = page_.substr(70, 20);
  const std::string three_ = page_.substr(90);
  const std::string total_ = fmt::format("{}", page_.size());

  // One segment of each number, with other records between them.
  std::vector<std::string> records() const {
    return {response_record(7),          first_segment(one_), warcinfo(),
            continuation({2, two_, ""}), response_record(8),  continuation({3, three_, total_}),
            response_record(9)};
  }

  static std::string joined(const std::vector<std::string>& records, bool is_compressed = false) {
    std::string all;
    for (const std::string& record : records) all += is_compressed ? gzip(record) : record;
    return all;
  }

  static PageOutcome outcome(const RawRecord& record) { return decode_page(RawRecord(record), {}, "a.warc").outcome; }

  // The records are kept, nothing is a page, and each segment is reported.
  void expect_unjoined(const std::string& segments, int reported, std::string_view message,
                       const ReadOptions& options = {}) {
    const std::string bytes = response_record(7) + segments + response_record(9);
    const std::string path = write("a.warc", bytes);
    const Reading reading = read_archive(path, options);
    std::string messages;
    int found = 0;
    for (const Defect& defect : reading.defects) {
      messages += describe(defect) + "\n";
      found += defect.kind == DefectKind::kUnjoinedSegments ? 1 : 0;
    }
    EXPECT_EQ(found, reported) << messages;
    EXPECT_NE(messages.find(message), std::string::npos) << messages;
    std::vector<std::string> pages;
    for (const RawRecord& record : reading.records) {
      if (outcome(record) == PageOutcome::kAccepted) pages.push_back(record.url);
      EXPECT_TRUE(record.kind == RecordKind::kPage || record.payload.empty()) << record.id;
    }
    EXPECT_EQ(pages, (std::vector<std::string>{"http://example.test/7", "http://example.test/9"})) << message;
    // Without one of the other pages, all of its bytes are still there.
    RemovedPage removed;
    ASSERT_TRUE(write_survivors(input_file(path), name("out.warc"), std::span(&removed, 1), options, {}));
    EXPECT_EQ(content(name("out.warc")), segments + response_record(9));
  }
};

TEST_F(SegmentJoinerTest, PageHasTheContentOfAllItsSegments) {
  for (const bool is_compressed : {false, true}) {
    const Reading reading = read_archive(write("a.warc", joined(records(), is_compressed)));
    EXPECT_TRUE(reading.defects.empty());
    ASSERT_EQ(reading.records.size(), 7U);
    const RawRecord& first = reading.records[1];
    EXPECT_EQ(first.payload, page_);
    EXPECT_FALSE(first.is_truncated);
    EXPECT_EQ(first.segment->joined_ordinals, (std::vector<std::uint64_t>{3, 5}));
    EXPECT_EQ(outcome(first), PageOutcome::kAccepted);
    // Players do not join segments, so nothing may refer to them.
    EXPECT_FALSE(is_whole_capture(first));
    for (const std::size_t part : {3, 5}) {
      EXPECT_EQ(reading.records[part].kind, RecordKind::kOther);
      EXPECT_TRUE(reading.records[part].payload.empty());
      EXPECT_EQ(reading.records[part].location.ordinal, part);
    }
  }
}

TEST_F(SegmentJoinerTest, WriterKeepsOrRemovesAllSegments) {
  for (const bool is_compressed : {false, true}) {
    const std::vector<std::string> all = records();
    const std::string path = write("a.warc", joined(all, is_compressed));
    for (std::uint64_t ordinal : {0, 1, 4, 6}) {
      std::vector<std::string> kept = all;
      kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(ordinal));
      if (ordinal == 1) kept = {all[0], all[2], all[4], all[6]};
      RemovedPage removed;
      removed.ordinal = ordinal;
      const auto counts = write_survivors(input_file(path), name("out.warc"), std::span(&removed, 1), {}, {});
      ASSERT_TRUE(counts) << counts.error().message;
      EXPECT_EQ(content(name("out.warc")), joined(kept, is_compressed)) << ordinal;
      EXPECT_EQ(counts->pages_removed, 1U);
      EXPECT_EQ(counts->segments_removed, ordinal == 1 ? 2U : 0U);
    }
  }
}

// One record says what became of the page, and none refers to a part of one.
TEST_F(SegmentJoinerTest, RemovedPageIsReplacedOnce) {
  const std::string path = write("a.warc", joined(records()));
  RemovedPage removed;
  removed.ordinal = 1;
  removed.relation.verdict = "near";
  WriteOptions options;
  options.write_revisits = true;
  const auto counts = write_survivors(input_file(path), name("out.warc"), std::span(&removed, 1), {}, options);
  ASSERT_TRUE(counts) << counts.error().message;
  EXPECT_EQ(counts->relations_written, 1U);
  EXPECT_EQ(counts->segments_removed, 2U);
  EXPECT_EQ(content(name("out.warc")).find("WARC-Segment"), std::string::npos);
  EXPECT_EQ(read_archive(name("out.warc")).records.size(), 5U);
}

TEST_F(SegmentJoinerTest, ReadingResumesBetweenSegments) {
  std::vector<std::string> all = records();
  all.push_back(first_segment(one_, 2));  // of another record, which lacks its last segment
  all.push_back("garbage\r\n");
  all.push_back(continuation({2, two_, "", std::string(kUrl), 2}));
  all.push_back(response_record(10));
  for (const bool is_compressed : {false, true}) {
    const std::string path = write("a.warc", joined(all, is_compressed));
    const Reading whole = read_archive(path);
    ASSERT_EQ(whole.records.size(), 10U);
    EXPECT_EQ(whole.defect_counts()["unjoined-segments"], 2);
    for (std::size_t stop = 0; stop <= whole.records.size(); ++stop) {
      Reading parts;
      const auto sink = [&](const Defect& defect) { parts.defects.push_back(defect); };
      auto first = open_records(input_file(path), {}, sink);
      for (std::size_t i = 0; i < stop; ++i) parts.records.push_back(std::move(**(*first)->next()));
      const ResumePoint point = (*first)->position();
      EXPECT_EQ(point.ordinal, stop);
      auto second = open_records(input_file(path), {}, sink);
      ASSERT_TRUE((*second)->resume(point).has_value());
      while (true) {
        auto record = (*second)->next();
        ASSERT_TRUE(record.has_value());
        if (!record->has_value()) break;
        parts.records.push_back(std::move(**record));
      }
      EXPECT_EQ(parts.ids(), whole.ids());
      EXPECT_EQ(parts.defect_counts(), whole.defect_counts()) << stop;
      for (std::size_t i = 0; i < whole.records.size(); ++i) {
        EXPECT_EQ(parts.records.at(i).payload, whole.records[i].payload);
      }
    }
  }
}

TEST_F(SegmentJoinerTest, ToolsThatNeedRecordsGetThemAsStored) {
  auto reader = open_records(input_file(write("a.warc", joined(records()))), {},
                             [](const Defect& defect) { ADD_FAILURE() << describe(defect); });
  (*reader)->keep_everything();
  std::vector<std::string> payloads;
  while (true) {
    const auto record = (*reader)->next();
    if (!record->has_value()) break;
    if ((*record)->segment) payloads.push_back((*record)->payload);
  }
  EXPECT_EQ(payloads, (std::vector<std::string>{one_, two_, three_}));
}

TEST_F(SegmentJoinerTest, NumbersDecideTheOrder) {
  const Reading reading = read_archive(
      write("a.warc", first_segment(one_) + continuation({3, three_, total_}) + continuation({2, two_, ""})));
  EXPECT_EQ(reading.records.at(0).payload, page_);
  EXPECT_EQ(reading.defect_counts(), (Counts{{"unjoined-segments", 1}}));
  EXPECT_NE(reading.defects.at(0).message.find("not in order"), std::string::npos);
}

TEST_F(SegmentJoinerTest, SingleSegmentMayStateItsLength) {
  const Reading reading = read_archive(write("a.warc", first_segment(page_, 1, "1", total_)));
  EXPECT_TRUE(reading.defects.empty());
  EXPECT_EQ(outcome(reading.records.at(0)), PageOutcome::kAccepted);
}

TEST_F(SegmentJoinerTest, LastSegmentMayBeTruncated) {
  const std::string last = replaced(continuation({2, two_, fmt::format("{}", one_.size() + two_.size())}),
                                    "WARC-Segment-Origin", "WARC-Truncated: time\r\nWARC-Segment-Origin");
  const Reading reading = read_archive(write("a.warc", first_segment(one_) + last));
  EXPECT_TRUE(reading.defects.empty());
  EXPECT_TRUE(reading.records.at(0).is_truncated);
  EXPECT_EQ(reading.records.at(0).payload, one_ + two_);
}

TEST_F(SegmentJoinerTest, SegmentsThatDoNotMakeARecordAreKeptAndReported) {
  const std::string first = first_segment(one_);
  const std::string second = continuation({2, two_, ""});
  const std::string third = continuation({3, three_, total_});
  expect_unjoined(first, 1, "the file ends before segment 2");
  expect_unjoined(first + second, 2, "the file ends before segment 3");
  expect_unjoined(first + third, 2, "the file ends before segment 2");
  expect_unjoined(second + third, 2, "segment 2 of record " + record_id(1) + " is not joined");
  expect_unjoined(first + second + second + third, 4, "segment 2 is there twice");
  expect_unjoined(first + third + third, 3, "segment 3 is there twice");
  expect_unjoined(first + second + continuation({3, three_, "4711"}), 3, "their stated total length is 4711");
  expect_unjoined(first + continuation({2, two_, total_}) + third, 3, "their stated total length is " + total_);
  expect_unjoined(first + third + continuation({4, "", ""}) + second, 4, "segment 4 follows the last one, 3");
  expect_unjoined(first + third + continuation({4, "", total_}) + second, 4, "segments 3 and 4 both state");
  expect_unjoined(first + continuation({1, two_, ""}) + third, 3, "no valid segment number");
  expect_unjoined(first + replaced(second, "Number: 2", "Number: two") + third, 3, "no valid segment number");
  expect_unjoined(first + continuation({2, two_, "", "http://example.test/other"}) + third, 3,
                  "segment 2 has another address");
  expect_unjoined(first_segment(one_, 1, "2") + second + third, 3, "its segment number is not 1");
  expect_unjoined(first_segment(one_, 1, "x") + second + third, 3, "its segment number is not 1");
  expect_unjoined(first_segment(one_, 1, "1", total_) + second + third, 3, "their stated total length is " + total_);
  expect_unjoined(first + first_segment(one_, 2) + second + third, 4, "not before the next segmented record");
  expect_unjoined(first + replaced(second, record_id(1), record_id(5)) + third, 3, "the file ends before segment 2");
}

TEST_F(SegmentJoinerTest, ReadsNoFurtherAheadThanItsLimits) {
  const std::string first = first_segment(one_);
  const std::string last = continuation({2, two_, fmt::format("{}", one_.size() + two_.size())});
  std::string between;
  for (std::size_t i = 1; i < kMaxRecordsReadAhead; ++i) between += request_record(static_cast<int>(1000 + i), 9);
  EXPECT_TRUE(read_archive(write("a.warc", first + between + last)).defects.empty());
  expect_unjoined(first + between + request_record(2000, 9) + last, 2, "not among the next 256 records");

  ReadOptions small;
  small.max_record_bytes = 200;
  const std::string large = continuation({2, std::string(150, 'x'), fmt::format("{}", one_.size() + 150)});
  expect_unjoined(first + large, 2, "exceeds the limit of 200 bytes", small);
  expect_unjoined(first + continuation({2, std::string(201, 'x'), "271"}), 2, "exceeds the limit", small);
  expect_unjoined(first + response_record(3, std::string(180, 'x')) + last, 2, "exceed the limit of 200", small);
  expect_unjoined(first + response_record(3, std::string(300, 'x')) + last, 2, "exceed the limit of 200", small);
  expect_unjoined(first_segment(std::string(201, 'x')) + last, 2, "its first segment is too large", small);
}

// What is written again is the stored content, so a record of a wrong length is not joined.
TEST_F(SegmentJoinerTest, WrongLengthOfTheFirstSegmentIsRepairedWithoutTheOthers) {
  const std::string wrong = replaced(first_segment(one_), "Content-Length: 70", "Content-Length: 7");
  const std::string rest = continuation({2, two_, ""}) + continuation({3, three_, total_});
  const std::string path = write("a.warc", wrong + rest);
  EXPECT_EQ(read_archive(path).defect_counts(), (Counts{{"wrong-content-length", 1}, {"unjoined-segments", 3}}));
  ASSERT_TRUE(write_survivors(input_file(path), name("out.warc"), {}, {}, {}));
  EXPECT_EQ(content(name("out.warc")), first_segment(one_) + rest);
}

// A file that ends anywhere gives what is there: either the whole page, or none.
TEST_F(SegmentJoinerTest, SurvivesTruncationAtEveryByte) {
  const std::string all = joined(records());
  const std::size_t end_of_last = all.find(three_) + three_.size();
  for (std::size_t length = 0; length <= all.size(); ++length) {
    const Reading reading = read_archive(write("a.warc", std::string_view(all).substr(0, length)));
    std::uint64_t bytes = 0;
    for (const RawRecord& record : reading.records) {
      bytes += record.content_length_bytes;
      if (record.id != record_id(1)) continue;
      EXPECT_EQ(outcome(record) == PageOutcome::kAccepted, length >= end_of_last);
    }
    for (const Defect& defect : reading.defects) bytes += defect.skipped_bytes;
    EXPECT_EQ(bytes, length);
  }
}

}  // namespace
}  // namespace paraprint
