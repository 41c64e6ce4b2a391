// Scores the selected pairs, on the profiles or fingerprints that were fetched for them.
#include "base/propagate.h"
#include "distribute/fetched_pages.h"
#include "distribute/task_base.h"

namespace paraprint::distribute {
namespace {

class VerifyTask : public TaskBase {
 public:
  explicit VerifyTask(TaskInput&& input)
      : TaskBase(std::move(input)),
        pairs_(sort_options(1)),
        fetched_(make_fetched_pages()),
        box_(add_box("matches", 1)) {}

  Status read_parcel(std::string_view kind, std::string_view bytes) override {
    if (kind == "pages") return fetched_->add_parcel(bytes);
    return for_each_record(bytes, "selected pairs", read_pair,
                           [this](const CandidatePair& pair) { return pairs_.push(pair); });
  }

  // Pairs are in the order of their first page, which the scorer keeps from one pair to the next.
  Status finish() override {
    PARAPRINT_TRY(fetched_->finish());
    PARAPRINT_TRY(pairs_.finish());
    CandidatePair pair;
    while (pairs_.next(pair)) {
      count(counters_, "pairs_verified");
      PARAPRINT_ASSIGN(const Match match, fetched_->score(pair.page_a, pair.page_b));
      if (!fetched_->is_stored(match)) continue;
      ByteWriter out(box_.record_for(0));
      write_match(match, out);
      count(counters_, "pairs_stored");
    }
    if (!pairs_.status()) return pairs_.status();
    end_boxes();
    return {};
  }

 private:
  CandidatePairSorter pairs_;
  std::unique_ptr<FetchedPages> fetched_;
  ParcelBox& box_;
};

}  // namespace

std::unique_ptr<StageTask> make_verify_task(TaskInput&& input) {
  return std::make_unique<VerifyTask>(std::move(input));
}

}  // namespace paraprint::distribute
