// WACZ files as inputs: their WARC files read as if they had been unpacked, and every odd member named and counted.
#include "archive/wacz_input.h"

#include "../zip_bytes.h"
#include "archive/record_writer.h"
#include "archive_testing.h"

namespace paraprint {
namespace {

constexpr std::string_view kPackage = R"({"profile": "data-package", "resources": []})";

class WaczInputTest : public ArchiveTest {
 protected:
  // All inputs of the file, read one after the other; the paths are without the test's folder.
  struct WaczReading : Reading {
    std::vector<std::string> paths;
  };
  static void read(const InputFile& input, Reading& reading, const ReadOptions& options = {}) {
    auto reader = open_records(input, options, [&](Defect defect) { reading.defects.push_back(std::move(defect)); });
    ASSERT_TRUE(reader.has_value()) << reader.error().message;
    while (true) {
      auto record = (*reader)->next();
      ASSERT_TRUE(record.has_value()) << record.error().message;
      if (!record->has_value()) return;
      reading.records.push_back(std::move(**record));
    }
  }
  WaczReading read_path(const std::string& path, const ReadOptions& options = {}) const {
    WaczReading reading;
    const auto inputs = expand_inputs({path});
    EXPECT_TRUE(inputs.has_value()) << (inputs ? "" : inputs.error().message);
    if (!inputs) return reading;
    for (const InputFile& input : *inputs) {
      reading.paths.push_back(std::filesystem::path(input.path).lexically_relative(folder_).string());
      read(input, reading, options);
    }
    return reading;
  }
  WaczReading read_bytes(const std::string& bytes, const ReadOptions& options = {}) const {
    return read_path(write("a.wacz", bytes), options);
  }
  static ZipBytes package() { return ZipBytes().add("datapackage.json", kPackage); }
  static std::string records(int first, int last, bool is_gzip = true) {
    std::string bytes;
    for (int i = first; i <= last; ++i) bytes += is_gzip ? gzip(response_record(i)) : response_record(i);
    return bytes;
  }
  static std::vector<std::string> ids(int first, int last) {
    std::vector<std::string> names;
    for (int i = first; i <= last; ++i) names.push_back(record_id(i));
    return names;
  }
};

TEST_F(WaczInputTest, ReadsItsWarcFilesInTheOrderOfTheirNames) {
  const WaczReading reading = read_bytes(package()
                                             .add("archive/b.warc", records(3, 4, false))
                                             .add("pages/pages.jsonl", "{}\n")
                                             .add("archive/", "")
                                             .add("archive/a.WARC.gz", records(1, 2))
                                             .bytes());
  EXPECT_EQ(reading.paths, (std::vector<std::string>{"a.wacz", "a.wacz/archive/a.WARC.gz", "a.wacz/archive/b.warc"}));
  EXPECT_EQ(reading.ids(), ids(1, 4));
  EXPECT_EQ(reading.defect_counts(), Counts());
}

TEST_F(WaczInputTest, RecordsAndOffsetsAreThoseOfTheUnpackedFile) {
  const std::string stored = records(1, 3) + "stray" + records(4, 9);
  const Reading unpacked = read_archive(write("plain.warc.gz", stored));
  for (const bool is_deflated : {false, true}) {
    for (const bool is_zip64 : {false, true}) {
      ZipBytesOptions options;
      options.is_deflated = is_deflated;
      options.is_zip64 = is_zip64;
      options.has_descriptor = is_zip64;
      const WaczReading packed = read_bytes(package().add("archive/x.warc.gz", stored, options).bytes());
      SCOPED_TRACE(fmt::format("deflated {} zip64 {}", is_deflated, is_zip64));
      ASSERT_EQ(packed.ids(), unpacked.ids());
      EXPECT_EQ(packed.defect_counts(), unpacked.defect_counts());
      for (std::size_t i = 0; i < packed.records.size(); ++i) {
        EXPECT_EQ(packed.records[i].payload, unpacked.records[i].payload);
        EXPECT_EQ(packed.records[i].location.offset_bytes, unpacked.records[i].location.offset_bytes);
        EXPECT_EQ(packed.records[i].location.length_bytes, unpacked.records[i].location.length_bytes);
      }
    }
  }
}

TEST_F(WaczInputTest, IsFoundInFoldersAndByContent) {
  const std::string bytes = package().add("archive/a.warc.gz", records(1, 1)).bytes();
  write("in/deep/x.WACZ", bytes);
  EXPECT_EQ(read_path(name("in")).ids(), ids(1, 1));
  EXPECT_EQ(read_path(write("x.zip", bytes)).ids(), ids(1, 1));
}

TEST_F(WaczInputTest, OneOfItsWarcFilesIsAnInput) {
  write("a.wacz", package().add("archive/a.warc.gz", records(1, 2)).add("archive/b.warc.gz", records(3, 4)).bytes());
  const WaczReading part = read_path(name("a.wacz/archive/b.warc.gz"));
  EXPECT_EQ(part.paths, std::vector<std::string>{"a.wacz/archive/b.warc.gz"});
  EXPECT_EQ(part.ids(), ids(3, 4));
  const auto all = expand_inputs({name("a.wacz/archive/b.warc.gz"), name("a.wacz")});
  ASSERT_TRUE(all.has_value());
  EXPECT_EQ(all->size(), 3U);
  const auto missing = expand_inputs({name("a.wacz/archive/c.warc.gz")});
  ASSERT_FALSE(missing.has_value());
  EXPECT_EQ(missing.error().code, ErrorCode::kNotFound);
  EXPECT_NE(missing.error().message.find("a.wacz contains no WARC file 'archive/c.warc.gz'"), std::string::npos);
}

TEST_F(WaczInputTest, ResumesAtEveryRecord) {
  std::string broken = gzip(response_record(9));
  broken[broken.size() / 2] = static_cast<char>(broken[broken.size() / 2] ^ 0x5A);
  for (const bool is_deflated : {false, true}) {
    ZipBytesOptions options;
    options.is_deflated = is_deflated;
    options.checksum = 1;  // wrong, which must be reported once
    write("a.wacz", package().add("archive/a.warc.gz", records(1, 2) + broken + records(3, 5), options).bytes());
    const auto inputs = expand_inputs({name("a.wacz/archive/a.warc.gz")});
    ASSERT_TRUE(inputs.has_value());
    Reading whole;
    read(inputs->front(), whole);
    ASSERT_EQ(whole.ids(), ids(1, 5));
    Counts expected = read_archive(write("plain.warc.gz", records(1, 2) + broken + records(3, 5))).defect_counts();
    expected["bad-checksum"] = 1;
    EXPECT_EQ(whole.defect_counts(), expected);
    for (std::size_t stop = 0; stop <= whole.records.size(); ++stop) {
      Reading parts;
      const auto sink = [&](Defect defect) { parts.defects.push_back(std::move(defect)); };
      auto first = open_records(inputs->front(), {}, sink);
      for (std::size_t i = 0; i < stop; ++i) parts.records.push_back(std::move(**(*first)->next()));
      auto second = open_records(inputs->front(), {}, sink);
      ASSERT_TRUE((*second)->resume((*first)->position()).has_value());
      while (true) {
        auto record = (*second)->next();
        ASSERT_TRUE(record.has_value());
        if (!record->has_value()) break;
        parts.records.push_back(std::move(**record));
      }
      EXPECT_EQ(parts.ids(), whole.ids()) << stop;
      EXPECT_EQ(parts.defect_counts(), whole.defect_counts()) << stop;
    }
  }
}

TEST_F(WaczInputTest, SurvivorsAreThoseOfTheUnpackedFile) {
  const std::string stored = records(1, 2) + gzip(response_record(3) + response_record(4)) + records(5, 6);
  write("plain.warc.gz", stored);
  std::vector<RemovedPage> removed(2);
  removed[0].ordinal = 1;
  removed[1].ordinal = 3;
  ASSERT_TRUE(write_survivors(input_file(name("plain.warc.gz")), name("expected"), removed, {}, {}).has_value());
  for (const bool is_deflated : {false, true}) {
    ZipBytesOptions options;
    options.is_deflated = is_deflated;
    write("a.wacz", package().add("archive/a.warc.gz", stored, options).bytes());
    const auto inputs = expand_inputs({name("a.wacz")});
    ASSERT_TRUE(inputs.has_value());
    ASSERT_EQ(inputs->size(), 2U);
    const auto counts = write_survivors((*inputs)[1], name("out"), removed, {}, {});
    ASSERT_TRUE(counts.has_value()) << counts.error().message;
    EXPECT_EQ(counts->records_kept, 4U);
    EXPECT_EQ(content(name("out")), content(name("expected")));
    // The WACZ file itself has no records.
    ASSERT_TRUE(write_survivors((*inputs)[0], name("none.wacz"), {}, {}, {}).has_value());
    EXPECT_FALSE(std::filesystem::exists(name("none.wacz")));
  }
}

TEST_F(WaczInputTest, KeepsTheListsOfPages) {
  const std::string pages = "{\"format\": \"json-pages-1.0\"}\n{\"url\": \"http://example.test/1\"}\n";
  write("a.wacz", package().add("archive/a.warc.gz", records(1, 1)).add("pages/pages.jsonl", pages).bytes());
  const auto inputs = expand_inputs({name("a.wacz")});
  ASSERT_TRUE(inputs.has_value());
  for (const InputFile& input : *inputs) {
    const std::string output = name("out/" + input.path.substr(folder_.string().size() + 1));
    std::filesystem::create_directories(std::filesystem::path(output).parent_path());
    ASSERT_TRUE(write_survivors(input, output, {}, {}, {}).has_value());
  }
  EXPECT_EQ(content(name("out/a.wacz/pages/pages.jsonl")), pages);
  // The list is not taken for a file of JSON lines.
  EXPECT_EQ(read_path(name("out")).paths, std::vector<std::string>{"out/a.wacz/archive/a.warc.gz"});
}

TEST_F(WaczInputTest, RefusesNamesThatLeadElsewhere) {
  ZipBytes zip = package();
  const std::vector<std::string> names = {
      "archive/../../x.warc.gz", "/archive/x.warc.gz",  "../x.warc",
      "archive//x.warc",         "archive/./x.warc.gz", "archive\\x.warc.gz",
      "C:/archive/x.warc.gz",    "archive/a\nb.warc",   "archive/" + std::string(256, 'x') + ".warc"};
  for (const std::string& name : names) zip.add(name, records(7, 7));
  zip.add("archive/good.warc.gz", records(1, 2));
  const WaczReading reading = read_bytes(zip.bytes());
  EXPECT_EQ(reading.ids(), ids(1, 2));
  EXPECT_EQ(reading.defect_counts(), (Counts{{"unusable-member", static_cast<int>(names.size())}}));
  EXPECT_EQ(reading.defects[0].file, name("a.wacz"));
  EXPECT_NE(reading.defects[0].message.find("'archive/../../x.warc.gz' is not read: its name could lead out"),
            std::string::npos);
}

TEST_F(WaczInputTest, NoMemberIsAFolderOfAnotherOne) {
  const std::string longest(250, 'n');
  const WaczReading reading = read_bytes(package()
                                             .add("archive/a.warc", records(7, 7, false))
                                             .add("archive/a.warc/b.warc", records(8, 8, false))
                                             .add("archive/a.warc/b.warc/c.warc", records(1, 1, false))
                                             .add("archive/a.warc0", "")
                                             .add("archive/d.warc", records(9, 9, false))
                                             .add("archive/d.warc.partial/e.warc", records(2, 2, false))
                                             .add("archive/" + longest + ".warc", records(9, 9, false))
                                             .add(partial_path("archive/" + longest + ".warc") + "/f.warc", "x")
                                             .add("archive/z.warc", records(3, 3, false))
                                             .bytes());
  EXPECT_EQ(reading.ids(), ids(1, 3));
  EXPECT_EQ(reading.paths.size(), 5U);
  EXPECT_EQ(reading.defect_counts().at("unusable-member"), 5);
  // What is read can be written.
  const auto inputs = expand_inputs({name("a.wacz")});
  ASSERT_TRUE(inputs.has_value());
  for (const InputFile& input : *inputs) {
    const std::string output = name("out/" + input.path.substr(folder_.string().size() + 1));
    std::filesystem::create_directories(std::filesystem::path(output).parent_path());
    ASSERT_TRUE(write_survivors(input, output, {}, {}, {}).has_value()) << input.path;
  }
}

TEST_F(WaczInputTest, NamesMembersThatItCannotRead) {
  ZipBytesOptions encrypted;
  encrypted.flags = 1;
  ZipBytesOptions bzip2;
  bzip2.method = 12;
  ZipBytesOptions far_away;
  far_away.header_offset = 0x7fffffff;
  const WaczReading reading = read_bytes(package()
                                             .add("archive/encrypted.warc.gz", records(7, 7), encrypted)
                                             .add("archive/bzip2.warc.gz", records(7, 7), bzip2)
                                             .add("archive/far.warc.gz", records(7, 7), far_away)
                                             .add("archive/readme.txt", "text")
                                             .add("archive/inner.wacz", package().bytes())
                                             .add("outside.warc.gz", records(7, 7))
                                             .add("archive/twice.warc.gz", records(8, 8))
                                             .add("archive/twice.warc.gz", records(1, 1))
                                             .add("archive/" + std::string(2000, 'n') + ".warc", "x")
                                             .add("archive/z.warc.gz", records(2, 2))
                                             .bytes());
  EXPECT_EQ(reading.ids(), ids(1, 2));
  EXPECT_EQ(reading.defect_counts(), (Counts{{"unusable-member", 8}}));
  std::string messages;
  for (const Defect& defect : reading.defects) messages += describe(defect) + "\n";
  for (const char* part :
       {"'archive/encrypted.warc.gz' is not read: it is encrypted",
        "'archive/bzip2.warc.gz' is not read: its compression", "'archive/far.warc.gz' is not read: the header",
        "'archive/readme.txt' is not read: it is in archive/, but not",
        "'archive/inner.wacz' is not read: a WACZ file within", "'outside.warc.gz' is not read: it is a WARC file out",
        "'archive/twice.warc.gz' is not read: a later member has the same name", "its name has 2013 bytes"}) {
    EXPECT_NE(messages.find(part), std::string::npos) << part << "\n" << messages;
  }
}

TEST_F(WaczInputTest, NamesMissingMembers) {
  EXPECT_EQ(read_bytes(ZipBytes().add("x", "").bytes()).defect_counts(), (Counts{{"missing-member", 2}}));
  const std::string listing = R"({"resources": [{"path": "archive/a.warc.gz"}, {"path": "archive/gone.warc.gz"},
                                                {"path": "pages/pages.jsonl"}, {"name": "x"}, 7]})";
  const WaczReading reading =
      read_bytes(ZipBytes().add("datapackage.json", listing).add("archive/a.warc.gz", records(1, 1)).bytes());
  EXPECT_EQ(reading.ids(), ids(1, 1));
  EXPECT_EQ(reading.defect_counts(), (Counts{{"missing-member", 1}}));
  EXPECT_NE(reading.defects[0].message.find("'archive/gone.warc.gz', which is missing"), std::string::npos);
  const WaczReading broken =
      read_bytes(ZipBytes().add("datapackage.json", "{").add("archive/a.warc.gz", records(1, 1)).bytes());
  EXPECT_EQ(broken.ids(), ids(1, 1));
  EXPECT_EQ(broken.defect_counts(), (Counts{{"bad-json", 1}}));
}

