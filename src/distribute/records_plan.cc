// The driver's part of a distributed run that writes records: names of files, what was saved, and the revisit records
// of the inputs with the captures that they refer to. Pages are listed by tasks (tables/record_list_tasks.cc).
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/propagate.h"
#include "distribute/records.h"
#include "distribute/revisit_plan.h"
#include "distribute/tables/removal_records.h"
#include "engine/output_stage.h"
#include "engine/surviving_records.h"
#include "memory/spill_array.h"

namespace paraprint {

using namespace distribute;

namespace {

// Sizes and kinds are not known: the driver never opens an input, which may be on another machine.
std::vector<InputFile> input_files(std::vector<std::string> paths) {
  std::vector<InputFile> inputs;
  for (std::string& path : paths) {
    InputFile& input = inputs.emplace_back();
    input.path = std::move(path);
    input.index = static_cast<std::uint32_t>(inputs.size() - 1);
  }
  return inputs;
}

class RecordsPlanImplementation : public RecordsPlan {
 public:
  RecordsPlanImplementation(const DedupOptions& options, std::vector<std::string> inputs, std::string temporary_folder)
      : options_(options),
        inputs_(input_files(std::move(inputs))),
        budget_(options_.resources.memory, std::move(temporary_folder)),
        revisit_plan_(inputs_.size(), &budget_),
        links_(&budget_),
        pages_(&budget_),
        page_bytes_(&budget_) {}

  Status check_names() const { return check_record_names(inputs_); }
  std::vector<std::string> record_names() const override { return surviving_record_names(inputs_); }
  Status check_removed(std::uint64_t removed, std::uint64_t pages) const override {
    const double maximum = options_.output.max_removed_share;
    if (check_removed_share(removed, pages, maximum)) return {};
    return failure(ErrorCode::kLimitExceeded,
                   fmt::format("{} of {} pages would be removed, more than max_removed_share ({}); no records were "
                               "written. A run without records lists these pages in removed.jsonl; if they may go, "
                               "start again with a higher max_removed_share",
                               removed, pages, maximum));
  }
  Status add_claims(std::string_view parcel) override { return revisit_plan_.add_claims(parcel); }
  Result<std::string> end_claims(std::size_t bytes_maximum) override { return revisit_plan_.end_claims(bytes_maximum); }
  Status add_captures(std::string_view parcel) override { return revisit_plan_.add_captures(parcel); }
  Result<std::string> end_captures() override;
  Status add_referred_pages(std::string_view parcel) override;
  Result<std::vector<std::pair<std::string, std::uint64_t>>> write_input_revisits(const std::string& folder) override;
  Status add_savings(std::string_view savings) override;
  Status write_savings(const std::string& folder) const override {
    return write_savings_of(folder, savings_, record_files_, {});
  }

 private:
  // A page with its place in `page_bytes_`.
  struct StoredPage {
    RecordPlace place;
    std::uint64_t begin = 0;
    friend auto operator<=>(const StoredPage&, const StoredPage&) = default;
  };

  std::optional<ReferredPage> find(const RecordPlace& place) const;

  const DedupOptions options_;
  const std::vector<InputFile> inputs_;
  MemoryBudget budget_;
  RevisitPlan revisit_plan_;
  RevisitLinks links_;            // empty before end_captures()
  SpillArray<StoredPage> pages_;  // that revisit records refer to; sorted by write_input_revisits()
  SpillArray<char> page_bytes_;
  RecordSavings savings_;
  RecordFiles record_files_;
};

Result<std::string> RecordsPlanImplementation::end_captures() {
  PARAPRINT_ASSIGN(links_, revisit_plan_.finish());
  return tables::write_referred_places(links_.referred_to);
}

Status RecordsPlanImplementation::add_referred_pages(std::string_view parcel) {
  std::string record;
  return for_each_record(parcel, "referred pages", tables::read_placed_page,
                         [&](const tables::PlacedPage& placed) -> Status {
                           record.clear();
                           ByteWriter out(record);
                           tables::write_placed_page(placed, out);
                           PARAPRINT_TRY(pages_.push_back({placed.place, page_bytes_.size()}));
                           return page_bytes_.append(std::span<const char>(record));
                         });
}

std::optional<ReferredPage> RecordsPlanImplementation::find(const RecordPlace& place) const {
  const StoredPage* const found = std::lower_bound(pages_.begin(), pages_.end(), StoredPage{place, 0});
  if (found == pages_.end() || found->place != place) return std::nullopt;
  ByteReader in(std::string_view(page_bytes_.data(), page_bytes_.size()).substr(found->begin));
  return tables::read_placed_page(in).page;
}

Result<std::vector<std::pair<std::string, std::uint64_t>>> RecordsPlanImplementation::write_input_revisits(
    const std::string& folder) {
  std::sort(pages_.begin(), pages_.end());
  const FindReferredPage find_page = [this](const RecordPlace& place) { return find(place); };
  PARAPRINT_TRY(paraprint::write_input_revisits(folder + "/input-revisits.jsonl", inputs_, links_, find_page));
  const Counters counters = count_input_revisits(links_, find_page);
  PARAPRINT_TRY(budget_.status());
  return std::vector<std::pair<std::string, std::uint64_t>>(counters.begin(), counters.end());
}

Status RecordsPlanImplementation::add_savings(std::string_view savings) {
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

Result<std::unique_ptr<RecordsPlan>> RecordsPlan::create(const DedupOptions& options, std::vector<std::string> inputs,
                                                         std::string temporary_folder) {
  PARAPRINT_TRY(check_distributed(options));
  auto plan = std::make_unique<RecordsPlanImplementation>(options, std::move(inputs), std::move(temporary_folder));
  if (options.output.records) PARAPRINT_TRY(plan->check_names());
  return std::unique_ptr<RecordsPlan>(std::move(plan));
}

}  // namespace paraprint
