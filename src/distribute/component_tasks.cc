// From links to components: each page with a link learns its component, and is sent, with what clustering and the
// tables need to know of it, to the task of the component. That task finds out which profiles clustering may want,
// since it may compare pairs that nothing has compared before, and clusters the pages (cluster_task.cc). Pages without
// a link are clusters of their own.
#include <algorithm>
#include <optional>

#include "base/hash.h"
#include "base/propagate.h"
#include "distribute/tables/page_names.h"
#include "distribute/tables/removal_records.h"
#include "distribute/tables/row_boxes.h"
#include "distribute/task_base.h"
#include "engine/surviving_records.h"
#include "memory/spill_array.h"
#include "memory/spill_hash_table.h"

namespace paraprint::distribute {
namespace {

// At the owner of pages: facts, component and first page of equal text of each, to the task of the component. Copies of
// a text also go to the owner of its first page, and pages without a link to the range of their id.
class GatherTask : public TaskBase {
 public:
  explicit GatherTask(TaskInput&& input)
      : TaskBase(std::move(input)),
        component_(&budget_),
        representative_(&budget_),
        matches_(&budget_),
        names_(&budget_),
        known_(&budget_),
        place_of_known_(&budget_),
        members_(add_box("members", settings_.partitions)),
        edges_(add_box("edges", settings_.partitions)),
        groups_(add_box("groups", settings_.partitions)),
        rows_(add_box("page-rows", settings_.partitions), add_box("cluster-sums", settings_.partitions),
              settings_.first_ids),
        gives_addresses_(options_.output.records && options_.output.revisits),
        addresses_(add_box("addresses", settings_.partitions), settings_.partitions) {}

  Status read_parcel(std::string_view kind, std::string_view bytes) override {
    if (kind == "matches") {
      return for_each_record(bytes, "matches", read_match, [this](const Match& match) -> Status {
        return is_own(match.page_a) && is_page(match.page_b) ? matches_.push_back(match) : corrupt("matches");
      });
    }
    if (kind == "names") {
      return names_.add_parcel(bytes, [this](std::uint32_t page) { return is_own(page); });
    }
    if (kind == "known-pages") return add_known_pages(bytes);
    PARAPRINT_TRY(begin());
    if (kind == "copies") {
      return for_each_record(bytes, "copies", read_copied_page, [this](const CopiedPage& copy) -> Status {
        if (!is_own(copy.page)) return corrupt("copies");
        representative_[copy.page - first_own_page()] = copy.first;
        return {};
      });
    }
    return for_each_record(bytes, "places", read_page_link, [this](const PageLink& link) -> Status {
      if (!is_own(link.page) || link.other > link.page) return corrupt("places");
      component_[link.page - first_own_page()] = link.other;
      return {};
    });
  }

  // A match of pages in different components is no link; the task of the component recognises it.
  Status end_parcels() override {
    PARAPRINT_TRY(begin());
    names_.finish();
    for (const Match& match : matches_) {
      const std::uint32_t component = component_[match.page_a - first_own_page()];
      if (component == kNoPage) continue;
      ByteWriter out(edges_.record_for(task_of_component(component)));
      write_component_match({component, match}, out);
    }
    return {};
  }

  bool needs_pages(std::uint64_t first_position, std::uint64_t pages) const override {
    return has_own_pages(first_position, pages);
  }
  bool needs_profiles() const override { return false; }

  Status add_pages(std::uint64_t first_position, std::string_view facts, std::string_view /*profiles*/) override {
    return for_each_own_page_of_facts(
        first_position, facts, [this](std::uint32_t number, const DriverPage& page) -> Status {
          if (!is_own(number)) return corrupt("facts");
          const std::string_view id = names_.name_of(number, page.id);
          const RecordLocation& at = page.location;
          const std::optional<KnownPage> known = known_page(number);
          std::uint32_t component = component_[number - first_own_page()];
          // The task of a component gives the rows of all pages that go.
          if (component == kNoPage && known) component = number;
          if (component == kNoPage) {
            if (gives_addresses_) {
              addresses_.give(hash_of_address(page.url, page.date),
                              {number, at.file_index, at.ordinal, tables::AddressRole::kKept});
            }
            rows_.give({.id = id, .url = page.url, .file = at.file_index, .ordinal = at.ordinal, .kept_page = number},
                       id);
            return {};
          }
          const std::uint32_t first = representative_[number - first_own_page()];
          ByteWriter out(members_.record_for(task_of_component(component)));
          write_component_page({component, number, first == kNoPage ? number : first, page.content_characters,
                                at.file_index, at.ordinal, at.offset_bytes, id, page.url, page.date, known},
                               out);
          if (first == kNoPage) return {};
          ByteWriter group(groups_.record_for(owner_of(first)));
          tables::write_grouped_page({first, number, id}, group);
          return {};
        });
  }

  Status finish() override {
    rows_.give_sums();
    end_boxes();
    return {};
  }

 private:
  static constexpr std::uint32_t kNoPage = kAnySize;

  Status begin() {
    if (component_.size() == own_pages()) return {};
    PARAPRINT_TRY(component_.assign(own_pages(), kNoPage));
    return representative_.assign(own_pages(), kNoPage);
  }

