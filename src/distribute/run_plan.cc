// The driver's part of a distributed run that writes records.
//
// The driver sees the facts of all pages and their clusters, but no profile, no text and no match: about 200 bytes per
// page. They have the form in which the stages of a run in one process hand them on, so that records are made by the
// code of those stages, as far as it needs no profiles.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/propagate.h"
#include "distribute/records.h"
#include "distribute/revisit_plan.h"
#include "engine/cluster_stage.h"
#include "engine/output_stage.h"
#include "engine/surviving_records.h"
#include "memory/spill_array.h"

namespace paraprint {

using namespace distribute;

namespace {

// Sizes are left 0: the driver never opens an input, which may be on another machine.
std::vector<InputFile> input_files(std::vector<std::string> paths) {
  std::vector<InputFile> inputs;
  for (std::string& path : paths) {
    InputFile& input = inputs.emplace_back();
    input.path = std::move(path);
    input.index = static_cast<std::uint32_t>(inputs.size() - 1);
  }
  return inputs;
}

class RunPlanImplementation : public RunPlan {
 public:
  RunPlanImplementation(const DedupOptions& options, std::vector<std::string> inputs, std::string temporary_folder)
      : options_(options),
        inputs_(input_files(std::move(inputs))),
        temporary_folder_(std::move(temporary_folder)),
        budget_(options_.resources.memory, temporary_folder_),
        pages_(&budget_),
        decisions_{SurvivorPolicy(), Clustering(&budget_), KnownPages(&budget_), {}, {}, {}},
        wanted_(&budget_),
        targets_(&budget_),
        revisit_plan_(inputs_.size(), &budget_),
        revisits_(&budget_) {}

  Status add_pages(std::string_view facts) override;
  Status end_pages() override;
  Status add_clusters(std::string_view parcel) override;
  std::vector<std::string> record_names() const override { return surviving_record_names(inputs_); }
  Result<std::vector<Parcel>> plan_records() const override;
  Status add_templates(std::string_view parcel) override;
  Status add_claims(std::string_view parcel) override { return revisit_plan_.add_claims(parcel); }
  Result<std::string> end_claims(std::size_t bytes_maximum) override { return revisit_plan_.end_claims(bytes_maximum); }
  Status add_captures(std::string_view parcel) override { return revisit_plan_.add_captures(parcel); }
  Status end_captures() override;
  Result<std::vector<std::pair<std::string, std::uint64_t>>> write_input_revisits(
      const std::string& folder) const override;
  Result<std::vector<Parcel>> plan_targets() override;
  Status add_savings(std::string_view savings) override;
  Status write_savings(const std::string& folder) const override {
    return write_savings_of(folder, savings_, record_files_, {});
  }
  Status add_targets(std::uint32_t input, std::string_view targets) override;

