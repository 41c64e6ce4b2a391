// Writes rows of matches.jsonl. Which pairs have a row and in which order was decided with matches.tsv; a task gets a
// range of rows and finds their passages with the scorer, from the profiles fetched for it. Concatenating the ranges
// gives the file.
#include "base/propagate.h"
#include "distribute/page_spool.h"
#include "distribute/tables/table_records.h"
#include "distribute/tables/table_tasks.h"
#include "memory/line_sorter.h"
#include "report/json_lines.h"

namespace paraprint::distribute::tables {
namespace {

class EvidenceTask : public TaskBase {
 public:
  explicit EvidenceTask(TaskInput&& input)
      : TaskBase(std::move(input)),
        spool_(boilerplate_, options_.match, settings_.temporary_folder, &budget_),
        pairs_(sort_options(1)),
        box_(add_box("matches.jsonl", settings_.partitions)) {}

  // Ids travel with the pair because tasks have no table of ids.
  Status read_parcel(std::string_view kind, std::string_view bytes) override {
    if (kind == "pages") return spool_.add_parcel(bytes);
    return for_each_record(bytes, "evidence", read_evidence_pair, [this](const EvidencePair& pair) -> Status {
      line_.clear();
      append_sortable(pair.place, line_);
      ByteWriter out(line_);
      write_evidence_pair(pair, out);
      return pairs_.push(line_);
    });
  }

  // Parcels arrive in any order, so rows are sorted by their place. Scores in the rows are those that were listed;
  // scoring again only yields the spans.
  Status finish() override {
    count(counters_, "profiles_received", spool_.size());
    PARAPRINT_TRY(spool_.finish());
    PARAPRINT_TRY(pairs_.finish());
    std::vector<MatchedSpan> spans;
    JsonWriter json;
    for (std::string_view line;;) {
      PARAPRINT_ASSIGN(const bool has_line, pairs_.next(line));
      if (!has_line) break;
      ByteReader in(line.substr(sizeof(EvidencePair::place)));
      const EvidencePair pair = read_evidence_pair(in);
      spans.clear();
      PARAPRINT_TRY(spool_.score(pair.match.page_a, pair.match.page_b, &spans));
      write_evidence(json, {pair.id_a, pair.id_b, pair.match, spans});
      box_.record_for(settings_.share) += json.take() + "\n";
      count(counters_, "evidence_rows");
    }
    end_boxes();
    return {};
  }

 private:
  PageSpool spool_;
  LineSorter pairs_;  // each after its place
  ParcelBox& box_;
  std::string line_;
};

}  // namespace

std::unique_ptr<StageTask> make_evidence_task(TaskInput&& input) {
  return std::make_unique<EvidenceTask>(std::move(input));
}

}  // namespace paraprint::distribute::tables
