#include "lab/evaluate/cluster_figures.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>

#include "lab/evaluate/page_groups.h"
#include "lab/evaluate/pairwise_figures.h"

namespace paraprint {
namespace {

using Sizes = std::unordered_map<std::uint32_t, std::uint64_t>;

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

// Sizes in the order of their clusters, so that sums come out the same every time.
std::vector<std::uint64_t> sorted_sizes(const Sizes& sizes) {
  std::vector<std::pair<std::uint32_t, std::uint64_t>> rows(sizes.begin(), sizes.end());
  std::sort(rows.begin(), rows.end());
  std::vector<std::uint64_t> result;
  for (const auto& [cluster, size] : rows) result.push_back(size);
  return result;
}

struct Overlap {
  std::uint64_t truth = 0;   // pages of the truth's cluster
  std::uint64_t found = 0;   // of the found one
  std::uint64_t common = 0;  // of both
};

// Every pair of a truth cluster and a found cluster with common pages.
std::vector<Overlap> overlaps(const LabelledSet& set, PageGroups& groups, Sizes& truth, Sizes& found) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> cells;
  for (std::uint32_t page = 0; page < set.pages; ++page) {
    if (set.cluster_of_page[page] == kNoCluster) continue;
    cells.emplace_back(set.cluster_of_page[page], groups.find(page));
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
  PageGroups groups(set.pages);
  for (std::uint32_t page = 0; page < found.representatives.size(); ++page) {
    groups.join(page, found.representatives[page]);
  }
  for (const ScoredPagePair& pair : found.pairs) {
    if (pair.score >= static_cast<float>(threshold)) groups.join(pair.page_a, pair.page_b);
  }
  Sizes truth_sizes;
  Sizes found_sizes;
  const std::vector<Overlap> cells = overlaps(set, groups, truth_sizes, found_sizes);
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
  const double expected = figures.documents > 1 ? truth_pairs * found_pairs / pairs_among(figures.documents) : 0;
  const double mean = (truth_pairs + found_pairs) / 2;
  figures.adjusted_rand = mean != expected ? (common_pairs - expected) / (mean - expected) : 1;

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
  figures.homogeneity = truth_entropy != 0 ? information / truth_entropy : 1;
  figures.completeness = found_entropy != 0 ? information / found_entropy : 1;
  figures.v_measure = harmonic_mean(figures.homogeneity, figures.completeness);
  figures.bcubed.f1 = harmonic_mean(figures.bcubed.precision, figures.bcubed.recall);
  figures.pairs.precision = found_pairs > 0 ? common_pairs / found_pairs : 0;
  figures.pairs.recall = truth_pairs > 0 ? common_pairs / truth_pairs : 0;
  figures.pairs.f1 = harmonic_mean(figures.pairs.precision, figures.pairs.recall);
  return figures;
}

}  // namespace paraprint
