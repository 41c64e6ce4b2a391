// Finds the sets that meet at a value: the lists of the join in one process (src/lab/joins), one value at a time. Sets
// come by ascending size, and by page if they are of one size, as they are added there; a set is compared with those
// before it that may still be large enough, and above the cap with the last of these. Pairs that cannot reach the
// minimum even if all that is left were common are dropped here; all others go to the owner of their first page, which
// keeps the first meeting of each.
//
// Pages with equal sets come as one set, and a meeting becomes pairs of their pages, thinned by the caps of groups.
//
// Skew: a value on all pages is one task's work, with its sets on disk if need be. Each of them is compared with at
// most as many others as in one process.
#include <algorithm>

#include "base/propagate.h"
#include "distribute/sets/set_records.h"
#include "distribute/sets/set_tasks.h"
#include "index/group_product.h"
#include "memory/spill_array.h"

namespace paraprint::distribute::sets {
namespace {

// In the order in which the join adds sets.
struct SetPosting {
  std::uint64_t value = 0;
  double size = 0;
  std::uint32_t first_page = 0;
  std::uint32_t page = 0;
  double rest = 0;
  std::uint32_t position = 0;
  std::uint8_t is_indexed = 0;
  std::uint8_t is_probed = 0;
  friend auto operator<=>(const SetPosting&, const SetPosting&) = default;
};
struct SetPostingTraits {
  static std::uint64_t key(const SetPosting& posting) { return posting.value; }
  static bool combine(SetPosting&, const SetPosting&) { return false; }
};

// A set in the list of the current value.
struct ListedSet {
  double size = 0;
  double rest = 0;
  std::size_t first_member = 0;  // in the pages of the value
  std::uint32_t member_count = 0;
  std::uint32_t position = 0;
};

class JoinSetsTask : public TaskBase {
 public:
  explicit JoinSetsTask(TaskInput&& input)
      : TaskBase(std::move(input)),
        sets_(*page_level_->sets()),
        postings_(sort_options(kKeyShare)),
        meetings_(sort_options(kPairShare)),
        list_(&budget_),
        pages_(&budget_),
        box_(add_box("meetings", settings_.partitions)) {}

  Status read_parcel(std::string_view /*kind*/, std::string_view bytes) override {
    return for_each_record(bytes, "postings", read_set_postings, [this](const SetPostings& set) -> Status {
      if (!is_page(set.page)) return corrupt("postings");
      for (const ElementPosting& element : set.elements) {
        PARAPRINT_TRY(postings_.push({element.value, set.size, set.first_page, set.page, element.rest, element.position,
                                      std::uint8_t{element.is_indexed}, std::uint8_t{element.is_probed}}));
      }
      return {};
    });
  }

  Status finish() override {
    PARAPRINT_TRY(postings_.finish());
    PARAPRINT_TRY(sets_.with_rule([this](const auto& rule) { return join(rule); }));
    count(counters_, "postings_read", postings_read_);
    count(counters_, "postings_not_read", postings_not_read_);
    PARAPRINT_TRY(meetings_.finish());
    for (SetMeeting meeting; meetings_.next(meeting);) {
      ByteWriter out(box_.record_for(owner_of(meeting.page_a)));
      write_set_meeting(meeting, out);
    }
    end_boxes();
    return meetings_.status();
  }

 private:
  template <class Rule>
  Status join(const Rule& rule) {
    SetPosting set;  // of the pages that were added last
    SetPosting next;
    while (postings_.next(next)) {
      const bool is_same_value = !pages_.empty() && next.value == set.value;
      if (!is_same_value || next.size != set.size || next.first_page != set.first_page) {
        PARAPRINT_TRY(close_set(rule, set));
        if (!is_same_value) clear_list();
        set = next;
      }
      PARAPRINT_TRY(pages_.push_back(next.page));
    }
    if (!postings_.status()) return postings_.status();
    return close_set(rule, set);
  }

  void clear_list() {
    list_.clear();
    pages_.clear();
    first_listed_ = 0;
    first_member_ = 0;
  }

  // The set's pages are those from first_member_ on. Compared before it is added, so that it does not meet itself.
  template <class Rule>
  Status close_set(const Rule& rule, const SetPosting& posting) {
    const std::size_t members = pages_.size() - first_member_;
    if (members == 0) return {};
    const ListedSet set{posting.size, posting.rest, first_member_, static_cast<std::uint32_t>(members),
                        posting.position};
    if (posting.is_probed != 0) PARAPRINT_TRY(meet_listed(rule, set));
    if (posting.is_indexed != 0) PARAPRINT_TRY(list_.push_back(set));
    first_member_ = pages_.size();
    return {};
  }

  // Sets that are too small for one reader are too small for all later ones, so they are dropped for good.
  template <class Rule>
  Status meet_listed(const Rule& rule, const ListedSet& x) {
    while (first_listed_ < list_.size() && rule.is_too_small(list_[first_listed_].size, x.size)) ++first_listed_;
    const std::size_t left = list_.size() - first_listed_;
    const std::size_t read = std::min<std::size_t>(left, kPostingCap);
    postings_read_ += read;
    postings_not_read_ += left - read;
    for (std::size_t i = list_.size() - read; i < list_.size(); ++i) {
      const ListedSet& y = list_[i];
      if (rule.may_match(x.size, y.size, x.rest, y.rest)) PARAPRINT_TRY(add_meetings(x, y));
    }
    return {};
  }

  // One of the pairs that are generated, that of the first pages, says how many are not.
  Status add_meetings(const ListedSet& x, const ListedSet& y) {
    const GroupCaps& caps = candidate_options_.caps;
    std::uint64_t left_out =
        std::uint64_t{x.member_count} * y.member_count - product_pairs(x.member_count, y.member_count, caps);
    Status status;
    for_each_product_pair(x.member_count, y.member_count, caps, [&](std::size_t in_x, std::size_t in_y) {
      const std::uint32_t page_x = pages_[x.first_member + in_x];
      const std::uint32_t page_y = pages_[y.first_member + in_y];
      if (!status || page_x == page_y) return;
      const std::uint32_t position = page_x < page_y ? x.position : y.position;
      status = meetings_.push({std::min(page_x, page_y), std::max(page_x, page_y), position, left_out});
      left_out = 0;
    });
    return status;
  }

  const PageSets& sets_;
  ExternalSorter<SetPosting, SetPostingTraits> postings_;
  SetMeetingSorter meetings_;
  SpillArray<ListedSet> list_;       // those that larger sets find by the current value
  SpillArray<std::uint32_t> pages_;  // of the sets of the current value
  std::size_t first_listed_ = 0;     // sets before it are too small
  std::size_t first_member_ = 0;     // page of the set that is being read
  std::uint64_t postings_read_ = 0;
  std::uint64_t postings_not_read_ = 0;
  ParcelBox& box_;
};

}  // namespace

std::unique_ptr<StageTask> make_join_sets_task(TaskInput&& input) {
  return std::make_unique<JoinSetsTask>(std::move(input));
}

}  // namespace paraprint::distribute::sets
