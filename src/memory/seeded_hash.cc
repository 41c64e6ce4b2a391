// The names of the steps are those of the SipHash paper, section 2.
#include "memory/seeded_hash.h"

#include <bit>
#include <cstring>
#include <random>

namespace paraprint::inline memory {
namespace {

struct SipState {
  std::uint64_t v0;
  std::uint64_t v1;
  std::uint64_t v2;
  std::uint64_t v3;

  void sip_round() {
    v0 += v1;
    v2 += v3;
    v1 = std::rotl(v1, 13) ^ v0;
    v3 = std::rotl(v3, 16) ^ v2;
    v0 = std::rotl(v0, 32);
    v2 += v1;
    v0 += v3;
    v1 = std::rotl(v1, 17) ^ v2;
    v3 = std::rotl(v3, 21) ^ v0;
    v2 = std::rotl(v2, 32);
  }
  void compress(std::uint64_t word) {
    v3 ^= word;
    sip_round();
    v0 ^= word;
  }
};

HashSeed random_seed() {
  std::random_device device;
  const auto word = [&] { return std::uint64_t{device()} << 32 | device(); };
  const std::uint64_t low = word();
  return {low, word()};
}

}  // namespace

const HashSeed& process_hash_seed() {
  static const HashSeed kSeed = random_seed();
  return kSeed;
}

std::uint64_t sip_hash(std::string_view bytes, const HashSeed& seed) {
  SipState state{seed.low ^ 0x736F6D6570736575, seed.high ^ 0x646F72616E646F6D, seed.low ^ 0x6C7967656E657261,
                 seed.high ^ 0x7465646279746573};
  std::size_t at = 0;
  for (; at + sizeof(std::uint64_t) <= bytes.size(); at += sizeof(std::uint64_t)) {
    std::uint64_t word;
    std::memcpy(&word, bytes.data() + at, sizeof word);
    state.compress(word);
  }
  // The last word has the remaining bytes and, at its top, the length modulo 256.
  std::uint64_t last = 0;
  for (std::size_t i = bytes.size(); i-- > at;) last = last << 8 | static_cast<unsigned char>(bytes[i]);
  state.compress(last | std::uint64_t{bytes.size()} << 56);
  state.v2 ^= 0xFF;
  for (int round = 0; round < 3; ++round) state.sip_round();
  return state.v0 ^ state.v1 ^ state.v2 ^ state.v3;
}

}  // namespace paraprint::inline memory
