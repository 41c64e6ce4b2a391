// JSON lines: configured fields, addresses of lines, and every kind of unusable line.
#include "archive_testing.h"

namespace paraprint {
namespace {

class JsonlReaderTest : public ArchiveTest {};

TEST_F(JsonlReaderTest, ReadsDefaultFields) {
  const std::string lines =
      "{\"id\": \"a\", \"html\": \"<p>\\u82f9\\n\", \"url\": \"http://x.test/\", \"date\": \"2024-05-01\"}\n"
      "\r\n"
      "{\"id\": 12, \"text\": \"plain\"}\r\n"
      "{\"html\": \"<p>no id\", \"text\": \"less\"}";
  for (const std::string& stored : {lines, gzip(lines), zstd(lines)}) {
    const Reading reading = read_archive(write("pages.jsonl", stored));
    ASSERT_EQ(reading.records.size(), 3U);
    EXPECT_TRUE(reading.defects.empty());
    EXPECT_EQ(reading.format, ArchiveFormat::kJsonLines);
    EXPECT_EQ(reading.records[0].id, "a");
    EXPECT_EQ(reading.records[0].payload, "<p>苹\n");
    EXPECT_EQ(reading.records[0].url, "http://x.test/");
    EXPECT_EQ(reading.records[0].date, "2024-05-01T00:00:00Z");
    EXPECT_EQ(reading.records[0].format, PageFormat::kHtml);
    EXPECT_TRUE(reading.records[0].body_is_utf8);
    EXPECT_EQ(reading.records[1].id, "12");
    EXPECT_EQ(reading.records[1].format, PageFormat::kPlainText);
    EXPECT_EQ(reading.records[1].line, 3U);
    EXPECT_EQ(reading.records[2].id, "pages.jsonl:4");
    EXPECT_EQ(reading.records[2].payload, "<p>no id");
  }
}

TEST_F(JsonlReaderTest, LinesOfUncompressedFilesAreAddressable) {
  const std::string first = "{\"id\":\"a\",\"text\":\"x\"}\n";
  const Reading reading = read_archive(write("a.jsonl", first + first));
  EXPECT_EQ(reading.records[1].location.offset_bytes, first.size());
  EXPECT_EQ(reading.records[1].location.length_bytes, first.size());
}

TEST_F(JsonlReaderTest, ReadsConfiguredFields) {
  ReadOptions options;
  options.id_field = "key";
  options.html_field = "raw";
  const Reading reading = read_archive(write("a.jsonl", "{\"key\":\"k\",\"raw\":\"<p>\",\"id\":1}\n"), options);
  ASSERT_EQ(reading.records.size(), 1U);
  EXPECT_EQ(reading.records[0].id, "k");
  EXPECT_EQ(reading.records[0].payload, "<p>");
}

TEST_F(JsonlReaderTest, ReadsScores) {
  const std::string lines =
      "{\"text\":\"a\",\"quality\":0.1}\n{\"text\":\"b\",\"quality\":-7}\n{\"text\":\"c\",\"quality\":"
      "18446744073709551615}\n"
      "{\"text\":\"d\",\"quality\":null}\n{\"text\":\"e\"}\n{\"text\":\"f\",\"quality\":\"0.9\"}\n";
  ReadOptions options;
  EXPECT_EQ(read_archive(write("a.jsonl", lines), options).records[0].score, std::nullopt);
  options.score_field = "quality";
  const Reading reading = read_archive(write("a.jsonl", lines), options);
  ASSERT_EQ(reading.records.size(), 6U);
  EXPECT_EQ(reading.records[0].score, std::optional(0.1));
  EXPECT_EQ(reading.records[1].score, std::optional(-7.0));
  EXPECT_EQ(reading.records[2].score, std::optional(18446744073709551616.0));
  for (const std::size_t without : {3U, 4U, 5U}) {
    EXPECT_EQ(reading.records[without].score, std::nullopt);
    EXPECT_EQ(reading.records[without].kind, RecordKind::kPage);
  }
  ASSERT_EQ(reading.defects.size(), 1U);
  EXPECT_EQ(reading.defects[0].kind, DefectKind::kWrongFieldType);
  EXPECT_EQ(reading.defects[0].line, 6U);
}

TEST_F(JsonlReaderTest, ReportsLineAndOffsetOfBadLines) {
  const std::string good = "{\"id\":\"g\",\"text\":\"x\"}\n";
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"{\"id\":\"a\",\"text\":\"x\"\n", "bad-json"},
      {"{\"id\":\"a\",\"text\":\"x\"} trailing\n", "bad-json"},
      {"nonsense\n", "bad-json"},
      {"[1,2]\n", "bad-json"},
      {"{\"id\":\"a\",\"text\":\"\xff\"}\n", "bad-utf8"},
      {"{\"id\":\"a\"}\n", "missing-field"},
      {"{\"id\":\"a\",\"text\":null}\n", "missing-field"},
      {"{\"id\":\"a\",\"text\":5}\n", "wrong-field-type"},
      {"{\"id\":[1],\"text\":\"t\"}\n", "wrong-field-type"},
      {"{\"id\":\"a\",\"text\":\"t\",\"date\":\"never\"}\n", "bad-date"},
      {std::string("{\"id\":\"a\",\0}\n", 13), "bad-json"},
      {std::string(3, '\0') + "\n", "bad-json"},
  };
  for (const auto& [line, defect] : cases) {
    const Reading reading = read_archive(write("a.jsonl", good + line + good));
    ASSERT_EQ(reading.defects.size(), 1U) << line;
    EXPECT_EQ(defect_name(reading.defects[0].kind), defect) << line;
    EXPECT_EQ(reading.defects[0].line, 2U);
    EXPECT_EQ(reading.defects[0].offset_bytes, good.size());
    EXPECT_EQ(reading.records.back().line, 3U);
    const bool is_left_out = defect == "bad-json" || defect == "bad-utf8";
    EXPECT_EQ(reading.defects[0].skipped_bytes, is_left_out ? line.size() : 0U);
    EXPECT_EQ(reading.records.size(), is_left_out ? 2U : 3U) << line;
  }
}

