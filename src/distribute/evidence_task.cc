// Writes rows of matches.jsonl. The driver decides which pairs have a row and in which order; a task gets a range of
// rows and finds their passages with the scorer, from the profiles fetched for it. Concatenating the ranges gives the
// file.
#include <algorithm>

#include "base/propagate.h"
#include "distribute/page_spool.h"
#include "distribute/task_base.h"
#include "report/json_lines.h"

namespace paraprint::distribute {
namespace {

class EvidenceTask : public TaskBase {
 public:
  explicit EvidenceTask(TaskInput&& input)
      : TaskBase(std::move(input)),
        spool_(boilerplate_, options_.match, settings_.temporary_folder, &budget_),
        box_(add_box("evidence", settings_.partitions)) {}

  // Ids travel with the pair because tasks have no table of ids.
  Status read_parcel(std::string_view kind, std::string_view bytes) override {
    if (kind == "pages") return spool_.add_parcel(bytes);
    return for_each_record(bytes, "evidence", read_evidence_pair, [this](EvidencePair pair) -> Status {
      if (pair.range >= settings_.partitions) return corrupt("evidence");
      pairs_.push_back(std::move(pair));
      return {};
    });
  }

  // Parcels arrive in any order, so rows are sorted by their place. Scores in the rows are those of the driver; scoring
  // again only yields the spans.
  Status finish() override {
    PARAPRINT_TRY(spool_.finish());
    std::sort(pairs_.begin(), pairs_.end(),
              [](const EvidencePair& x, const EvidencePair& y) { return x.place < y.place; });
    std::vector<MatchedSpan> spans;
    JsonWriter json;
    for (const EvidencePair& pair : pairs_) {
      spans.clear();
      PARAPRINT_TRY(spool_.score(pair.match.page_a, pair.match.page_b, &spans));
      write_evidence(json, {pair.id_a, pair.id_b, pair.match, spans});
      box_.record_for(pair.range) += json.take() + "\n";
    }
    count(counters_, "evidence_rows", pairs_.size());
    end_boxes();
    return {};
  }

 private:
  PageSpool spool_;
  ParcelBox& box_;
  std::vector<EvidencePair> pairs_;
};

}  // namespace

// The pages of a row are in the order of their ids, not of their numbers, hence read_match_of_any_order().
void write_evidence_pair(const EvidencePair& pair, ByteWriter& out) {
  out.variable(pair.range);
  out.variable(pair.place);
  write_match(pair.match, out);
  out.text(pair.id_a);
  out.text(pair.id_b);
}

EvidencePair read_evidence_pair(ByteReader& in) {
  EvidencePair pair;
  pair.range = static_cast<std::uint32_t>(in.variable_below(std::uint64_t{1} << 32));
  pair.place = in.variable();
  pair.match = read_match_of_any_order(in);
  pair.id_a = in.text();
  pair.id_b = in.text();
  return pair;
}

std::unique_ptr<StageTask> make_evidence_task(TaskInput&& input) {
  return std::make_unique<EvidenceTask>(std::move(input));
}

}  // namespace paraprint::distribute
