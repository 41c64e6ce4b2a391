// Reads what provenance_object() writes, and refuses everything else with a reason.
#include "provenance/provenance_reader.h"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "base/atomic_file.h"
#include "temporary_folder.h"

namespace paraprint {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string line_of_a_copy() {
  StatedOrigin stated;
  stated.metadata.date_published = "2010-02-01T10:00:00Z";
  stated.metadata.date_modified = "2010-02-03";
  stated.metadata.author = "A. \"Author\"";
  stated.metadata.site_name = "Site";
  stated.metadata.source_name = "First";
  stated.metadata.source_url = "http://first.example/page";
  stated.metadata.canonical_url = "http://first.example/";
  stated.date_place = DatePlace::kOpenGraph;
  TracedOrigin traced;
  traced.copied_from = 0;
  traced.confidence = 0.87;
  traced.reasons = {Reason::kDate, Reason::kStatedSource};
  traced.against = {Reason::kText};
  traced.problems = {StatementProblem::kModifiedBeforePublished};
  ProvenanceRow row;
  row.id = "second";
  row.url = "http://second.example/";
  row.cluster = std::uint64_t{7};
  row.stated = &stated;
  row.traced = &traced;
  row.copied_from = "first";
  row.change = TextChange{120, 30, 2, 1};
  return provenance_object(row);
}

TEST(ProvenanceParserTest, ReadsWhatIsWritten) {
  ProvenanceParser parser;
  OriginLine origin;
  ASSERT_TRUE(parser.parse(line_of_a_copy(), origin));
  EXPECT_EQ(origin.id, "second");
  EXPECT_EQ(origin.url, "http://second.example/");
  EXPECT_EQ(origin.cluster, 7U);
  EXPECT_EQ(origin.date, "2010-02-01T10:00:00Z");
  EXPECT_EQ(origin.date_place, "open-graph");
  EXPECT_EQ(origin.modified, "2010-02-03");
  EXPECT_EQ(origin.author, "A. \"Author\"");
  EXPECT_EQ(origin.site_name, "Site");
  EXPECT_EQ(origin.source_name, "First");
  EXPECT_EQ(origin.source_url, "http://first.example/page");
  EXPECT_EQ(origin.canonical_url, "http://first.example/");
  EXPECT_TRUE(origin.is_traced);
  EXPECT_EQ(origin.copied_from, "first");
  EXPECT_EQ(origin.confidence, 0.87);
  EXPECT_THAT(origin.reasons, ElementsAre("date", "stated-source"));
  EXPECT_THAT(origin.against, ElementsAre("text"));
  EXPECT_THAT(origin.problems, ElementsAre("modified-before-published"));
  EXPECT_FALSE(origin.is_first);
  ASSERT_TRUE(origin.change);
  EXPECT_EQ(origin.change->added_characters, 120U);
  EXPECT_EQ(origin.change->lost_characters, 30U);
  EXPECT_EQ(origin.change->added_paragraphs, 2U);
  EXPECT_EQ(origin.change->lost_paragraphs, 1U);
  EXPECT_EQ(published_day(origin), "2010-02-01");

  TracedOrigin first;
  first.is_first = true;
  first.first_confidence = 0.95;
  ProvenanceRow row;
  row.id = "first";
  row.cluster = std::uint64_t{7};
  row.traced = &first;
  ASSERT_TRUE(parser.parse(provenance_object(row), origin));
  EXPECT_EQ(origin.id, "first");
  EXPECT_FALSE(origin.copied_from);
  EXPECT_FALSE(origin.change);
  EXPECT_THAT(origin.reasons, IsEmpty());
  EXPECT_TRUE(origin.is_first);
  EXPECT_EQ(origin.first_confidence, 0.95);
  EXPECT_EQ(published_day(origin), "");
}

TEST(ProvenanceParserTest, RefusesWithAReason) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "JSON"},
      {"nonsense", "JSON"},
      {"[1]", "JSON"},
      {R"({"id":"a","cluster":1)", "JSON"},
      {R"({"cluster":1})", "\"id\""},
      {R"({"id":1,"cluster":1})", "\"id\""},
      {R"({"id":"a"})", "\"cluster\""},
      {R"({"id":"a","cluster":-1})", "\"cluster\""},
      {R"({"id":"a","cluster":1,"date":2010})", "\"date\""},
      {R"({"id":"a","cluster":1,"is_first":"yes"})", "\"is_first\""},
      {R"({"id":"a","cluster":1,"confidence":1.01})", "\"confidence\""},
      {R"({"id":"a","cluster":1,"confidence":-0.1})", "\"confidence\""},
      {R"({"id":"a","cluster":1,"reasons":"date"})", "\"reasons\""},
      {R"({"id":"a","cluster":1,"reasons":[1]})", "\"reasons\""},
      {R"({"id":"a","cluster":1,"reasons":["a","b","c","d","e","f","g","h","i","j","k","l","m","n","o","p","q"]})",
       "\"reasons\""},
      {R"({"id":"a","cluster":1,"problems":["a name of more than forty bytes, which no reason has"]})", "\"problems\""},
      {R"({"id":"a","cluster":1,"is_traced":true,"copied_from":7})", "\"copied_from\""},
      {R"({"id":"a","cluster":1,"is_traced":true,"copied_from":"a"})", "itself"},
      {R"({"id":"a","cluster":1,"is_traced":false,"copied_from":"b"})", "not traced"},
      {R"({"id":"a","cluster":1,"added_characters":1})", "\"lost_characters\""},
      {R"({"id":"a","cluster":1,"added_characters":-1})", "\"added_characters\""}};
  ProvenanceParser parser;
  OriginLine origin;
  for (const auto& [line, reason] : cases) {
    const Status parsed = parser.parse(line, origin);
    ASSERT_FALSE(parsed) << line;
    EXPECT_EQ(parsed.error().code, ErrorCode::kCorruptData);
    EXPECT_THAT(parsed.error().message, HasSubstr(reason)) << line;
  }
  // Members and reasons of a later version.
  ASSERT_TRUE(parser.parse(R"({"id":"a","cluster":1,"new":[{}],"reasons":["of-later"]})", origin));
  EXPECT_THAT(origin.reasons, ElementsAre("of-later"));
}

