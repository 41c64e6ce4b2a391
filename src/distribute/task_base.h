// What all tasks of a divided run have in common: settings, tables, memory, and the parcels they give.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/counters.h"
#include "distribute/records.h"
#include "engine/match_stage.h"
#include "index/candidates.h"
#include "index/site_boilerplate.h"
#include "memory/external_sort.h"
#include "memory/memory_budget.h"
#include "paraprint/distributed.h"

namespace paraprint::distribute {

// Read from StageSettings before a task is made.
struct TaskInput {
  const DedupOptions& options;
  const StageSettings& settings;
  TaskTables tables;
  SiteBoilerplate boilerplate;
};

// A task overrides what it takes; what it does not is an error of the caller.
class TaskBase : public StageTask {
 public:
  explicit TaskBase(TaskInput&& input);

  Status add_parcel(std::string_view bytes) override;
  Status end_parcels() override { return {}; }
  bool needs_pages(std::uint64_t, std::uint64_t) const override { return false; }
  Status add_pages(std::uint64_t first_position, std::string_view facts, std::string_view profiles) override;

  std::vector<Parcel> take_parcels() override;
  std::vector<std::pair<std::string, std::uint64_t>> counters() const override {
    return {counters_.begin(), counters_.end()};
  }

 protected:
  ParcelBox& add_box(std::string_view kind, std::uint32_t partitions);
  // From the end of the task on all parcels are handed over.
  void end_boxes() { is_finished_ = true; }

  ExternalSortOptions sort_options(double share) const;
  // A candidate belongs to the task of its first page. Neighbours in the input often are in the same batch.
  std::uint32_t partition_of_pair(std::uint32_t page_a) const;
  // Writes the sums of the hits, which are then the records of the parcels "pairs".
  Status give_pairs(CandidatePairSorter& pairs);
  // Templates of the page's site; none before they are known.
  void flag_boilerplate(const PageRecord& page, const Profile& profile, std::vector<std::uint8_t>& flags) const;

  const DedupOptions& options_;
  const StageSettings settings_;
  const TaskTables tables_;
  const SiteBoilerplate boilerplate_;
  MemoryBudget budget_;
  const CandidateOptions candidate_options_;
  Counters counters_;

 private:
  std::deque<ParcelBox> boxes_;
  bool is_finished_ = false;
};

// Calls visit(record) for each record of a parcel; `read` is one of records.h.
template <class Read, class Visit>
Status for_each_record(std::string_view bytes, std::string_view what, Read&& read, Visit&& visit) {
  ByteReader in(bytes);
  while (!in.at_end()) {
    const auto record = read(in);
    if (!in.ok()) return corrupt(what);
    if (Status visited = visit(record); !visited) return visited;
  }
  return in.ok() ? Status{} : corrupt(what);
}

std::unique_ptr<StageTask> make_words_task(TaskInput&& input);
std::unique_ptr<StageTask> make_paragraphs_task(TaskInput&& input);
std::unique_ptr<StageTask> make_boilerplate_task(TaskInput&& input);
std::unique_ptr<StageTask> make_keys_task(TaskInput&& input);
std::unique_ptr<StageTask> make_exact_task(TaskInput&& input);
std::unique_ptr<StageTask> make_near_task(TaskInput&& input);
std::unique_ptr<StageTask> make_hamming_task(TaskInput&& input);
std::unique_ptr<StageTask> make_sketch_task(TaskInput&& input);
std::unique_ptr<StageTask> make_verify_task(TaskInput&& input);
std::unique_ptr<StageTask> make_evidence_task(TaskInput&& input);
std::unique_ptr<StageTask> make_cluster_task(TaskInput&& input);

}  // namespace paraprint::distribute
