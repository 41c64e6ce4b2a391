// Specifications of algorithms: "name" or "name:parameter=value,parameter=value".
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "base/nearest_name.h"
#include "base/propagate.h"
#include "index/hamming_design.h"
#include "profile/registry.h"

namespace paraprint::inline profile {
namespace {

template <class Rows>
std::string suggestion(std::string_view name, const Rows& rows) {
  return suggestion_for(name, rows, [](const auto& row) { return row.name; });
}

std::string join_names(std::span<const std::string_view> names) {
  return fmt::format("{}", fmt::join(names, ", "));
}

Result<double> parse_value(const AlgorithmRow& row, const ParameterInfo& parameter, std::string_view text) {
  if (!parameter.choices.empty()) {
    const auto found = std::find(parameter.choices.begin(), parameter.choices.end(), text);
    if (found != parameter.choices.end()) return static_cast<double>(found - parameter.choices.begin());
    return failure(ErrorCode::kInvalidArgument, fmt::format("{}: {} is '{}'; it must be one of {}", row.name,
                                                            parameter.name, text, join_names(parameter.choices)));
  }
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_number = error == std::errc() && end == text.data() + text.size() && std::isfinite(value);
  if (is_number && value >= parameter.minimum && value <= parameter.maximum &&
      (!parameter.is_integer || value == std::floor(value))) {
    return value;
  }
  return failure(
      ErrorCode::kInvalidArgument,
      fmt::format("{}: {} is '{}'; it must be {} from {} to {}", row.name, parameter.name, text,
                  parameter.is_integer ? "a whole number" : "a number", parameter.minimum, parameter.maximum));
}

std::span<const ParameterInfo> parameters_of(const AlgorithmRow& row) {
  return row.factory == nullptr ? std::span<const ParameterInfo>{} : row.factory->parameters;
}

Status read_assignment(const AlgorithmRow& row, std::string_view assignment, std::vector<double>& values) {
  const std::span<const ParameterInfo> parameters = parameters_of(row);
  const std::size_t equals = assignment.find('=');
  const std::string_view name = assignment.substr(0, equals);
  const auto parameter =
      std::find_if(parameters.begin(), parameters.end(), [&](const ParameterInfo& info) { return info.name == name; });
  if (parameter == parameters.end()) {
    std::vector<std::string_view> names;
    for (const ParameterInfo& info : parameters) names.push_back(info.name);
    const std::string hint =
        names.empty() ? " it has none" : fmt::format("{} it has {}", suggestion(name, parameters), join_names(names));
    return failure(ErrorCode::kInvalidArgument,
                   fmt::format("algorithm '{}' has no parameter '{}';{}", row.name, name, hint));
  }
  if (equals == std::string_view::npos) {
    return failure(ErrorCode::kInvalidArgument, fmt::format("{}: '{}' needs a value: {}=...", row.name, name, name));
  }
  PARAPRINT_ASSIGN(double value, parse_value(row, *parameter, assignment.substr(equals + 1)));
  values[static_cast<std::size_t>(parameter - parameters.begin())] = value;
  return {};
}

std::string canonical_text(const AlgorithmRow& row, const std::vector<double>& values) {
  const std::span<const ParameterInfo> parameters = parameters_of(row);
  std::string text(row.name);
  char separator = ':';
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (!parameters[i].is_always_named && values[i] == parameters[i].default_value) continue;
    text += fmt::format("{}{}=", std::exchange(separator, ','), parameters[i].name);
    text += parameters[i].choices.empty() ? fmt::format("{}", values[i])
                                          : std::string(parameters[i].choices[static_cast<std::size_t>(values[i])]);
  }
  return text;
}

// Parameters that are in range one by one and ask for more Hamming tables together than there may be.
Status check_hamming_tables(const AlgorithmChoice& choice) {
  if (choice.is_paragraph_method()) return {};
  const std::unique_ptr<PageFingerprinter> fingerprinter = choice.make();
  const IndexPlan plan = fingerprinter->index_plan(fingerprinter->threshold());
  const auto* const hamming = std::get_if<HammingPlan>(&plan);
  if (hamming == nullptr || hamming->table_blocks.empty()) return {};
  const Result<HammingDesignShape> shape =
      shape_of({hamming->distance_bits, hamming->table_blocks}, hamming->width_bits);
  if (shape) return {};
  return failure(ErrorCode::kInvalidArgument, fmt::format("{}: {}", choice.canonical, shape.error().message));
}

}  // namespace

Result<AlgorithmChoice> choose_algorithm(std::string_view specification) {
  const std::size_t colon = specification.find(':');
  const std::string_view name = specification.substr(0, colon);
  const std::span<const AlgorithmRow> rows = algorithm_rows();
  const auto row =
      std::find_if(rows.begin(), rows.end(), [&](const AlgorithmRow& known) { return known.name == name; });
  if (row == rows.end()) {
    return failure(
        ErrorCode::kInvalidArgument,
        fmt::format("unknown algorithm '{}';{} `paraprint algorithms` lists all", name, suggestion(name, rows)));
  }
  AlgorithmChoice choice;
  choice.row = &*row;
  for (const ParameterInfo& parameter : parameters_of(*row)) choice.values.push_back(parameter.default_value);
  std::string_view rest = colon == std::string_view::npos ? std::string_view{} : specification.substr(colon + 1);
  while (!rest.empty()) {
    const std::size_t comma = rest.find(',');
    PARAPRINT_TRY(read_assignment(*row, rest.substr(0, comma), choice.values));
    rest = comma == std::string_view::npos ? std::string_view{} : rest.substr(comma + 1);
  }
  choice.canonical = canonical_text(*row, choice.values);
  PARAPRINT_TRY(check_hamming_tables(choice));
  return choice;
}

}  // namespace paraprint::inline profile

namespace paraprint {

Result<std::string> canonical_algorithm(std::string_view specification) {
  PARAPRINT_ASSIGN(AlgorithmChoice choice, choose_algorithm(specification));
  return std::move(choice.canonical);
}

std::vector<AlgorithmInfo> algorithms() {
  std::vector<AlgorithmInfo> infos;
  for (const AlgorithmRow& row : algorithm_rows()) {
    infos.push_back({row.name, row.summary, row.page, row.index, row.scale, parameters_of(row)});
  }
  return infos;
}

}  // namespace paraprint
