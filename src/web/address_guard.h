// Decides which IP addresses the crawler may connect to. A page can link to anything and a name can resolve to
// anything, including routers, cloud metadata services and databases near the crawler. So the check is made on the
// address of each socket just before it connects, after redirects and name resolution.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "paraprint/result.h"

struct sockaddr;

namespace paraprint::inline web {

// An IPv6 address, or an IPv4 address in its IPv4-mapped form (RFC 4291 2.5.5.2).
struct InternetAddress {
  std::array<std::uint8_t, 16> bytes{};
  friend bool operator==(const InternetAddress&, const InternetAddress&) = default;
};

struct AddressBlock {
  InternetAddress first;
  unsigned prefix_bits = 128;  // of 128, for IPv4 as well
  bool contains(const InternetAddress& address) const;
};

// Parses "192.0.2.0/24", "192.0.2.1" or "2001:db8::/32". kInvalidArgument, quoting the text.
Result<AddressBlock> parse_address_block(std::string_view text);

// A value; allows() is thread-safe.
class AddressGuard {
 public:
  // `allowed` lists blocks that are allowed although they are not public; the word "private" allows all addresses.
  static Result<AddressGuard> create(const std::vector<std::string>& allowed);

  // True for public unicast addresses and for allowed ones. An address that embeds an IPv4 address (mapped, NAT64,
  // 6to4) is public only if the embedded one is.
  bool allows(const InternetAddress& address) const;
  // False for families other than IPv4 and IPv6.
  bool allows(const sockaddr* address, std::size_t size_bytes) const;

 private:
  std::vector<AddressBlock> allowed_;
  bool allows_all_ = false;
};

}  // namespace paraprint::inline web
