// The archive of a crawl, read back with the project's own reader.
#include "crawl/warc_output.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "../temporary_folder.h"
#include "archive/input_files.h"
#include "archive/record_reader.h"
#include "base/atomic_file.h"

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
  WarcOutput output = WarcOutput::open(folder.path(), position, {1 << 20, {{"software", "x"}}}).value();
  const CaptureRecord first = write(output, position, "http://example.org/a");
  const CaptureRecord second = write(output, position, "http://example.org/b", CaptureKind::kIdenticalPayload);
  EXPECT_NE(first.record_id, second.record_id);
  EXPECT_TRUE(first.record_id.starts_with("urn:uuid:"));
  EXPECT_EQ(first.record_id.size(), std::string("urn:uuid:").size() + 36);
  EXPECT_EQ(first.date, "2024-05-01T10:00:00Z");
  ASSERT_TRUE(output.finish());
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
  WarcOutput output = WarcOutput::open(folder.path(), position, {1 << 20, {}}).value();
  const CaptureRecord first = write(output, position, "http://example.org/a");
  const CaptureRecord relation = write(output, position, "http://example.org/b", CaptureKind::kRelation);
  ASSERT_TRUE(output.finish());
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
    WarcOutput output = WarcOutput::open(folder.path(), position, {1 << 20, {}}).value();
    write(output, position, "http://example.org/a");
    committed = position;
    write(output, position, "http://example.org/lost");
  }
  {
    WarcOutput output = WarcOutput::open(folder.path(), committed, {1 << 20, {}}).value();
    write(output, committed, "http://example.org/b");
    ASSERT_TRUE(output.finish());
  }
  const std::vector<std::string> found = read_all(folder.path());
  EXPECT_EQ(found.size(), 7u);
  EXPECT_EQ(found[4], "page http://example.org/b");
}

// A clock that a test sets.
class FixedSystem final : public CrawlSystem {
 public:
  std::int64_t unix_milliseconds() const override { return milliseconds; }
  std::int64_t milliseconds = 1'714'557'600'123;
};

std::vector<std::string> names_in(const std::string& folder) {
  return names_in_folder(folder).value();
}

TEST(WarcOutput, BeginsNewFilesAtTheSizeLimit) {
  const TemporaryFolder folder;
  FixedSystem system;
  CrawlPosition position = new_position();
  const std::string first = "crawl-20240501100000123-00000.warc.gz";
  const std::string second = "crawl-20240501100001123-00001.warc.gz";
  const std::string third = "crawl-20240501100002123-00002.warc.gz";
  {
    WarcOutput output = WarcOutput::open(folder.path(), position, {1, {}}, system).value();
    EXPECT_THAT(names_in(folder.path()), ElementsAre());
    for (const char* url : {"http://example.org/a", "http://example.org/b", "http://example.org/c"}) {
      const CaptureRecord record = write(output, position, url);
      EXPECT_EQ(record.file, position.warc_name);
      system.milliseconds += 1000;
    }
    EXPECT_THAT(names_in(folder.path()), ElementsAre(first + ".open", second + ".open", third + ".open"));
    ASSERT_TRUE(output.finish_earlier_files());
    EXPECT_THAT(names_in(folder.path()), ElementsAre(first, second, third + ".open"));
    ASSERT_TRUE(output.finish());
  }
  EXPECT_THAT(names_in(folder.path()), ElementsAre(first, second, third));
  EXPECT_EQ(position.warc_file, 2u);
  EXPECT_EQ(position.warc_name, third);
  EXPECT_EQ(read_all(folder.path()).size(), 12u);
}

// As after a power cut, which may undo the last renames and positions.
TEST(WarcOutput, RemovesLaterFilesAndFinishesEarlierOnes) {
  const TemporaryFolder folder;
  FixedSystem system;
  CrawlPosition position = new_position();
  CrawlPosition earlier;
  {
    WarcOutput output = WarcOutput::open(folder.path(), position, {1, {}}, system).value();
    write(output, position, "http://example.org/a");
    write(output, position, "http://example.org/b");
    earlier = position;
    write(output, position, "http://example.org/c");
  }
  // Neither of this crawl nor open, or named otherwise: not the crawler's to remove.
  const std::vector<std::string> foreign = {"WEB-20240501100000123-00007-1~host~8443.warc.gz.open",
                                            "WEB-20240501100000123-00007.warc.gz", "notes"};
  for (const std::string& name : foreign) std::ofstream(folder.path() + "/" + name) << "x";
  WarcOutput output = WarcOutput::open(folder.path(), earlier, {1 << 20, {}, "other"}, system).value();
  write(output, earlier, "http://example.org/d");
  ASSERT_TRUE(output.finish());
  EXPECT_THAT(names_in(folder.path()), ElementsAre(foreign[0], foreign[1], "crawl-20240501100000123-00000.warc.gz",
                                                   "crawl-20240501100000123-00001.warc.gz", "notes"));
}

