// Sends known texts to the tasks that compare them with pages: each task has a range of all texts, reads the blocks in
// which there is a wanted one, and sends a text once to each task that wants it.
#include <fmt/format.h>

#include <algorithm>

#include "base/propagate.h"
#include "distribute/known/known_lines.h"
#include "distribute/known/known_records.h"
#include "distribute/known/known_tasks.h"
#include "memory/spill_array.h"

namespace paraprint::distribute::known {
namespace {

class FetchKnownTask : public TaskBase {
 public:
  explicit FetchKnownTask(TaskInput&& input)
      : TaskBase(std::move(input)), wanted_(&budget_), texts_(add_box("known-texts", settings_.partitions)) {}

  Status read_parcel(std::string_view /*kind*/, std::string_view bytes) override {
    return for_each_record(bytes, "wanted texts", read_wanted_text, [this](const WantedText& wanted) -> Status {
      if (wanted.task >= settings_.partitions) return corrupt("wanted texts");
      return wanted_.push_back(wanted);
    });
  }

  Status end_parcels() override {
    std::sort(wanted_.begin(), wanted_.end());
    return {};
  }

  std::string_view known_table() const override { return kTextsTable; }
  bool needs_known(std::uint32_t run, std::uint64_t first_key, std::uint64_t last_key) const override {
    if (run >= settings_.known_texts.size()) return false;
    const std::uint64_t first_of_run = settings_.known_texts[run];
    const WantedText* const at = first_at(first_of_run + first_key);
    return at != wanted_.end() && at->text <= first_of_run + last_key;
  }

  Status add_known(std::uint32_t run, std::string_view block) override {
    if (run >= settings_.known_texts.size()) return corrupt(kTextBlocks);
    return for_each_record(block, kTextBlocks, read_numbered_text, [&](NumberedText stored) -> Status {
      stored.text += settings_.known_texts[run];
      for (const WantedText* at = first_at(stored.text); at != wanted_.end() && at->text == stored.text; ++at) {
        ByteWriter out(texts_.record_for(at->task));
        write_numbered_text(stored, out);
        ++found_;
      }
      return {};
    });
  }

  Status finish() override {
    if (found_ != wanted_.size()) {
      return failure(ErrorCode::kCorruptData,
                     fmt::format("known texts: {} of {} are missing from the folder, or there twice",
                                 wanted_.size() - found_, wanted_.size()));
    }
    count(counters_, "known_texts_sent", found_);
    end_boxes();
    return {};
  }

 private:
  const WantedText* first_at(std::uint64_t text) const {
    return std::lower_bound(wanted_.begin(), wanted_.end(), text,
                            [](const WantedText& wanted, std::uint64_t sought) { return wanted.text < sought; });
  }

  SpillArray<WantedText> wanted_;  // ascending
  ParcelBox& texts_;
  std::uint64_t found_ = 0;
};

}  // namespace

std::unique_ptr<StageTask> make_fetch_known_task(TaskInput&& input) {
  return std::make_unique<FetchKnownTask>(std::move(input));
}

}  // namespace paraprint::distribute::known
