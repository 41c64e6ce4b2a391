// Polls with a timeout instead of waiting for a signal; see the header for the reason.
#include "base/input_wait.h"

#include <poll.h>

#include <cerrno>

#include "base/propagate.h"
#include "base/stop.h"

namespace paraprint::inline base {

Status wait_for_input(int descriptor) {
  constexpr int kLookMilliseconds = 100;  // delay of a stop that a user barely notices
  if (StopScope::current() == nullptr) return {};
  for (;;) {
    PARAPRINT_TRY(check_stop());
    pollfd input{descriptor, POLLIN, 0};
    const int ready = ::poll(&input, 1, kLookMilliseconds);
    // A hangup or an invalid descriptor also counts as ready, so that read() reports it.
    if (ready > 0 || (ready < 0 && errno != EINTR)) return {};
  }
}

}  // namespace paraprint::inline base
