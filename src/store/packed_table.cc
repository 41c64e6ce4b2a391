// Building, validation and iteration of packed tables; lookups are inline in the header.
//
// The bitmap starts with a zero, followed by a one per pair and a zero at the end of each bucket. Hence the zero that
// ends bucket b has position b + 1 + (number of pairs in buckets up to b), and pairs can be counted by selecting zeros.
//
// Tables are read in place from files, so every later access must be proved safe when a table is created:
// is_consistent() compares the directory with the whole bitmap. Values of pairs need no check; any value is harmless.
#include "store/packed_table.h"

#include <algorithm>
#include <limits>

#include "base/assert.h"

namespace paraprint::inline store {
namespace {

constexpr int kKeyBitsMaximum = 40;
constexpr int kValueBitsMaximum = 32;
// A pair is read as one 64-bit word from its first byte, which may begin with up to 7 bits of the pair before.
constexpr int kRestBitsMaximum = 57;
constexpr std::uint64_t kSixteen = 16;
constexpr std::uint64_t kBeforeMaximum = 255;

std::uint64_t low_bits(int count) {
  return count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
}

// The number of set bits in [begin, end).
std::uint64_t count_set_bits_within(const std::uint64_t* bitmap, std::uint64_t begin, std::uint64_t end) {
  std::uint64_t count = 0;
  for (std::uint64_t at = begin; at < end;) {
    const std::uint64_t taken = std::min<std::uint64_t>(end - at, 64 - at % 64);
    count += count_set_bits(bitmap[at / 64] >> at % 64 & low_bits(static_cast<int>(taken)));
    at += taken;
  }
  return count;
}

}  // namespace

bool PackedTableShape::is_valid() const {
  return count < std::numeric_limits<std::uint32_t>::max() && key_bits >= 1 && key_bits <= kKeyBitsMaximum &&
         value_bits >= 1 && value_bits <= kValueBitsMaximum && key_bits + value_bits <= 64 && bucket_bits >= 0 &&
         bucket_bits <= kBucketBitsMaximum && rest_bits() >= 0 && rest_bits() <= kRestBitsMaximum;
}

PackedTableShape choose_packed_shape(std::uint64_t count, int key_bits, int value_bits) {
  const int wanted = static_cast<int>(std::bit_width(count)) - 1;
  // One or two pairs per bucket. The minimum keeps the stored part of a pair within kRestBitsMaximum.
  const int least = std::max(0, key_bits + value_bits - kRestBitsMaximum);
  return {count, key_bits, value_bits, std::clamp(wanted, least, std::min(key_bits + value_bits, kBucketBitsMaximum))};
}

// The shape's count is only an estimate for the memory to reserve; the real count grows with add().
PackedTableBuilder::PackedTableBuilder(const PackedTableShape& shape) : shape_(shape) {
  PARAPRINT_ASSERT(shape.is_valid());
  bitmap_.reserve(shape.bitmap_words());
  shape_.count = 0;
  starts_.assign(shape.groups() * 4 + 1, 0);
}

void PackedTableBuilder::add(const PackedPair& pair) {
  const std::uint64_t number = pair.key << shape_.value_bits | pair.value;
  const std::uint64_t bucket = number >> shape_.rest_bits();
  PARAPRINT_ASSERT(bucket >> shape_.bucket_bits == 0 && bucket / kSixteen + 1 >= next_sixteen_);
  while (next_sixteen_ * kSixteen <= bucket) starts_[next_sixteen_++] = static_cast<std::uint32_t>(shape_.count);
  // Before this pair's one there are a one per earlier pair, a zero per earlier bucket, and the first zero.
  const std::uint64_t bit = 1 + shape_.count + bucket;
  if (bitmap_.size() <= bit / 64) bitmap_.resize(bit / 64 + 1, 0);
  bitmap_[bit / 64] |= std::uint64_t{1} << bit % 64;
  ++shape_.count;
  // Pairs are packed back to back, lowest bits first, regardless of byte borders.
  std::uint64_t bits = number & low_bits(shape_.rest_bits());
  int left = shape_.rest_bits();
  while (left > 0) {
    const int taken = std::min(left, 64 - pending_bits_);
    pending_ |= (bits & low_bits(taken)) << pending_bits_;
    pending_bits_ += taken;
    bits >>= taken;
    left -= taken;
    if (pending_bits_ < 64) continue;
    bytes_.append(reinterpret_cast<const char*>(&pending_), sizeof pending_);
    pending_ = 0;
    pending_bits_ = 0;
  }
}

std::string PackedTableBuilder::take() {
  std::string taken;
  taken.swap(bytes_);
  return taken;
}

// Empty buckets at the end still need their starts and zeros. `before` is capped at 255, see BucketGroup.
std::string PackedTableBuilder::finish() {
  while (next_sixteen_ < starts_.size()) starts_[next_sixteen_++] = static_cast<std::uint32_t>(shape_.count);
  bitmap_.resize(shape_.bitmap_words(), 0);
  std::vector<BucketGroup> groups(shape_.groups() + 1);
  for (std::size_t group = 0; group < groups.size(); ++group) {
    groups[group].first_pair = starts_[group * 4];
    for (std::size_t part = 1; part < 4 && group < shape_.groups(); ++part) {
      const std::uint64_t before = starts_[group * 4 + part] - starts_[group * 4];
      groups[group].before[part] = static_cast<std::uint8_t>(std::min(before, kBeforeMaximum));
    }
  }
  directory_.assign(reinterpret_cast<const char*>(groups.data()), groups.size() * sizeof(BucketGroup));
  directory_.append(reinterpret_cast<const char*>(bitmap_.data()), bitmap_.size() * sizeof(std::uint64_t));
  bytes_.append(reinterpret_cast<const char*>(&pending_), static_cast<std::size_t>((pending_bits_ + 7) / 8));
  bytes_.append(kPackedPaddingBytes, '\0');
  pending_bits_ = 0;
  return take();
}

Result<PackedTable> PackedTable::create(const PackedTableShape& shape, const char* pairs, const char* directory) {
  if (!shape.is_valid()) return failure(ErrorCode::kCorruptData, "search table with an invalid shape");
  PARAPRINT_ASSERT(reinterpret_cast<std::uintptr_t>(directory) % alignof(std::uint64_t) == 0);
  PackedTable table;
  table.shape_ = shape;
  table.pairs_ = pairs;
  table.groups_ = reinterpret_cast<const BucketGroup*>(directory);
  table.bitmap_ = reinterpret_cast<const std::uint64_t*>(directory + shape.groups_bytes());
  table.rest_bits_ = static_cast<std::uint64_t>(shape.rest_bits());
  table.rest_mask_ = low_bits(shape.rest_bits());
  table.value_mask_ = low_bits(shape.value_bits);
  table.key_shift_left_ = std::max(0, shape.bucket_bits - shape.key_bits);
  table.key_shift_right_ = std::max(0, shape.key_bits - shape.bucket_bits);
  if (!table.is_consistent()) {
    return failure(ErrorCode::kCorruptData, "search table with an inconsistent directory");
  }
  table.note_crowded_groups();
  return table;
}

// Guarantees that later reads stay within the bytes: each group of 64 buckets has as many ones as its directory entry
// says, hence as many zeros as buckets, and ends with a zero. Cost: one pass over the bitmap.
bool PackedTable::is_consistent() const {
  const std::uint64_t buckets = shape_.buckets();
  const std::uint64_t end = 1 + shape_.count + buckets;
  if (groups_[0].first_pair != 0 || groups_[shape_.groups()].first_pair != shape_.count || (bitmap_[0] & 1) != 0 ||
      count_set_bits_within(bitmap_, end, shape_.bitmap_words() * 64) != 0) {
    return false;
  }
  for (std::uint64_t group = 0; group < shape_.groups(); ++group) {
    const std::uint64_t first = groups_[group].first_pair;
    const std::uint64_t next = groups_[group + 1].first_pair;
    const std::uint64_t first_bucket = group << kGroupBits;
    const std::uint64_t next_bucket = std::min(first_bucket + 64, buckets);
    if (first > next || next > shape_.count || groups_[group].before[0] != 0) return false;
    const std::uint64_t last_zero = next + next_bucket;
    if (count_set_bits_within(bitmap_, first + first_bucket + 1, last_zero + 1) != next - first ||
        (bitmap_[last_zero / 64] >> last_zero % 64 & 1) != 0) {
      return false;
    }
    // The zero before each part of 16 buckets, selected among the group's 64 zeros. Buckets beyond the last one begin
    // at the end.
    for (std::uint64_t part = 1; part < 4; ++part) {
      const std::uint64_t bucket = std::min(first_bucket + part * kSixteen, buckets);
      const std::uint64_t zero = find_zero_bit(bitmap_, first + first_bucket, bucket - first_bucket);
      if (groups_[group].before[part] != std::min(zero - bucket - first, kBeforeMaximum)) return false;
    }
  }
  return true;
}

void PackedTable::note_crowded_groups() {
  std::vector<CrowdedGroup> crowded;
  for (std::uint64_t group = 0; group < shape_.groups(); ++group) {
    if (groups_[group + 1].first_pair - groups_[group].first_pair < kCrowdedPairs) continue;
    CrowdedGroup& noted = crowded.emplace_back();
    noted.group = group;
    const std::uint64_t first_bucket = group << kGroupBits;
    const std::uint64_t buckets = std::min<std::uint64_t>(64, shape_.buckets() - first_bucket);
    std::uint64_t zero = groups_[group].first_pair + first_bucket;
    noted.zeros.front() = zero;
    for (std::uint64_t bucket = 1; bucket <= buckets; ++bucket)
      noted.zeros[bucket] = zero = find_zero_bit(bitmap_, zero + 1, 0);
  }
  if (!crowded.empty()) crowded_ = std::make_shared<const std::vector<CrowdedGroup>>(std::move(crowded));
}

// Selects from the start of the group, over as many words as necessary, unless it is a crowded one.
PackedTable::Range PackedTable::large_bucket_range(std::uint64_t bucket) const {
  const std::uint64_t group = bucket >> kGroupBits;
  if (groups_[group + 1].first_pair - groups_[group].first_pair >= kCrowdedPairs) {
    const auto noted = std::lower_bound(crowded_->begin(), crowded_->end(), group,
                                        [](const CrowdedGroup& x, std::uint64_t wanted) { return x.group < wanted; });
    const std::size_t place = bucket % 64;
    const std::uint64_t zero = noted->zeros[place];
    return {zero - bucket, noted->zeros[place + 1] - zero - 1};
  }
  const std::uint64_t first_bucket = bucket >> kGroupBits << kGroupBits;
  const std::uint64_t zero = find_zero_bit(bitmap_, groups_[group].first_pair + first_bucket, bucket - first_bucket);
  return {zero - bucket, count_ones_from(bitmap_, zero + 1)};
}

// Follows the bitmap: zeros before the next one end buckets, which yields the pair's leading bits.
bool PackedTable::Cursor::next(PackedPair& pair) {
  if (at_ == table_->shape_.count) return false;
  for (;;) {
    const std::uint64_t bits = bits_from(table_->bitmap_, 1 + at_ + bucket_);
    const int zeros = std::countr_zero(bits);
    bucket_ += static_cast<unsigned>(zeros);
    if (zeros < 64) break;
  }
  const std::uint64_t number = bucket_ << table_->shape_.rest_bits() | table_->load(at_++);
  pair.key = number >> table_->shape_.value_bits;
  pair.value = static_cast<std::uint32_t>(number & table_->value_mask_);
  return true;
}

}  // namespace paraprint::inline store
