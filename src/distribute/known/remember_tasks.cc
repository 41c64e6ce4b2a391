// Adds a run to the earlier ones: the pages that stay become known texts, numbered by their pages. Their owners store
// them with their profiles, and send the lines by which they are found to the tasks that sort these.
#include <algorithm>
#include <string>

#include "base/propagate.h"
#include "distribute/known/known_query.h"
#include "distribute/known/known_tables.h"
#include "distribute/known/known_tasks.h"
#include "distribute/tables/page_names.h"
#include "memory/spill_array.h"
#include "profile/page_table.h"
#include "profile/profile_codec.h"

namespace paraprint::distribute::known {
namespace {

class RememberTask : public TaskBase {
 public:
  explicit RememberTask(TaskInput&& input)
      : TaskBase(std::move(input)),
        gone_(&budget_),
        names_(&budget_),
        texts_(add_box(kTextBlocks, settings_.partitions), settings_.share, kTextBlockBytes) {
    for (const LineTable& table : kLineTables) lines_.push_back(&add_box(table.parcels, settings_.partitions));
  }

  Status read_parcel(std::string_view kind, std::string_view bytes) override {
    if (kind == "names") {
      return names_.add_parcel(bytes, [this](std::uint32_t page) { return is_own(page); });
    }
    return for_each_record(bytes, "gone pages", read_number, [this](std::uint32_t page) -> Status {
      return is_own(page) ? gone_.push_back(page) : corrupt("gone pages");
    });
  }

  Status end_parcels() override {
    std::sort(gone_.begin(), gone_.end());
    names_.finish();
    return {};
  }

  bool needs_pages(std::uint64_t, std::uint64_t) const override { return true; }

  Status add_pages(std::uint64_t first_position, std::string_view facts, std::string_view profiles) override {
    return for_each_own_page(
        first_position, facts, profiles,
        [this](std::uint32_t number, const DriverPage& page, std::string_view bytes) -> Status {
          if (!is_own(number)) return corrupt("profiles");
          if (page.content_characters == 0 || std::binary_search(gone_.begin(), gone_.end(), number)) return {};
          PARAPRINT_TRY(decode_profile(bytes, profile_));
          remember(number, page, bytes);
          return {};
        });
  }

  Status finish() override {
    texts_.end();
    end_boxes();
    return {};
  }

 private:
  void remember(std::uint32_t number, const DriverPage& page, std::string_view profile) {
    flag_known_templates(page, profile_, known_templates_, flags_);
    flag_boilerplate(page, profile_, own_flags_);
    for (std::size_t i = 0; i < own_flags_.size(); ++i) flags_[i] |= own_flags_[i];
    KnownText known;
    const std::string id =
        index_id(names_.name_of(number, page.id), page.has_id_of_place, page.url, profile_.text_hash);
    known.id = id;
    known.url = page.url;
    known.date = page.date;
    known.site = site_of_url(page.url);
    known.profile = profile;
    known.template_paragraphs = flagged_paragraphs(flags_);
    texts_.add(number, known_text_record(number, known));
    text_lines_.collect(
        number, known.site, profile_, flags_, [this](const LineTable& table, std::uint64_t key, std::string_view line) {
          const std::size_t place = place_of(table);
          const std::uint32_t task = table.name == kSketchLines.name ? task_of_sketch_key(key, settings_.partitions)
                                                                     : task_of_hash(key, settings_.partitions);
          lines_[place]->record_for(task).append(line);
        });
    count(counters_, "texts_remembered");
  }

  SpillArray<std::uint32_t> gone_;  // own pages that do not stay, ascending
  tables::PageNames names_;
  BlockBox texts_;
  std::vector<ParcelBox*> lines_;  // in the order of kLineTables
  TextLines text_lines_;
  Profile profile_;
  std::vector<std::uint8_t> flags_;
  std::vector<std::uint8_t> own_flags_;
};

// Sorts the lines of a range of keys. Templates come once for each page that has them, and are stored once.
class SortKnownTask : public TaskBase {
 public:
  explicit SortKnownTask(TaskInput&& input)
      : TaskBase(std::move(input)), lines_(sort_options(1.0 / kLineTables.size())) {}

  Status read_parcel(std::string_view kind, std::string_view bytes) override {
    const auto table = std::find_if(kLineTables.begin(), kLineTables.end(),
                                    [&](const LineTable& lines) { return lines.parcels == kind; });
    return for_each_line(bytes, *table, [&](std::string_view line) { return lines_.add(*table, line); });
  }

  Status finish() override {
    for (const LineTable& table : kLineTables) {
      ParcelBox& box = add_box(table.blocks, settings_.partitions);
      PARAPRINT_TRY(lines_.give(table, box, settings_.share, [] { return Status{}; }));
    }
    end_boxes();
    return {};
  }

 private:
  SortedTables lines_;
};

}  // namespace

std::unique_ptr<StageTask> make_remember_task(TaskInput&& input) {
  return std::make_unique<RememberTask>(std::move(input));
}
std::unique_ptr<StageTask> make_sort_known_task(TaskInput&& input) {
  return std::make_unique<SortKnownTask>(std::move(input));
}

}  // namespace paraprint::distribute::known
