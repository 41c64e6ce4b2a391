#include "base/input_wait.h"

#include <poll.h>

#include <cerrno>

#include "paraprint/stop.h"

namespace paraprint {

Status wait_for_input(int descriptor) {
  constexpr int kLookMilliseconds = 100;
  if (StopScope::current() == nullptr) return {};
  for (;;) {
    if (Status going_on = check_stop(); !going_on) return going_on;
    pollfd input{descriptor, POLLIN, 0};
    const int ready = ::poll(&input, 1, kLookMilliseconds);
    if (ready > 0 || (ready < 0 && errno != EINTR)) return {};
  }
}

}  // namespace paraprint
