// Four rows are compared with one vector of columns at a time. Only the smallest of the four distances is tested
// against the limit, so the common case, nothing close, costs one test per 4 x lanes comparisons. Compiled once per
// instruction set by Highway, which selects the best one at run time.
#include "index/hamming_kernel.h"

#include <algorithm>
#include <bit>

// This target has a vector population count instruction; Highway builds it only on request.
#define HWY_WANT_AVX3_DL 1
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "index/hamming_kernel.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace paraprint::inline index {

namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Rows per pass: enough to share the load of a vector of columns and the test.
constexpr std::size_t kRows = 4;

template <class Word>
class BucketScan {
 public:
  using Tag = hn::ScalableTag<Word>;
  using SignedTag = hn::RebindToSigned<Tag>;  // distances: signed comparison is cheaper before AVX-512
  using Vector = hn::Vec<Tag>;

  BucketScan(const BucketRows<Word>& rows, int distance_bits, std::vector<BucketPair>& pairs)
      : checks_(rows.checks),
        size_(rows.size),
        row_begin_(rows.row_begin),
        row_end_(rows.row_end),
        reach_(std::min(rows.reach, rows.size)),
        distance_bits_(distance_bits),
        limit_(hn::Set(SignedTag(), hn::TFromD<SignedTag>{distance_bits} + 1)),
        pairs_(pairs) {}

  // Full groups of four rows against the columns behind them; the pairs within a group and the last rows one by one.
  void run() {
    std::size_t row = row_begin_;
    for (; row + kRows <= row_end_ && row + kRows < size_; row += kRows) {
      compare_rows_with_each_other(row, row + kRows, row + kRows);
      compare_rows_with_columns(row);
    }
    compare_rows_with_each_other(row, row_end_, size_);
  }

 private:
  static HWY_INLINE hn::Vec<SignedTag> distance(Vector left, Vector right) {
    return hn::BitCast(SignedTag(), hn::PopulationCount(hn::Xor(left, right)));
  }

  void compare_rows_with_each_other(std::size_t begin, std::size_t end, std::size_t column_end) {
    for (std::size_t first = begin; first < end; ++first) {
      for (std::size_t second = first + 1; second < column_end && second <= first + reach_; ++second)
        add_if_close(first, second);
    }
  }

  // Columns go up to the reach of the last row; add_close_of() drops what is out of reach for the others. The last
  // vector may read into the padding, which is cut off there as well.
  void compare_rows_with_columns(std::size_t row) {
    const Tag tag;
    const std::size_t lanes = hn::Lanes(tag);
    const Vector row0 = hn::Set(tag, checks_[row]);
    const Vector row1 = hn::Set(tag, checks_[row + 1]);
    const Vector row2 = hn::Set(tag, checks_[row + 2]);
    const Vector row3 = hn::Set(tag, checks_[row + 3]);
    const std::size_t end = std::min(size_, row + kRows + reach_);
    for (std::size_t column = row + kRows; column < end; column += lanes) {
      const Vector columns = hn::LoadU(tag, checks_ + column);
      const auto distance01 = hn::Min(distance(columns, row0), distance(columns, row1));
      const auto distance23 = hn::Min(distance(columns, row2), distance(columns, row3));
      const auto close = hn::Lt(hn::Min(distance01, distance23), limit_);
      if (HWY_UNLIKELY(!hn::AllFalse(SignedTag(), close))) add_close_of(row, column, std::min(column + lanes, end));
    }
  }

  // Rare, so kept out of the hot loop: finds the close pairs in a vector that has at least one.
  HWY_NOINLINE void add_close_of(std::size_t row, std::size_t column, std::size_t end) {
    for (std::size_t second = column; second < end; ++second) {
      for (std::size_t first = row; first < row + kRows; ++first) {
        if (second <= first + reach_) add_if_close(first, second);
      }
    }
  }

  void add_if_close(std::size_t first, std::size_t second) {
    if (std::popcount(static_cast<Word>(checks_[first] ^ checks_[second])) > distance_bits_) return;
    pairs_.push_back({static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(second)});
  }

  const Word* checks_;
  std::size_t size_;
  std::size_t row_begin_;
  std::size_t row_end_;
  std::size_t reach_;
  int distance_bits_;
  hn::Vec<SignedTag> limit_;  // the smallest distance that is too large
  std::vector<BucketPair>& pairs_;
};

void find_close_32(const BucketRows<std::uint32_t>& rows, int distance_bits, std::vector<BucketPair>* pairs) {
  BucketScan<std::uint32_t>(rows, distance_bits, *pairs).run();
}

void find_close_64(const BucketRows<std::uint64_t>& rows, int distance_bits, std::vector<BucketPair>* pairs) {
  BucketScan<std::uint64_t>(rows, distance_bits, *pairs).run();
}

}  // namespace HWY_NAMESPACE

}  // namespace paraprint::inline index
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace paraprint::inline index {

HWY_EXPORT(find_close_32);
HWY_EXPORT(find_close_64);

void find_close_pairs(const BucketRows<std::uint32_t>& rows, int distance_bits, std::vector<BucketPair>& pairs) {
  HWY_DYNAMIC_DISPATCH(find_close_32)(rows, distance_bits, &pairs);
}

void find_close_pairs(const BucketRows<std::uint64_t>& rows, int distance_bits, std::vector<BucketPair>& pairs) {
  HWY_DYNAMIC_DISPATCH(find_close_64)(rows, distance_bits, &pairs);
}

}  // namespace paraprint::inline index
#endif
