// Reader comments are content on a page that consists of them (a thread, questions and answers), but not below an
// article. Their sentences look like the article's, and below a short article they are most of the text, so the choice
// with the best expected F1 would include them. If a section is named "comments" and follows an article, the name is
// therefore given more weight than the models give it (measurements: docs/algorithms/extraction.md).
#pragma once

#include <cstdint>
#include <vector>

#include "extract/context_features.h"
#include "extract/page_tree.h"

namespace paraprint::inline extract {

class CommentSections {
 public:
  // Lowers the weights in each outermost element named after comments if enough expected content precedes it. Pages
  // that declare themselves a forum are not changed. `weights` has one value per unit. Not thread-safe. Cost:
  // O(elements), plus O(units) on pages with such sections.
  void lower(const PageTree& tree, std::vector<BlockWeight>& weights);

 private:
  void find(const PageTree& tree);

  std::vector<std::uint32_t> sections_;  // elements, in document order
};

}  // namespace paraprint::inline extract
