// WARC records: fields, kinds and spellings, wrong lengths, garbage between records, and broken headers.
#include "archive_testing.h"

namespace paraprint {
namespace {

class WarcReaderTest : public ArchiveTest {};

TEST_F(WarcReaderTest, ReadsEveryFieldOfAResponse) {
  const std::string info = make_warc_record("warcinfo", {{"WARC-Record-ID", "<urn:uuid:info>"}}, "software: x\r\n");
  const Reading reading = read_archive(write("a.warc", info + response_record(1) + request_record(2, 1)));
  ASSERT_EQ(reading.records.size(), 3U);
  EXPECT_TRUE(reading.defects.empty());
  EXPECT_EQ(reading.records[0].kind, RecordKind::kOther);
  const RawRecord& page = reading.records[1];
  EXPECT_EQ(page.kind, RecordKind::kPage);
  EXPECT_EQ(page.id, record_id(1));
  EXPECT_EQ(page.url, "http://example.test/1");
  EXPECT_EQ(page.date, "2024-05-01T10:00:00Z");
  EXPECT_TRUE(page.is_http);
  EXPECT_EQ(page.payload, http_response("<html><p>Page 1</p></html>"));
  EXPECT_EQ(page.location.ordinal, 1U);
  EXPECT_EQ(page.location.offset_bytes, info.size());
  EXPECT_EQ(page.location.length_bytes, response_record(1).size());
  EXPECT_EQ(reading.records[2].kind, RecordKind::kRequest);
  EXPECT_EQ(reading.records[2].concurrent_to, record_id(1));
  EXPECT_TRUE(reading.records[2].payload.empty());
}

TEST_F(WarcReaderTest, ClassifiesRevisitsConversionsAndCrawlerLogs) {
  const std::string records =
      make_warc_record(
          "revisit",
          {{"WARC-Record-ID", "<urn:a>"}, {"WARC-Target-URI", "http://x.test/"}, {"WARC-Refers-To", "<urn:b>"}}, "") +
      make_warc_record(
          "conversion",
          {{"WARC-Record-ID", "<urn:c>"}, {"WARC-Target-URI", "http://x.test/"}, {"Content-Type", "text/plain"}},
          "text of a page\n") +
      make_warc_record("resource",
                       {{"WARC-Record-ID", "<urn:d>"},
                        {"WARC-Target-URI", "metadata://gnu.org/log"},
                        {"Content-Type", "text/plain"}},
                       "a log") +
      make_warc_record("resource",
                       {{"WARC-Record-ID", "<urn:e>"},
                        {"WARC-Target-URI", "http://x.test/e"},
                        {"Content-Type", "text/html"},
                        {"WARC-Truncated", "length"}},
                       "<p>page");
  const Reading reading = read_archive(write("a.warc", records));
  ASSERT_EQ(reading.records.size(), 4U);
  EXPECT_TRUE(reading.defects.empty());
  EXPECT_EQ(reading.records[0].kind, RecordKind::kRevisit);
  EXPECT_EQ(reading.records[0].refers_to, "urn:b");
  EXPECT_EQ(reading.records[1].kind, RecordKind::kPage);
  EXPECT_EQ(reading.records[1].format, PageFormat::kPlainText);
  EXPECT_TRUE(reading.records[1].body_is_utf8);
  EXPECT_EQ(reading.records[2].kind, RecordKind::kOther);
  EXPECT_EQ(reading.records[3].kind, RecordKind::kPage);
  EXPECT_FALSE(reading.records[3].is_http);
  EXPECT_TRUE(reading.records[3].is_truncated);
}

TEST_F(WarcReaderTest, ReadsLineFeedsFoldsAndOddCase) {
  const std::string record =
      "WARC/1.0\nwarc-type: Response\nWARC-Record-ID:\n <urn:folded>\nWARC-Target-URI: <http://x.test/a b>\n"
      "content-length: 5\nContent-Type: text/html\n\n<p>xy\n\n";
  const Reading reading = read_archive(write("a.warc", record + record));
  ASSERT_EQ(reading.records.size(), 2U);
  EXPECT_TRUE(reading.defects.empty());
  EXPECT_EQ(reading.records[0].id, "urn:folded");
  EXPECT_EQ(reading.records[0].url, "http://x.test/a b");
  EXPECT_EQ(reading.records[1].payload, "<p>xy");
}

TEST_F(WarcReaderTest, SkipsGarbageBetweenRecords) {
  const std::string garbage(5000, 'g');
  const Reading reading = read_archive(
      write("a.warc", garbage + response_record(1) + garbage + "WARC/" + garbage + response_record(2) + garbage));
  EXPECT_EQ(reading.ids(), (std::vector<std::string>{record_id(1), record_id(2)}));
  ASSERT_EQ(reading.defects.size(), 3U);
  EXPECT_EQ(reading.defects[0].kind, DefectKind::kGarbage);
  EXPECT_EQ(reading.defects[0].offset_bytes, 0U);
  EXPECT_EQ(reading.defects[0].skipped_bytes, garbage.size());
  EXPECT_EQ(reading.defects[1].offset_bytes, garbage.size() + response_record(1).size());
  EXPECT_EQ(reading.defects[1].skipped_bytes, 2 * garbage.size() + 5);
  EXPECT_EQ(reading.defects[2].skipped_bytes, garbage.size());
}

TEST_F(WarcReaderTest, RepairsTooSmallLength) {
  const std::string right = response_record(1);
  const std::string length = std::to_string(http_response("<html><p>Page 1</p></html>").size());
  const std::string wrong = replaced(right, "Content-Length: " + length, "Content-Length: 20");
  const Reading reading = read_archive(write("a.warc", wrong + response_record(2)));
  EXPECT_EQ(reading.ids(), (std::vector<std::string>{record_id(1), record_id(2)}));
  EXPECT_EQ(reading.defect_counts(), (Counts{{"wrong-content-length", 1}}));
  EXPECT_TRUE(reading.records[0].is_repaired);
  EXPECT_EQ(reading.records[0].payload, http_response("<html><p>Page 1</p></html>"));
  EXPECT_EQ(repaired_warc_record(reading.records[0]), right);
}

TEST_F(WarcReaderTest, TooLargeLengthDoesNotHideTheNextRecord) {
  const std::string length = std::to_string(http_response("<html><p>Page 1</p></html>").size());
  for (const char* stated : {"200", "999999", "50000000"}) {
    const std::string wrong =
        replaced(response_record(1), "Content-Length: " + length, std::string("Content-Length: ") + stated);
    const Reading reading = read_archive(write("a.warc", wrong + response_record(2) + response_record(3)));
    EXPECT_EQ(reading.ids(), (std::vector<std::string>{record_id(1), record_id(2), record_id(3)})) << stated;
    EXPECT_EQ(reading.defect_counts(), (Counts{{"wrong-content-length", 1}})) << stated;
    EXPECT_EQ(repaired_warc_record(reading.records[0]), response_record(1));
  }
}

TEST_F(WarcReaderTest, UsesAvailablePartOfTruncatedRecord) {
  const std::string record = response_record(1);
  const std::size_t header = record.find("\r\n\r\n") + 4;
  for (std::size_t size = 1; size + 4 < record.size(); ++size) {
    const Reading reading = read_archive(write("a.warc", response_record(2) + record.substr(0, size)));
    ASSERT_EQ(reading.records.size(), size < header ? 1U : 2U) << size;
    ASSERT_EQ(reading.defects.size(), 1U) << size;
    if (size < header) continue;
    EXPECT_EQ(reading.defects[0].kind, DefectKind::kTruncatedRecord);
    EXPECT_EQ(reading.defects[0].offset_bytes, response_record(2).size());
    EXPECT_TRUE(reading.records[1].is_truncated);
    EXPECT_EQ(reading.records[1].payload, record.substr(header, size - header));
  }
}

TEST_F(WarcReaderTest, ReportsMissingAndInvalidFields) {
  const auto one = [&](const std::string& header) {
    return read_archive(write("a.warc", "WARC/1.0\r\nWARC-Type: response\r\nContent-Type: text/html\r\n" + header +
                                            "\r\n<p>x\r\n\r\n" + response_record(2)));
  };
  const std::string id = "WARC-Record-ID: <urn:a>\r\n";
  const std::string url = "WARC-Target-URI: http://x.test/\r\n";
  const std::string length = "Content-Length: 4\r\n";

  Reading reading = one(id + length);
  EXPECT_EQ(reading.defect_counts(), (Counts{{"missing-url", 1}}));
  EXPECT_EQ(reading.records.size(), 2U);
  EXPECT_TRUE(reading.records[0].url.empty());

  reading = one(url + length);
  EXPECT_EQ(reading.defect_counts(), (Counts{{"missing-record-id", 1}}));
  EXPECT_EQ(reading.records[0].id, "a.warc@0");

  reading = one(id + url + length + "WARC-Date: yesterday\r\n");
  EXPECT_EQ(reading.defect_counts(), (Counts{{"bad-date", 1}}));

  for (const char* bad : {"", "Content-Length: many\r\n", "Content-Length: -1\r\n",
                          "Content-Length: 99999999999999999999\r\n", "Content-Length: 9999999999999999999\r\n"}) {
    reading = one(id + url + bad);
    EXPECT_EQ(reading.defect_counts(), (Counts{{"bad-record-header", 1}})) << bad;
    EXPECT_EQ(reading.ids(), (std::vector<std::string>{record_id(2)})) << bad;
    EXPECT_GT(reading.defects[0].skipped_bytes, 0U);
  }
}

TEST_F(WarcReaderTest, PagesHaveNoLongNames) {
  const std::string longest(kPageNameBytesMaximum - 4, 'n');
  const auto one = [&](const std::string& id, const std::string& url) {
    return read_archive(write(
        "a.warc",
        make_warc_record("resource",
                         {{"WARC-Record-ID", "<" + id + ">"}, {"WARC-Target-URI", url}, {"Content-Type", "text/html"}},
                         "<p>x")));
  };
  Reading reading = one("urn:" + longest, "ftp:" + longest);
  EXPECT_TRUE(reading.defects.empty());
  EXPECT_EQ(reading.ids(), std::vector<std::string>{"urn:" + longest});
  EXPECT_EQ(reading.records[0].url, "ftp:" + longest);
  EXPECT_FALSE(reading.records[0].has_id_of_place);

  reading = one("urn:x" + longest, "ftp:x" + longest);
  EXPECT_EQ(reading.defect_counts(), (Counts{{"long-id", 1}, {"long-url", 1}}));
  EXPECT_EQ(reading.defects[1].message, "the page's URL has 8193 bytes; the limit is 8192, so it is used without one");
  ASSERT_EQ(reading.ids(), std::vector<std::string>{"a.warc@0"});
  EXPECT_EQ(reading.records[0].kind, RecordKind::kPage);
  EXPECT_EQ(reading.records[0].url, "");
  EXPECT_TRUE(reading.records[0].has_id_of_place);
}

TEST_F(WarcReaderTest, UnterminatedHeaderDoesNotAffectOthers) {
  const std::string open = "WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 3\r\n";
  const Reading reading = read_archive(write("a.warc", open + response_record(2)));
  EXPECT_EQ(reading.ids(), (std::vector<std::string>{record_id(2)}));
  EXPECT_EQ(reading.defect_counts(), (Counts{{"bad-record-header", 1}}));
  EXPECT_EQ(reading.defects[0].skipped_bytes, open.size());
}

// Each header is read as far as the next record's start, not to the limit or the blank line behind all of them.
TEST_F(WarcReaderTest, ReadsUnterminatedHeadersOnce) {
  const std::string open = "WARC/1.0\r\nA:\r\n";
  constexpr std::size_t kHeaders = 10'000;
  std::string headers;
  for (std::size_t i = 0; i < kHeaders; ++i) headers += open;
  const Reading reading = read_archive(write("a.warc", headers + response_record(2)));
  EXPECT_EQ(reading.ids(), (std::vector<std::string>{record_id(2)}));
  EXPECT_EQ(reading.defect_counts(), (Counts{{"bad-record-header", kHeaders}}));
}

TEST_F(WarcReaderTest, SkipsHeadersOverTheLimit) {
  ReadOptions options;
  options.max_record_header_bytes = 1000;
  const std::string record =
      replaced(response_record(1), "WARC-Date:", "X-Long: " + std::string(2000, 'x') + "\r\nWARC-Date:");
  const Reading reading = read_archive(write("a.warc", record + response_record(2)), options);
  EXPECT_EQ(reading.ids(), (std::vector<std::string>{record_id(2)}));
  EXPECT_EQ(reading.defect_counts(), (Counts{{"record-header-too-large", 1}}));
  EXPECT_EQ(reading.defects[0].skipped_bytes, record.size());
}

TEST_F(WarcReaderTest, AcceptsNulBytes) {
  const std::string nuls(100, '\0');
  const Reading reading =
      read_archive(write("a.warc", response_record(1, http_response("<p>a" + nuls + "b")) + nuls + response_record(2)));
  ASSERT_EQ(reading.records.size(), 2U);
  EXPECT_EQ(reading.records[0].payload, http_response("<p>a" + nuls + "b"));
  EXPECT_EQ(reading.defect_counts(), (Counts{{"garbage", 1}}));
  EXPECT_EQ(reading.defects[0].skipped_bytes, 100U);
}

TEST_F(WarcReaderTest, DescribesADefectInOneLine) {
  const Reading reading = read_archive(write("a.warc", "xyz" + response_record(1)));
  ASSERT_EQ(reading.defects.size(), 1U);
  EXPECT_EQ(describe(reading.defects[0]),
            name("a.warc") + ": at byte 0: garbage: no record starts here, 3 bytes skipped");
  // What it quotes cannot forge another line.
  const Reading forged =
      read_archive(write("a\n.jsonl", "{\"text\":\"x\",\"date\":\"a\\r\\nparaprint: all is well\"}\n"));
  ASSERT_EQ(forged.defects.size(), 1U);
  EXPECT_EQ(describe(forged.defects[0]),
            name("a\\n.jsonl") + ": at byte 0 (line 1): bad-date: invalid date: a\\r\\nparaprint: all is well");
}

}  // namespace
}  // namespace paraprint
