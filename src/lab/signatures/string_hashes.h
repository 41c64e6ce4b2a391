// The classic string hashes of 32 bits that A. Partow's hash library collects (algorithms.md 7). Pure and thread-safe;
// bytes count as unsigned, sums are modulo 2^32, results are not masked.
//
// None of them is a good hash by today's measure; they are here for the IDF-string method, which was published with a
// comparison of them. Everything else uses base/hash.h.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace paraprint {

std::uint32_t rs_hash(std::string_view bytes);    // R. Sedgewick
std::uint32_t js_hash(std::string_view bytes);    // J. Sobel
std::uint32_t pjw_hash(std::string_view bytes);   // P. J. Weinberger; at 32 bits the same function as ELF
std::uint32_t elf_hash(std::string_view bytes);   // of Unix object files
std::uint32_t bkdr_hash(std::string_view bytes);  // B. Kernighan, D. Ritchie
std::uint32_t sdbm_hash(std::string_view bytes);  // of the sdbm database
std::uint32_t djb_hash(std::string_view bytes);   // D. J. Bernstein
std::uint32_t ap_hash(std::string_view bytes);    // A. Partow
std::uint32_t ap2_hash(std::string_view bytes);   // A. Partow, the later one

using StringHash = std::uint32_t (*)(std::string_view);

inline constexpr std::array<std::string_view, 9> kStringHashNames = {"rs",   "js",  "pjw", "elf", "bkdr",
                                                                     "sdbm", "djb", "ap",  "ap2"};
// In the order of the names.
inline constexpr std::array<StringHash, kStringHashNames.size()> kStringHashes = {
    rs_hash, js_hash, pjw_hash, elf_hash, bkdr_hash, sdbm_hash, djb_hash, ap_hash, ap2_hash};

}  // namespace paraprint
