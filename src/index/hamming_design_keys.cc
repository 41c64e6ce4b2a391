// Each key is a hash of the table's number and of the fingerprint's bits under the table's mask. Bits need no
// permuting, because equality, unlike the order of sorted tables, does not depend on where they are.
#include "index/hamming_design_keys.h"

#include "base/assert.h"
#include "base/hash.h"
#include "base/propagate.h"
#include "index/hamming_table_keys.h"

namespace paraprint::inline index {
namespace {

using namespace hamming_internal;

Fingerprint128 halves_of(std::uint64_t mask) {
  return {mask, 0};
}
Fingerprint128 halves_of(Word128 mask) {
  return {top_of(mask), static_cast<std::uint64_t>(mask)};
}

template <class Word>
Status collect_masks(const HammingDesign& design, std::vector<Fingerprint128>& masks) {
  PARAPRINT_ASSIGN(const std::vector<TableKey<Word>> tables, table_keys<Word>(design, 0));
  for (const TableKey<Word>& table : tables) masks.push_back(halves_of(table.mask));
  return {};
}

}  // namespace

Result<HammingDesignKeys> HammingDesignKeys::create(const HammingDesign& design, int bits) {
  PARAPRINT_ASSERT(bits == 64 || bits == 128);
  PARAPRINT_ASSIGN(const HammingDesignShape shape, shape_of(design, bits));
  HammingDesignKeys keys;
  keys.key_bits_minimum_ = shape.key_bits_minimum;
  PARAPRINT_TRY(bits == 64 ? collect_masks<std::uint64_t>(design, keys.masks_)
                           : collect_masks<Word128>(design, keys.masks_));
  return keys;
}

void HammingDesignKeys::append(const Fingerprint128& fingerprint, std::vector<std::uint64_t>& keys) const {
  for (std::size_t table = 0; table < masks_.size(); ++table) {
    const std::uint64_t start = mix64(table + 1);
    keys.push_back(
        mix64(mix64(start ^ (fingerprint.high & masks_[table].high)) + (fingerprint.low & masks_[table].low)));
  }
}

}  // namespace paraprint::inline index
