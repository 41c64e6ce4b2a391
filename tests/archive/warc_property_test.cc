// Valid records surrounded by arbitrary garbage: all of them are read, and every byte is accounted for. What is written
// of them, however damaged, reads as it was read.
#include <gtest/gtest.h>
// rapidcheck/gtest.h requires gtest.h before it.
#include <rapidcheck/gtest.h>

#include "archive/record_writer.h"
#include "archive_testing.h"

namespace paraprint {
namespace {

class WarcPropertyTest : public ArchiveTest {
 protected:
  // Writes all records of the archive and reads them again.
  void check_output_of(const std::string& path, const Reading& reading) const {
    const auto counts = write_survivors(input_file(path), name("out"), {}, {}, {});
    RC_ASSERT(counts.has_value());
    const Reading again = read_archive(name("out"));
    RC_ASSERT(again.records.size() == reading.records.size());
    for (std::size_t i = 0; i < reading.records.size(); ++i) {
      const RawRecord& before = reading.records[i];
      const RawRecord& after = again.records[i];
      RC_ASSERT(after.kind == before.kind && after.url == before.url && after.date == before.date);
      RC_ASSERT(before.has_id_of_place || after.id == before.id);
      RC_ASSERT(after.payload == before.payload && !after.is_repaired);
    }
  }
};

// Bytes, and fragments that look like the start of a record or member.
std::string make_garbage(const std::vector<std::uint8_t>& bytes) {
  static const std::vector<std::string> kPieces = {
      "WARC/",     "WARC/1.0\r\n", "\r\n\r\n", "Content-Type: x",  "\x1f\x8b\x08",
      "HTTP/1.1 ", "WARC/1.0 x",   "\n",       "\x28\xb5\x2f\xfd", "\r"};
  std::string garbage = "g";  // not a line end, which would extend the separator before it
  for (const std::uint8_t byte : bytes) {
    if (byte < 100) {
      garbage += kPieces[byte % kPieces.size()];
    } else {
      garbage += static_cast<char>(byte);
    }
  }
  return garbage + "g";
}

void check_archive(const Reading& reading, int records, std::size_t garbage_bytes) {
  RC_ASSERT(reading.records.size() == static_cast<std::size_t>(records));
  for (int i = 0; i < records; ++i) {
    RC_ASSERT(reading.records[static_cast<std::size_t>(i)].id == record_id(i));
    RC_ASSERT(reading.records[static_cast<std::size_t>(i)].payload ==
              http_response(fmt::format("<html><p>Page {}</p></html>", i)));
  }
  std::uint64_t skipped = 0;
  for (const Defect& defect : reading.defects) skipped += defect.skipped_bytes;
  RC_ASSERT(skipped == garbage_bytes);
}

RC_GTEST_FIXTURE_PROP(WarcPropertyTest, PlainRecordsSurviveGarbage, (std::vector<std::vector<std::uint8_t>> garbage)) {
  std::string stored;
  std::size_t garbage_bytes = 0;
  int records = 0;
  for (const std::vector<std::uint8_t>& bytes : garbage) {
    const std::string piece = bytes.empty() ? std::string() : make_garbage(bytes);
    garbage_bytes += piece.size();
    stored += piece + response_record(records++);
  }
  RC_PRE(records > 0);
  const std::string path = write("a.warc", stored);
  const Reading reading = read_archive(path);
  check_archive(reading, records, garbage_bytes);
  check_output_of(path, reading);
}

// Lines of headers that are odd, folded, blank but for spaces, or repeated, and lengths that are wrong.
RC_GTEST_FIXTURE_PROP(WarcPropertyTest, RecordsWithOddHeadersAreWrittenAsTheyAreRead,
                      (std::vector<std::vector<std::uint8_t>> headers)) {
  static const std::vector<std::string> kLines = {" \r\n",
                                                  "\t\n",
                                                  " folded\r\n",
                                                  "X:\n",
                                                  "no colon\r\n",
                                                  "WARC-Type: metadata\n",
                                                  "A: b\r\r\n",
                                                  "content-length: 3\r\n",
                                                  "WARC-Date: 2024\r\n",
                                                  ": nameless\n",
                                                  "\v: x\r\n"};
  std::string stored;
  int number = 0;
  for (const std::vector<std::uint8_t>& choices : headers) {
    std::string lines;
    for (const std::uint8_t choice : choices) lines += kLines[choice % kLines.size()];
    std::string record = replaced(response_record(number++), "WARC-Date", lines + "WARC-Date");
    if (!choices.empty() && choices.front() % 2 == 0)
      record = replaced(record, "Content-Length: ", "Content-Length: 9");
    stored += record;
  }
  const std::string path = write("a.warc", stored + response_record(number));
  const Reading reading = read_archive(path);
  RC_ASSERT(!reading.records.empty());
  check_output_of(path, reading);
}

RC_GTEST_FIXTURE_PROP(WarcPropertyTest, MembersSurviveGarbage,
                      (std::vector<std::vector<std::uint8_t>> garbage, bool is_zstd)) {
  std::string stored;
  std::size_t garbage_bytes = 0;
  int records = 0;
  for (const std::vector<std::uint8_t>& bytes : garbage) {
    // The first member must be intact, because it determines the compression.
    const std::string piece = bytes.empty() || records == 0 ? std::string() : make_garbage(bytes);
    garbage_bytes += piece.size();
    const std::string record = response_record(records++);
    stored += piece + (is_zstd ? zstd(record) : gzip(record));
  }
  RC_PRE(records > 0);
  check_archive(read_archive(write("a.warc.x", stored)), records, garbage_bytes);
}

}  // namespace
}  // namespace paraprint
