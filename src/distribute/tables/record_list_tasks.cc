// Which pages go from each input, for the tasks that write its records, and which records revisit records may refer to:
//
//   cluster -> removed-pages -> list-removed -> records
//
// With revisit records in place of removed pages (OutputOptions::revisits), the pages that these may refer to must be
// read first. Of pages with one address and second, players could not tell which one is meant.
//
//   gather, cluster -> addresses -> meet-addresses -> wanted-pages -> list-wanted -> wanted
//   (the inputs are read) -> targets, removals -> join-targets -> removed-pages -> list-removed -> records
#include <algorithm>
#include <utility>

#include "base/propagate.h"
#include "distribute/tables/removal_records.h"
#include "distribute/tables/table_records.h"
#include "distribute/tables/table_tasks.h"
#include "memory/external_sort.h"
#include "memory/line_sorter.h"
#include "memory/spill_array.h"
#include "memory/spill_hash_table.h"
#include "report/json_lines.h"
#include "report/verdict_text.h"

namespace paraprint::distribute::tables {
namespace {

struct AddressTraits {
  static std::uint64_t key(const HashedAddress& address) { return address.hash; }
  static bool combine(HashedAddress&, const HashedAddress&) { return false; }
};

class MeetAddressesTask : public TaskBase {
 public:
  explicit MeetAddressesTask(TaskInput&& input)
      : TaskBase(std::move(input)),
        addresses_(sort_options(1)),
        wanted_(add_box("wanted-pages", settings_.partitions)) {}

  // A removed page has an address only if it stays for a revisit record of the input.
  Status read_parcel(std::string_view /*kind*/, std::string_view bytes) override {
    return for_each_record(bytes, "addresses", read_address, [this](const HashedAddress& address) -> Status {
      if (!is_page(address.page.page)) return corrupt("addresses");
      const bool stays = address.page.role != AddressRole::kRemoved || is_referred(address.page);
      return stays ? addresses_.push(address) : Status{};
    });
  }

  Status finish() override {
    PARAPRINT_TRY(addresses_.finish());
    HashedAddress address;
    HashedAddress last;
    std::uint64_t pages = 0;  // with the last address
    while (addresses_.next(address)) {
      if (pages > 0 && address.hash != last.hash) {
        give(last, pages);
        pages = 0;
      }
      last = address;
      ++pages;
    }
    give(last, pages);
    end_boxes();
    return addresses_.status();
  }

 private:
  bool is_referred(const AddressedPage& page) const {
    return std::binary_search(referred_places_.begin(), referred_places_.end(), RecordPlace{page.file, page.ordinal});
  }

  void give(const HashedAddress& address, std::uint64_t pages) {
    if (pages != 1 || address.page.role != AddressRole::kKeptWithCopies) return;
    ByteWriter out(wanted_.record_for(owner_of(address.page.page)));
    write_wanted_record({address.page.page, address.page.file, address.page.ordinal}, out);
  }

  ExternalSorter<HashedAddress, AddressTraits> addresses_;
  ParcelBox& wanted_;
};

struct WantedRecordTraits {
  static std::uint64_t key(const WantedRecord& wanted) { return wanted.page; }
  static bool combine(WantedRecord& into, const WantedRecord& from) { return into == from; }
};

// Pages follow the files, so those of an input come one after the other.
class ListWantedTask : public TaskBase {
 public:
  explicit ListWantedTask(TaskInput&& input)
      : TaskBase(std::move(input)),
        wanted_(sort_options(1)),
        lists_(add_box("wanted", static_cast<std::uint32_t>(settings_.inputs.size()))) {}

  Status read_parcel(std::string_view /*kind*/, std::string_view bytes) override {
    return for_each_record(bytes, "wanted pages", read_wanted_record, [this](const WantedRecord& wanted) -> Status {
      if (!is_own(wanted.page) || wanted.file >= settings_.inputs.size()) return corrupt("wanted pages");
      return wanted_.push(wanted);
    });
  }

  Status finish() override {
    PARAPRINT_TRY(wanted_.finish());
    for (WantedRecord wanted; wanted_.next(wanted);) {
      ByteWriter out(lists_.record_for(wanted.file));
      write_wanted_record(wanted, out);
    }
    end_boxes();
    return wanted_.status();
  }

 private:
  ExternalSorter<WantedRecord, WantedRecordTraits> wanted_;
  ParcelBox& lists_;
};

// At the owner of the page that stays.
class JoinTargetsTask : public TaskBase {
 public:
  explicit JoinTargetsTask(TaskInput&& input)
      : TaskBase(std::move(input)),
        removals_(&budget_),
        targets_(&budget_),
        place_of_target_(&budget_),
        removed_(add_box("removed-pages", settings_.partitions)) {}

