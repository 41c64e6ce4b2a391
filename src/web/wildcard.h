// Patterns of robots.txt and of the command line. '*' matches any bytes, including none. A pattern is anchored at the
// beginning, and at the end only if it ends in '$'.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace paraprint::inline web {

// A value; matching is thread-safe.
class WildcardPattern {
 public:
  // `prepare` is applied to the literal parts between the stars, from left to right.
  explicit WildcardPattern(std::string_view pattern,
                           const std::function<std::string(std::string_view)>& prepare = nullptr);

  bool matches(std::string_view text) const {
    std::uint64_t steps = 0;
    return matches(text, std::numeric_limits<std::uint64_t>::max(), steps).value();
  }

  // Adds the work to `steps`: comparisons of a byte, of a vector of bytes, or what takes as long. Nothing as soon as
  // they are more than `steps_maximum`. Cost: the length of the text and of the pattern.
  std::optional<bool> matches(std::string_view text, std::uint64_t steps_maximum, std::uint64_t& steps) const;

  // Memory of the pattern, without this object.
  std::size_t memory_bytes() const {
    std::size_t sum = pieces_.capacity() * sizeof(std::string);
    for (const std::string& piece : pieces_) sum += piece.capacity();
    return sum;
  }

  // Length of the prepared pattern including its stars: the measure of the "most specific" rule.
  std::size_t size_bytes() const { return size_bytes_; }

 private:
  std::vector<std::string> pieces_;  // one more than stars; never empty
  std::size_t size_bytes_ = 0;
  bool binds_end_ = false;
};

}  // namespace paraprint::inline web
