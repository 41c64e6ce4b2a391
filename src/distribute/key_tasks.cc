// Candidate search: keys are shuffled to the task that has their equals, and joined to pairs by the code of a run in
// one process.
//
// The result of a group of equal keys, caps included, depends only on its members; the same holds for a table of the
// Hamming join and a band of the sketches. Hits of several tasks for one pair are added up where the pair is verified.
#include <algorithm>

#include "base/hash.h"
#include "base/propagate.h"
#include "distribute/task_base.h"
#include "index/page_keys.h"
#include "index/site_boilerplate.h"
#include "index/sketch_join.h"
#include "profile/page_match.h"
#include "profile/profile_codec.h"

namespace paraprint::distribute {
namespace {

// Shares of a task's sorter memory; keys and pairs are sorted at the same time.
constexpr double kKeyShare = 0.6;
constexpr double kPairShare = 0.4;

// Fingerprints are partitioned by ranges, not by hash, because the Hamming join reads all groups in ascending order.
std::uint32_t partition_of_fingerprint(const Fingerprint128& fingerprint, std::uint32_t partitions) {
  return static_cast<std::uint32_t>((fingerprint.high >> 32) * partitions >> 32);
}

// Collects the keys of each page and sends each to its partition. A map task: it needs every batch.
class KeysTask : public TaskBase {
 public:
  explicit KeysTask(TaskInput&& input)
      : TaskBase(std::move(input)),
        exact_(add_box("exact", settings_.partitions)),
        near_(add_box("near", settings_.partitions)),
        sketches_(add_box("sketch", 1)),
        templates_(add_box("templates", 1)) {}

  bool needs_pages(std::uint64_t, std::uint64_t) const override { return true; }

  Status add_pages(std::uint64_t first_position, std::string_view facts, std::string_view profiles) override {
    return for_each_page_of_batch(
        first_position, facts, profiles,
        [&](std::uint64_t position, const DriverPage& page, std::string_view bytes) -> Status {
          if (position >= tables_.number_of_position.size()) return corrupt("profiles");
          return add_page(tables_.number_of_position[position], page, bytes);
        });
  }

  Status finish() override {
    end_boxes();
    return {};
  }

 private:
  // The same order of tests as in CandidateBuilder: empty pages, repeated texts and short pages have no keys.
  Status add_page(std::uint32_t number, const DriverPage& page, std::string_view bytes) {
    count(counters_, page.content_characters == 0 ? "pages_empty" : "pages_compared");
    if (page.content_characters == 0) return {};
    PARAPRINT_TRY(note_template(number, page, bytes));
    // The representative has the same keys and collects them once for the whole group.
    if (tables_.representatives[number] != number) {
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
      ByteWriter out(near_.record_for(partition_of_fingerprint(key.fingerprint, settings_.partitions)));
      write_near_key({key.fingerprint, number, key.weight}, out);
    }
    count(counters_, "keys", keys_.exact.size());
    count(counters_, "simhashes", keys_.near.size());
    if (keys_.sketch.empty()) return {};
    // Sketches are not partitioned: every sketch task reads all of them.
    SketchRecord sketch{number, page.content_characters, {}};
    std::copy(keys_.sketch.begin(), keys_.sketch.end(), sketch.pair_hashes.begin());
    ByteWriter out(sketches_.record_for(0));
    write_sketch(sketch, out);
    count(counters_, "sketches");
    return {};
  }

  // Only sites that are large enough have a template.
  Status note_template(std::uint32_t number, const DriverPage& page, std::string_view bytes) {
    const std::vector<std::uint64_t>& sites = tables_.large_sites;
    if (boilerplate_.size() == 0 || !std::binary_search(sites.begin(), sites.end(), site_of_url(page.url))) return {};
    PARAPRINT_TRY(decode_profile(bytes, profile_));
    flag_boilerplate(page, profile_, skip_);
    if (!consists_of_boilerplate(skip_)) return {};
    ByteWriter(templates_.record_for(0)).variable(number);
    return {};
  }

