// Hashing for tables in memory whose keys come from pages, archives or requests: seeded at random per process, so that
// a stranger cannot choose keys that share a slot and make each operation cost as much as the table is long.
//
// Results must not depend on the seed: never iterate over such a table without sorting, and store none of its hashes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/hash.h"

namespace paraprint::inline memory {

// The key of a keyed hash.
struct HashSeed {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
};

// Random, and the same for the whole life of the process. Thread-safe.
const HashSeed& process_hash_seed();

// SipHash-1-3 (J.-P. Aumasson, D. J. Bernstein, 2012), which tables of many languages use for this purpose: without the
// seed, nobody can find two texts with equal or close hashes. Pure and thread-safe.
std::uint64_t sip_hash(std::string_view bytes, const HashSeed& seed);

// For std::unordered_map and std::unordered_set.
struct SeededHash {
  std::size_t operator()(std::string_view key) const { return sip_hash(key, process_hash_seed()); }
  std::size_t operator()(std::uint64_t key) const {
    return sip_hash({reinterpret_cast<const char*>(&key), sizeof key}, process_hash_seed());
  }
};

// For tables with open addressing whose keys are hashes already: a bijection, so it takes no key for another.
inline std::uint64_t seeded_mix64(std::uint64_t key, const HashSeed& seed) {
  return mix64(mix64(key ^ seed.low) ^ seed.high);
}

}  // namespace paraprint::inline memory
