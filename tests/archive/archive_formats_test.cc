// What every input format must do, for each row of the table of formats. A new format adds a sample here.
#include <simdjson.h>

#include <map>

#include "archive/archive_format.h"
#include "archive/record_writer.h"
#include "archive_testing.h"

namespace paraprint {
namespace {

// Bytes of a file with `records` records, and a name with which the file is recognised.
struct Sample {
  std::string name;
  std::string bytes;
  std::size_t records = 0;
};

// An entry as browsers save it; `more` is what follows the content's type.
std::string har_entry(int number, std::string_view more = R"("text":"<p>One, [two] } \" three.")") {
  return fmt::format(
      "\n{{\"startedDateTime\":\"2024-05-01T10:00:00.123Z\",\"request\":{{\"method\":\"GET\","
      "\"url\":\"http://example.test/{}\"}},\"response\":{{\"status\":200,\"content\":{{\"size\":9,"
      "\"mimeType\":\"text/html; charset=gbk\",{}}}}}}}",
      number, more);
}
std::string har_document(const std::vector<std::string>& entries) {
  return "{ \"log\" : {\"version\":\"1.2\",\"creator\":{\"name\":\"x\",\"entries\":[0]},\"entries\": [" +
         fmt::format("{}", fmt::join(entries, ",")) + "\n ], \"comment\":\"]\"}}\n";
}

const std::map<const ArchiveFormatRow*, Sample>& samples() {
  static const auto arc_document = [](int number) {
    const std::string payload = http_response(fmt::format("<html><p>Page {}</p></html>", number));
    return fmt::format("http://x.test/{} 192.0.2.1 20140216050221 text/html {}\n{}\n", number, payload.size(), payload);
  };
  static const std::map<const ArchiveFormatRow*, Sample> all = {
      {&kWarcFormat, {"a.warc", response_record(1) + response_record(2) + response_record(3), 3}},
      {&kArcFormat, {"a.arc", arc_document(1) + arc_document(2) + arc_document(3), 3}},
      {&kHarFormat, {"a.har", har_document({har_entry(1), har_entry(2), har_entry(3)}), 5}},
      {&kHtmlPageFormat, {"a.html", "<!doctype html><p>Page 1</p>\n", 1}},
      {&kJsonLinesFormat,
       {"a.jsonl", "{\"id\":1,\"text\":\"x\"}\n{\"id\":2,\"text\":\"y\"}\n{\"id\":3,\"html\":\"z\"}\n", 3}},
      {&kTextPageFormat, {"a.txt", "Page 1\n", 1}},
  };
  return all;
}

class ArchiveFormatsTest : public ArchiveTest {};

TEST_F(ArchiveFormatsTest, EachHasASample) {
  for (const ArchiveFormatRow* row : kArchiveFormats) EXPECT_TRUE(samples().contains(row));
  EXPECT_EQ(samples().size(), std::size(kArchiveFormats));
}

TEST_F(ArchiveFormatsTest, EachIsRecognisedPlainAndCompressed) {
  for (const auto& [row, sample] : samples()) {
    for (const std::string& stored : {sample.bytes, gzip(sample.bytes), zstd(sample.bytes)}) {
      const Reading reading = read_archive(write(sample.name, stored));
      EXPECT_EQ(reading.format, row->format) << sample.name;
      EXPECT_EQ(reading.records.size(), sample.records) << sample.name;
      EXPECT_TRUE(reading.defects.empty()) << sample.name;
    }
    // Content that is certain or likely needs no name.
    if (row->is_start == nullptr && row->likely_start.empty()) continue;
    EXPECT_EQ(read_archive(write("a.bin", sample.bytes)).format, row->format) << sample.name;
  }
}

TEST_F(ArchiveFormatsTest, FoldersAreSearchedForEachThatHasNames) {
  std::size_t wanted = 0;
  for (const auto& [row, sample] : samples()) {
    if (row->names.empty()) continue;
    write("folder/" + sample.name, sample.bytes);
    write("folder/" + sample.name + ".gz", gzip(sample.bytes));
    wanted += 2;
  }
  const Result<std::vector<InputFile>> found = expand_inputs({name("folder")});
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->size(), wanted);
}

// A file that ends early gives the records before its end, and names what is missing. Nothing is invented.
TEST_F(ArchiveFormatsTest, PagesOfHarHaveNoLongUrls) {
  const std::string url = "http://example.test/" + std::string(kPageNameBytesMaximum, 'u');
  const std::string document = har_document({replaced(har_entry(1), "http://example.test/1", url), har_entry(2)});
  const Reading reading = read_archive(write("a.har", document));
  ASSERT_EQ(reading.records.size(), 4U);
  EXPECT_EQ(reading.records[1].kind, RecordKind::kPage);
  EXPECT_EQ(reading.records[1].url, "");
  EXPECT_EQ(reading.defect_counts(), (Counts{{"long-url", 1}}));
}