 private:
  const DedupOptions options_;
  const std::vector<InputFile> inputs_;
  const std::string temporary_folder_;
  MemoryBudget budget_;
  PageTable pages_;
  Decisions decisions_;               // without known pages, which only an index gives
  SpillArray<std::uint32_t> wanted_;  // pages that revisit records may refer to
  RevisitTargets targets_;            // of these, as far as they were added
  RevisitPlan revisit_plan_;
  InputRevisits revisits_;  // empty before end_captures()
  RecordSavings savings_;
  RecordFiles record_files_;
};

Status RunPlanImplementation::add_pages(std::string_view facts) {
  ByteReader in(facts);
  while (!in.at_end()) {
    const DriverPage record = read_page(in);
    if (!in.ok() || record.location.file_index >= inputs_.size()) return corrupt("facts");
    LoggedPage page;
    page.location = record.location;
    page.format = record.format;
    page.language = record.language;
    page.id = record.id;
    page.url = record.url;
    page.date = record.date;
    PARAPRINT_TRY(pages_.add(page, record.content_characters));
  }
  return {};
}

Status RunPlanImplementation::end_pages() {
  PARAPRINT_TRY(pages_.finish());
  PARAPRINT_TRY(decisions_.clustering.pages.assign(pages_.size(), PageCluster{}));
  for (std::uint32_t page = 0; page < pages_.size(); ++page) decisions_.clustering.pages[page].kept_page = page;
  PARAPRINT_ASSIGN(decisions_.policy, survivor_policy(options_.survivors));
  return {};
}

// Clusters of different components have no page in common, so parcels can be applied in any order.
Status RunPlanImplementation::add_clusters(std::string_view parcel) {
  ByteReader in(parcel);
  while (!in.at_end()) {
    const ClusteredPage page = read_clustered_page(in);
    const std::uint32_t count = pages_.size();
    if (!in.ok() || page.page >= count || page.cluster.kept_page >= count) return corrupt("clusters");
    decisions_.clustering.pages[page.page] = page.cluster;
  }
  return {};
}

Status RunPlanImplementation::add_templates(std::string_view parcel) {
  decisions_.templates.resize(pages_.size());
  for (ByteReader in(parcel); !in.at_end();) {
    const std::uint64_t page = in.variable_below(pages_.size());
    if (!in.ok()) return corrupt("templates");
    decisions_.templates[page] = true;
  }
  return {};
}

Status RunPlanImplementation::end_captures() {
  PARAPRINT_ASSIGN(RevisitLinks links, revisit_plan_.finish());
  PARAPRINT_ASSIGN(revisits_, pages_of_links(std::move(links), pages_));
  decisions_.referred_to = revisits_.referred_to;
  return {};
}

Result<std::vector<std::pair<std::string, std::uint64_t>>> RunPlanImplementation::write_input_revisits(
    const std::string& folder) const {
  OutputRows rows(pages_.budget());
  PARAPRINT_TRY(number_clusters(decisions_.clustering, pages_, rows.cluster_numbers));
  PARAPRINT_TRY(
      paraprint::write_input_revisits(folder + "/input-revisits.jsonl", inputs_, pages_, decisions_, rows, revisits_));
  const Counters counters = count_input_revisits(revisits_, pages_, decisions_);
  return std::vector<std::pair<std::string, std::uint64_t>>(counters.begin(), counters.end());
}

// One parcel per input with a page that revisit records may refer to.
Result<std::vector<Parcel>> RunPlanImplementation::plan_targets() {
  PARAPRINT_ASSIGN(wanted_, pages_to_refer_to(pages_, decisions_));
  std::vector<Parcel> parcels;
  for (std::span<const std::uint32_t> left(wanted_); !left.empty();) {
    const std::span<const std::uint32_t> of_file = first_of_one_file(pages_, left);
    ByteWriter out(parcels.emplace_back(Parcel{"wanted", pages_.row(of_file.front()).location.file_index, {}}).bytes);
    for (const std::uint64_t ordinal : ordinals_of(pages_, of_file)) out.variable(ordinal);
    left = left.subspan(of_file.size());
  }
  return parcels;
}

Status RunPlanImplementation::add_targets(std::uint32_t input, std::string_view targets) {
  const auto is_before = [this](std::uint32_t page, std::uint32_t file) {
    return pages_.row(page).location.file_index < file;
  };
  const std::uint32_t* page = std::lower_bound(wanted_.begin(), wanted_.end(), input, is_before);
  for (ByteReader in(targets); !in.at_end(); ++page) {
    const std::string_view target = in.text();
    if (!in.ok() || page == wanted_.end() || pages_.row(*page).location.file_index != input) return corrupt("targets");
    PARAPRINT_TRY(targets_.add(*page, target));
  }
  return {};
}

// One parcel per input that loses a page, in the order in which the record writer needs it.
Result<std::vector<Parcel>> RunPlanImplementation::plan_records() const {
  PARAPRINT_ASSIGN(const RemovedPages removed,
                   list_removed_pages(inputs_.size(), pages_, decisions_, targets_, options_.output.max_removed_share));
  std::vector<Parcel> parcels;
  for (std::uint32_t file = 0; file < inputs_.size(); ++file) {
    const std::span<const RemovedPage> pages = removed.of_file(file);
    if (pages.empty()) continue;
    ByteWriter out(parcels.emplace_back(Parcel{"records", file, {}}).bytes);
    for (const RemovedPage& page : pages) {
      // Only records in place of removed pages mention the kept page; otherwise its fields need not travel.
      const RemovedPage without_relation{.ordinal = page.ordinal, .is_template = page.is_template};
      write_removed_page(options_.output.revisits ? page : without_relation, out);
    }
  }
  return parcels;
}

Status RunPlanImplementation::add_savings(std::string_view savings) {
  for (ByteReader in(savings); !in.at_end();) {
    const std::uint64_t before = in.variable();
    const std::uint64_t after = in.variable();
    const RecordSavings of_input = RecordSavings::decode(in);
    if (!in.ok()) return corrupt("savings");
    record_files_.bytes_before += before;
    record_files_.bytes_after += after;
    savings_.add(of_input);
  }
  return {};
}

}  // namespace

Result<std::unique_ptr<RunPlan>> RunPlan::create(const DedupOptions& options, std::vector<std::string> inputs,
                                                 std::string temporary_folder) {
  PARAPRINT_TRY(check_distributed(options));
  return std::make_unique<RunPlanImplementation>(options, std::move(inputs), std::move(temporary_folder));
}

}  // namespace paraprint
