// How many pages of a crawl are copies, from the clusters that a uniform sample of its pages shows.
//
// A sample of one page in a hundred sees one in a hundred pages, but one in ten thousand pairs: a cluster of two is
// nearly always seen as a single page. What a sample says of clusters is how many of them it met once, twice, three
// times; the same counts follow from many small clusters and from a few large ones, and these lose very different
// numbers of pages. This is the problem of unseen species: see Efron and Thisted (1976) for the model, Valiant and
// Valiant (2013) for estimates that admit all distributions, and docs/plan.md for the choice among them.
//
// The estimate is a likelihood over all distributions of cluster sizes. Clusters of c pages are met j times with the
// binomial probability of j out of c; the numbers of clusters met j times are independent Poisson counts. The interval
// holds the shares for which some distribution of sizes explains the counts nearly as well as the best one (a profile
// likelihood), so it is as wide as the sample leaves room for. The estimate itself is that of the best distribution
// after a weak preference for all sizes alike, which decides where counts leave the sizes open.
#pragma once

#include <cstdint>
#include <map>

#include "paraprint/result.h"

namespace paraprint::inline plan {

// Clusters of the sample, single pages included, by their number of pages in it.
// Counts are whole unless they are expectations.
using ClusterCounts = std::map<std::uint64_t, double>;

// With the bounds of its interval.
struct BoundedShare {
  double share = 0;
  double lower = 0;
  double upper = 1;
};

// How the pages of the crawl are divided, as far as the sample tells: share of the pages by size of their cluster.
using ClusterShares = std::map<double, double>;

struct CopyEstimate {
  BoundedShare removed;   // pages that are removed, per page: 1 - clusters / pages
  BoundedShare clusters;  // clusters of two or more pages, per page
  ClusterShares sizes;    // the distribution behind the estimates
};

// How far the logarithm of the likelihood may lie below the largest one at the bounds of an interval of 95 %. Half the
// quantile of chi-square with one degree of freedom, 1.92, holds for large samples; with it, one kind of crawl in fifty
// that were tried was covered in 91 of 100 samples (docs/plan.md).
inline constexpr double kLogLikelihoodDrop = 2.3;

// `pages`: of the crawl. If it has no more than the sample, shares are those of the sample, exactly. An empty sample
// tells nothing: the bounds are 0 and 1.
//
// Deterministic. Cost: tens of milliseconds, or a few seconds for clusters of as many sizes as are told apart. The only
// error is kCancelled.
Result<CopyEstimate> estimate_copies(const ClusterCounts& counts, double pages, double drop = kLogLikelihoodDrop);

// The counts that a sample of `sampled` pages would have, on average, of a crawl divided like this. Rounded to whole
// clusters, without those that are met less than once in two samples.
ClusterCounts expected_counts(const ClusterShares& sizes, double pages, double sampled);

}  // namespace paraprint::inline plan
