// The handler only sets a lock-free flag, which is all that is safe in a signal handler. Long calls of the library poll
// the flag (paraprint/run_control.h) and return kCancelled. SA_RESETHAND restores the default action, so a second
// signal ends a process that does not react.
#include "stop_signals.h"

#include <fmt/format.h>

#include <csignal>

#include "commands.h"

namespace paraprint::cli {
namespace {

std::atomic<bool> stop_is_asked{false};
static_assert(std::atomic<bool>::is_always_lock_free);  // required in a signal handler

void ask_to_stop(int) {
  stop_is_asked.store(true);
}

}  // namespace

const StopFlag& catch_stop_signals() {
  stop_is_asked.store(false);
  struct sigaction action {};
  action.sa_handler = ask_to_stop;
  action.sa_flags = static_cast<int>(SA_RESETHAND);  // no SA_RESTART, so a blocked read returns EINTR
  for (const int signal : {SIGINT, SIGTERM}) ::sigaction(signal, &action, nullptr);
  return stop_is_asked;
}

RunControl command_control(ProgressPrinter& printer, bool shows_warnings) {
  RunControl control;
  control.stop = &catch_stop_signals();
  control.progress = [&printer](const Progress& progress) { printer.show(progress); };
  if (shows_warnings) control.warning = print_line;
  return control;
}

int report_end(const Error& error, std::string_view advice) {
  const int code = report_error(error);
  if (error.code != ErrorCode::kCancelled) return code;
  print_line(fmt::format("paraprint: {}", advice));
  return kInterrupted;
}

}  // namespace paraprint::cli
