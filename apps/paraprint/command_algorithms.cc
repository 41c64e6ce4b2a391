// `paraprint algorithms`: every algorithm that --algorithm accepts, as a table for people or as JSON for scripts. All
// of it comes from the registry behind paraprint/algorithms.h, so a new algorithm needs no change here.
#include <fmt/format.h>

#include <memory>

#include "command_arguments.h"
#include "commands.h"
#include "option_declarations.h"
#include "paraprint/algorithms.h"
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
    run = [arguments] { return print_output(arguments->json ? algorithms_json() + '\n' : table_of(algorithms())); };
  });
}

}  // namespace paraprint::cli
