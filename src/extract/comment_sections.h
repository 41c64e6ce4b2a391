// Reader comments are content where a page is made of them (a thread, questions and answers), and are not below an
// article. Their sentences look like its own, and below a short article they are most of the text, so that the choice
// with the best expected F1 takes them along. Where an author has named a section "comments" and an article stands
// before it, that name counts more than the models make of it (docs/algorithms/extraction.md has the figures).
#pragma once

#include <cstdint>
#include <vector>

#include "extract/context_features.h"
#include "extract/page_tree.h"

namespace paraprint {

class CommentSections {
 public:
  // Lowers the units of each outermost element that is named after comments, where enough of what stands before it is
  // expected to be content. Pages that call themselves a forum stay as they are. `weights` has one value a unit. Not
  // thread-safe. Cost: O(elements); O(units) more on pages with such sections.
  void lower(const PageTree& tree, std::vector<BlockWeight>& weights);

 private:
  void find(const PageTree& tree);

  std::vector<std::uint32_t> sections_;  // elements, in document order
};

}  // namespace paraprint
