// Commands that end in order when somebody presses Ctrl-C or the system asks (SIGINT, SIGTERM).
#pragma once

#include <atomic>
#include <string_view>

#include "paraprint/result.h"

namespace paraprint::cli {

// From now on the first signal sets the flag; a second one ends the process as it would without us.
const std::atomic<bool>& catch_stop_signals();

// report_error(), or where the call ended because of the flag, `advice` and the exit code for that.
int report_end(const Error& error, std::string_view advice);

}  // namespace paraprint::cli
