// Each lane of a vector is one unit. The answers to six questions form an index of six bits, which selects one of 64
// answers by a table lookup in registers; answers are stored as two planes of bytes because lookups work on bytes.
// This file is compiled once per instruction set and included recursively by Highway.
#include "extract/tree_evaluator.h"

#include <algorithm>

// AVX3_DL has lookups in tables of 64 bytes, half of the work here. Highway omits the target unless asked for it.
#define HWY_WANT_AVX3_DL
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "extract/tree_evaluator.cc"
#include <hwy/foreach_target.h>  // compiles the rest of this file once per instruction set
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace paraprint::inline extract {

namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR  // it does not support interleaving

void sum_answers(std::span<const ObliviousTree> trees, std::int16_t bias, const FeatureMatrix& matrix,
                 std::size_t begin, std::size_t end, std::int16_t* sums) {
  sum_answers_plainly(trees, bias, matrix, begin, end, sums);
}

#else

using Bytes = hn::CappedTag<std::uint8_t, kFeatureRowStep>;
using ByteVector = hn::Vec<Bytes>;

#if HWY_TARGET <= HWY_AVX3_DL

// Looks up bytes in a table of 64 at `index`, with bits 4 and 5 of the index given as masks.
HWY_INLINE ByteVector lookup(const std::uint8_t* table, ByteVector index, hn::Mask<Bytes> bit4, hn::Mask<Bytes> bit5) {
  const Bytes bytes;
  index = hn::Or(index, hn::IfThenElseZero(bit4, hn::Set(bytes, 1 << 4)));
  index = hn::Or(index, hn::IfThenElseZero(bit5, hn::Set(bytes, 1 << 5)));
  return ByteVector{_mm512_permutexvar_epi8(index.raw, hn::LoadU(bytes, table).raw)};
}

#else

// Looks up bytes in a table of 64 by four lookups in tables of 16, selected by bits 4 and 5.
HWY_INLINE ByteVector lookup(const std::uint8_t* table, ByteVector index, hn::Mask<Bytes> bit4, hn::Mask<Bytes> bit5) {
  const Bytes bytes;
  const auto part = [&](std::size_t begin)
                        HWY_ATTR { return hn::TableLookupBytes(hn::LoadDup128(bytes, table + begin), index); };
  const auto low = hn::IfThenElse(bit4, part(16), part(0));
  const auto high = hn::IfThenElse(bit4, part(48), part(32));
  return hn::IfThenElse(bit5, high, low);
}

#endif

// Sums the answers for the units of `kVectors` vectors from `begin`. Several vectors share the load of each tree.
template <std::size_t kVectors>
HWY_INLINE void sum_stretch(std::span<const ObliviousTree> trees, std::int16_t bias, const FeatureMatrix& matrix,
                            std::size_t begin, std::int16_t* sums) {
  const Bytes bytes;
  const hn::Repartition<std::int16_t, Bytes> words;
  const std::size_t lanes = hn::Lanes(bytes);
  hn::Vec<decltype(words)> even[kVectors];  // interleaving puts half of the units into each
  hn::Vec<decltype(words)> odd[kVectors];
  for (std::size_t v = 0; v < kVectors; ++v) even[v] = odd[v] = hn::Set(words, bias);
  for (const ObliviousTree& tree : trees) {
    for (std::size_t v = 0; v < kVectors; ++v) {
      const auto asked = [&](std::size_t question) HWY_ATTR {
        return hn::Gt(hn::LoadU(bytes, matrix.row(tree.questions[question].feature) + begin + v * lanes),
                      hn::Set(bytes, tree.questions[question].threshold));
      };
      auto index = hn::IfThenElseZero(asked(0), hn::Set(bytes, 1));
      index = hn::Or(index, hn::IfThenElseZero(asked(1), hn::Set(bytes, 2)));
      index = hn::Or(index, hn::IfThenElseZero(asked(2), hn::Set(bytes, 4)));
      index = hn::Or(index, hn::IfThenElseZero(asked(3), hn::Set(bytes, 8)));
      const auto bit4 = asked(4);
      const auto bit5 = asked(5);
      const auto low = lookup(tree.low_bytes.data(), index, bit4, bit5);
      const auto high = lookup(tree.high_bytes.data(), index, bit4, bit5);
      even[v] = hn::SaturatedAdd(even[v], hn::BitCast(words, hn::InterleaveLower(bytes, low, high)));
      odd[v] = hn::SaturatedAdd(odd[v], hn::BitCast(words, hn::InterleaveUpper(bytes, low, high)));
    }
  }
  // Interleaving works per 128-bit block, so the order of the sums depends on the vector width. Interleaving the unit
  // numbers in the same way yields the unit of each sum.
  alignas(64) std::uint8_t numbers[2 * kFeatureRowStep];
  alignas(64) std::int16_t values[kFeatureRowStep];
  const auto iota = hn::Iota(bytes, 0);
  hn::Store(hn::InterleaveLower(bytes, iota, iota), bytes, numbers);
  hn::Store(hn::InterleaveUpper(bytes, iota, iota), bytes, numbers + lanes);
  for (std::size_t v = 0; v < kVectors; ++v) {
    hn::Store(even[v], words, values);
    hn::Store(odd[v], words, values + lanes / 2);
    for (std::size_t i = 0; i < lanes; ++i) sums[begin + v * lanes + numbers[2 * i]] = values[i];
  }
}

void sum_answers(std::span<const ObliviousTree> trees, std::int16_t bias, const FeatureMatrix& matrix,
                 std::size_t begin, std::size_t end, std::int16_t* sums) {
  const std::size_t lanes = hn::Lanes(Bytes());
  // Four vectors at a time; rows are padded to 64 units, so the rest is always a whole number of vectors.
  for (; begin + 4 * lanes <= end; begin += 4 * lanes) sum_stretch<4>(trees, bias, matrix, begin, sums);
  const std::size_t left = (end - begin) / lanes;
  if (left == 3) sum_stretch<3>(trees, bias, matrix, begin, sums);
  if (left == 2) sum_stretch<2>(trees, bias, matrix, begin, sums);
  if (left == 1) sum_stretch<1>(trees, bias, matrix, begin, sums);
}

#endif

}  // namespace HWY_NAMESPACE

}  // namespace paraprint::inline extract
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace paraprint::inline extract {

HWY_EXPORT(sum_answers);

void sum_answers(std::span<const ObliviousTree> trees, std::int16_t bias, const FeatureMatrix& matrix,
                 std::size_t begin, std::size_t end, std::int16_t* sums) {
  HWY_DYNAMIC_DISPATCH(sum_answers)(trees, bias, matrix, begin, end, sums);
}

// Clamps after every addition, like the saturating vector instructions.
void sum_answers_plainly(std::span<const ObliviousTree> trees, std::int16_t bias, const FeatureMatrix& matrix,
                         std::size_t begin, std::size_t end, std::int16_t* sums) {
  for (std::size_t unit = begin; unit < end; ++unit) {
    int sum = bias;
    for (const ObliviousTree& tree : trees) {
      std::size_t leaf = 0;
      for (std::size_t q = 0; q < kTreeDepth; ++q) {
        leaf |= std::size_t{matrix.row(tree.questions[q].feature)[unit] > tree.questions[q].threshold} << q;
      }
      sum = std::clamp(sum + tree.answer(leaf), INT16_MIN, INT16_MAX);
    }
    sums[unit] = static_cast<std::int16_t>(sum);
  }
}

}  // namespace paraprint::inline extract
#endif  // HWY_ONCE
