// Reading from pipes and terminals without missing that the caller is asked to stop.
#pragma once

#include "paraprint/result.h"

namespace paraprint {

// Waits until a read from `descriptor` does not block. kCancelled when this thread is asked to stop before (stop.h): a
// signal alone would not do, for it may come between the look at the flag and the read, or to another thread. Returns
// at once without a StopScope, and for files, which are always ready; what is wrong with the descriptor, read() says.
Status wait_for_input(int descriptor);

}  // namespace paraprint
