// Maximises a concave function over the distributions of cluster sizes by Newton steps with a logarithmic barrier:
// with some hundred sizes that is a system of a hundred equations per step. Sizes are a grid, exact where they are
// small, as what is met j times does not tell sizes apart that differ by a few per cent.
#include "plan/copy_estimate.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "base/propagate.h"
#include "base/stop.h"

namespace paraprint::inline plan {
namespace {

constexpr double kGridRatio = 1.15;
constexpr double kExactSizes = 12;
// Weight of the barrier when it no longer matters: with a hundred sizes, the likelihood is 0.02 from its maximum.
constexpr double kFinalBarrier = 2e-4;
// The same where the estimate is taken: what counts leave open is decided by it, what they say is not.
constexpr double kEstimateBarrier = 0.02;
constexpr int kMaximumSteps = 60;
// How strongly a bound is pulled, in units of the likelihood per page: the right strength is found by bisection.
constexpr double kWeakestPull = 1e-3;
constexpr double kStrongestPull = 1e9;
constexpr int kBisections = 18;
// The cost grows with the third power of the sizes met; ordinary samples have some ten.
constexpr std::size_t kMetSizesMaximum = 64;

double log_binomial(double successes, double trials, double probability) {
  return std::lgamma(trials + 1) - std::lgamma(successes + 1) - std::lgamma(trials - successes + 1) +
         successes * std::log(probability) + (trials - successes) * std::log1p(-probability);
}

// `counts` with at most kMetSizesMaximum sizes, and as many pages. Small sizes stay as they are; of large ones, those
// that differ by a few per cent are put together.
ClusterCounts with_few_sizes(ClusterCounts counts) {
  for (double ratio = 1.01; counts.size() > kMetSizesMaximum; ratio *= 1.02) {
    ClusterCounts fewer;
    for (auto first = counts.begin(); first != counts.end();) {
      const auto smallest = static_cast<double>(first->first);
      double pages = 0;
      double clusters = 0;
      auto at = first;
      do {
        pages += static_cast<double>(at->first) * at->second;
        clusters += at->second;
        ++at;
      } while (at != counts.end() && smallest >= kExactSizes && static_cast<double>(at->first) <= smallest * ratio);
      const double size = std::round(pages / clusters);
      fewer[static_cast<std::uint64_t>(size)] += pages / size;
      first = at;
    }
    counts = std::move(fewer);
  }
  return counts;
}

double product(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

// Solves `matrix` x = b for both right sides in place, by Cholesky's method. `matrix` is symmetric and positive
// definite, of `size` rows.
void solve(std::vector<double>& matrix, std::size_t size, std::vector<double>& first, std::vector<double>& second) {
  for (std::size_t column = 0; column < size; ++column) {
    double diagonal = matrix[column * size + column];
    for (std::size_t k = 0; k < column; ++k) diagonal -= matrix[column * size + k] * matrix[column * size + k];
    const double root = std::sqrt(std::max(diagonal, 1e-300));
    matrix[column * size + column] = root;
    for (std::size_t row = column + 1; row < size; ++row) {
      double value = matrix[row * size + column];
      for (std::size_t k = 0; k < column; ++k) value -= matrix[row * size + k] * matrix[column * size + k];
      matrix[row * size + column] = value / root;
    }
  }
  for (std::vector<double>* const side : {&first, &second}) {
    for (std::size_t row = 0; row < size; ++row) {
      for (std::size_t k = 0; k < row; ++k) (*side)[row] -= matrix[row * size + k] * (*side)[k];
      (*side)[row] /= matrix[row * size + row];
    }
    for (std::size_t row = size; row-- > 0;) {
      for (std::size_t k = row + 1; k < size; ++k) (*side)[row] -= matrix[k * size + row] * (*side)[k];
      (*side)[row] /= matrix[row * size + row];
    }
  }
}

// The model: which shares of the pages are in clusters of which size.
class ClusterSizes {
 public:
  ClusterSizes(const ClusterCounts& counts, double sampled, double pages) {
    const double rate = sampled / pages;
    for (const double size : grid(counts, rate, pages)) {
      met_.push_back(pages / size * -std::expm1(size * std::log1p(-rate)));
      preference_.push_back(1 / std::sqrt(size));
      sizes_.push_back(size);
    }
    for (const auto& [times, clusters] : counts) {
      std::vector<double> row;
      for (const double size : sizes_) {
        const auto met = static_cast<double>(times);
        row.push_back(size < met ? 0 : pages / size * std::exp(log_binomial(met, size, rate)));
      }
      times_.push_back(std::move(row));
      clusters_.push_back(clusters);
    }
  }

  std::size_t size() const { return sizes_.size(); }
  const std::vector<double>& sizes() const { return sizes_; }

  double log_likelihood(const std::vector<double>& weights) const {
    double value = 0;
    for (std::size_t i = 0; i < size(); ++i) value -= weights[i] * met_[i];
    for (std::size_t j = 0; j < times_.size(); ++j) value += clusters_[j] * std::log(expected(j, weights));
    return value;
  }

  // Moves `weights` to the maximum of their log_likelihood(), plus their product with `pull`, plus `barrier` times the
  // sum of their logarithms, in which small sizes count more.
  void maximise(const std::vector<double>& pull, double barrier, std::vector<double>& weights) const {
    for (int step = 0; step < kMaximumSteps; ++step) {
      if (!newton_step(pull, barrier, weights)) return;
    }
  }

 private:
  static std::vector<double> grid(const ClusterCounts& counts, double rate, double pages) {
    const auto largest = static_cast<double>(counts.rbegin()->first);
    const double end = std::min(pages, std::max(kExactSizes, (largest + 6 * std::sqrt(largest) + 10) / rate));
    std::vector<double> sizes;
    for (double size = 1; size <= end; size = size < kExactSizes ? size + 1 : std::ceil(size * kGridRatio)) {
      sizes.push_back(size);
    }
    for (const auto& [times, clusters] : counts) {  // the likeliest size of each, which the grid may miss
      if (times > 1) sizes.push_back(std::round(static_cast<double>(times) / rate));
    }
    std::sort(sizes.begin(), sizes.end());
    sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
    return sizes;
  }

  double expected(std::size_t j, const std::vector<double>& weights) const {
    double value = 1e-300;
    for (std::size_t i = 0; i < size(); ++i) value += weights[i] * times_[j][i];
    return value;
  }

  double objective(const std::vector<double>& pull, double barrier, const std::vector<double>& weights) const {
    double value = log_likelihood(weights) + product(pull, weights);
    for (std::size_t i = 0; i < size(); ++i) value += barrier * preference_[i] * std::log(weights[i]);
    return value;
  }

  // In units of the weights themselves, in which the barrier is constant. False at the maximum.
  bool newton_step(const std::vector<double>& pull, double barrier, std::vector<double>& weights) const {
    const std::size_t count = size();
    std::vector<double> gradient(count);
    std::vector<double> hessian(count * count);
    for (std::size_t i = 0; i < count; ++i) {
      gradient[i] = weights[i] * (pull[i] - met_[i]) + barrier * preference_[i];
      hessian[i * count + i] = barrier * preference_[i];
    }
    for (std::size_t j = 0; j < times_.size(); ++j) {
      const double mean = expected(j, weights);
      std::vector<double> parts(count);
      for (std::size_t i = 0; i < count; ++i) {
        parts[i] = weights[i] * times_[j][i] / mean;
        gradient[i] += clusters_[j] * parts[i];
      }
      for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t k = 0; k <= i; ++k) hessian[i * count + k] += clusters_[j] * parts[i] * parts[k];
      }
    }
    std::vector<double> free = gradient;
    std::vector<double> bound = weights;  // what keeps their sum at 1
    solve(hessian, count, free, bound);
    double sum_free = 0;
    double sum_bound = 0;
    for (std::size_t i = 0; i < count; ++i) {
      sum_free += weights[i] * free[i];
      sum_bound += weights[i] * bound[i];
    }
    double slope = 0;
    double longest = 0;
    std::vector<double> direction(count);
    for (std::size_t i = 0; i < count; ++i) {
      direction[i] = free[i] - bound[i] * sum_free / sum_bound;
      slope += direction[i] * gradient[i];
      longest = std::max(longest, -direction[i]);
    }
    if (slope < 1e-7) return false;
    const double before = objective(pull, barrier, weights);
    double length = longest > 0.95 ? 0.95 / longest : 1;
    for (int halving = 0; halving < 30; ++halving, length /= 2) {
      std::vector<double> moved(count);
      for (std::size_t i = 0; i < count; ++i) moved[i] = weights[i] * (1 + length * direction[i]);
      if (objective(pull, barrier, moved) < before + 1e-4 * length * slope) continue;
      weights = std::move(moved);
      return true;
    }
    return false;
  }

