// Ends commands in order on Ctrl-C (SIGINT) and SIGTERM.
#pragma once

#include <atomic>
#include <string_view>

#include "paraprint/result.h"
#include "paraprint/run_control.h"
#include "terminal.h"

namespace paraprint::cli {

using StopFlag = std::atomic<bool>;

// Advice for report_end() if a command does not resume.
inline constexpr const char* kBeginsAgain = "repeat the command to start over";

// Installs handlers: the first signal sets the returned flag, the second one ends the process as by default.
const StopFlag& catch_stop_signals();

// For command_control(). Commands whose report lists broken records print no warnings about them.
inline constexpr bool kPrintsWarnings = true;
inline constexpr bool kReportsWarnings = false;

// The control of a long command: a signal stops it, and progress goes to `printer`, which must outlive it. Warnings are
// dropped unless `shows_warnings`.
RunControl command_control(ProgressPrinter& printer, bool shows_warnings);

// report_error(); if the call ended because of the flag, also prints `advice` and returns kInterrupted.
int report_end(const Error& error, std::string_view advice);

}  // namespace paraprint::cli
