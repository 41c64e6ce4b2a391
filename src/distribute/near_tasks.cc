// The candidate search by paragraph fingerprints. Keys are shuffled by fingerprint and become groups of equal ones;
// when the number of groups is known, which decides about tables and buckets, each group is sent to the tasks that have
// its bucket in a table of the Hamming join, at most once to each. A task joins its buckets by the code of a run in one
// process. What a bucket yields, caps included, depends on its members alone, and exactly one table reports a pair.
//
// Skew: a fingerprint on many pages travels with its first pages only, since the join pairs no others. A crowded bucket
// is one task's work, which the join bounds (hamming_join.h).
//
// Groups of a page-level algorithm (fingerprint_near_task.cc) take the same way, with all of their pages.
#include <algorithm>

#include "base/propagate.h"
#include "distribute/task_base.h"
#include "index/group_product.h"
#include "index/hamming_parts.h"
#include "index/near_join.h"

namespace paraprint::distribute {
namespace {

// Groups equal paragraph fingerprints: pairs within a group are final, and the groups are the input of the Hamming
// join.
class NearTask : public TaskBase {
 public:
  explicit NearTask(TaskInput&& input)
      : TaskBase(std::move(input)), keys_(sort_options(kKeyShare)), pairs_(sort_options(kPairShare)) {}

  Status read_parcel(std::string_view /*kind*/, std::string_view bytes) override {
    return for_each_record(bytes, "fingerprints", read_near_key,
                           [this](const NearPageKey& key) { return keys_.push(key); });
  }

  // Distance 0 needs no join: equal fingerprints are found by their groups.
  Status finish() override {
    PARAPRINT_TRY(keys_.finish());
    KeyJoinStatistics statistics;
    PARAPRINT_ASSIGN(const NearGroups groups,
                     group_near_keys(keys_, candidate_options_.caps, pairs_, statistics, &budget_));
    if (candidate_options_.simhash_distance_bits > 0) write_groups(groups);
    count(counters_, "simhashes_different", groups.size());
    count(counters_, "simhash_groups_over_cap", statistics.groups_over_cap);
    count(counters_, "simhash_pairs_not_generated", statistics.pairs_not_generated);
    Status given = give_pairs(pairs_);
    end_boxes();
    return given;
  }

 private:
  void write_groups(const NearGroups& groups) {
    ParcelBox& box = add_box("groups", settings_.partitions);
    NearGroupRecord record;
    for (std::uint32_t group = 0; group < groups.size(); ++group) {
      const std::span<const std::uint32_t> pages = groups.pages_of(group);
      record.fingerprint = groups.fingerprints()[group];
      record.weight = groups.weight(group);
      record.page_count = groups.page_count(group);
      record.pages.assign(pages.begin(), pages.end());
      ByteWriter out(box.record_for(settings_.share));
      write_near_group(record, out);
    }
  }

  NearKeySorter keys_;
  CandidatePairSorter pairs_;
};

// Sends each group to the tasks that have one of its buckets. Takes any parcels of groups.
class BucketsTask : public TaskBase {
 public:
  explicit BucketsTask(TaskInput&& input)
      : TaskBase(std::move(input)),
        parts_(settings_.fingerprints, hamming_reach().distance_bits, settings_.partitions, hamming_reach().width_bits),
        box_(add_box("buckets", settings_.partitions)) {}

  Status read_parcel(std::string_view /*kind*/, std::string_view bytes) override {
    return for_each_record(bytes, "groups of fingerprints", read_near_group,
                           [this](const NearGroupRecord& group) -> Status {
                             for (const std::uint32_t part : parts_.of(group.fingerprint)) {
                               ByteWriter out(box_.record_for(part));
                               write_near_group(group, out);
                             }
                             return {};
                           });
  }

  Status finish() override {
    end_boxes();
    return {};
  }

 private:
  HammingParts parts_;
  ParcelBox& box_;
};

// A page of a group, to be sorted: groups arrive in any order, and the join needs them ascending.
struct GroupPage {
  Fingerprint128 fingerprint;
  std::uint32_t page = 0;
  std::uint32_t page_count = 0;
  std::uint32_t weight = 0;
  friend auto operator<=>(const GroupPage&, const GroupPage&) = default;
};

struct GroupPageTraits {
  static std::uint64_t key(const GroupPage& record) { return record.fingerprint.high; }
  static bool combine(GroupPage&, const GroupPage&) { return false; }
};

// The Hamming join of the buckets of one task.
class HammingTask : public TaskBase {
 public:
  explicit HammingTask(TaskInput&& input)
      : TaskBase(std::move(input)),
        parts_(settings_.fingerprints, hamming_reach().distance_bits, settings_.shares, hamming_reach().width_bits),
        sorted_(sort_options(kKeyShare)),
        groups_(&budget_),
        pairs_(sort_options(kPairShare)) {}

