// Scores the selected pairs, and gives the links of connected components that follow. Matches of pages that an earlier
// run had are dropped. The task owns the first page of
// each, and reads its profile and those of the other pages that it owns from their batches; the profiles of all other
// pages were sent by their owners, if they are small enough for a pair. Under a page-level algorithm, fingerprints take
// the place of profiles; of pairs whose sets have met, those whose sets match are candidates.
#include <algorithm>
#include <limits>

#include "base/propagate.h"
#include "cluster/clustering.h"
#include "distribute/batched_page.h"
#include "distribute/fetched_pages.h"
#include "distribute/link_box.h"
#include "distribute/sets/set_records.h"
#include "distribute/task_base.h"
#include "engine/cluster_stage.h"
#include "memory/spill_array.h"

namespace paraprint::distribute {
namespace {

class VerifyTask : public TaskBase {
 public:
  explicit VerifyTask(TaskInput&& input)
      : TaskBase(std::move(input)),
        selected_(sort_options(1 - kOrderShare)),
        pairs_(&budget_),
        left_out_(&budget_),
        orders_(sort_options(kOrderShare)),
        ordered_(&budget_),
        wanted_(&budget_),
        known_(&budget_),
        fetched_(make_fetched_pages()),
        box_(add_box("matches", settings_.partitions)),
        links_(add_box("links", settings_.partitions), settings_.partitions) {}

  Status read_parcel(std::string_view kind, std::string_view bytes) override {
    if (kind == "pages") {
      return for_each_record(bytes, "pages", read_fetched_page, [this](const FetchedPage& page) -> Status {
        if (page.is_known) PARAPRINT_TRY(known_.push_back(page.page));
        return fetched_->add(page);
      });
    }
    if (kind == "known-pages") {
      return for_each_record(bytes, "known pages", read_known_answer,
                             [this](const KnownAnswer& found) { return known_.push_back(found.page); });
    }
    if (kind == "orders") {
      return for_each_record(bytes, "orders", sets::read_value_frequency,
                             [this](const sets::ValueFrequency& element) -> Status {
                               if (!is_own(element.page)) return corrupt("orders");
                               return orders_.push(element);
                             });
    }
    if (kind == "selected-meetings") {
      return for_each_record(bytes, "selected meetings", sets::read_set_meeting,
                             [this](const sets::SetMeeting& meeting) { return add_meeting(meeting); });
    }
    return for_each_record(bytes, "selected pairs", read_selected_pair, [this](const SelectedPair& selected) -> Status {
      if (!is_page(selected.pair.page_b) || !is_own(selected.pair.page_a)) return corrupt("selected pairs");
      return selected_.push({selected.pair.page_a, selected.pair.page_b, selected.characters_maximum, kCandidate});
    });
  }

  // Decides about pairs whose second page is another task's: it was sent only if it is small enough for some pair.
  Status end_parcels() override {
    PARAPRINT_TRY(selected_.finish());
    for (PagePair pair; selected_.next(pair);) {
      const bool is_other = !is_own(pair.page_b);
      if (is_other && fetched_->content_characters(pair.page_b).value_or(kAnySize) > pair.characters_maximum) {
        count(counters_, "pairs_with_too_little_in_common");
        continue;
      }
      PARAPRINT_TRY(pairs_.push_back(pair));
      PARAPRINT_TRY(wanted_.push_back(pair.page_a));
      if (!is_other) PARAPRINT_TRY(wanted_.push_back(pair.page_b));
    }
    if (!selected_.status()) return selected_.status();
    std::sort(left_out_.begin(), left_out_.end());
    std::sort(known_.begin(), known_.end());
    std::sort(wanted_.begin(), wanted_.end());
    wanted_.shrink(static_cast<std::size_t>(std::unique(wanted_.begin(), wanted_.end()) - wanted_.begin()));
    PARAPRINT_TRY(orders_.finish());
    for (sets::ValueFrequency element; orders_.next(element);) {
      if (std::binary_search(wanted_.begin(), wanted_.end(), element.page)) PARAPRINT_TRY(ordered_.push_back(element));
    }
    if (!orders_.status()) return orders_.status();
    count(counters_, "profiles_received", fetched_->size());
    return {};
  }

  bool needs_pages(std::uint64_t first_position, std::uint64_t pages) const override {
    const std::uint32_t* const first = std::lower_bound(wanted_.begin(), wanted_.end(), first_position);
    return first != wanted_.end() && *first < first_position + pages;
  }

  Status add_pages(std::uint64_t first_position, std::string_view facts, std::string_view profiles) override {
    return for_each_page_of_batch(
        first_position, facts, profiles,
        [this](std::uint32_t number, const DriverPage& page, std::string_view bytes) -> Status {
          if (!std::binary_search(wanted_.begin(), wanted_.end(), number)) return {};
          PARAPRINT_ASSIGN(const BatchedPage stored, read_batched_page(bytes, page_level_.has_value()));
          const std::string_view compared = page_level_ ? stored.fingerprint : stored.profile;
          return fetched_->add({number, page.content_characters, page.language, page.url, compared});
        });
  }