TEST(WarcOutput, OpensAFinishedFileAgain) {
  const TemporaryFolder folder;
  FixedSystem system;
  CrawlPosition position = new_position();
  for (const char* url : {"http://example.org/a", "http://example.org/b"}) {
    WarcOutput output = WarcOutput::open(folder.path(), position, {1 << 20, {}}, system).value();
    write(output, position, url);
    EXPECT_THAT(names_in(folder.path()), ElementsAre("crawl-20240501100000123-00000.warc.gz.open"));
    ASSERT_TRUE(output.finish());
    system.milliseconds += 1000;
  }
  EXPECT_THAT(names_in(folder.path()), ElementsAre("crawl-20240501100000123-00000.warc.gz"));
  EXPECT_EQ(read_all(folder.path()).size(), 7u);
}

// Crawls that were begun when names followed from the number.
TEST(WarcOutput, ContinuesNumberedFiles) {
  const TemporaryFolder folder;
  FixedSystem system;
  CrawlPosition position = new_position();
  {
    WarcOutput output = WarcOutput::open(folder.path(), position, {1 << 20, {}}, system).value();
    write(output, position, "http://example.org/a");
    ASSERT_TRUE(output.finish());
  }
  std::filesystem::rename(folder.path() + "/" + position.warc_name, folder.path() + "/crawl-00000.warc.gz");
  for (const char* name : {"/crawl-00001.warc.gz", "/crawl-00002.warc.gz"}) std::ofstream(folder.path() + name) << "x";
  position.warc_name = "crawl-00000.warc.gz";
  WarcOutput output = WarcOutput::open(folder.path(), position, {1, {}, "new"}, system).value();
  write(output, position, "http://example.org/b");
  ASSERT_TRUE(output.finish());
  EXPECT_THAT(names_in(folder.path()), ElementsAre("crawl-00000.warc.gz", "new-20240501100000123-00001.warc.gz"));
}

TEST(WarcOutput, RefusesAFileThatIsTruncatedOrMissing) {
  const TemporaryFolder folder;
  CrawlPosition position = new_position();
  position.warc_bytes = 100;
  const auto refuses = [&] {
    const auto output = WarcOutput::open(folder.path(), position, {1, {}});
    return !output && output.error().code == ErrorCode::kCorruptData;
  };
  EXPECT_TRUE(refuses());
  position.warc_name = "../crawl-20240501100000123-00000.warc.gz";
  EXPECT_TRUE(refuses());
  position.warc_name = "crawl-20240501100000123-00000.warc.gz";
  EXPECT_TRUE(refuses());
  std::ofstream(folder.path() + "/" + position.warc_name) << "short";
  EXPECT_TRUE(refuses());
  // Of two files, only one can be the crawl's.
  std::ofstream(folder.path() + "/" + position.warc_name) << std::string(200, 'x');
  EXPECT_TRUE(refuses());
  EXPECT_TRUE(std::filesystem::exists(folder.path() + "/" + position.warc_name));
}

TEST(WarcNames, NamesAreReadBack) {
  EXPECT_EQ(warc_name("web", 1'714'557'600'007, 12), "web-20240501100000007-00012.warc.gz");
  EXPECT_EQ(number_of_warc(warc_name("a-b_c.d", 0, 123'456)), 123'456u);
  EXPECT_EQ(number_of_warc(numbered_warc_name(7)), 7u);
  for (const char* name :
       {"", ".warc.gz", "other-00001.warc.gz", "crawl-0001.warc.gz", "crawl-00001.warc.gz.open", "crawl-0000x.warc.gz",
        "-20240501100000007-00012.warc.gz", "a/b-20240501100000007-00012.warc.gz", "a-2024050110000000x-00012.warc.gz",
        "a20240501100000007-00012.warc.gz", "crawl-99999999999999999999999.warc.gz"}) {
    EXPECT_FALSE(number_of_warc(name)) << name;
  }
  EXPECT_TRUE(is_warc_prefix("Web-1.b_c"));
  for (const char* prefix : {"", ".", ".a", "a/b", "a b", "a~b", "\xC3\xA4"}) EXPECT_FALSE(is_warc_prefix(prefix));
  EXPECT_FALSE(is_warc_prefix(std::string(101, 'a')));
}

TEST(WarcOutput, Labels) {
  EXPECT_EQ(sha1_label(""), "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ");
  EXPECT_EQ(utc_date(0), "1970-01-01T00:00:00Z");
}

}  // namespace
}  // namespace paraprint
