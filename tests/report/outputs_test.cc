// Checks the tables, the JSON lines and the summary byte for byte.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "report/json_lines.h"
#include "report/json_writer.h"
#include "report/summary.h"
#include "report/tables.h"

namespace paraprint {
namespace {

namespace fs = std::filesystem;

class OutputsTest : public testing::Test {
 protected:
  OutputsTest() {
    std::string pattern = (fs::temp_directory_path() / "outputs_test.XXXXXX").string();
    EXPECT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  ~OutputsTest() override { fs::remove_all(folder_); }

  std::string name(const std::string& file) const { return (folder_ / file).string(); }
  std::string content(const std::string& file) const {
    std::ifstream in(name(file), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  }

  fs::path folder_;
};

TEST(JsonWriter, WritesFixedDecimalsAndEscapesUntrustedText) {
  using namespace std::string_literals;
  JsonWriter json;
  json.begin_object();
  json.member("text", std::string_view("q\" b\\ \n \0 \x1f </script> 苹果 \xff \U0001F469"s));
  json.member("score", Real{0.98216});
  json.member("short", Real{2, 1});
  json.member("none", Real{std::nan("")});
  json.member("zero", Real{-0.00001});
  json.member("big", std::uint64_t{18446744073709551615U});
  json.member("small", std::int64_t{-5});
  json.member("byte", std::uint8_t{7});
  json.member("yes", true);
  json.end_object();
  EXPECT_EQ(
      json.take(),
      "{\"text\":\"q\\\" b\\\\ \\n \\u0000 \\u001F </script> 苹果 \uFFFD \U0001F469\",\"score\":0.9822,\"short\":2.0,"
      "\"none\":null,\"zero\":0.0000,\"big\":18446744073709551615,\"small\":-5,\"byte\":7,\"yes\":true}");
}

// As RapidJSON escapes, character by character.
std::string escaped(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto letter = std::string_view("\"\\\b\f\n\r\t").find(c);
    if (letter != std::string_view::npos) {
      out += '\\';
      out += "\"\\bfnrt"[letter];
    } else if (static_cast<unsigned char>(c) < ' ') {
      out += fmt::format("\\u{:04X}", static_cast<unsigned>(c));
    } else {
      out += c;
    }
  }
  return out + '"';
}

// Every ASCII character, at every place relative to words of eight bytes, before others that are nearly escaped.
TEST(JsonWriter, EscapesEveryCharacterAtEveryPlace) {
  std::vector<std::string> texts;
  for (int c = 0; c < 0x80; ++c) {
    for (std::size_t before = 0; before < 10; ++before) {
      for (const char* const after : {"", "\x7F", "!#[]", "\"\\\x01\x1F\"", "\xC3\xA9\xE4\xB8\xAD\xF0\x9F\x98\x80"}) {
        std::string& text = texts.emplace_back(before, 'x');
        text += static_cast<char>(c);
        text += after;
      }
    }
  }
  for (const std::string& text : texts) {
    JsonWriter json;
    json.value(std::string_view(text));
    ASSERT_EQ(json.take(), escaped(text));
  }
}

TEST(JsonWriter, CanBeReusedAndMoved) {
  JsonWriter first;
  first.begin_array();
  first.end_array();
  EXPECT_EQ(first.take(), "[]");
  JsonWriter second = std::move(first);
  second.begin_object();
  second.end_object();
  EXPECT_EQ(second.take(), "{}");
}

TEST_F(OutputsTest, ClusterTableListsIdsInOrder) {
  Result<ClusterTableWriter> table = ClusterTableWriter::create(name("clusters.tsv"));
  ASSERT_TRUE(table.has_value());
  ASSERT_TRUE(table->add("a", 1).has_value());
  ASSERT_TRUE(table->add("b\tc", 2).has_value());
  ASSERT_TRUE(table->add("苹果", 1).has_value());
  ASSERT_TRUE(table->finish().has_value());
  EXPECT_EQ(content("clusters.tsv"), "a\t1\nb\\tc\t2\n苹果\t1\n");
  EXPECT_EQ(table->rows(), 3U);
}

TEST_F(OutputsTest, RejectsRowsOutOfOrder) {
  Result<ClusterTableWriter> clusters = ClusterTableWriter::create(name("clusters.tsv"));
  ASSERT_TRUE(clusters->add("b", 1).has_value());
  EXPECT_EQ(clusters->add("b", 1).error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(clusters->add("a", 1).error().code, ErrorCode::kInvalidArgument);
  Result<MatchTableWriter> matches = MatchTableWriter::create(name("matches.tsv"));
  EXPECT_EQ(matches->add("b", "a", 1, Verdict::kSame).error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(matches->add("a", "a", 1, Verdict::kSame).error().code, ErrorCode::kInvalidArgument);
  ASSERT_TRUE(matches->add("a", "c", 1, Verdict::kSame).has_value());
  EXPECT_EQ(matches->add("a", "b", 1, Verdict::kSame).error().code, ErrorCode::kInvalidArgument);
}

TEST_F(OutputsTest, MatchTableHasFourDecimals) {
  Result<MatchTableWriter> table = MatchTableWriter::create(name("matches.tsv"));
  ASSERT_TRUE(table->add("a", "b", 1, Verdict::kSame).has_value());
  ASSERT_TRUE(table->add("a", "c", 0.285714, Verdict::kOverlap).has_value());
  ASSERT_TRUE(table->add("b", "c", 0.6, Verdict::kContained).has_value());
  ASSERT_TRUE(table->finish().has_value());
  EXPECT_EQ(content("matches.tsv"), "a\tb\t1.0000\tsame\na\tc\t0.2857\toverlap\nb\tc\t0.6000\tcontained\n");
}

TEST_F(OutputsTest, TablesOfAnEmptyRunAreEmpty) {
  ASSERT_TRUE(ClusterTableWriter::create(name("clusters.tsv"))->finish().has_value());
  EXPECT_TRUE(fs::exists(name("clusters.tsv")));
  EXPECT_EQ(content("clusters.tsv"), "");
}

TEST(Clusters, AreNumberedBySmallestId) {
  // Pages 0 to 4, in the order of ids: 3, 1, 4, 0, 2. Pages 3 and 0 are one cluster, 1 and 2 another.
  const std::vector<std::uint32_t> label = {3, 2, 2, 3, 4};
  const std::vector<std::uint32_t> by_id = {3, 1, 4, 0, 2};
  SpillArray<std::uint32_t> numbers;
  ASSERT_TRUE(number_clusters(label, by_id, numbers).has_value());
  EXPECT_EQ(std::vector(numbers.begin(), numbers.end()), (std::vector<std::uint32_t>{1, 2, 2, 1, 3}));
}

TEST_F(OutputsTest, RemovedRowsNameTheKeptPage) {
  Result<RemovedWriter> writer = RemovedWriter::create(name("removed.jsonl"));
  RemovedRow row;
  row.id = "b";
  row.url = "http://b/";
  row.verdict = Verdict::kContained;
  row.kept_id = "a";
  row.kept_url = "http://a/";
  row.resemblance = 0.41;
  row.containment_removed = 0.97;
  row.containment_kept = 0.42;
  row.reason = "longest";
  row.cluster = 1;
  ASSERT_TRUE(writer->add(row).has_value());
  EXPECT_FALSE(writer->add(row).has_value());
  row.id = "c";
  row.date = "2024-05-02T10:00:00Z";
  row.kept_date = "2024-05-01T10:00:00Z";
  row.file = "x.warc.gz";
  row.offset_bytes = 120;
  ASSERT_TRUE(writer->add(row).has_value());
  ASSERT_TRUE(writer->finish().has_value());
  const std::string verdict = "\"verdict\":\"contained\",\"kept_id\":\"a\",\"kept_url\":\"http://a/\"";
  const std::string same =
      ",\"resemblance\":0.4100,\"containment_removed\":0.9700,\"containment_kept\":0.4200,\"reason\":\"longest\","
      "\"cluster\":1";
  EXPECT_EQ(content("removed.jsonl"), "{\"id\":\"b\",\"url\":\"http://b/\"," + verdict + same +
                                          "}\n{\"id\":\"c\",\"url\":\"http://b/\",\"date\":\"2024-05-02T10:00:00Z\"," +
                                          verdict + ",\"kept_date\":\"2024-05-01T10:00:00Z\"" + same +
                                          ",\"file\":\"x.warc.gz\",\"offset_bytes\":120}\n");
}

TEST_F(OutputsTest, EvidenceHasSpansOfBothTexts) {
  Result<EvidenceWriter> writer = EvidenceWriter::create(name("matches.jsonl"));
  Match match;
  match.verdict = Verdict::kNear;
  match.resemblance = 0.75F;
  match.containment_a = 0.875F;
  match.containment_b = 0.8F;
  match.matched_characters = 211.25F;
  const std::vector<MatchedSpan> spans = {{{0, 40}, {12, 55}, 0, 1, 5, false}, {{41, 60}, {80, 99}, 1, 3, 0, true}};
  ASSERT_TRUE(writer->add({"a", "b", match, spans}).has_value());
  ASSERT_TRUE(writer->finish().has_value());
  EXPECT_EQ(content("matches.jsonl"),
            "{\"id_a\":\"a\",\"id_b\":\"b\",\"verdict\":\"near\",\"resemblance\":0.7500,\"containment_a\":0.8750,"
            "\"containment_b\":0.8000,\"matched_characters\":211.2,\"passages\":["
            "{\"paragraph_a\":0,\"paragraph_b\":1,\"span_a\":[0,40],\"span_b\":[12,55],\"distance_bits\":5,"
            "\"is_sentence\":false},{\"paragraph_a\":1,\"paragraph_b\":3,\"span_a\":[41,60],\"span_b\":[80,99],"
            "\"distance_bits\":0,\"is_sentence\":true}]}\n");
}

TEST(Summary, WritesTimesToASeparateFile) {
  Summary summary;
  summary.version = "0.1.0";
  summary.command = "dedup";
  summary.inputs = {"a.warc"};
  summary.settings = {{"near_resemblance", 0.6, ""}, {"keep", std::string("longest"), "note"}, {"sentences", true, ""}};
  summary.counters = {{"pages", {{"read", std::uint64_t{3}, ""}}}};
  summary.broken = {{"bad-length", 2, {{"a.warc", 17, "short"}}}};
  EXPECT_EQ(summary_json(summary), R"({
  "version": "0.1.0",
  "command": "dedup",
  "inputs": [
    "a.warc"
  ],
  "settings": {
    "near_resemblance": 0.6000,
    "keep": "longest",
    "sentences": true
  },
  "counters": {
    "pages": {
      "read": 3
    }
  },
  "broken": [
    {
      "kind": "bad-length",
      "count": 2,
      "examples": [
        {
          "file": "a.warc",
          "offset_bytes": 17,
          "message": "short"
        }
      ]
    }
  ]
}
)");
  Timing timing;
  timing.seconds = 1.5;
  timing.resources = {{"threads", std::uint64_t{8}, ""}};
  timing.stages = {{"read", 0.25, 0, 3, "pages", 0, 0}};
  EXPECT_EQ(timing_json(timing), R"({
  "seconds": 1.500,
  "peak_memory_bytes": 0,
  "resources": {
    "threads": 8
  },
  "stages": [
    {
      "name": "read",
      "seconds": 0.250,
      "items": 3,
      "unit": "pages"
    }
  ]
}
)");
}

TEST(Summary, LimitsTheNumberOfExamples) {
  Summary summary;
  BrokenKind kind{"bad-length", 5000, {}};
  for (std::uint64_t i = 0; i < 500; ++i) kind.examples.push_back({"f", i, ""});
  summary.broken = {kind};
  const std::string json = summary_json(summary);
  std::size_t examples = 0;
  for (std::size_t at = json.find("\"file\""); at != std::string::npos; at = json.find("\"file\"", at + 1)) ++examples;
  EXPECT_EQ(examples, kBrokenExamplesMaximum);
}

TEST(Summary, FormatsValuesForReaders) {
  EXPECT_EQ(value_text({"", std::uint64_t{12345}, ""}), "12,345");
  EXPECT_EQ(value_text({"", std::int64_t{-12345}, ""}), "-12,345");
  EXPECT_EQ(value_text({"", 0.8, ""}), "0.8000");
  EXPECT_EQ(value_text({"", false, ""}), "no");
}

}  // namespace
}  // namespace paraprint
