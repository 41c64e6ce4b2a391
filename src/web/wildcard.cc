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
// What memchr() costs for each place that it finds, and memmem() for each byte of a text that the piece nearly fits.
constexpr std::size_t kStepsPerPlace = 4;
constexpr std::size_t kStepsPerByteSearched = 4;

// The number of bytes that both begin with.
std::size_t common_prefix(std::string_view text, std::string_view piece, std::uint64_t& steps) {
  const std::size_t size = std::min(text.size(), piece.size());
  const auto end = text.begin() + static_cast<std::ptrdiff_t>(size);
  const auto common = static_cast<std::size_t>(std::mismatch(text.begin(), end, piece.begin()).first - text.begin());
  steps += 1 + common;
  return common;
}

// The first place of `piece`, npos if there is none. Looked at are the places of its first byte, which are few in
// ordinary addresses. Where they are many, memmem() goes on: its time does not depend on how often the piece nearly
// fits, but it is long for each byte then.
std::size_t find(std::string_view text, std::string_view piece, std::uint64_t& steps) {
  ++steps;
  if (piece.empty()) return 0;
  const std::uint64_t patience = steps + text.size() + piece.size();
  for (std::size_t at = 0; text.size() - at >= piece.size(); ++at) {
    if (steps > patience) {
      const std::size_t found = find_in_linear_time(text, piece, at);
      steps += kStepsPerByteSearched * (std::min(found, text.size()) - at + piece.size());
      return found;
    }
    const std::size_t next = std::min(text.find(piece.front(), at), text.size());
    steps += kStepsPerPlace + (next - at) / kVectorBytes;
    at = next;
    if (text.size() - at < piece.size()) break;
    if (common_prefix(text.substr(at), piece, steps) == piece.size()) return at;
  }
  return std::string_view::npos;
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
