// BLAKE2b (RFC 7693) with one text in each lane of a vector: lanes are independent, so a step compresses one block of
// each of two to eight texts with the instructions for one. Highway compiles this file once per instruction set and
// picks the best at run time, as in hamming_scan.cc. A lane whose text ends takes the next one, so lanes are idle only
// at the end of the list. Results equal those of libb2 (blake2b128()), which serves single texts.
#include "fingerprint/many_digests.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>

#include "base/hash.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fingerprint/many_digests.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

// Included once per instruction set: constants that do not depend on it are defined by the first.
#ifndef PARAPRINT_FINGERPRINT_MANY_DIGESTS_CC
#define PARAPRINT_FINGERPRINT_MANY_DIGESTS_CC
namespace paraprint::inline fingerprint {
namespace {

constexpr std::size_t kDigestBlockBytes = 128;
constexpr std::size_t kDigestBlockWords = 16;
constexpr std::size_t kDigestStateWords = 8;
constexpr std::size_t kDigestLanesMaximum = 8;
constexpr int kDigestRounds = 12;

// The digest of each text of one byte. A page may have a sentence of one letter every three bytes, and a digest costs
// as much as reading a line.
using ByteDigests = std::array<Fingerprint128, 256>;

constexpr std::array<std::uint64_t, kDigestStateWords> kInitialState = {
    0x6A09E667F3BCC908, 0xBB67AE8584CAA73B, 0x3C6EF372FE94F82B, 0xA54FF53A5F1D36F1,
    0x510E527FADE682D1, 0x9B05688C2B3E6C1F, 0x1F83D9ABFB41BD6B, 0x5BE0CD19137E2179};
// The first word of the parameters: 16 bytes of digest, no key, sequential mode. The other words are 0.
constexpr std::uint64_t kDigestParameters = 0x01010010;

// The order of the message words in each round; the last two rounds repeat the first two.
constexpr std::array<std::array<std::uint8_t, kDigestBlockWords>, kDigestRounds> kWordOrder = {{
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
    {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
    {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4},
    {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
    {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13},
    {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
    {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11},
    {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
    {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5},
    {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0},
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
    {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
}};

}  // namespace
}  // namespace paraprint::inline fingerprint
#endif

HWY_BEFORE_NAMESPACE();
namespace paraprint::inline fingerprint {

namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// Word w of lane l is at [w * lanes + l].
struct DigestLanes {
  alignas(64) std::array<std::uint64_t, kDigestBlockWords * kDigestLanesMaximum> message;
  alignas(64) std::array<std::uint64_t, kDigestStateWords * kDigestLanesMaximum> state;
  alignas(64) std::array<std::uint64_t, kDigestLanesMaximum> counter;  // bytes up to the end of this block
  alignas(64) std::array<std::uint64_t, kDigestLanesMaximum> is_last;  // all bits set for the last block of a text
};

using Tag = hn::CappedTag<std::uint64_t, kDigestLanesMaximum>;
using Vector = hn::Vec<Tag>;

HWY_INLINE void mix(Vector& a, Vector& b, Vector& c, Vector& d, Vector x, Vector y) {
  a = hn::Add(hn::Add(a, b), x);
  d = hn::RotateRight<32>(hn::Xor(d, a));
  c = hn::Add(c, d);
  b = hn::RotateRight<24>(hn::Xor(b, c));
  a = hn::Add(hn::Add(a, b), y);
  d = hn::RotateRight<16>(hn::Xor(d, a));
  c = hn::Add(c, d);
  b = hn::RotateRight<63>(hn::Xor(b, c));
}

// Named variables instead of an array of vectors, which scalable vectors do not allow.
void compress(DigestLanes& lanes, std::size_t count) {
  const Tag tag;
  const auto state = [&](std::size_t word) { return hn::Load(tag, &lanes.state[word * count]); };
  const auto initial = [&](std::size_t word) { return hn::Set(tag, kInitialState[word]); };
  Vector v0 = state(0), v1 = state(1), v2 = state(2), v3 = state(3);
  Vector v4 = state(4), v5 = state(5), v6 = state(6), v7 = state(7);
  Vector v8 = initial(0), v9 = initial(1), v10 = initial(2), v11 = initial(3);
  Vector v12 = hn::Xor(initial(4), hn::Load(tag, lanes.counter.data())), v13 = initial(5);
  Vector v14 = hn::Xor(initial(6), hn::Load(tag, lanes.is_last.data())), v15 = initial(7);
  for (const auto& order : kWordOrder) {
    const auto word = [&](std::size_t i) { return hn::Load(tag, &lanes.message[order[i] * count]); };
    mix(v0, v4, v8, v12, word(0), word(1));
    mix(v1, v5, v9, v13, word(2), word(3));
    mix(v2, v6, v10, v14, word(4), word(5));
    mix(v3, v7, v11, v15, word(6), word(7));
    mix(v0, v5, v10, v15, word(8), word(9));
    mix(v1, v6, v11, v12, word(10), word(11));
    mix(v2, v7, v8, v13, word(12), word(13));
    mix(v3, v4, v9, v14, word(14), word(15));
  }
  const auto add = [&](std::size_t word, Vector x, Vector y) {
    hn::Store(hn::Xor(state(word), hn::Xor(x, y)), tag, &lanes.state[word * count]);
  };
  add(0, v0, v8), add(1, v1, v9), add(2, v2, v10), add(3, v3, v11);
  add(4, v4, v12), add(5, v5, v13), add(6, v6, v14), add(7, v7, v15);
}

void hash_each(std::span<const std::string_view> texts, const ByteDigests& of_bytes, Fingerprint128* hashes) {
  const std::size_t count = hn::Lanes(Tag());
  DigestLanes lanes{};
  std::array<std::size_t, kDigestLanesMaximum> text_of;  // texts.size(): the lane is idle
  std::size_t next = 0;
  std::size_t active = 0;
  const auto begin_text = [&](std::size_t lane) {
    for (; next < texts.size() && texts[next].size() == 1; ++next) {
      hashes[next] = of_bytes[static_cast<unsigned char>(texts[next][0])];
    }
    text_of[lane] = next;
    lanes.counter[lane] = 0;
    if (next == texts.size()) return;
    ++next;
    ++active;
    for (std::size_t word = 0; word < kDigestStateWords; ++word) {
      lanes.state[word * count + lane] = kInitialState[word] ^ (word == 0 ? kDigestParameters : 0);
    }
  };
  const auto load_block = [&](std::size_t lane) {
    const std::string_view text = texts[text_of[lane]];
    const std::uint64_t done = lanes.counter[lane];
    const std::size_t size = std::min<std::size_t>(text.size() - done, kDigestBlockBytes);
    std::array<std::uint64_t, kDigestBlockWords> words{};
    if (size > 0) std::memcpy(words.data(), text.data() + done, size);
    for (std::size_t word = 0; word < kDigestBlockWords; ++word) lanes.message[word * count + lane] = words[word];
    lanes.counter[lane] = done + size;
    lanes.is_last[lane] = done + size == text.size() ? ~std::uint64_t{0} : 0;
  };
  for (std::size_t lane = 0; lane < count; ++lane) begin_text(lane);
  while (active > 0) {
    for (std::size_t lane = 0; lane < count; ++lane) {
      if (text_of[lane] < texts.size()) load_block(lane);
    }
    compress(lanes, count);
    for (std::size_t lane = 0; lane < count; ++lane) {
      if (text_of[lane] == texts.size() || lanes.is_last[lane] == 0) continue;
      // A digest is little-endian bytes, read as a big-endian number.
      hashes[text_of[lane]] = {__builtin_bswap64(lanes.state[lane]), __builtin_bswap64(lanes.state[count + lane])};
      --active;
      begin_text(lane);
    }
  }
}

}  // namespace

void hash_each_text(std::span<const std::string_view> texts, const ByteDigests& of_bytes, Fingerprint128* hashes) {
  hash_each(texts, of_bytes, hashes);
}

}  // namespace HWY_NAMESPACE

}  // namespace paraprint::inline fingerprint
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace paraprint::inline fingerprint {

namespace {

ByteDigests digests_of_bytes() {
  ByteDigests digests;
  for (std::size_t byte = 0; byte < digests.size(); ++byte) {
    const char text = static_cast<char>(byte);
    digests[byte] = blake2b128({&text, 1});
  }
  return digests;
}

}  // namespace

HWY_EXPORT(hash_each_text);

void blake2b128_of_each(std::span<const std::string_view> texts, std::vector<Fingerprint128>& hashes) {
  static const ByteDigests of_bytes = digests_of_bytes();
  hashes.resize(texts.size());
  HWY_DYNAMIC_DISPATCH(hash_each_text)(texts, of_bytes, hashes.data());
}

}  // namespace paraprint::inline fingerprint
#endif
