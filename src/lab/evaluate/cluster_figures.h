// Measures how well the clusters formed by reported pairs agree with the true clusters.
#pragma once

#include "lab/evaluate/pair_outcomes.h"
#include "paraprint/evaluate.h"

namespace paraprint::inline lab::inline evaluation {

// Adjusted Rand index, homogeneity, completeness and their harmonic mean, B-cubed, and pairwise figures, over the pages
// that have a true cluster. Found clusters are the connected components of the pairs that score at least `threshold`.
// Requires set.has_clusters. O(pages log pages + found).
ClusterFigures cluster_figures(const LabelledSet& set, const FoundPairs& found, double threshold);

}  // namespace paraprint::inline lab::inline evaluation
