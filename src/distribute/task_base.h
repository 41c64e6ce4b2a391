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
#include "distribute/wanted_pages.h"
#include "engine/match_stage.h"
#include "index/candidates.h"
#include "index/site_boilerplate.h"
#include "memory/external_sort.h"
#include "memory/memory_budget.h"
#include "paraprint/distributed.h"
#include "payloads/revisit_names.h"

namespace paraprint::distribute {

// Decoded from StageSettings before a task is created.
struct TaskInput {
  const DedupOptions& options;
  const StageSettings& settings;
  std::vector<std::uint64_t> large_sites;  // ascending; only these can have a template
  SiteBoilerplate boilerplate;
  SiteBoilerplate known_templates;
  std::vector<RecordPlace> referred_places;    // by revisit records of the inputs; ascending
  std::span<const std::string_view> kinds;     // of the parcels that the stage takes
  std::optional<FingerprintIndex> page_level;  // none under the paragraph method
};

// A task overrides the calls for the input it takes; the other ones return an error, because the caller is mistaken.
class TaskBase : public StageTask {
 public:
  explicit TaskBase(TaskInput&& input);

  Status add_parcel(std::string_view kind, std::string_view bytes) final;
  Status end_parcels() override { return {}; }
  std::string_view known_table() const override { return {}; }
  bool needs_known(std::uint32_t, std::uint64_t, std::uint64_t) const override { return false; }
  Status add_known(std::uint32_t run, std::string_view block) override;
  bool needs_pages(std::uint64_t, std::uint64_t) const override { return false; }
  bool needs_profiles() const override { return true; }
  Status add_pages(std::uint64_t first_position, std::string_view facts, std::string_view profiles) override;

  Result<std::vector<Parcel>> take_parcels() override;
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
  // Pages of the run; their owners read the batches that they are in. owner_of() requires a page of the run.
  bool is_page(std::uint32_t page) const {
    return !settings_.first_pages.empty() && page < settings_.first_pages.back();
  }
  std::uint32_t owner_of(std::uint32_t page) const { return owner_of_page(settings_.first_pages, page); }
  // The pages of this task, if the stage is divided by owners.
  bool is_own(std::uint32_t page) const { return is_page(page) && owner_of(page) == settings_.share; }
  std::uint32_t first_own_page() const {
    return settings_.first_pages.empty() ? 0 : settings_.first_pages[settings_.share];
  }
  std::uint32_t own_pages() const {
    return settings_.first_pages.empty() ? 0 : settings_.first_pages[settings_.share + 1] - first_own_page();
  }
  // Whether a batch has pages of this task. Batches at the ends of its range may also have pages of others.
  bool has_own_pages(std::uint64_t first_position, std::uint64_t pages) const {
    return settings_.takes_any_pages || settings_.first_pages.empty() ||
           (first_position < settings_.first_pages[settings_.share + 1] &&
            first_position + pages > settings_.first_pages[settings_.share]);
  }
  // for_each_page_of_facts() and for_each_page_of_batch() for the pages of this task: all before pages have owners.
  template <class Visit>
  Status for_each_own_page_of_facts(std::uint64_t first_position, std::string_view facts, Visit&& visit) const {
    return for_each_page_of_facts(first_position, facts, [&](std::uint32_t number, const DriverPage& page) -> Status {
      return has_own_pages(number, 1) ? visit(number, page) : Status{};
    });
  }
  template <class Visit>
  Status for_each_own_page(std::uint64_t first_position, std::string_view facts, std::string_view profiles,
                           Visit&& visit) const {
    return for_each_page_of_batch(
        first_position, facts, profiles,
        [&](std::uint32_t number, const DriverPage& page, std::string_view profile) -> Status {
          return has_own_pages(number, 1) ? visit(number, page, profile) : Status{};
        });
  }
  std::uint32_t partition_of_fingerprint(const Fingerprint128& fingerprint) const;
  // What the Hamming join of the run has to find.
  HammingReach hamming_reach() const { return hamming_reach_of(page_level_, options_); }
  // For a task that compares pages. The task must outlive it.
  std::unique_ptr<FetchedPages> make_fetched_pages();
  // Whether the page has no text but the template of its site. Only sites that are large enough have one.
  Result<bool> consists_of_template(const DriverPage& page, std::string_view profile);
  // Writes the pairs, with the hits of this task added up, to parcels "pairs" for the owners of their first pages.
  Status give_pairs(CandidatePairSorter& pairs);
  // Flags the paragraphs that are boilerplate of the page's site. Flags none before boilerplate is known.
  void flag_boilerplate(const DriverPage& page, const Profile& profile, std::vector<std::uint8_t>& flags) const;

  const DedupOptions& options_;
  const StageSettings settings_;
  const std::span<const std::string_view> kinds_;
  const std::vector<std::uint64_t> large_sites_;
  const SiteBoilerplate boilerplate_;
  const SiteBoilerplate known_templates_;  // as of earlier runs
  const std::vector<RecordPlace> referred_places_;
  std::optional<FingerprintIndex> page_level_;  // none under the paragraph method
  MemoryBudget budget_;
  const CandidateOptions candidate_options_;
  Counters counters_;

 private:
  Profile template_profile_;
  std::vector<std::uint8_t> template_flags_;
  ParcelFile overflow_;
  std::deque<ParcelBox> boxes_;
  bool is_finished_ = false;
};

// Shares of the sorter memory of a task that sorts keys and pairs at the same time.
inline constexpr double kKeyShare = 0.6;
inline constexpr double kPairShare = 0.4;

// A stage: how its tasks are made, and the kinds of parcels that they take.
using MakeTask = std::unique_ptr<StageTask> (*)(TaskInput&&);
struct StageRow {
  std::string_view name;
  MakeTask make;
  std::vector<std::string_view> kinds;
  MakeTask make_page_level = nullptr;  // under a page-level algorithm; null: as under the paragraph method
};
// Null for an unknown name.
const StageRow* find_stage(std::string_view name);

std::unique_ptr<StageTask> make_words_task(TaskInput&& input);
std::unique_ptr<StageTask> make_rows_task(TaskInput&& input);
std::unique_ptr<StageTask> make_arrange_task(TaskInput&& input);
std::unique_ptr<StageTask> make_texts_task(TaskInput&& input);
std::unique_ptr<StageTask> make_repeats_task(TaskInput&& input);
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
std::unique_ptr<StageTask> make_large_star_task(TaskInput&& input);
std::unique_ptr<StageTask> make_small_star_task(TaskInput&& input);
std::unique_ptr<StageTask> make_gather_task(TaskInput&& input);
std::unique_ptr<StageTask> make_assemble_task(TaskInput&& input);
std::unique_ptr<StageTask> make_cluster_task(TaskInput&& input);

}  // namespace paraprint::distribute
