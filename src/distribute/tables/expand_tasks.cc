// From stored matches, which are between first pages of texts, to the rows of matches.tsv, which are between all pages:
// the owner of the first page of a match names the pages with its text, the owner of the second page those with the
// other text, and makes the rows. Pairs of equal text are rows, too. output_stage.cc does the same in one process.
#include "base/propagate.h"
#include "distribute/tables/page_names.h"
#include "distribute/tables/row_boxes.h"
#include "distribute/tables/table_tasks.h"
#include "distribute/tables/text_groups.h"
#include "engine/output_stage.h"
#include "memory/spill_array.h"

namespace paraprint::distribute::tables {
namespace {

// The groups of equal text of own pages, with the ids of their pages. Those of first pages are in the facts, those of
// the others came as parcels.
class ExpandTask : public TaskBase {
 public:
  explicit ExpandTask(TaskInput&& input)
      : TaskBase(std::move(input)),
        groups_(&budget_),
        rows_(add_box("match-rows", settings_.partitions), settings_.first_ids),
        is_wanted_(&budget_),
        names_(&budget_) {}

  Status end_parcels() override {
    names_.finish();
    return {};
  }

  bool needs_pages(std::uint64_t first_position, std::uint64_t pages) const override {
    for (std::uint64_t page = first_position; page < first_position + pages; ++page) {
      if (is_wanted(page)) return true;
    }
    return false;
  }
  bool needs_profiles() const override { return false; }

  Status add_pages(std::uint64_t first_position, std::string_view facts, std::string_view /*profiles*/) override {
    return for_each_page_of_facts(
        first_position, facts, [this](std::uint32_t number, const DriverPage& page) -> Status {
          if (!is_wanted(number)) return {};
          return groups_.add({number, number, page.content_characters}, names_.name_of(number, page.id));
        });
  }

 protected:
  Status read_names(std::string_view bytes) {
    return names_.add_parcel(bytes, [this](std::uint32_t page) { return is_own(page); });
  }

  Status read_groups(std::string_view bytes) {
    return for_each_record(bytes, "groups", read_grouped_page, [this](const GroupedPage& grouped) -> Status {
      if (!is_own(grouped.first) || !is_page(grouped.page)) return corrupt("groups");
      PARAPRINT_TRY(want(grouped.first));
      return groups_.add({grouped.first, grouped.page, 0}, grouped.id);
    });
  }

  // The group of an own page must be known when pages have been added.
  Status want(std::uint32_t page) {
    if (is_wanted_.empty()) PARAPRINT_TRY(is_wanted_.assign(own_pages(), 0));
    is_wanted_[page - first_own_page()] = 1;
    return {};
  }

  // Fails if the facts of the first page are missing.
  Result<std::span<const TextGroups::Member>> group_of(std::uint32_t first) const {
    const std::span<const TextGroups::Member> group = groups_.of(first);
    if (group.empty() || group.front().page != first) return corrupt("facts");
    return group;
  }

  PairedPage paired(const TextGroups::Member& member) const {
    return {groups_.id(member), member.page, member.page == member.first};
  }

  TextGroups groups_;
  MatchRowBox rows_;

 private:
  bool is_wanted(std::uint64_t page) const {
    const std::uint64_t place = page - first_own_page();
    return place < is_wanted_.size() && is_wanted_[place] != 0;
  }

  SpillArray<std::uint8_t> is_wanted_;  // of the own pages
  PageNames names_;
};

class ExpandFirstTask : public ExpandTask {
 public:
  explicit ExpandFirstTask(TaskInput&& input)
      : ExpandTask(std::move(input)),
        matches_(&budget_),
        halves_(add_box("half-rows", settings_.partitions)),
        passed_groups_(add_box("groups", settings_.partitions)) {}

  Status read_parcel(std::string_view kind, std::string_view bytes) override {
    if (kind == "names") return read_names(bytes);
    if (kind == "groups") {
      passed_groups_.record_for(settings_.share).append(bytes);
      return read_groups(bytes);
    }
    return for_each_record(bytes, "matches", read_match, [this](const Match& match) -> Status {
      if (!is_own(match.page_a) || !is_page(match.page_b)) return corrupt("matches");
      if (match.verdict == Verdict::kDistinct) return {};
      PARAPRINT_TRY(want(match.page_a));
      return matches_.push_back(match);
    });
  }

  Status finish() override {
    groups_.finish();
    for (const TextGroups::Member& member : groups_.members()) {
      if (member.page == member.first) PARAPRINT_TRY(give_same_text_pairs(member.first));
    }
    for (const Match& match : matches_) {
      tick(&budget_);  // lets the budget move pages of the arrays to disk
      PARAPRINT_ASSIGN(const std::span<const TextGroups::Member> group, group_of(match.page_a));
      for (const TextGroups::Member& member : group) {
        ByteWriter out(halves_.record_for(owner_of(match.page_b)));
        write_half_row({match, static_cast<std::uint32_t>(group.size()), member.page, groups_.id(member)}, out);
      }
    }
    end_boxes();
    return {};
  }

 private:
  Status give_same_text_pairs(std::uint32_t first) {
    PARAPRINT_ASSIGN(const std::span<const TextGroups::Member> group, group_of(first));
    Match same{0, 0, Verdict::kSame, 1, 1, 1, static_cast<float>(group.front().content_characters)};
    for (std::size_t i = 0; i < same_text_centres(group.size()); ++i) {
      for (std::size_t j = i + 1; j < group.size(); ++j) rows_.give(paired(group[i]), paired(group[j]), same);
    }
    return {};
  }

  SpillArray<Match> matches_;
  ParcelBox& halves_;
  ParcelBox& passed_groups_;
};

class ExpandSecondTask : public ExpandTask {
 public:
  explicit ExpandSecondTask(TaskInput&& input) : ExpandTask(std::move(input)), halves_(&budget_) {}

  Status read_parcel(std::string_view kind, std::string_view bytes) override {
    if (kind == "names") return read_names(bytes);
    if (kind == "groups") return read_groups(bytes);
    PARAPRINT_TRY(for_each_record(bytes, "half rows", read_half_row, [this](const HalfRow& half) -> Status {
      return is_own(half.match.page_b) && half.group_size > 0 ? want(half.match.page_b) : corrupt("half rows");
    }));
    return halves_.append(std::span<const char>(bytes));
  }

  Status finish() override {
    groups_.finish();
    const std::string_view halves(halves_.data(), halves_.size());
    PARAPRINT_TRY(for_each_record(halves, "half rows", read_half_row, [this](const HalfRow& half) -> Status {
      tick(&budget_);  // lets the budget move pages of the arrays to disk
      PARAPRINT_ASSIGN(const std::span<const TextGroups::Member> group, group_of(half.match.page_b));
      const PairedPage a{half.id, half.page, half.page == half.match.page_a};
      for (const TextGroups::Member& member : group) {
        const PairedPage b = paired(member);
        if (has_pair_row(half.group_size, group.size(), a.is_first, b.is_first)) rows_.give(a, b, half.match);
      }
      return {};
    }));
    end_boxes();
    return {};
  }

 private:
  SpillArray<char> halves_;  // records
};

}  // namespace

std::unique_ptr<StageTask> make_expand_first_task(TaskInput&& input) {
  return std::make_unique<ExpandFirstTask>(std::move(input));
}
std::unique_ptr<StageTask> make_expand_second_task(TaskInput&& input) {
  return std::make_unique<ExpandSecondTask>(std::move(input));
}

}  // namespace paraprint::distribute::tables
