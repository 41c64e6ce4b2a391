// Pages made from grammars: a series of them is alike in every sentence and different in the facts: weather, prices of
// shares, variants of a product, results of matches. Two pages of a series are never copies of each other.
#pragma once

#include <cstdint>
#include <string_view>

#include "lab/simulate/language/article.h"
#include "lab/simulate/language/random.h"

namespace paraprint {

// What a series is about; chosen by its seed.
enum class FormulaTopic : std::uint8_t { kWeather, kShares, kProduct, kMatch };
inline constexpr std::size_t kFormulaTopicCount = 4;
std::string_view formula_topic_name(FormulaTopic topic);

FormulaTopic formula_topic(std::uint64_t series_seed);

// Member `number` of a series. The wording is that of the series, the facts are the member's own: no two members within
// a series have the same title.
Article formula_article(std::uint64_t series_seed, std::uint32_t number);

}  // namespace paraprint
