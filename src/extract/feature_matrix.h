// Feature values of the units of one page: one row per feature, one column per unit. Every value is quantised to a byte
// with integer arithmetic, so a page has the same features on every machine.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/stop.h"

namespace paraprint::inline extract {

// Rows are padded to a multiple of this, so that vector loops need no tail.
inline constexpr std::size_t kFeatureRowStep = 64;

// Makes room for `size` values, which may be more than a gigabyte: in pieces, because fresh memory is slow. Keeps none
// of the values. False if `stop` is stopped in between.
bool grow_in_pieces(std::size_t size, std::vector<std::uint8_t>& values, StopCheck& stop);

class FeatureMatrix {
 public:
  // Does not clear values: the caller must overwrite every row completely. False if `stop` is stopped in between.
  bool reset(std::size_t features, std::size_t units, StopCheck& stop) {
    unit_count_ = units;
    row_size_ = (units + kFeatureRowStep - 1) / kFeatureRowStep * kFeatureRowStep;
    // The stride is an odd number of steps, so that the values of one unit are spread over all sets of the cache.
    row_stride_ = row_size_ | kFeatureRowStep;
    feature_count_ = features;
    return grow_in_pieces(features * row_stride_, values_, stop);
  }
  void reset(std::size_t features, std::size_t units) {
    StopCheck never;
    reset(features, units, never);
  }
  std::size_t units() const { return unit_count_; }
  std::size_t row_size() const { return row_size_; }
  std::size_t row_stride() const { return row_stride_; }  // bytes from row to row
  std::size_t features() const { return feature_count_; }
  std::uint8_t* row(std::size_t feature) { return values_.data() + feature * row_stride_; }
  const std::uint8_t* row(std::size_t feature) const { return values_.data() + feature * row_stride_; }

 private:
  std::size_t feature_count_ = 0;
  std::size_t unit_count_ = 0;
  std::size_t row_size_ = 0;
  std::size_t row_stride_ = 0;  // from row to row
  std::vector<std::uint8_t> values_;
};

// Features in the order in which they are computed: one record per unit. The models need rows; see transpose(). Records
// may be those of all units of a page, or of one stretch of units after the other.
class UnitRecords {
 public:
  // Does not clear values: the caller must set every column of every record. False if `stop` is stopped in between.
  bool reset(std::size_t columns, std::size_t units, StopCheck& stop);
  std::uint8_t* of(std::size_t unit) { return values_.data() + unit * record_bytes_; }
  // Writes column c of all records as row `first_row` + c, from unit `first_unit` on, which is a multiple of
  // kFeatureRowStep.
  void transpose(std::size_t first_row, std::size_t first_unit, FeatureMatrix& matrix, StopCheck& stop) const;

 private:
  std::size_t column_count_ = 0;
  std::size_t unit_count_ = 0;
  std::size_t record_bytes_ = 0;  // number of columns, padded
  std::vector<std::uint8_t> values_;
};

// A count on a logarithmic scale with eight steps per doubling: exact below 16 and monotone; always fits a byte.
constexpr std::uint8_t log_level(std::uint32_t count) {
  if (count < 16) return static_cast<std::uint8_t>(count);
  const int shift = std::bit_width(count) - 4;
  return static_cast<std::uint8_t>(8 * shift + static_cast<int>(count >> shift));
}

// part / whole in steps of 1/255; 0 if `whole` is 0.
constexpr std::uint8_t share_level(std::uint64_t part, std::uint64_t whole) {
  if (whole == 0) return 0;
  return static_cast<std::uint8_t>(std::min<std::uint64_t>(part * 255 / whole, 255));
}

constexpr std::uint8_t clip_level(std::uint64_t count) {
  return static_cast<std::uint8_t>(std::min<std::uint64_t>(count, 255));
}

}  // namespace paraprint::inline extract