TEST_F(JsonlReaderTest, PagesHaveNoLongNames) {
  const std::string name(kPageNameBytesMaximum + 1, 'n');
  const auto line = [](const std::string& id, const std::string& url) {
    return fmt::format("{{\"id\":\"{}\",\"url\":\"{}\",\"text\":\"x\"}}\n", id, url);
  };
  const Reading reading =
      read_archive(write("a.jsonl", line(name, "u1") + line("id2", name) + line(name.substr(1), name.substr(1))));
  EXPECT_EQ(reading.ids(), (std::vector<std::string>{"a.jsonl:1", "id2", name.substr(1)}));
  EXPECT_EQ(reading.records[0].url, "u1");
  EXPECT_EQ(reading.records[1].url, "");
  EXPECT_EQ(reading.records[2].url, name.substr(1));
  EXPECT_EQ(reading.defect_counts(), (Counts{{"long-id", 1}, {"long-url", 1}}));
  EXPECT_EQ(reading.defects[1].line, 2U);
}

TEST_F(JsonlReaderTest, SkipsWholeLongLines) {
  ReadOptions options;
  options.max_line_bytes = 100'000;
  const std::string good = "{\"id\":\"g\",\"text\":\"x\"}\n";
  for (const std::size_t size : {99'990U, 100'000U, 5'000'000U}) {
    const std::string line = "{\"text\":\"" + std::string(size - 12, 'x') + "\"}\n";
    const Reading reading = read_archive(write("a.jsonl", good + line + good), options);
    const bool is_too_long = line.size() > options.max_line_bytes;
    EXPECT_EQ(reading.records.size(), is_too_long ? 2U : 3U) << size;
    if (!is_too_long) continue;
    ASSERT_EQ(reading.defects.size(), 1U);
    EXPECT_EQ(reading.defects[0].kind, DefectKind::kLineTooLong);
    EXPECT_EQ(reading.defects[0].skipped_bytes, line.size());
    EXPECT_EQ(reading.defects[0].line, 2U);
    EXPECT_EQ(reading.records.back().line, 3U);
  }
}

}  // namespace
}  // namespace paraprint
