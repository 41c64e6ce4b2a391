// Which options of a planned run are worth changing, and what limits the plan.
#pragma once

#include "paraprint/plan.h"

namespace paraprint::inline plan {

// Adds sentences to `plan.advice` and `plan.notes`. Everything else of the plan must be there.
void add_advice(const PlanOptions& options, PlanOutcome& plan);

}  // namespace paraprint::inline plan
