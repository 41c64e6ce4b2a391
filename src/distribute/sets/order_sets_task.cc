// Orders the set of each page by how many sets have its values, the rarest first, as ranks do in one process, and sends
// the elements by which the set is found and finds others to the tasks of these values. Pages without a value that
// another set has are not read.
//
// In one process, a set is compared with at most kPostingCap others for one element, so that two sets may not meet at
// their first common element, and the decision about them counts elements from a later one on. It takes a value that so
// many sets have; the order of sets with such a value goes to the task that decides about their pairs.
#include <algorithm>

#include "base/hash.h"
#include "base/propagate.h"
#include "distribute/batched_page.h"
#include "distribute/sets/set_records.h"
#include "distribute/sets/set_tasks.h"
#include "memory/spill_array.h"
#include "profile/fingerprint_codec.h"

namespace paraprint::distribute::sets {
namespace {

class OrderSetsTask : public TaskBase {
 public:
  explicit OrderSetsTask(TaskInput&& input)
      : TaskBase(std::move(input)),
        sets_(*page_level_->sets()),
        sorted_(sort_options(1)),
        shared_(&budget_),
        postings_(add_box("postings", settings_.partitions)),
        orders_(add_box("orders", settings_.partitions)) {}

  Status read_parcel(std::string_view /*kind*/, std::string_view bytes) override {
    return for_each_record(bytes, "frequencies", read_value_frequency, [this](const ValueFrequency& element) -> Status {
      if (!is_own(element.page)) return corrupt("frequencies");
      return sorted_.push(element);
    });
  }

  Status end_parcels() override {
    PARAPRINT_TRY(sorted_.finish());
    for (ValueFrequency element; sorted_.next(element);) {
      PARAPRINT_TRY(shared_.push_back(element));
    }
    return sorted_.status();
  }

  bool needs_pages(std::uint64_t first_position, std::uint64_t pages) const override {
    const ValueFrequency* const first = first_of(first_position);
    return first != shared_.end() && first->page < first_position + pages;
  }

  Status add_pages(std::uint64_t first_position, std::string_view facts, std::string_view profiles) override {
    const ValueFrequency* next = first_of(first_position);
    return for_each_page_of_batch(
        first_position, facts, profiles,
        [&](std::uint32_t number, const DriverPage& /*page*/, std::string_view bytes) -> Status {
          const ValueFrequency* const begin = next;
          while (next != shared_.end() && next->page == number) ++next;
          if (begin == next) return {};
          found_ += static_cast<std::size_t>(next - begin);
          PARAPRINT_ASSIGN(const BatchedPage stored, read_batched_page(bytes, true));
          PARAPRINT_TRY(decode_fingerprint_of(page_level_->fingerprinter(), stored.fingerprint, fingerprint_));
          return send_set(std::span(begin, next));
        });
  }

  // A missing page is an error now, rather than a pair that is never found.
  Status finish() override {
    if (found_ != shared_.size()) {
      return failure(ErrorCode::kNotFound, "profiles: pages with shared values are missing from the batches");
    }
    end_boxes();
    return {};
  }

 private:
  const ValueFrequency* first_of(std::uint64_t page) const {
    return std::lower_bound(shared_.begin(), shared_.end(), page,
                            [](const ValueFrequency& element, std::uint64_t sought) { return element.page < sought; });
  }

  Status send_set(std::span<const ValueFrequency> frequencies) {
    PARAPRINT_ASSIGN(const PageSet set, sets_.set_of(fingerprint_));
    PARAPRINT_TRY(order_shared(set, frequencies, ordered_));
    sets_.find_rests(set, ordered_, rests_);
    const double size = sets_.size_of(set);
    sets_.with_rule([&](const auto& rule) { find_postings(rule, size); });
    // Each task gets its elements of the set at once.
    std::stable_sort(sent_.begin(), sent_.end(), [](const SentPosting& left, const SentPosting& right) {
      return left.partition < right.partition;
    });
    SetPostings record{frequencies.front().page, frequencies.front().first_page, size, {}};
    for (std::size_t begin = 0; begin < sent_.size();) {
      record.elements.clear();
      std::size_t end = begin;
      for (; end < sent_.size() && sent_[end].partition == sent_[begin].partition; ++end) {
        record.elements.push_back(sent_[end].element);
      }
      ByteWriter out(postings_.record_for(sent_[begin].partition));
      write_set_postings(record, out);
      begin = end;
    }
    count(counters_, "postings", sent_.size());
    send_order(frequencies);
    return {};
  }

  // Rests descend, so that both are prefixes of the set.
  template <class Rule>
  void find_postings(const Rule& rule, double size) {
    sent_.clear();
    for (std::size_t i = 0; i < ordered_.size(); ++i) {
      ElementPosting element{ordered_[i].value, static_cast<std::uint32_t>(i), rests_[i], false, false};
      element.is_indexed = rests_[i] >= rule.indexed_rest(size);
      element.is_probed = rests_[i] >= rule.probed_rest(size);
      if (!element.is_indexed && !element.is_probed) break;
      sent_.push_back({static_cast<std::uint32_t>(mix64(element.value) % settings_.partitions), element});
    }
  }

  void send_order(std::span<const ValueFrequency> frequencies) {
    const auto is_crowded = [&](const SentPosting& sent) {
      return ordered_[sent.element.position].frequency > kPostingCap;
    };
    if (std::none_of(sent_.begin(), sent_.end(), is_crowded)) return;
    count(counters_, "sets_with_crowded_values");
    for (const ValueFrequency& element : frequencies) {
      ByteWriter out(orders_.record_for(settings_.share));
      write_value_frequency(element, out);
    }
  }

  struct SentPosting {
    std::uint32_t partition = 0;
    ElementPosting element;
  };

  const PageSets& sets_;
  ValueFrequencySorter sorted_;
  SpillArray<ValueFrequency> shared_;  // ascending
  ParcelBox& postings_;
  ParcelBox& orders_;
  std::size_t found_ = 0;  // of `shared_`
  PageFingerprint fingerprint_;
  std::vector<SharedElement> ordered_;
  std::vector<double> rests_;
  std::vector<SentPosting> sent_;
};

}  // namespace

std::unique_ptr<StageTask> make_order_sets_task(TaskInput&& input) {
  return std::make_unique<OrderSetsTask>(std::move(input));
}

}  // namespace paraprint::distribute::sets
