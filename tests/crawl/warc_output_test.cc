// The archive of a crawl, read back with the project's own reader.
#include "crawl/warc_output.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "../temporary_folder.h"
#include "archive/input_files.h"
#include "archive/record_reader.h"

namespace paraprint {
namespace {

using testing::ElementsAre;

FetchResult sample_fetch(const std::string& url) {
  FetchResult fetch;
  fetch.request.url = url;
  fetch.http_status = 200;
  fetch.request_header = "GET / HTTP/1.1\r\nHost: example.org\r\n\r\n";
  fetch.response_header = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n";
  fetch.body = "<p>body of " + url;
  fetch.began_at_seconds = 1'714'557'600;
  return fetch;
}

CrawlPosition new_position() {
  CrawlPosition position;
  position.crawl_id = "one crawl";
  return position;
}

CaptureRecord write(WarcOutput& output, CrawlPosition& position, const std::string& url,
                    CaptureKind kind = CaptureKind::kResponse) {
  const FetchResult fetch = sample_fetch(url);
  Capture capture;
  capture.kind = kind;
  capture.fetch = &fetch;
  capture.refers_to_url = kind == CaptureKind::kResponse ? "" : "http://example.org/kept";
  return output.write(capture, position).value();
}

// Kind and URL of every record; our reader must report no defect.
std::vector<std::string> read_all(const std::string& folder) {
  std::vector<std::string> found;
  const std::vector<InputFile> inputs = expand_inputs({folder}).value();
  for (const InputFile& input : inputs) {
    const auto reader =
        open_records(input, {}, [](const Defect& defect) { ADD_FAILURE() << describe(defect); }).value();
    while (true) {
      const auto record = reader->next().value();
      if (!record) break;
      found.push_back(std::string(record_kind_name(record->kind)) + " " + record->url);
    }
  }
  return found;
}

TEST(WarcOutput, CanBeReadByOurReader) {
  const TemporaryFolder folder;
  CrawlPosition position = new_position();
  WarcOutput output = WarcOutput::open(folder.path(), position, 1 << 20, {{"software", "x"}}).value();
  const CaptureRecord first = write(output, position, "http://example.org/a");
  const CaptureRecord second = write(output, position, "http://example.org/b", CaptureKind::kIdenticalPayload);
  EXPECT_NE(first.record_id, second.record_id);
  EXPECT_TRUE(first.record_id.starts_with("urn:uuid:"));
  EXPECT_EQ(first.record_id.size(), std::string("urn:uuid:").size() + 36);
  EXPECT_EQ(first.date, "2024-05-01T10:00:00Z");
  EXPECT_GT(first.offset_bytes, 0u);  // after the warcinfo record
  EXPECT_THAT(read_all(folder.path()),
              ElementsAre("other ", "page http://example.org/a", "request http://example.org/a",
                          "metadata http://example.org/a", "revisit http://example.org/b",
                          "request http://example.org/b", "metadata http://example.org/b"));
}

// Without the body there is nothing that a request record could belong to.
TEST(WarcOutput, RelationStandsAlone) {
  const TemporaryFolder folder;
  CrawlPosition position = new_position();
  WarcOutput output = WarcOutput::open(folder.path(), position, 1 << 20, {}).value();
  const CaptureRecord first = write(output, position, "http://example.org/a");
  const CaptureRecord relation = write(output, position, "http://example.org/b", CaptureKind::kRelation);
  EXPECT_GT(relation.offset_bytes, first.offset_bytes);
  EXPECT_EQ(relation.offset_bytes + relation.length_bytes, position.warc_bytes);
  EXPECT_THAT(read_all(folder.path()),
              ElementsAre("other ", "page http://example.org/a", "request http://example.org/a",
                          "metadata http://example.org/a", "metadata http://example.org/b"));
}

TEST(WarcOutput, ContinuesAtThePosition) {
  const TemporaryFolder folder;
  CrawlPosition position = new_position();
  CrawlPosition committed;
  {
    WarcOutput output = WarcOutput::open(folder.path(), position, 1 << 20, {}).value();
    write(output, position, "http://example.org/a");
    committed = position;
    write(output, position, "http://example.org/lost");
  }
  {
    WarcOutput output = WarcOutput::open(folder.path(), committed, 1 << 20, {}).value();
    write(output, committed, "http://example.org/b");
  }
  const std::vector<std::string> found = read_all(folder.path());
  EXPECT_EQ(found.size(), 7u);
  EXPECT_EQ(found[4], "page http://example.org/b");
}

TEST(WarcOutput, BeginsNewFilesAtTheSizeLimit) {
  const TemporaryFolder folder;
  CrawlPosition position = new_position();
  {
    WarcOutput output = WarcOutput::open(folder.path(), position, 1, {}).value();
    for (const char* url : {"http://example.org/a", "http://example.org/b", "http://example.org/c"}) {
      write(output, position, url);
    }
  }
  EXPECT_EQ(position.warc_file, 2u);
  EXPECT_EQ(read_all(folder.path()).size(), 12u);
  // Files beyond the position were begun by a killed run.
  CrawlPosition earlier = position;
  earlier.warc_file = 1;
  earlier.warc_bytes = std::filesystem::file_size(folder.path() + "/crawl-00001.warc.gz");
  const auto output = WarcOutput::open(folder.path(), earlier, 1, {});
  EXPECT_FALSE(std::filesystem::exists(folder.path() + "/crawl-00002.warc.gz"));
}

TEST(WarcOutput, RefusesATruncatedFile) {
  const TemporaryFolder folder;
  CrawlPosition position = new_position();
  position.warc_bytes = 100;
  const auto output = WarcOutput::open(folder.path(), position, 1, {});
  ASSERT_FALSE(output);
  EXPECT_EQ(output.error().code, ErrorCode::kCorruptData);
}

TEST(WarcOutput, Labels) {
  EXPECT_EQ(sha1_label(""), "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ");
  EXPECT_EQ(utc_date(0), "1970-01-01T00:00:00Z");
}

}  // namespace
}  // namespace paraprint
