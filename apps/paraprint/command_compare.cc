// `paraprint compare`: the verdict on two pages and the passages that they share. The exit code does not depend on the
// verdict, because other commands use it for failures; scripts read the verdict from --json.
#include <memory>

#include "command_arguments.h"
#include "commands.h"
#include "option_declarations.h"
#include "paraprint/engine.h"
#include "terminal.h"

namespace paraprint::cli {
namespace {

struct CompareCommand {
  CompareOptions options;
  CompareArguments arguments;
};

int run_compare(CompareCommand& command) {
  CompareOptions& options = command.options;
  const CompareArguments& arguments = command.arguments;
  // --html takes precedence over --json. Colours only if a terminal shows them.
  options.format = !arguments.html.empty() ? "html" : arguments.json ? "json" : "text";
  options.use_colour = standard_output_is_terminal() && arguments.colour;
  options.width_columns = terminal_width_columns();
  const Result<CompareFilesOutcome> outcome = compare_files(arguments.a, arguments.b, options);
  if (!outcome) return report_error(outcome.error());
  if (arguments.html.empty()) {
    // The side-by-side view has colours; the other formats are data.
    const bool is_view = options.format == "text";
    return is_view ? print_rendered(outcome->rendered) : print_output(outcome->rendered);
  }
  Status written = write_file(arguments.html, outcome->rendered);
  if (written) return kSuccess;
  // Elsewhere kNotFound stands for an input that is missing, which has another exit code.
  if (written.error().code == ErrorCode::kNotFound) written.error().code = ErrorCode::kInputOutput;
  return report_error(written.error());
}

}  // namespace

void add_compare_command(CLI::App& app, Command& run) {
  auto command = std::make_shared<CompareCommand>();
  CLI::App* compare = app.add_subcommand("compare", "Report whether two pages are copies and show which text matched");
  declare_options(*compare, compare_command_rows(), command->arguments);
  declare_options(*compare, match_option_rows(), command->options.match, kOfAnyCommand);
  declare_options(*compare, profile_option_rows(), command->options.profile, kOfAnyCommand);
  compare->footer(
      "Examples:\n  paraprint compare a.html b.html\n  paraprint compare a.html b.html --html side-by-side.html");
  compare->callback([command, &run] { run = [command] { return run_compare(*command); }; });
}

}  // namespace paraprint::cli
