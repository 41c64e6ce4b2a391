// Base of the tasks of a distributed run: settings, tables, memory, and output parcels.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/counters.h"
#include "base/propagate.h"
#include "distribute/fetched_pages.h"
#include "distribute/fingerprint_index.h"
#include "distribute/records.h"
#include "engine/match_stage.h"
#include "index/candidates.h"
#include "index/site_boilerplate.h"
#include "memory/external_sort.h"
#include "memory/memory_budget.h"
#include "paraprint/distributed.h"

namespace paraprint::distribute {

// Decoded from StageSettings before a task is created.
struct TaskInput {
  const DedupOptions& options;
  const StageSettings& settings;
  TaskTables tables;
  SiteBoilerplate boilerplate;
  std::span<const std::string_view> kinds;     // of the parcels that the stage takes
  std::optional<FingerprintIndex> page_level;  // none under the paragraph method
};

// A task overrides the calls for the input it takes; the other ones return an error, because the caller is mistaken.
class TaskBase : public StageTask {
 public:
  explicit TaskBase(TaskInput&& input);

  Status add_parcel(std::string_view kind, std::string_view bytes) final;
  Status end_parcels() override { return {}; }
  bool needs_pages(std::uint64_t, std::uint64_t) const override { return false; }
  Status add_pages(std::uint64_t first_position, std::string_view facts, std::string_view profiles) override;

  std::vector<Parcel> take_parcels() override;
  std::vector<std::pair<std::string, std::uint64_t>> counters() const override {
    return {counters_.begin(), counters_.end()};
  }

 protected:
  // A parcel of one of the stage's kinds.
  virtual Status read_parcel(std::string_view kind, std::string_view bytes);

  ParcelBox& add_box(std::string_view kind, std::uint32_t partitions);
  // Call at the end of finish(): from then on, take_parcels() also returns parcels that are not full.
  void end_boxes() { is_finished_ = true; }

  ExternalSortOptions sort_options(double share) const;
  // A pair belongs to the task of its first page. Blocks of consecutive pages stay together, because their profiles are
  // in the same batches.
  std::uint32_t partition_of_pair(std::uint32_t page_a) const;
  std::uint32_t partition_of_fingerprint(const Fingerprint128& fingerprint) const;
  // What the Hamming join of the run has to find.
  HammingReach hamming_reach() const;
  // For a task that compares pages. The task must outlive it.
  std::unique_ptr<FetchedPages> make_fetched_pages();
  // Whether the page has no text but the template of its site. Only sites that are large enough have one.
  Result<bool> consists_of_template(const DriverPage& page, std::string_view profile);
  // Writes the pairs, with the hits of this task added up, to parcels "pairs".
  Status give_pairs(CandidatePairSorter& pairs);
  // Flags the paragraphs that are boilerplate of the page's site. Flags none before boilerplate is known.
  void flag_boilerplate(const DriverPage& page, const Profile& profile, std::vector<std::uint8_t>& flags) const;

  const DedupOptions& options_;
  const StageSettings settings_;
  const std::span<const std::string_view> kinds_;
  const TaskTables tables_;
  const SiteBoilerplate boilerplate_;
  std::optional<FingerprintIndex> page_level_;  // none under the paragraph method
  MemoryBudget budget_;
  const CandidateOptions candidate_options_;
  Counters counters_;

 private:
  Profile template_profile_;
  std::vector<std::uint8_t> template_flags_;
  std::deque<ParcelBox> boxes_;
  bool is_finished_ = false;
};

// Shares of the sorter memory of a task that sorts keys and pairs at the same time.
inline constexpr double kKeyShare = 0.6;
inline constexpr double kPairShare = 0.4;

std::unique_ptr<StageTask> make_words_task(TaskInput&& input);
std::unique_ptr<StageTask> make_paragraphs_task(TaskInput&& input);
std::unique_ptr<StageTask> make_boilerplate_task(TaskInput&& input);
std::unique_ptr<StageTask> make_keys_task(TaskInput&& input);
std::unique_ptr<StageTask> make_exact_task(TaskInput&& input);
std::unique_ptr<StageTask> make_near_task(TaskInput&& input);
std::unique_ptr<StageTask> make_fingerprint_keys_task(TaskInput&& input);
std::unique_ptr<StageTask> make_fingerprint_exact_task(TaskInput&& input);
std::unique_ptr<StageTask> make_fingerprint_near_task(TaskInput&& input);
std::unique_ptr<StageTask> make_buckets_task(TaskInput&& input);
std::unique_ptr<StageTask> make_hamming_task(TaskInput&& input);
std::unique_ptr<StageTask> make_sketch_task(TaskInput&& input);
std::unique_ptr<StageTask> make_select_task(TaskInput&& input);
std::unique_ptr<StageTask> make_fetch_task(TaskInput&& input);
std::unique_ptr<StageTask> make_verify_task(TaskInput&& input);
std::unique_ptr<StageTask> make_evidence_task(TaskInput&& input);
std::unique_ptr<StageTask> make_connect_task(TaskInput&& input);
std::unique_ptr<StageTask> make_large_star_task(TaskInput&& input);
std::unique_ptr<StageTask> make_small_star_task(TaskInput&& input);
std::unique_ptr<StageTask> make_cluster_task(TaskInput&& input);

}  // namespace paraprint::distribute