  // A group without a bucket here is the sign of a wrong `share`, with which the join would miss pairs.
  Status read_parcel(std::string_view /*kind*/, std::string_view bytes) override {
    return for_each_record(bytes, "buckets of fingerprints", read_near_group,
                           [this](const NearGroupRecord& group) -> Status {
                             const std::span<const std::uint32_t> parts = parts_.of(group.fingerprint);
                             if (!std::binary_search(parts.begin(), parts.end(), settings_.share)) {
                               return corrupt("buckets of fingerprints");
                             }
                             for (const std::uint32_t page : group.pages) {
                               PARAPRINT_TRY(sorted_.push({group.fingerprint, page, group.page_count, group.weight}));
                             }
                             return {};
                           });
  }

  // Pairs of equal fingerprints were found by NearTask.
  Status finish() override {
    PARAPRINT_TRY(collect_groups());
    PARAPRINT_TRY(page_level_ ? join_fingerprints() : join_paragraphs());
    Status given = give_pairs(pairs_);
    end_boxes();
    return given;
  }

 private:
  Status join_paragraphs() {
    NearJoinOptions options;
    options.distance_bits = candidate_options_.simhash_distance_bits;
    options.caps = candidate_options_.caps;
    options.part = HammingPart{settings_.fingerprints, settings_.share, settings_.shares};
    options.budget = &budget_;
    PARAPRINT_ASSIGN(const NearJoinStatistics joined, join_near_groups(groups_, options, pairs_));
    count(counters_, "simhash_pairs_not_generated", joined.page_pairs_not_generated);
    return {};
  }

  // Exact, as in a run in one process. The callback cannot stop the join: it keeps its first error.
  Status join_fingerprints() {
    HammingJoinOptions options;
    options.distance_bits = hamming_reach().distance_bits;
    options.all_different = true;
    options.part = HammingPart{settings_.fingerprints, settings_.share, settings_.shares};
    options.budget = &budget_;
    Status status;
    std::uint64_t not_generated = 0;
    const auto on_pair = [&](std::uint32_t i, std::uint32_t j, int) {
      if (!status) return;
      status =
          push_product_pairs(groups_.pages_of(i), groups_.pages_of(j), candidate_options_.caps, pairs_, not_generated);
    };
    const auto on_equal = [](std::span<const std::uint32_t>) {};
    if (hamming_reach().width_bits == 128) {
      PARAPRINT_TRY(hamming_join_128(groups_.fingerprints(), options, on_pair, on_equal));
    } else {
      SpillArray<std::uint64_t> values(&budget_);
      for (const Fingerprint128& fingerprint : groups_.fingerprints()) {
        PARAPRINT_TRY(values.push_back(fingerprint.high));
      }
      PARAPRINT_TRY(hamming_join_64(std::span<const std::uint64_t>(values), options, on_pair, on_equal));
    }
    count(counters_, "pairs_not_generated", not_generated);
    return status;
  }

  Status collect_groups() {
    PARAPRINT_TRY(sorted_.finish());
    SpillArray<std::uint32_t> pages(&budget_);
    GroupPage first;
    const auto close = [&]() -> Status {
      if (pages.empty()) return {};
      if (page_level_ && pages.size() != first.page_count) return corrupt("buckets of fingerprints");
      return groups_.add(first.fingerprint, first.weight, pages, first.page_count);
    };
    GroupPage record;
    while (sorted_.next(record)) {
      if (pages.empty() || record.fingerprint != first.fingerprint) {
        PARAPRINT_TRY(close());
        pages.clear();
        first = record;
      } else if (record.page == pages.back() || record.page_count != first.page_count) {
        return corrupt("buckets of fingerprints");  // a group that came twice
      }
      PARAPRINT_TRY(pages.push_back(record.page));
    }
    if (!sorted_.status()) return sorted_.status();
    return close();
  }

  HammingParts parts_;
  ExternalSorter<GroupPage, GroupPageTraits> sorted_;
  NearGroups groups_;
  CandidatePairSorter pairs_;
};

}  // namespace

std::unique_ptr<StageTask> make_near_task(TaskInput&& input) {
  return std::make_unique<NearTask>(std::move(input));
}
std::unique_ptr<StageTask> make_buckets_task(TaskInput&& input) {
  return std::make_unique<BucketsTask>(std::move(input));
}
std::unique_ptr<StageTask> make_hamming_task(TaskInput&& input) {
  return std::make_unique<HammingTask>(std::move(input));
}

}  // namespace paraprint::distribute
