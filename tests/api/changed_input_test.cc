// Inputs are read twice. One that changes in between is an error: records would be those of other pages than the ones
// that were compared. The moment is that in which the first file of the output is made.
#include <gtest/gtest.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

#include "failing_files.h"
#include "paraprint/engine.h"
#include "paraprint/wacz.h"
#include "temporary_folder.h"

namespace paraprint {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kText =
    "A sentence that has more than a few words in it, and is followed by another one of about the same length.";

class ChangedInput : public testing::Test {
 protected:
  void SetUp() override {
    options_.output.out = folder_ / "out";
    options_.output.report = false;
    options_.resources.threads = 1;
  }

  static void write(const std::string& path, const std::string& text) {
    fs::create_directories(fs::path(path).parent_path());
    std::ofstream(path, std::ios::binary) << text;
  }
  static std::string line(const std::string& id, std::string_view text = kText) {
    return "{\"id\":\"" + id + "\",\"text\":\"" + std::string(text) + "\"}\n";
  }

  Result<DedupOutcome> run_with(const std::function<void()>& change,
                                const std::string& first_output = "out/records/") const {
    FileFault fault;
    fault.work = FileWork::kMake;
    fault.path_part = first_output;
    fault.moment = change;
    const FailingFiles moment(fault);
    const Result<DedupOutcome> outcome = deduplicate(options_);
    EXPECT_GT(moment.calls(), 0U);
    return outcome;
  }

  void expect_refusal(const Result<DedupOutcome>& outcome, const std::string& path) const {
    ASSERT_FALSE(outcome);
    EXPECT_EQ(outcome.error().code, ErrorCode::kCorruptData);
    EXPECT_NE(outcome.error().message.find(path), std::string::npos) << outcome.error().message;
    EXPECT_FALSE(fs::exists(options_.output.out + "/summary.json"));
  }

  const TemporaryFolder folder_;
  DedupOptions options_;
};

TEST_F(ChangedInput, IsAnErrorAlthoughItsPagesHaveTheirPlaces) {
  const std::string input = folder_ / "pages.jsonl";
  write(input, line("a") + line("b") + line("c", "Something else."));
  options_.inputs = {input};
  const auto change = [&] {
    write(folder_ / "new", line("c", "Something else.") + line("d", "One more.") + line("a"));
    fs::rename(folder_ / "new", input);
  };
  expect_refusal(run_with(change), input);
  EXPECT_FALSE(fs::exists(options_.output.out + "/records/pages.jsonl"));
  // As the message says.
  EXPECT_FALSE(deduplicate(options_));
  options_.output.restart = true;
  const Result<DedupOutcome> again = deduplicate(options_);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->pages_kept, 3U);
}

// The report shows texts of pages, and words are aligned in them.
TEST_F(ChangedInput, IsAnErrorWithoutRecordsToo) {
  const std::string input = folder_ / "pages.jsonl";
  options_.inputs = {input};
  options_.output.records = false;
  for (const bool has_report : {true, false}) {
    options_.output.report = has_report;
    options_.output.restart = true;
    write(input, line("a") + line("b") + line("c", "Something else."));
    const auto change = [&] {
      write(folder_ / "new", line("a", "One more.") + line("b", "Another one.") + line("c"));
      fs::rename(folder_ / "new", input);
    };
    expect_refusal(run_with(change, "out/clusters.tsv"), input);
  }
}

TEST_F(ChangedInput, IsAnErrorIfAPageOfAFolderIsGone) {
  const std::string pages = folder_ / "pages";
  for (const std::string name : {"a.html", "deep/b.html"}) write(pages + "/" + name, "<p>Page " + name);
  options_.inputs = {pages};
  expect_refusal(run_with([&] { fs::remove(pages + "/deep/b.html"); }), pages + "/deep/b.html");
}

TEST_F(ChangedInput, IsAnErrorIfAPageOfAFolderIsAnotherOne) {
  const std::string pages = folder_ / "pages";
  for (const std::string name : {"a.html", "deep/b.html"}) write(pages + "/" + name, "<p>Page " + name);
  options_.inputs = {pages};
  const auto change = [&] {
    write(folder_ / "new", "<p>Another text");
    fs::rename(folder_ / "new", pages + "/deep/b.html");
  };
  expect_refusal(run_with(change), pages);
}

// Records and the list of removed pages would otherwise look like those of the run before.
TEST(FailedOutput, IsNotTakenForThatOfAFinishedRun) {
  const TemporaryFolder folder;
  DedupOptions options;
  options.inputs = {folder / "pages.jsonl"};
  options.output.out = folder / "out";
  options.output.report = false;
  std::ofstream(options.inputs[0]) << "{\"id\":\"a\",\"text\":\"" << kText << "\"}\n";
  ASSERT_TRUE(deduplicate(options));
  const std::string summary = options.output.out + "/summary.json";
  ASSERT_TRUE(fs::exists(summary));

  for (const std::string part : {"out/clusters.tsv", "out/records/", "out/timing.json", "out/summary.json"}) {
    SCOPED_TRACE(part);
    FileFault fault;
    fault.path_part = part;
    fault.error = ENOSPC;
    FailingFiles failing(fault);
    EXPECT_EQ(deduplicate(options).error().code, ErrorCode::kNoSpace);
    failing.end();
    EXPECT_FALSE(fs::exists(summary));
    if (fs::exists(options.output.out + "/records")) {
      WaczOptions packing;
      packing.inputs = {options.output.out};
      packing.out = folder / "packed.wacz";
      const Result<WaczOutcome> refused = write_wacz(packing);
      ASSERT_FALSE(refused);
      EXPECT_NE(refused.error().message.find("has not finished"), std::string::npos) << refused.error().message;
    }
    ASSERT_TRUE(deduplicate(options));
    EXPECT_TRUE(fs::exists(summary));
  }
}

}  // namespace
}  // namespace paraprint