  // Pairs are in the order of their first page, which the scorer keeps from one pair to the next.
  Status finish() override {
    PARAPRINT_TRY(fetched_->finish());
    for (const PagePair& pair : pairs_) {
      if (pair.position != kCandidate) {
        PARAPRINT_ASSIGN(const bool is_match, do_sets_match(pair));
        if (!is_match) continue;
        count(counters_, "candidate_pairs");
        count(counters_, "pairs_not_generated", pairs_left_out(pair));
      }
      count(counters_, "pairs_verified");
      PARAPRINT_ASSIGN(const Match match, fetched_->score(pair.page_a, pair.page_b));
      if (!fetched_->is_stored(match)) continue;
      count(counters_, "pairs_stored");
      if (is_known(pair.page_a) || is_known(pair.page_b)) continue;
      ByteWriter out(box_.record_for(settings_.share));
      write_match(match, out);
      if (is_cluster_link(match.verdict, clustering_)) links_.connect(match.page_a, match.page_b);
    }
    end_boxes();
    return {};
  }

 private:
  struct PagePair {
    std::uint32_t page_a = 0;
    std::uint32_t page_b = 0;
    std::uint32_t characters_maximum = 0;  // of the second page
    std::uint32_t position = 0;            // where the sets of the pages have met, or kCandidate
    friend auto operator<=>(const PagePair&, const PagePair&) = default;
  };
  struct PagePairTraits {
    static std::uint64_t key(const PagePair& pair) { return std::uint64_t{pair.page_a} << 32 | pair.page_b; }
    static bool combine(PagePair&, const PagePair&) { return false; }
  };

  // A pair that nothing is left to be decided about before it is compared.
  static constexpr std::uint32_t kCandidate = std::numeric_limits<std::uint32_t>::max();
  static constexpr double kOrderShare = 0.2;

  struct LeftOutPairs {
    std::uint64_t pair = 0;
    std::uint64_t count = 0;
    friend auto operator<=>(const LeftOutPairs&, const LeftOutPairs&) = default;
  };

  Status add_meeting(const sets::SetMeeting& meeting) {
    const bool is_sound = page_level_ && page_level_->sets() && meeting.position != kCandidate &&
                          is_page(meeting.page_b) && is_own(meeting.page_a);
    if (!is_sound) return corrupt("selected meetings");
    const PagePair pair{meeting.page_a, meeting.page_b, kAnySize, meeting.position};
    if (meeting.pairs_left_out != 0) {
      PARAPRINT_TRY(left_out_.push_back({PagePairTraits::key(pair), meeting.pairs_left_out}));
    }
    return selected_.push(pair);
  }

  // Sets with a value that too many others have count from where they met; all others met at their first common
  // element.
  Result<bool> do_sets_match(const PagePair& pair) {
    const sets::PageSets& sets = *page_level_->sets();
    PARAPRINT_ASSIGN(const FetchedPages::ComparedSets compared, fetched_->compared_sets(pair.page_a, pair.page_b));
    if (shared_page_ != pair.page_a) {
      const sets::ValueFrequency* const begin = order_of(pair.page_a);
      PARAPRINT_TRY(order_shared(compared.a, {begin, order_of(std::uint64_t{pair.page_a} + 1)}, shared_));
      shared_page_ = pair.page_a;
    }
    if (shared_.empty()) return sets.matches(compared.a, compared.b);
    const std::size_t from = std::min<std::size_t>(pair.position, shared_.size());
    return sets.matches_from(std::span(shared_).subspan(from), compared.a, compared.b);
  }

  const sets::ValueFrequency* order_of(std::uint64_t page) const {
    return std::lower_bound(
        ordered_.begin(), ordered_.end(), page,
        [](const sets::ValueFrequency& element, std::uint64_t sought) { return element.page < sought; });
  }

  std::uint64_t pairs_left_out(const PagePair& pair) const {
    const LeftOutPairs* const found =
        std::lower_bound(left_out_.begin(), left_out_.end(), LeftOutPairs{PagePairTraits::key(pair), 0});
    return found != left_out_.end() && found->pair == PagePairTraits::key(pair) ? found->count : 0;
  }

  bool is_known(std::uint32_t page) const { return std::binary_search(known_.begin(), known_.end(), page); }

  ExternalSorter<PagePair, PagePairTraits> selected_;
  SpillArray<PagePair> pairs_;  // to be compared, in their order
  SpillArray<LeftOutPairs> left_out_;
  sets::ValueFrequencySorter orders_;
  SpillArray<sets::ValueFrequency> ordered_;  // of the first pages of pairs, ascending
  std::vector<sets::SharedElement> shared_;   // of the last such page, in their order
  std::uint32_t shared_page_ = kAnySize;
  SpillArray<std::uint32_t> wanted_;  // own pages of these, ascending
  SpillArray<std::uint32_t> known_;   // pages that an earlier run had, ascending
  std::unique_ptr<FetchedPages> fetched_;
  ParcelBox& box_;
  LinkBox links_;  // along which clusters grow
  const ClusteringOptions clustering_ = clustering_options(options_.survivors, nullptr);
};

}  // namespace

std::unique_ptr<StageTask> make_verify_task(TaskInput&& input) {
  return std::make_unique<VerifyTask>(std::move(input));
}

}  // namespace paraprint::distribute
