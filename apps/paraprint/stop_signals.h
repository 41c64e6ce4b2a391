// Commands that end in order when somebody presses Ctrl-C or the system asks (SIGINT, SIGTERM).
#pragma once

#include <atomic>
#include <string_view>

#include "paraprint/result.h"

namespace paraprint::cli {

using StopFlag = std::atomic<bool>;

// For report_end().
inline constexpr const char* kBeginsAgain = "the same command begins again";

// From now on the first signal sets the flag; a second one ends the process as it would without us.
const StopFlag& catch_stop_signals();

// report_error(), or where the call ended because of the flag, `advice` and the exit code for that.
int report_end(const Error& error, std::string_view advice);

}  // namespace paraprint::cli
