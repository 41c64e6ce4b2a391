// report/index.html of an evaluation: assembles the sections of evaluation_sections.cc. Ranking and colours are
// computed once, so that all sections show the same order and the same colour for an algorithm.
#include "base/atomic_file.h"
#include "lab/evaluate/evaluation_report.h"
#include "lab/evaluate/evaluation_sections.h"
#include "report/assets/assets.h"
#include "report/html_page.h"

namespace paraprint::inline lab::inline evaluation {

std::string evaluation_page(const EvaluateOutcome& evaluation) {
  PageFrame frame;
  frame.title = "Evaluation of near-duplicate detection";
  frame.name = "paraprint evaluation";
  frame.links = {{"Ranking", "#ranking", ""}, {"Cost", "#cost", ""}};
  if (evaluation.sets.size() > 1) frame.links.push_back({"Sets", "#sets", ""});
  for (std::size_t set = 0; set < evaluation.sets.size(); ++set) {
    frame.links.push_back({evaluation.sets[set].name, "#set-" + std::to_string(set), ""});
  }
  frame.links.push_back({"Method", "#method", ""});
  frame.script = PageScript::kTables;
  frame.style = assets::kEvaluationCss;
  const std::vector<RankingRow> ranking = rank_algorithms(evaluation);
  const AlgorithmColours colours = choose_colours(evaluation, ranking);
  std::string out = page_begin(frame) + "<main>\n" + head_section(evaluation);
  out += ranking_section(evaluation, ranking) + cost_section(evaluation, ranking, colours);
  out += sets_section(evaluation, ranking);
  for (std::size_t set = 0; set < evaluation.sets.size(); ++set) {
    out += set_section(evaluation, set, ranking, colours);
  }
  return out + method_section(evaluation) + "</main>\n" + page_end(frame);
}

}  // namespace paraprint::inline lab::inline evaluation
