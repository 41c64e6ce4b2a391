// The candidate search by sketches. A sketch is sent to the tasks that have its bucket in a band, at most once to each,
// and a task joins its buckets by the code of a run in one process. What a bucket yields depends on its members alone.
//
// In one process, a pair that meets in several buckets counts once. Tasks do not know of each other's buckets, so they
// mark such a hit (write_pair), and the task that verifies the pair counts it once.
#include <algorithm>

#include "base/propagate.h"
#include "distribute/task_base.h"
#include "index/sketch_join.h"

namespace paraprint::distribute {
namespace {

// Sorting by page restores the order that SketchJoin requires; there is one sketch per page, so nothing is combined.
struct SketchRecordTraits {
  static std::uint64_t key(const SketchRecord& record) { return record.page; }
  static bool combine(SketchRecord&, const SketchRecord&) { return false; }
};

class SketchTask : public TaskBase {
 public:
  explicit SketchTask(TaskInput&& input)
      : TaskBase(std::move(input)),
        sketches_(sort_options(kKeyShare)),
        join_(&budget_),
        pairs_(sort_options(kPairShare)) {}

  // A sketch without a bucket here is the sign of a wrong `share`, with which the join would miss pairs.
  Status read_parcel(std::string_view /*kind*/, std::string_view bytes) override {
    return for_each_record(bytes, "sketches", read_sketch, [this](const SketchRecord& sketch) -> Status {
      find_sketch_parts(sketch.pair_hashes, settings_.shares, parts_);
      if (!std::binary_search(parts_.begin(), parts_.end(), settings_.share)) return corrupt("sketches");
      if (!is_page(sketch.page)) return corrupt("sketches");
      return sketches_.push(sketch);
    });
  }

  Status finish() override {
    PARAPRINT_TRY(collect_sketches());
    const auto give = [&](const SketchJoin::Meeting& pair) -> Status {
      if (!pair.is_whole) return pairs_.push({pair.page_a, pair.page_b, pair.common_characters, 1, kSourceSketch});
      write_meeting(pair);
      return {};
    };
    PARAPRINT_ASSIGN(const SketchJoinStatistics joined,
                     join_.join(candidate_options_.caps, give, 1, {settings_.share, settings_.shares}));
    count(counters_, "sketch_buckets_over_cap", joined.buckets_over_cap);
    Status given = give_pairs(pairs_);
    end_boxes();
    return given;
  }

 private:
  Status collect_sketches() {
    PARAPRINT_TRY(sketches_.finish());
    SketchRecord sketch;
    for (std::uint64_t next = 0; sketches_.next(sketch); next = std::uint64_t{sketch.page} + 1) {
      if (sketch.page < next) return corrupt("sketches");  // a page that came twice
      PARAPRINT_TRY(join_.add_page(sketch.page, sketch.content_characters, sketch.pair_hashes));
    }
    return sketches_.status();
  }

  // The join reports a meeting once per task, so there is nothing to add up here.
  void write_meeting(const SketchJoin::Meeting& pair) {
    if (meetings_ == nullptr) meetings_ = &add_box("pairs", settings_.partitions);
    ByteWriter out(meetings_->record_for(owner_of(pair.page_a)));
    write_pair({pair.page_a, pair.page_b, pair.common_characters, 0, kSourceSketch}, out);
  }

  ExternalSorter<SketchRecord, SketchRecordTraits> sketches_;
  SketchJoin join_;
  CandidatePairSorter pairs_;
  ParcelBox* meetings_ = nullptr;
  std::vector<std::uint32_t> parts_;
};

}  // namespace

std::unique_ptr<StageTask> make_sketch_task(TaskInput&& input) {
  return std::make_unique<SketchTask>(std::move(input));
}

}  // namespace paraprint::distribute
