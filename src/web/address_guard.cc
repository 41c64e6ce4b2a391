// All addresses are compared as IPv6: IPv4 ones are mapped into ::ffff:0:0/96, so one comparison serves both families.
// The guard refuses what is known to be special and, for IPv6, everything outside the one range in use for global
// unicast: a range that is assigned later is refused until it is known here.
#include "web/address_guard.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "base/propagate.h"
#include "http/header_block.h"

namespace paraprint::inline web {
namespace {

constexpr unsigned kMappedPrefixBits = 96;
constexpr std::array<std::uint8_t, 12> kMappedPrefix = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF};

InternetAddress mapped(const std::uint8_t* ipv4) {
  InternetAddress address;
  std::copy(kMappedPrefix.begin(), kMappedPrefix.end(), address.bytes.begin());
  std::copy_n(ipv4, 4, address.bytes.begin() + 12);
  return address;
}

// Blocks of the IANA special-purpose registries (RFC 6890 and its updates) that are not globally reachable, and
// multicast. Some blocks contain reachable parts (anycast addresses of protocols in 192.0.0.0/24 and 2001::/23), where
// no web server is. IPv6 outside 2000::/3 is refused as a whole and needs no rows here; this includes the translation
// prefix of a site (64:ff9b:1::/48, RFC 8215), whose addresses say nothing about where the site sends them.
constexpr const char* kPrivateBlocks[] = {
    "0.0.0.0/8",        // this network (RFC 791)
    "10.0.0.0/8",       // private (RFC 1918)
    "100.64.0.0/10",    // shared by carriers (RFC 6598)
    "127.0.0.0/8",      // loopback
    "169.254.0.0/16",   // link-local, including cloud metadata services (RFC 3927)
    "172.16.0.0/12",    // private
    "192.0.0.0/24",     // protocol assignments (RFC 6890)
    "192.0.2.0/24",     // documentation (RFC 5737)
    "192.88.99.0/24",   // 6to4 relays, retired (RFC 7526)
    "192.168.0.0/16",   // private
    "198.18.0.0/15",    // benchmarks (RFC 2544)
    "198.51.100.0/24",  // documentation
    "203.0.113.0/24",   // documentation
    "224.0.0.0/4",      // multicast
    "240.0.0.0/4",      // reserved, limited broadcast
    "2001::/23",        // protocol assignments, including Teredo and ORCHID (RFC 2928)
    "2001:db8::/32",    // documentation (RFC 3849)
    "3fff::/20",        // documentation (RFC 9637)
};

// Where an IPv6 address of a translation prefix contains its IPv4 address.
struct Carrier {
  const char* block;
  std::size_t offset_bytes;
};
constexpr Carrier kCarriers[] = {
    {"64:ff9b::/96", 12},  // NAT64 (RFC 6052)
    {"2002::/16", 2},      // 6to4 (RFC 3056)
};

// For the tables above: value() would throw for a row that cannot be parsed, which the tests would show.
AddressBlock known_block(std::string_view text) {
  return parse_address_block(text).value();
}

const std::vector<AddressBlock>& private_blocks() {
  static const std::vector<AddressBlock> blocks = [] {
    std::vector<AddressBlock> parsed;
    for (const char* text : kPrivateBlocks) parsed.push_back(known_block(text));
    return parsed;
  }();
  return blocks;
}

// The IPv4 address that packets to `address` finally reach, if it is a translated one.
std::optional<InternetAddress> carried(const InternetAddress& address) {
  static const std::vector<std::pair<AddressBlock, std::size_t>> carriers = [] {
    std::vector<std::pair<AddressBlock, std::size_t>> parsed;
    for (const Carrier& carrier : kCarriers) parsed.emplace_back(known_block(carrier.block), carrier.offset_bytes);
    return parsed;
  }();
  for (const auto& [block, offset_bytes] : carriers) {
    if (block.contains(address)) return mapped(address.bytes.data() + offset_bytes);
  }
  return std::nullopt;
}

// A translated address reaches an IPv4 host, so that host's address decides: 64:ff9b::7f00:1 is loopback.
bool is_public(const InternetAddress& address) {
  const bool is_ipv4 = std::equal(kMappedPrefix.begin(), kMappedPrefix.end(), address.bytes.begin());
  if (!is_ipv4) {
    if (const std::optional<InternetAddress> inner = carried(address)) return is_public(*inner);
    constexpr unsigned kGlobalUnicast = 0x20;  // 2000::/3 (RFC 4291 2.4)
    if ((address.bytes[0] & 0xE0U) != kGlobalUnicast) return false;
  }
  return std::none_of(private_blocks().begin(), private_blocks().end(),
                      [&](const AddressBlock& block) { return block.contains(address); });
}

}  // namespace

