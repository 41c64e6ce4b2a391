// The inner loop of MinHash signatures with the arithmetic of datasketch, for the module paraprint.sketches.
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "module.h"

namespace paraprint::python {
namespace {

using Numbers = nb::ndarray<std::uint64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using ReadOnlyNumbers = nb::ndarray<const std::uint64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

constexpr std::uint64_t kPrime = (std::uint64_t{1} << 61) - 1;
constexpr std::uint64_t kLowBits = 0xFFFFFFFF;

// (factor * hash + offset) modulo 2^64, then modulo the prime, then its low 32 bits. The product wraps around first,
// so this is no universal hash of hashes over 32 bits; it is what datasketch computes.
std::uint64_t permuted(std::uint64_t hash, std::uint64_t factor, std::uint64_t offset) {
  const std::uint64_t product = factor * hash + offset;
  std::uint64_t rest = (product & kPrime) + (product >> 61);  // 2^61 is 1 modulo the prime
  if (rest >= kPrime) rest -= kPrime;
  return rest & kLowBits;
}

// Lowers each of `signature` to the least value that its permutation gives any of `hashes`. Permutation i is
// (factors[i], offsets[i]).
void update_signature(const Numbers& signature, const ReadOnlyNumbers& factors, const ReadOnlyNumbers& offsets,
                      const ReadOnlyNumbers& hashes) {
  const std::size_t size = signature.shape(0);
  if (factors.shape(0) != size || offsets.shape(0) != size) {
    throw nb::value_error("signature and permutations have different lengths");
  }
  const nb::gil_scoped_release released;
  std::uint64_t* values = signature.data();
  const std::uint64_t* begin = hashes.data();
  const std::uint64_t* end = begin + hashes.shape(0);
  for (std::size_t i = 0; i < size; ++i) {
    const std::uint64_t factor = factors.data()[i];
    const std::uint64_t offset = offsets.data()[i];
    std::uint64_t least = values[i];
    for (const std::uint64_t* hash = begin; hash != end; ++hash) {
      least = std::min(least, permuted(*hash, factor, offset));
    }
    values[i] = least;
  }
}

}  // namespace

void bind_sketches(nb::module_& module) {
  module.def("update_signature", update_signature, nb::arg("signature"), nb::arg("factors"), nb::arg("offsets"),
             nb::arg("hashes"));
}

}  // namespace paraprint::python
