// Brute force in cache-sized blocks: exact and deterministic, and done only once per model, when it is written.
#include "semantics/vectors/nearest_words.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/ordered_parallel.h"
#include "base/propagate.h"
#include "semantics/vectors/dot_products.h"

namespace paraprint::inline semantics::inline vectors {
namespace {

// The columns of a block are compared with all rows of a block while they are in the second-level cache: at most 256
// KiB.
constexpr std::size_t kRowBlock = 32;
constexpr std::size_t kColumnBlock = 256;

// A total order, so that equal cosines give the same list on every machine and for any number of threads.
bool is_nearer(const NearWord& a, const NearWord& b) {
  return a.cosine != b.cosine ? a.cosine > b.cosine : a.row < b.row;
}

// The best `capacity` of many words, kept sorted. Most words are rejected by one comparison with the last one.
class NearestList {
 public:
  explicit NearestList(std::size_t capacity) : capacity_(capacity) {}

  void add(const NearWord& word) {
    if (words_.size() == capacity_) {
      if (capacity_ == 0 || !is_nearer(word, words_.back())) return;
      words_.pop_back();
    }
    words_.insert(std::upper_bound(words_.begin(), words_.end(), word, is_nearer), word);
  }
  std::vector<NearWord> take() { return std::move(words_); }
  const std::vector<NearWord>& words() const { return words_; }

 private:
  std::size_t capacity_;
  std::vector<NearWord> words_;
};

// Compares rows [begin, end) with the first `searched` rows; end - begin is at most kRowBlock.
void search_rows(const QuantisedRows& rows, std::uint32_t begin, std::uint32_t end, std::uint32_t searched,
                 std::vector<NearestList>& lists) {
  std::array<std::int32_t, kRowBlock * kColumnBlock> dots;
  for (std::uint32_t column = 0; column < searched; column += kColumnBlock) {
    const std::uint32_t columns = std::min<std::uint32_t>(kColumnBlock, searched - column);
    dot_products(rows.components + begin * rows.row_bytes, end - begin, rows.components + column * rows.row_bytes,
                 columns, rows.row_bytes, dots.data());
    for (std::uint32_t row = begin; row < end; ++row) {
      const std::int32_t* const of_row = dots.data() + std::size_t{row - begin} * columns;
      for (std::uint32_t c = 0; c < columns; ++c) {
        if (column + c == row) continue;
        lists[row - begin].add({column + c, cosine_of(of_row[c], rows.scales[row], rows.scales[column + c])});
      }
    }
  }
}

}  // namespace

// A block of one row; the same code as for all rows, so that both give equal cosines.
std::vector<NearWord> nearest_words(const QuantisedRows& rows, std::uint32_t row, std::size_t count) {
  std::vector<NearestList> lists(1, NearestList(count));
  search_rows(rows, row, row + 1, static_cast<std::uint32_t>(rows.count), lists);
  return lists[0].take();
}

// Each pair is compared twice, once per direction: using symmetry would need shared lists between threads.
Result<std::vector<std::uint32_t>> find_all_nearest(const QuantisedRows& rows, std::uint32_t searched, unsigned threads,
                                                    const std::function<void(std::uint64_t)>& progress) {
  std::vector<std::uint32_t> nearest;
  nearest.reserve(std::size_t{kNearestWordsKept} * searched);
  std::uint32_t next = 0;
  std::uint64_t done = 0;
  PARAPRINT_TRY(run_in_order<std::uint32_t, std::vector<NearestList>>(
      threads,
      [&]() -> Result<std::optional<std::uint32_t>> {
        if (next >= searched) return std::optional<std::uint32_t>{};
        return std::exchange(next, next + static_cast<std::uint32_t>(kRowBlock));
      },
      [&](unsigned, std::uint32_t begin) {
        const std::uint32_t end = std::min<std::uint32_t>(begin + kRowBlock, searched);
        std::vector<NearestList> lists(end - begin, NearestList(kNearestWordsKept));
        search_rows(rows, begin, end, searched, lists);
        return lists;
      },
      [&](const std::vector<NearestList>& lists) -> Status {
        // Blocks arrive in order, so the lists can simply be appended.
        for (const NearestList& list : lists) {
          for (const NearWord& word : list.words()) nearest.push_back(word.row);
          nearest.resize(nearest.size() + kNearestWordsKept - list.words().size(), kNoRow);
        }
        done += lists.size();
        if (progress) progress(done);
        return {};
      }));
  return nearest;
}

}  // namespace paraprint::inline semantics::inline vectors
