// Compiled once per instruction set (Highway); the best one that the processor has is chosen at run time. Bytes are
// widened to 16 bits and multiplied in pairs into 32-bit sums, which cannot overflow for rows of up to 1024 bytes.
#include "semantics/vectors/dot_products.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "semantics/vectors/dot_products.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace paraprint::inline semantics::inline vectors {

namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Vectors are capped at 16 bytes of input: rows are multiples of 16 bytes, so that no load reads past a row.
using Wide = hn::CappedTag<std::int16_t, 16>;
using Narrow = hn::Rebind<std::int8_t, Wide>;
using Sum = hn::Repartition<std::int32_t, Wide>;

// The dot products of kRows rows with one column. Several rows share each load of the column. Even and odd products are
// summed separately, as the instruction delivers them.
template <std::size_t kRows>
HWY_INLINE void dots_with_column(const std::int8_t* rows, const std::int8_t* column, std::size_t row_bytes,
                                 std::size_t stride, std::int32_t* dots) {
  const Wide wide;
  const Narrow narrow;
  const Sum sum;
  hn::Vec<Sum> even[kRows];
  hn::Vec<Sum> odd[kRows];
  for (std::size_t r = 0; r < kRows; ++r) even[r] = odd[r] = hn::Zero(sum);
  for (std::size_t i = 0; i < row_bytes; i += hn::Lanes(wide)) {
    const auto from_column = hn::PromoteTo(wide, hn::LoadU(narrow, column + i));
    for (std::size_t r = 0; r < kRows; ++r) {
      const auto from_row = hn::PromoteTo(wide, hn::LoadU(narrow, rows + r * row_bytes + i));
      even[r] = hn::ReorderWidenMulAccumulate(sum, from_row, from_column, even[r], odd[r]);
    }
  }
  for (std::size_t r = 0; r < kRows; ++r) {
    dots[r * stride] = hn::GetLane(hn::SumOfLanes(sum, hn::Add(even[r], odd[r])));
  }
}

void find_dot_products(const std::int8_t* rows, std::size_t row_count, const std::int8_t* columns,
                       std::size_t column_count, std::size_t row_bytes, std::int32_t* dots) {
  // Four rows: eight accumulators, which fit the registers of all instruction sets.
  constexpr std::size_t kTogether = 4;
  std::size_t row = 0;
  for (; row + kTogether <= row_count; row += kTogether) {
    for (std::size_t column = 0; column < column_count; ++column) {
      dots_with_column<kTogether>(rows + row * row_bytes, columns + column * row_bytes, row_bytes, column_count,
                                  dots + row * column_count + column);
    }
  }
  for (; row < row_count; ++row) {
    for (std::size_t column = 0; column < column_count; ++column) {
      dots_with_column<1>(rows + row * row_bytes, columns + column * row_bytes, row_bytes, column_count,
                          dots + row * column_count + column);
    }
  }
}

}  // namespace HWY_NAMESPACE

}  // namespace paraprint::inline semantics::inline vectors
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace paraprint::inline semantics::inline vectors {

HWY_EXPORT(find_dot_products);

void dot_products(const std::int8_t* rows, std::size_t row_count, const std::int8_t* columns, std::size_t column_count,
                  std::size_t row_bytes, std::int32_t* dots) {
  HWY_DYNAMIC_DISPATCH(find_dot_products)(rows, row_count, columns, column_count, row_bytes, dots);
}

}  // namespace paraprint::inline semantics::inline vectors
#endif
