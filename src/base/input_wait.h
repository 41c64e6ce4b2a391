// Makes reads from pipes and terminals respond to stop requests.
#pragma once

#include "paraprint/result.h"

namespace paraprint::inline base {

// Waits until a read from `descriptor` would not block; kCancelled if this thread is asked to stop first (stop.h).
// Relying on a signal to interrupt read() is not enough: it may arrive between the check of the flag and the read, or
// on another thread. Returns at once without a StopScope and for regular files, which are always ready. Errors of the
// descriptor are left for read() to report.
Status wait_for_input(int descriptor);

}  // namespace paraprint::inline base
