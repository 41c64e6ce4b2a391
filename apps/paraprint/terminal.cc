#include "terminal.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>

#include "commands.h"

namespace paraprint::cli {
namespace {

constexpr std::chrono::seconds kLineInterval{30};  // between lines where nothing can be rewritten in place
constexpr std::size_t kWidthWithoutTerminal = 100;

std::string amount(double value, std::string_view unit) {
  if (unit == "bytes") {
    if (value >= 1e9) return fmt::format("{:.1f} GB", value / 1e9);
    if (value >= 1e6) return fmt::format("{:.1f} MB", value / 1e6);
    return fmt::format("{:.0f} kB", value / 1e3);
  }
  if (value >= 1e6) return fmt::format("{:.2f} M {}", value / 1e6, unit);
  return fmt::format("{:.0f} {}", value, unit);
}

std::string duration(double seconds) {
  const auto whole = static_cast<long>(seconds + 0.5);
  if (whole >= 3600) return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
  if (whole >= 60) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} s", whole);
}

Status done_if(bool is_written) {
  if (is_written) return {};
  return tl::unexpected<Error>(Error{ErrorCode::kInputOutput, "standard output can't be written"});
}

}  // namespace

int report_error(const Error& error) {
  print_line(fmt::format("paraprint: {}", error.message));
  switch (error.code) {
    case ErrorCode::kInvalidArgument:
    case ErrorCode::kNotFound:
    case ErrorCode::kUnsupported:
      return kUsage;
    case ErrorCode::kNoSpace:
      print_line("paraprint: nothing already written is lost; make room and run the same command again");
      return kNoSpaceLeft;
    default:
      return kFailure;
  }
}

void print_line(std::string_view line) {
  fmt::print(stderr, "{}\n", line);
}

Status write_output_line(std::string_view line) {
  return done_if(std::fwrite(line.data(), 1, line.size(), stdout) == line.size() && std::fputc('\n', stdout) == '\n');
}

Status flush_output() {
  return done_if(std::fflush(stdout) == 0);
}

bool standard_error_is_terminal() {
  return ::isatty(STDERR_FILENO) == 1;
}
bool standard_output_is_terminal() {
  return ::isatty(STDOUT_FILENO) == 1;
}

std::size_t terminal_width_columns() {
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kWidthWithoutTerminal;
  return size.ws_col;
}

void ProgressPrinter::show(const Progress& progress) {
  if (is_quiet_) return;
  const auto now = std::chrono::steady_clock::now();
  if (stage_ != progress.stage) {
    stage_ = progress.stage;
    stage_begin_ = last_line_ = now;
    first_done_ = progress.done;  // a resumed run does not begin at nothing; its rate counts from here
  }
  const bool is_due = is_terminal_ || progress.is_finished || now - last_line_ >= kLineInterval;
  if (!is_due) return;
  last_line_ = now;
  const double seconds = std::chrono::duration<double>(now - stage_begin_).count();
  const auto done_here = static_cast<double>(progress.done - std::min(progress.done, first_done_));
  std::string line =
      fmt::format("{:<10} {}", progress.stage, amount(static_cast<double>(progress.done), progress.unit));
  if (progress.total > 0) {
    const auto total = static_cast<double>(progress.total);
    line += fmt::format(" of {} ({:.0f} %)", amount(total, progress.unit),
                        100 * static_cast<double>(progress.done) / total);
  }
  if (progress.pages > 0) line += fmt::format(", {} pages", progress.pages);
  if (seconds >= 1 && done_here > 0) {
    const double rate = done_here / seconds;
    line += fmt::format(", {}/s", amount(rate, progress.unit));
    if (progress.is_finished) {
      line += fmt::format(", {}", duration(seconds));
    } else if (progress.total > progress.done) {
      line += fmt::format(", {} left", duration(static_cast<double>(progress.total - progress.done) / rate));
    }
  }
  if (is_terminal_) {
    fmt::print(stderr, "\r\033[K{}{}", line, progress.is_finished ? "\n" : "");
    std::fflush(stderr);
  } else {
    print_line(line);
  }
}

}  // namespace paraprint::cli
