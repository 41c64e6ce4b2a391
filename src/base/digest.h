// Cryptographic digests, for algorithms that are defined with them (docs/algorithms/hashes.md). Pure and thread-safe.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>

namespace paraprint::inline base {

// To be called before OpenSSL is: it does not check whether its own initialisation failed. std::bad_alloc if it did;
// later calls then fail, too. Called by everything below. Cost: that of reading a variable of the thread.
void require_openssl();

std::array<std::uint8_t, 16> md5(std::string_view bytes);
std::array<std::uint8_t, 20> sha1(std::string_view bytes);
std::array<std::uint8_t, 32> sha256(std::string_view bytes);

// HMAC (RFC 2104) with SHA-256.
std::array<std::uint8_t, 32> hmac_sha256(std::string_view key, std::string_view bytes);

// The SHA-1 of bytes that arrive in pieces. Not thread-safe. finish() may be called once, as the last call.
class Sha1Stream {
 public:
  Sha1Stream();
  ~Sha1Stream();
  Sha1Stream(const Sha1Stream&) = delete;
  Sha1Stream& operator=(const Sha1Stream&) = delete;

  void update(std::string_view bytes);
  std::array<std::uint8_t, 20> finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The first 16 bytes as two big-endian numbers, the form used by indexes and comparisons.
template <std::size_t kSize>
std::array<std::uint64_t, 2> leading_words(const std::array<std::uint8_t, kSize>& digest) {
  static_assert(kSize >= 16);
  std::array<std::uint64_t, 2> words{};
  for (std::size_t i = 0; i < 16; ++i) words[i / 8] = words[i / 8] << 8 | digest[i];
  return words;
}

}  // namespace paraprint::inline base
