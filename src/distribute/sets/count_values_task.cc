// Counts in how many different sets each value occurs, and tells the owners of their pages, for values that are in two
// or more. Only these can make two sets meet; most values of real pages occur once. Equal sets count as one, as in one
// process: they have the same hash, and the first of their pages stands for all.
//
// Skew: a value on all pages passes through this task once, on disk if need be.
#include "base/propagate.h"
#include "distribute/sets/set_records.h"
#include "distribute/sets/set_tasks.h"
#include "memory/spill_array.h"

namespace paraprint::distribute::sets {
namespace {

// A value of the set of a page.
struct HeldValue {
  std::uint64_t value = 0;
  Fingerprint128 set_hash;
  std::uint32_t page = 0;
  std::uint32_t index = 0;
  friend auto operator<=>(const HeldValue&, const HeldValue&) = default;
};
struct HeldValueTraits {
  static std::uint64_t key(const HeldValue& held) { return held.value; }
  static bool combine(HeldValue&, const HeldValue&) { return false; }
};

class CountValuesTask : public TaskBase {
 public:
  explicit CountValuesTask(TaskInput&& input)
      : TaskBase(std::move(input)),
        values_(sort_options(1)),
        holders_(&budget_),
        box_(add_box("frequencies", settings_.partitions)) {}

  Status read_parcel(std::string_view /*kind*/, std::string_view bytes) override {
    return for_each_record(bytes, "values of sets", read_set_values, [this](const SetValues& set) -> Status {
      if (!is_page(set.page)) return corrupt("values of sets");
      for (const PlacedValue& element : set.values) {
        PARAPRINT_TRY(values_.push({element.value, set.set_hash, set.page, element.index}));
      }
      return {};
    });
  }

  // The pages of a value come with those of a set together, in ascending order.
  Status finish() override {
    PARAPRINT_TRY(values_.finish());
    HeldValue last;
    HeldValue held;
    while (values_.next(held)) {
      if (held.value != last.value) close_value();
      if (holders_.empty() || held.set_hash != last.set_hash) {
        ++sets_;
        first_page_ = held.page;
      }
      PARAPRINT_TRY(holders_.push_back({held.page, held.index, 0, first_page_}));
      last = held;
    }
    if (!values_.status()) return values_.status();
    close_value();
    end_boxes();
    return {};
  }

 private:
  void close_value() {
    if (sets_ > 1) {
      count(counters_, "shared_elements");
      for (ValueFrequency& holder : holders_) {
        holder.frequency = sets_;
        ByteWriter out(box_.record_for(owner_of(holder.page)));
        write_value_frequency(holder, out);
      }
    }
    holders_.clear();
    sets_ = 0;
  }

  ExternalSorter<HeldValue, HeldValueTraits> values_;
  SpillArray<ValueFrequency> holders_;  // of the current value
  std::uint32_t sets_ = 0;              // different ones among them
  std::uint32_t first_page_ = 0;        // of the current set
  ParcelBox& box_;
};

}  // namespace

std::unique_ptr<StageTask> make_count_values_task(TaskInput&& input) {
  return std::make_unique<CountValuesTask>(std::move(input));
}

}  // namespace paraprint::distribute::sets
