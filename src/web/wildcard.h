// Patterns of robots.txt and of the command line: '*' stands for any bytes, none too, and a pattern binds at the
// beginning; at the end only if it is told to.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace paraprint {

// A value; matching is thread-safe.
class WildcardPattern {
 public:
  // '$' at the end binds there. `prepare` is applied to what stands between the stars, from left to right.
  explicit WildcardPattern(std::string_view pattern,
                           const std::function<std::string(std::string_view)>& prepare = nullptr);

  // Cost: length of the text times length of the pattern at worst, nearly always the length of the text.
  bool matches(std::string_view text) const;

  // Of the prepared pattern with its stars: what "most specific" is measured by.
  std::size_t size_bytes() const { return size_bytes_; }

 private:
  std::vector<std::string> pieces_;  // one more than stars; never empty
  std::size_t size_bytes_ = 0;
  bool binds_end_ = false;
};

}  // namespace paraprint
