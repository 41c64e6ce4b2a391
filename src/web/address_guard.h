// Which addresses of the internet a crawler may connect to. A page can link to anything, a name can resolve to
// anything, and what is reachable from where the crawler runs (routers, cloud metadata, databases) is not for it to
// ask: the check is made on the address of each socket before it connects, after redirects and name resolution alike.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "paraprint/result.h"

struct sockaddr;

namespace paraprint {

// An IPv4 address is kept as the IPv4-mapped IPv6 address that stands for it (RFC 4291 2.5.5.2).
struct InternetAddress {
  std::array<std::uint8_t, 16> bytes{};
  friend bool operator==(const InternetAddress&, const InternetAddress&) = default;
};

struct AddressBlock {
  InternetAddress first;
  unsigned prefix_bits = 128;  // of the 128
  bool contains(const InternetAddress& address) const;
};

// "192.0.2.0/24", "192.0.2.1", "2001:db8::/32". kInvalidArgument naming the text.
Result<AddressBlock> parse_address_block(std::string_view text);

// Values; `allows` is thread-safe.
class AddressGuard {
 public:
  // Blocks that are allowed though they are not public; the word "private" allows all addresses.
  static Result<AddressGuard> create(const std::vector<std::string>& allowed);

  // True for public unicast addresses and for allowed ones. An address that carries an IPv4 address (mapped, NAT64,
  // 6to4) is public only if that one is.
  bool allows(const InternetAddress& address) const;
  // False for families other than IPv4 and IPv6.
  bool allows(const sockaddr* address, std::size_t size_bytes) const;

 private:
  std::vector<AddressBlock> allowed_;
  bool allows_all_ = false;
};

}  // namespace paraprint
