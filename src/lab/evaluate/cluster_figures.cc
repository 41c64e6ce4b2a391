// All figures follow from one contingency table: for every true and every found cluster with common pages, the number
// of common pages. It is built by sorting, so it is sparse and never larger than the number of pages. Definitions:
// adjusted Rand index, Hubert and Arabie 1985; homogeneity, completeness and V, Rosenberg and Hirschberg 2007; B-cubed,
// Bagga and Baldwin 1998.
#include "lab/evaluate/cluster_figures.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>

#include "base/union_find.h"
#include "lab/evaluate/pairwise_figures.h"

namespace paraprint::inline lab::inline evaluation {
namespace {

using Sizes = std::unordered_map<std::uint32_t, std::uint64_t>;

// In floating point, because products of two such counts may exceed 64 bits.
double pairs_among(std::uint64_t pages) {
  const auto n = static_cast<double>(pages);
  return n * (n - 1) / 2;
}

double harmonic_mean(double x, double y) {
  return x + y > 0 ? 2 * x * y / (x + y) : 0;
}

double entropy(const std::vector<std::uint64_t>& sizes, double total) {
  double sum = 0;
  for (const std::uint64_t size : sizes) {
    const double share = static_cast<double>(size) / total;
    sum -= share * std::log(share);
  }
  return sum;
}

// Sizes in the order of cluster numbers: floating-point sums depend on the order,
// and that of a hash table is unspecified.
std::vector<std::uint64_t> sorted_sizes(const Sizes& sizes) {
  std::vector<std::pair<std::uint32_t, std::uint64_t>> rows(sizes.begin(), sizes.end());
  std::sort(rows.begin(), rows.end());
  std::vector<std::uint64_t> result;
  for (const auto& [cluster, size] : rows) result.push_back(size);
  return result;
}

struct Overlap {
  std::uint64_t truth = 0;   // pages in the true cluster
  std::uint64_t found = 0;   // pages in the found cluster
  std::uint64_t common = 0;  // pages in both
};

// The non-empty cells of the contingency table. Pages without a true cluster are left
// out of both sides, and so of all figures.
std::vector<Overlap> overlaps(const LabelledSet& set, const std::vector<std::uint32_t>& found_cluster_of_page,
                              Sizes& truth, Sizes& found) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> cells;
  for (std::uint32_t page = 0; page < set.pages; ++page) {
    if (set.cluster_of_page[page] == kNoCluster) continue;
    cells.emplace_back(set.cluster_of_page[page], found_cluster_of_page[page]);
    ++truth[cells.back().first];
    ++found[cells.back().second];
  }
  std::sort(cells.begin(), cells.end());
  std::vector<Overlap> result;
  for (std::size_t begin = 0; begin < cells.size();) {
    std::size_t end = begin;
    while (end < cells.size() && cells[end] == cells[begin]) ++end;
    result.push_back({truth[cells[begin].first], found[cells[begin].second], end - begin});
    begin = end;
  }
  return result;
}

}  // namespace

ClusterFigures cluster_figures(const LabelledSet& set, const FoundPairs& found, double threshold) {
  std::vector<std::uint32_t> cluster_of_page(set.pages);
  UnionFind<std::uint32_t> clusters(cluster_of_page);
  // Pages of equal text are in one cluster at any threshold.
  for (std::uint32_t page = 0; page < found.representatives.size(); ++page) {
    clusters.join(page, found.representatives[page]);
  }
  for (const ScoredPagePair& pair : found.pairs) {
    if (pair.score >= static_cast<float>(threshold)) clusters.join(pair.page_a, pair.page_b);
  }
  clusters.flatten();
  Sizes truth_sizes;
  Sizes found_sizes;
  const std::vector<Overlap> cells = overlaps(set, cluster_of_page, truth_sizes, found_sizes);
  const std::vector<std::uint64_t> truth = sorted_sizes(truth_sizes);
  const std::vector<std::uint64_t> components = sorted_sizes(found_sizes);
  ClusterFigures figures;
  figures.truth_clusters = truth.size();
  figures.found_clusters = components.size();
  for (const std::uint64_t size : truth) figures.documents += size;
  const auto n = static_cast<double>(figures.documents);

  double common_pairs = 0;
  double truth_pairs = 0;
  double found_pairs = 0;
  for (const Overlap& cell : cells) common_pairs += pairs_among(cell.common);
  for (const std::uint64_t size : truth) truth_pairs += pairs_among(size);
  for (const std::uint64_t size : components) found_pairs += pairs_among(size);
  // The Rand index corrected for chance: 0 for random clusters of these sizes, 1 for perfect agreement. If the maximum
  // equals the expectation (all pages alone, or all together, on both sides), agreement is perfect.
  const double expected = figures.documents > 1 ? truth_pairs * found_pairs / pairs_among(figures.documents) : 0;
  const double mean = (truth_pairs + found_pairs) / 2;
  figures.adjusted_rand = mean != expected ? (common_pairs - expected) / (mean - expected) : 1;

  // Mutual information of true and found clusters, and B-cubed as a mean over pages: each of a cell's `common` pages
  // has the precision common / found and the recall common / truth.
  double information = 0;
  for (const Overlap& cell : cells) {
    const auto common = static_cast<double>(cell.common);
    const auto in_truth = static_cast<double>(cell.truth);
    const auto in_found = static_cast<double>(cell.found);
    information += common / n * std::log(n * common / (in_truth * in_found));
    figures.bcubed.precision += common * common / in_found / n;
    figures.bcubed.recall += common * common / in_truth / n;
  }
  const double truth_entropy = entropy(truth, n);
  const double found_entropy = entropy(components, n);
  // Entropy 0 means a single cluster, which is homogeneous or complete by definition.
  figures.homogeneity = truth_entropy != 0 ? information / truth_entropy : 1;
  figures.completeness = found_entropy != 0 ? information / found_entropy : 1;
  figures.v_measure = harmonic_mean(figures.homogeneity, figures.completeness);
  figures.bcubed.f1 = harmonic_mean(figures.bcubed.precision, figures.bcubed.recall);
  figures.pairs.precision = found_pairs > 0 ? common_pairs / found_pairs : 0;
  figures.pairs.recall = truth_pairs > 0 ? common_pairs / truth_pairs : 0;
  figures.pairs.f1 = harmonic_mean(figures.pairs.precision, figures.pairs.recall);
  return figures;
}

}  // namespace paraprint::inline lab::inline evaluation
