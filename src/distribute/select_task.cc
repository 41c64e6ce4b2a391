// Adds up the hits of each pair, and selects the pairs worth comparing. All hits of a pair arrive at the owner of its
// first page, whichever tasks found them, so the sum is that of a run in one process. There, sketches count once for
// all buckets whose pages are all paired; here, the buckets of a pair may have been joined by several tasks, none of
// which knows of the others, so the hits are counted as one only now.
//
// Whether a pair has enough in common depends on the smaller of its pages. The owner of the first page knows the size
// of that one; where this does not decide, it asks for the profile of the second page under the condition that the page
// is small enough, and the owner of that page decides.
//
// Of pairs whose sets have met, the first meeting counts. Whether the sets match is decided when both are there.
#include <fmt/format.h>

#include <algorithm>

#include "base/propagate.h"
#include "distribute/sets/set_records.h"
#include "distribute/task_base.h"
#include "memory/spill_array.h"

namespace paraprint::distribute {
namespace {

// Shares of the memory of the sorters. The first one is for meetings of sketches or for those of sets: no run has both.
constexpr double kMeetingShare = 0.2;
constexpr double kSumShare = 0.5;
constexpr double kRequestShare = 0.3;

// The same pair, found by sketches in several buckets, has the same weight.
struct MeetingTraits {
  static std::uint64_t key(const CandidatePair& pair) { return CandidatePairTraits::key(pair); }
  static bool combine(CandidatePair& into, const CandidatePair& from) { return key(into) == key(from); }
};

// Requests of one task for a page become one: that which admits most sizes.
struct RequestTraits {
  static std::uint64_t key(const WantedPage& wanted) { return wanted.page; }
  static bool combine(WantedPage& into, const WantedPage& from) {
    if (into.page != from.page) return false;
    into.characters_maximum = std::max(into.characters_maximum, from.characters_maximum);
    return true;
  }
};

// The most characters that the smaller page of a pair may have. is_worth_verifying() is asked, rather than its formula
// inverted, so that rounding cannot tell the two apart.
std::uint32_t size_limit(const CandidatePair& pair, const MatchOptions& options) {
  std::uint32_t admitted = 0;
  std::uint32_t refused = kAnySize;
  if (is_worth_verifying(pair, refused, refused, options)) return refused;
  while (refused - admitted > 1) {
    const std::uint32_t middle = admitted + (refused - admitted) / 2;
    (is_worth_verifying(pair, middle, middle, options) ? admitted : refused) = middle;
  }
  return admitted;
}

class SelectTask : public TaskBase {
 public:
  explicit SelectTask(TaskInput&& input)
      : TaskBase(std::move(input)),
        meetings_(sort_options(kMeetingShare)),
        sums_(sort_options(kSumShare)),
        set_meetings_(sort_options(kMeetingShare)),
        requests_(sort_options(kRequestShare)),
        characters_(&budget_),
        selected_(add_box("selected", settings_.partitions)),
        selected_meetings_(add_box("selected-meetings", settings_.partitions)),
        wanted_(add_box("requests", settings_.partitions)) {}

  // read_pair() guarantees page_a < page_b, so checking page_b bounds both.
  Status read_parcel(std::string_view kind, std::string_view bytes) override {
    if (kind == "meetings") {
      return for_each_record(bytes, "meetings", sets::read_set_meeting,
                             [this](const sets::SetMeeting& meeting) -> Status {
                               if (!is_page(meeting.page_b) || !is_own(meeting.page_a)) return corrupt("meetings");
                               return set_meetings_.push(meeting);
                             });
    }
    return for_each_record(bytes, "pairs", read_pair, [this](const CandidatePair& pair) -> Status {
      if (!is_page(pair.page_b) || !is_own(pair.page_a)) return corrupt("pairs");
      return pair.hits == 0 ? meetings_.push(pair) : sums_.push(pair);
    });
  }

  // Sizes decide about pairs of the paragraph method alone.
  Status end_parcels() override { return page_level_ ? Status{} : characters_.assign(own_pages(), kUnread); }
  bool needs_pages(std::uint64_t first_position, std::uint64_t pages) const override {
    return !page_level_ && has_own_pages(first_position, pages);
  }
  bool needs_profiles() const override { return false; }

