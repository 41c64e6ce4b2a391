// The catalogues of algorithms and of presets as text and as JSON (paraprint/algorithms.h, presets.h).
#include <fmt/format.h>

#include "paraprint/algorithms.h"
#include "paraprint/presets.h"
#include "report/json_writer.h"

namespace paraprint {

std::string_view scale_name(AlgorithmScale scale) {
  return scale == AlgorithmScale::kCrawl ? "crawl" : "collection";
}

std::string default_text(const ParameterInfo& parameter) {
  const double value = parameter.default_value;
  return parameter.choices.empty() ? fmt::format("{}", value)
                                   : std::string(parameter.choices[static_cast<std::size_t>(value)]);
}

std::string range_text(const ParameterInfo& parameter) {
  if (!parameter.choices.empty()) return fmt::format("{}", fmt::join(parameter.choices, ", "));
  return fmt::format("{} to {}", parameter.minimum, parameter.maximum);
}

namespace {
constexpr unsigned kIndentSpaces = 4;
}

// For scripts: the names of the fields are stable.
std::string algorithms_json() {
  JsonWriter json(JsonLayout::kIndented, kIndentSpaces);
  json.begin_array();
  for (const AlgorithmInfo& info : algorithms()) {
    json.begin_object();
    json.member("name", info.name);
    json.member("summary", info.summary);
    json.member("page", info.page);
    json.member("index", info.index);
    json.member("scale", scale_name(info.scale));
    json.key("parameters");
    json.begin_array();
    for (const ParameterInfo& parameter : info.parameters) {
      json.begin_object();
      json.member("name", parameter.name);
      json.member("summary", parameter.summary);
      json.member("default", std::string_view(default_text(parameter)));
      json.member("range", std::string_view(range_text(parameter)));
      json.end_object();
    }
    json.end_array();
    json.end_object();
  }
  json.end_array();
  return json.take();
}

// For scripts, as above. Values are text, as on a command line.
std::string presets_json() {
  JsonWriter json(JsonLayout::kIndented, kIndentSpaces);
  json.begin_array();
  for (const Preset& preset : presets()) {
    json.begin_object();
    json.member("name", preset.name);
    json.member("summary", preset.summary);
    json.member("source", preset.source);
    json.key("settings");
    json.begin_object();
    for (const auto& [option, value] : preset_settings(preset)) json.member(option, value);
    json.end_object();
    json.end_object();
  }
  json.end_array();
  return json.take();
}

}  // namespace paraprint
