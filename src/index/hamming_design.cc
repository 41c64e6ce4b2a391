// Designs, the keys of their tables, and the search for the best one.
#include "index/hamming_design.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/propagate.h"
#include "index/hamming_table_keys.h"

namespace paraprint::inline index {
namespace {

using namespace hamming_internal;

constexpr std::size_t kLevelsMaximum = 4;  // each level multiplies the number of tables by at least k + 1

// Cost of searching one table, in comparisons (measured: about 0.25 us of cache misses against 0.2 to 1 ns each).
constexpr double kSearchCost = 500;

struct BitRange {
  int begin = 0;  // from the top of the fingerprint
  int width = 0;
};
using BitRanges = std::vector<BitRange>;

int width_of(const BitRanges& ranges) {
  int width = 0;
  for (const BitRange& range : ranges) width += range.width;
  return width;
}

// Cuts the ranges, in order, into `count` blocks of equal width, wider ones first. A block may span several ranges,
// because the bits left over by a level are not contiguous.
std::vector<BitRanges> cut(const BitRanges& ranges, int count) {
  const int bits = width_of(ranges);
  std::vector<BitRanges> blocks(static_cast<std::size_t>(count));
  std::size_t at = 0;
  int used = 0;  // of ranges[at]
  for (int block = 0; block < count; ++block) {
    int wanted = bits / count + (block < bits % count ? 1 : 0);
    while (wanted > 0) {
      const int taken = std::min(wanted, ranges[at].width - used);
      blocks[static_cast<std::size_t>(block)].push_back({ranges[at].begin + used, taken});
      wanted -= taken;
      used += taken;
      if (used == ranges[at].width) {
        ++at;
        used = 0;
      }
    }
  }
  return blocks;
}

struct Choice {
  BitRanges key;
  BitRanges rest;
};

// All choices of key bits of a design, level by level: each choice of one level is refined by all choices of the next.
std::vector<Choice> choices_of(const HammingDesign& design, int bits) {
  // Starts with no key bits and one block of all bits.
  std::vector<Choice> choices = {{{}, {{0, bits}}}};
  for (const int block_count : design.block_counts) {
    std::vector<Choice> narrower;
    for (const Choice& choice : choices) {
      const std::vector<BitRanges> blocks = cut(choice.rest, block_count);
      std::vector<bool> is_chosen(blocks.size(), false);
      // prev_permutation() visits all choices exactly once when it starts from the lexicographically largest one.
      std::fill(is_chosen.begin(), is_chosen.end() - design.distance_bits, true);
      do {
        Choice next{choice.key, {}};
        for (std::size_t block = 0; block < blocks.size(); ++block) {
          BitRanges& target = is_chosen[block] ? next.key : next.rest;
          target.insert(target.end(), blocks[block].begin(), blocks[block].end());
        }
        narrower.push_back(std::move(next));
      } while (std::prev_permutation(is_chosen.begin(), is_chosen.end()));
    }
    choices = std::move(narrower);
  }
  return choices;
}

Status check_distance(int distance_bits, int bits) {
  HammingJoinOptions options;
  options.distance_bits = distance_bits;
  return check_hamming_options(options, bits);
}

Status check_design(const HammingDesign& design, int bits) {
  PARAPRINT_TRY(check_distance(design.distance_bits, bits));
  if (design.block_counts.empty() || design.block_counts.size() > kLevelsMaximum) {
    return failure(ErrorCode::kInvalidArgument, fmt::format("Hamming tables with {} levels; expected 1 to {}",
                                                            design.block_counts.size(), kLevelsMaximum));
  }
  double tables = 1;
  int left = bits;
  for (const int blocks : design.block_counts) {
    if (blocks <= design.distance_bits || blocks > left) {
      return failure(ErrorCode::kInvalidArgument,
                     fmt::format("{} blocks of {} bits for a Hamming distance of {}; expected {} to {} blocks", blocks,
                                 left, design.distance_bits, design.distance_bits + 1, left));
    }
    tables *= choose(blocks, design.distance_bits);
    // A choice of the widest blocks leaves the fewest bits to the next level: k of the narrowest blocks.
    left = left / blocks * design.distance_bits;
  }
  if (tables <= static_cast<double>(kHammingTablesMaximum)) return {};
  return failure(ErrorCode::kInvalidArgument,
                 fmt::format("the design needs {} Hamming tables; the limit is {}", tables, kHammingTablesMaximum));
}

// Exhaustive depth-first search over all designs within the table limit, which keeps the search small. There always is
// one: k + 1 blocks need k + 1 tables.
class DesignSearch {
 public:
  DesignSearch(int distance_bits, double count) : distance_bits_(distance_bits), count_(count) {}

