// A minimal HTTP connection to a service on this machine: sends requests verbatim and reads responses by their
// Content-Length. It does no more than tests and load generators need, so that its own cost is negligible.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

namespace paraprint {

class PlainHttpClient {
 public:
  struct Response {
    int status = 0;  // 0: no response
    std::string_view header;
    std::string_view body;  // valid until the next call
  };

  // `own_address`: the IPv4 address of this machine from which it connects.
  explicit PlainHttpClient(std::uint16_t port, std::uint32_t own_address = INADDR_ANY)
      : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in own{};
    own.sin_family = AF_INET;
    own.sin_addr.s_addr = htonl(own_address);
    if (own_address != INADDR_ANY) ::bind(socket_, reinterpret_cast<const sockaddr*>(&own), sizeof own);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    is_open_ = ::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    const int on = 1;
    ::setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    const timeval limit{20, 0};  // a test must not hang
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  }
  ~PlainHttpClient() { ::close(socket_); }
  PlainHttpClient(const PlainHttpClient&) = delete;
  PlainHttpClient& operator=(const PlainHttpClient&) = delete;

  bool is_open() const { return is_open_; }

  bool send(std::string_view bytes) {
    while (is_open_ && !bytes.empty()) {
      const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) {
        is_open_ = false;
      } else {
        bytes.remove_prefix(static_cast<std::size_t>(sent));
      }
    }
    return is_open_;
  }

  // The service reads the end of the stream behind what was sent.
  void finish_sending() { ::shutdown(socket_, SHUT_WR); }

  // What is sent to this client and does not fit into so few bytes stays with the service until it is received.
  void hold_little(int size_bytes) { ::setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &size_bytes, sizeof size_bytes); }

  // The end of this object breaks the connection instead of closing it.
  void reset_at_end() {
    const linger at_once{1, 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  }

  Response receive() {
    answer_.clear();
    std::size_t header_end = std::string::npos;
    while ((header_end = answer_.find("\r\n\r\n")) == std::string::npos) {
      if (!read_more()) return {};
    }
    constexpr std::string_view kLength = "\r\nContent-Length: ";
    const std::size_t length_at = answer_.find(kLength);
    std::size_t body_bytes = 0;
    if (length_at < header_end) body_bytes = std::strtoul(answer_.c_str() + length_at + kLength.size(), nullptr, 10);
    while (answer_.size() < header_end + 4 + body_bytes) {
      if (!read_more()) return {};
    }
    Response response;
    response.status = static_cast<int>(std::strtol(answer_.c_str() + 9, nullptr, 10));  // after "HTTP/1.1 "
    response.header = std::string_view(answer_).substr(0, header_end + 2);
    response.body = std::string_view(answer_).substr(header_end + 4);
    return response;
  }

  // Reads until the service closes the connection.
  std::string receive_all() {
    answer_.clear();
    while (read_more()) {
    }
    return std::move(answer_);
  }

  // Reads until what was received ends like this, or the service closes the connection.
  std::string receive_until(std::string_view end) {
    answer_.clear();
    while (!answer_.ends_with(end) && read_more()) {
    }
    return std::move(answer_);
  }

  // What has arrived, without waiting for more.
  std::string receive_arrived() {
    std::string arrived;
    char buffer[65536];
    ssize_t received = 0;
    while ((received = ::recv(socket_, buffer, sizeof buffer, MSG_DONTWAIT)) > 0) {
      arrived.append(buffer, static_cast<std::size_t>(received));
    }
    return arrived;
  }

  Response exchange(std::string_view request) {
    if (!send(request)) return {};
    return receive();
  }

  static std::string request(std::string_view method, std::string_view target, std::string_view type,
                             std::string_view body) {
    std::string text;
    text.append(method).append(" ").append(target).append(" HTTP/1.1\r\nHost: localhost\r\n");
    if (!type.empty()) text.append("Content-Type: ").append(type).append("\r\n");
    if (method == "POST") text.append("Content-Length: ").append(std::to_string(body.size())).append("\r\n");
    return text.append("\r\n").append(body);
  }

 private:
  bool read_more() {
    char buffer[65536];
    const ssize_t received = is_open_ ? ::recv(socket_, buffer, sizeof buffer, 0) : 0;
    if (received <= 0) return is_open_ = false;
    answer_.append(buffer, static_cast<std::size_t>(received));
    return true;
  }

  int socket_;
  bool is_open_ = false;
  std::string answer_;
};

}  // namespace paraprint
