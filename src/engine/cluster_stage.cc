// Translates options into the types of src/cluster, which knows neither options nor files. Names are validated with the
// options (options.cc), so an unknown `clusters` cannot arrive here.
#include "engine/cluster_stage.h"

#include <utility>

#include "base/propagate.h"

namespace paraprint {

Result<SurvivorPolicy> survivor_policy(const SurvivorOptions& options) {
  PARAPRINT_ASSIGN(std::vector<SurvivorCriterion> criteria, parse_survivor_criteria(options.keep));
  return SurvivorPolicy(std::move(criteria), options.prefer_hosts, options.prefer_schemes);
}

ClusteringOptions clustering_options(const SurvivorOptions& options, MemoryBudget* budget) {
  ClusteringOptions clustering;
  clustering.mode = options.clusters;
  clustering.join_contained = options.remove_contained;
  clustering.budget = budget;
  return clustering;
}

}  // namespace paraprint
