// The host of an address as surt.cc writes it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace paraprint::inline cdx {

// The canonical form: without escapes, dots at the ends and capitals, in punycode, and numbers in the forms that
// programs take for an IPv4 address ("0x7f000001" is not among them, "017700000001" and "127.1" are) as four decimals.
// nullopt for a number of more than 4300 digits, which has no key.
std::optional<std::string> canonical_host(std::string_view host);

// Without "www.", "www2." and the like in front. Requires lower case.
std::string_view without_www(std::string_view host);

// "a.example.org" gives "org,example,a".
std::string reversed_host(std::string_view host);

}  // namespace paraprint::inline cdx
