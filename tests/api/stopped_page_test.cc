// A run that is asked to stop while it reads a page leaves that page out, as if it had not been read; the run after it
// gives the bytes of an undisturbed one. The request comes when the bytes of the page have been read from its file, so
// only a check within the page can notice it.
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

#include "failing_files.h"
#include "paraprint/engine.h"
#include "temporary_folder.h"

namespace paraprint {
namespace {

namespace fs = std::filesystem;

DedupOptions options_for(const std::string& input, const std::string& out) {
  DedupOptions options;
  options.inputs = {input};
  options.output.out = out;
  options.resources.threads = 1;
  return options;
}

std::map<std::string, std::string> files_of(const std::string& folder) {
  std::map<std::string, std::string> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    const std::string name = fs::relative(entry.path(), folder).string();
    if (!entry.is_regular_file() || name == "timing.json" || name.starts_with(".paraprint/")) continue;
    std::ifstream file(entry.path(), std::ios::binary);
    files[name] = {std::istreambuf_iterator<char>(file), {}};
  }
  return files;
}

TEST(StoppedPage, IsLeftOutAndReadByTheNextRun) {
  const TemporaryFolder folder;
  const std::string input = folder / "page.txt";
  {
    std::ofstream page(input, std::ios::binary);
    for (int line = 0; page.tellp() < (4 << 20); ++line) page << "Line " << line << " of the only page.\n\n";
  }
  const DedupOptions options = options_for(input, folder / "out");
  const std::string log = options.output.out + "/.paraprint/pages.log";
  const auto log_bytes = [&] { return fs::exists(log) ? fs::file_size(log) : 0; };
  FileFault fault;
  fault.work = FileWork::kRead;
  fault.path_part = "page.txt";

  // The last call that reads the file before the page is in the log. The first calls, which look what kind of file it
  // is, come before there is a log.
  std::uint64_t last_call = 0;
  std::uintmax_t empty_bytes = 0;
  for (std::uint64_t bytes = 0; bytes <= empty_bytes; ++fault.after) {
    fs::remove_all(options.output.out);
    fault.moment = [&] { bytes = log_bytes(); };
    bytes = UINT64_MAX;  // no such call
    const FailingFiles moment(fault);
    ASSERT_TRUE(deduplicate(options));
    if (empty_bytes == 0 && bytes != UINT64_MAX) empty_bytes = bytes;
    if (bytes == empty_bytes) last_call = fault.after;
  }
  const std::map<std::string, std::string> expected = files_of(options.output.out);

  fs::remove_all(options.output.out);
  std::atomic<bool> stop{false};
  RunControl control;
  control.stop = &stop;
  fault.after = last_call;
  fault.moment = [&] { stop = true; };
  FailingFiles moment(fault);
  const Result<DedupOutcome> outcome = deduplicate(options, control);
  moment.end();
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, ErrorCode::kCancelled);
  EXPECT_EQ(log_bytes(), empty_bytes);

  stop = false;
  ASSERT_TRUE(deduplicate(options, control));
  EXPECT_EQ(files_of(options.output.out), expected);
}

}  // namespace
}  // namespace paraprint
