// Converts the options of a run into those of clustering.
#pragma once

#include "cluster/clustering.h"
#include "cluster/survivor.h"
#include "paraprint/options.h"
#include "paraprint/result.h"

namespace paraprint {

// kInvalidArgument for unknown survivor criteria.
Result<SurvivorPolicy> survivor_policy(const SurvivorOptions& options);

ClusteringOptions clustering_options(const SurvivorOptions& options, MemoryBudget* budget);

}  // namespace paraprint
