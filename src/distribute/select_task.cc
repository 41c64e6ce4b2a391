// Adds up the hits of each pair, selects the pairs worth comparing, and asks for their profiles. All hits of a pair
// arrive at the task of its first page, whichever tasks found them, so the sum is that of a run in one process. There,
// sketches count once for all buckets whose pages are all paired; here, the buckets of a pair may have been joined by
// several tasks, none of which knows of the others, so the hits are counted as one only now.
#include "base/propagate.h"
#include "distribute/task_base.h"
#include "distribute/wanted_pages.h"
#include "memory/spill_array.h"

namespace paraprint::distribute {
namespace {

// Shares of the memory of the sorters.
constexpr double kMeetingShare = 0.3;
constexpr double kSumShare = 0.7;

// The same pair, found by sketches in several buckets, has the same weight.
struct MeetingTraits {
  static std::uint64_t key(const CandidatePair& pair) { return CandidatePairTraits::key(pair); }
  static bool combine(CandidatePair& into, const CandidatePair& from) { return key(into) == key(from); }
};

class SelectTask : public TaskBase {
 public:
  explicit SelectTask(TaskInput&& input)
      : TaskBase(std::move(input)),
        meetings_(sort_options(kMeetingShare)),
        sums_(sort_options(kSumShare)),
        pages_(&budget_),
        selected_(add_box("selected", settings_.partitions)),
        wanted_(add_box("requests", settings_.partitions)) {}

  // read_pair() guarantees page_a < page_b, so checking page_b bounds both.
  Status read_parcel(std::string_view /*kind*/, std::string_view bytes) override {
    return for_each_record(bytes, "pairs", read_pair, [this](const CandidatePair& pair) -> Status {
      if (pair.page_b >= tables_.content_characters.size()) return corrupt("pairs");
      return pair.hits == 0 ? meetings_.push(pair) : sums_.push(pair);
    });
  }

  // The pairs are verified by the task of this number.
  Status finish() override {
    PARAPRINT_TRY(add_up());
    CandidatePair pair;
    while (sums_.next(pair)) {
      if (!is_selected(pair)) continue;
      ByteWriter out(selected_.record_for(settings_.share));
      write_pair(pair, out);
      PARAPRINT_TRY(pages_.push_back(pair.page_a));
      PARAPRINT_TRY(pages_.push_back(pair.page_b));
    }
    if (!sums_.status()) return sums_.status();
    write_wanted_pages(std::span(pages_.begin(), pages_.end()), settings_.share,
                       positions_of_pages(tables_.number_of_position), settings_.partitions, wanted_);
    end_boxes();
    return {};
  }

 private:
  Status add_up() {
    CandidatePair pair;
    PARAPRINT_TRY(meetings_.finish());
    while (meetings_.next(pair)) {
      pair.hits = 1;
      PARAPRINT_TRY(sums_.push(pair));
    }
    if (!meetings_.status()) return meetings_.status();
    return sums_.finish();
  }

  // Of a page-level algorithm, pairs with too few common keys are no candidates.
  bool is_selected(const CandidatePair& pair) {
    if (page_level_) {
      if (!page_level_->is_candidate(pair)) return false;
      count(counters_, "candidate_pairs");
      return true;
    }
    count_sources(pair);
    if (is_worth_verifying(pair, tables_.content_characters[pair.page_a], tables_.content_characters[pair.page_b],
                           options_.match)) {
      return true;
    }
    count(counters_, "pairs_with_too_little_in_common");
    return false;
  }

  // A pair found in several ways is counted under each of them.
  void count_sources(const CandidatePair& pair) {
    count(counters_, "candidate_pairs");
    if (pair.sources & kSourceAnchor) count(counters_, "candidate_pairs_by_anchor");
    if (pair.sources & kSourceParagraph) count(counters_, "candidate_pairs_by_paragraph");
    if (pair.sources & kSourceSimhash) count(counters_, "candidate_pairs_by_simhash");
    if (pair.sources & kSourceSketch) count(counters_, "candidate_pairs_by_sketch");
  }

  ExternalSorter<CandidatePair, MeetingTraits> meetings_;
  CandidatePairSorter sums_;
  SpillArray<std::uint32_t> pages_;  // of the selected pairs
  ParcelBox& selected_;
  ParcelBox& wanted_;
};

}  // namespace

std::unique_ptr<StageTask> make_select_task(TaskInput&& input) {
  return std::make_unique<SelectTask>(std::move(input));
}

}  // namespace paraprint::distribute
