// Sends datagrams to the socket of the service manager.
#include "service_manager.h"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <system_error>

namespace paraprint::cli {
namespace {

constexpr const char* kSocketVariable = "NOTIFY_SOCKET";

tl::unexpected<Error> unreachable(std::string_view path, std::string_view reason) {
  return tl::unexpected<Error>(
      Error{ErrorCode::kInputOutput,
            fmt::format("cannot tell the service manager: {} is '{}': {}", kSocketVariable, path, reason)});
}

}  // namespace

Status notify_service_manager(std::string_view state) {
  const char* const variable = std::getenv(kSocketVariable);
  if (variable == nullptr || *variable == '\0') return {};
  const std::string path(variable);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.front() != '/' && path.front() != '@') return unreachable(path, "neither a path nor an abstract name");
  if (path.size() >= sizeof address.sun_path) return unreachable(path, "too long");
  std::copy(path.begin(), path.end(), address.sun_path);
  if (path.front() == '@') address.sun_path[0] = '\0';  // an abstract name, which is no file
  // A path includes its terminator, an abstract name ends with its last byte.
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + path.size() + (path.front() == '/'));
  const int socket = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (socket < 0) return unreachable(path, std::generic_category().message(errno));
  const ssize_t sent =
      ::sendto(socket, state.data(), state.size(), MSG_NOSIGNAL, reinterpret_cast<const sockaddr*>(&address), size);
  const int error = errno;
  ::close(socket);
  if (sent < 0) return unreachable(path, std::generic_category().message(error));
  return {};
}

}  // namespace paraprint::cli
