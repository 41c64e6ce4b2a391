// Writes a range of matches.tsv, in the order of the smaller ids. With evidence, it also says which of the rows have
// one in matches.jsonl, and asks for the profiles of their pages.
#include <bit>
#include <utility>

#include "base/propagate.h"
#include "distribute/tables/row_boxes.h"
#include "distribute/tables/table_tasks.h"
#include "engine/output_stage.h"
#include "memory/external_sort.h"
#include "memory/line_sorter.h"
#include "report/tables.h"

namespace paraprint::distribute::tables {
namespace {

struct PageNumberTraits {
  static std::uint64_t key(std::uint32_t page) { return page; }
  static bool combine(std::uint32_t& into, std::uint32_t from) { return into == from; }
};

class ListMatchesTask : public TaskBase {
 public:
  explicit ListMatchesTask(TaskInput&& input)
      : TaskBase(std::move(input)),
        rows_(sort_options(kRowShare)),
        wanted_(sort_options(1 - kRowShare)),
        matches_(add_box("matches.tsv", settings_.partitions)),
        evidence_(add_box("evidence", settings_.partitions)),
        requests_(add_box("requests", settings_.partitions)) {}

  // All that decides about the order in one process takes part in it.
  Status read_parcel(std::string_view /*kind*/, std::string_view bytes) override {
    return for_each_record(bytes, "match rows", read_match_row, [this](const MatchRow& row) -> Status {
      if (!is_page(row.match.page_a) || !is_page(row.match.page_b)) return corrupt("match rows");
      const Match& match = row.match;
      line_.clear();
      append_sortable(row.id_a, line_);
      append_sortable(row.id_b, line_);
      line_ += static_cast<char>(match.verdict);
      for (const float score :
           {match.resemblance, match.containment_a, match.containment_b, match.matched_characters}) {
        append_sortable(std::bit_cast<std::uint32_t>(score), line_);
      }
      ByteWriter out(line_);
      write_match_row(row, out);
      return rows_.push(line_);
    });
  }

  // A pair can occur twice, as a stored match and as a comparison of clustering; the first one in the order is kept.
  Status finish() override {
    PARAPRINT_TRY(rows_.finish());
    std::string last;  // ids of a row
    for (std::string_view line;;) {
      PARAPRINT_ASSIGN(const bool has_line, rows_.next(line));
      if (!has_line) break;
      const std::string_view scores = skip_sortable_id(skip_sortable_id(line));
      const std::string_view ids = line.substr(0, line.size() - scores.size());
      if (ids == last) continue;
      last = ids;
      ByteReader in(scores.substr(kScoreBytes));
      PARAPRINT_TRY(list(read_match_row(in)));
    }
    Status asked = ask_for_profiles();
    end_boxes();
    return asked;
  }

 private:
  static constexpr double kRowShare = 0.75;
  static constexpr std::size_t kScoreBytes = 1 + 4 * sizeof(float);  // with the verdict

  Status list(const MatchRow& row) {
    const Match& match = row.match;
    append_match_row(matches_.record_for(settings_.share), row.id_a, row.id_b, match.resemblance, match.verdict);
    count(counters_, "matches_listed");
    if (!options_.output.evidence || !has_evidence_row(match.verdict, row.is_first_a, row.is_first_b)) return {};
    ByteWriter out(evidence_.record_for(settings_.share));
    write_evidence_pair({evidence_rows_++, match, row.id_a, row.id_b}, out);
    PARAPRINT_TRY(wanted_.push(match.page_a));
    return wanted_.push(match.page_b);
  }

  Status ask_for_profiles() {
    PARAPRINT_TRY(wanted_.finish());
    for (std::uint32_t page = 0; wanted_.next(page);) {
      ByteWriter out(requests_.record_for(owner_of(page)));
      write_wanted_page({page, settings_.share}, out);
    }
    return wanted_.status();
  }

  LineSorter rows_;  // each after what it is sorted by
  ExternalSorter<std::uint32_t, PageNumberTraits> wanted_;
  ParcelBox& matches_;
  ParcelBox& evidence_;
  ParcelBox& requests_;
  std::uint64_t evidence_rows_ = 0;
  std::string line_;
};

}  // namespace

std::unique_ptr<StageTask> make_list_matches_task(TaskInput&& input) {
  return std::make_unique<ListMatchesTask>(std::move(input));
}

}  // namespace paraprint::distribute::tables
