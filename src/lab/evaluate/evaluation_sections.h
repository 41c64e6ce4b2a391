// Parts of the page of an evaluation: pure functions from figures to HTML.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lab/evaluate/evaluation_report.h"
#include "paraprint/evaluate.h"

namespace paraprint {

// Which algorithms get a colour, by index; the same all over the page. The best ones, the paragraph method first.
using AlgorithmColours = std::vector<std::optional<std::size_t>>;
AlgorithmColours choose_colours(const Evaluation& evaluation, const std::vector<RankingRow>& ranking);

std::string head_section(const Evaluation& evaluation);
std::string ranking_section(const Evaluation& evaluation, const std::vector<RankingRow>& ranking);
std::string cost_section(const Evaluation& evaluation, const std::vector<RankingRow>& ranking,
                         const AlgorithmColours& colours);
// Lenient and strict F1 of every algorithm on every set. Empty for a single set.
std::string sets_section(const Evaluation& evaluation, const std::vector<RankingRow>& ranking);
// Everything about one set.
std::string set_section(const Evaluation& evaluation, std::size_t set, const std::vector<RankingRow>& ranking,
                        const AlgorithmColours& colours);
std::string method_section(const Evaluation& evaluation);

}  // namespace paraprint
