// The driver's part of a distributed run: the output tables, and what records need.
//
// The driver sees the facts of all pages and all matches, but no profile and no text: about 250 bytes per page and 28
// per match. They have the form in which the stages of a run in one process hand them on, so that tables and records
// are made by the code of those stages, as far as it needs no profiles.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/propagate.h"
#include "distribute/fingerprint_index.h"
#include "distribute/records.h"
#include "distribute/revisit_plan.h"
#include "distribute/wanted_pages.h"
#include "engine/cluster_stage.h"
#include "engine/output_stage.h"
#include "engine/surviving_records.h"
#include "memory/spill_array.h"
#include "memory/spill_hash_table.h"
#include "profile/page_match.h"

namespace paraprint {

using namespace distribute;

namespace {

// The sorter of matches.tsv gets 1/8 of the driver's memory, but at least kSorterBytesMinimum.
constexpr std::uint64_t kSorterShare = 8;
constexpr std::uint64_t kSorterBytesMinimum = std::uint64_t{16} << 20;

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

// `wanted`: the pages that each task wants.
void take_wanted_pages(std::span<std::vector<std::uint32_t>> wanted, std::span<const std::uint32_t> first_pages,
                       std::vector<Parcel>& parcels) {
  const auto partitions = static_cast<std::uint32_t>(wanted.size());
  ParcelBox box("requests", partitions);
  for (std::uint32_t task = 0; task < partitions; ++task) write_wanted_pages(wanted[task], task, first_pages, box);
  box.take(parcels, true);
}

class RunPlanImplementation : public RunPlan {
 public:
  RunPlanImplementation(const DedupOptions& options, std::vector<std::string> inputs, std::string temporary_folder)
      : options_(options),
        inputs_(input_files(std::move(inputs))),
        temporary_folder_(std::move(temporary_folder)),
        budget_(options_.resources.memory, temporary_folder_),
        pages_(&budget_),
        scored_(&budget_),
        decisions_{SurvivorPolicy(), Clustering(&budget_), KnownPages(&budget_), {}, {}, {}},
        rows_(&budget_),
        text_hashes_(&budget_),
        wanted_(&budget_),
        targets_(&budget_),
        revisit_plan_(inputs_.size(), &budget_),
        revisits_(&budget_) {}

  Status add_pages(std::string_view facts) override;
  Status end_pages() override;
  Status add_matches(std::string_view parcel) override;
  Status add_clusters(std::string_view parcel) override;
  Status add_extra_matches(std::string_view parcel) override;
  Status write_tables(const std::string& folder) override;
  std::vector<Parcel> plan_evidence(std::span<const std::uint32_t> first_pages) const override;
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
  Status for_each_page(const std::function<void(const PageOutcomeRow&)>& visit) const override;

 private:
  Status find_representatives();

