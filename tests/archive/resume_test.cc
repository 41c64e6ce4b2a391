// Resuming at any record yields the same records and, in total, the same defects.
#include "archive_testing.h"

namespace paraprint {
namespace {

class ResumeTest : public ArchiveTest {
 protected:
  void check(const std::string& path) const {
    const Reading whole = read_archive(path);
    ASSERT_GT(whole.records.size(), 2U);
    for (std::size_t stop = 0; stop <= whole.records.size(); ++stop) {
      Reading parts;
      const auto sink = [&](Defect defect) { parts.defects.push_back(defect); };
      auto first = open_records(input_file(path), {}, sink);
      for (std::size_t i = 0; i < stop; ++i) parts.records.push_back(std::move(**(*first)->next()));
      const ResumePoint point = (*first)->position();
      first->reset();
      // Defects found on opening have been reported before if they lie before the resume point.
      std::vector<Defect> on_opening;
      bool is_open = false;
      auto second = open_records(input_file(path), {},
                                 [&](Defect defect) { (is_open ? parts.defects : on_opening).push_back(defect); });
      is_open = true;
      ASSERT_TRUE((*second)->resume(point).has_value());
      while (true) {
        auto record = (*second)->next();
        ASSERT_TRUE(record.has_value());
        if (!record->has_value()) break;
        parts.records.push_back(std::move(**record));
      }
      EXPECT_EQ(parts.ids(), whole.ids()) << stop;
      EXPECT_EQ(parts.defect_counts(), whole.defect_counts()) << stop;
      for (std::size_t i = 0; i < parts.records.size() && i < whole.records.size(); ++i) {
        EXPECT_EQ(parts.records[i].payload, whole.records[i].payload);
        EXPECT_EQ(parts.records[i].location.ordinal, i);
        EXPECT_EQ(parts.records[i].location.offset_bytes, whole.records[i].location.offset_bytes);
        EXPECT_EQ(parts.records[i].content_offset_bytes, whole.records[i].content_offset_bytes);
        EXPECT_EQ(parts.records[i].line, whole.records[i].line);
      }
    }
  }
};

TEST_F(ResumeTest, ResumesUncompressedWarc) {
  check(write("a.warc",
              response_record(1) + "garbage\r\n" + response_record(2) + request_record(4, 2) + response_record(3)));
}

TEST_F(ResumeTest, ResumesDamagedMembers) {
  std::string broken = gzip(response_record(9));
  broken[broken.size() / 2] = static_cast<char>(broken[broken.size() / 2] ^ 0x5A);
  check(write("a.warc.gz",
              gzip(response_record(1)) + broken + gzip(response_record(2)) + "stray" + gzip(response_record(3))));
  check(write("b.warc.zst", zstd(response_record(1)) + zstd(response_record(2)) + "stray" + zstd(response_record(3))));
}

TEST_F(ResumeTest, ResumesInsideOneMember) {
  const std::string all = response_record(1) + "garbage\r\n" + response_record(2) + response_record(3);
  check(write("a.warc.gz", gzip(all)));
  check(write("a.warc.zst", zstd(all)));
}

TEST_F(ResumeTest, ResumesJsonLines) {
  const std::string lines = "{\"text\":\"1\"}\n\nbad\n{\"text\":\"2\"}\n{\"text\":\"3\"}\n";
  check(write("a.jsonl", lines));
  check(write("a.jsonl.gz", gzip(lines)));
}

TEST_F(ResumeTest, RejectsShorterFile) {
  const std::string path = write("a.jsonl.gz", gzip("{\"text\":\"1\"}\n{\"text\":\"2\"}\n"));
  auto reader = open_records(input_file(path), {}, [](Defect) {});
  ASSERT_TRUE((*reader)->next().has_value());
  ASSERT_TRUE((*reader)->next().has_value());
  const ResumePoint point = (*reader)->position();
  write("a.jsonl.gz", gzip("{\"text\":\"1\"}\n"));
  auto again = open_records(input_file(path), {}, [](Defect) {});
  const Status status = (*again)->resume(point);
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().code, ErrorCode::kCorruptData);
}

}  // namespace
}  // namespace paraprint
