// Which paragraphs are templates of their site according to earlier runs: the tasks of sites look them up for the sites
// that the run has, and they are broadcast like those of the run itself.
#include <algorithm>

#include "base/propagate.h"
#include "distribute/known/known_lines.h"
#include "distribute/known/known_tasks.h"
#include "memory/spill_array.h"
#include "memory/spill_hash_table.h"
#include "profile/page_match.h"

namespace paraprint::distribute::known {
namespace {

// A map task over facts.
class ListSitesTask : public TaskBase {
 public:
  explicit ListSitesTask(TaskInput&& input)
      : TaskBase(std::move(input)), seen_(&budget_), sites_(add_box("asked-sites", settings_.partitions)) {}

  bool needs_pages(std::uint64_t, std::uint64_t) const override { return true; }
  bool needs_profiles() const override { return false; }

  Status add_pages(std::uint64_t first_position, std::string_view facts, std::string_view /*profiles*/) override {
    return for_each_own_page_of_facts(first_position, facts, [this](std::uint32_t, const DriverPage& page) -> Status {
      const std::uint64_t site = site_of_url(page.url);
      if (site == 0) return {};
      const std::size_t before = seen_.size();
      PARAPRINT_TRY(seen_.find_or_add(site, 1));
      if (seen_.size() == before) return {};
      ByteWriter(sites_.record_for(task_of_hash(site, settings_.partitions))).fixed(site);
      return {};
    });
  }

  Status finish() override {
    end_boxes();
    return {};
  }

 private:
  SpillHashTable<std::uint64_t, std::uint8_t> seen_;
  ParcelBox& sites_;
};

// At the task of the site.
class FindTemplatesTask : public TaskBase {
 public:
  explicit FindTemplatesTask(TaskInput&& input) : TaskBase(std::move(input)), sites_(&budget_), entries_(&budget_) {}

  Status read_parcel(std::string_view /*kind*/, std::string_view bytes) override {
    const auto read = [](ByteReader& in) { return in.fixed<std::uint64_t>(); };
    return for_each_record(bytes, "sites", read, [this](std::uint64_t site) { return sites_.push_back(site); });
  }

  Status end_parcels() override {
    std::sort(sites_.begin(), sites_.end());
    return {};
  }

  std::string_view known_table() const override { return kTemplateLines.name; }
  bool needs_known(std::uint32_t, std::uint64_t first_key, std::uint64_t last_key) const override {
    const std::uint64_t* const at = std::lower_bound(sites_.begin(), sites_.end(), first_key);
    return at != sites_.end() && *at <= last_key;
  }

  Status add_known(std::uint32_t, std::string_view block) override {
    return for_each_line(block, kTemplateLines, [this](std::string_view line) -> Status {
      const bool is_asked = std::binary_search(sites_.begin(), sites_.end(), key_of_line(line));
      return is_asked ? entries_.push_back(entry_of_line(line)) : Status{};
    });
  }

  // Several runs may have found the same one.
  Status finish() override {
    std::sort(entries_.begin(), entries_.end());
    entries_.shrink(static_cast<std::size_t>(std::unique(entries_.begin(), entries_.end()) - entries_.begin()));
    add_box("known-templates", 1).record_for(0) = write_entries({entries_.begin(), entries_.end()});
    count(counters_, "known_templates", entries_.size());
    end_boxes();
    return {};
  }

 private:
  SpillArray<std::uint64_t> sites_;    // ascending
  SpillArray<std::uint64_t> entries_;  // SiteBoilerplate::entries()
};

}  // namespace

std::unique_ptr<StageTask> make_list_sites_task(TaskInput&& input) {
  return std::make_unique<ListSitesTask>(std::move(input));
}
std::unique_ptr<StageTask> make_find_templates_task(TaskInput&& input) {
  return std::make_unique<FindTemplatesTask>(std::move(input));
}

}  // namespace paraprint::distribute::known
