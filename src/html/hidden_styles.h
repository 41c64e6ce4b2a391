// Whether the style attribute of an element hides it. Answers are remembered by a hash of the attribute's value,
// because values repeat, and because each paragraph copies the formatting elements that are open, with their
// attributes: a page of 64 KB may give a thousand elements one value of a kilobyte each, and the parser has copied it
// in a moment.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace paraprint::inline html {

// Answers do not depend on earlier calls. Not thread-safe: use one per thread.
class HiddenStyles {
 public:
  HiddenStyles();
  // Whether it declares display:none or visibility:hidden. Cost: a hash of the value if it has been asked about before.
  bool hides(std::string_view style);
  // The same without remembering.
  static bool hides_unremembered(std::string_view style);

 private:
  std::vector<std::uint64_t> answers_;  // hashes whose lowest bit is the answer
};

}  // namespace paraprint::inline html
