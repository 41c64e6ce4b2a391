// Scores the selected pairs, and gives the links of connected components that follow. Matches of pages that an earlier
// run had are dropped. The task owns the first page of
// each, and reads its profile and those of the other pages that it owns from their batches; the profiles of all other
// pages were sent by their owners, if they are small enough for a pair. Under a page-level algorithm, fingerprints take
// the place of profiles.
#include <algorithm>

#include "base/propagate.h"
#include "cluster/clustering.h"
#include "distribute/batched_page.h"
#include "distribute/fetched_pages.h"
#include "distribute/link_box.h"
#include "distribute/task_base.h"
#include "engine/cluster_stage.h"
#include "memory/spill_array.h"

namespace paraprint::distribute {
namespace {

class VerifyTask : public TaskBase {
 public:
  explicit VerifyTask(TaskInput&& input)
      : TaskBase(std::move(input)),
        selected_(sort_options(1)),
        pairs_(&budget_),
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
    return for_each_record(bytes, "selected pairs", read_selected_pair, [this](const SelectedPair& selected) -> Status {
      if (!is_page(selected.pair.page_b) || !is_own(selected.pair.page_a)) return corrupt("selected pairs");
      return selected_.push({selected.pair.page_a, selected.pair.page_b, selected.characters_maximum});
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
    std::sort(known_.begin(), known_.end());
    std::sort(wanted_.begin(), wanted_.end());
    wanted_.shrink(static_cast<std::size_t>(std::unique(wanted_.begin(), wanted_.end()) - wanted_.begin()));
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
    friend auto operator<=>(const PagePair&, const PagePair&) = default;
  };
  struct PagePairTraits {
    static std::uint64_t key(const PagePair& pair) { return std::uint64_t{pair.page_a} << 32 | pair.page_b; }
    static bool combine(PagePair&, const PagePair&) { return false; }
  };

  bool is_known(std::uint32_t page) const { return std::binary_search(known_.begin(), known_.end(), page); }

  ExternalSorter<PagePair, PagePairTraits> selected_;
  SpillArray<PagePair> pairs_;        // to be compared, in their order
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
