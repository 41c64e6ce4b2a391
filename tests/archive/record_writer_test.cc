// Writing survivors: copied bytes must be identical, repaired records valid, and errors must leave no file.
#include "archive/record_writer.h"

#include "archive/revisit_target.h"
#include "archive_testing.h"

namespace paraprint {
namespace {

class RecordWriterTest : public ArchiveTest {
 protected:
  // `target`: the encoded record that revisit records may refer to, which is record 1.
  WriteCounts survivors(const std::string& path, const std::vector<std::uint64_t>& ordinals,
                        const WriteOptions& options = {}, const std::string& target = {}) const {
    const std::string kept_id = record_id(1);
    std::vector<RemovedPage> removed;
    for (const std::uint64_t ordinal : ordinals) {
      const PageRelation relation = {
          "near", 0.95F, 1, 0.5F, "tie-url", kept_id, "http://example.test/1", "2024-05-01T10:00:00Z"};
      removed.push_back({ordinal, relation, target});
    }
    const auto counts = write_survivors(input_file(path), name("out"), removed, {}, options);
    EXPECT_TRUE(counts.has_value()) << (counts ? "" : counts.error().message);
    return counts.value_or(WriteCounts{});
  }
  // The target that the first record of `stored` makes; empty if it must not be referred to.
  std::string target_in(const std::string& stored) const {
    const auto targets =
        read_revisit_targets(input_file(write("targets.warc", stored)), std::vector<std::uint64_t>{0}, {}, false);
    EXPECT_TRUE(targets.has_value()) << (targets ? "" : targets.error().message);
    return targets->front();
  }
  std::string output() const { return content(name("out")); }
};

TEST_F(RecordWriterTest, CopiesMembersByteForByte) {
  for (const bool is_zstd : {false, true}) {
    const auto pack = [&](const std::string& record) { return is_zstd ? zstd(record) : gzip(record, 9); };
    const std::string stored =
        pack(response_record(1)) + pack(response_record(2)) + pack(response_record(3)) + pack(response_record(4));
    const WriteCounts counts = survivors(write("a.warc.x", stored), {1});
    EXPECT_EQ(output(), pack(response_record(1)) + pack(response_record(3)) + pack(response_record(4)));
    EXPECT_EQ(counts.records_kept, 3U);
    EXPECT_EQ(counts.pages_removed, 1U);
    EXPECT_EQ(counts.records_rewritten, 0U);
    EXPECT_EQ(counts.bytes_written, output().size());
  }
}

TEST_F(RecordWriterTest, RemovingNothingReproducesTheFile) {
  for (const std::string& stored :
       {response_record(1) + response_record(2), gzip(response_record(1)) + gzip(response_record(2)),
        std::string("{\"text\":\"a\"}\n{\"text\":\"b\"}\n")}) {
    survivors(write("a", stored), {});
    EXPECT_EQ(output(), stored);
  }
}

TEST_F(RecordWriterTest, KeepsUncompressedFilesUncompressed) {
  survivors(write("a.warc", response_record(1) + "garbage" + response_record(2) + response_record(3)), {2});
  EXPECT_EQ(output(), response_record(1) + response_record(2));
}

TEST_F(RecordWriterTest, SplitsOneMemberIntoMembers) {
  const WriteCounts counts =
      survivors(write("a.warc.gz", gzip(response_record(1) + response_record(2) + response_record(3))), {0});
  EXPECT_EQ(counts.records_rewritten, 2U);
  const Reading reading = read_archive(name("out"));
  EXPECT_EQ(reading.ids(), (std::vector<std::string>{record_id(2), record_id(3)}));
  EXPECT_TRUE(reading.defects.empty());
  EXPECT_GT(reading.records[0].location.length_bytes, 0U);
}

TEST_F(RecordWriterTest, KeepsLinesVerbatim) {
  const std::string a = "{ \"id\":\"a\",  \"text\":\"\\u82f9\", \"other\":1.50}\n";
  const std::string b = "{\"id\":\"b\",\"text\":\"b\"}\r\n";
  const std::string no_page = "{\"id\":\"n\"}\n";
  const std::string last = "{\"id\":\"c\",\"text\":\"c\"}";
  const std::string stored = a + b + "broken\n" + no_page + last;
  survivors(write("a.jsonl", stored), {1});
  EXPECT_EQ(output(), a + no_page + last);
  survivors(write("a.jsonl.gz", gzip(stored)), {1});
  EXPECT_EQ(read_archive(name("out")).ids(), (std::vector<std::string>{"a", "n", "c"}));
  write("plain", a + no_page + last);
  EXPECT_EQ(std::system(("gzip -dc < " + name("out") + " | cmp - " + name("plain")).c_str()), 0);
}

TEST_F(RecordWriterTest, LinesCutOffByDamageAreNotJoined) {
  const auto line = [](std::string_view id) { return fmt::format("{{\"id\":\"{0}\",\"text\":\"{0}\"}}", id); };
  // Neither member ends at a line end, and stray bytes are a break between lines.
  const std::string stored = gzip(line("a") + "\n" + line("b")) + "stray" + gzip(line("c") + "\n" + line("d"));
  const std::string path = write("a.jsonl.gz", stored);
  ASSERT_EQ(read_archive(path).ids(), (std::vector<std::string>{"a", "b", "c", "d"}));
  const std::vector<std::pair<std::vector<std::uint64_t>, std::vector<std::string>>> cases = {
      {{}, {"a", "b", "c", "d"}}, {{0}, {"b", "c", "d"}}, {{1}, {"a", "c", "d"}}, {{2}, {"a", "b", "d"}},
      {{0, 2}, {"b", "d"}},       {{2, 3}, {"a", "b"}},   {{0, 1, 3}, {"c"}}};
  for (const auto& [removed, kept] : cases) {
    survivors(path, removed);
    const Reading reading = read_archive(name("out"));
    EXPECT_EQ(reading.ids(), kept);
    EXPECT_TRUE(reading.defects.empty());
  }
  // Members of one line each are copied as they are stored.
  survivors(write("b.jsonl.gz", gzip(line("a")) + "stray" + gzip(line("b") + "\n")), {});
  EXPECT_EQ(read_archive(name("out")).ids(), (std::vector<std::string>{"a", "b"}));
}

TEST_F(RecordWriterTest, RemovesCompanionsOfRemovedPages) {
  const std::string page_naming_its_request =
      replaced(response_record(5), "WARC-Date:", fmt::format("WARC-Concurrent-To: <{}>\r\nWARC-Date:", record_id(6)));
  const std::string request_before =
      replaced(request_record(6, 0), fmt::format("WARC-Concurrent-To: <{}>\r\n", record_id(0)), "");
  const std::string stored = response_record(1) + request_record(2, 1) + response_record(3) + request_record(4, 3) +
                             request_before + page_naming_its_request;
  const std::string path = write("a.warc", stored);
  WriteCounts counts = survivors(path, {2, 5});
  EXPECT_EQ(read_archive(name("out")).ids(), (std::vector<std::string>{record_id(1), record_id(2)}));
  EXPECT_EQ(counts.companions_removed, 2U);
  WriteOptions keep;
  keep.drop_companions = false;
  counts = survivors(path, {2, 5}, keep);
  EXPECT_EQ(read_archive(name("out")).records.size(), 4U);
}

// A response with the payload of record 1, but its own address and header.
std::string equal_record(int number) {
  return response_record(number, http_response("<html><p>Page 1</p></html>", "X-Server: other\r\n"));
}

// Of two pages with one id, one is removed: nobody can say whose request it was, so it stays.
TEST_F(RecordWriterTest, KeepsCompanionsOfPagesWithARepeatedId) {
  const std::string again = replaced(response_record(1), "Page 1", "Page X");
  const std::string original = "<" + record_id(1) + ">";
  const std::string metadata =
      make_warc_record("metadata", {{"WARC-Record-ID", "<urn:m>"}, {"WARC-Refers-To", original}}, "x");
  for (const std::uint64_t ordinal : {1, 3}) {
    const std::string path = write("a.warc", request_record(5, 1) + response_record(1) + metadata + again +
                                                 request_record(6, 2) + response_record(2));
    std::vector<RemovedPage> removed(2);
    removed[0].ordinal = ordinal;
    removed[1].ordinal = 5;
    const auto counts = write_survivors(input_file(path), name("out.warc"), removed, {}, {});
    ASSERT_TRUE(counts) << counts.error().message;
    EXPECT_EQ(counts->companions_removed, 1U);
    EXPECT_EQ(content(name("out.warc")),
              request_record(5, 1) + (ordinal == 1 ? "" : response_record(1)) + metadata + (ordinal == 3 ? "" : again));
  }
}

TEST_F(RecordWriterTest, ReplacesPagesOfEqualPayloadByRevisits) {
  WriteOptions options;
  options.write_revisits = true;
  const std::string target = target_in(response_record(1));
  for (const bool is_old : {false, true}) {
    for (const bool is_compressed : {false, true}) {
      const auto pack = [&](const std::string& record) { return is_compressed ? gzip(record) : record; };
      const std::string version = is_old ? "WARC/1.0" : "WARC/1.1";
      const std::string equal = replaced(equal_record(2), "WARC/1.1", version);
      const WriteCounts counts = survivors(
          write("a.warc", pack(response_record(1)) + pack(equal) + pack(request_record(3, 2))), {1}, options, target);
      EXPECT_EQ(counts.revisits_written, 1U);
      EXPECT_EQ(counts.relations_written, 0U);
      EXPECT_EQ(counts.companions_removed, 0U);
      const Reading reading = read_archive(name("out"));
      EXPECT_TRUE(reading.defects.empty());
      ASSERT_EQ(reading.ids(), (std::vector<std::string>{record_id(1), record_id(2), record_id(3)}));
      EXPECT_EQ(reading.records[1].kind, RecordKind::kRevisit);
      EXPECT_EQ(reading.records[1].refers_to, record_id(1));
      if (is_compressed) continue;
      // The digest is that of `printf '<html><p>Page 1</p></html>' | sha1sum`, in base 32.
      const std::string profile =
          fmt::format("http://netpreserve.org/warc/{}/revisit/identical-payload-digest", is_old ? "1.0" : "1.1");
      const std::string expected = make_warc_record("revisit",
                                                    {{"WARC-Record-ID", fmt::format("<{}>", record_id(2))},
                                                     {"WARC-Date", "2024-05-01T10:00:00Z"},
                                                     {"WARC-Target-URI", "http://example.test/2"},
                                                     {"WARC-Profile", profile},
                                                     {"WARC-Refers-To", fmt::format("<{}>", record_id(1))},
                                                     {"WARC-Refers-To-Target-URI", "http://example.test/1"},
                                                     {"WARC-Refers-To-Date", "2024-05-01T10:00:00Z"},
                                                     {"WARC-Payload-Digest", "sha1:IFFOHVOH5NMAEU3JR5IQHLJ3XZLH4NUX"},
                                                     {"Content-Type", "application/http; msgtype=response"}},
                                                    http_response("", "X-Server: other\r\n"), version);
      EXPECT_NE(output().find(expected), std::string::npos) << output();
    }
  }
}

// Their body is not in the output, so nothing that players resolve may take their place, and nothing may belong to
// them.
TEST_F(RecordWriterTest, ReplacesOtherPagesByTheirRelation) {
  WriteOptions options;
  options.write_revisits = true;
  const std::string target = target_in(response_record(1));
  const std::string body = "<html><p>Page 1</p></html>";
  const std::string others[] = {
      response_record(2),
      response_record(2, http_response(body, "Content-Encoding: x\r\n")),
      response_record(2, http_response(body + "\n")),
      response_record(2, body),
      replaced(equal_record(2), "200 OK", "404 Not Found"),
      replaced(equal_record(2), "200 OK", "301 Moved Permanently"),
      replaced(equal_record(2), "WARC-Date:", "WARC-Truncated: length\r\nWARC-Date:"),
      replaced(equal_record(2), "WARC-Date: 2024-05-01T10:00:00Z", "WARC-Date: unknown"),
  };
  for (const std::string& other : others) {
    SCOPED_TRACE(other);
    const WriteCounts counts =
        survivors(write("a.warc", request_record(3, 2) + other + response_record(1)), {1}, options, target);
    EXPECT_EQ(counts.revisits_written, 0U);
    EXPECT_EQ(counts.relations_written, 1U);
    EXPECT_EQ(counts.companions_removed, 1U);
    const Reading reading = read_archive(name("out"));
    ASSERT_EQ(reading.records.size(), 2U);
    EXPECT_EQ(reading.records[0].kind, RecordKind::kMetadata);
    EXPECT_EQ(reading.records[0].refers_to, record_id(2));
    EXPECT_NE(reading.records[0].id, record_id(2));
    EXPECT_EQ(reading.records[0].url, "http://example.test/2");
    EXPECT_NE(
        output().find("Content-Type: application/warc-fields\r\nContent-Length: 220\r\n\r\n"
                      "verdict: near\r\nreason: tie-url\r\nresemblance: 0.9500\r\ncontainment: 1.0000\r\n"
                      "containmentOfKept: 0.5000\r\nkeptId: " +
                      record_id(1) + "\r\nkeptUri: http://example.test/1\r\nkeptDate: 2024-05-01T10:00:00Z\r\n\r\n"),
        std::string::npos)
        << output();
  }
  // Without a record that may be referred to, even an equal payload is left out.
  survivors(write("a.warc", equal_record(2) + response_record(1)), {0}, options);
  EXPECT_EQ(read_archive(name("out")).records[0].kind, RecordKind::kMetadata);
}

TEST_F(RecordWriterTest, RefersOnlyToWholeCapturesThatPlayersFind) {
  const std::string page = response_record(1);
  EXPECT_NE(target_in(page), "");
  EXPECT_EQ(target_in(replaced(page, "WARC-Date:", "WARC-Truncated: length\r\nWARC-Date:")), "");
  EXPECT_EQ(target_in(replaced(page, "WARC-Date: 2024-05-01T10:00:00Z\r\n", "")), "");
  EXPECT_EQ(target_in(replaced(page, "WARC-Target-URI: http://example.test/1\r\n", "")), "");
  EXPECT_EQ(target_in(replaced(page, "WARC-Type: response", "WARC-Type: conversion")), "");
  EXPECT_EQ(target_in(replaced(page, "200 OK", "302 Found")), "");
  EXPECT_EQ(target_in(replaced(page, "WARC-Target-URI: http://example.test/1", "WARC-Target-URI: http://x.test/?*")),
            "");
  // Another answer of the same address and second: players cannot tell the two apart.
  const std::string other = response_record(1, http_response("another"));
  EXPECT_EQ(target_in(page + other), "");
  EXPECT_EQ(target_in(page + replaced(other, "10:00:00Z", "10:00:00.5Z")), "");
  EXPECT_NE(target_in(page + replaced(other, "10:00:00Z", "10:00:01Z")), "");
  EXPECT_NE(target_in(page + page), "");
}

// Indexes join by the digest that the target states, in whatever form. Equality is decided by the bytes.
TEST_F(RecordWriterTest, RepeatsDateAndDigestOfTheTargetAsStated) {
  const std::string stated = "WARC-Payload-Digest: sha1:LIE\r\nWARC-Date: 2024-05-01T10:00:00.123456Z";
  const std::string target = target_in(replaced(response_record(1), "WARC-Date: 2024-05-01T10:00:00Z", stated));
  WriteOptions options;
  options.write_revisits = true;
  const auto lying = [](const std::string& record) {
    return replaced(record, "WARC-Date:", "WARC-Payload-Digest: sha1:LIE\r\nWARC-Date:");
  };
  const WriteCounts counts =
      survivors(write("a.warc", lying(equal_record(2)) + lying(response_record(3))), {0, 1}, options, target);
  EXPECT_EQ(counts.revisits_written, 1U);
  EXPECT_EQ(counts.relations_written, 1U);
  EXPECT_NE(output().find("WARC-Payload-Digest: sha1:LIE\r\n"), std::string::npos);
  EXPECT_NE(output().find("WARC-Refers-To-Date: 2024-05-01T10:00:00.123456Z\r\n"), std::string::npos);
}

TEST_F(RecordWriterTest, RepairsBrokenRecords) {
  const std::string length = std::to_string(http_response("<html><p>Page 1</p></html>").size());
  const std::string wrong = replaced(response_record(1), "Content-Length: " + length, "Content-Length: 9999");
  for (const bool is_compressed : {false, true}) {
    const std::string stored = is_compressed ? gzip(wrong) + gzip(response_record(2)) : wrong + response_record(2);
    const WriteCounts counts = survivors(write("a.warc", stored), {});
    EXPECT_EQ(counts.records_rewritten, 1U);
    const Reading reading = read_archive(name("out"));
    EXPECT_TRUE(reading.defects.empty());
    EXPECT_EQ(reading.ids(), (std::vector<std::string>{record_id(1), record_id(2)}));
    EXPECT_EQ(reading.records[0].payload, http_response("<html><p>Page 1</p></html>"));
  }
}

// Players find a payload by its digest: one that is not that of the bytes would put them in place of others.
TEST_F(RecordWriterTest, RepairedRecordsStateNoDigest) {
  const std::string length = std::to_string(http_response("<html><p>Page 1</p></html>").size());
  const std::string stated = "WARC-Payload-Digest: sha1:A\r\nwarc-block-digest: sha1:\r\n B\r\nContent-Length: ";
  const std::string wrong = replaced(response_record(1), "Content-Length: " + length, stated + "9999");
  survivors(write("a.warc", wrong + response_record(2)), {});
  EXPECT_EQ(output(), response_record(1) + response_record(2));
}

TEST_F(RecordWriterTest, RepairedHeadersHaveOneKindOfLineEnd) {
  const std::string record = response_record(1);
  const std::size_t header_bytes = record.find("\r\n\r\n") + 4;
  std::string header = record.substr(0, header_bytes);
  std::erase(header, '\r');
  const std::string length = std::to_string(http_response("<html><p>Page 1</p></html>").size());
  survivors(write("a.warc", replaced(header, "Content-Length: " + length, "Content-Length: 9999") +
                                record.substr(header_bytes) + response_record(2)),
            {});
  EXPECT_EQ(output(), record + response_record(2));
}

TEST_F(RecordWriterTest, RepairedHeadersAreWholeBehindALineOfSpaces) {
  const std::string length = std::to_string(http_response("<html><p>Page 1</p></html>").size());
  for (const std::string_view blank : {" \r\n", "\t\n", " \t \r\r\n"}) {
    const std::string wrong =
        replaced(replaced(response_record(1), "Content-Length: " + length, "Content-Length: 9999"), "WARC-Record-ID",
                 std::string(blank) + "WARC-Record-ID");
    survivors(write("a.warc", wrong + response_record(2)), {});
    EXPECT_EQ(output(), response_record(1) + response_record(2));
  }
}

// Any URI is an id; only the name of a place is none.
TEST_F(RecordWriterTest, RevisitRecordsKeepIdsWithAnAt) {
  WriteOptions options;
  options.write_revisits = true;
  const std::string target = target_in(response_record(1));
  const std::string named = replaced(equal_record(2), record_id(2), "mailto:record@archive.test");
  EXPECT_EQ(survivors(write("a:b.warc", named), {0}, options, target).revisits_written, 1U);
  EXPECT_NE(output().find("WARC-Record-ID: <mailto:record@archive.test>\r\n"), std::string::npos) << output();
  EXPECT_EQ(survivors(write("a:b.warc", replaced(named, "WARC-Record-ID", "X-Record-ID")), {0}, options, target)
                .revisits_written,
            1U);
  EXPECT_EQ(output().find("WARC-Record-ID"), std::string::npos) << output();
}

// They are reported, and the bytes of the records stay as they are.
TEST_F(RecordWriterTest, KeepsRecordsWithLongNames) {
  const std::string long_url = "http://example.test/" + std::string(kPageNameBytesMaximum, 'u');
  const std::string stored = replaced(response_record(1), "http://example.test/1", long_url) + response_record(2);
  survivors(write("a.warc", stored), {1});
  EXPECT_EQ(output(), stored.substr(0, stored.size() - response_record(2).size()));
}

TEST_F(RecordWriterTest, CopiesPageFolders) {
  write("in/a.html", "<p>a");
  write("in/deep/b.html", "<p>b");
  write("in/deep/c.html", "<p>c");
  const auto inputs = expand_inputs({name("in")});
  const auto counts = write_survivors((*inputs)[0], name("out"), std::vector<RemovedPage>{{.ordinal = 1}}, {}, {});
  ASSERT_TRUE(counts.has_value()) << counts.error().message;
  EXPECT_EQ(counts->records_kept, 2U);
  EXPECT_EQ(content(name("out/a.html")), "<p>a");
  EXPECT_FALSE(std::filesystem::exists(name("out/deep/b.html")));
  EXPECT_EQ(content(name("out/deep/c.html")), "<p>c");
}

TEST_F(RecordWriterTest, CopiesZstdDictionary) {
  const std::string dictionary = response_record(9) + response_record(8);
  std::string frame = "\x5d\x2a\x4d\x18";
  for (int shift = 0; shift < 32; shift += 8) frame += static_cast<char>(dictionary.size() >> shift);
  frame += dictionary;
  survivors(write("a.warc.zst", frame + zstd(response_record(1), dictionary) + zstd(response_record(2), dictionary)),
            {0});
  EXPECT_EQ(output(), frame + zstd(response_record(2), dictionary));
}

// Whether it is above or below the limit, what is there of a record that the file ends in is copied, with its length.
TEST_F(RecordWriterTest, KeepsTheLastRecordOfACutFile) {
  std::string body;  // that does not compress well, so that much of it is there
  for (std::uint64_t state = 1; body.size() < 20'000; state = state * 6364136223846793005U + 1442695040888963407U) {
    body += static_cast<char>('a' + (state >> 33) % 26);
  }
  const std::string last = response_record(2, http_response(body));
  for (const bool is_compressed : {false, true}) {
    const auto pack = [&](const std::string& record) { return is_compressed ? gzip(record) : record; };
    std::string stored = pack(response_record(1)) + pack(last);
    stored.resize(stored.size() - pack(last).size() / 2);
    const std::string path = write("a.warc", stored);
    std::vector<std::string> kept;
    for (const std::uint64_t limit : {1'000'000, 2000}) {
      SCOPED_TRACE(fmt::format("{} {}", is_compressed, limit));
      ReadOptions options;
      options.max_record_bytes = limit;
      const Reading input = read_archive(path, options);
      ASSERT_EQ(input.ids(), (std::vector<std::string>{record_id(1), record_id(2)}));
      EXPECT_EQ(input.records[1].is_oversized, limit == 2000);
      EXPECT_TRUE(input.records[1].is_truncated);
      EXPECT_EQ(input.defect_counts().at("truncated-record"), 1);
      const auto counts = write_survivors(input_file(path), name("out.warc"), {}, options, {});
      ASSERT_TRUE(counts) << counts.error().message;
      EXPECT_EQ(counts->records_kept, 2U);
      const Reading reading = read_archive(name("out.warc"));
      EXPECT_TRUE(reading.defects.empty());
      ASSERT_EQ(reading.ids(), (std::vector<std::string>{record_id(1), record_id(2)}));
      EXPECT_TRUE(reading.records[1].is_truncated);
      kept.push_back(reading.records[1].payload);
      EXPECT_GT(kept.back().size(), 5000U);
      EXPECT_TRUE(http_response(body).starts_with(kept.back()));
    }
    EXPECT_EQ(kept[0], kept[1]);
  }
}

TEST_F(RecordWriterTest, KeepsTheLastRecordOfACutArcFile) {
  const std::string text = "HTTP/1.1 200 OK\r\n\r\n" + std::string(5000, 'x');
  const std::string line = fmt::format("http://x.test/ 192.0.2.1 20240501100000 text/html {}\n", text.size() + 1000);
  const std::string version = "1 0 Made-up\nURL IP-address Archive-date Content-type Archive-length\n";
  const std::string first =
      fmt::format("filedesc://x.arc 0.0.0.0 20240501100000 text/plain {}\n{}\n", version.size(), version);
  ReadOptions options;
  options.max_record_bytes = 2000;
  const auto counts =
      write_survivors(input_file(write("a.arc", first + line + text)), name("out.arc"), {}, options, {});
  ASSERT_TRUE(counts) << counts.error().message;
  const std::string whole = replaced(line, std::to_string(text.size() + 1000), std::to_string(text.size()));
  EXPECT_EQ(content(name("out.arc")), first + whole + text + "\n");
}

// A note about each page.
class EveryPageNoted final : public RecordNotes {
 public:
  Result<std::optional<std::string_view>> edit_line(const RawRecord&, std::string_view) override {
    return std::optional<std::string_view>{};
  }
  std::string fields(const RawRecord&) override { return warc_fields({{"note", "x"}}); }
};

TEST_F(RecordWriterTest, SeparatesNotesFromRecordsWithoutLineEnds) {
  EveryPageNoted notes;
  WriteOptions options;
  options.notes = &notes;
  for (const std::size_t missing : {0, 2, 4}) {
    std::string stored = response_record(1) + response_record(2);
    stored.resize(stored.size() - missing);
    EXPECT_EQ(survivors(write("a.warc", stored), {}, options).notes_written, 2U);
    const std::string second = response_record(2);
    const std::size_t at = output().find(second);
    ASSERT_NE(at, std::string::npos) << missing;
    EXPECT_TRUE(output().substr(at + second.size()).starts_with("WARC/1.1\r\nWARC-Type: metadata\r\n"));
    EXPECT_TRUE(read_archive(name("out")).defects.empty());
  }
}

TEST_F(RecordWriterTest, ChangedInputsAreErrors) {
  const std::string path = write("in/a.jsonl", "{\"id\":\"a\",\"text\":\"a\"}\n{\"id\":\"b\",\"text\":\"b\"}\n");
  write("in/b.html", "<p>b");
  write("in/deep/c.html", "<p>c");
  const auto inputs = expand_inputs({name("in")});
  ASSERT_EQ(inputs->size(), 2U);
  const auto error_of = [&](const InputFile& input) {
    const auto counts = write_survivors(input, name("out"), std::vector<RemovedPage>{{.ordinal = 0}}, {}, {});
    EXPECT_EQ(counts ? ErrorCode::kUnsupported : counts.error().code, ErrorCode::kCorruptData);
    return counts ? "" : counts.error().message;
  };
  write("in/new", "{\"id\":\"b\",\"text\":\"b\"}\n{\"id\":\"a\",\"text\":\"a\"}\n");
  std::filesystem::rename(name("in/new"), path);
  EXPECT_NE(error_of((*inputs)[1]).find(path), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(name("out")));

  std::filesystem::remove(name("in/deep/c.html"));
  EXPECT_NE(error_of((*inputs)[0]).find(name("in/deep/c.html")), std::string::npos);
}

TEST_F(RecordWriterTest, WrongOrdinalWritesNothing) {
  const auto counts = write_survivors(input_file(write("a.warc", response_record(1))), name("out"),
                                      std::vector<RemovedPage>{{.ordinal = 7}}, {}, {});
  ASSERT_FALSE(counts.has_value());
  EXPECT_EQ(counts.error().code, ErrorCode::kInvalidArgument);
  EXPECT_FALSE(std::filesystem::exists(name("out")));
}

TEST_F(RecordWriterTest, FullDiskIsNoSpaceAndNamesTheFile) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "/dev/full does not exist";
  std::filesystem::create_symlink("/dev/full", name("out.partial"));
  const auto counts = write_survivors(input_file(write("a.warc", response_record(1))), name("out"), {}, {}, {});
  ASSERT_FALSE(counts.has_value());
  EXPECT_EQ(counts.error().code, ErrorCode::kNoSpace);
  EXPECT_NE(counts.error().message.find(name("out")), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(name("out")));
}

TEST_F(RecordWriterTest, RejectsMissingFolderAndStandardInput) {
  const auto missing = write_survivors(input_file(write("a.warc", response_record(1))), name("no/out"), {}, {}, {});
  ASSERT_FALSE(missing.has_value());
  EXPECT_EQ(missing.error().code, ErrorCode::kNotFound);
  InputFile standard_input;
  standard_input.kind = InputKind::kStandardInput;
  standard_input.path = "-";
  EXPECT_EQ(write_survivors(standard_input, name("out"), {}, {}, {}).error().code, ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace paraprint