TEST_F(ArchiveFormatsTest, EachSurvivesTruncationAtEveryByte) {
  for (const auto& [row, sample] : samples()) {
    const Reading whole = read_archive(write(sample.name, sample.bytes));
    for (std::size_t length = 0; length < sample.bytes.size(); ++length) {
      const Reading reading = read_archive(write(sample.name, std::string_view(sample.bytes).substr(0, length)));
      ASSERT_LE(reading.records.size(), whole.records.size()) << sample.name << " " << length;
      std::uint64_t bytes = 0;
      for (std::size_t i = 0; i < reading.records.size(); ++i) {
        EXPECT_TRUE(std::string_view(whole.records[i].payload).starts_with(reading.records[i].payload));
        bytes += reading.records[i].content_length_bytes;
      }
      for (const Defect& defect : reading.defects) bytes += defect.skipped_bytes;
      EXPECT_EQ(bytes, length) << sample.name;
    }
  }
}

TEST_F(ArchiveFormatsTest, EachResumesAfterAnyRecord) {
  for (const auto& [row, sample] : samples()) {
    for (const std::string& stored : {sample.bytes, gzip(sample.bytes)}) {
      const std::string path = write(sample.name, stored);
      const Reading whole = read_archive(path);
      for (std::size_t stop = 0; stop <= whole.records.size(); ++stop) {
        auto first = open_records(input_file(path), {}, [](Defect) {});
        for (std::size_t i = 0; i < stop; ++i) ASSERT_TRUE((*first)->next().value().has_value());
        auto second = open_records(input_file(path), {}, [](Defect) {});
        ASSERT_TRUE((*second)->resume((*first)->position()).has_value());
        for (std::size_t i = stop; i < whole.records.size(); ++i) {
          const auto record = (*second)->next();
          ASSERT_TRUE(record.has_value() && record->has_value()) << sample.name;
          EXPECT_EQ((*record)->id, whole.records[i].id);
          EXPECT_EQ((*record)->payload, whole.records[i].payload);
          EXPECT_EQ((*record)->location.ordinal, i);
        }
        EXPECT_FALSE((*second)->next().value().has_value());
      }
    }
  }
}

// Survivors are copied byte for byte: without the removed record, the rest is what it was.
TEST_F(ArchiveFormatsTest, SurvivorsOfEachAreWritten) {
  for (const auto& [row, sample] : samples()) {
    if (sample.records < 2) continue;  // one page per file: nothing is left to write
    const std::string path = write(sample.name, sample.bytes);
    const Reading whole = read_archive(path);
    RemovedPage removed;
    removed.ordinal = 1;
    const std::string output = name("out-" + sample.name);
    const auto counts = write_survivors(input_file(path), output, std::span(&removed, 1), {}, {});
    ASSERT_TRUE(counts.has_value()) << counts.error().message;
    EXPECT_EQ(counts->pages_removed, 1U);
    const RawRecord& gone = whole.records[1];
    std::string expected = sample.bytes;
    expected.erase(gone.content_offset_bytes, gone.content_length_bytes);
    EXPECT_EQ(content(output), expected) << sample.name;
  }
}

// With any of its entries removed, a document is still a document, with the rest of its entries.
TEST_F(ArchiveFormatsTest, HarWithoutSomeEntriesIsValidJson) {
  const std::string document = har_document({har_entry(1), har_entry(2), har_entry(3)});
  for (const std::string& stored : {document, gzip(document), zstd(document)}) {
    const std::string path = write("a.har", stored);
    for (unsigned subset = 0; subset < 8; ++subset) {
      std::vector<RemovedPage> removed;
      std::vector<std::string> kept;
      for (unsigned entry = 0; entry < 3; ++entry) {
        if ((subset >> entry & 1) != 0) {
          removed.emplace_back().ordinal = entry + 1;
        } else {
          kept.push_back(fmt::format("http://example.test/{}", entry + 1));
        }
      }
      ASSERT_TRUE(write_survivors(input_file(path), name("out.har"), removed, {}, {}));
      const Reading reading = read_archive(name("out.har"));
      EXPECT_TRUE(reading.defects.empty()) << subset;
      std::vector<std::string> read;
      for (const RawRecord& record : reading.records) {
        if (record.kind == RecordKind::kPage) read.push_back(record.url);
      }
      EXPECT_EQ(read, kept);
      if (stored != document) continue;
      simdjson::dom::parser parser;
      const std::string written = content(name("out.har"));
      EXPECT_EQ(parser.parse(written)["log"]["entries"].get_array().size(), kept.size()) << written;
      if (removed.empty()) {
        EXPECT_EQ(written, document);
      }
    }
  }
}

