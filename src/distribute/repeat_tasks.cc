// What pages have in common with pages of other tasks before any comparison: their text, their id, and the number of
// pages of their site. Owners of pages send ids to the tasks that make them unique (tables/names_task.cc), and the
// hashes of texts and the counts of sites to the tasks of these. They get back the first page of each text that occurs
// more than once; links between the two go to the search for components. Sites are broadcast, but only those with
// enough pages for a template.
#include <algorithm>

#include "base/hash.h"
#include "base/propagate.h"
#include "distribute/link_box.h"
#include "distribute/tables/page_names.h"
#include "distribute/task_base.h"
#include "engine/pair_scorer.h"
#include "memory/spill_hash_table.h"

namespace paraprint::distribute {
namespace {

// A map task over facts: it reads no profiles.
class TextsTask : public TaskBase {
 public:
  explicit TextsTask(TaskInput&& input)
      : TaskBase(std::move(input)),
        sends_texts_(has_text_representatives(page_level_)),
        pages_of_site_(&budget_),
        texts_(add_box("texts", settings_.partitions)),
        sites_(add_box("sites", settings_.partitions)),
        ids_(add_box("ids", settings_.partitions)) {}

  bool needs_pages(std::uint64_t, std::uint64_t) const override { return true; }
  bool needs_profiles() const override { return false; }

  // Pages without text represent themselves, as in CandidateBuilder, and so do all pages whose raw bytes are compared.
  Status add_pages(std::uint64_t first_position, std::string_view facts, std::string_view /*profiles*/) override {
    return for_each_own_page_of_facts(
        first_position, facts, [this](std::uint32_t number, const DriverPage& page) -> Status {
          if (sends_texts_ && page.content_characters > 0) {
            ByteWriter out(texts_.record_for(static_cast<std::uint32_t>(page.text_hash[0] % settings_.partitions)));
            write_text_of_page({page.text_hash, number}, out);
          }
          ByteWriter id(ids_.record_for(tables::task_of_id(page.id, settings_.partitions)));
          tables::write_id_of_page({number, page.id}, id);
          const std::uint64_t site = site_of_url(page.url);
          if (site == 0 || !options_.candidates.boilerplate || !options_.profile.paragraphs) return {};
          PARAPRINT_ASSIGN(std::uint64_t* const pages, pages_of_site_.find_or_add(site, 1));
          ++*pages;
          return {};
        });
  }

  Status finish() override {
    pages_of_site_.for_each([this](std::uint64_t site, std::uint64_t pages_plus_one) {
      ByteWriter out(sites_.record_for(static_cast<std::uint32_t>(mix64(site) % settings_.partitions)));
      write_site_pages({site, pages_plus_one - 1}, out);
    });
    end_boxes();
    return {};
  }

 private:
  const bool sends_texts_;
  SpillHashTable<std::uint64_t, std::uint64_t> pages_of_site_;  // plus 1
  ParcelBox& texts_;
  ParcelBox& sites_;
  ParcelBox& ids_;
};

struct TextOfPageTraits {
  static std::uint64_t key(const TextOfPage& record) { return record.text_hash[0]; }
  static bool combine(TextOfPage&, const TextOfPage&) { return false; }
};

struct SitePagesTraits {
  static std::uint64_t key(const SitePages& record) { return record.site; }
  static bool combine(SitePages& into, const SitePages& from) {
    if (into.site != from.site) return false;
    into.pages += from.pages;
    return true;
  }
};

// A text on most pages of the run is one task's work, which is a sort on disk.
class RepeatsTask : public TaskBase {
 public:
  explicit RepeatsTask(TaskInput&& input)
      : TaskBase(std::move(input)),
        texts_(sort_options(kTextShare)),
        sites_(sort_options(1 - kTextShare)),
        copies_(add_box("copies", settings_.partitions)),
        links_(add_box("links", settings_.partitions), settings_.partitions) {}

  Status read_parcel(std::string_view kind, std::string_view bytes) override {
    if (kind == "sites") {
      return for_each_record(bytes, "sites", read_site_pages,
                             [this](const SitePages& record) { return sites_.push(record); });
    }
    return for_each_record(bytes, "texts", read_text_of_page, [this](const TextOfPage& record) -> Status {
      return is_page(record.page) ? texts_.push(record) : corrupt("texts");
    });
  }

  Status finish() override {
    PARAPRINT_TRY(find_copies());
    PARAPRINT_TRY(find_large_sites());
    end_boxes();
    return {};
  }

 private:
  static constexpr double kTextShare = 0.8;

  Status find_copies() {
    PARAPRINT_TRY(texts_.finish());
    TextOfPage first;
    TextOfPage record;
    for (bool is_first = true; texts_.next(record); is_first = false) {
      if (is_first || record.text_hash != first.text_hash) {
        first = record;
        continue;
      }
      if (record.page == first.page) return corrupt("texts");  // a page that came twice
      ByteWriter out(copies_.record_for(owner_of(record.page)));
      write_copied_page({record.page, first.page}, out);
      links_.connect(first.page, record.page);
    }
    return texts_.status();
  }

  Status find_large_sites() {
    PARAPRINT_TRY(sites_.finish());
    const std::size_t enough = SiteBoilerplateOptions().minimum_site_pages;
    std::vector<std::uint64_t> large;
    SitePages record;
    while (sites_.next(record)) {
      if (record.pages >= enough) large.push_back(record.site);
    }
    if (!large.empty()) add_box("large-sites", 1).record_for(0) = write_entries(large);
    return sites_.status();
  }

  ExternalSorter<TextOfPage, TextOfPageTraits> texts_;
  ExternalSorter<SitePages, SitePagesTraits> sites_;
  ParcelBox& copies_;
  LinkBox links_;
};

}  // namespace

std::unique_ptr<StageTask> make_texts_task(TaskInput&& input) {
  return std::make_unique<TextsTask>(std::move(input));
}
std::unique_ptr<StageTask> make_repeats_task(TaskInput&& input) {
  return std::make_unique<RepeatsTask>(std::move(input));
}

}  // namespace paraprint::distribute