  Status add_pages(std::uint64_t first_position, std::string_view facts, std::string_view /*profiles*/) override {
    return for_each_own_page_of_facts(first_position, facts,
                                      [this](std::uint32_t number, const DriverPage& page) -> Status {
                                        if (!is_own(number)) return corrupt("profiles");
                                        characters_[number - first_own_page()] = page.content_characters;
                                        return {};
                                      });
  }

  // The pairs are verified by the task of this number.
  Status finish() override {
    PARAPRINT_TRY(add_up());
    SelectedPair selected;
    CandidatePair& pair = selected.pair;
    while (sums_.next(pair)) {
      selected.characters_maximum = kAnySize;
      PARAPRINT_ASSIGN(const bool is_worth,
                       page_level_ ? is_candidate(pair) : is_selected(pair, selected.characters_maximum));
      if (!is_worth) continue;
      if (!is_own(pair.page_b)) {
        PARAPRINT_TRY(requests_.push({pair.page_b, settings_.share, selected.characters_maximum}));
      }
      ByteWriter out(selected_.record_for(settings_.share));
      write_selected_pair(selected, out);
    }
    if (!sums_.status()) return sums_.status();
    PARAPRINT_TRY(select_meetings());
    PARAPRINT_TRY(write_requests());
    end_boxes();
    return {};
  }

 private:
  static constexpr std::uint32_t kUnread = kAnySize;

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

  Status select_meetings() {
    PARAPRINT_TRY(set_meetings_.finish());
    for (sets::SetMeeting meeting; set_meetings_.next(meeting);) {
      if (!is_own(meeting.page_b)) PARAPRINT_TRY(requests_.push({meeting.page_b, settings_.share, kAnySize}));
      ByteWriter out(selected_meetings_.record_for(settings_.share));
      write_set_meeting(meeting, out);
    }
    return set_meetings_.status();
  }

  // Of a page-level algorithm, pairs with too few common keys are no candidates.
  Result<bool> is_candidate(const CandidatePair& pair) {
    if (!page_level_->is_candidate(pair)) return false;
    count(counters_, "candidate_pairs");
    return true;
  }

  // A pair whose second page is not here is selected if that page has at most `characters_maximum`.
  Result<bool> is_selected(const CandidatePair& pair, std::uint32_t& characters_maximum) {
    count_sources(pair);
    const std::uint32_t limit = size_limit(pair, options_.match);
    PARAPRINT_ASSIGN(const std::uint32_t size_a, size_of(pair.page_a));
    if (size_a <= limit) return true;
    if (!is_own(pair.page_b)) {
      characters_maximum = limit;
      return true;
    }
    PARAPRINT_ASSIGN(const std::uint32_t size_b, size_of(pair.page_b));
    if (size_b <= limit) return true;
    count(counters_, "pairs_with_too_little_in_common");
    return false;
  }

  Result<std::uint32_t> size_of(std::uint32_t page) const {
    const std::uint32_t characters = characters_[page - first_own_page()];
    if (characters == kUnread) {
      return failure(ErrorCode::kNotFound, fmt::format("profiles: page {} is missing from the batches", page));
    }
    return characters;
  }

  Status write_requests() {
    PARAPRINT_TRY(requests_.finish());
    WantedPage wanted;
    while (requests_.next(wanted)) {
      ByteWriter out(wanted_.record_for(owner_of(wanted.page)));
      write_wanted_page(wanted, out);
    }
    return requests_.status();
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
  sets::SetMeetingSorter set_meetings_;
  ExternalSorter<WantedPage, RequestTraits> requests_;
  SpillArray<std::uint32_t> characters_;  // of the own pages
  ParcelBox& selected_;
  ParcelBox& selected_meetings_;
  ParcelBox& wanted_;
};

}  // namespace

std::unique_ptr<StageTask> make_select_task(TaskInput&& input) {
  return std::make_unique<SelectTask>(std::move(input));
}

}  // namespace paraprint::distribute
