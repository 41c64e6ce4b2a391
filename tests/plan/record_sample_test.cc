// Samples of records: the same for the same seed, each record as likely as any other, whole records only, and counts
// that agree with what is there.
#include "plan/record_sample.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "archive/input_files.h"
#include "archive/record_reader.h"
#include "base/progress.h"
#include "base/stop.h"
#include "compressed.h"
#include "plan/stored_records.h"
#include "temporary_folder.h"

namespace paraprint {
namespace {

void write_bytes(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

// Of very different lengths, so that a sample that prefers long records, or those after long ones, is noticed.
std::string page_text(int number) {
  return fmt::format("<html><body><p>Page {}.</p>{}</body></html>", number,
                     std::string(static_cast<std::size_t>(number % 10 == 0 ? 20'000 : 200), 'x'));
}

std::string warc_page(int number) {
  const std::string body = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + page_text(number);
  return fmt::format(
      "WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:page:{0}>\r\nWARC-Date: 2024-05-01T10:00:00Z\r\n"
      "WARC-Target-URI: http://example.org/{0}\r\nContent-Type: application/http; msgtype=response\r\n"
      "Content-Length: {1}\r\n\r\n{2}\r\n\r\n",
      number, body.size(), body);
}

std::string json_page(int number) {
  return fmt::format("{{\"id\": \"urn:page:{}\", \"text\": \"{}\"}}\n", number, page_text(number));
}

enum class StoredAs { kWarc, kWarcMembers, kJsonLines, kJsonStream };

std::string stored(StoredAs form, int pages) {
  std::string bytes;
  for (int i = 0; i < pages; ++i) {
    if (form == StoredAs::kWarc) bytes += warc_page(i);
    if (form == StoredAs::kWarcMembers) bytes += gzip(warc_page(i));
    if (form == StoredAs::kJsonLines || form == StoredAs::kJsonStream) bytes += json_page(i);
  }
  return form == StoredAs::kJsonStream ? gzip(bytes) : bytes;
}

std::string name_of(StoredAs form) {
  switch (form) {
    case StoredAs::kWarc:
      return "in.warc";
    case StoredAs::kWarcMembers:
      return "in.warc.gz";
    case StoredAs::kJsonLines:
      return "in.jsonl";
    case StoredAs::kJsonStream:
      break;
  }
  return "in.jsonl.gz";
}

struct Drawn {
  RecordSample sample;
  std::vector<std::string> ids;
};

Drawn draw_records(const std::string& input, const RecordSampleOptions& options) {
  const TemporaryFolder folder;
  Result<std::vector<InputFile>> inputs = expand_inputs({input});
  EXPECT_TRUE(inputs) << inputs.error().message;
  const RunControl control;
  ProgressReporter progress(control);
  Result<RecordSample> sample = sample_records(*inputs, ReadOptions(), options, folder.path(), progress);
  EXPECT_TRUE(sample) << sample.error().message;
  Drawn drawn;
  if (!sample) return drawn;
  drawn.sample = *sample;
  Result<std::vector<InputFile>> files =
      sample->files.empty() ? std::vector<InputFile>() : expand_inputs(sample->files);
  for (const InputFile& file : *files) {
    auto reader = open_records(file, ReadOptions(), [](const Defect& defect) { ADD_FAILURE() << describe(defect); });
    while (true) {
      Result<std::optional<RawRecord>> record = (*reader)->next();
      if (!record || !record->has_value()) break;
      drawn.ids.push_back((*record)->id);
    }
  }
  return drawn;
}

class SampleForms : public testing::TestWithParam<StoredAs> {
 protected:
  // At places if the form allows it: everything is too large to be read.
  static RecordSampleOptions options_of(std::uint64_t pages, std::uint64_t seed, std::uint64_t whole_bytes) {
    RecordSampleOptions options;
    options.pages = pages;
    options.seed = seed;
    options.whole_bytes = whole_bytes;
    return options;
  }

  const TemporaryFolder folder_;
};

TEST_P(SampleForms, HasEveryRecordOfASmallInputOnce) {
  write_bytes(folder_ / name_of(GetParam()), stored(GetParam(), 30));
  const Drawn drawn = draw_records(folder_ / name_of(GetParam()), options_of(100, 1, 1 << 20));
  EXPECT_TRUE(drawn.sample.is_whole);
  EXPECT_EQ(drawn.sample.page_records_total, 30);
  EXPECT_EQ(std::set<std::string>(drawn.ids.begin(), drawn.ids.end()).size(), 30U);
  EXPECT_EQ(drawn.ids.size(), 30U);
}

TEST_P(SampleForms, DependsOnTheSeedAlone) {
  write_bytes(folder_ / name_of(GetParam()), stored(GetParam(), 400));
  const std::string input = folder_ / name_of(GetParam());
  for (const std::uint64_t whole_bytes : {std::uint64_t{0}, std::uint64_t{1} << 30}) {
    const Drawn first = draw_records(input, options_of(40, 7, whole_bytes));
    const Drawn again = draw_records(input, options_of(40, 7, whole_bytes));
    const Drawn other = draw_records(input, options_of(40, 8, whole_bytes));
    EXPECT_EQ(first.ids, again.ids);
    EXPECT_NE(first.ids, other.ids);
    EXPECT_EQ(std::set<std::string>(first.ids.begin(), first.ids.end()).size(), first.ids.size());
    EXPECT_NEAR(static_cast<double>(first.ids.size()), 40, 2);
  }
}

// One page in ten is a hundred times as long as the others; the page after it would be drawn too often by whoever takes
// the next record, and the page itself by whoever takes the one around a place. Over 60 samples, each of the ten
// residues is drawn 240 times, give or take 15.
TEST_P(SampleForms, DrawsEachRecordAsOften) {
  write_bytes(folder_ / name_of(GetParam()), stored(GetParam(), 400));
  for (const std::uint64_t whole_bytes : {std::uint64_t{0}, std::uint64_t{1} << 30}) {
    std::map<int, int> by_residue;
    int all = 0;
    double total = 0;
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
      const Drawn drawn = draw_records(folder_ / name_of(GetParam()), options_of(40, seed, whole_bytes));
      for (const std::string& id : drawn.ids) ++by_residue[(id.back() - '0')];
      all += static_cast<int>(drawn.ids.size());
      total += drawn.sample.page_records_total;
    }
    for (int residue = 0; residue < 10; ++residue) {
      EXPECT_NEAR(by_residue[residue], all / 10.0, 5 * std::sqrt(all / 10.0)) << residue << ", " << whole_bytes;
    }
    EXPECT_NEAR(total / 60, 400, 400 * 4 / std::sqrt(60.0 * 40)) << whole_bytes;
  }
}

TEST_P(SampleForms, PassesOverDamage) {
  std::string bytes = stored(GetParam(), 200);
  for (std::size_t at = bytes.size() / 3; at < bytes.size() / 3 + 30'000; ++at) bytes[at] = '\xff';
  write_bytes(folder_ / name_of(GetParam()), bytes);
  const TemporaryFolder out;
  Result<std::vector<InputFile>> inputs = expand_inputs({folder_ / name_of(GetParam())});
  const RunControl control;
  ProgressReporter progress(control);
  for (const std::uint64_t whole_bytes : {std::uint64_t{0}, std::uint64_t{1} << 30}) {
    const Result<RecordSample> sample =
        sample_records(*inputs, ReadOptions(), options_of(50, 3, whole_bytes), out.path(), progress);
    ASSERT_TRUE(sample) << sample.error().message;
    EXPECT_GT(sample->page_records, 0U);
    if (sample->has_all_been_read && !sample->is_whole) {
      EXPECT_GT(sample->broken_records, 0U);
    }
    for (const std::string& file : sample->files) std::filesystem::remove(file);
  }
}

INSTANTIATE_TEST_SUITE_P(Forms, SampleForms,
                         testing::Values(StoredAs::kWarc, StoredAs::kWarcMembers, StoredAs::kJsonLines,
                                         StoredAs::kJsonStream),
                         [](const auto& form) {
                           std::string name = name_of(form.param).substr(3);
                           for (char& letter : name) letter = letter == '.' ? '_' : letter;
                           return name;
                         });

TEST(RecordSample, DrawsPagesOfALargeFolderByName) {
  const TemporaryFolder folder;
  for (int i = 0; i < 300; ++i) write_bytes(folder / fmt::format("{}.html", i), page_text(i));
  RecordSampleOptions options;
  options.pages = 20;
  const Drawn drawn = draw_records(folder.path(), options);
  EXPECT_EQ(drawn.ids.size(), 20U);
  EXPECT_DOUBLE_EQ(drawn.sample.page_records_total, 300);
  EXPECT_FALSE(drawn.sample.is_whole);
}

TEST(RecordSample, OfAnEmptyFileIsEmpty) {
  const TemporaryFolder folder;
  write_bytes(folder / "empty.warc", "");
  const Drawn drawn = draw_records(folder / "empty.warc", RecordSampleOptions());
  EXPECT_EQ(drawn.sample.page_records, 0U);
  EXPECT_TRUE(drawn.sample.files.empty());
  EXPECT_EQ(drawn.sample.broken_records, 1U);  // the empty file
}

TEST(RecordSample, CountsInputsThatCannotBeRead) {
  const TemporaryFolder folder;
  write_bytes(folder / "a.jsonl", stored(StoredAs::kJsonLines, 5));
  write_bytes(folder / "b.jsonl", stored(StoredAs::kJsonLines, 5));
  Result<std::vector<InputFile>> inputs = expand_inputs({folder.path()});
  std::filesystem::remove(folder / "b.jsonl");
  const TemporaryFolder out;
  const RunControl control;
  ProgressReporter progress(control);
  const Result<RecordSample> sample =
      sample_records(*inputs, ReadOptions(), RecordSampleOptions(), out.path(), progress);
  ASSERT_TRUE(sample) << sample.error().message;
  EXPECT_EQ(sample->page_records, 5U);
  EXPECT_EQ(sample->unreadable_inputs, 1U);
  ASSERT_EQ(sample->unreadable_reasons.size(), 1U);
  EXPECT_NE(sample->unreadable_reasons[0].find("b.jsonl"), std::string::npos);
}

TEST(RecordSample, IsOneInAHundredWithinBounds) {
  EXPECT_EQ(usual_sample(10), 2000U);
  EXPECT_EQ(usual_sample(1e6), 10'000U);
  EXPECT_EQ(usual_sample(1e9), 20'000U);
}

// Records are found from each byte of a file on, and only those that start in the window.
TEST(StoredRecords, AreThoseThatStartInAWindow) {
  const TemporaryFolder folder;
  const std::vector<std::string> pages = {gzip(warc_page(1)), gzip(warc_page(10)), gzip(warc_page(2))};
  write_bytes(folder / "in.warc.gz", pages[0] + pages[1] + pages[2]);
  Result<RecordFile> file = RecordFile::open(folder / "in.warc.gz", RecordForm::kWarcMembers);
  ASSERT_TRUE(file);
  const std::uint64_t second = pages[0].size();
  const auto starting_in = [&](std::uint64_t begin_bytes, std::uint64_t length_bytes, std::uint64_t maximum) {
    Result<StartsInWindow> found = file->starting_in(begin_bytes, length_bytes, maximum, Deadline(1000));
    EXPECT_TRUE(found);
    EXPECT_EQ(found->end, WindowEnd::kReached);
    return found->records;
  };
  EXPECT_TRUE(starting_in(1, second - 1, 1 << 20).empty());
  const std::vector<StoredRecord> records = starting_in(second, 1, 1 << 20);
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].offset_bytes, second);
  EXPECT_EQ(records[0].length_bytes, pages[1].size());
  EXPECT_TRUE(records[0].has_page);
  EXPECT_EQ(starting_in(0, second + pages[1].size() + 1, 1 << 20).size(), 3U);
  EXPECT_EQ(file->read(second, pages[1].size()).value(), pages[1]);
  EXPECT_TRUE(starting_in(second, 1, 100).empty());  // larger than what is allowed
}

constexpr std::uint64_t kRecordBytesMaximum = std::uint64_t{1} << 20;

// Each of these is 15 bytes that begin a member, whose first block skips those that follow, up to one of 4 MB.
std::string starts_of_one_member(std::uint32_t starts) {
  std::string bytes;
  for (std::uint32_t i = 0; i < starts; ++i) {
    const std::uint32_t skipped = 15 * (starts - 1 - i);
    const auto byte = [](std::uint32_t value) { return static_cast<char>(value & 0xff); };
    bytes += std::string("\x1f\x8b\x08\0\0\0\0\0\0\xff\0", 11);
    bytes += {byte(skipped), byte(skipped >> 8), byte(~skipped), byte(~skipped >> 8)};
  }
  return bytes + gzip(std::string(4 << 20, '\0')).substr(10);
}

// Whatever the number of starts, no more is decompressed for nothing than about the longest record and the window.
TEST(StoredRecords, GivesUpAWindowThatIsFullOfFalseStarts) {
  const TemporaryFolder folder;
  const std::string few = starts_of_one_member(1);
  write_bytes(folder / "in.warc.gz", few + starts_of_one_member(1000) + gzip(warc_page(1)));
  Result<RecordFile> file = RecordFile::open(folder / "in.warc.gz", RecordForm::kWarcMembers);
  ASSERT_TRUE(file);
  Result<StartsInWindow> found = file->starting_in(0, few.size(), kRecordBytesMaximum, Deadline(1000));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->end, WindowEnd::kReached);
  EXPECT_TRUE(found->records.empty());
  found = file->starting_in(few.size(), std::uint64_t{1} << 16, kRecordBytesMaximum, Deadline(1000));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->end, WindowEnd::kGivenUp);
  EXPECT_TRUE(found->records.empty());
}

TEST(StoredRecords, EndAWindowWithTheTimeOrOnRequest) {
  const TemporaryFolder folder;
  write_bytes(folder / "in.warc.gz", gzip(warc_page(1)) + gzip(warc_page(2)));
  Result<RecordFile> file = RecordFile::open(folder / "in.warc.gz", RecordForm::kWarcMembers);
  ASSERT_TRUE(file);
  const Result<StartsInWindow> late = file->starting_in(0, 1000, kRecordBytesMaximum, Deadline(0));
  ASSERT_TRUE(late);
  EXPECT_EQ(late->end, WindowEnd::kLate);
  EXPECT_TRUE(late->records.empty());
  const std::atomic<bool> is_asked = true;
  const StopScope scope(&is_asked);
  const Result<StartsInWindow> stopped = file->starting_in(0, 1000, kRecordBytesMaximum, Deadline(1000));
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, ErrorCode::kCancelled);
}

// The pages of the other windows are drawn nevertheless, and the sample says what is missing.
TEST(RecordSample, SaysHowManyPlacesWereGivenUp) {
  const TemporaryFolder folder;
  std::string bytes;
  for (int i = 0; i < 100; ++i) bytes += gzip(warc_page(i));
  for (int i = 0; i < 10; ++i) bytes += starts_of_one_member(1000);
  write_bytes(folder / "in.warc.gz", bytes);
  Result<std::vector<InputFile>> inputs = expand_inputs({folder / "in.warc.gz"});
  const TemporaryFolder out;
  const RunControl control;
  ProgressReporter progress(control);
  ReadOptions reading;
  reading.max_record_bytes = std::uint64_t{1} << 16;
  RecordSampleOptions options;
  options.pages = 1000;
  options.seconds = 1000;
  options.whole_bytes = 0;
  const Result<RecordSample> sample = sample_records(*inputs, reading, options, out.path(), progress);
  ASSERT_TRUE(sample) << sample.error().message;
  EXPECT_EQ(sample->page_records, 100U);
  ASSERT_EQ(sample->notes.size(), 1U);
  EXPECT_NE(sample->notes[0].find("places were given up"), std::string::npos) << sample->notes[0];
}

}  // namespace
}  // namespace paraprint
