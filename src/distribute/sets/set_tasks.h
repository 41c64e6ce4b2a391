// The stages of the overlap join of sets, for page-level algorithms with a SetOverlapPlan (docs/spark.md):
//
//   keys -> count-values: in how many different sets each value occurs
//        -> order-sets:   the owner of a page orders its set by that, and sends the beginning to the tasks of the
//        values
//        -> join-sets:    which sets meet at a value
//        -> select -> fetch -> verify: which of these match, and their pairs of pages
#pragma once

#include <memory>

#include "distribute/task_base.h"

namespace paraprint::distribute::sets {

std::unique_ptr<StageTask> make_count_values_task(TaskInput&& input);
std::unique_ptr<StageTask> make_order_sets_task(TaskInput&& input);
std::unique_ptr<StageTask> make_join_sets_task(TaskInput&& input);

}  // namespace paraprint::distribute::sets