  Status read_parcel(std::string_view kind, std::string_view bytes) override {
    if (kind == "targets") {
      return for_each_record(bytes, "targets", read_target_of_page, [this](const TargetOfPage& target) -> Status {
        if (!is_own(target.page)) return corrupt("targets");
        PARAPRINT_TRY(place_of_target_.find_or_add(target.page, targets_.size() + 1));
        record_.clear();
        ByteWriter out(record_);
        out.text(target.target);
        return targets_.append(std::span<const char>(record_));
      });
    }
    PARAPRINT_TRY(for_each_record(bytes, "removals", read_removal, [this](const Removal& removal) -> Status {
      return is_own(removal.kept_page) && is_page(removal.page) ? Status{} : corrupt("removals");
    }));
    return removals_.append(std::span<const char>(bytes));
  }

  Status finish() override {
    const std::string_view targets(targets_.data(), targets_.size());
    PARAPRINT_TRY(
        for_each_record({removals_.data(), removals_.size()}, "removals", read_removal, [&](Removal removal) -> Status {
          tick(&budget_);  // lets the budget move pages of the arrays to disk
          if (const auto place = place_of_target_.find(removal.kept_page); place > 0) {
            removal.removed.target = ByteReader(targets.substr(place - 1)).text();
          }
          ByteWriter out(removed_.record_for(owner_of(removal.page)));
          write_removal(removal, out);
          return {};
        }));
    end_boxes();
    return {};
  }

 private:
  SpillArray<char> removals_;                                     // records
  SpillArray<char> targets_;                                      // texts
  SpillHashTable<std::uint64_t, std::uint64_t> place_of_target_;  // by page; plus one
  ParcelBox& removed_;
  std::string record_;
};

// At the owner of the page that goes.
class ListRemovedTask : public TaskBase {
 public:
  explicit ListRemovedTask(TaskInput&& input)
      : TaskBase(std::move(input)),
        removals_(sort_options(1)),
        is_template_(&budget_),
        lists_(add_box("records", static_cast<std::uint32_t>(settings_.inputs.size()))) {}

  Status read_parcel(std::string_view kind, std::string_view bytes) override {
    if (kind == "templates") {
      if (is_template_.empty()) PARAPRINT_TRY(is_template_.assign(own_pages(), 0));
      return for_each_record(bytes, "templates", read_number, [this](std::uint32_t page) -> Status {
        if (!is_own(page)) return corrupt("templates");
        is_template_[page - first_own_page()] = 1;
        return {};
      });
    }
    return for_each_record(bytes, "removed pages", read_removal, [this](const Removal& removal) -> Status {
      if (!is_own(removal.page) || removal.file >= settings_.inputs.size()) return corrupt("removed pages");
      line_.clear();
      append_sortable(removal.page, line_);
      ByteWriter out(line_);
      write_removal(removal, out);
      return removals_.push(line_);
    });
  }

  // Only records in place of removed pages mention the kept page; otherwise its verdict need not travel on.
  Status finish() override {
    PARAPRINT_TRY(removals_.finish());
    for (std::string_view line;;) {
      PARAPRINT_ASSIGN(const bool has_line, removals_.next(line));
      if (!has_line) break;
      ByteReader in(line.substr(sizeof(Removal::page)));
      Removal removal = read_removal(in);
      const RecordPlace at{removal.file, removal.removed.ordinal};
      if (std::binary_search(referred_places_.begin(), referred_places_.end(), at)) continue;
      RemovedPage& removed = removal.removed;
      removed.is_template = !is_template_.empty() && is_template_[removal.page - first_own_page()] != 0 &&
                            removed.relation.verdict == verdict_name(Verdict::kSame) &&
                            removed.relation.reason != kReasonKnown;
      if (!options_.output.revisits) removed.relation = {};
      ByteWriter out(lists_.record_for(removal.file));
      write_removed_page(removed, out);
      count(counters_, "pages_to_remove");
    }
    end_boxes();
    return {};
  }

 private:
  LineSorter removals_;                   // each after its page
  SpillArray<std::uint8_t> is_template_;  // of the own pages; empty: none is
  ParcelBox& lists_;
  std::string line_;
};

}  // namespace

std::unique_ptr<StageTask> make_meet_addresses_task(TaskInput&& input) {
  return std::make_unique<MeetAddressesTask>(std::move(input));
}
std::unique_ptr<StageTask> make_list_wanted_task(TaskInput&& input) {
  return std::make_unique<ListWantedTask>(std::move(input));
}
std::unique_ptr<StageTask> make_join_targets_task(TaskInput&& input) {
  return std::make_unique<JoinTargetsTask>(std::move(input));
}
std::unique_ptr<StageTask> make_list_removed_task(TaskInput&& input) {
  return std::make_unique<ListRemovedTask>(std::move(input));
}

}  // namespace paraprint::distribute::tables
