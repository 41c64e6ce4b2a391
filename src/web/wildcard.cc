// A pattern is split at its stars into literal pieces, which are searched from left to right. No backtracking: if an
// inner piece is taken at its first occurrence, everything that could follow a later one can follow it, too. So a
// pattern of a hostile robots.txt cannot make matching exponential.
#include "web/wildcard.h"

#include <utility>

namespace paraprint {

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

bool WildcardPattern::matches(std::string_view text) const {
  if (!text.starts_with(pieces_.front())) return false;
  text.remove_prefix(pieces_.front().size());
  if (pieces_.size() == 1) return !binds_end_ || text.empty();
  // Taking each inner piece as early as possible leaves the most text for the rest.
  for (std::size_t i = 1; i + 1 < pieces_.size(); ++i) {
    const std::size_t at = text.find(pieces_[i]);
    if (at == std::string_view::npos) return false;
    text.remove_prefix(at + pieces_[i].size());
  }
  return binds_end_ ? text.ends_with(pieces_.back()) : text.find(pieces_.back()) != std::string_view::npos;
}

}  // namespace paraprint
