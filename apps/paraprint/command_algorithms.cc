// `paraprint algorithms`: every algorithm that --algorithm accepts, as a table for people or as JSON for scripts. All
// of it comes from the registry behind paraprint/algorithms.h, so a new algorithm needs no change here.
#include <fmt/format.h>
#include <rapidjson/prettywriter.h>
#include <rapidjson/stringbuffer.h>

#include <memory>

#include "command_arguments.h"
#include "commands.h"
#include "option_declarations.h"
#include "paraprint/algorithms.h"
#include "terminal.h"

namespace paraprint::cli {
namespace {

using Json = rapidjson::PrettyWriter<rapidjson::StringBuffer>;

void put(Json& json, const char* name, std::string_view text) {
  json.Key(name);
  json.String(text.data(), static_cast<rapidjson::SizeType>(text.size()));
}

// Parameters are numbers; a choice is stored as its index in `choices`.
std::string value_text(const ParameterInfo& parameter, double value) {
  return parameter.choices.empty() ? fmt::format("{}", value)
                                   : std::string(parameter.choices[static_cast<std::size_t>(value)]);
}

std::string range_text(const ParameterInfo& parameter) {
  if (!parameter.choices.empty()) return fmt::format("{}", fmt::join(parameter.choices, ", "));
  return fmt::format("{} to {}", parameter.minimum, parameter.maximum);
}

std::string_view scale_text(AlgorithmScale scale) {
  return scale == AlgorithmScale::kCrawl ? "crawl" : "collection";
}

std::string table_of(const std::vector<AlgorithmInfo>& infos) {
  std::string table;
  for (const AlgorithmInfo& info : infos) {
    table += fmt::format("{:<28} {}\n", info.name, info.summary);
    table += fmt::format("{:<28} docs/algorithms/{}#{}; index: {}; scale: {}\n", "", info.page, info.name, info.index,
                         scale_text(info.scale));
    for (const ParameterInfo& parameter : info.parameters) {
      table += fmt::format("{:<28}   {}={} ({}): {}\n", "", parameter.name,
                           value_text(parameter, parameter.default_value), range_text(parameter), parameter.summary);
    }
  }
  return table;
}

// For scripts: the field names are stable.
std::string json_of(const std::vector<AlgorithmInfo>& infos) {
  rapidjson::StringBuffer buffer;
  Json json(buffer);
  json.StartArray();
  for (const AlgorithmInfo& info : infos) {
    json.StartObject();
    put(json, "name", info.name);
    put(json, "summary", info.summary);
    put(json, "page", info.page);
    put(json, "index", info.index);
    put(json, "scale", scale_text(info.scale));
    json.Key("parameters");
    json.StartArray();
    for (const ParameterInfo& parameter : info.parameters) {
      json.StartObject();
      put(json, "name", parameter.name);
      put(json, "summary", parameter.summary);
      put(json, "default", value_text(parameter, parameter.default_value));
      put(json, "range", range_text(parameter));
      json.EndObject();
    }
    json.EndArray();
    json.EndObject();
  }
  json.EndArray();
  return std::string(buffer.GetString(), buffer.GetSize()) + '\n';
}

}  // namespace

void add_algorithms_command(CLI::App& app, Command& run) {
  auto arguments = std::make_shared<AlgorithmsArguments>();
  CLI::App* command = app.add_subcommand("algorithms", "List the algorithms that --algorithm accepts");
  declare_options(*command, algorithms_command_rows(), *arguments);
  command->footer(
      "A specification is a name, optionally followed by a colon and parameters.\n\n"
      "Examples:\n"
      "  paraprint algorithms\n"
      "  paraprint dedup crawl.warc.gz --out clean --algorithm digest-text:function=md5");
  command->callback([arguments, &run] {
    run = [arguments] { return print_output(arguments->json ? json_of(algorithms()) : table_of(algorithms())); };
  });
}

}  // namespace paraprint::cli
