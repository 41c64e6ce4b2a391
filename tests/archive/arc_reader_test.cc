// ARC 1 records: header lines with odd URLs and types, wrong lengths, and text that only resembles a header.
#include "archive_testing.h"

namespace paraprint {
namespace {

class ArcReaderTest : public ArchiveTest {
 protected:
  static std::string document(const std::string& url, const std::string& body, const std::string& length = {}) {
    const std::string payload = http_response(body);
    return url + " 192.0.2.1 20140216050221 text/html " + (length.empty() ? std::to_string(payload.size()) : length) +
           "\n" + payload + "\n";
  }
  const std::string version_ =
      "filedesc://x.arc 0.0.0.0 20140216050221 text/plain 66\n"
      "1 0 Test\nURL IP-address Archive-date Content-type Archive-length\n\n";
};

TEST_F(ArcReaderTest, ReadsDocuments) {
  const std::string all = version_ + document("http://x.test/a", "<p>a") + document("http://x.test/b c d", "<p>b") +
                          "dns:x.test 192.0.2.1 20140216050221 text/dns 4\nabcd\n";
  for (const bool is_compressed : {false, true}) {
    const Reading reading = read_archive(write("a.arc", is_compressed ? gzip(all) : all));
    ASSERT_EQ(reading.records.size(), 4U);
    EXPECT_TRUE(reading.defects.empty());
    EXPECT_EQ(reading.format, ArchiveFormat::kArc);
    EXPECT_EQ(reading.records[0].kind, RecordKind::kOther);
    EXPECT_EQ(reading.records[1].url, "http://x.test/a");
    EXPECT_EQ(reading.records[1].date, "2014-02-16T05:02:21Z");
    EXPECT_EQ(reading.records[1].payload, http_response("<p>a"));
    EXPECT_EQ(reading.records[2].url, "http://x.test/b c d");
    EXPECT_EQ(reading.records[3].kind, RecordKind::kOther);
  }
  EXPECT_EQ(read_archive(write("a.arc", all)).records[1].id, "a.arc@" + std::to_string(version_.size()));
}

TEST_F(ArcReaderTest, RepairsWrongLengths) {
  for (const char* length : {"10", "100", "9999", "x", "-1"}) {
    const Reading reading = read_archive(
        write("a.arc", version_ + document("http://x.test/a", "<p>a", length) + document("http://x.test/b", "<p>b")));
    ASSERT_GE(reading.records.size(), 2U) << length;
    EXPECT_EQ(reading.records.back().url, "http://x.test/b") << length;
    EXPECT_EQ(reading.defects.size(), 1U) << length;
    if (!reading.records[1].is_repaired) continue;
    EXPECT_EQ(reading.records[1].payload, http_response("<p>a"));
    EXPECT_EQ(repaired_arc_record(reading.records[1]), document("http://x.test/a", "<p>a"));
  }
}

TEST_F(ArcReaderTest, RecognisesOnlyHeaderLines) {
  EXPECT_FALSE(kArcFormat.is_start("http://x.test/ not a header line\n"));
  EXPECT_FALSE(kArcFormat.is_start("http://x.test/ 192.0.2.1 2014 text/html 5\n"));
  EXPECT_FALSE(kArcFormat.is_start("x 192.0.2.1 20140216050221 text/html 5\n"));
  EXPECT_TRUE(kArcFormat.is_start("http://x.test/ 192.0.2.1 20140216050221 text/html 5\n"));
  EXPECT_TRUE(kArcFormat.is_start("http://x.test/ 2001:db8::1 20140216050221 text/html; charset=x 5\r\n"));
}

}  // namespace
}  // namespace paraprint