// What a page is decoded to, or the outcome, by the content of its entry.
TEST_F(ArchiveFormatsTest, HarEntriesBecomePagesLikeOtherCaptures) {
  const std::string entry = har_entry(1);
  const std::vector<std::string> entries = {
      entry,
      har_entry(2, R"("encoding":"base64","text":"PHA+tLrM7A==")"),  // in GBK, as its type says
      har_entry(3, R"("encoding":"base64","text":"%")"),
      har_entry(4, R"("encoding":"rot13","text":"x")"),
      har_entry(5, R"("other":1)"),
      replaced(entry, "GET", "POST"),
      replaced(entry, ":200,", ":404,"),
      replaced(entry, ":200,", ":0,"),
      replaced(entry, "\"status\"", "\"state\""),
      replaced(entry, "text/html; charset=gbk", "image/png"),
      replaced(entry, "http:", "data:"),
      replaced(entry, "2024-05-01", "yesterday"),
  };
  const Reading reading = read_archive(write("a.har", har_document(entries)));
  const Counts expected = {
      {"bad-date", 1}, {"missing-field", 2}, {"unknown-content-encoding", 1}, {"wrong-field-type", 1}};
  EXPECT_EQ(reading.defect_counts(), expected);
  std::vector<std::string> outcomes;
  for (const RawRecord& record : reading.records) {
    const DecodedRecord decoded = decode_page(RawRecord(record), {}, "a.har");
    EXPECT_TRUE(decoded.defects.empty());
    if (decoded.outcome == PageOutcome::kNotAPage) continue;
    outcomes.push_back(record.id + " " + std::string(page_outcome_name(decoded.outcome)) + " " + decoded.page.date +
                       " " + (decoded.page.body_is_utf8 ? "utf-8 " : "") + decoded.page.body);
  }
  EXPECT_EQ(outcomes, (std::vector<std::string>{
                          "a.har:1 accepted 2024-05-01T10:00:00Z utf-8 <p>One, [two] } \" three.",
                          "a.har:2 accepted 2024-05-01T10:00:00Z <p>\xB4\xBA\xCC\xEC",
                          "a.har:7 status-filtered 2024-05-01T10:00:00Z utf-8 ",
                          "a.har:10 type-filtered 2024-05-01T10:00:00Z utf-8 ",
                          "a.har:12 accepted  utf-8 <p>One, [two] } \" three.",
                      }));
}

// Every entry that is whole is read, whatever is wrong with its neighbours.
TEST_F(ArchiveFormatsTest, HarEntriesThatAreBrokenAreSkipped) {
  const std::string entry = har_entry(1);
  const auto outcome = [&](const std::string& document, const ReadOptions& options = {}) {
    const Reading reading = read_archive(write("a.har", document), options);
    int pages = 0;
    for (const RawRecord& record : reading.records) pages += record.kind == RecordKind::kPage ? 1 : 0;
    std::uint64_t bytes = 0;
    for (const RawRecord& record : reading.records) bytes += record.content_length_bytes;
    for (const Defect& defect : reading.defects) bytes += defect.skipped_bytes;
    EXPECT_EQ(bytes, document.size());
    return std::pair(pages, reading.defect_counts());
  };
  for (const char* broken : {"{\"a\":}", "nul", "7", "", "{} {}"}) {
    EXPECT_EQ(outcome(har_document({entry, broken, entry})), std::pair(2, Counts{{"bad-json", 1}})) << broken;
  }
  EXPECT_EQ(outcome(har_document({entry, "{\"a\":\"\xFF\"}", entry})), std::pair(2, Counts{{"bad-utf8", 1}}));
  EXPECT_EQ(outcome(har_document({})), std::pair(0, Counts{}));
  const std::string whole = har_document({entry, entry});
  EXPECT_EQ(outcome(whole.substr(0, whole.size() - 20)), std::pair(2, Counts{{"truncated-record", 1}}));
  EXPECT_EQ(outcome(whole.substr(0, whole.size() - 40)), std::pair(1, Counts{{"truncated-record", 1}}));
  EXPECT_EQ(outcome(replaced(whole, "\n ]", "\n }")), std::pair(2, Counts{{"bad-json", 1}}));
  EXPECT_EQ(outcome(whole + "{}"), std::pair(2, Counts{{"bad-json", 1}}));
  EXPECT_EQ(outcome(R"({"log":{"version":"1.2","entries":{}}})"), std::pair(0, Counts{{"missing-field", 1}}));
  ReadOptions small;
  small.max_line_bytes = 1000;
  EXPECT_EQ(
      outcome(har_document({entry, har_entry(2, "\"text\":\"" + std::string(200'000, 'x') + "\""), entry}), small),
      std::pair(2, Counts{{"record-too-large", 1}}));
}

}  // namespace
}  // namespace paraprint
