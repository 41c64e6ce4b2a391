// `paraprint audit`: what a site's own pages say of each other, compared with which texts are equal.
#include <memory>

#include "command_arguments.h"
#include "commands.h"
#include "option_declarations.h"
#include "options/command_tables.h"
#include "options/option_table.h"
#include "package_command.h"
#include "paraprint/audit.h"
#include "paraprint/presets.h"
#include "stop_signals.h"
#include "terminal.h"

namespace paraprint::cli {
namespace {

struct AuditCommand {
  AuditOptions options;
  ProgressArguments progress;
};

int run_audit(const AuditCommand& command) {
  const std::string of_package = first_of_package(command.options.run.inputs);
  if (!of_package.empty()) {
    return report_error({ErrorCode::kUnsupported,
                         of_package + ": tables and object stores have no responses of a site; give archives"});
  }
  if (Status valid = command.options.validate(); !valid) return report_error(valid.error());
  ProgressPrinter printer(command.progress.quiet);
  const Result<AuditOutcome> audit = audit_site(command.options, command_control(printer, kPrintsWarnings));
  if (!audit) return report_end(audit.error(), kBeginsAgain);
  std::string text = audit_text(*audit) + "\n";
  if (!command.options.out.empty()) text += command.options.out + "/audit.html has the pages\n";
  const int printed = print_output(text);
  if (printed != kSuccess) return printed;
  return audit->unreadable_inputs > 0 ? kUnreadableInput : kSuccess;
}

}  // namespace

void add_audit_command(CLI::App& app, Command& run) {
  auto command = std::make_shared<AuditCommand>();
  CLI::App* audit = app.add_subcommand(
      "audit", "List what a site should mend: duplicates, canonical addresses, redirects, hreflang, sitemaps");
  DedupOptions& options = command->options.run;
  declare_preset(*audit, [&options](const std::string& name) {
    return apply_preset(name, options.profile, options.candidates, options.match);
  });
  declare_options(*audit, dedup_argument_rows(), options);
  declare_options(*audit, audit_option_rows(), command->options);
  declare_options(*audit, match_option_rows(), options.match);
  declare_options(*audit, candidate_option_rows(), options.candidates);
  declare_options(*audit, profile_option_rows(), options.profile);
  declare_options(*audit, read_option_rows(), options.reading);
  declare_options(*audit, resource_option_rows(), options.resources);
  declare_options(*audit, progress_argument_rows(), command->progress);
  audit->footer(
      "The inputs are archives of a crawl with its responses: redirects, errors and sitemaps are looked at as well.\n"
      "--status and --content-type do not select pages here.\n\n"
      "Examples:\n"
      "  paraprint audit crawl/ --site example.org --out audit\n"
      "  paraprint audit crawl/*.warc.gz --site www.example.org --near 0.8");
  audit->callback([command, &run] { run = [command] { return run_audit(*command); }; });
}

}  // namespace paraprint::cli
