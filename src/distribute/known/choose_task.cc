// Chooses the known texts that are compared with each page, at the owner of the page: those that may have enough in
// common with it, at most as many as an index compares, the ones with the most in common first. A text that has the key
// of the whole page is the only one, since nothing is better. Asks for the texts that are chosen.
#include <algorithm>

#include "base/propagate.h"
#include "distribute/known/known_lines.h"
#include "distribute/known/known_query.h"
#include "distribute/known/known_records.h"
#include "distribute/known/known_tasks.h"
#include "memory/spill_array.h"
#include "paraprint/index.h"

namespace paraprint::distribute::known {
namespace {

// Hits of a text add up.
struct TextHit {
  std::uint32_t page = 0;
  std::uint64_t text = 0;
  KnownHit hit;
  friend auto operator<=>(const TextHit&, const TextHit&) = default;
};
struct TextHitTraits {
  static std::uint64_t key(const TextHit& hit) { return hit.page; }
  static bool combine(TextHit& into, const TextHit& from) {
    if (into.page != from.page || into.text != from.text) return false;
    into.hit.length_class = std::max(into.hit.length_class, from.hit.length_class);
    into.hit.is_text |= from.hit.is_text;
    into.hit.is_by_sketch |= from.hit.is_by_sketch;
    into.hit.weight += from.hit.weight;
    return true;
  }
};

class ChooseTask : public TaskBase {
 public:
  explicit ChooseTask(TaskInput&& input)
      : TaskBase(std::move(input)),
        hits_(sort_options(1)),
        wanted_(&budget_),
        pairs_(add_box("known-pairs", settings_.partitions)),
        requests_(add_box("wanted-texts", settings_.partitions)) {}

  Status read_parcel(std::string_view /*kind*/, std::string_view bytes) override {
    return for_each_record(bytes, "known hits", read_known_hit, [this](const KnownHit& hit) -> Status {
      const bool is_text = hit.text == kAnyText || hit.text < settings_.known_texts.back();
      if (!is_own(hit.page) || !is_text) return corrupt("known hits");
      return hits_.push({hit.page, hit.text, hit});
    });
  }

  Status end_parcels() override {
    PARAPRINT_TRY(hits_.finish());
    has_hit_ = hits_.next(next_);
    return hits_.status();
  }

  bool needs_pages(std::uint64_t first_position, std::uint64_t pages) const override {
    return has_hit_ && next_.page < first_position + pages;
  }
  bool needs_profiles() const override { return false; }

  Status add_pages(std::uint64_t first_position, std::string_view facts, std::string_view /*profiles*/) override {
    return for_each_own_page_of_facts(first_position, facts, [this](std::uint32_t number, const DriverPage& page) {
      return has_hit_ && next_.page == number ? choose(number, page.content_characters) : Status{};
    });
  }

  Status finish() override {
    if (has_hit_) return corrupt("known hits");  // of a page that the batches do not have
    std::sort(wanted_.begin(), wanted_.end());
    const std::uint64_t* const end = std::unique(wanted_.begin(), wanted_.end());
    for (const std::uint64_t* text = wanted_.begin(); text != end; ++text) {
      ByteWriter out(requests_.record_for(task_of_text(*text)));
      write_wanted_text({*text, settings_.share}, out);
    }
    end_boxes();
    return {};
  }

 private:
  Status choose(std::uint32_t page, std::uint32_t content_characters) {
    chosen_.clear();
    std::uint64_t weight_over_cap = 0;
    for (; has_hit_ && next_.page == page; has_hit_ = hits_.next(next_)) {
      if (next_.text == kAnyText) {
        weight_over_cap += next_.hit.weight;
      } else {
        chosen_.push_back(next_.hit);
      }
    }
    if (!hits_.status()) return hits_.status();
    std::erase_if(chosen_,
                  [&](const KnownHit& hit) { return !may_reach_share(hit, weight_over_cap, content_characters); });
    std::sort(chosen_.begin(), chosen_.end(), [](const KnownHit& x, const KnownHit& y) {
      return x.weight != y.weight ? x.weight > y.weight : x.text < y.text;
    });
    if (!chosen_.empty() && chosen_.front().is_text) chosen_.resize(1);
    if (chosen_.size() > kCandidatesMaximum) {
      count(counters_, "known_candidates_left_out", chosen_.size() - kCandidatesMaximum);
      chosen_.resize(kCandidatesMaximum);
    }
    count(counters_, "known_candidates", chosen_.size());
    for (const KnownHit& hit : chosen_) {
      PARAPRINT_TRY(wanted_.push_back(hit.text));
      ByteWriter out(pairs_.record_for(settings_.share));
      write_known_pair({page, hit.text}, out);
    }
    return {};
  }

  // The texts that were left out may have been this one.
  bool may_reach_share(const KnownHit& hit, std::uint64_t weight_over_cap, std::uint32_t content_characters) const {
    if (hit.is_by_sketch) return true;
    const std::uint32_t smaller = std::min(content_characters, least_characters_of(hit.length_class));
    return static_cast<double>(hit.weight + weight_over_cap) >= options_.match.overlap_share * smaller;
  }

  // Each task reads consecutive texts.
  std::uint32_t task_of_text(std::uint64_t text) const {
    const std::uint64_t texts_of_task = settings_.known_texts.back() / settings_.partitions + 1;
    return static_cast<std::uint32_t>(text / texts_of_task);
  }

  const std::size_t kCandidatesMaximum = LookupOptions{}.max_candidates;
  ExternalSorter<TextHit, TextHitTraits> hits_;
  TextHit next_;
  bool has_hit_ = false;
  std::vector<KnownHit> chosen_;  // of a page
  SpillArray<std::uint64_t> wanted_;
  ParcelBox& pairs_;
  ParcelBox& requests_;
};

}  // namespace

std::unique_ptr<StageTask> make_choose_task(TaskInput&& input) {
  return std::make_unique<ChooseTask>(std::move(input));
}

}  // namespace paraprint::distribute::known