bool AddressBlock::contains(const InternetAddress& address) const {
  const std::size_t whole = prefix_bits / 8;
  if (!std::equal(first.bytes.begin(), first.bytes.begin() + static_cast<std::ptrdiff_t>(whole), address.bytes.begin()))
    return false;
  const unsigned rest = prefix_bits % 8;
  if (rest == 0) return true;
  const auto mask = static_cast<std::uint8_t>(0xFF00U >> rest);
  return (first.bytes[whole] & mask) == (address.bytes[whole] & mask);
}

Result<AddressBlock> parse_address_block(std::string_view text) {
  const auto refused = [&] {
    return failure(ErrorCode::kInvalidArgument,
                   fmt::format("'{}' is not an address block such as 192.0.2.0/24, 192.0.2.1 or 2001:db8::/32", text));
  };
  const std::size_t slash = text.find('/');
  const std::string address(text.substr(0, slash));
  AddressBlock block;
  unsigned offset_bits = 0;
  std::array<std::uint8_t, 4> ipv4{};
  if (::inet_pton(AF_INET, address.c_str(), ipv4.data()) == 1) {
    block.first = mapped(ipv4.data());
    offset_bits = kMappedPrefixBits;
  } else if (::inet_pton(AF_INET6, address.c_str(), block.first.bytes.data()) != 1) {
    return refused();
  }
  if (slash == std::string_view::npos) return block;
  const std::optional<std::uint64_t> bits = parse_number(text.substr(slash + 1));
  if (!bits || *bits > 128 - offset_bits) return refused();
  block.prefix_bits = offset_bits + static_cast<unsigned>(*bits);
  return block;
}

Result<AddressGuard> AddressGuard::create(const std::vector<std::string>& allowed) {
  AddressGuard guard;
  for (const std::string& text : allowed) {
    if (text == "private") {
      guard.allows_all_ = true;
      continue;
    }
    PARAPRINT_ASSIGN(AddressBlock block, parse_address_block(text));
    guard.allowed_.push_back(block);
  }
  return guard;
}

bool AddressGuard::allows(const InternetAddress& address) const {
  if (allows_all_ || is_public(address)) return true;
  return std::any_of(allowed_.begin(), allowed_.end(),
                     [&](const AddressBlock& block) { return block.contains(address); });
}

// Copies instead of casting the pointer: `address` is only guaranteed to be aligned for a sockaddr.
bool AddressGuard::allows(const sockaddr* address, std::size_t size_bytes) const {
  if (address->sa_family == AF_INET && size_bytes >= sizeof(sockaddr_in)) {
    sockaddr_in ipv4{};
    std::memcpy(&ipv4, address, sizeof ipv4);
    return allows(mapped(reinterpret_cast<const std::uint8_t*>(&ipv4.sin_addr)));
  }
  if (address->sa_family == AF_INET6 && size_bytes >= sizeof(sockaddr_in6)) {
    sockaddr_in6 ipv6{};
    std::memcpy(&ipv6, address, sizeof ipv6);
    InternetAddress bytes;
    std::memcpy(bytes.bytes.data(), &ipv6.sin6_addr, bytes.bytes.size());
    return allows(bytes);
  }
  return false;
}

}  // namespace paraprint::inline web