  std::vector<double> sizes_;
  std::vector<double> preference_;          // share of the barrier
  std::vector<double> met_;                 // clusters of the sample, if all pages were in clusters of this size
  std::vector<std::vector<double>> times_;  // the same, of those met as often as the clusters at this place of counts
  std::vector<double> clusters_;            // of counts
};

// The most extreme value of `share` (by size, per page) in the direction of `sign` with a likelihood at most `drop`
// below `best`, which that of `weights` is.
Result<double> bound_of(const ClusterSizes& sizes, const std::vector<double>& share, std::vector<double> weights,
                        double sign, double best, double drop) {
  double bound = product(share, weights);
  double low = kWeakestPull;
  double high = kStrongestPull;
  for (int i = 0; i < kBisections; ++i) {
    PARAPRINT_TRY(check_stop());
    const double middle = std::sqrt(low * high);
    std::vector<double> pull = share;
    for (double& value : pull) value *= sign * middle;
    std::vector<double> pulled = weights;
    sizes.maximise(pull, kFinalBarrier, pulled);
    const bool is_within = sizes.log_likelihood(pulled) >= best - drop;
    (is_within ? low : high) = middle;
    if (!is_within) continue;
    bound = product(share, pulled);
    weights = std::move(pulled);
  }
  return bound;
}

}  // namespace

