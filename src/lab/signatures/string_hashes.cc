// Constants and operations are those of Partow's library. Its later versions changed the AP hash, so both are provided;
// they differ in two operators and in the initial value.
#include "lab/signatures/string_hashes.h"

namespace paraprint::inline lab::inline signatures {
namespace {

// Horner's rule; BKDR, SDBM and DJB differ only in factor and initial value.
std::uint32_t polynomial(std::string_view bytes, std::uint32_t factor, std::uint32_t start) {
  std::uint32_t hash = start;
  for (const unsigned char byte : bytes) hash = hash * factor + byte;
  return hash;
}

constexpr std::uint32_t kHighNibble = 0xF0000000;

}  // namespace

std::uint32_t rs_hash(std::string_view bytes) {
  std::uint32_t factor = 63689;
  std::uint32_t hash = 0;
  for (const unsigned char byte : bytes) {
    hash = hash * factor + byte;
    factor *= 378551;
  }
  return hash;
}

std::uint32_t js_hash(std::string_view bytes) {
  std::uint32_t hash = 1315423911;
  for (const unsigned char byte : bytes) hash ^= (hash << 5) + byte + (hash >> 2);
  return hash;
}

// PJW and ELF shift in four bits per byte and fold the top nibble back into the low bits. PJW was written for any word
// size; at 32 bits it computes the same value.
std::uint32_t pjw_hash(std::string_view bytes) {
  std::uint32_t hash = 0;
  for (const unsigned char byte : bytes) {
    hash = (hash << 4) + byte;
    const std::uint32_t high = hash & kHighNibble;
    if (high != 0) hash = (hash ^ (high >> 24)) & ~kHighNibble;
  }
  return hash;
}

std::uint32_t elf_hash(std::string_view bytes) {
  std::uint32_t hash = 0;
  for (const unsigned char byte : bytes) {
    hash = (hash << 4) + byte;
    const std::uint32_t high = hash & kHighNibble;
    if (high != 0) hash ^= high >> 24;
    hash &= ~high;
  }
  return hash;
}

std::uint32_t bkdr_hash(std::string_view bytes) {
  return polynomial(bytes, 131, 0);
}
std::uint32_t sdbm_hash(std::string_view bytes) {
  return polynomial(bytes, 65599, 0);
}
std::uint32_t djb_hash(std::string_view bytes) {
  return polynomial(bytes, 33, 5381);
}

std::uint32_t ap_hash(std::string_view bytes) {
  std::uint32_t hash = 0;
  bool is_odd = false;
  for (const unsigned char byte : bytes) {
    hash ^= is_odd ? ~((hash << 11) ^ byte ^ (hash >> 5)) : (hash << 7) ^ byte ^ (hash >> 3);
    is_odd = !is_odd;
  }
  return hash;
}

std::uint32_t ap2_hash(std::string_view bytes) {
  std::uint32_t hash = 0xAAAAAAAA;
  bool is_odd = false;
  for (const unsigned char byte : bytes) {
    hash ^= is_odd ? ~((hash << 11) + (byte ^ (hash >> 5))) : (hash << 7) ^ (byte * (hash >> 3));
    is_odd = !is_odd;
  }
  return hash;
}

}  // namespace paraprint::inline lab::inline signatures
