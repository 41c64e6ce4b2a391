// The features of the first stage: a unit's own appearance and position, its surroundings, and the names of the
// elements around it. feature_rows.h lists them.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "extract/container_scores.h"
#include "extract/feature_matrix.h"
#include "extract/feature_rows.h"
#include "extract/page_tree.h"
#include "extract/unit_sums.h"

namespace paraprint::inline extract {

std::size_t block_feature_count();
std::size_t lexical_feature_row();  // first of three rows of learned word weights, which training fills

// Keeps scratch memory between pages; not thread-safe.
class BlockFeatures {
 public:
  // Fills rows [0, block_feature_count()) for every unit; not all if `stop` is stopped in between. Cost: O(units +
  // elements).
  void compute(const PageTree& tree, const UnitSums& sums, FeatureMatrix& matrix, StopCheck& stop);

 private:
  static constexpr std::uint64_t kRepeatMask = 0xFF;
  struct ContainerLevels {  // the feature values of one container
    std::array<std::uint8_t, block_rows::kLevelRows> levels{};
    bool is_known = false;
  };
  struct Landmarks {        // of the page, and of its part before a unit
    std::size_t title = 0;  // this and the next: a unit; the number of units if there is none
    std::size_t top_heading = 0;
    std::size_t last_heading = 0;
    std::size_t last_prose = 0;
    std::uint8_t last_heading_level = 0;  // 0: no heading yet
    std::uint8_t last_heading_links = 0;
    bool seen_prose = false;
  };
  const ContainerLevels& view_of(std::uint32_t container);

  void fill(std::size_t row, std::size_t value);  // sets the same value for all units
  std::size_t repeat_slot(std::uint64_t hash) const;
  void count_repeats();
  void fill_page_structure();
  void fill_page_prose();
  void set_own(std::size_t i, std::uint8_t* record) const;
  void set_names(std::size_t i, std::uint8_t* record) const;
  void set_containers(std::size_t i, std::uint8_t* record);
  void set_position(std::size_t i, Landmarks& marks, std::uint8_t* record) const;
  void fill_following();
  void fill_neighbours();

  const PageTree* tree_ = nullptr;  // this and the next two: set by compute()
  const UnitSums* sums_ = nullptr;
  FeatureMatrix* matrix_ = nullptr;
  UnitRecords records_;  // of one stretch of units
  ContainerScores containers_;
  std::vector<ContainerLevels> views_;       // by element
  std::vector<std::uint64_t> repeat_slots_;  // counts of units with equal words: an open-addressing hash table
};

}  // namespace paraprint::inline extract
