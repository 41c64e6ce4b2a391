// Asks for the known texts that pages have something in common with: sends the keys of each page, or of the first one
// with its text, to the tasks that look them up.
#include <algorithm>

#include "base/propagate.h"
#include "distribute/known/known_lines.h"
#include "distribute/known/known_query.h"
#include "distribute/known/known_records.h"
#include "distribute/known/known_tasks.h"
#include "memory/spill_array.h"
#include "profile/profile_codec.h"

namespace paraprint::distribute::known {
namespace {

class AskTask : public TaskBase {
 public:
  explicit AskTask(TaskInput&& input)
      : TaskBase(std::move(input)),
        candidates_(known_search_options(options_)),
        copies_(&budget_),
        exact_(add_box("asked-exact", settings_.partitions)),
        near_(add_box("asked-near", settings_.partitions)),
        sketches_(add_box("asked-sketch", settings_.partitions)),
        sharing_(add_box("sharing", settings_.partitions)) {}

  // The owner of the first page with a text learns who shares its answer.
  Status read_parcel(std::string_view /*kind*/, std::string_view bytes) override {
    return for_each_record(bytes, "copies", read_copied_page, [this](const CopiedPage& copy) -> Status {
      if (!is_own(copy.page) || !is_page(copy.first)) return corrupt("copies");
      ByteWriter out(sharing_.record_for(owner_of(copy.first)));
      write_copied_page(copy, out);
      return copies_.push_back(copy.page);
    });
  }

  Status end_parcels() override {
    std::sort(copies_.begin(), copies_.end());
    return {};
  }

  bool needs_pages(std::uint64_t, std::uint64_t) const override { return true; }

  Status add_pages(std::uint64_t first_position, std::string_view facts, std::string_view profiles) override {
    return for_each_own_page(
        first_position, facts, profiles,
        [this](std::uint32_t number, const DriverPage& page, std::string_view bytes) -> Status {
          if (!is_own(number)) return corrupt("profiles");
          if (page.content_characters == 0 || std::binary_search(copies_.begin(), copies_.end(), number)) return {};
          PARAPRINT_TRY(decode_profile(bytes, profile_));
          count(counters_, "texts_asked");
          flag_known_templates(page, profile_, known_templates_, query_.template_flags);
          query_.profile = &profile_;
          collect_query_keys(options_.match, candidates_, query_);
          ask(number);
          return {};
        });
  }

  Status finish() override {
    end_boxes();
    return {};
  }

 private:
  // SHORT pages are found by their whole text alone, as in an index.
  void ask(std::uint32_t page) {
    ask_for_key({text_key_of(profile_), page, kTextKeyWeight, true});
    if (profile_.content_characters < kShortPageCharacters) return;
    for (const SearchKey& key : query_.search_keys) ask_for_key({key.key, page, key.weight, false});
    for (const NearKey& key : query_.keys.near) {
      collect_near_probes(key.fingerprint, probes_);
      tasks_.clear();
      for (const std::uint64_t probe : probes_) tasks_.push_back(task_of_hash(probe, settings_.partitions));
      for (const std::uint32_t task : distinct_tasks()) {
        ByteWriter out(near_.record_for(task));
        write_asked_fingerprint({key.fingerprint, page, key.weight}, out);
      }
    }
    if (query_.keys.sketch.empty()) return;
    SketchRecord sketch{page, profile_.content_characters, {}};
    std::copy(query_.keys.sketch.begin(), query_.keys.sketch.end(), sketch.pair_hashes.begin());
    tasks_.clear();
    for (std::size_t band = 0; band < kSketchBands; ++band) {
      const std::uint64_t key = sketch_key_of(band, sketch_band(sketch.pair_hashes, band));
      tasks_.push_back(task_of_sketch_key(key, settings_.partitions));
    }
    for (const std::uint32_t task : distinct_tasks()) {
      ByteWriter out(sketches_.record_for(task));
      write_sketch(sketch, out);
    }
  }

  void ask_for_key(const AskedKey& asked) {
    ByteWriter out(exact_.record_for(task_of_hash(asked.key, settings_.partitions)));
    write_asked_key(asked, out);
  }

  std::span<const std::uint32_t> distinct_tasks() {
    std::sort(tasks_.begin(), tasks_.end());
    tasks_.erase(std::unique(tasks_.begin(), tasks_.end()), tasks_.end());
    return tasks_;
  }

  const CandidateSearchOptions candidates_;
  SpillArray<std::uint32_t> copies_;  // own pages that repeat a text, ascending
  ParcelBox& exact_;
  ParcelBox& near_;
  ParcelBox& sketches_;
  ParcelBox& sharing_;
  Profile profile_;
  SearchQuery query_;
  std::vector<std::uint64_t> probes_;
  std::vector<std::uint32_t> tasks_;
};

}  // namespace

std::unique_ptr<StageTask> make_ask_task(TaskInput&& input) {
  return std::make_unique<AskTask>(std::move(input));
}

}  // namespace paraprint::distribute::known
