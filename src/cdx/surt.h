// The key that indexes of web archives are sorted by: a canonical form of an address, host first and reversed, so that
// captures of a site are adjacent and spellings of one page fall together.
//
//   surt_key("http://www.Example.org:80/News/?b=1&a=2");   // "org,example)/news?a=2&b=1"
//
// The keys are those of cdxj-indexer and of the Python package surt with its default settings, so that players that use
// them find what we index. The table in tests/cdx has the answers of that package. docs/cdx.md describes the rules.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace paraprint::inline cdx {

// Hosts with other characters than ASCII are written in punycode (IDNA 2003) up to this size: no name that fits into
// the 253 bytes of the DNS is longer in UTF-8. Longer ones keep their bytes, escaped.
inline constexpr std::size_t kInternationalHostBytesMaximum = 1024;

// Any bytes are allowed. An address without a key (such as one with an impossible port) is its own key, and that of an
// empty one is "-", as in other indexes. No key has control characters or spaces: there, other indexes have lines that
// an address can forge.
//
// Pure and thread-safe. Cost: O(size), but for the order of the parameters of a query: O(size log parameters).
std::string surt_key(std::string_view url);

}  // namespace paraprint::inline cdx
