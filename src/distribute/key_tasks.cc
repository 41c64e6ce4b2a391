// Candidate search: keys, fingerprints and sketches are shuffled to the tasks that have their equals, and joined to
// pairs by the code of a run in one process (near_tasks.cc and sketch_task.cc for the latter two).
//
// The result of a group of equal keys, caps included, depends only on its members; the same holds for a bucket of the
// Hamming join and of the sketches. Hits of several tasks for one pair are added up where the pair is verified.
#include <algorithm>

#include "base/hash.h"
#include "base/propagate.h"
#include "distribute/keys_task_base.h"
#include "index/page_keys.h"
#include "index/sketch_join.h"
#include "profile/profile_codec.h"

namespace paraprint::distribute {
namespace {

// Collects the keys of each page and sends each to its partition. A map task.
class KeysTask : public KeysTaskBase {
 public:
  explicit KeysTask(TaskInput&& input)
      : KeysTaskBase(std::move(input)),
        exact_(add_box("exact", settings_.partitions)),
        near_(add_box("near", settings_.partitions)),
        sketches_(add_box("sketch", settings_.partitions)),
        templates_(add_box("templates", settings_.partitions)) {}

 private:
  // The same order of tests as in CandidateBuilder: empty pages, repeated texts and short pages have no keys.
  Status add_page(std::uint32_t number, const DriverPage& page, std::string_view bytes) override {
    count(counters_, page.content_characters == 0 ? "pages_empty" : "pages_compared");
    if (page.content_characters == 0) return {};
    PARAPRINT_ASSIGN(const bool is_template, consists_of_template(page, bytes));
    if (is_template) ByteWriter(templates_.record_for(owner_of(number))).variable(number);
    if (is_copy(number)) {
      count(counters_, "pages_same_text");
      return {};
    }
    if (!has_page_keys(page.content_characters, candidate_options_.short_page_characters)) {
      count(counters_, "pages_short");
      return {};
    }
    PARAPRINT_TRY(decode_profile(bytes, profile_));
    flag_boilerplate(page, profile_, skip_);
    collect_page_keys(profile_, skip_, key_choice(candidate_options_), keys_);
    for (const ExactKey& key : keys_.exact) {
      ByteWriter out(exact_.record_for(static_cast<std::uint32_t>(mix64(key.key) % settings_.partitions)));
      write_page_key({key.key, number, key.weight, key.source}, out);
    }
    // Near keys are absent if the search for near paragraphs is off (key_choice).
    for (const NearKey& key : keys_.near) {
      ByteWriter out(near_.record_for(partition_of_fingerprint(key.fingerprint)));
      write_near_key({key.fingerprint, number, key.weight}, out);
    }
    count(counters_, "keys", keys_.exact.size());
    count(counters_, "simhashes", keys_.near.size());
    if (keys_.sketch.empty()) return {};
    SketchRecord sketch{number, page.content_characters, {}};
    std::copy(keys_.sketch.begin(), keys_.sketch.end(), sketch.pair_hashes.begin());
    find_sketch_parts(sketch.pair_hashes, settings_.partitions, sketch_parts_);
    for (const std::uint32_t part : sketch_parts_) {
      ByteWriter out(sketches_.record_for(part));
      write_sketch(sketch, out);
    }
    count(counters_, "sketches");
    return {};
  }

  ParcelBox& exact_;
  ParcelBox& near_;
  ParcelBox& sketches_;
  ParcelBox& templates_;
  Profile profile_;
  std::vector<std::uint8_t> skip_;
  std::vector<std::uint32_t> sketch_parts_;
  PageKeys keys_;
};

// Joins equal keys: sentence anchors and paragraph hashes.
class ExactTask : public TaskBase {
 public:
  explicit ExactTask(TaskInput&& input)
      : TaskBase(std::move(input)), keys_(sort_options(kKeyShare)), pairs_(sort_options(kPairShare)) {}

  Status read_parcel(std::string_view /*kind*/, std::string_view bytes) override {
    return for_each_record(bytes, "keys", read_page_key, [this](const PageKey& key) { return keys_.push(key); });
  }

  // Statistics are counted under the names of a run in one process, so that sums over tasks can be compared with it.
  Status finish() override {
    PARAPRINT_TRY(keys_.finish());
    KeyJoinStatistics statistics;
    PARAPRINT_TRY(join_keys(keys_, candidate_options_.caps, pairs_, statistics, &budget_));
    count(counters_, "key_groups", statistics.groups);
    count(counters_, "key_groups_over_cap", statistics.groups_over_cap);
    count(counters_, "key_pairs_not_generated", statistics.pairs_not_generated);
    Status given = give_pairs(pairs_);
    end_boxes();
    return given;
  }

 private:
  PageKeySorter keys_;
  CandidatePairSorter pairs_;
};

}  // namespace

std::unique_ptr<StageTask> make_keys_task(TaskInput&& input) {
  return std::make_unique<KeysTask>(std::move(input));
}
std::unique_ptr<StageTask> make_exact_task(TaskInput&& input) {
  return std::make_unique<ExactTask>(std::move(input));
}

}  // namespace paraprint::distribute
