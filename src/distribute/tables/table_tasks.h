// The stages that make the tables of a divided run and the lists for its records, and what they need before: unique
// ids, and matches of all pages.
#pragma once

#include <memory>

#include "distribute/task_base.h"

namespace paraprint::distribute::tables {

std::unique_ptr<StageTask> make_names_task(TaskInput&& input);
std::unique_ptr<StageTask> make_expand_first_task(TaskInput&& input);
std::unique_ptr<StageTask> make_expand_second_task(TaskInput&& input);
std::unique_ptr<StageTask> make_number_task(TaskInput&& input);
std::unique_ptr<StageTask> make_list_pages_task(TaskInput&& input);
std::unique_ptr<StageTask> make_list_matches_task(TaskInput&& input);
std::unique_ptr<StageTask> make_evidence_task(TaskInput&& input);
std::unique_ptr<StageTask> make_meet_addresses_task(TaskInput&& input);
std::unique_ptr<StageTask> make_list_wanted_task(TaskInput&& input);
std::unique_ptr<StageTask> make_join_targets_task(TaskInput&& input);
std::unique_ptr<StageTask> make_list_removed_task(TaskInput&& input);

}  // namespace paraprint::distribute::tables
