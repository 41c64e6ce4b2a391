// Tells the service manager (systemd, Type=notify) when the service is ready and when it stops. The protocol is one
// datagram per message, described in sd_notify(3); no library is needed for it.
#pragma once

#include <string>
#include <string_view>

#include "paraprint/result.h"

namespace paraprint::cli {

// Sends `state`, e.g. "READY=1", to the socket that $NOTIFY_SOCKET names. Does nothing if the variable is not set, that
// is, without a service manager that waits. kInputOutput, naming the socket, if it cannot be reached.
Status notify_service_manager(std::string_view state);

}  // namespace paraprint::cli
