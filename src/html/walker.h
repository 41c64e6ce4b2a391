// Walks a tree in document order without recursion, so that the stack does not grow with the depth of the page.
//
//   struct Visitor {
//     WalkAction enter(const HtmlNode* node, std::uint32_t depth);  // before the children; depth of the root is 0
//     void leave(const HtmlNode* node, std::uint32_t depth);        // after the children, for elements entered
//   };
//
// `enter` is called for every node (elements, text, comments); `leave` for the elements whose `enter` returned
// kContinue, including those without children. Cost: O(nodes), no allocation.
#pragma once

#include <cstdint>

#include "html/node.h"

namespace paraprint::inline html {

enum class WalkAction : std::uint8_t {
  kContinue,     // visit the children
  kSkipSubtree,  // skip the children; `leave` is not called for this node
  kStop,         // end the walk; no further calls
};

// Visits `root` and its descendants. Does nothing if `root` is null.
template <class Visitor>
void walk_tree(const HtmlNode* root, Visitor& visitor) {
  if (root == nullptr) return;
  const HtmlNode* node = root;
  std::uint32_t depth = 0;
  for (;;) {
    const WalkAction action = visitor.enter(node, depth);
    if (action == WalkAction::kStop) return;
    if (action == WalkAction::kContinue) {
      if (node->first_child != nullptr) {
        node = node->first_child;
        ++depth;
        continue;
      }
      if (is_element(node)) visitor.leave(node, depth);
    }
    while (node != root && node->next == nullptr) {
      node = node->parent;
      --depth;
      if (is_element(node)) visitor.leave(node, depth);
    }
    if (node == root) return;
    node = node->next;
  }
}

// The node after `node` in document order within `root`, or null at the end. With `skip_children`, the children of
// `node` are skipped. For simple loops that need no `leave`.
inline const HtmlNode* next_in_document_order(const HtmlNode* node, const HtmlNode* root, bool skip_children = false) {
  if (!skip_children && node->first_child != nullptr) return node->first_child;
  while (node != root && node->next == nullptr) node = node->parent;
  return node == root ? nullptr : node->next;
}

}  // namespace paraprint::inline html
