// A cut is unstable where the weights on both sides are equal or nearly so: a small edit then swaps the two keywords
// and changes every digest over the kept ones.
#include "lab/signatures/keyword_cut.h"

#include <cmath>

#include "base/assert.h"

namespace paraprint::inline lab::inline signatures {
namespace {

constexpr double kEnergyParts = 4294967296.0;  // fixed point, 2^32 per page: sums over 2^32 pages fit into 64 bits

// The margin of a cut after `kept` keywords; 1 if nothing is cut off, 0 if the last kept weight is 0.
double margin_behind(std::span<const Keyword> keywords, std::size_t kept) {
  if (kept >= keywords.size()) return 1;
  const double last = keywords[kept - 1].weight;
  return last == 0 ? 0 : (last - keywords[kept].weight) / last;
}

}  // namespace

CutQuality cut_quality(std::span<const Keyword> keywords, std::size_t kept) {
  PARAPRINT_ASSERT(kept >= 1);
  double all = 0;
  double inside = 0;
  for (std::size_t i = 0; i < keywords.size(); ++i) {
    const double square = keywords[i].weight * keywords[i].weight;
    all += square;
    if (i < kept) inside += square;
  }
  return {all == 0 ? 1 : inside / all, margin_behind(keywords, kept)};
}

std::size_t firmest_cut(std::span<const Keyword> keywords, std::size_t first, std::size_t last) {
  PARAPRINT_ASSERT(first >= 1);
  if (keywords.size() <= first) return keywords.size();
  std::size_t best = first;
  for (std::size_t kept = first + 1; kept <= last && kept <= keywords.size(); ++kept) {
    if (margin_behind(keywords, kept) > margin_behind(keywords, best)) best = kept;
  }
  return best;
}

void CutStatistics::add(const CutQuality& quality) {
  ++pages_;
  tied_pages_ += quality.margin == 0 ? 1 : 0;
  energy_parts_ += static_cast<std::uint64_t>(std::llround(quality.kept_energy * kEnergyParts));
}

void CutStatistics::add(const CutStatistics& other) {
  pages_ += other.pages_;
  tied_pages_ += other.tied_pages_;
  energy_parts_ += other.energy_parts_;
}

double CutStatistics::mean_kept_energy() const {
  return pages_ == 0 ? 0 : static_cast<double>(energy_parts_) / kEnergyParts / static_cast<double>(pages_);
}

double CutStatistics::tied_share() const {
  return pages_ == 0 ? 0 : static_cast<double>(tied_pages_) / static_cast<double>(pages_);
}

}  // namespace paraprint::inline lab::inline signatures
