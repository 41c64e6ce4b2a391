// The plan of the whole join, which hamming_join.cc makes from the same numbers for each part.
#include "index/hamming_parts.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/assert.h"
#include "index/hamming_blocks.h"

namespace paraprint::inline index {

using namespace hamming_internal;

// The plan of one width is used; the other one stays empty.
struct HammingParts::Plan {
  double fingerprints;
  std::optional<BlockPlan<std::uint64_t>> of_64_bits;
  std::optional<BlockPlan<Word128>> of_128_bits;
};

HammingParts::HammingParts(std::uint64_t fingerprints, int distance_bits, std::uint32_t parts, int width_bits)
    : parts_(parts) {
  PARAPRINT_ASSERT(width_bits == 64 || width_bits == 128);
  const auto count = static_cast<double>(fingerprints);
  const int block_count = choose_block_count(width_bits, distance_bits, count);
  Plan plan{count, {}, {}};
  if (width_bits == 64) {
    plan.of_64_bits.emplace(width_bits, distance_bits, block_count);
  } else {
    plan.of_128_bits.emplace(width_bits, distance_bits, block_count);
  }
  plan_ = std::make_unique<const Plan>(std::move(plan));
}

HammingParts::~HammingParts() = default;

template <class Blocks, class Word>
void HammingParts::find(const Blocks& blocks, Word word) {
  constexpr int kBits = static_cast<int>(sizeof(Word)) * 8;
  for (std::size_t number = 0; number < blocks.tables.size(); ++number) {
    const auto& table = blocks.tables[number];
    const int bits = bucket_bits(table.key_bits, plan_->fingerprints);
    const auto bucket = static_cast<std::uint64_t>(table.permute(word) >> (kBits - bits));
    found_.push_back(part_of_bucket(number, bucket, parts_));
  }
}

std::span<const std::uint32_t> HammingParts::of(const Fingerprint128& fingerprint) {
  found_.clear();
  if (plan_->of_64_bits) {
    find(*plan_->of_64_bits, fingerprint.high);
  } else {
    find(*plan_->of_128_bits, Word128{fingerprint.high} << 64 | fingerprint.low);
  }
  std::sort(found_.begin(), found_.end());
  found_.erase(std::unique(found_.begin(), found_.end()), found_.end());
  return found_;
}

}  // namespace paraprint::inline index
