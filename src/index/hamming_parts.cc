// The plan of the whole join, which hamming_join.cc makes from the same numbers for each part.
#include "index/hamming_parts.h"

#include <algorithm>

#include "index/hamming_blocks.h"

namespace paraprint::inline index {

using namespace hamming_internal;

namespace {
constexpr int kFingerprintBits = 128;
}

struct HammingParts::Plan {
  double fingerprints;
  BlockPlan<Word128> blocks;
};

HammingParts::HammingParts(std::uint64_t fingerprints, int distance_bits, std::uint32_t parts) : parts_(parts) {
  const auto count = static_cast<double>(fingerprints);
  const int block_count = choose_block_count(kFingerprintBits, distance_bits, count);
  plan_ = std::make_unique<const Plan>(count, BlockPlan<Word128>(kFingerprintBits, distance_bits, block_count));
}

HammingParts::~HammingParts() = default;

std::span<const std::uint32_t> HammingParts::of(const Fingerprint128& fingerprint) {
  const Word128 word = Word128{fingerprint.high} << 64 | fingerprint.low;
  found_.clear();
  for (std::size_t number = 0; number < plan_->blocks.tables.size(); ++number) {
    const auto& table = plan_->blocks.tables[number];
    const int bits = bucket_bits(table.key_bits, plan_->fingerprints);
    const auto bucket = static_cast<std::uint64_t>(table.permute(word) >> (kFingerprintBits - bits));
    found_.push_back(part_of_bucket(number, bucket, parts_));
  }
  std::sort(found_.begin(), found_.end());
  found_.erase(std::unique(found_.begin(), found_.end()), found_.end());
  return found_;
}

}  // namespace paraprint::inline index
