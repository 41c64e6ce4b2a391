// The stages that compare a run with earlier ones, and add it to them (docs/spark.md):
//
//   list-sites -> find-templates: the templates that earlier runs found on the sites of this one
//   ask-known -> find-exact, find-near, find-sketch -> choose-known -> fetch-known -> judge-known: known pages
//   remember -> sort-known: the tables of this run
#pragma once

#include <memory>

#include "distribute/task_base.h"

namespace paraprint::distribute::known {

std::unique_ptr<StageTask> make_list_sites_task(TaskInput&& input);
std::unique_ptr<StageTask> make_find_templates_task(TaskInput&& input);
std::unique_ptr<StageTask> make_ask_task(TaskInput&& input);
std::unique_ptr<StageTask> make_find_exact_task(TaskInput&& input);
std::unique_ptr<StageTask> make_find_near_task(TaskInput&& input);
std::unique_ptr<StageTask> make_find_sketch_task(TaskInput&& input);
std::unique_ptr<StageTask> make_choose_task(TaskInput&& input);
std::unique_ptr<StageTask> make_fetch_known_task(TaskInput&& input);
std::unique_ptr<StageTask> make_judge_task(TaskInput&& input);
std::unique_ptr<StageTask> make_remember_task(TaskInput&& input);
std::unique_ptr<StageTask> make_sort_known_task(TaskInput&& input);

}  // namespace paraprint::distribute::known
