// Sends stored profiles to the tasks that compare them. A task has a range of positions: it reads those of its batches
// that contain a wanted page, each once, and sends a page once to each task that wants it. So profiles are read and
// written in sequence, and a comparing task gets exactly the pages of its pairs. Under a page-level algorithm,
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
        box_(add_box("pages", settings_.partitions)) {}

  Status read_parcel(std::string_view /*kind*/, std::string_view bytes) override {
    return for_each_record(bytes, "requests", read_wanted_page, [this](const WantedPage& wanted) -> Status {
      return wanted.task < settings_.partitions ? wanted_.push_back(wanted) : corrupt("requests");
    });
  }

  Status end_parcels() override {
    std::sort(wanted_.begin(), wanted_.end());
    return {};
  }

  bool needs_pages(std::uint64_t first_position, std::uint64_t pages) const override {
    const WantedPage* const first = first_at(first_position);
    return first != wanted_.end() && first->position < first_position + pages;
  }

  Status add_pages(std::uint64_t first_position, std::string_view facts, std::string_view profiles) override {
    const WantedPage* next = first_at(first_position);
    return for_each_page_of_batch(
        first_position, facts, profiles,
        [&](std::uint64_t position, const DriverPage& page, std::string_view bytes) -> Status {
          if (next == wanted_.end() || next->position != position) return {};
          PARAPRINT_ASSIGN(const BatchedPage stored, read_batched_page(bytes, page_level_.has_value()));
          std::string_view sent = stored.profile;
          if (sends_fingerprints_) {
            write_fetched_fingerprint(page.content_characters, stored.fingerprint, fingerprint_);
            sent = fingerprint_;
          }
          for (; next != wanted_.end() && next->position == position; ++next) {
            ByteWriter out(box_.record_for(next->task));
            write_fetched_page({next->page, page.language, page.url, sent}, out);
            ++sent_;
          }
          return {};
        });
  }

  // A missing page is an error now, rather than in the task that waits for it.
  Status finish() override {
    if (sent_ != wanted_.size()) {
      return failure(ErrorCode::kNotFound, fmt::format("profiles: {} of {} wanted pages are missing from the batches",
                                                       wanted_.size() - sent_, wanted_.size()));
    }
    count(counters_, "profiles_sent", sent_);
    end_boxes();
    return {};
  }

 private:
  const WantedPage* first_at(std::uint64_t position) const {
    return std::lower_bound(wanted_.begin(), wanted_.end(), position,
                            [](const WantedPage& wanted, std::uint64_t sought) { return wanted.position < sought; });
  }

  const bool sends_fingerprints_;
  std::string fingerprint_;
  SpillArray<WantedPage> wanted_;
  ParcelBox& box_;
  std::uint64_t sent_ = 0;
};

}  // namespace

std::unique_ptr<StageTask> make_fetch_task(TaskInput&& input) {
  return std::make_unique<FetchTask>(std::move(input));
}

}  // namespace paraprint::distribute
