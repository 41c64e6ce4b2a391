// Pages with their main content, read from JSON lines: what extractors are judged by. Also the labels of
// pages that other lines have.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "archive/input_files.h"
#include "archive/record.h"
#include "archive/record_reader.h"
#include "paraprint/model.h"
#include "paraprint/read_options.h"
#include "paraprint/result.h"

namespace paraprint::inline lab::inline evaluation {

struct GoldPage {
  Page page;
  std::string text;       // the main content
  std::string source;     // field "dataset", else the name of the file without its ending
  std::string page_type;  // field "page_type" or "type", else "unknown"
  std::string language;   // field "language" or "lang", else the writing system of the text
  bool is_tool_made = false;
  std::uint64_t line = 0;
};

inline constexpr std::string_view kUnknownName = "unknown";
// Names of sources, types and languages are cut to this size.
inline constexpr std::size_t kGroupNameBytesMaximum = 100;
// A value of the field "html" is a path if it is at most this long and has neither '<' nor a line end.
inline constexpr std::size_t kPagePathBytesMaximum = 4096;

// Lines of one file, not yet parsed.
struct GoldBatch {
  std::uint32_t file_index = 0;
  std::vector<RawRecord> lines;
  std::vector<Defect> defects;
  std::uint64_t stored_bytes_done = 0;  // of all files
};

// Threads: one at a time. `inputs` must outlive the source.
class GoldSource {
 public:
  GoldSource(const std::vector<InputFile>& inputs, const ReadOptions& reading);

  // nullopt after the last file. A file that cannot be opened or read further is a defect, and the next file follows.
  // Errors: kInvalidArgument for a file that is not JSON lines.
  Result<std::optional<GoldBatch>> next();

  std::uint64_t stored_bytes_total() const { return stored_bytes_total_; }

 private:
  Status open_file();
  void end_file();
  void report_unreadable(const Error& error);

  const std::vector<InputFile>& inputs_;
  const ReadOptions& reading_;
  std::unique_ptr<RecordReader> reader_;
  std::vector<Defect> defects_;
  std::uint32_t file_index_ = 0;
  std::uint64_t stored_bytes_before_ = 0;
  std::uint64_t stored_bytes_total_ = 0;
};

// Empty where a line has none.
struct PageLabels {
  std::string language;   // field "language" or "lang"
  std::string page_type;  // field "page_type" or "type"
};

// One per thread.
class GoldParser {
 public:
  explicit GoldParser(const ReadOptions& reading);
  ~GoldParser();
  GoldParser(const GoldParser&) = delete;
  GoldParser& operator=(const GoldParser&) = delete;

  // What the line says of its page, whether or not it has a page.
  PageLabels labels(const RawRecord& line);

  // nullopt for a line that cannot be used; the reason is added to `defects`. A page that is named by its path is read
  // from below the folder of the file.
  std::optional<GoldPage> parse(const InputFile& input, RawRecord&& line, std::vector<Defect>& defects);

 private:
  struct Json;
  const ReadOptions& reading_;
  std::unique_ptr<Json> json_;
};

}  // namespace paraprint::inline lab::inline evaluation
