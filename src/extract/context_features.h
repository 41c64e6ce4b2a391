// The features of the second stage: the first-stage weights of everything around a unit. A line of three words gives
// little evidence by itself; the list that contains it, similar lines elsewhere on the page and the lines before and
// after give most of it.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "extract/feature_matrix.h"
#include "extract/page_tree.h"

namespace paraprint::inline extract {

// Log-odds of being content, quantised: kEvenWeight + kWeightSteps * log-odds, clipped to a byte.
using BlockWeight = std::uint8_t;
inline constexpr int kEvenWeight = 128;
inline constexpr int kWeightSteps = 16;

// Probabilities and expected numbers of tokens are counted in units of 1 / kCertain.
inline constexpr std::uint64_t kCertain = 65535;

// Probability (in 1/65535) of each weight. Generated, so that no floating-point function is needed at run time.
extern const std::array<std::uint16_t, 256> kWeightProbability;

std::size_t context_feature_count();

// The size of some units together, and how much of it is likely to be content.
struct ContentMass {
  std::uint64_t tokens = 0;   // all tokens
  std::uint64_t content = 0;  // expected content tokens, in 1/65535
};

class ContextFeatures {
 public:
  // Fills rows [first_row, first_row + context_feature_count()). `weights` has one value per unit. Not thread-safe.
  // If `stop` is stopped in between, not all. Cost: O(units + elements).
  void compute(const PageTree& tree, const std::vector<BlockWeight>& weights, std::size_t first_row,
               FeatureMatrix& matrix, StopCheck& stop);

 private:
  struct Kin {  // all units with the same key
    std::uint64_t key = 0;
    ContentMass mass;
    std::uint32_t count = 0;
    std::uint8_t mean = 0;
  };
  struct ContainerView {
    std::uint8_t mean = 0;
    std::uint8_t share = 0;
    bool is_known = false;
  };
  static std::uint8_t mean(const ContentMass& mass) { return share_level(mass.content, mass.tokens * kCertain); }
  std::uint8_t* row(std::size_t index) { return matrix_->row(first_row_ + index); }
  void sum_masses();
  void fill_page();
  std::uint8_t best_expected_f1() const;
  void fill_neighbours();
  void set_kin(StopCheck& stop);
  template <class KeyOf>
  void collect_kin(StopCheck& stop, KeyOf&& key_of);
  void set_means_of_kin(std::size_t column);
  void set_around(StopCheck& stop);
  void set_containers(StopCheck& stop);
  void fill_sections();
  void set_distances();
  ContentMass mass_of(std::size_t begin, std::size_t end) const;
  std::uint32_t heaviest_element(const PageTree& tree, std::uint64_t threshold) const;

  const PageTree* tree_ = nullptr;  // this and the next two: set by compute()
  const std::vector<BlockWeight>* weights_ = nullptr;
  FeatureMatrix* matrix_ = nullptr;
  UnitRecords records_;
  std::size_t first_row_ = 0;
  std::vector<ContentMass> before_;  // prefix sums: over the units before each unit, and over all
  std::vector<Kin> kin_;
  std::vector<std::uint32_t> kin_slots_;  // an open-addressing hash table: index in kin_ plus one
  std::vector<std::uint32_t> kin_of_;     // by unit: index in kin_
  std::vector<ContainerView> views_;      // by element
};

}  // namespace paraprint::inline extract
