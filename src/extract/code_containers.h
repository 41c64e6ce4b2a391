// Reference pages - descriptions of classes, commands, settings - are one container full of lines of a word or two: a
// type, "Returns:", a list of names. Line by line the models cannot tell such text from menus, and each version of a
// page loses other lines. Where a container has program text or terms with definitions, it is content as a whole
// (measurements: docs/measurements/extraction.md).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "extract/block_selection.h"
#include "extract/context_features.h"
#include "extract/page_tree.h"

namespace paraprint::inline extract {

// Holds scratch memory: use one instance per thread.
class CodeContainers {
 public:
  // Adds all text of the element with the best expected F1 to the choice if its expected F1 is nearly that of the
  // choice, and at least two <pre> or <dt> with text are in it. Text without a letter is not added: line numbers. Pages
  // that declare themselves a forum are left alone. Changes `selection.chosen` only. Cost: O(elements), and O(units)
  // on pages with such elements.
  void complete(const PageTree& tree, const std::vector<BlockWeight>& weights, BlockSelection& selection);

 private:
  struct Mass {
    std::uint64_t tokens = 0;
    std::array<std::uint64_t, kScenarioCount> content{};  // expected content in each scenario, in 1/65535 token
  };

  void sum(const PageTree& tree, const std::vector<BlockWeight>& weights);
  std::uint64_t expected_f1(const PageElement& element) const;

  std::vector<Mass> before_;  // prefix sums over the units before each unit, and over all
};

}  // namespace paraprint::inline extract
