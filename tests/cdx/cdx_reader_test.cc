// Indexes in every form, and every kind of broken line: it is reported with file and line, and reading goes on.
#include "cdx/cdx_reader.h"

#include "../archive/archive_testing.h"

namespace paraprint {
namespace {

struct CdxReading {
  std::vector<CdxEntry> entries;
  std::vector<Defect> defects;
  std::uint64_t broken_lines = 0;
};

class CdxReaderTest : public ArchiveTest {
 protected:
  CdxReading read(const std::string& stored) const {
    const std::string path = write("index.cdx", stored);
    CdxReading reading;
    auto reader = CdxReader::open(path, [&](Defect defect) { reading.defects.push_back(std::move(defect)); });
    EXPECT_TRUE(reader.has_value());
    CdxEntry entry;
    while (true) {
      const Result<bool> more = (*reader)->next(entry);
      EXPECT_TRUE(more.has_value());
      if (!more || !*more) break;
      reading.entries.push_back(entry);
    }
    reading.broken_lines = (*reader)->broken_lines();
    for (const Defect& defect : reading.defects) EXPECT_EQ(defect.file, path);
    return reading;
  }
};

constexpr std::string_view kJsonLine =
    "com,example)/a?b=c 20240501100000 {\"url\": \"http://example.com/A?b=c\", \"mime\": \"text/html\", \"status\": "
    "\"200\", \"digest\": \"sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ\", \"length\": \"1228\", \"offset\": \"784\", "
    "\"filename\": \"a.warc.gz\"}\n";

TEST_F(CdxReaderTest, ReadsJson) {
  const CdxReading reading = read(std::string(kJsonLine));
  ASSERT_EQ(reading.entries.size(), 1U);
  const CdxEntry& entry = reading.entries[0];
  EXPECT_EQ(entry.urlkey, "com,example)/a?b=c");
  EXPECT_EQ(entry.url, "http://example.com/A?b=c");
  EXPECT_EQ(entry.timestamp, "20240501100000");
  EXPECT_EQ(entry.digest, "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ");
  EXPECT_EQ(entry.mime, "text/html");
  EXPECT_EQ(entry.status, "200");
  EXPECT_EQ(entry.filename, "a.warc.gz");
  EXPECT_EQ(entry.offset_bytes, 784U);
  EXPECT_EQ(entry.length_bytes, 1228U);
  EXPECT_FALSE(entry.is_revisit);
  EXPECT_EQ(entry.line, 1U);
  EXPECT_TRUE(reading.defects.empty());
}

// Common Crawl and browsers' crawlers state numbers, more fields, and milliseconds.
TEST_F(CdxReaderTest, ReadsNumbersAndUnknownFields) {
  const CdxReading reading = read(
      "com,example)/ 20240501100000123 {\"url\":\"http://example.com/\",\"mime\":\"warc/revisit\",\"status\":304,"
      "\"length\":12,\"offset\":0,\"languages\":[\"eng\"],\"digest\":null}");
  ASSERT_EQ(reading.entries.size(), 1U);
  EXPECT_EQ(reading.entries[0].timestamp, "20240501100000123");
  EXPECT_EQ(reading.entries[0].status, "304");
  EXPECT_EQ(reading.entries[0].offset_bytes, 0U);
  EXPECT_EQ(reading.entries[0].digest, "");
  EXPECT_TRUE(reading.entries[0].is_revisit);
  EXPECT_TRUE(reading.defects.empty());
}

TEST_F(CdxReaderTest, ReadsTheUsualColumns) {
  const std::string begin = "com,example)/ 20240501100000 http://example.com/ text/html 200 ABC ";
  const CdxReading reading = read(begin + "- 784 a.warc.gz\n" + begin + "- - 784 a.warc.gz\n" + begin +
                                  "- - 1228 784 a.warc.gz\n" + begin + "- - 1228 784 a.warc.gz - - -\n");
  ASSERT_EQ(reading.entries.size(), 4U);
  for (const CdxEntry& entry : reading.entries) {
    EXPECT_EQ(entry.urlkey, "com,example)/");
    EXPECT_EQ(entry.url, "http://example.com/");
    EXPECT_EQ(entry.mime, "text/html");
    EXPECT_EQ(entry.status, "200");
    EXPECT_EQ(entry.digest, "ABC");
    EXPECT_EQ(entry.offset_bytes, 784U);
    EXPECT_EQ(entry.filename, "a.warc.gz");
  }
  EXPECT_FALSE(reading.entries[0].length_bytes);
  EXPECT_EQ(reading.entries[3].length_bytes, 1228U);
  EXPECT_TRUE(reading.defects.empty());
}

TEST_F(CdxReaderTest, HeadingsSayTheColumns) {
  const CdxReading reading = read(
      " CDX N b a m s k r M S V g\ncom,example)/ 20240501100000 http://example.com/ warc/revisit - ABC - - 5 7 a.gz\n"
      "\tCDX\tg\tV\tk\ta\tb\nb.gz\t9\t-\thttp://example.org/x y\t20240501100001\n");
  ASSERT_EQ(reading.entries.size(), 2U);
  EXPECT_TRUE(reading.entries[0].is_revisit);
  EXPECT_EQ(reading.entries[0].status, "");
  EXPECT_EQ(reading.entries[0].length_bytes, 5U);
  EXPECT_EQ(reading.entries[1].urlkey, "");
  EXPECT_EQ(reading.entries[1].url, "http://example.org/x y");
  EXPECT_EQ(reading.entries[1].filename, "b.gz");
  EXPECT_EQ(reading.entries[1].offset_bytes, 9U);
  EXPECT_EQ(reading.entries[1].digest, "");
  EXPECT_EQ(reading.entries[1].timestamp, "20240501100001");
  EXPECT_EQ(reading.entries[1].line, 4U);
  EXPECT_TRUE(reading.defects.empty());
}

TEST_F(CdxReaderTest, PassesOverWhatIsNoEntry) {
  const CdxReading reading =
      read("\xEF\xBB\xBF!meta 0 {\"format\": \"cdxj-gzip-1.0\"}\r\n# a remark\n\n  \n" + std::string(kJsonLine));
  ASSERT_EQ(reading.entries.size(), 1U);
  EXPECT_EQ(reading.entries[0].line, 5U);
  EXPECT_TRUE(reading.defects.empty());
}

// ZipNum: members of some lines each. A line may also go on in the next member.
TEST_F(CdxReaderTest, ReadsCompressedMembers) {
  const std::string line(kJsonLine);
  const CdxReading reading = read(gzip(line + line) + gzip(line + line.substr(0, 20)) + gzip(line.substr(20)));
  EXPECT_EQ(reading.entries.size(), 4U);
  EXPECT_TRUE(reading.defects.empty());
}

TEST_F(CdxReaderTest, ReadsOnAfterDamagedMembers) {
  const std::string line(kJsonLine);
  std::string damaged = gzip(line + line.substr(0, 30));
  damaged.resize(damaged.size() / 2);
  const CdxReading reading = read(gzip(line) + damaged + gzip(line));
  EXPECT_EQ(reading.entries.size(), 2U);
  EXPECT_FALSE(reading.defects.empty());
}

TEST_F(CdxReaderTest, ReportsBrokenLinesAndReadsOn) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"com,example)/ 20240501100000 {\"url\": \"http\n", "bad-json"},
      {"com,example)/ 20240501100000 {\"url\": \"\xFF\"}\n", "bad-utf8"},
      {"com,example)/ 20240501100000 {} {}\n", "bad-json"},
      {"com,example)/ 20240501100000 {\"url\": [1]}\n", "wrong-field-type"},
      {"com,example)/ 20240501100000 {\"offset\": \"x\"}\n", "wrong-field-type"},
      {"com,example)/ 20240501100000 {\"offset\": -1}\n", "wrong-field-type"},
      {"com,example)/ 20240501100000 {\"length\": \"99999999999999999999\"}\n", "wrong-field-type"},
      {"com,example)/ 2024050110000 {\"url\": \"a\"}\n", "bad-date"},
      {"com,example)/ 2024050110000x {\"url\": \"a\"}\n", "bad-date"},
      {"com,example)/ - http://example.com/ text/html 200 ABC - 784 a.warc.gz\n", "bad-date"},
      {"com,example)/ 20240501100000 http://example.com/ text/html 200 ABC - x a.warc.gz\n", "wrong-field-type"},
      {"com,example)/ 20240501100000 http://example.com/\n", "missing-field"},
      {"nonsense\n", "missing-field"},
      {std::string("\0\0\0\n", 4), "missing-field"},
  };
  for (const auto& [line, name] : cases) {
    const CdxReading reading = read(std::string(kJsonLine) + line + std::string(kJsonLine));
    EXPECT_EQ(reading.entries.size(), 2U) << line;
    ASSERT_EQ(reading.defects.size(), 1U) << line;
    EXPECT_EQ(defect_name(reading.defects[0].kind), name) << line;
    EXPECT_EQ(reading.defects[0].line, 2U) << line;
    EXPECT_EQ(reading.defects[0].offset_bytes, kJsonLine.size()) << line;
    EXPECT_EQ(reading.defects[0].skipped_bytes, line.size()) << line;
    EXPECT_EQ(reading.broken_lines, 1U) << line;
  }
}

