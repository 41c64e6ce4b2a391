// Looks up what pages ask for in the tables of known texts, and tells the owners of the pages which texts have it.
//
// Asked keys are sorted, and blocks of known lines come in the order of their keys, so each block is read along with
// the keys that are asked for. Of more than --group-cap texts with a key, the first ones are hits (of equal keys, those
// are the oldest texts), and of the others the page learns the weight that they may have in common with it in addition.
// Both depend only on the key. A key that thousands of pages ask for and a million texts have costs no more than the
// cap for each page: who has enough is not asked again.
#include <algorithm>
#include <utility>

#include "base/hamming_distance.h"
#include "base/propagate.h"
#include "distribute/known/known_lines.h"
#include "distribute/known/known_query.h"
#include "distribute/known/known_records.h"
#include "distribute/known/known_tasks.h"
#include "memory/spill_array.h"

namespace paraprint::distribute::known {
namespace {

// Lines that are compared for one key. Fingerprints that have a block in common by chance are far fewer.
constexpr std::uint16_t kComparisonsMaximum = 32'768;

// Looks for a key on behalf of what a page asks for.
struct Probe {
  std::uint64_t key = 0;
  std::uint32_t asked = 0;  // index of what is asked for
  std::uint16_t hits = 0;
  std::uint16_t compared = 0;
  friend auto operator<=>(const Probe&, const Probe&) = default;
};

class FindTask : public TaskBase {
 public:
  FindTask(TaskInput&& input, const LineTable& table, std::uint64_t key_mask)
      : TaskBase(std::move(input)),
        probes_(&budget_),
        table_(table),
        key_mask_(key_mask),
        hits_(add_box("known-hits", settings_.partitions)) {}

  Status end_parcels() override {
    std::sort(probes_.begin(), probes_.end());
    return {};
  }

  std::string_view known_table() const override { return table_.name; }
  bool needs_known(std::uint32_t, std::uint64_t first_key, std::uint64_t last_key) const override {
    const Probe* const at = first_of(first_key & key_mask_);
    return at != probes_.end() && at->key <= last_key;
  }

  Status add_known(std::uint32_t run, std::string_view block) override {
    if (block.size() < kKeyBytes) return corrupt(table_.blocks);
    Probe* at = probes_.begin() + (first_of(key_of_line(block) & key_mask_) - probes_.begin());
    return for_each_line(block, table_, [&](std::string_view line) -> Status {
      const std::uint64_t key = key_of_line(line) & key_mask_;
      while (at != probes_.end() && (at->key < key || (at->key == key && is_done(*at)))) ++at;
      for (Probe* probe = at; probe != probes_.end() && probe->key == key; ++probe) {
        tick(&budget_);
        PARAPRINT_TRY(meet(*probe, line, run));
        // Those that are done come first among the probes of a key.
        if (is_done(*probe)) std::swap(*at++, *probe);
      }
      return {};
    });
  }

  Status finish() override {
    end_boxes();
    return {};
  }

 protected:
  // What becomes of a line that has the key of the probe; nothing if it has it by chance.
  struct Meeting {
    bool is_hit = false;
    std::uint32_t page = 0;
    std::uint64_t weight = 0;
    bool is_text = false;
    bool is_by_sketch = false;
  };
  virtual Meeting meeting_of(const Probe& probe, std::string_view line) const = 0;

  Status add_probe(std::uint64_t key, std::size_t asked) {
    if (asked >= kAnySize) return failure(ErrorCode::kLimitExceeded, "more than 4,294,967,295 keys in a task");
    return probes_.push_back({key, static_cast<std::uint32_t>(asked), 0});
  }

 private:
  const Probe* first_of(std::uint64_t key) const {
    return std::lower_bound(probes_.begin(), probes_.end(), key,
                            [](const Probe& probe, std::uint64_t sought) { return probe.key < sought; });
  }

  bool is_done(const Probe& probe) const {
    return probe.hits > options_.candidates.group_cap || probe.compared == kComparisonsMaximum;
  }

  Status meet(Probe& probe, std::string_view line, std::uint32_t run) {
    const Meeting meeting = meeting_of(probe, line);
    if (++probe.compared == kComparisonsMaximum) count(counters_, "known_keys_not_compared");
    if (!meeting.is_hit) return {};
    KnownHit hit{.page = meeting.page,
                 .is_text = meeting.is_text,
                 .is_by_sketch = meeting.is_by_sketch,
                 .text = kAnyText,
                 .weight = meeting.weight};
    if (++probe.hits <= options_.candidates.group_cap) {
      const LineText text = text_of_line(line);
      if (run + std::size_t{1} >= settings_.known_texts.size()) return corrupt(table_.blocks);
      hit.text = settings_.known_texts[run] + text.text;
      if (hit.text >= settings_.known_texts[run + 1]) return corrupt(table_.blocks);
      hit.length_class = text.length_class;
      count(counters_, "known_hits");
    } else {
      count(counters_, "known_keys_over_cap");
    }
    ByteWriter out(hits_.record_for(owner_of(hit.page)));
    write_known_hit(hit, out);
    return {};
  }

