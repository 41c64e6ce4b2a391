// `paraprint algorithms`: every algorithm that --algorithm accepts, or every preset, as a table for people or as JSON
// for scripts. All of it comes from the rows behind paraprint/algorithms.h and presets.h, so a new one needs no change
// here.
#include <fmt/format.h>

#include <memory>
#include <span>
#include <string>

#include "command_arguments.h"
#include "commands.h"
#include "option_declarations.h"
#include "paraprint/algorithms.h"
#include "paraprint/presets.h"
#include "terminal.h"

namespace paraprint::cli {
namespace {

std::string table_of(const std::vector<AlgorithmInfo>& infos) {
  std::string table;
  for (const AlgorithmInfo& info : infos) {
    table += fmt::format("{:<28} {}\n", info.name, info.summary);
    table += fmt::format("{:<28} docs/algorithms/{}#{}; index: {}; scale: {}\n", "", info.page, info.name, info.index,
                         scale_name(info.scale));
    for (const ParameterInfo& parameter : info.parameters) {
      table += fmt::format("{:<28}   {}={} ({}): {}\n", "", parameter.name, default_text(parameter),
                           range_text(parameter), parameter.summary);
    }
  }
  return table;
}

std::string table_of(std::span<const Preset> rows) {
  std::string table;
  for (const Preset& preset : rows) {
    table += fmt::format("{:<28} {} ({})\n", preset.name, preset.summary, preset.source);
    for (const auto& [option, value] : preset_settings(preset)) {
      table += fmt::format("{:<28}   {} {}\n", "", flag_of(option), value);
    }
  }
  return table;
}

std::string listing(const AlgorithmsArguments& arguments) {
  if (arguments.presets) return arguments.json ? presets_json() + '\n' : table_of(presets());
  return arguments.json ? algorithms_json() + '\n' : table_of(algorithms());
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
      "  paraprint algorithms --presets\n"
      "  paraprint dedup crawl.warc.gz --out clean --algorithm digest-text:function=md5");
  command->callback([arguments, &run] { run = [arguments] { return print_output(listing(*arguments)); }; });
}

}  // namespace paraprint::cli
