// What every input format must do, for each row of the table of formats. A new format adds a sample here.
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

const std::map<const ArchiveFormatRow*, Sample>& samples() {
  static const auto arc_document = [](int number) {
    const std::string payload = http_response(fmt::format("<html><p>Page {}</p></html>", number));
    return fmt::format("http://x.test/{} 192.0.2.1 20140216050221 text/html {}\n{}\n", number, payload.size(), payload);
  };
  static const std::map<const ArchiveFormatRow*, Sample> all = {
      {&kWarcFormat, {"a.warc", response_record(1) + response_record(2) + response_record(3), 3}},
      {&kArcFormat, {"a.arc", arc_document(1) + arc_document(2) + arc_document(3), 3}},
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

}  // namespace
}  // namespace paraprint
