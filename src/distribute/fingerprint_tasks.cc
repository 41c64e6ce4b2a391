// Candidate search of the page-level algorithms by keys: bands, digests and other values of which two pages must have
// some in common. The keys of each page are shuffled to the tasks that have their equals, as those of the paragraph
// method are; fingerprints that are compared by bits go the way of near_tasks.cc, and sets that of sets/set_tasks.h.
//
// SHORT pages match by equal text alone, so the hash of their text is their key. It is joined apart from the others, as
// in a run in one process, because an index may need several keys in common.
#include <algorithm>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "base/propagate.h"
#include "distribute/batched_page.h"
#include "distribute/keys_task_base.h"
#include "distribute/sets/set_records.h"
#include "index/key_join.h"
#include "index/near_join.h"
#include "profile/fingerprint_codec.h"

namespace paraprint::distribute {
namespace {

// Collects what each page is found by and sends it to its partition. A map task.
class FingerprintKeysTask : public KeysTaskBase {
 public:
  explicit FingerprintKeysTask(TaskInput&& input)
      : KeysTaskBase(std::move(input)),
        keys_(add_box("exact", settings_.partitions)),
        fingerprints_(add_box("near", settings_.partitions)),
        values_(add_box("set-values", settings_.partitions)),
        templates_(add_box("templates", 1)) {}

 private:
  Status add_page(std::uint32_t number, const DriverPage& page, std::string_view bytes) override {
    PARAPRINT_ASSIGN(const BatchedPage stored, read_batched_page(bytes, true));
    PARAPRINT_ASSIGN(const bool is_template, consists_of_template(page, stored.profile));
    if (is_template) ByteWriter(templates_.record_for(0)).variable(number);
    if (is_copy(number)) {
      count(counters_, "pages_same_text");
      return {};
    }
    PARAPRINT_TRY(decode_fingerprint_of(page_level_->fingerprinter(), stored.fingerprint, fingerprint_));
    switch (fingerprint_.state) {
      case FingerprintState::kEmpty:
        break;
      case FingerprintState::kShort:
        count(counters_, "pages_short");
        write_key({fingerprint_.text_hash[0], number, 0, kSourceEqualText});
        break;
      case FingerprintState::kUsable:
        count(counters_, "pages_usable");
        if (page_level_->sets()) return write_set(number);
        write_keys(number);
        break;
    }
    return {};
  }

  void write_keys(std::uint32_t number) {
    if (page_level_->hamming_reach()) {
      for (const Fingerprint128& fingerprint : page_level_->fingerprints_of(fingerprint_)) {
        write_fingerprint(fingerprint, number);
      }
      return;
    }
    const std::vector<std::uint64_t>& keys = page_level_->keys_of(fingerprint_);
    count(counters_, "keys", keys.size());
    for (const std::uint64_t key : keys) write_key({key, number, 0, 0});
  }

  // Equal sets meet by their hash, as equal fingerprints do. Each task gets its values of the set at once.
  Status write_set(std::uint32_t number) {
    PARAPRINT_ASSIGN(const sets::PageSet set, page_level_->sets()->set_of(fingerprint_));
    if (set.values.empty()) return {};
    sets::SetValues record{number, sets::PageSets::hash_of(set), {}};
    write_fingerprint(record.set_hash, number);
    partitioned_.clear();
    for (std::uint32_t index = 0; index < set.values.size(); ++index) {
      partitioned_.push_back({static_cast<std::uint32_t>(mix64(set.values[index]) % settings_.partitions), index});
    }
    std::sort(partitioned_.begin(), partitioned_.end());
    for (std::size_t begin = 0; begin < partitioned_.size();) {
      const std::uint32_t partition = partitioned_[begin].first;
      record.values.clear();
      for (; begin < partitioned_.size() && partitioned_[begin].first == partition; ++begin) {
        const std::uint32_t index = partitioned_[begin].second;
        record.values.push_back({index, set.values[index]});
      }
      ByteWriter out(values_.record_for(partition));
      write_set_values(record, out);
    }
    return {};
  }

  void write_fingerprint(const Fingerprint128& fingerprint, std::uint32_t number) {
    ByteWriter out(fingerprints_.record_for(partition_of_fingerprint(fingerprint)));
    write_near_key({fingerprint, number, 0}, out);
  }

  void write_key(const PageKey& key) {
    ByteWriter out(keys_.record_for(static_cast<std::uint32_t>(mix64(key.key) % settings_.partitions)));
    write_page_key(key, out);
  }

  ParcelBox& keys_;
  ParcelBox& fingerprints_;
  ParcelBox& values_;
  ParcelBox& templates_;
  PageFingerprint fingerprint_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> partitioned_;  // partition, index of a value
};

// Joins equal keys, and apart from them the equal texts of SHORT pages.
class FingerprintExactTask : public TaskBase {
 public:
  explicit FingerprintExactTask(TaskInput&& input)
      : TaskBase(std::move(input)),
        keys_(sort_options(kKeyShare / 2)),
        texts_(sort_options(kKeyShare / 2)),
        pairs_(sort_options(kPairShare)) {}

  Status read_parcel(std::string_view /*kind*/, std::string_view bytes) override {
    return for_each_record(bytes, "keys", read_page_key, [this](const PageKey& key) {
      return key.source == kSourceEqualText ? texts_.push(key) : keys_.push(key);
    });
  }

  Status finish() override {
    for (PageKeySorter* const sorter : {&keys_, &texts_}) {
      PARAPRINT_TRY(sorter->finish());
      KeyJoinStatistics statistics;
      PARAPRINT_TRY(join_keys(*sorter, candidate_options_.caps, pairs_, statistics, &budget_));
      count(counters_, "key_groups", statistics.groups);
      count(counters_, "key_groups_over_cap", statistics.groups_over_cap);
      count(counters_, "pairs_not_generated", statistics.pairs_not_generated);
    }
    Status given = give_pairs(pairs_);
    end_boxes();
    return given;
  }

 private:
  PageKeySorter keys_;
  PageKeySorter texts_;
  CandidatePairSorter pairs_;
};

}  // namespace

std::unique_ptr<StageTask> make_fingerprint_keys_task(TaskInput&& input) {
  return std::make_unique<FingerprintKeysTask>(std::move(input));
}
std::unique_ptr<StageTask> make_fingerprint_exact_task(TaskInput&& input) {
  return std::make_unique<FingerprintExactTask>(std::move(input));
}

}  // namespace paraprint::distribute
