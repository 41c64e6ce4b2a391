// Adds up the hits of each pair, selects the pairs worth comparing, requests their profiles, and scores them. All hits
// of a pair arrive at the task of its first page, whichever tasks found them, so the sum is that of a run in one
// process. There, sketches count once for all buckets whose pages are all paired; here, the buckets of a pair may have
// been joined by several tasks, none of which knows of the others, so the hits are counted as one only now.
#include "base/propagate.h"
#include "distribute/page_spool.h"
#include "distribute/task_base.h"
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

class VerifyTask : public TaskBase {
 public:
  explicit VerifyTask(TaskInput&& input)
      : TaskBase(std::move(input)),
        meetings_(sort_options(kMeetingShare)),
        sums_(sort_options(kSumShare)),
        pairs_(&budget_),
        spool_(tables_, boilerplate_, options_.match, settings_.temporary_folder, &budget_),
        box_(add_box("matches", 1)) {}

  // read_pair() guarantees page_a < page_b, so checking page_b bounds both.
  Status add_parcel(std::string_view bytes) override {
    return for_each_record(bytes, "pairs", read_pair, [this](const CandidatePair& pair) -> Status {
      if (pair.page_b >= tables_.content_characters.size()) return corrupt("pairs");
      return pair.hits == 0 ? meetings_.push(pair) : sums_.push(pair);
    });
  }

  // The pages wanted are known only now: a pair is selected by the sum of all its hits.
  Status end_parcels() override {
    CandidatePair pair;
    PARAPRINT_TRY(meetings_.finish());
    while (meetings_.next(pair)) {
      pair.hits = 1;
      PARAPRINT_TRY(sums_.push(pair));
    }
    if (!meetings_.status()) return meetings_.status();
    PARAPRINT_TRY(sums_.finish());
    while (sums_.next(pair)) {
      count_sources(pair);
      if (!is_worth_verifying(pair, tables_.content_characters[pair.page_a], tables_.content_characters[pair.page_b],
                              options_.match)) {
        count(counters_, "pairs_with_too_little_in_common");
        continue;
      }
      PARAPRINT_TRY(pairs_.push_back(pair));
      spool_.want(pair.page_a);
      spool_.want(pair.page_b);
    }
    return sums_.status();
  }

  bool needs_pages(std::uint64_t first_position, std::uint64_t pages) const override {
    return spool_.wants_any(first_position, pages);
  }

  Status add_pages(std::uint64_t first_position, std::string_view facts, std::string_view profiles) override {
    return spool_.add_batch(first_position, facts, profiles);
  }

  // Pairs are in the order of their first page, which the scorer keeps from one pair to the next.
  Status finish() override {
    PARAPRINT_TRY(spool_.finish());
    for (const CandidatePair& pair : pairs_) {
      PARAPRINT_ASSIGN(const Match match, spool_.score(pair.page_a, pair.page_b));
      if (!is_worth_storing(match, options_.match)) continue;
      ByteWriter out(box_.record_for(0));
      write_match(match, out);
      count(counters_, "pairs_stored");
    }
    count(counters_, "pairs_verified", pairs_.size());
    end_boxes();
    return {};
  }

 private:
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
  SpillArray<CandidatePair> pairs_;  // worth comparing, sorted by (page_a, page_b)
  PageSpool spool_;
  ParcelBox& box_;
};

}  // namespace

std::unique_ptr<StageTask> make_verify_task(TaskInput&& input) {
  return std::make_unique<VerifyTask>(std::move(input));
}

}  // namespace paraprint::distribute
