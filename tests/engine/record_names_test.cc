// Names of surviving records: different inputs have different ones, and none is where another one is being written.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/atomic_file.h"
#include "engine/surviving_records.h"
#include "paraprint/engine.h"
#include "paraprint/payloads.h"
#include "temporary_folder.h"

namespace paraprint {
namespace {

namespace fs = std::filesystem;

class RecordNamesTest : public ::testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text = "{\"id\":\"a\",\"text\":\"words\"}\n") {
    const fs::path path = folder_ / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }

  // The message of the refusal; empty if the inputs are taken.
  std::string refusal_of(const std::vector<std::string>& paths) const {
    const Result<std::vector<InputFile>> inputs = expand_inputs(paths);
    if (!inputs) return "not expanded: " + inputs.error().message;
    const Status checked = check_record_names(*inputs);
    if (checked) return {};
    EXPECT_EQ(checked.error().code, ErrorCode::kInvalidArgument);
    return checked.error().message;
  }

  void expect_clash(const std::vector<std::string>& paths, const std::string& first, const std::string& second) const {
    const std::string message = refusal_of(paths);
    EXPECT_NE(message.find(folder_ / first), std::string::npos) << first << ": " << message;
    EXPECT_NE(message.find(folder_ / second), std::string::npos) << second << ": " << message;
  }

  TemporaryFolder folder_;
};

TEST_F(RecordNamesTest, UnfinishedFilesAreNamesOfNoOtherInput) {
  write("in/a.jsonl");
  write("in/b.jsonl");
  EXPECT_EQ(refusal_of({folder_ / "in"}), "");
  const std::string partial = write("in/a.jsonl.partial");
  expect_clash({folder_ / "in", partial}, "in/a.jsonl", "in/a.jsonl.partial");
  EXPECT_EQ(refusal_of({folder_ / "in/b.jsonl", partial}), "");

  const std::string long_name = std::string(250, 'x') + ".txt";
  const std::string hashed = fs::path(partial_path(folder_ / "long/" + long_name)).filename();
  write("long/" + long_name);
  write("long/" + hashed);
  expect_clash({folder_ / ("long/" + long_name), folder_ / ("long/" + hashed)}, "long/" + long_name, "long/" + hashed);
}

TEST_F(RecordNamesTest, UnfinishedFilesAreFoldersOfNoOtherInput) {
  write("in/a.jsonl");
  write("in/a.jsonl.partial/b.jsonl");
  expect_clash({folder_ / "in"}, "in/a.jsonl", "in/a.jsonl.partial/b.jsonl");
  write("pages/a.jsonl");
  write("pages/a.jsonl.partial/b.html", "<p>words");
  expect_clash({folder_ / "pages/a.jsonl", folder_ / "pages/a.jsonl.partial"}, "pages/a.jsonl",
               "pages/a.jsonl.partial");
  expect_clash({folder_ / "pages"}, "pages/a.jsonl", "pages");
}

TEST_F(RecordNamesTest, PagesOfAFolderAreFilesOfTheirOwn) {
  write("in/a.html", "<p>words");
  write("in/deep/b.html", "<p>words");
  write("in/c.jsonl");
  EXPECT_EQ(refusal_of({folder_ / "in"}), "");
  const std::string partial = write("in/deep/b.html.partial");
  expect_clash({folder_ / "in", partial}, "in", "in/deep/b.html.partial");
  const std::string next = write("in.partial");
  EXPECT_EQ(refusal_of({folder_ / "in", next}), "");
}

// The files are different, although ".." taken by its spelling makes one name of the two.
TEST_F(RecordNamesTest, FoldersAboveLinksAreWhereTheyLead) {
  write("x.jsonl");
  write("real/x.jsonl");
  write("real/deep/y.jsonl");
  fs::create_directory_symlink("real/deep", folder_ / "link");
  const std::vector<std::string> paths = {folder_ / "link/../x.jsonl", folder_ / "x.jsonl"};
  const Result<std::vector<InputFile>> inputs = expand_inputs(paths);
  ASSERT_TRUE(inputs);
  ASSERT_EQ(inputs->size(), 2U);
  EXPECT_EQ(surviving_record_names(*inputs), (std::vector<std::string>{"real/x.jsonl", "x.jsonl"}));
  EXPECT_TRUE(check_record_names(*inputs));
  // Elsewhere, links keep their names.
  const Result<std::vector<InputFile>> linked =
      expand_inputs({folder_ / "link/y.jsonl", folder_ / "real/../x.jsonl", folder_ / "link/./../x.jsonl"});
  ASSERT_TRUE(linked);
  EXPECT_EQ(surviving_record_names(*linked), (std::vector<std::string>{"real/x.jsonl", "link/y.jsonl", "x.jsonl"}));
}

TEST_F(RecordNamesTest, RunsRefuseInputsOfOneNameBeforeTheyBegin) {
  write("in/a.jsonl");
  for (const unsigned threads : {1U, 2U}) {
    DedupOptions options;
    options.inputs = {folder_ / "in/a.jsonl", write("in/a.jsonl.partial")};
    options.output.out = folder_ / "out";
    options.resources.threads = threads;
    const Result<DedupOutcome> refused = deduplicate(options);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::kInvalidArgument);
    EXPECT_FALSE(fs::exists(options.output.out));

    PayloadOptions payloads;
    payloads.inputs = options.inputs;
    payloads.out = options.output.out;
    payloads.resources.threads = threads;
    const Result<PayloadOutcome> refused_payloads = deduplicate_payloads(payloads);
    ASSERT_FALSE(refused_payloads);
    EXPECT_EQ(refused_payloads.error().code, ErrorCode::kInvalidArgument);
    EXPECT_FALSE(fs::exists(options.output.out));

    options.output.records = false;  // no names, no clash
    options.output.out = folder_ / ("without-records-" + std::to_string(threads));
    EXPECT_TRUE(deduplicate(options));
  }
}

}  // namespace
}  // namespace paraprint
