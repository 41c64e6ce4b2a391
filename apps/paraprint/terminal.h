// Errors and progress on standard error, data on standard output.
#pragma once

#include <chrono>
#include <string_view>

#include "paraprint/engine.h"
#include "paraprint/result.h"

namespace paraprint::cli {

// Prints the error and returns its exit code.
int report_error(const Error& error);

// Tells of pages that a stream passed over, unless `is_quiet`, and returns its exit code.
int report_stream(const PageStreamOutcome& outcome, bool is_quiet);

// To standard error. Write errors (a full disk, a closed pipe) are ignored.
void print_line(std::string_view line);
void rewrite_line(std::string_view line, bool is_last);  // in place on a terminal; not escaped, for our own text only

// Data, to standard output, buffered. On a terminal, control characters (bidirectional ones included) and invalid UTF-8
// are escaped as in messages; JSON may contain some, too (from U+0080 on). A write error (a full disk, a closed pipe)
// may show only at the flush.
Status write_output_line(std::string_view line);
Status flush_output();
// Writes and flushes the complete output of a command; returns its exit code.
int print_output(std::string_view text);
// The same for text with colours, in which everything from pages is escaped already.
int print_rendered(std::string_view text);

bool standard_error_is_terminal();
bool standard_output_is_terminal();
std::size_t terminal_width_columns();

// Between progress lines if standard error is not a terminal.
inline constexpr std::chrono::seconds kLineInterval{30};

double megabytes(std::uint64_t bytes);

// One line that is rewritten in place on a terminal; elsewhere a line every 30 seconds and at the end of each stage.
class ProgressPrinter {
 public:
  explicit ProgressPrinter(bool is_quiet) : is_quiet_(is_quiet), is_terminal_(standard_error_is_terminal()) {}
  void show(const Progress& progress);

 private:
  bool is_quiet_;
  bool is_terminal_;
  std::string stage_;
  std::chrono::steady_clock::time_point stage_begin_;
  std::chrono::steady_clock::time_point last_line_;
  std::uint64_t first_done_ = 0;
};

}  // namespace paraprint::cli
