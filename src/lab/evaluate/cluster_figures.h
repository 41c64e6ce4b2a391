// How well the groups that reported pairs form agree with the truth's clusters.
#pragma once

#include "lab/evaluate/pair_outcomes.h"
#include "paraprint/evaluate.h"

namespace paraprint {

// Adjusted Rand index, homogeneity, completeness and their harmonic mean, B-cubed, and pairwise figures, over the pages
// that the truth puts in a cluster. Found clusters are the connected components of the pairs with a score of at least
// `threshold`. Requires set.has_clusters. O(pages log pages + found).
ClusterFigures cluster_figures(const LabelledSet& set, const FoundPairs& found, double threshold);

}  // namespace paraprint
