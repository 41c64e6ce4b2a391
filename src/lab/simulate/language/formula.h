// Pages made from grammars. The pages of a series share every sentence and differ in the facts: weather, share prices,
// product variants, match results. Two members of a series are never copies of each other.
#pragma once

#include <cstdint>
#include <string_view>

#include "lab/simulate/language/article.h"
#include "lab/simulate/language/random.h"

namespace paraprint::inline lab::inline simulate::inline language {

// The topic of a series; chosen by its seed.
enum class FormulaTopic : std::uint8_t { kWeather, kShares, kProduct, kMatch };
inline constexpr std::size_t kFormulaTopicCount = 4;
std::string_view formula_topic_name(FormulaTopic topic);

FormulaTopic formula_topic(std::uint64_t series_seed);

// Member `number` of a series. All members share the wording and differ in the facts; no two
// members of a series have the same title.
Article formula_article(std::uint64_t series_seed, std::uint32_t number);

}  // namespace paraprint::inline lab::inline simulate::inline language
