// The sections of an evaluation's HTML page: pure functions from figures to HTML.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lab/evaluate/evaluation_report.h"
#include "paraprint/evaluate.h"

namespace paraprint::inline lab::inline evaluation {

// The colour of each algorithm by index, the same everywhere on the page: the
// paragraph method first, then the best ones.
using AlgorithmColours = std::vector<std::optional<std::size_t>>;
AlgorithmColours choose_colours(const EvaluateOutcome& evaluation, const std::vector<RankingRow>& ranking);

std::string head_section(const EvaluateOutcome& evaluation);
std::string ranking_section(const EvaluateOutcome& evaluation, const std::vector<RankingRow>& ranking);
std::string cost_section(const EvaluateOutcome& evaluation, const std::vector<RankingRow>& ranking,
                         const AlgorithmColours& colours);
// Lenient and strict F1 of every algorithm on every set. Empty if there is only one set.
std::string sets_section(const EvaluateOutcome& evaluation, const std::vector<RankingRow>& ranking);
// The plots and tables of one set.
std::string set_section(const EvaluateOutcome& evaluation, std::size_t set, const std::vector<RankingRow>& ranking,
                        const AlgorithmColours& colours);
std::string method_section(const EvaluateOutcome& evaluation);

}  // namespace paraprint::inline lab::inline evaluation
