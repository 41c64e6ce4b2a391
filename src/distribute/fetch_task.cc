// Sends the profiles of the pages of a task to the tasks that compare them: those of its batches that contain a wanted
// page are read, each once, and a page is sent once to each task that wants it. Under a page-level algorithm,
// fingerprints are sent; the stage "fetch-profiles" sends profiles in any case, for evidence.
#include <fmt/format.h>

#include <algorithm>

#include "base/propagate.h"
#include "distribute/batched_page.h"
#include "distribute/task_base.h"
#include "memory/spill_array.h"

namespace paraprint::distribute {
namespace {

class FetchTask : public TaskBase {
 public:
  explicit FetchTask(TaskInput&& input)
      : TaskBase(std::move(input)),
        sends_fingerprints_(page_level_ && settings_.stage == "fetch"),
        wanted_(&budget_),
        known_(&budget_),
        box_(add_box("pages", settings_.partitions)) {}

  Status read_parcel(std::string_view kind, std::string_view bytes) override {
    if (kind == "known-pages") {
      return for_each_record(bytes, "known pages", read_known_answer,
                             [this](const KnownAnswer& found) { return known_.push_back(found.page); });
    }
    return for_each_record(bytes, "requests", read_wanted_page, [this](const WantedPage& wanted) -> Status {
      if (wanted.task >= settings_.partitions || !is_own(wanted.page)) return corrupt("requests");
      return wanted_.push_back(wanted);
    });
  }

  Status end_parcels() override {
    std::sort(wanted_.begin(), wanted_.end());
    std::sort(known_.begin(), known_.end());
    return {};
  }

  bool needs_pages(std::uint64_t first_position, std::uint64_t pages) const override {
    const WantedPage* const first = first_at(first_position);
    return first != wanted_.end() && first->page < first_position + pages;
  }

  // Pages that are larger than the task stated have too little in common with those of that task.
  Status add_pages(std::uint64_t first_position, std::string_view facts, std::string_view profiles) override {
    const WantedPage* next = first_at(first_position);
    return for_each_page_of_batch(
        first_position, facts, profiles,
        [&](std::uint32_t number, const DriverPage& page, std::string_view bytes) -> Status {
          if (next == wanted_.end() || next->page != number) return {};
          PARAPRINT_ASSIGN(const BatchedPage stored, read_batched_page(bytes, page_level_.has_value()));
          const std::string_view sent = sends_fingerprints_ ? stored.fingerprint : stored.profile;
          const bool is_known = std::binary_search(known_.begin(), known_.end(), number);
          for (; next != wanted_.end() && next->page == number; ++next) {
            ++found_;
            if (page.content_characters > next->characters_maximum) continue;
            ByteWriter out(box_.record_for(next->task));
            write_fetched_page({number, page.content_characters, page.language, page.url, sent, is_known}, out);
            count(counters_, "profiles_sent");
          }
          return {};
        });
  }

  // A missing page is an error now, rather than in the task that waits for it.
  Status finish() override {
    if (found_ != wanted_.size()) {
      return failure(ErrorCode::kNotFound, fmt::format("profiles: {} of {} wanted pages are missing from the batches",
                                                       wanted_.size() - found_, wanted_.size()));
    }
    end_boxes();
    return {};
  }

 private:
  const WantedPage* first_at(std::uint64_t position) const {
    return std::lower_bound(wanted_.begin(), wanted_.end(), position,
                            [](const WantedPage& wanted, std::uint64_t sought) { return wanted.page < sought; });
  }

  const bool sends_fingerprints_;
  SpillArray<WantedPage> wanted_;
  SpillArray<std::uint32_t> known_;  // own pages that an earlier run had, ascending
  ParcelBox& box_;
  std::uint64_t found_ = 0;
};

}  // namespace

std::unique_ptr<StageTask> make_fetch_task(TaskInput&& input) {
  return std::make_unique<FetchTask>(std::move(input));
}

}  // namespace paraprint::distribute
