// The classic 32-bit string hashes collected in A. Partow's hash library (docs/algorithms/digests.md). Pure and
// thread-safe; bytes are unsigned, arithmetic is modulo 2^32, results are not masked.
//
// None of them is a good hash by today's standards. They exist for the IDF-string method, whose publication compares
// them. All other code uses base/hash.h.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace paraprint::inline lab::inline signatures {

std::uint32_t rs_hash(std::string_view bytes);    // R. Sedgewick
std::uint32_t js_hash(std::string_view bytes);    // J. Sobel
std::uint32_t pjw_hash(std::string_view bytes);   // P. J. Weinberger; at 32 bits the same function as ELF
std::uint32_t elf_hash(std::string_view bytes);   // used in Unix object files
std::uint32_t bkdr_hash(std::string_view bytes);  // B. Kernighan, D. Ritchie
std::uint32_t sdbm_hash(std::string_view bytes);  // used in the sdbm database
std::uint32_t djb_hash(std::string_view bytes);   // D. J. Bernstein
std::uint32_t ap_hash(std::string_view bytes);    // A. Partow
std::uint32_t ap2_hash(std::string_view bytes);   // A. Partow, second version

using StringHash = std::uint32_t (*)(std::string_view);

inline constexpr std::array<std::string_view, 9> kStringHashNames = {"rs",   "js",  "pjw", "elf", "bkdr",
                                                                     "sdbm", "djb", "ap",  "ap2"};
// In the order of the names.
inline constexpr std::array<StringHash, kStringHashNames.size()> kStringHashes = {
    rs_hash, js_hash, pjw_hash, elf_hash, bkdr_hash, sdbm_hash, djb_hash, ap_hash, ap2_hash};

}  // namespace paraprint::inline lab::inline signatures