Result<CopyEstimate> estimate_copies(const ClusterCounts& counts, double pages, double drop) {
  double sampled = 0;
  double clusters = 0;
  double shared = 0;  // clusters of two or more
  for (const auto& [size, count] : counts) {
    sampled += static_cast<double>(size) * count;
    clusters += count;
    if (size > 1) shared += count;
  }
  CopyEstimate estimate;
  if (sampled == 0) return estimate;
  if (sampled >= pages) {
    const double removed = 1 - clusters / sampled;
    estimate.removed = {removed, removed, removed};
    estimate.clusters = {shared / sampled, shared / sampled, shared / sampled};
    for (const auto& [size, count] : counts) {
      estimate.sizes[static_cast<double>(size)] = static_cast<double>(size) * count / sampled;
    }
    return estimate;
  }
  const ClusterSizes sizes(with_few_sizes(counts), sampled, pages);
  std::vector<double> removed_share;
  std::vector<double> cluster_share;
  for (const double size : sizes.sizes()) {
    removed_share.push_back(1 - 1 / size);
    cluster_share.push_back(size > 1 ? 1 / size : 0);
  }
  const std::vector<double> no_pull(sizes.size());
  std::vector<double> weights(sizes.size(), 1 / static_cast<double>(sizes.size()));
  for (double barrier = 1; barrier > kFinalBarrier; barrier /= 5) {
    PARAPRINT_TRY(check_stop());
    sizes.maximise(no_pull, barrier, weights);
    if (barrier < kEstimateBarrier) continue;
    estimate.removed.share = product(removed_share, weights);
    estimate.clusters.share = product(cluster_share, weights);
    for (std::size_t i = 0; i < sizes.size(); ++i) estimate.sizes[sizes.sizes()[i]] = weights[i];
  }
  sizes.maximise(no_pull, kFinalBarrier, weights);
  const double best = sizes.log_likelihood(weights);
  // What the sample would lose, the crawl loses as well: that much is certain.
  const auto bound = [&](const std::vector<double>& share, double certain, BoundedShare& bounded) -> Status {
    PARAPRINT_ASSIGN(const double lower, bound_of(sizes, share, weights, -1, best, drop));
    PARAPRINT_ASSIGN(const double upper, bound_of(sizes, share, weights, 1, best, drop));
    bounded.lower = std::max(lower, certain / pages);
    bounded.upper = std::max(upper, bounded.lower);
    bounded.share = std::clamp(bounded.share, bounded.lower, bounded.upper);
    return {};
  };
  PARAPRINT_TRY(bound(removed_share, sampled - clusters, estimate.removed));
  PARAPRINT_TRY(bound(cluster_share, shared, estimate.clusters));
  return estimate;
}

ClusterCounts expected_counts(const ClusterShares& sizes, double pages, double sampled) {
  const double rate = std::min(sampled / pages, 1 - 1e-9);
  std::map<std::uint64_t, double> expected;
  for (const auto& [size, share] : sizes) {
    const double clusters = share * pages / size;
    const double mean = size * rate;
    const double spread = 6 * std::sqrt(mean) + 10;
    const double last = std::min(size, std::ceil(mean + spread));
    for (double met = std::max(1.0, std::floor(mean - spread)); met <= last; ++met) {
      expected[static_cast<std::uint64_t>(met)] += clusters * std::exp(log_binomial(met, size, rate));
    }
  }
  ClusterCounts counts;
  for (const auto& [met, clusters] : expected) {
    if (clusters >= 0.5) counts[met] = std::round(clusters);
  }
  return counts;
}

}  // namespace paraprint::inline plan