  SpillArray<Probe> probes_;  // ascending
  const LineTable& table_;
  const std::uint64_t key_mask_;  // the bits of keys that have to be equal
  ParcelBox& hits_;
};

class FindExactTask : public FindTask {
 public:
  explicit FindExactTask(TaskInput&& input) : FindTask(std::move(input), kExactLines, ~0ULL), asked_(&budget_) {}

  Status read_parcel(std::string_view /*kind*/, std::string_view bytes) override {
    return for_each_record(bytes, "asked keys", read_asked_key, [this](const AskedKey& asked) -> Status {
      if (!is_page(asked.page)) return corrupt("asked keys");
      PARAPRINT_TRY(add_probe(asked.key, asked_.size()));
      return asked_.push_back(asked);
    });
  }

 private:
  Meeting meeting_of(const Probe& probe, std::string_view) const override {
    const AskedKey& asked = asked_[probe.asked];
    return {true, asked.page, asked.weight, asked.is_text, false};
  }

  SpillArray<AskedKey> asked_;
};

// Only the probes that other tasks do not have are looked for here, or a hit would be found by each of them.
class FindNearTask : public FindTask {
 public:
  explicit FindNearTask(TaskInput&& input) : FindTask(std::move(input), kNearLines, kNearKeyMask), asked_(&budget_) {}

  Status read_parcel(std::string_view /*kind*/, std::string_view bytes) override {
    return for_each_record(bytes, "asked fingerprints", read_asked_fingerprint,
                           [this](const AskedFingerprint& asked) -> Status {
                             if (!is_page(asked.page)) return corrupt("asked fingerprints");
                             collect_near_probes(asked.fingerprint, keys_);
                             for (const std::uint64_t key : keys_) {
                               if (task_of_hash(key, settings_.partitions) != settings_.share) continue;
                               PARAPRINT_TRY(add_probe(key, asked_.size()));
                             }
                             return asked_.push_back(asked);
                           });
  }

 private:
  Meeting meeting_of(const Probe& probe, std::string_view line) const override {
    const AskedFingerprint& asked = asked_[probe.asked];
    const Fingerprint128 known = fingerprint_of_line(line);
    if (hamming_distance(asked.fingerprint, known) > distance_bits_) return {};
    // Several tables may find it, and it shall count once.
    if (first_table_of(asked.fingerprint, known) != table_of_near_key(probe.key)) return {};
    return {true, asked.page, asked.weight, false, false};
  }

  const int distance_bits_ = known_search_options(options_).candidate_bits;
  SpillArray<AskedFingerprint> asked_;
  std::vector<std::uint64_t> keys_;
};

class FindSketchTask : public FindTask {
 public:
  explicit FindSketchTask(TaskInput&& input) : FindTask(std::move(input), kSketchLines, ~0ULL), asked_(&budget_) {}

  Status read_parcel(std::string_view /*kind*/, std::string_view bytes) override {
    return for_each_record(bytes, "asked sketches", read_sketch, [this](const SketchRecord& sketch) -> Status {
      if (!is_page(sketch.page)) return corrupt("asked sketches");
      for (std::size_t band = 0; band < kSketchBands; ++band) {
        const std::uint64_t key = sketch_key_of(band, sketch_band(sketch.pair_hashes, band));
        if (task_of_sketch_key(key, settings_.partitions) != settings_.share) continue;
        PARAPRINT_TRY(add_probe(key, asked_.size()));
      }
      return asked_.push_back({sketch.page, sketch.content_characters, short_sketch(sketch.pair_hashes)});
    });
  }

 private:
  struct AskedSketch {
    std::uint32_t page = 0;
    std::uint32_t content_characters = 0;
    ShortSketch sketch{};
  };

  // The sketches agree in no more bytes than the short ones. A weight only orders candidates.
  Meeting meeting_of(const Probe& probe, std::string_view line) const override {
    const AskedSketch& asked = asked_[probe.asked];
    const std::size_t equal = agreements(asked.sketch, sketch_of_line(line));
    if (equal < kSketchEqualBytesMinimum) return {};
    return {true, asked.page, characters_in_common(asked.content_characters, equal), false, true};
  }

  SpillArray<AskedSketch> asked_;
};

}  // namespace

std::unique_ptr<StageTask> make_find_exact_task(TaskInput&& input) {
  return std::make_unique<FindExactTask>(std::move(input));
}
std::unique_ptr<StageTask> make_find_near_task(TaskInput&& input) {
  return std::make_unique<FindNearTask>(std::move(input));
}
std::unique_ptr<StageTask> make_find_sketch_task(TaskInput&& input) {
  return std::make_unique<FindSketchTask>(std::move(input));
}

}  // namespace paraprint::distribute::known
