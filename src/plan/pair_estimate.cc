// Sums over the pairs of the sample, each with the number of pairs and rows that it stands for.
#include "plan/pair_estimate.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <numeric>
#include <utility>

#include "base/union_find.h"
#include "engine/output_stage.h"

namespace paraprint::inline plan {
namespace {

// Share of all pairs of two texts that become rows.
double row_share(double pages_a, double pages_b) {
  const double all = pages_a * pages_b;
  return all <= kGroupPairsInFull ? 1 : (pages_a + pages_b - 1) / all;
}

// The same for the pairs within a text.
double same_text_row_share(double pages) {
  return pages <= kSameTextPagesInFull ? 1 : 2 / pages;
}

// How many pages a text has that was met a number of times, as probabilities by size.
class TextSizes {
 public:
  TextSizes(const ClusterShares& shares, double rate) : shares_(shares), rate_(rate) {}

  const ClusterShares& met(std::uint32_t times) {
    const auto [found, is_new] = by_times_.try_emplace(times);
    if (is_new) found->second = find(times);
    return found->second;
  }

  // Mean of 1 / size.
  double inverse(std::uint32_t times) {
    double sum = 0;
    for (const auto& [size, probability] : met(times)) sum += probability / size;
    return sum;
  }

  double row_share_of(std::uint32_t times_a, std::uint32_t times_b) {
    const auto [found, is_new] = row_shares_.try_emplace(std::minmax(times_a, times_b));
    if (!is_new) return found->second;
    double sum = 0;
    for (const auto& [size_a, probability_a] : met(times_a)) {
      for (const auto& [size_b, probability_b] : met(times_b)) {
        sum += probability_a * probability_b * row_share(size_a, size_b);
      }
    }
    return found->second = sum;
  }

  double same_text_row_share_of(std::uint32_t times) {
    double sum = 0;
    for (const auto& [size, probability] : met(times)) sum += probability * same_text_row_share(size);
    return sum;
  }

 private:
  // There are share / size texts of a size, of which a binomial part is met so often. Logarithms are relative to the
  // largest one, as all may be too small for a number.
  ClusterShares find(std::uint32_t times) const {
    std::vector<std::pair<double, double>> logarithms;
    double largest = -INFINITY;
    for (const auto& [size, share] : shares_) {
      if (size < times || share <= 0) continue;
      const double chance = std::lgamma(size + 1) - std::lgamma(size - times + 1) + (size - times) * std::log1p(-rate_);
      logarithms.emplace_back(size, std::log(share / size) + chance);
      largest = std::max(largest, logarithms.back().second);
    }
    if (logarithms.empty()) return {{std::max(times / rate_, 1.0), 1}};
    double sum = 0;
    for (const auto& [size, logarithm] : logarithms) sum += std::exp(logarithm - largest);
    ClusterShares probabilities;
    for (const auto& [size, logarithm] : logarithms) probabilities[size] = std::exp(logarithm - largest) / sum;
    return probabilities;
  }

  const ClusterShares& shares_;
  double rate_;
  std::map<std::uint32_t, ClusterShares> by_times_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, double> row_shares_;
};

// For each page, the share of its pairs that a run compares: 1 unless the texts of its component resemble more than
// `group_cap` others. The mean is taken over the texts of a component, as one text was met with a few others at most.
// It is one over pairs, not over texts, and the pair itself does not count among the others: having been met is what
// brought it there.
std::vector<double> compared_shares(const SampledTextPairs& sampled, TextSizes& sizes, double rate, double group_cap) {
  const std::size_t pages = sampled.pages_of_text.size();
  std::vector<std::uint32_t> component(pages);
  UnionFind<std::uint32_t> components(component);
  std::vector<double> met(pages);    // texts of the sample that a text is paired with
  std::vector<double> found(pages);  // texts of the crawl that these stand for
  const auto texts_behind = [&](std::uint32_t page) {
    const std::uint32_t times = sampled.pages_of_text[page];
    return times * sizes.inverse(times) / rate;
  };
  for (const StoredTextPair& pair : sampled.pairs) {
    components.join(pair.page_a, pair.page_b);
    met[pair.page_a] += 1;
    met[pair.page_b] += 1;
    found[pair.page_a] += texts_behind(pair.page_b);
    found[pair.page_b] += texts_behind(pair.page_a);
  }
  components.flatten();
  std::vector<double> ends(pages);
  std::vector<double> others(pages);
  for (std::size_t page = 0; page < pages; ++page) {
    ends[component[page]] += met[page];
    others[component[page]] += found[page] * (met[page] - 1);
  }
  std::vector<double> shares(pages, 1);
  for (std::size_t page = 0; page < pages; ++page) {
    const double resembled = met[page] > 0 ? others[component[page]] / ends[component[page]] : 0;
    if (resembled > group_cap) shares[page] = group_cap / resembled;
  }
  return shares;
}

}  // namespace

PairGrowth estimate_pair_growth(const SampledTextPairs& sampled, const ClusterShares& text_sizes, double pages,
                                std::uint32_t group_cap) {
  const double sampled_pages = std::accumulate(sampled.pages_of_text.begin(), sampled.pages_of_text.end(), 0.0);
  if (sampled_pages < 2 || pages <= sampled_pages) return {};
  const double page_pairs = pages / sampled_pages * (pages - 1) / (sampled_pages - 1);
  const double rate = sampled_pages / pages;
  TextSizes sizes(text_sizes, rate);
  const std::vector<double> shares = compared_shares(sampled, sizes, rate, group_cap);
  double pairs = 0;
  double sampled_rows = 0;
  double rows = 0;
  for (const StoredTextPair& pair : sampled.pairs) {
    const std::uint32_t times_a = sampled.pages_of_text[pair.page_a];
    const std::uint32_t times_b = sampled.pages_of_text[pair.page_b];
    const double met = static_cast<double>(times_a) * times_b;
    const double stands_for = met * page_pairs * shares[pair.page_a];
    pairs += stands_for * sizes.inverse(times_a) * sizes.inverse(times_b);
    rows += stands_for * sizes.row_share_of(times_a, times_b);
    sampled_rows += met * row_share(times_a, times_b);
  }
  std::map<std::uint32_t, double> texts;  // by pages
  for (const std::uint32_t times : sampled.pages_of_text) {
    if (times > 1) texts[times] += 1;
  }
  for (const auto& [times, count] : texts) {
    const double met = times * (times - 1.0) / 2 * count;
    rows += met * page_pairs * sizes.same_text_row_share_of(times);
    sampled_rows += met * same_text_row_share(times);
  }
  PairGrowth growth;
  if (!sampled.pairs.empty()) growth.compared = pairs / static_cast<double>(sampled.pairs.size());
  if (sampled_rows > 0) growth.rows = rows / sampled_rows;
  return growth;
}

}  // namespace paraprint::inline plan
