// Makes ids unique, as PageTable::finish() does for a run in one process: the second page with an id gets "#2" after
// it, and so on, but for numbers that some page's id has already. Ids that can become each other meet in one task,
// because owners of pages send an id to the task of what is left of it without all "#2" at its end (task_of_id()).
#include <algorithm>
#include <array>

#include "base/hash.h"
#include "base/propagate.h"
#include "distribute/tables/page_names.h"
#include "distribute/tables/table_tasks.h"
#include "memory/line_sorter.h"
#include "memory/spill_hash_table.h"

namespace paraprint::distribute::tables {
namespace {

// The id without "#" and digits at its end; the same if there are none.
std::string_view without_number(std::string_view id) {
  const std::size_t last = id.find_last_not_of("0123456789");
  return last != std::string_view::npos && last + 1 < id.size() && id[last] == '#' ? id.substr(0, last) : id;
}

class NamesTask : public TaskBase {
 public:
  explicit NamesTask(TaskInput&& input)
      : TaskBase(std::move(input)),
        ids_(sort_options(1)),
        numbered_ids_(&budget_),
        names_(add_box("names", settings_.partitions)) {}

  Status read_parcel(std::string_view /*kind*/, std::string_view bytes) override {
    return for_each_record(bytes, "ids", read_id_of_page, [this](const IdOfPage& page) -> Status {
      if (!is_page(page.page)) return corrupt("ids");
      if (without_number(page.id).size() < page.id.size()) {
        PARAPRINT_TRY(numbered_ids_.find_or_add(key_of(page.id), 1));
      }
      line_.clear();
      append_sortable(page.id, line_);
      append_sortable(page.page, line_);
      return ids_.push(line_);
    });
  }

  // The pages of an id come one after the other, in their order.
  Status finish() override {
    PARAPRINT_TRY(ids_.finish());
    std::string last;  // id, as it was sorted
    std::uint32_t number = 1;
    for (std::string_view line;;) {
      PARAPRINT_ASSIGN(const bool has_line, ids_.next(line));
      if (!has_line) break;
      const std::string_view page = skip_sortable_id(line);
      const std::string_view id = line.substr(0, line.size() - page.size());
      if (id != last) {
        last = id;
        number = 1;
        continue;
      }
      number = next_free(unsorted_id(id), number);
      const std::uint32_t repeated = unsorted_number<std::uint32_t>(page);
      ByteWriter out(names_.record_for(owner_of(repeated)));
      write_numbered_id({repeated, number}, out);
      count(counters_, "ids_repeated");
    }
    end_boxes();
    return {};
  }

 private:
  using IdKey = std::array<std::uint64_t, 2>;

  static IdKey key_of(std::string_view id) {
    const Fingerprint128 hash = blake2b128(id);  // ids are foreign bytes
    return {hash.high, hash.low};
  }

  // The first number after `number` that no page's own id has.
  std::uint32_t next_free(std::string_view id, std::uint32_t number) const {
    do {
      ++number;
    } while (numbered_ids_.find(key_of(numbered_name(id, number))) != 0);
    return number;
  }

  LineSorter ids_;
  SpillHashTable<IdKey, std::uint32_t> numbered_ids_;  // those that a number could make of another id
  ParcelBox& names_;
  std::string line_;
};

}  // namespace

std::uint32_t task_of_id(std::string_view id, std::uint32_t partitions) {
  for (std::string_view shorter = without_number(id); shorter.size() < id.size(); shorter = without_number(id)) {
    id = shorter;
  }
  return static_cast<std::uint32_t>(hash64(id) % partitions);
}

std::unique_ptr<StageTask> make_names_task(TaskInput&& input) {
  return std::make_unique<NamesTask>(std::move(input));
}

}  // namespace paraprint::distribute::tables
