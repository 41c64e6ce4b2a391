// Transposition of records for sizes around the eight by eight squares; neighbouring rows must remain unchanged.
#include "extract/feature_matrix.h"

#include <gtest/gtest.h>

namespace paraprint {
namespace {

std::uint8_t value_of(std::size_t column, std::size_t unit) {
  return static_cast<std::uint8_t>(column * 31 + unit * 7);
}

TEST(UnitRecords, TransposesColumnsIntoRows) {
  UnitRecords records;  // reused for growing and shrinking sizes
  FeatureMatrix matrix;
  for (const std::size_t units : {1, 70, 8, 63, 64, 65}) {
    for (const std::size_t columns : {1, 8, 13}) {
      constexpr std::size_t kFirstRow = 3;
      matrix.reset(kFirstRow + columns + 1, units);
      StopCheck never;
      ASSERT_TRUE(records.reset(columns, units, never));
      std::fill_n(matrix.row(kFirstRow - 1), units, std::uint8_t{1});
      std::fill_n(matrix.row(kFirstRow + columns), units, std::uint8_t{2});
      for (std::size_t unit = 0; unit < units; ++unit) {
        for (std::size_t column = 0; column < columns; ++column) records.of(unit)[column] = value_of(column, unit);
      }
      records.transpose(kFirstRow, 0, matrix, never);
      for (std::size_t unit = 0; unit < units; ++unit) {
        for (std::size_t column = 0; column < columns; ++column) {
          ASSERT_EQ(matrix.row(kFirstRow + column)[unit], value_of(column, unit));
        }
        EXPECT_EQ(matrix.row(kFirstRow - 1)[unit], 1);
        EXPECT_EQ(matrix.row(kFirstRow + columns)[unit], 2);
      }
    }
  }
}

TEST(UnitRecords, TransposesStretchesOfUnits) {
  constexpr std::size_t kColumns = 13;
  constexpr std::size_t kUnits = 200;
  constexpr std::size_t kStretchUnits = 64;
  UnitRecords records;
  FeatureMatrix matrix;
  matrix.reset(kColumns, kUnits);
  StopCheck never;
  for (std::size_t begin = 0; begin < kUnits; begin += kStretchUnits) {
    const std::size_t units = std::min(kStretchUnits, kUnits - begin);
    ASSERT_TRUE(records.reset(kColumns, units, never));
    for (std::size_t unit = 0; unit < units; ++unit) {
      for (std::size_t column = 0; column < kColumns; ++column) {
        records.of(unit)[column] = value_of(column, begin + unit);
      }
    }
    records.transpose(0, begin, matrix, never);
  }
  for (std::size_t unit = 0; unit < kUnits; ++unit) {
    for (std::size_t column = 0; column < kColumns; ++column) {
      ASSERT_EQ(matrix.row(column)[unit], value_of(column, unit));
    }
  }
}

}  // namespace
}  // namespace paraprint
