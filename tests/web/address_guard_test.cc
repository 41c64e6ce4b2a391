// Which addresses are public, including IPv4 addresses embedded in IPv6 ones, and exceptions by option.
#include "web/address_guard.h"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <string>

namespace paraprint {
namespace {

bool allows(const std::vector<std::string>& allowed, const std::string& address) {
  const AddressGuard guard = AddressGuard::create(allowed).value();
  return guard.allows(parse_address_block(address).value().first);
}

TEST(AddressGuard, RefusesAddressesThatAreNotPublic) {
  for (const char* address :
       {"0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.127.255.255", "127.0.0.1", "127.8.8.8",
        "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.1", "192.0.2.1", "192.168.1.1", "198.18.0.1",
        "198.19.255.255", "203.0.113.9", "224.0.0.1", "239.1.1.1", "240.0.0.1", "255.255.255.255", "::", "::1",
        "fc00::1", "fd12:3456::1", "fe80::1", "fec0::1", "ff02::1", "2001:db8::1", "2001::1", "100::1", "3fff::1",
        // Embedded IPv4 addresses
        "::ffff:127.0.0.1", "::ffff:169.254.169.254", "::ffff:10.0.0.1", "::127.0.0.1", "64:ff9b::7f00:1",
        "64:ff9b::a9fe:a9fe", "64:ff9b:1::a00:1", "2002:7f00:1::", "2002:c0a8:101::1",
        // A site may translate any of these to anything.
        "64:ff9b:1::1.1.1.1", "64:ff9b:1:1:1::", "64:ff9b:1:ffff:ffff:ffff:ffff:ffff",
        // The rest of the IANA registries: first and last addresses
        "0.255.255.255", "10.255.255.255", "100.64.0.0", "100.127.255.255", "127.255.255.255", "169.254.255.255",
        "172.31.255.255", "192.0.0.0", "192.0.0.255", "192.0.2.255", "192.88.99.2", "192.168.255.255", "198.18.0.0",
        "198.19.255.255", "198.51.100.255", "203.0.113.255", "240.0.0.0", "64:ff9b::a00:1", "64:ff9b::c0a8:1",
        "100::", "100:0:0:1::1", "2001::", "2001:1ff:ffff::1", "2001:db8:ffff::1", "3fff:fff:ffff::1", "5f00::1",
        "fdff::1", "febf::1", "ffff::1", "::ffff:0:1.1.1.1"}) {
    EXPECT_FALSE(allows({}, address)) << address;
    EXPECT_TRUE(allows({"private"}, address)) << address;
  }
}

TEST(AddressGuard, AllowsThePublicInternet) {
  for (const char* address :
       {"1.1.1.1",         "9.255.255.255",  "11.0.0.1",       "100.63.255.255",   "100.128.0.1",
        "126.255.255.255", "128.0.0.1",      "172.15.255.255", "172.32.0.1",       "192.167.0.1",
        "192.169.0.1",     "198.17.255.255", "198.20.0.1",     "223.255.255.255",  "2606:4700::1111",
        "2a00:1450::1",    "2001:200::1",    "::ffff:1.1.1.1", "64:ff9b::101:101", "2002:101:101::1"}) {
    EXPECT_TRUE(allows({}, address)) << address;
  }
}

TEST(AddressGuard, AllowsListedBlocks) {
  EXPECT_TRUE(allows({"127.0.0.1"}, "127.0.0.1"));
  EXPECT_TRUE(allows({"127.0.0.1"}, "::ffff:127.0.0.1"));
  EXPECT_FALSE(allows({"127.0.0.1"}, "127.0.0.2"));
  EXPECT_FALSE(allows({"127.0.0.1"}, "::1"));
  EXPECT_TRUE(allows({"10.0.0.0/8", "fd00::/8"}, "10.9.8.7"));
  EXPECT_TRUE(allows({"10.0.0.0/8", "fd00::/8"}, "fdff::1"));
  EXPECT_FALSE(allows({"10.0.0.0/9"}, "10.128.0.0"));
  EXPECT_TRUE(allows({"10.0.0.0/9"}, "10.127.255.255"));
}

TEST(AddressGuard, RefusesInvalidBlocks) {
  for (const char* text :
       {"", "localhost", "1.2.3", "1.2.3.4/33", "1.2.3.4/", "1.2.3.4/x", "::1/129", "/8", "Private"}) {
    EXPECT_FALSE(AddressGuard::create({text})) << text;
  }
  EXPECT_EQ(AddressGuard::create({"x"}).error().code, ErrorCode::kInvalidArgument);
}

TEST(AddressGuard, ReadsSocketAddresses) {
  const AddressGuard guard = AddressGuard::create({}).value();
  sockaddr_in ipv4{};
  ipv4.sin_family = AF_INET;
  ipv4.sin_addr.s_addr = htonl(0x7F000001);
  EXPECT_FALSE(guard.allows(reinterpret_cast<const sockaddr*>(&ipv4), sizeof ipv4));
  ipv4.sin_addr.s_addr = htonl(0x01010101);
  EXPECT_TRUE(guard.allows(reinterpret_cast<const sockaddr*>(&ipv4), sizeof ipv4));
  EXPECT_FALSE(guard.allows(reinterpret_cast<const sockaddr*>(&ipv4), 4));
  sockaddr_in6 ipv6{};
  ipv6.sin6_family = AF_INET6;
  ipv6.sin6_addr = in6addr_loopback;
  EXPECT_FALSE(guard.allows(reinterpret_cast<const sockaddr*>(&ipv6), sizeof ipv6));
  sockaddr other{};
  other.sa_family = AF_UNIX;
  EXPECT_FALSE(guard.allows(&other, sizeof other));
}

}  // namespace
}  // namespace paraprint