TEST_F(CdxReaderTest, HeadingsThatDoNotFitAreReportedForEachLine) {
  const CdxReading reading = read(" CDX b a\n20240501100000 a b\n20240501100000 a\n20240501100000\n CDX a\nb\n");
  EXPECT_EQ(reading.entries.size(), 1U);
  ASSERT_EQ(reading.defects.size(), 3U);
  EXPECT_EQ(defect_name(reading.defects[0].kind), "missing-field");
  EXPECT_EQ(defect_name(reading.defects[2].kind), "bad-date");
}

TEST_F(CdxReaderTest, PassesOverLinesBeyondTheLimit) {
  const std::string longest(kCdxLineBytesMaximum - kJsonLine.size() - 2, 'a');
  const std::string start = "com,example)/ 20240501100000 {\"x\": \"";
  const CdxReading reading = read(start + longest + "\"}\n" + start + longest + longest + "\"}\n" +
                                  std::string(kJsonLine) + start + longest + longest);
  ASSERT_EQ(reading.entries.size(), 2U);
  EXPECT_EQ(reading.entries[0].line, 1U);
  EXPECT_EQ(reading.entries[1].line, 3U);
  ASSERT_EQ(reading.defects.size(), 2U);
  for (const Defect& defect : reading.defects) EXPECT_EQ(defect.kind, DefectKind::kLineTooLong);
  EXPECT_EQ(reading.defects[0].line, 2U);
  EXPECT_EQ(reading.broken_lines, 2U);
}

TEST_F(CdxReaderTest, NamesFilesThatCannotBeRead) {
  const auto reader = CdxReader::open(name("absent"), [](const Defect&) {});
  ASSERT_FALSE(reader.has_value());
  EXPECT_EQ(reader.error().code, ErrorCode::kNotFound);
  EXPECT_NE(reader.error().message.find("absent"), std::string::npos);
}

TEST_F(CdxReaderTest, EmptyFilesHaveNoEntries) {
  EXPECT_TRUE(read("").entries.empty());
}

}  // namespace
}  // namespace paraprint