RC_GTEST_PROP(ProvenanceParserTest, TakesAnyCutLineAsDamaged, ()) {
  const std::string line = line_of_a_copy();
  const auto size = *rc::gen::inRange<std::size_t>(0, line.size() - 2);
  ProvenanceParser parser;
  OriginLine origin;
  RC_ASSERT(!parser.parse(line.substr(0, size), origin));
}

TEST(PublishedDayTest, NeedsADateThatCanBeRight) {
  OriginLine origin;
  for (const char* date : {"", "2010", "2010-03", "2010-03-1", "2010/03/01", "20100301xx", "two thousand"}) {
    origin.date = date;
    EXPECT_EQ(published_day(origin), "") << date;
  }
  origin.date = "2010-03-01";
  EXPECT_EQ(published_day(origin), "2010-03-01");
  origin.problems = {"names-itself"};
  EXPECT_EQ(published_day(origin), "2010-03-01");
  for (const char* problem : {"date-in-future", "date-before-web"}) {
    origin.problems = {"names-itself", problem};
    EXPECT_EQ(published_day(origin), "");
  }
}

class ProvenanceFileTest : public ::testing::Test {
 protected:
  void read(const std::string& content) {
    ASSERT_TRUE(write_file_atomically(path_, content));
    const Result<ProvenanceFile> file = ProvenanceFile::open(path_);
    ASSERT_TRUE(file);
    ids_.clear();
    refused_.clear();
    ASSERT_TRUE(file->read(
        [&](const ProvenancePlace& place, OriginLine& origin) -> Status {
          EXPECT_EQ(content.substr(place.offset_bytes, place.size_bytes).front(), '{');
          OriginLine again;
          EXPECT_TRUE(file->read_line(place.offset_bytes, place.size_bytes, parser_, again));
          EXPECT_EQ(again.id, origin.id);
          ids_.push_back(origin.id);
          return {};
        },
        [&](const ProvenancePlace& place, const std::string& reason) -> Status {
          refused_.push_back(line_message(path_, place.line, reason));
          return {};
        }));
  }

  TemporaryFolder folder_;
  const std::string path_ = folder_ / "provenance.jsonl";
  ProvenanceParser parser_;
  std::vector<std::string> ids_;
  std::vector<std::string> refused_;
};

TEST_F(ProvenanceFileTest, GoesOnAfterLinesThatItCannotUse) {
  const std::string good = R"({"id":"a","cluster":1})";
  read(good + "\nnonsense\n\n" + good + "\n[]\n" + good);
  EXPECT_THAT(ids_, ElementsAre("a", "a", "a"));
  EXPECT_THAT(refused_, ElementsAre(HasSubstr("provenance.jsonl: line 2: "), HasSubstr(": line 5: ")));
  read("");
  EXPECT_THAT(ids_, IsEmpty());
  read("\n\n\n");
  EXPECT_THAT(ids_, IsEmpty());
  EXPECT_THAT(refused_, IsEmpty());
}

// Blocks have a quarter of the longest line, so lines are cut at every place of them.
TEST_F(ProvenanceFileTest, FindsLinesOfAnySize) {
  std::string content;
  std::size_t lines = 0;
  for (std::size_t size = 10; size < kProvenanceLineBytesMaximum; size = size * 3 + 7) {
    content += R"({"id":")" + std::string(size, 'x') + R"(","cluster":1})" + "\n";
    ++lines;
  }
  const std::string frame = R"({"id":"","cluster":1})";
  const std::string longest = std::string(kProvenanceLineBytesMaximum - frame.size(), 'y');
  content += R"({"id":")" + longest + R"(","cluster":1})" + "\n";
  content += R"({"id":"z)" + longest + R"(","cluster":1})" + "\n" + R"({"id":"last","cluster":1})";
  read(content);
  ASSERT_EQ(ids_.size(), lines + 2);
  EXPECT_EQ(ids_[lines], longest);
  EXPECT_EQ(ids_.back(), "last");
  EXPECT_THAT(refused_, ElementsAre(HasSubstr("longer than")));
}

TEST_F(ProvenanceFileTest, TellsAFileThatChanged) {
  ASSERT_TRUE(write_file_atomically(path_, R"({"id":"a","cluster":1})"));
  const Result<ProvenanceFile> file = ProvenanceFile::open(path_);
  ASSERT_TRUE(file);
  std::filesystem::resize_file(path_, 5);
  OriginLine origin;
  const Status read = file->read_line(0, 22, parser_, origin);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, ErrorCode::kCorruptData);
  EXPECT_THAT(read.error().message, HasSubstr(path_));
}

TEST_F(ProvenanceFileTest, OpensRegularFilesOnly) {
  const Result<ProvenanceFile> missing = ProvenanceFile::open(folder_ / "none");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::kNotFound);
  std::filesystem::create_directory(path_);
  const Result<ProvenanceFile> folder = ProvenanceFile::open(path_);
  ASSERT_FALSE(folder);
  EXPECT_EQ(folder.error().code, ErrorCode::kInvalidArgument);
}

}  // namespace
}  // namespace paraprint
