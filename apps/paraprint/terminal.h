// What a person sees on standard error: errors and progress. Standard output is for data only.
#pragma once

#include <chrono>
#include <string_view>

#include "paraprint/engine.h"
#include "paraprint/result.h"

namespace paraprint::cli {

// Prints the error and answers the exit code that belongs to it.
int report_error(const Error& error);

// To standard error. That nobody can read them (a full disk, a closed pipe) does not end the work.
void print_line(std::string_view line);
void rewrite_line(std::string_view line, bool is_last);  // in place, on a terminal

// Data, to standard output. A failure (a full disk, a closed pipe) is an error, with the last one found by the flush.
Status write_output_line(std::string_view line);
Status flush_output();
// Everything that a command prints; the exit code that belongs to it.
int print_output(std::string_view text);

bool standard_error_is_terminal();
bool standard_output_is_terminal();
std::size_t terminal_width_columns();

// A line that is rewritten in place on a terminal, and a line now and then elsewhere.
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
