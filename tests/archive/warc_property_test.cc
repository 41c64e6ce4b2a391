// Valid records surrounded by arbitrary garbage: all of them are read, and every byte is accounted for.
#include <gtest/gtest.h>
// rapidcheck/gtest.h requires gtest.h before it.
#include <rapidcheck/gtest.h>

#include "archive_testing.h"

namespace paraprint {
namespace {

class WarcPropertyTest : public ArchiveTest {};

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
  check_archive(read_archive(write("a.warc", stored)), records, garbage_bytes);
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
