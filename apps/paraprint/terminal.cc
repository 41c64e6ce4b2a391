// Messages and progress go to standard error, data to standard output, so that output can be piped. Messages quote file
// contents, so control characters and invalid UTF-8 are escaped: a malicious file must not inject terminal escape
// sequences or turn text around. Failing to write a message is ignored. Failing to write data is an error, found by the
// flush at the latest, because stdio buffers.
#include "terminal.h"

#include <fmt/format.h>
#include <pwd.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <string>
#include <system_error>

#include "commands.h"

namespace paraprint::cli {
namespace {

constexpr std::size_t kWidthWithoutTerminal = 100;

// Units are decimal: 1 MB is 10^6 bytes.
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

// Size in bytes of the UTF-8 character at the start of the text, which is not empty; 0 if it is invalid. Some terminals
// read a control character from its overlong form, so that is invalid as well.
std::size_t character_bytes(std::string_view text) {
  const auto byte = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const std::size_t size = byte(0) < 0x80 ? 1 : byte(0) < 0xC2 ? 0 : byte(0) < 0xE0 ? 2 : byte(0) < 0xF0 ? 3 : 4;
  if (byte(0) > 0xF4 || size > text.size()) return 0;
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  // In these four cases the lead byte allows only a part of the values of the second one.
  const bool is_overlong = (byte(0) == 0xE0 && byte(1) < 0xA0) || (byte(0) == 0xF0 && byte(1) < 0x90);
  const bool is_surrogate = byte(0) == 0xED && byte(1) >= 0xA0;
  const bool is_past_the_end = byte(0) == 0xF4 && byte(1) >= 0x90;
  return is_overlong || is_surrogate || is_past_the_end ? 0 : size;
}

// C0, DEL, C1, and the embeddings, overrides and isolates that reorder the text after them (U+202A to U+202E, U+2066 to
// U+2069). Line feeds and tabs do no harm.
bool is_control(std::string_view character) {
  const auto last = static_cast<unsigned char>(character.back());
  if (character.size() == 1) return (last < ' ' || last == 0x7F) && last != '\n' && last != '\t';
  if (character.size() == 2) return character[0] == '\xC2' && last < 0xA0;
  return (character.starts_with("\xE2\x80") && last >= 0xAA && last <= 0xAE) ||
         (character.starts_with("\xE2\x81") && last >= 0xA6 && last <= 0xA9);
}

// Writes control characters and invalid bytes as \xNN.
std::string printable(std::string_view text) {
  std::string shown;
  while (!text.empty()) {
    const std::size_t size = character_bytes(text);
    const std::size_t taken = std::max<std::size_t>(size, 1);
    if (size == 0 || is_control(text.substr(0, size))) {
      for (const char c : text.substr(0, taken)) shown += fmt::format("\\x{:02X}", static_cast<unsigned char>(c));
    } else {
      shown += text.substr(0, taken);
    }
    text.remove_prefix(taken);
  }
  return shown;
}

void write_message(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

// `write` returns whether it has succeeded.
template <class Write>
Status to_standard_output(const Write& write) {
  // Of the first failure: after it the stream says only that it has failed.
  static std::atomic<int> reason{0};
  errno = 0;
  if (write()) return {};
  int none = 0;
  reason.compare_exchange_strong(none, errno);
  std::string message = "cannot write to standard output";
  if (reason != 0) message += ": " + std::generic_category().message(reason);
  return tl::unexpected<Error>(Error{ErrorCode::kInputOutput, std::move(message)});
}

Status write_data_line(std::string_view line) {
  return to_standard_output([line] {
    return std::fwrite(line.data(), 1, line.size(), stdout) == line.size() && std::fputc('\n', stdout) == '\n';
  });
}

std::string user_name() {
  const ::uid_t user = ::geteuid();
  const ::passwd* const entry = ::getpwuid(user);
  return entry == nullptr ? fmt::format("the user {}", user) : fmt::format("the user '{}'", entry->pw_name);
}

}  // namespace

// Several error codes share an exit code; docs/cli.md describes the exit codes.
int report_error(const Error& error) {
  print_line(fmt::format("paraprint: {}", error.message));
  switch (error.code) {
    case ErrorCode::kInvalidArgument:
    case ErrorCode::kNotFound:
    case ErrorCode::kUnsupported:
      return kUsage;
    case ErrorCode::kNoSpace:
      print_line("paraprint: nothing already written is lost; free some space and run the same command again");
      return kNoSpaceLeft;
    case ErrorCode::kPermissionDenied:
      print_line(
          fmt::format("paraprint: {} may not do that: choose another file or folder, change its owner or mode, "
                      "or run the command as its owner",
                      user_name()));
      return kFailure;
    default:
      return kFailure;
  }
}

int report_stream(const PageStreamOutcome& outcome, bool is_quiet) {
  if (outcome.pages_in_other_languages > 0 && !is_quiet) {
    print_line(fmt::format("{} pages in other languages were left out", outcome.pages_in_other_languages));
  }
  return outcome.unreadable_inputs > 0 ? kUnreadableInput : kSuccess;
}

void print_line(std::string_view line) {
  write_message(printable(line) + '\n');
}

void rewrite_line(std::string_view line, bool is_last) {
  write_message(fmt::format("\r\033[K{}{}", line, is_last ? "\n" : ""));
}

Status write_output_line(std::string_view line) {
  if (!standard_output_is_terminal()) return write_data_line(line);
  return write_data_line(printable(line));
}

Status flush_output() {
  return to_standard_output([] { return std::fflush(stdout) == 0 && std::ferror(stdout) == 0; });
}

int print_output(std::string_view text) {
  return print_rendered(standard_output_is_terminal() ? printable(text) : std::string(text));
}

int print_rendered(std::string_view text) {
  const auto write = [text] { return std::fwrite(text.data(), 1, text.size(), stdout) == text.size(); };
  Status written = to_standard_output(write);
  if (written) written = flush_output();
  return written ? kSuccess : report_error(written.error());
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

// Rate and remaining time are averages since the stage began or was resumed.
double megabytes(std::uint64_t bytes) {
  return static_cast<double>(bytes) / 1e6;
}

void ProgressPrinter::show(const Progress& progress) {
  if (is_quiet_) return;
  const auto now = std::chrono::steady_clock::now();
  if (stage_ != progress.stage) {
    stage_ = progress.stage;
    stage_begin_ = last_line_ = now;
    first_done_ = progress.done;  // a resumed run starts above 0; its rate counts from here
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
    rewrite_line(line, progress.is_finished);
  } else {
    print_line(line);
  }
}

}  // namespace paraprint::cli
