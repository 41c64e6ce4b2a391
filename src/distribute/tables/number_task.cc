// Numbers clusters in the order of their first ids (docs/output.md). A task has a range of these ids: it gets the pages
// of the clusters that begin there, and from every task that sends some, how many clusters that task gave to earlier
// ranges; the sum is the number before its first one. Pages go on, with the number, to the ranges of their own ids.
#include <utility>

#include "base/propagate.h"
#include "distribute/tables/row_boxes.h"
#include "distribute/tables/table_tasks.h"
#include "memory/line_sorter.h"
#include "memory/spill_array.h"
#include "memory/spill_hash_table.h"

namespace paraprint::distribute::tables {
namespace {

class NumberTask : public TaskBase {
 public:
  explicit NumberTask(TaskInput&& input)
      : TaskBase(std::move(input)),
        firsts_(sort_options(1)),
        others_(&budget_),
        number_of_kept_page_(&budget_),
        rows_(add_box("numbered-rows", settings_.partitions)) {}

  Status read_parcel(std::string_view kind, std::string_view bytes) override {
    if (kind == "cluster-sums") {
      const auto read = [](ByteReader& in) { return in.variable(); };
      return for_each_record(bytes, "cluster sums", read, [this](std::uint64_t clusters) -> Status {
        last_number_ += clusters;
        return last_number_ < kAnySize ? Status{} : corrupt("cluster sums");
      });
    }
    return for_each_record(bytes, "page rows", read_table_page, [this](const TablePage& row) -> Status {
      record_.clear();
      if (row.is_first) append_sortable(row.id, record_);
      ByteWriter out(record_);
      write_table_page(row, out);
      return row.is_first ? firsts_.push(record_) : others_.append(std::span<const char>(record_));
    });
  }

  Status finish() override {
    PARAPRINT_TRY(firsts_.finish());
    for (std::string_view line;;) {
      PARAPRINT_ASSIGN(const bool has_line, firsts_.next(line));
      if (!has_line) break;
      ByteReader in(skip_sortable_id(line));
      const TablePage row = read_table_page(in);
      const auto number = static_cast<std::uint32_t>(++last_number_);
      give({number, row});
      count(counters_, "clusters");
      if (row.is_alone) continue;
      count(counters_, "clusters_of_copies");
      PARAPRINT_TRY(number_of_kept_page_.find_or_add(row.kept_page, number));
    }
    const std::string_view others(others_.data(), others_.size());
    PARAPRINT_TRY(for_each_record(others, "page rows", read_table_page, [this](const TablePage& row) -> Status {
      tick(&budget_);  // lets the budget move pages of the array to disk
      const std::uint32_t number = number_of_kept_page_.find(row.kept_page);
      if (number == 0) return corrupt("page rows");  // the first page of the cluster is missing
      give({number, row});
      return {};
    }));
    end_boxes();
    return {};
  }

 private:
  void give(const NumberedPage& numbered) {
    ByteWriter out(rows_.record_for(range_of_id(settings_.first_ids, numbered.page.id)));
    write_numbered_page(numbered, out);
  }

  LineSorter firsts_;                                                 // rows, each after its id
  SpillArray<char> others_;                                           // rows
  SpillHashTable<std::uint64_t, std::uint32_t> number_of_kept_page_;  // of clusters with copies
  ParcelBox& rows_;
  std::uint64_t last_number_ = 0;
  std::string record_;
};

}  // namespace

std::unique_ptr<StageTask> make_number_task(TaskInput&& input) {
  return std::make_unique<NumberTask>(std::move(input));
}

}  // namespace paraprint::distribute::tables
