// Figures of evaluations in JSON. Six decimals: a pair more or less shows in sets of up to a million pairs.
#pragma once

#include <string_view>

#include "paraprint/evaluate.h"
#include "report/json_writer.h"

namespace paraprint::inline lab::inline evaluation {

inline constexpr int kFigureDigits = 6;
inline constexpr int kSecondsDigits = 3;

inline Real figure_of(double value) {
  return {value, kFigureDigits};
}

inline void put_interval(JsonWriter& json, std::string_view name, const Interval& interval) {
  json.key(name);
  json.begin_array();
  json.value(figure_of(interval.low));
  json.value(figure_of(interval.high));
  json.end_array();
}

}  // namespace paraprint::inline lab::inline evaluation
