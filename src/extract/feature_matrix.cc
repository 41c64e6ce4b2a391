// Transposition of unit records into feature rows, in squares of eight by eight bytes held in eight 64-bit words.
// Writing single bytes into rows would touch a different cache line for every feature of every unit.
#include "extract/feature_matrix.h"

#include <array>
#include <cstring>

namespace paraprint::inline extract {
namespace {

constexpr std::size_t kSquare = 8;  // columns and units transposed at once

// Transposes eight records of eight bytes: swaps the off-diagonal 4x4 quarters, then 2x2 quarters within them, then
// bytes. Assumes a little-endian machine.
void transpose_square(const std::uint8_t* records, std::size_t record_bytes, std::uint8_t* rows,
                      std::size_t row_stride) {
  std::array<std::uint64_t, kSquare> lines;
  for (std::size_t i = 0; i < kSquare; ++i) std::memcpy(&lines[i], records + i * record_bytes, sizeof(lines[i]));
  const auto swap = [&](std::size_t one, std::size_t other, int bits, std::uint64_t mask) {
    const std::uint64_t change = (lines[one] >> bits ^ lines[other]) & mask;
    lines[other] ^= change;
    lines[one] ^= change << bits;
  };
  for (const std::size_t i : {0, 1, 2, 3}) swap(i, i + 4, 32, 0x00000000FFFFFFFFULL);
  for (const std::size_t i : {0, 1, 4, 5}) swap(i, i + 2, 16, 0x0000FFFF0000FFFFULL);
  for (const std::size_t i : {0, 2, 4, 6}) swap(i, i + 1, 8, 0x00FF00FF00FF00FFULL);
  for (std::size_t i = 0; i < kSquare; ++i) std::memcpy(rows + i * row_stride, &lines[i], sizeof(lines[i]));
}

constexpr std::size_t whole_squares(std::size_t count) {
  return (count + kSquare - 1) / kSquare * kSquare;
}

}  // namespace

bool grow_in_pieces(std::size_t size, std::vector<std::uint8_t>& values, StopCheck& stop) {
  if (values.size() >= size) return true;
  constexpr std::size_t kPieceBytes = std::size_t{1} << 20;
  values.clear();
  values.reserve(size);
  while (values.size() < size) {
    values.resize(std::min(size, values.size() + kPieceBytes), 0);
    if (stop.after(StopCheck::kStopUnits / 2)) return false;
  }
  return true;
}

bool UnitRecords::reset(std::size_t columns, std::size_t units, StopCheck& stop) {
  column_count_ = columns;
  unit_count_ = units;
  record_bytes_ = whole_squares(columns);
  return grow_in_pieces(record_bytes_ * whole_squares(units), values_, stop);
}

void UnitRecords::transpose(std::size_t first_row, std::size_t first_unit, FeatureMatrix& matrix,
                            StopCheck& stop) const {
  // The last columns may be fewer than eight. They go through a buffer, because the following rows of `matrix` are not
  // ours. Units need no such care: records and rows are padded.
  std::array<std::uint8_t, kSquare * kSquare> last{};
  const auto transpose_units = [&](std::size_t column, std::size_t begin, std::size_t end) {
    const std::size_t columns = std::min(kSquare, column_count_ - column);
    for (std::size_t unit = begin; unit < end; unit += kSquare) {
      const std::uint8_t* square = values_.data() + unit * record_bytes_ + column;
      if (columns == kSquare) {
        transpose_square(square, record_bytes_, matrix.row(first_row + column) + first_unit + unit,
                         matrix.row_stride());
        continue;
      }
      transpose_square(square, record_bytes_, last.data(), kSquare);
      for (std::size_t i = 0; i < columns; ++i) {
        std::memcpy(matrix.row(first_row + column + i) + first_unit + unit, last.data() + i * kSquare, kSquare);
      }
    }
  };
  in_pieces(whole_squares(unit_count_) / kSquare, stop, [&](std::size_t begin, std::size_t end) {
    for (std::size_t column = 0; column < column_count_; column += kSquare) {
      transpose_units(column, begin * kSquare, end * kSquare);
    }
  });
}

}  // namespace paraprint::inline extract