  const DedupOptions options_;
  const std::vector<InputFile> inputs_;
  const std::string temporary_folder_;
  MemoryBudget budget_;
  PageTable pages_;
  ScoredPairs scored_;
  Decisions decisions_;  // without known pages, which only an index gives
  OutputRows rows_;
  SpillArray<std::array<std::uint64_t, 2>> text_hashes_;  // by page number
  SpillArray<std::uint32_t> wanted_;                      // pages that revisit records may refer to
  RevisitTargets targets_;                                // of these, as far as they were added
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
    PARAPRINT_TRY(text_hashes_.push_back(record.text_hash));
  }
  return {};
}

Status RunPlanImplementation::end_pages() {
  PARAPRINT_TRY(pages_.finish());
  PARAPRINT_TRY(decisions_.clustering.pages.assign(pages_.size(), PageCluster{}));
  for (std::uint32_t page = 0; page < pages_.size(); ++page) decisions_.clustering.pages[page].kept_page = page;
  return find_representatives();
}

// The first page of each text, in the order of page numbers, as CandidateBuilder finds it. Empty pages represent
// themselves.
Status RunPlanImplementation::find_representatives() {
  PARAPRINT_ASSIGN(const std::optional<FingerprintIndex> page_level, page_level_index(options_));
  const bool has_representatives = has_text_representatives(page_level);
  SpillHashTable<std::array<std::uint64_t, 2>, std::uint32_t> texts(&budget_);
  for (std::uint32_t page = 0; page < pages_.size(); ++page) {
    std::uint32_t representative = page;
    if (has_representatives && pages_.row(page).content_characters > 0) {
      PARAPRINT_ASSIGN(std::uint32_t* const first, texts.find_or_add(text_hashes_[page], page + 1));
      representative = *first - 1;
    }
    PARAPRINT_TRY(scored_.representatives.push_back(representative));
  }
  text_hashes_.release();
  return {};
}

// Parcels arrive in any order; the rows of the tables are sorted.
Status RunPlanImplementation::add_matches(std::string_view parcel) {
  ByteReader in(parcel);
  while (!in.at_end()) {
    const Match match = read_match(in);
    if (!in.ok() || match.page_b >= pages_.size()) return corrupt("matches");
    PARAPRINT_TRY(scored_.matches.push_back(match));
  }
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

// Pairs that clustering compared in addition; they belong into matches.tsv like all others.
Status RunPlanImplementation::add_extra_matches(std::string_view parcel) {
  ByteReader in(parcel);
  while (!in.at_end()) {
    const Match match = read_match(in);
    if (!in.ok() || match.page_b >= pages_.size()) return corrupt("clusters");
    PARAPRINT_TRY(decisions_.clustering.extra_matches.push_back(match));
  }
  return {};
}

// Evidence is not written here: it needs profiles, and tasks make it (plan_evidence).
Status RunPlanImplementation::write_tables(const std::string& folder) {
  PARAPRINT_ASSIGN(decisions_.policy, survivor_policy(options_.survivors));
  const ExternalSortOptions sort_options{std::max(kSorterBytesMinimum, options_.resources.memory / kSorterShare),
                                         temporary_folder_};
  PARAPRINT_ASSIGN(rows_, make_output_rows(pages_, scored_, decisions_.clustering, sort_options));
  return paraprint::write_tables(folder, inputs_, pages_, decisions_, rows_, nullptr);
}

// Ranges of equal size, in the order of matches.tsv.
std::vector<Parcel> RunPlanImplementation::plan_evidence(std::span<const std::uint32_t> first_pages) const {
  const auto is_row = [this](const Match& match) { return has_evidence(match, scored_.representatives); };
  const auto rows = static_cast<std::uint64_t>(std::count_if(rows_.matches.begin(), rows_.matches.end(), is_row));
  const auto partitions = static_cast<std::uint32_t>(first_pages.size() - 1);
  ParcelBox box("evidence", partitions);
  std::vector<std::vector<std::uint32_t>> wanted(partitions);  // by range
  EvidencePair pair;
  for (const Match& match : rows_.matches) {
    if (!is_row(match)) continue;
    pair.range = static_cast<std::uint32_t>(pair.place * partitions / rows);
    pair.match = match;
    pair.id_a = pages_.id(match.page_a);
    pair.id_b = pages_.id(match.page_b);
    ByteWriter out(box.record_for(pair.range));
    write_evidence_pair(pair, out);
    wanted[pair.range].insert(wanted[pair.range].end(), {match.page_a, match.page_b});
    ++pair.place;
  }
  std::vector<Parcel> parcels;
  box.take(parcels, true);
  take_wanted_pages(wanted, first_pages, parcels);
  return parcels;
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
  PARAPRINT_TRY(
      paraprint::write_input_revisits(folder + "/input-revisits.jsonl", inputs_, pages_, decisions_, rows_, revisits_));
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

Status RunPlanImplementation::for_each_page(const std::function<void(const PageOutcomeRow&)>& visit) const {
  for (std::uint32_t page = 0; page < pages_.size(); ++page) {
    const RecordLocation& location = pages_.row(page).location;
    const std::uint32_t kept = decisions_.clustering.pages[page].kept_page;
    visit({location.file_index, location.ordinal, kept == page, rows_.cluster_numbers[page], pages_.id(page),
           pages_.url(page), pages_.id(kept)});
  }
  return budget_.status();
}

}  // namespace

Result<std::unique_ptr<RunPlan>> RunPlan::create(const DedupOptions& options, std::vector<std::string> inputs,
                                                 std::string temporary_folder) {
  PARAPRINT_TRY(check_distributed(options));
  return std::make_unique<RunPlanImplementation>(options, std::move(inputs), std::move(temporary_folder));
}

}  // namespace paraprint
