// Expansion of paths into inputs: order, duplicates through links, folders, unreadable files and format detection.
#include "archive/input_files.h"

#include "archive_testing.h"

namespace paraprint {
namespace {

class InputFilesTest : public ArchiveTest {
 protected:
  std::vector<std::string> paths(const std::vector<std::string>& given) const {
    std::vector<std::string> names;
    for (const std::string& path : given) names.push_back(name(path));
    const auto inputs = expand_inputs(names);
    std::vector<std::string> found;
    if (!inputs) return {std::string(error_code_name(inputs.error().code))};
    for (const InputFile& input : *inputs) {
      EXPECT_EQ(input.index, found.size());
      found.push_back(std::filesystem::path(input.path).lexically_relative(folder_).string() +
                      (input.kind == InputKind::kPageFolder ? "/" : ""));
    }
    return found;
  }
};

TEST_F(InputFilesTest, SortsAndDropsDuplicates) {
  write("b.warc", "x");
  write("a.jsonl", "x");
  std::filesystem::create_symlink(name("a.jsonl"), name("c.jsonl"));
  const std::vector<std::string> sorted = {"a.jsonl", "b.warc"};
  EXPECT_EQ(paths({"b.warc", "a.jsonl"}), sorted);
  EXPECT_EQ(paths({"a.jsonl", "c.jsonl", "b.warc", "./b.warc", "a.jsonl"}),
            paths({"./b.warc", "c.jsonl", "a.jsonl", "a.jsonl", "b.warc"}));
  EXPECT_EQ(paths({"a.jsonl", "c.jsonl"}).size(), 1U);
}

TEST_F(InputFilesTest, SearchesFolders) {
  write("in/z.warc.gz", "x");
  write("in/deep/er/a.jsonl.zst", "x");
  write("in/deep/p2.HTML", "x");
  write("in/p1.htm", "x");
  write("in/notes.txt", "x");
  write("in/x.arc", "x");
  write("in/x.warc.wet.gz", "x");
  // Of a run of Python.
  write("in/out.paraprint-work/.paraprint-work", "x");
  write("in/out.paraprint-work/fetched/y.warc.gz", "x");
  EXPECT_EQ(paths({"in"}), (std::vector<std::string>{"in/", "in/deep/er/a.jsonl.zst", "in/x.arc", "in/x.warc.wet.gz",
                                                     "in/z.warc.gz"}));
  const auto inputs = expand_inputs({name("in")});
  ASSERT_TRUE(inputs.has_value());
  EXPECT_EQ((*inputs)[0].pages, (std::vector<std::string>{"deep/p2.HTML", "p1.htm"}));
}

TEST_F(InputFilesTest, XmlFilesArePagesUnlessTheyAreNextToArchives) {
  write("in/a.xml", "x");
  write("in/deep/b.XML", "x");
  write("in/c.xml.bak", "x");
  const auto inputs = expand_inputs({name("in")});
  ASSERT_TRUE(inputs.has_value());
  EXPECT_EQ((*inputs)[0].pages, (std::vector<std::string>{"a.xml", "deep/b.XML"}));
  write("in/deep/z.warc.gz", "x");
  EXPECT_EQ(paths({"in"}), (std::vector<std::string>{"in/deep/z.warc.gz"}));
}

TEST_F(InputFilesTest, ReadsPageFolders) {
  write("in/b.html", "<p>b");
  write("in/a/x.html", "<p>x");
  write("in/empty.html", "");
  const auto inputs = expand_inputs({name("in")});
  ASSERT_TRUE(inputs.has_value());
  std::vector<Defect> defects;
  auto reader = open_records((*inputs)[0], {}, [&](Defect defect) { defects.push_back(defect); });
  std::filesystem::remove(name("in/b.html"));
  std::vector<std::string> seen;
  while (true) {
    const auto record = (*reader)->next();
    ASSERT_TRUE(record.has_value());
    if (!record->has_value()) break;
    seen.push_back((*record)->id + "=" + (*record)->payload + "@" + std::to_string((*record)->location.ordinal));
  }
  EXPECT_EQ(seen, (std::vector<std::string>{"a/x.html=<p>x@0", "empty.html=@2"}));
  ASSERT_EQ(defects.size(), 2U);
  EXPECT_EQ(defects[0].kind, DefectKind::kUnreadableFile);
  EXPECT_EQ(defects[0].file, name("in/b.html"));
  EXPECT_EQ(defects[1].kind, DefectKind::kEmptyFile);
}

TEST_F(InputFilesTest, ReportsErrors) {
  write("empty/notes.txt", "x");
  EXPECT_EQ(paths({"missing"}), std::vector<std::string>{"not-found"});
  EXPECT_EQ(paths({"empty"}), std::vector<std::string>{"invalid-argument"});
  EXPECT_EQ(paths({}), std::vector<std::string>{"invalid-argument"});
  const auto both = expand_inputs({"-", name("empty")});
  ASSERT_FALSE(both.has_value());
  const auto missing = expand_inputs({name("missing.warc")});
  ASSERT_FALSE(missing.has_value());
  EXPECT_NE(missing.error().message.find(name("missing.warc")), std::string::npos);
}

TEST_F(InputFilesTest, ErrorNamesUnreadableFile) {
  if (::geteuid() == 0) GTEST_SKIP() << "root can read every file";
  write("a.warc", "x");
  std::filesystem::permissions(name("a.warc"), std::filesystem::perms::none);
  EXPECT_EQ(paths({"a.warc"}), std::vector<std::string>{"permission-denied"});
}

TEST_F(InputFilesTest, DetectsFormatFromContent) {
  EXPECT_EQ(read_archive(write("a.bin", response_record(1))).format, ArchiveFormat::kWarc);
  EXPECT_EQ(read_archive(write("a.bin", gzip("{\"text\":\"x\"}\n"))).format, ArchiveFormat::kJsonLines);
  EXPECT_EQ(read_archive(write("a.bin", "<!doctype html><p>")).format, ArchiveFormat::kPage);
  EXPECT_EQ(read_archive(write("a.html", "text first")).format, ArchiveFormat::kPage);
  EXPECT_EQ(read_archive(write("a.warc", "garbage" + response_record(1))).ids(),
            std::vector<std::string>{record_id(1)});
  EXPECT_EQ(read_archive(write("a.jsonl", "garbage\n")).defect_counts(), (Counts{{"bad-json", 1}}));
  EXPECT_EQ(read_archive(write("a.bin", "garbage")).defect_counts(), (Counts{{"unknown-format", 1}}));
  EXPECT_EQ(read_archive(write("a.warc", "")).defect_counts(), (Counts{{"empty-file", 1}}));
  EXPECT_EQ(read_archive(write("a.warc.gz", gzip(""))).defect_counts(), (Counts{{"empty-file", 1}}));
}

}  // namespace
}  // namespace paraprint
