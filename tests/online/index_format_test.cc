// The bytes of an index: a small one is made of the same pages each time, and the bytes of each of its parts have the
// hash that is recorded for the versions of this build. Whoever changes a format therefore has to raise its version,
// which index_format.h does not let pass without a new version of the folder and a step of migration.
//
// data/index_format_N.txt has a line per part: its name, its version, and the hash of its bytes. The test prints the
// lines as they are now if they differ.
#include "online/index_format.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <rocksdb/db.h>

#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "base/atomic_file.h"
#include "base/hash.h"
#include "online/generated_profiles.h"
#include "paraprint/index.h"
#include "temporary_folder.h"

namespace paraprint {
namespace {

using ::testing::HasSubstr;

// Their 145 texts fill two heads of 64, which become search tables.
constexpr std::uint64_t kPages = 160;
constexpr std::uint64_t kLaterPages = 20;

std::string hash_of(std::string_view bytes) {
  return fmt::format("{:016x}", hash64(bytes));
}

IndexOptions options_of(const std::string& algorithm) {
  IndexOptions options;
  options.identity = "test";
  options.algorithm = algorithm;
  options.sync = SyncMode::kNone;
  options.head_pages = 64;
  return options;
}

// Pages of a few sites, with copies, mirrors, replaced and deleted pages, a frame that becomes template, and every kind
// of name. Single steps are random, but the same in each run. Texts are replaced and removed only after the tables have
// been written: what a head has lost before then depends on when the background writes it.
void fill(PageIndex& index, bool with_fingerprints) {
  ArticleGenerator generator(11);
  const ArticleGenerator::Article frame = generator.article(2);
  std::vector<ArticleGenerator::Article> articles;
  for (std::uint64_t number = 0; number < kPages + kLaterPages; ++number) {
    // Whatever the background has done before: one file of search tables.
    if (number == kPages) ASSERT_TRUE(index.compact());
    if (articles.empty() || number % 3 != 0) {
      articles.push_back(generator.article(1 + generator.below(6)));
    } else {
      articles.push_back(generator.edited(articles[generator.below(articles.size())], 1));
    }
    ArticleGenerator::Article article = number % 10 == 9 ? articles.front() : articles.back();
    article.paragraphs.insert(article.paragraphs.end(), frame.paragraphs.begin(), frame.paragraphs.end());
    const Profile profile = ArticleGenerator::profile_of(article);
    PageFingerprint fingerprint;
    fingerprint.state = FingerprintState::kUsable;
    fingerprint.text_hash = profile.text_hash;
    fingerprint.values = {article.paragraphs.front().simhash.high};
    // The id is the URL, or another name, or there is no URL.
    const std::string url = fmt::format("https://site{}.example/{}", number % 4, number % kPages);
    const std::string id = number % 5 == 0 ? fmt::format("page-{}", number) : std::string();
    IndexPageInput input;
    input.id = id;
    if (number % 15 != 0) input.url = url;
    input.date = number % 2 == 0 ? "2026-05-01T10:00:00Z" : "";
    input.seen_at_seconds = 1'700'000'000 + number * 1000;
    input.profile = &profile;
    if (with_fingerprints) input.fingerprint = &fingerprint;
    std::string origin;
    if (number % 7 == 0) {
      OriginRecord record;
      record.stated.metadata.date_published = "2026-05-01";
      record.stated.metadata.source_url = "https://example.org/";
      record.stated.date_place = DatePlace::kMeta;
      record.stated.linked = {{number}, {number + 1}};
      record.marks = {{3, 4}, {5, 6}};
      encode_origin(record, origin);
      input.origin = origin;
    }
    const Result<AddOutcome> added = index.lookup_or_add(input, {});
    ASSERT_TRUE(added) << added.error().message;
  }
  for (const char* id : {"page-35", "https://site1.example/41"}) ASSERT_TRUE(index.remove(id));
}

// The entries of each column family, keys and values with their sizes.
std::map<std::string, std::string> database_entries(const std::string& folder) {
  std::vector<std::string> names;
  EXPECT_TRUE(rocksdb::DB::ListColumnFamilies({}, folder, &names).ok());
  std::vector<rocksdb::ColumnFamilyDescriptor> descriptors;
  for (const std::string& name : names) descriptors.emplace_back(name, rocksdb::ColumnFamilyOptions());
  std::vector<rocksdb::ColumnFamilyHandle*> handles;
  rocksdb::DB* opened = nullptr;
  EXPECT_TRUE(rocksdb::DB::OpenForReadOnly({}, folder, descriptors, &handles, &opened).ok());
  const std::unique_ptr<rocksdb::DB> database(opened);
  std::map<std::string, std::string> entries;
  for (std::size_t i = 0; i < names.size(); ++i) {
    std::string& bytes = entries[names[i]];
    const std::unique_ptr<rocksdb::Iterator> at(database->NewIterator({}, handles[i]));
    for (at->SeekToFirst(); at->Valid(); at->Next()) {
      bytes += fmt::format("{} {}\n", at->key().size(), at->value().size());
      bytes.append(at->key().data(), at->key().size()).append(at->value().data(), at->value().size());
    }
    database->DestroyColumnFamilyHandle(handles[i]);
  }
  return entries;
}

std::string bytes_of_files(const std::string& folder, std::string_view ending) {
  std::string bytes;
  const Result<std::vector<std::string>> names = names_in_folder(folder);
  for (const std::string& name : names.value_or(std::vector<std::string>())) {
    const std::string path = fmt::format("{}/{}", folder, name);
    if (name.ends_with(ending)) bytes += read_whole_file(path).value_or("");
  }
  return bytes;
}

// The lines of a folder: part, version, hash.
void append_parts(const std::string& folder, std::string_view prefix, std::uint32_t tables_version,
                  std::string& lines) {
  std::map<std::string, std::string> entries = database_entries(folder + "/database");
  const auto add = [&](std::string_view part, std::uint32_t version, std::string_view bytes) {
    EXPECT_FALSE(bytes.empty()) << part;
    lines += fmt::format("{}{} {} {}\n", prefix, part, version, hash_of(bytes));
  };
  add("settings", kIndexSettingsFormatVersion, entries["default"]);
  for (const char* table : {"pages", "texts", "members", "urls", "clusters"}) {
    add(table, kIndexRecordFormatVersion, entries[table]);
  }
  add("origins", kOriginFormatVersion, entries["origins"]);
  EXPECT_EQ(entries.size(), 7U) << "a column family without a line here";
  add("search-tables", tables_version, bytes_of_files(folder + "/tables", ".tables"));
}

std::string parts_of_this_build() {
  const TemporaryFolder folder;
  std::string lines;
  {
    auto index = PageIndex::open(folder / "paragraphs", options_of(""));
    EXPECT_TRUE(index) << index.error().message;
    fill(**index, false);
    auto by_algorithm = PageIndex::open(folder / "simhashes", options_of("simhash-64"));
    EXPECT_TRUE(by_algorithm) << by_algorithm.error().message;
    fill(**by_algorithm, true);
  }
  lines += fmt::format("format {} {}\n", kIndexFormat.version, hash_of(*read_whole_file(folder / "paragraphs/format")));
  append_parts(folder / "paragraphs", "", kSegmentFormatVersion, lines);
  lines += fmt::format("site-templates {} {}\n", kSiteTemplatesFormatVersion,
                       hash_of(bytes_of_files(folder / "paragraphs/tables", ".templates")));
  IndexManifest manifest;
  manifest.next_file = 9;
  manifest.templates_file = 7;
  manifest.segments = {{3, {0, 1000}}, {8, {1000, 1064}}};
  lines += fmt::format("manifest {} {}\n", kIndexManifestFormatVersion, hash_of(encode_manifest(manifest)));
  append_parts(folder / "simhashes", "by-algorithm/", kSummarySegmentFormatVersion, lines);
  return lines;
}

TEST(IndexFormat, IsTheRecordedOneOfItsVersion) {
  const std::string path =
      fmt::format("{}/tests/online/data/index_format_{}.txt", PARAPRINT_SOURCE_ROOT, kIndexFormat.version);
  const std::string recorded = read_whole_file(path).value_or("");
  const std::string now = parts_of_this_build();
  EXPECT_EQ(recorded, now) << "The bytes of an index have changed. Indexes that users have are of the recorded form: "
                              "raise the version of the part, add a row to kIndexFormats and a step to "
                              "index_migration.cc, and record the new form as "
                           << path << ":\n"
                           << now;
}

TEST(IndexFormat, IsTheSameInEveryRun) {
  EXPECT_EQ(parts_of_this_build(), parts_of_this_build());
}

TEST(IndexFormat, VersionsAscend) {
  for (std::size_t i = 1; i < kIndexFormats.size(); ++i) {
    EXPECT_EQ(kIndexFormats[i].version, kIndexFormats[i - 1].version + 1);
    const bool is_before_first_release = kIndexFormats[i - 1].release.empty() && kIndexFormats[i].release.empty();
    EXPECT_TRUE(is_before_first_release || !kIndexFormats[i].release.empty()) << "a released format names its release";
  }
  EXPECT_NE(kIndexFormat.release, "");
}

// Opens an index whose file "format" has this text; returns the error.
std::string opening_error(const std::string& text) {
  const TemporaryFolder folder;
  EXPECT_TRUE(PageIndex::open(folder / "index", options_of("")));
  std::ofstream(folder / "index/format") << text;
  const auto opened = PageIndex::open(folder / "index", options_of(""));
  EXPECT_FALSE(opened) << text;
  if (opened) return {};
  EXPECT_EQ(opened.error().code, ErrorCode::kUnsupported) << text;
  IndexOptions to_read = options_of("");
  to_read.read_only = true;
  EXPECT_EQ(PageIndex::open(folder / "index", to_read).error().code, ErrorCode::kUnsupported);
  std::string kept;
  std::getline(std::ifstream(folder / "index/format"), kept, '\0');
  EXPECT_EQ(kept, text) << "a refused index was changed";
  return opened.error().message;
}

TEST(IndexFormat, OtherVersionsAreRefusedWithAdvice) {
  EXPECT_THAT(opening_error("paraprint index 4\n"), HasSubstr("run 'paraprint index migrate "));
  EXPECT_THAT(opening_error("paraprint index 5\n"), HasSubstr("run 'paraprint index migrate "));
  EXPECT_THAT(opening_error("paraprint index 3\n"), HasSubstr("add them to a new index"));
  EXPECT_THAT(opening_error("paraprint index 7\nneeds paraprint 0.9.1\n"), HasSubstr("needs paraprint 0.9.1 or later"));
  EXPECT_THAT(opening_error("paraprint index 77\n"), HasSubstr("needs paraprint of a later version"));
  for (const char* text : {"", "\n", "paraprint index\n", "paraprint index 5x\n", "paraprint index 0\n", "something\n",
                           "paraprint index 99999999999999\n"}) {
    EXPECT_THAT(opening_error(text), HasSubstr("is not a format of paraprint")) << text;
  }
}

}  // namespace
}  // namespace paraprint
