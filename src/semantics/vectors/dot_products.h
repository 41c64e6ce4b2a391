// Dot products of rows of bytes. Exact integers, so the results are the same on every machine.
#pragma once

#include <cstddef>
#include <cstdint>

namespace paraprint::inline semantics::inline vectors {

// dots[r * column_count + c] = row r . column c. `row_bytes` is a multiple of 16 and at most 1024, so sums stay below
// 2^24. O(rows * columns * row_bytes), about 10 to 40 components per nanosecond.
void dot_products(const std::int8_t* rows, std::size_t row_count, const std::int8_t* columns, std::size_t column_count,
                  std::size_t row_bytes, std::int32_t* dots);

// Symmetric in the two scales, to the last bit.
inline float cosine_of(std::int32_t dot, float scale_a, float scale_b) {
  return static_cast<float>(dot) * (scale_a * scale_b);
}

}  // namespace paraprint::inline semantics::inline vectors
