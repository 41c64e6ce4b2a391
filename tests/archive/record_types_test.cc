// What is read as a page, by the type of the WARC record, its address and its media type (docs/reading.md).
#include "archive/revisit_target.h"
#include "archive_testing.h"

namespace paraprint {
namespace {

class RecordTypesTest : public ArchiveTest {
 protected:
  struct Read {
    RawRecord record;
    DecodedRecord decoded;
  };

  Read read(std::string_view type, std::string_view url, std::string_view content_type, std::string_view content) {
    const Reading reading =
        read_archive(write("a.warc", make_warc_record(type,
                                                      {{"WARC-Record-ID", "<urn:test:1>"},
                                                       {"WARC-Date", "2024-05-01T10:00:00Z"},
                                                       {"WARC-Target-URI", url},
                                                       {"WARC-Refers-To", type == "conversion" ? "<urn:test:0>" : ""},
                                                       {"Content-Type", content_type}},
                                                      content)));
    EXPECT_EQ(reading.records.size(), 1U) << type;
    EXPECT_TRUE(reading.defects.empty()) << type << " " << url;
    Read result{reading.records.at(0), {}};
    result.decoded = decode_page(RawRecord(result.record), {}, "a.warc");
    return result;
  }

  std::string_view outcome(std::string_view type, std::string_view url, std::string_view content_type,
                           std::string_view content = "<p>A page.") {
    return page_outcome_name(read(type, url, content_type, content).decoded.outcome);
  }
};

TEST_F(RecordTypesTest, ResourcesOfAnySchemeThatNamesDocumentsArePages) {
  for (const std::string url : {"http://x.test/", "https://x.test/", "ftp://x.test/a.html", "file:///a.html",
                                "urn:nbn:de:1234-5", "URN:isbn:0451450523", "no-scheme"}) {
    EXPECT_EQ(outcome("resource", url, "text/html"), "accepted") << url;
  }
  for (const std::string url : {"metadata://gnu.org/log", "screenshot:http://x.test/", "urn:text:http://x.test/",
                                "URN:view:HTTPS://x.test/", "dns:x.test", "whois:x.test"}) {
    const Read found = read("resource", url, "text/html", "<p>A");
    EXPECT_EQ(found.record.kind, RecordKind::kOther) << url;
    EXPECT_EQ(found.decoded.outcome, PageOutcome::kNotAPage) << url;
  }
}

TEST_F(RecordTypesTest, TextsNamedByUrnsAreLogs) {
  EXPECT_EQ(read("resource", "urn:X-wpull:log", "text/plain", "a log").record.kind, RecordKind::kOther);
  EXPECT_EQ(read("resource", "urn:pageinfo:x", "application/json", "{}").record.kind, RecordKind::kOther);
  EXPECT_EQ(read("resource", "urn:X-wpull:log", "", "a log").record.kind, RecordKind::kOther);
}

TEST_F(RecordTypesTest, MediaTypeOfAResourceIsThatOfItsRecord) {
  EXPECT_EQ(outcome("resource", "http://x.test/", "text/html; charset=gbk"), "accepted");
  EXPECT_EQ(outcome("resource", "http://x.test/", "text/plain"), "accepted");
  EXPECT_EQ(outcome("resource", "http://x.test/", "image/png"), "type-filtered");
  EXPECT_EQ(outcome("resource", "http://x.test/", "application/json"), "type-filtered");
  const Read page = read("resource", "ftp://x.test/", "text/html; charset=gbk", "<p>A");
  EXPECT_EQ(page.decoded.page.content_type, "text/html; charset=gbk");
  EXPECT_EQ(page.decoded.page.format, PageFormat::kHtml);
  EXPECT_EQ(read("resource", "ftp://x.test/", "text/plain", "<p>A").decoded.page.format, PageFormat::kPlainText);
  // Without a type, the bytes decide.
  EXPECT_EQ(read("resource", "ftp://x.test/", "", "<html><p>A").decoded.page.format, PageFormat::kHtml);
}

TEST_F(RecordTypesTest, ContentOfOtherRecordsThanResponsesHasNoHttpHeader) {
  const std::string text = "HTTP/1.1 is a protocol\r\n\r\nof 1997";
  EXPECT_EQ(read("resource", "file:///a.txt", "text/plain", text).decoded.page.body, text);
  EXPECT_EQ(read("conversion", "http://x.test/", "text/plain", text).decoded.page.body, text);
  EXPECT_EQ(read("conversion", "http://x.test/", "", text).decoded.page.body, text);
  // A response has one, whatever its media type, and so has what says that it is an HTTP message.
  const std::string message = http_response("<p>A");
  for (const std::string_view type : {"application/http", "text/html", ""}) {
    EXPECT_EQ(read("response", "http://x.test/", type, message).decoded.page.body, "<p>A") << type;
  }
  EXPECT_EQ(read("resource", "http://x.test/", "", message).decoded.page.body, "<p>A");
  EXPECT_EQ(read("resource", "http://x.test/", "application/http", message).decoded.page.body, "<p>A");
}

TEST_F(RecordTypesTest, ConversionsAreReadAsTheirMediaTypeSays) {
  const Read text = read("conversion", "http://x.test/", "text/plain", "<p>\xC3\xA4");
  EXPECT_EQ(text.record.source, PageSource::kConversion);
  EXPECT_EQ(text.record.refers_to, "urn:test:0");
  EXPECT_EQ(text.decoded.page.format, PageFormat::kPlainText);
  EXPECT_TRUE(text.decoded.page.body_is_utf8);
  EXPECT_TRUE(read("conversion", "http://x.test/", "", "text").decoded.page.body_is_utf8);
  EXPECT_TRUE(read("conversion", "http://x.test/", "Text/Plain; Charset=UTF-8", "text").decoded.page.body_is_utf8);
  const Read latin = read("conversion", "http://x.test/", "text/plain; charset=iso-8859-1", "\xE4");
  EXPECT_EQ(latin.decoded.page.format, PageFormat::kPlainText);
  EXPECT_FALSE(latin.decoded.page.body_is_utf8);
  const Read html = read("conversion", "http://x.test/", "text/html; charset=gbk", "<p>A");
  EXPECT_EQ(html.decoded.page.format, PageFormat::kHtml);
  EXPECT_EQ(html.decoded.page.content_type, "text/html; charset=gbk");
  EXPECT_FALSE(html.decoded.page.body_is_utf8);
  EXPECT_EQ(outcome("conversion", "http://x.test/", "application/xhtml+xml"), "accepted");
  EXPECT_EQ(outcome("conversion", "http://x.test/", "image/png"), "type-filtered");
  EXPECT_EQ(outcome("conversion", "http://x.test/", "application/pdf"), "type-filtered");
}

TEST_F(RecordTypesTest, AnswersOfNameServersAreNeverPages) {
  constexpr std::string_view kAnswer = "20240501100000\nx.test.\t300\tIN\tA\t192.0.2.1\n";
  for (const std::string_view type : {"response", "resource", "conversion"}) {
    EXPECT_EQ(read(type, "dns:x.test", "text/dns", kAnswer).record.kind, RecordKind::kOther) << type;
    EXPECT_EQ(read(type, "DNS:x.test", "text/plain", kAnswer).record.kind, RecordKind::kOther) << type;
    EXPECT_EQ(read(type, "http://x.test/", "Text/DNS; a=b", kAnswer).record.kind, RecordKind::kOther) << type;
  }
}

TEST_F(RecordTypesTest, OtherTypesAreNeverPages) {
  for (const std::string_view type : {"warcinfo", "request", "metadata", "revisit", "future", ""}) {
    EXPECT_NE(read(type, "http://x.test/", "text/html", "<p>A").record.kind, RecordKind::kPage) << type;
  }
}

// Players find captures of servers by their address. Nothing else may become a revisit record.
TEST_F(RecordTypesTest, OnlyCapturesMayBecomeRevisits) {
  EXPECT_TRUE(is_whole_capture(read("resource", "ftp://x.test/", "text/html", "<p>A").record));
  EXPECT_FALSE(is_whole_capture(read("resource", "urn:nbn:de:1234-5", "text/html", "<p>A").record));
  EXPECT_FALSE(is_whole_capture(read("conversion", "http://x.test/", "text/html", "<p>A").record));
  EXPECT_FALSE(is_whole_capture(read("conversion", "http://x.test/", "text/plain", "A").record));
  // What a header of a megabyte says of codings is not read.
  RawRecord record = read("response", "http://x.test/", "application/http", "HTTP/1.1 200 OK\r\na:b\r\n\r\nA").record;
  EXPECT_TRUE(is_whole_capture(record));
  record.payload.insert(record.payload.find("a:b"), std::string(std::size_t{1} << 20, 'h'));
  EXPECT_FALSE(is_whole_capture(record));
}

}  // namespace
}  // namespace paraprint
