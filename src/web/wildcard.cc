// A pattern is split at its stars into literal pieces, which are searched from left to right. No backtracking: if an
// inner piece is taken at its first occurrence, everything that could follow a later one can follow it, too. So a
// pattern of a hostile robots.txt cannot make matching exponential.
#include "web/wildcard.h"

#include <algorithm>
#include <utility>

#include "web/linear_search.h"

namespace paraprint::inline web {
namespace {

// Bytes that the C library searches and compares in one step.
constexpr std::size_t kVectorBytes = 16;

// The number of bytes that both begin with.
std::size_t common_prefix(std::string_view text, std::string_view piece, std::uint64_t& steps) {
  const std::size_t size = std::min(text.size(), piece.size());
  const auto end = text.begin() + static_cast<std::ptrdiff_t>(size);
  const auto common = static_cast<std::size_t>(std::mismatch(text.begin(), end, piece.begin()).first - text.begin());
  steps += 1 + common;
  return common;
}

// The first place of `piece`, npos if there is none.
std::size_t find(std::string_view text, std::string_view piece, std::uint64_t& steps) {
  const std::size_t at = find_in_linear_time(text, piece);
  steps += 1 + (std::min(at, text.size()) + piece.size()) / kVectorBytes;
  return at;
}

}  // namespace

WildcardPattern::WildcardPattern(std::string_view pattern,
                                 const std::function<std::string(std::string_view)>& prepare) {
  if (pattern.ends_with('$')) {
    binds_end_ = true;
    size_bytes_ = 1;
    pattern.remove_suffix(1);
  }
  while (true) {
    const std::size_t star = pattern.find('*');
    const bool is_last = star == std::string_view::npos;
    std::string piece = prepare ? prepare(pattern.substr(0, star)) : std::string(pattern.substr(0, star));
    size_bytes_ += piece.size() + (is_last ? 0 : 1);
    // "**" means the same as "*", so empty inner pieces are dropped. The first and the last piece are kept even if
    // empty, because they anchor the pattern.
    const bool is_inner = !pieces_.empty() && !is_last;
    if (!is_inner || !piece.empty()) pieces_.push_back(std::move(piece));
    if (is_last) return;
    pattern.remove_prefix(star + 1);
  }
}

std::optional<bool> WildcardPattern::matches(std::string_view text, std::uint64_t steps_maximum,
                                             std::uint64_t& steps) const {
  const std::string_view front = pieces_.front();
  if (common_prefix(text, front, steps) < front.size()) return false;
  text.remove_prefix(front.size());
  if (pieces_.size() == 1) return !binds_end_ || text.empty();
  // Taking each inner piece as early as possible leaves the most text for the rest.
  for (std::size_t i = 1; i < pieces_.size(); ++i) {
    const bool is_last = i + 1 == pieces_.size();
    if (is_last && binds_end_) {
      steps += 1 + pieces_[i].size() / kVectorBytes;
      return text.ends_with(pieces_[i]);
    }
    if (steps > steps_maximum) return std::nullopt;
    const std::size_t at = find(text, pieces_[i], steps);
    if (at == std::string_view::npos) return false;
    text.remove_prefix(at + pieces_[i].size());
  }
  return true;
}

}  // namespace paraprint::inline web
