#include "store/packed_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/assert.h"

namespace paraprint {
namespace {

constexpr int kKeyBitsMaximum = 40;
constexpr int kValueBitsMaximum = 32;
constexpr std::uint64_t kPairsPerBucket = 8;

std::uint64_t low_bits(int count) {
  return count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
}

}  // namespace

bool PackedTableShape::is_valid() const {
  return count < std::numeric_limits<std::uint32_t>::max() && key_bits >= 1 && key_bits <= kKeyBitsMaximum &&
         value_bits >= 1 && value_bits <= kValueBitsMaximum && directory_bits >= 0 &&
         directory_bits <= std::min(key_bits, PackedTable::kDirectoryBitsMaximum) && pair_bits() <= 64;
}

PackedTableShape choose_packed_shape(std::uint64_t count, int key_bits, int value_bits) {
  const int wanted = static_cast<int>(std::bit_width(count / kPairsPerBucket)) - 1;
  const int least = std::max(0, key_bits + value_bits - 64);
  return {count, key_bits, value_bits,
          std::clamp(wanted, least, std::min(key_bits, PackedTable::kDirectoryBitsMaximum))};
}

PackedTableBuilder::PackedTableBuilder(const PackedTableShape& shape) : shape_(shape) {
  PARAPRINT_ASSERT(shape.is_valid());
  shape_.count = 0;
  begins_.assign((std::size_t{1} << shape.directory_bits) + 1, 0);
}

void PackedTableBuilder::add(const PackedPair& pair) {
  const int rest_bits = shape_.key_bits - shape_.directory_bits;
  const std::uint64_t bucket = pair.key >> rest_bits;
  PARAPRINT_ASSERT(bucket + 1 < begins_.size() && bucket + 1 >= next_bucket_);
  while (next_bucket_ <= bucket) begins_[next_bucket_++] = static_cast<std::uint32_t>(shape_.count);
  std::uint64_t bits = (pair.key & low_bits(rest_bits)) << shape_.value_bits | pair.value;
  int left = shape_.pair_bits();
  ++shape_.count;
  while (left > 0) {
    const int taken = std::min(left, 64 - pending_bits_);
    pending_ |= (bits & low_bits(taken)) << pending_bits_;
    pending_bits_ += taken;
    bits = taken == 64 ? 0 : bits >> taken;
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

std::string PackedTableBuilder::finish() {
  while (next_bucket_ < begins_.size()) begins_[next_bucket_++] = static_cast<std::uint32_t>(shape_.count);
  bytes_.append(reinterpret_cast<const char*>(&pending_), static_cast<std::size_t>((pending_bits_ + 7) / 8));
  bytes_.append(8, '\0');
  pending_bits_ = 0;
  return take();
}

std::string_view PackedTableBuilder::directory() const {
  return {reinterpret_cast<const char*>(begins_.data()), begins_.size() * sizeof(std::uint32_t)};
}

Result<PackedTable> PackedTable::create(const PackedTableShape& shape, const char* pairs, const char* directory) {
  if (!shape.is_valid()) return failure(ErrorCode::kCorruptData, "a search table of an impossible shape");
  PARAPRINT_ASSERT(reinterpret_cast<std::uintptr_t>(directory) % alignof(std::uint32_t) == 0);
  PackedTable table;
  table.shape_ = shape;
  table.pairs_ = pairs;
  table.directory_ = reinterpret_cast<const std::uint32_t*>(directory);
  table.pair_bits_ = static_cast<std::uint64_t>(shape.pair_bits());
  table.rest_bits_ = shape.key_bits - shape.directory_bits;
  table.rest_mask_ = low_bits(table.rest_bits_);
  table.value_mask_ = low_bits(shape.value_bits);
  table.pair_mask_ = low_bits(shape.pair_bits());
  const std::size_t buckets = std::size_t{1} << shape.directory_bits;
  bool rises = table.directory_[0] == 0 && table.directory_[buckets] == shape.count;
  for (std::size_t bucket = 0; bucket < buckets && rises; ++bucket) {
    rises = table.directory_[bucket] <= table.directory_[bucket + 1];
  }
  if (!rises) return failure(ErrorCode::kCorruptData, "the directory of a search table does not rise to its size");
  return table;
}

bool PackedTable::Cursor::next(PackedPair& pair) {
  if (at_ == table_->shape_.count) return false;
  while (table_->directory_[bucket_ + 1] <= at_) ++bucket_;
  const std::uint64_t bits = table_->load(at_++);
  pair.key = bucket_ << table_->rest_bits_ | bits >> table_->shape_.value_bits;
  pair.value = static_cast<std::uint32_t>(bits & table_->value_mask_);
  return true;
}

}  // namespace paraprint
