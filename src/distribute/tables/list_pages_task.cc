// Writes a range of clusters.tsv and removed.jsonl, in the order of ids, and the outcome of each page for tables in
// other formats. The parts of all ranges, one after the other, are the files.
#include <algorithm>
#include <utility>

#include "base/propagate.h"
#include "distribute/tables/removal_records.h"
#include "distribute/tables/row_boxes.h"
#include "distribute/tables/table_tasks.h"
#include "memory/line_sorter.h"
#include "report/json_lines.h"
#include "report/tables.h"

namespace paraprint::distribute::tables {
namespace {

class ListPagesTask : public TaskBase {
 public:
  explicit ListPagesTask(TaskInput&& input)
      : TaskBase(std::move(input)),
        rows_(sort_options(1)),
        clusters_(add_box("clusters.tsv", settings_.partitions)),
        removed_(add_box("removed.jsonl", settings_.partitions)),
        outcome_(add_box("outcome", settings_.partitions)),
        referred_(add_box("referred-pages", 1)) {}

  Status read_parcel(std::string_view /*kind*/, std::string_view bytes) override {
    return for_each_record(bytes, "numbered rows", read_numbered_page, [this](const NumberedPage& numbered) -> Status {
      if (numbered.page.file >= settings_.inputs.size()) return corrupt("numbered rows");
      record_.clear();
      append_sortable(numbered.page.id, record_);
      ByteWriter out(record_);
      write_numbered_page(numbered, out);
      return rows_.push(record_);
    });
  }

  Status finish() override {
    PARAPRINT_TRY(rows_.finish());
    for (std::string_view line;;) {
      PARAPRINT_ASSIGN(const bool has_line, rows_.next(line));
      if (!has_line) break;
      ByteReader in(skip_sortable_id(line));
      const NumberedPage numbered = read_numbered_page(in);
      append_cluster_row(clusters_.record_for(settings_.share), numbered.page.id, numbered.cluster);
      if (!numbered.page.is_kept) list_removed(numbered);
      count(counters_, numbered.page.is_kept ? "pages_kept" : "pages_removed");
      ByteWriter out(outcome_.record_for(settings_.share));
      write_outcome(numbered, out);
      const RecordPlace place{numbered.page.file, numbered.page.ordinal};
      if (std::binary_search(referred_places_.begin(), referred_places_.end(), place)) tell(place, numbered);
    }
    end_boxes();
    return {};
  }

 private:
  void list_removed(const NumberedPage& numbered) {
    const TablePage& row = numbered.page;
    RemovedRow removed;
    removed.id = row.id;
    removed.url = row.url;
    removed.date = row.date;
    removed.verdict = row.verdict;
    removed.kept_id = row.kept_id;
    removed.kept_url = row.kept_url;
    removed.kept_date = row.kept_date;
    removed.resemblance = row.resemblance;
    removed.containment_removed = row.containment;
    removed.containment_kept = row.containment_kept;
    removed.reason = row.reason;
    removed.cluster = numbered.cluster;
    removed.file = settings_.inputs[row.file];
    removed.offset_bytes = row.offset_bytes;
    write_removed(json_, removed);
    removed_.record_for(settings_.share) += json_.take() + "\n";
  }

  // The driver, of a page that revisit records of the inputs refer to.
  void tell(const RecordPlace& place, const NumberedPage& numbered) {
    const TablePage& row = numbered.page;
    ReferredPage page{row.id, numbered.cluster, row.is_kept, true, row.verdict, row.kept_id, row.kept_url};
    if (row.is_kept) {
      page.kept_id = row.id;
      page.kept_url = row.url;
    }
    ByteWriter out(referred_.record_for(0));
    write_placed_page({place, page}, out);
  }

  static void write_outcome(const NumberedPage& numbered, ByteWriter& out) {
    const TablePage& row = numbered.page;
    out.variable(row.file);
    out.variable(row.ordinal);
    out.fixed(static_cast<std::uint8_t>(row.is_kept));
    out.variable(numbered.cluster);
    for (const std::string_view text : {row.id, row.url, row.is_kept ? row.id : row.kept_id}) out.text(text);
  }

  LineSorter rows_;  // each after its id
  ParcelBox& clusters_;
  ParcelBox& removed_;
  ParcelBox& outcome_;
  ParcelBox& referred_;
  JsonWriter json_;
  std::string record_;
};

}  // namespace

std::unique_ptr<StageTask> make_list_pages_task(TaskInput&& input) {
  return std::make_unique<ListPagesTask>(std::move(input));
}

}  // namespace paraprint::distribute::tables

namespace paraprint {

Status read_outcome(std::string_view parcel, const std::function<void(const PageOutcomeRow&)>& visit) {
  const auto read = [](ByteReader& in) {
    PageOutcomeRow row;
    row.file_index = distribute::read_number(in);
    row.ordinal = in.variable();
    row.is_kept = in.fixed<std::uint8_t>() != 0;
    row.cluster = distribute::read_number(in);
    for (std::string_view* text : {&row.id, &row.url, &row.kept_id}) *text = in.text();
    return row;
  };
  return distribute::for_each_record(parcel, "outcome", read, [&](const PageOutcomeRow& row) -> Status {
    visit(row);
    return {};
  });
}

}  // namespace paraprint