// Compressed, such a list would be small, whatever it takes to say what is wrong with it.
TEST_F(WaczInputTest, BoundsWhatAListOfMembersTakes) {
  const auto listing = [](std::size_t members) {
    std::string text = R"({"resources": [{})";
    for (std::size_t i = 0; i < members; ++i) text += R"(,{"path":"archive/"})";
    return text + "]}";
  };
  ZipBytesOptions deflated;
  deflated.is_deflated = true;
  const WaczReading missing = read_bytes(
      ZipBytes().add("datapackage.json", listing(5000), deflated).add("archive/a.warc.gz", records(1, 1)).bytes());
  EXPECT_EQ(missing.ids(), ids(1, 1));
  ASSERT_EQ(missing.defects.size(), 100U);
  EXPECT_EQ(missing.defects.back().count, 4901U);
  const WaczReading too_long = read_bytes(
      ZipBytes().add("datapackage.json", listing(60'000), deflated).add("archive/a.warc.gz", records(1, 1)).bytes());
  EXPECT_EQ(too_long.ids(), ids(1, 1));
  EXPECT_EQ(too_long.defect_counts(), (Counts{{"unusable-member", 1}}));
}

TEST_F(WaczInputTest, ReportsWrongChecksumsAndBrokenCompression) {
  ZipBytesOptions wrong;
  wrong.checksum = 0x12345678;
  const WaczReading stored = read_bytes(package().add("archive/a.warc.gz", records(1, 2), wrong).bytes());
  EXPECT_EQ(stored.ids(), ids(1, 2));
  EXPECT_EQ(stored.defect_counts(), (Counts{{"bad-checksum", 1}}));
  EXPECT_EQ(stored.defects[0].file, name("a.wacz/archive/a.warc.gz"));

  ZipBytesOptions deflated;
  deflated.is_deflated = true;
  std::string noise;
  for (std::uint32_t i = 0, state = 1; i < 600'000; ++i)
    noise += static_cast<char>('a' + (state = state * 48271 % 0x7fffffff) % 26);
  const std::string large = response_record(1) + response_record(2, http_response(noise)) + response_record(3);
  std::string bytes = package().add("archive/a.warc", large, deflated).bytes();
  const std::size_t middle = bytes.size() / 2;
  for (std::size_t i = 0; i < 64; ++i) bytes[middle + i] = '\x5A';
  const WaczReading broken = read_bytes(bytes);
  ASSERT_GE(broken.records.size(), 1U);
  EXPECT_EQ(broken.records[0].id, record_id(1));
  const Counts counts = broken.defect_counts();
  EXPECT_EQ(counts.count("broken-compression") + counts.count("bad-checksum"), 1U);
}

TEST_F(WaczInputTest, StopsAtABomb) {
  ZipBytesOptions deflated;
  deflated.is_deflated = true;
  const std::string zeros(std::size_t{8} << 20, '0');
  ReadOptions options;
  options.bomb_threshold_bytes = std::uint64_t{1} << 20;
  const WaczReading reading = read_bytes(package()
                                             .add("archive/a.warc", response_record(1) + zeros, deflated)
                                             .add("archive/b.warc.gz", records(2, 3))
                                             .bytes(),
                                         options);
  EXPECT_EQ(reading.ids(), ids(1, 3));
  EXPECT_EQ(reading.defect_counts().at("compression-bomb"), 1);
}

// Each layer keeps to the ratio, and both together do not.
TEST_F(WaczInputTest, LayersOfCompressionAreLimitedTogether) {
  constexpr int kRecords = 1000;
  constexpr std::size_t kZeros = 10'000;
  ReadOptions options;
  options.bomb_threshold_bytes = 1 << 20;
  options.max_expansion_ratio = 100;
  std::string stored;
  for (int i = 0; i < kRecords; ++i) stored += gzip(make_warc_record("resource", {}, std::string(kZeros, '\0')));
  stored += records(1, 3);
  const Reading unpacked = read_archive(write("plain.warc.gz", stored), options);
  EXPECT_EQ(unpacked.records.size(), static_cast<std::size_t>(kRecords + 3));
  EXPECT_FALSE(unpacked.defect_counts().contains("compression-bomb"));
  for (const bool is_deflated : {false, true}) {
    ZipBytesOptions zip_options;
    zip_options.is_deflated = is_deflated;
    const std::string bytes = package().add("archive/a.warc.gz", stored, zip_options).bytes();
    const WaczReading reading = read_bytes(bytes, options);
    EXPECT_EQ(reading.defect_counts().contains("compression-bomb"), is_deflated);
    std::uint64_t content = 0;
    for (const RawRecord& record : reading.records) content += record.content_length_bytes;
    EXPECT_LE(content, options.bomb_threshold_bytes + options.max_expansion_ratio * bytes.size() + 2 * kZeros);
    EXPECT_EQ(reading.records.size() == unpacked.records.size(), !is_deflated);
    EXPECT_FALSE(reading.records.empty());
  }
}

TEST_F(WaczInputTest, MembersMayNotShareBytes) {
  ZipBytes zip = package();
  const auto offset = static_cast<std::uint32_t>(zip.members().size());
  zip.add("archive/a.warc.gz", records(1, 3));
  ZipBytesOptions same;
  same.header_offset = offset;
  zip.add("archive/b.warc.gz", records(1, 3), same).add("archive/c.warc.gz", records(4, 5));
  const WaczReading reading = read_bytes(zip.bytes());
  EXPECT_EQ(reading.ids(), ids(1, 5));
  EXPECT_EQ(reading.defect_counts(), (Counts{{"unusable-member", 1}}));
}

TEST_F(WaczInputTest, SearchesAFileWithoutDirectory) {
  const ZipBytes zip = package()
                           .add("indexes/index.cdx.gz", gzip("com,example)/ 2024 {}\n"))
                           .add("archive/a.warc.gz", records(1, 3))
                           .add("archive/b.warc.gz", records(4, 6));
  const std::string& members = zip.members();
  const WaczReading cut = read_bytes(members.substr(0, members.size() - 40));
  EXPECT_EQ(cut.paths, (std::vector<std::string>{"a.wacz", "a.wacz/recovered.warc.gz"}));
  EXPECT_EQ(cut.defects[0].kind, DefectKind::kBrokenDirectory);
  const std::vector<std::string> found = cut.ids();
  ASSERT_GE(found.size(), 5U);
  EXPECT_EQ(std::vector<std::string>(found.begin(), found.begin() + 5), ids(1, 5));
  // A directory that claims more members than it has is not believed.
  EXPECT_EQ(read_bytes(zip.bytes(9)).ids(), ids(1, 6));
  // What is recovered can be written.
  const auto inputs = expand_inputs({name("a.wacz")});
  ASSERT_TRUE(inputs.has_value());
  ASSERT_TRUE(write_survivors((*inputs)[1], name("out.warc.gz"), {}, {}, {}).has_value());
  EXPECT_EQ(read_archive(name("out.warc.gz")).ids(), ids(1, 6));
}

TEST_F(WaczInputTest, EveryPrefixAndEveryDamagedByteIsSurvived) {
  ZipBytesOptions deflated;
  deflated.is_deflated = true;
  const std::string bytes =
      package().add("archive/a.warc.gz", records(1, 1)).add("archive/b.warc", records(2, 2, false), deflated).bytes();
  for (std::size_t size = 0; size < bytes.size(); size += 3) read_bytes(bytes.substr(0, size));
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 0xff);
    read_bytes(damaged);
  }
}

TEST_F(WaczInputTest, ReadsThousandsOfMembers) {
  constexpr int kMembers = 3000;
  ZipBytes zip = package();
  for (int i = 0; i < kMembers; ++i) zip.add(fmt::format("archive/{:05}.warc", i), response_record(i));
  const WaczReading reading = read_bytes(zip.bytes());
  EXPECT_EQ(reading.ids(), ids(0, kMembers - 1));
  EXPECT_EQ(reading.defect_counts(), Counts());
}

TEST_F(WaczInputTest, OpensOtherMembers) {
  ZipBytesOptions deflated;
  deflated.is_deflated = true;
  const std::string path = write("a.wacz", package().add("pages/pages.jsonl", "{\"url\": 1}\n", deflated).bytes());
  Reading reading;
  const DefectSink sink = [&](Defect defect) { reading.defects.push_back(std::move(defect)); };
  auto window = open_wacz_member(path, "pages/pages.jsonl", {}, nullptr, sink);
  ASSERT_TRUE(window.has_value() && window->has_value());
  ASSERT_TRUE((*window)->ensure(100).has_value());
  EXPECT_EQ((*window)->view(), "{\"url\": 1}\n");
  EXPECT_FALSE(open_wacz_member(path, "pages/other.jsonl", {}, nullptr, sink)->has_value());
  const std::string torn = write("b.wacz", "PK\x03\x04");
  EXPECT_FALSE(open_wacz_member(torn, "pages/pages.jsonl", {}, nullptr, sink)->has_value());
  EXPECT_EQ(reading.defect_counts(), Counts());
}

TEST_F(WaczInputTest, DamagedListsOfPagesAreReportedAndNotUsed) {
  std::string list;
  for (int i = 0; i < 20000; ++i) list += fmt::format("{{\"url\": \"http://example.test/{}\"}}\n", i * 7919 % 20011);
  ZipBytesOptions wrong;
  wrong.checksum = 1;
  ZipBytesOptions encrypted;
  encrypted.flags = 1;
  ZipBytesOptions deflated;
  deflated.is_deflated = true;
  const auto bytes_with = [&](const ZipBytesOptions& options) {
    return package().add("archive/a.warc.gz", records(1, 1)).add("pages/pages.jsonl", list, options).bytes();
  };
  std::string broken = bytes_with(deflated);
  for (std::size_t i = 0; i < 64; ++i) broken[broken.size() / 2 + i] = '\x5A';
  for (const std::string& bytes : {bytes_with(wrong), bytes_with(encrypted), broken}) {
    const WaczReading reading = read_bytes(bytes);
    EXPECT_EQ(reading.ids(), ids(1, 1));
    ASSERT_EQ(reading.defect_counts(), (Counts{{"unusable-member", 1}}));
    EXPECT_EQ(reading.defects[0].file, name("a.wacz"));
    EXPECT_NE(reading.defects[0].message.find("'pages/pages.jsonl' is not read: "), std::string::npos);
    const auto inputs = expand_inputs({name("a.wacz")});
    ASSERT_TRUE(write_survivors(inputs->front(), name("out.wacz"), {}, {}, {}).has_value());
    EXPECT_FALSE(std::filesystem::exists(name("out.wacz")));
  }
  EXPECT_EQ(read_bytes(bytes_with(deflated)).defect_counts(), Counts());
}

}  // namespace
}  // namespace paraprint
