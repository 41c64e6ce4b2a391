// Groups equal fingerprints of a page-level algorithm: pages within a group are paired, and the groups are the input of
// the Hamming join, whose tasks are those of the paragraph method (near_tasks.cc).
//
// Skew: a group above the cap is linked to a near one by all of its pages, so all of them travel, a byte or two each,
// to the tasks that have one of its buckets. A large group is sent in pieces.
#include <algorithm>

#include "base/propagate.h"
#include "distribute/task_base.h"
#include "index/near_join.h"
#include "memory/spill_array.h"

namespace paraprint::distribute {
namespace {

// Pages of a record of "groups".
constexpr std::size_t kPagesPerPiece = std::size_t{1} << 16;

class FingerprintNearTask : public TaskBase {
 public:
  explicit FingerprintNearTask(TaskInput&& input)
      : TaskBase(std::move(input)),
        keys_(sort_options(kKeyShare)),
        pairs_(sort_options(kPairShare)),
        pages_(&budget_),
        groups_(add_box("groups", settings_.partitions)) {}

  Status read_parcel(std::string_view /*kind*/, std::string_view bytes) override {
    return for_each_record(bytes, "fingerprints", read_near_key,
                           [this](const NearPageKey& key) { return keys_.push(key); });
  }

  Status finish() override {
    PARAPRINT_TRY(keys_.finish());
    Fingerprint128 fingerprint;
    NearPageKey key;
    while (keys_.next(key)) {
      if (key.fingerprint != fingerprint) PARAPRINT_TRY(close_group(fingerprint));
      fingerprint = key.fingerprint;
      PARAPRINT_TRY(pages_.push_back(key.page));
    }
    if (!keys_.status()) return keys_.status();
    PARAPRINT_TRY(close_group(fingerprint));
    count(counters_, "simhashes_different", different_);
    count(counters_, "pairs_not_generated", statistics_.pairs_not_generated);
    Status given = give_pairs(pairs_);
    end_boxes();
    return given;
  }

 private:
  // pages_ are those of the fingerprint, ascending; none before the first one.
  Status close_group(const Fingerprint128& fingerprint) {
    if (pages_.empty()) return {};
    ++different_;
    PARAPRINT_TRY(push_group_pairs(pages_.size(), candidate_options_.caps, pairs_, statistics_,
                                   [&](std::size_t first, std::size_t second) {
                                     return CandidatePair{pages_[first], pages_[second], 0, 1, 0};
                                   }));
    // Equal fingerprints are all there is to find at distance 0.
    if (hamming_reach().distance_bits > 0) write_group(fingerprint);
    pages_.clear();
    return {};
  }

  void write_group(const Fingerprint128& fingerprint) {
    NearGroupRecord record;
    record.fingerprint = fingerprint;
    record.page_count = static_cast<std::uint32_t>(pages_.size());
    for (std::size_t begin = 0; begin < pages_.size(); begin += kPagesPerPiece) {
      const std::size_t size = std::min(kPagesPerPiece, pages_.size() - begin);
      record.pages.assign(pages_.begin() + begin, pages_.begin() + begin + size);
      ByteWriter out(groups_.record_for(settings_.share));
      write_near_group(record, out);
    }
  }

  NearKeySorter keys_;
  CandidatePairSorter pairs_;
  SpillArray<std::uint32_t> pages_;
  KeyJoinStatistics statistics_;
  std::uint64_t different_ = 0;
  ParcelBox& groups_;
};

}  // namespace

std::unique_ptr<StageTask> make_fingerprint_near_task(TaskInput&& input) {
  return std::make_unique<FingerprintNearTask>(std::move(input));
}

}  // namespace paraprint::distribute