  Status add_known_pages(std::string_view bytes) {
    return for_each_record(bytes, "known pages", read_known_answer, [this](const KnownAnswer& found) -> Status {
      if (!is_own(found.page)) return corrupt("known pages");
      PARAPRINT_TRY(place_of_known_.find_or_add(found.page, known_.size() + 1));
      record_.clear();
      ByteWriter out(record_);
      write_known_page(found.known, out);
      return known_.append(std::span<const char>(record_));
    });
  }

  std::optional<KnownPage> known_page(std::uint32_t page) const {
    const std::uint64_t place = place_of_known_.find(page);
    if (place == 0) return std::nullopt;
    ByteReader in(std::string_view(known_.data() + place - 1, known_.size() - place + 1));
    return read_known_page(in);
  }

  std::uint32_t task_of_component(std::uint32_t component) const {
    return static_cast<std::uint32_t>(mix64(component) % settings_.partitions);
  }

  SpillArray<std::uint32_t> component_;       // of the own pages
  SpillArray<std::uint32_t> representative_;  // likewise, of those that repeat a text
  SpillArray<Match> matches_;
  tables::PageNames names_;
  SpillArray<char> known_;                                       // records of known pages
  SpillHashTable<std::uint64_t, std::uint64_t> place_of_known_;  // in known_, plus one; by page
  std::string record_;
  ParcelBox& members_;
  ParcelBox& edges_;
  ParcelBox& groups_;
  tables::PageRowBox rows_;
  const bool gives_addresses_;
  tables::AddressBox addresses_;
};

// A page of a component; or a match, by its second page, because a page that is missing there is in another component.
struct ComponentEntry {
  std::uint32_t component = 0;
  std::uint32_t page = 0;
  std::uint32_t first = 0;  // page of equal text, or of the match
  friend auto operator<=>(const ComponentEntry&, const ComponentEntry&) = default;
};
struct ComponentEntryTraits {
  static std::uint64_t key(const ComponentEntry& entry) { return std::uint64_t{entry.component} << 32 | entry.page; }
  static bool combine(ComponentEntry&, const ComponentEntry&) { return false; }
};
using ComponentSorter = ExternalSorter<ComponentEntry, ComponentEntryTraits>;

// Passes on what it gets to the clustering task of its number, and asks for the profiles of components of which some
// two texts have not been compared.
class AssembleTask : public TaskBase {
 public:
  explicit AssembleTask(TaskInput&& input)
      : TaskBase(std::move(input)),
        pages_(sort_options(0.5)),
        matches_(sort_options(0.5)),
        texts_(&budget_),
        members_(add_box("members", settings_.partitions)),
        edges_(add_box("edges", settings_.partitions)),
        requests_(add_box("requests", settings_.partitions)) {}

  Status read_parcel(std::string_view kind, std::string_view bytes) override {
    if (kind == "members") {
      members_.record_for(settings_.share).append(bytes);
      return for_each_record(bytes, "members", read_component_page, [this](const ComponentPage& page) -> Status {
        if (!is_page(page.page)) return corrupt("members");
        return pages_.push({page.component, page.page, page.representative});
      });
    }
    edges_.record_for(settings_.share).append(bytes);
    return for_each_record(bytes, "edges", read_component_match, [this](const ComponentMatch& edge) {
      return matches_.push({edge.component, edge.match.page_b, edge.match.page_a});
    });
  }

  Status finish() override {
    if (options_.survivors.clusters == ClusterMode::kStar) PARAPRINT_TRY(ask_for_profiles());
    end_boxes();
    return {};
  }

 private:
  // Both sorters are in the order of components and pages.
  Status ask_for_profiles() {
    PARAPRINT_TRY(pages_.finish());
    PARAPRINT_TRY(matches_.finish());
    ComponentEntry page;
    ComponentEntry match;
    bool has_match = matches_.next(match);
    std::uint32_t component = 0;
    std::uint64_t compared = 0;
    while (pages_.next(page)) {
      if (page.component != component) {
        ask_for_texts(compared);
        component = page.component;
        compared = 0;
      }
      if (page.first == page.page) PARAPRINT_TRY(texts_.push_back(page.page));
      for (; has_match && ComponentEntryTraits::key(match) <= ComponentEntryTraits::key(page);
           has_match = matches_.next(match)) {
        if (ComponentEntryTraits::key(match) == ComponentEntryTraits::key(page)) ++compared;
      }
    }
    ask_for_texts(compared);
    if (!pages_.status()) return pages_.status();
    return matches_.status();
  }

  // Stored matches are between first pages of texts, each pair once, so counting them is enough.
  void ask_for_texts(std::uint64_t compared) {
    const std::uint64_t texts = texts_.size();
    if (texts > 1 && compared < texts * (texts - 1) / 2) {
      for (const std::uint32_t page : texts_) {
        ByteWriter out(requests_.record_for(owner_of(page)));
        write_wanted_page({page, settings_.share}, out);
      }
    }
    texts_.clear();
  }

  ComponentSorter pages_;
  ComponentSorter matches_;
  SpillArray<std::uint32_t> texts_;  // first pages of the texts of a component
  ParcelBox& members_;
  ParcelBox& edges_;
  ParcelBox& requests_;
};

}  // namespace

std::unique_ptr<StageTask> make_gather_task(TaskInput&& input) {
  return std::make_unique<GatherTask>(std::move(input));
}
std::unique_ptr<StageTask> make_assemble_task(TaskInput&& input) {
  return std::make_unique<AssembleTask>(std::move(input));
}

}  // namespace paraprint::distribute