  ParcelBox& exact_;
  ParcelBox& near_;
  ParcelBox& sketches_;
  ParcelBox& templates_;
  Profile profile_;
  std::vector<std::uint8_t> skip_;
  PageKeys keys_;
};

// Joins equal keys: sentence anchors and paragraph hashes.
class ExactTask : public TaskBase {
 public:
  explicit ExactTask(TaskInput&& input)
      : TaskBase(std::move(input)), keys_(sort_options(kKeyShare)), pairs_(sort_options(kPairShare)) {}

  Status add_parcel(std::string_view bytes) override {
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

// Page numbers ascend and are stored as differences, most of which take one or two bytes.
void write_group(const NearGroups& groups, std::uint32_t group, ByteWriter& out) {
  const Fingerprint128& fingerprint = groups.fingerprints()[group];
  const std::span<const std::uint32_t> pages = groups.pages_of(group);
  out.fixed(fingerprint.high);
  out.fixed(fingerprint.low);
  out.variable(groups.weight(group));
  out.variable(pages.size());
  std::uint32_t last = 0;
  for (const std::uint32_t page : pages) {
    out.variable(page - last);
    last = page;
  }
}

// Groups equal paragraph fingerprints: pairs within a group are final, and the groups are the input of the Hamming
// join.
class NearTask : public TaskBase {
 public:
  explicit NearTask(TaskInput&& input)
      : TaskBase(std::move(input)), keys_(sort_options(kKeyShare)), pairs_(sort_options(kPairShare)) {}

  Status add_parcel(std::string_view bytes) override {
    return for_each_record(bytes, "fingerprints", read_near_key,
                           [this](const NearPageKey& key) { return keys_.push(key); });
  }

  // The groups of a range form one parcel, whose partition is the range, so that the parcels in ascending order contain
  // all groups in ascending order of their fingerprints.
  Status finish() override {
    PARAPRINT_TRY(keys_.finish());
    KeyJoinStatistics statistics;
    PARAPRINT_ASSIGN(const NearGroups groups,
                     group_near_keys(keys_, candidate_options_.caps, pairs_, statistics, &budget_));
    ParcelBox& box = add_box("groups", settings_.shares);
    for (std::uint32_t group = 0; group < groups.size(); ++group) {
      const std::uint32_t range = partition_of_fingerprint(groups.fingerprints()[group], settings_.shares);
      ByteWriter out(box.record_for(range));
      write_group(groups, group, out);
    }
    count(counters_, "simhashes_different", groups.size());
    count(counters_, "simhash_groups_over_cap", statistics.groups_over_cap);
    count(counters_, "simhash_pairs_not_generated", statistics.pairs_not_generated);
    Status given = give_pairs(pairs_);
    end_boxes();
    return given;
  }

 private:
  NearKeySorter keys_;
  CandidatePairSorter pairs_;
};

// One table of the Hamming join over all groups. Every table needs every group, so groups are read by all of these
// tasks instead of being shuffled; each pair is reported by exactly one table.
class HammingTask : public TaskBase {
 public:
  explicit HammingTask(TaskInput&& input)
      : TaskBase(std::move(input)), groups_(&budget_), pairs_(sort_options(kPairShare)) {}

  // Fingerprints must ascend strictly, over parcels too: parcels in the wrong order would make the join miss pairs.
  Status add_parcel(std::string_view bytes) override {
    ByteReader in(bytes);
    std::vector<std::uint32_t> pages;
    while (!in.at_end()) {
      Fingerprint128 fingerprint;
      fingerprint.high = in.fixed<std::uint64_t>();
      fingerprint.low = in.fixed<std::uint64_t>();
      const auto weight = static_cast<std::uint32_t>(in.variable_below(std::uint64_t{1} << 16));
      pages.resize(in.variable_below(in.left_bytes() + 1));
      std::uint32_t last = 0;
      for (std::uint32_t& page : pages) page = last += static_cast<std::uint32_t>(in.variable());
      const bool rises = groups_.size() == 0 || groups_.fingerprints().back() < fingerprint;
      if (!in.ok() || !rises) return corrupt("groups of fingerprints");
      PARAPRINT_TRY(groups_.add(fingerprint, weight, pages));
    }
    return in.ok() ? Status{} : corrupt("groups of fingerprints");
  }

  // The task's share is the number of its table. Pairs of equal fingerprints were found by NearTask.
  Status finish() override {
    NearJoinOptions options;
    options.distance_bits = candidate_options_.simhash_distance_bits;
    options.bucket_cap = candidate_options_.simhash_bucket_cap;
    options.caps = candidate_options_.caps;
    options.only_table = static_cast<int>(settings_.share);
    options.budget = &budget_;
    PARAPRINT_ASSIGN(const NearJoinStatistics joined, join_near_groups(groups_, options, pairs_));
    count(counters_, "simhash_pairs_not_generated", joined.page_pairs_not_generated);
    Status given = give_pairs(pairs_);
    end_boxes();
    return given;
  }

 private:
  NearGroups groups_;
  CandidatePairSorter pairs_;
};

// Sorting by page restores the order that SketchJoin requires; there is one sketch per page, so nothing is combined.
struct SketchRecordTraits {
  static std::uint64_t key(const SketchRecord& record) { return record.page; }
  static bool combine(SketchRecord&, const SketchRecord&) { return false; }
};

// A range of bands of the sketch join. Each task reads all sketches (132 bytes per page) and joins only its bands.
class SketchTask : public TaskBase {
 public:
  explicit SketchTask(TaskInput&& input)
      : TaskBase(std::move(input)),
        sketches_(sort_options(kKeyShare)),
        join_(&budget_),
        pairs_(sort_options(kPairShare)) {}

  Status add_parcel(std::string_view bytes) override {
    return for_each_record(bytes, "sketches", read_sketch,
                           [this](const SketchRecord& sketch) { return sketches_.push(sketch); });
  }

  Status finish() override {
    PARAPRINT_TRY(sketches_.finish());
    SketchRecord sketch;
    while (sketches_.next(sketch)) {
      PARAPRINT_TRY(join_.add_page(sketch.page, sketch.content_characters, sketch.pair_hashes));
    }
    if (!sketches_.status()) return sketches_.status();
    // Bands are divided as evenly as integers allow; the ranges of all tasks cover each band exactly once.
    const SketchJoin::BandRange bands{settings_.share * kSketchBands / settings_.shares,
                                      (settings_.share + std::size_t{1}) * kSketchBands / settings_.shares};
    // The join has no way to stop; after an error of the sorter further pairs are dropped.
    Status status;
    const auto joined = join_.join(
        candidate_options_.caps,
        [&](std::uint32_t page_a, std::uint32_t page_b, std::uint32_t common_characters) {
          if (status) status = pairs_.push({page_a, page_b, common_characters, 1, kSourceSketch});
        },
        bands);
    if (!joined) return tl::unexpected<Error>(joined.error());
    if (!status) return status;
    count(counters_, "sketch_buckets_over_cap", joined->buckets_over_cap);
    Status given = give_pairs(pairs_);
    end_boxes();
    return given;
  }

 private:
  ExternalSorter<SketchRecord, SketchRecordTraits> sketches_;
  SketchJoin join_;
  CandidatePairSorter pairs_;
};

}  // namespace

std::unique_ptr<StageTask> make_keys_task(TaskInput&& input) {
  return std::make_unique<KeysTask>(std::move(input));
}
std::unique_ptr<StageTask> make_exact_task(TaskInput&& input) {
  return std::make_unique<ExactTask>(std::move(input));
}
std::unique_ptr<StageTask> make_near_task(TaskInput&& input) {
  return std::make_unique<NearTask>(std::move(input));
}
std::unique_ptr<StageTask> make_hamming_task(TaskInput&& input) {
  return std::make_unique<HammingTask>(std::move(input));
}
std::unique_ptr<StageTask> make_sketch_task(TaskInput&& input) {
  return std::make_unique<SketchTask>(std::move(input));
}

}  // namespace paraprint::distribute

namespace paraprint {

// Distance 0 needs no Hamming join: equal fingerprints are found by their groups.
std::uint32_t hamming_task_count(std::uint64_t fingerprints, const DedupOptions& options) {
  if (options.candidates.candidate_bits <= 0) return 0;
  return static_cast<std::uint32_t>(hamming_table_count_128(fingerprints, options.candidates.candidate_bits));
}

}  // namespace paraprint
