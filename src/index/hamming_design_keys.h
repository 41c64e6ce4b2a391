// The keys that a design's tables give a fingerprint, for an index that finds equal keys and is filled one text at a
// time (online/page_algorithm.h). Sorted tables (hamming_tables.h) cannot grow; a table of keys can, and the
// fingerprint itself is then stored once, beside the text, instead of in every table.
#pragma once

#include <cstdint>
#include <vector>

#include "index/hamming_design.h"
#include "paraprint/model.h"
#include "paraprint/result.h"

namespace paraprint::inline index {

// Two fingerprints within the design's distance have at least one key in common, those beyond it only by chance.
// Thread-safe once made.
class HammingDesignKeys {
 public:
  // For fingerprints of 64 bits (`high`, the other half is ignored) or 128. Errors: those of shape_of().
  static Result<HammingDesignKeys> create(const HammingDesign& design, int bits);

  // Appends one number for each table: its table's leading bits, mixed so that any bits of it are as good as a hash.
  // Numbers of different tables have nothing to do with each other.
  void append(const Fingerprint128& fingerprint, std::vector<std::uint64_t>& keys) const;

  // p of the table with the shortest key: of n evenly spread fingerprints, a key has n / 2^p or fewer by chance.
  int key_bits_minimum() const { return key_bits_minimum_; }

 private:
  std::vector<Fingerprint128> masks_;  // the key bits of each table
  int key_bits_minimum_ = 0;
};

}  // namespace paraprint::inline index
