// `paraprint compare`: the verdict on two pages and the passages that they share. The exit code does not depend on the
// verdict, because other commands use it for failures; scripts read the verdict from --json.
#include <fmt/format.h>

#include <fstream>
#include <memory>

#include "commands.h"
#include "option_declarations.h"
#include "paraprint/engine.h"
#include "terminal.h"

namespace paraprint::cli {
namespace {

struct CompareCommand {
  CompareOptions options;
  std::string path_a;
  std::string path_b;
  std::string html_path;
  bool prints_json = false;
  bool without_colour = false;
};

int run_compare(CompareCommand& command) {
  CompareOptions& options = command.options;
  // --html takes precedence over --json. Colours only if a terminal shows them.
  options.format = !command.html_path.empty() ? "html" : command.prints_json ? "json" : "text";
  options.use_colour = standard_output_is_terminal() && !command.without_colour;
  options.width_columns = terminal_width_columns();
  const Result<CompareFilesOutcome> outcome = compare_files(command.path_a, command.path_b, options);
  if (!outcome) return report_error(outcome.error());
  if (command.html_path.empty()) {
    // The side-by-side view has colours; the other formats are data.
    const bool is_view = options.format == "text";
    return is_view ? print_rendered(outcome->rendered) : print_output(outcome->rendered);
  }
  std::ofstream file(command.html_path, std::ios::binary);
  file << outcome->rendered;
  if (file.flush()) return kSuccess;
  return report_error({ErrorCode::kInputOutput, fmt::format("{}: cannot be written", command.html_path)});
}

}  // namespace

void add_compare_command(CLI::App& app, Command& run) {
  auto command = std::make_shared<CompareCommand>();
  CLI::App* compare = app.add_subcommand("compare", "Report whether two pages are copies and show which text matched");
  compare->add_option("a", command->path_a, "HTML or text file, or an archive, of which the first page is used")
      ->required();
  compare->add_option("b", command->path_b, "The page to compare with, in the same forms")->required();
  compare->add_flag("--json", command->prints_json, "Verdict, scores and matched passages as JSON");
  compare->add_option("--html", command->html_path, "Write a page with both texts side by side to this file");
  compare->add_flag("--no-colour", command->without_colour, "No colours on a terminal");
  declare_options(*compare, match_option_rows(), command->options.match, kOfAnyCommand);
  declare_options(*compare, profile_option_rows(), command->options.profile, kOfAnyCommand);
  compare->footer(
      "Examples:\n  paraprint compare a.html b.html\n  paraprint compare a.html b.html --html side-by-side.html");
  compare->callback([command, &run] { run = [command] { return run_compare(*command); }; });
}

}  // namespace paraprint::cli