  // Tries every further level after `levels`, which give `tables` tables with at least `key_bits` key bits and leave at
  // most `bits_left` bits. The cost is that of the narrowest key, an upper bound.
  void extend(std::vector<int>& levels, double tables, int key_bits, int bits_left) {
    if (levels.size() == kLevelsMaximum) return;
    for (int blocks = distance_bits_ + 1; blocks <= bits_left; ++blocks) {
      const double more = tables * choose(blocks, distance_bits_);
      if (more > static_cast<double>(kHammingTablesMaximum)) return;
      const int rest = std::min(bits_left, (bits_left + blocks - 1) / blocks * distance_bits_);
      const int key = key_bits + bits_left - rest;
      levels.push_back(blocks);
      const double cost = more * (kSearchCost + count_ / std::exp2(key));
      if (cost < best_cost_) {
        best_cost_ = cost;
        best_ = levels;
      }
      extend(levels, more, key, rest);
      levels.pop_back();
      if (distance_bits_ == 0) return;  // one table of all bits, whatever the blocks
    }
  }
  const std::vector<int>& best() const { return best_; }

 private:
  int distance_bits_;
  double count_;
  double best_cost_ = std::numeric_limits<double>::infinity();
  std::vector<int> best_;
};

// Bits [begin, begin + width) from the top of the word.
template <class Word>
Word mask_of(const BitRange& range) {
  constexpr int kWidth = static_cast<int>(sizeof(Word)) * 8;
  const Word ones = range.width == kWidth ? ~Word{0} : (Word{1} << range.width) - 1;
  return static_cast<Word>(ones << (kWidth - range.begin - range.width));
}

template <class Word>
typename BlockPlan<Word>::Table permutation_of(const Choice& choice) {
  constexpr int kWidth = static_cast<int>(sizeof(Word)) * 8;
  typename BlockPlan<Word>::Table permutation;
  int target = 0;
  for (const BitRanges* ranges : {&choice.key, &choice.rest}) {
    for (const BitRange& range : *ranges) {
      permutation.add_move((range.begin - target + kWidth) % kWidth, mask_of<Word>({target, range.width}));
      target += range.width;
    }
  }
  permutation.key_bits = width_of(choice.key);
  return permutation;
}

}  // namespace

// Counts the choices instead of computing with binomials, because key widths differ between tables.
Result<HammingDesignShape> shape_of(const HammingDesign& design, int bits) {
  PARAPRINT_TRY(check_design(design, bits));
  HammingDesignShape shape;
  shape.key_bits_minimum = bits;
  for (const Choice& choice : choices_of(design, bits)) {
    ++shape.tables;
    shape.key_bits_minimum = std::min(shape.key_bits_minimum, width_of(choice.key));
    shape.key_bits_maximum = std::max(shape.key_bits_maximum, width_of(choice.key));
  }
  return shape;
}

Result<HammingDesign> choose_hamming_design(int bits, int distance_bits, double count) {
  PARAPRINT_TRY(check_distance(distance_bits, bits));
  DesignSearch search(distance_bits, count);
  std::vector<int> levels;
  search.extend(levels, 1, 0, bits);
  return HammingDesign{distance_bits, search.best()};
}

namespace hamming_internal {

template <class Word>
Result<std::vector<TableKey<Word>>> table_keys(const HammingDesign& design, std::size_t fingerprints) {
  constexpr int kBits = static_cast<int>(sizeof(Word)) * 8;
  PARAPRINT_TRY(check_design(design, kBits));
  if (fingerprints >= std::numeric_limits<std::uint32_t>::max()) {
    return failure(ErrorCode::kLimitExceeded,
                   fmt::format("{} fingerprints in Hamming tables; the limit is 2^32 - 2", fingerprints));
  }
  std::vector<TableKey<Word>> keys;
  for (const Choice& choice : choices_of(design, kBits)) {
    TableKey<Word>& key = keys.emplace_back();
    key.permutation = permutation_of<Word>(choice);
    for (const BitRange& range : choice.key) key.mask |= mask_of<Word>(range);
  }
  return keys;
}

template Result<std::vector<TableKey<std::uint64_t>>> table_keys(const HammingDesign&, std::size_t);
template Result<std::vector<TableKey<Word128>>> table_keys(const HammingDesign&, std::size_t);

}  // namespace hamming_internal
}  // namespace paraprint::inline index
