// `paraprint extract` and `profile`: stream pages and print one JSON line per page, in the order of the input. They
// differ only in what is computed and printed, so they share their options. `paraprint version` is here as well,
// because it prints the settings identity that profiles carry.
#include <fmt/format.h>

#include <memory>

#include "command_arguments.h"
#include "commands.h"
#include "option_declarations.h"
#include "options/command_tables.h"
#include "package_command.h"
#include "paraprint/engine.h"
#include "terminal.h"

namespace paraprint::cli {
namespace {

struct PagesCommand {
  PageStreamOptions options;
  PrintedForm form;
  WarningArguments warnings;
};

int run_pages(const PagesCommand& command) {
  if (const std::string table = first_of_package(command.options.inputs); !table.empty()) {
    return report_error({ErrorCode::kUnsupported,
                         fmt::format("{}: this command reads neither tables nor URIs. Rows of Parquet, Arrow and CSV "
                                     "are for extract_batch() and profile_batch() of the Python package; copy files "
                                     "in stores and on the web to this machine",
                                     table)});
  }
  // Every line carries the settings identity, because only profiles with the same one are comparable.
  std::string identity;
  if (command.options.with_profiles) {
    Result<Profiler> profiler = Profiler::create(command.options.profile);
    if (!profiler) return report_error(profiler.error());
    identity = profiler->settings_identity();
  }
  const ExtractFormat format = command.form.text ? ExtractFormat::kText : command.form.format;
  PageStreamOptions options = command.options;
  options.detail.markdown = format == ExtractFormat::kMarkdown;
  options.detail.metadata = format == ExtractFormat::kJson && !options.with_profiles;
  RunControl control;
  if (!command.warnings.quiet) control.warning = print_line;
  const Result<PageStreamOutcome> outcome = for_each_page(
      options,
      [&](const StreamedPage& page) {
        if (command.options.with_profiles) {
          return write_output_line(profile_json(page, identity, command.form.bytes));
        }
        if (format == ExtractFormat::kMarkdown) return write_output_line(markdown_of(page));
        return write_output_line(format == ExtractFormat::kText ? text_of(page) : content_json(page));
      },
      control);
  if (!outcome) return report_error(outcome.error());
  if (Status written = flush_output(); !written) return report_error(written.error());
  return report_stream(*outcome, command.warnings.quiet);
}

// The declarations that extract and profile share.
CLI::App* add_pages_command(CLI::App& app, Command& run, const char* name, const char* summary, bool with_profiles,
                            const std::shared_ptr<PagesCommand>& command) {
  CLI::App* pages = app.add_subcommand(name, summary);
  command->options.with_profiles = with_profiles;
  declare_options(*pages, page_stream_argument_rows(), command->options);
  declare_options(*pages, warning_argument_rows(), command->warnings);
  declare_options(*pages, page_stream_option_rows(), command->options);
  declare_options(*pages, profile_option_rows(), command->options.profile, kOfAnyCommand);
  declare_options(*pages, read_option_rows(), command->options.reading);
  pages->callback([command, &run] { run = [command] { return run_pages(*command); }; });
  return pages;
}

}  // namespace

void add_extract_command(CLI::App& app, Command& run) {
  auto command = std::make_shared<PagesCommand>();
  CLI::App* extract = add_pages_command(app, run, "extract", "Print the main content of pages", false, command);
  declare_options(*extract, extract_command_rows(), command->form);
  extract->footer(
      "Prints a JSON object per line: id, url, title, text with one paragraph per line, language and what the page\n"
      "says of its author, site, date, canonical address and licence.\n\n"
      "Examples:\n"
      "  paraprint extract --text page.html\n"
      "  paraprint extract --format markdown page.html\n"
      "  paraprint extract pages.jsonl.gz > texts.jsonl\n"
      "  paraprint extract --languages zh,en crawl/ > texts.jsonl\n"
      "  curl -s https://example.org/ | paraprint extract --text -");
}

void add_profile_command(CLI::App& app, Command& run) {
  auto command = std::make_shared<PagesCommand>();
  CLI::App* profile = add_pages_command(app, run, "profile", "Print the fingerprints of pages", true, command);
  declare_options(*profile, profile_command_rows(), command->form);
  profile->footer("Example:\n  paraprint profile crawl.warc.gz > profiles.jsonl");
}

void add_version_command(CLI::App& app, Command& run) {
  CLI::App* command = app.add_subcommand("version", "Print the version and the settings identity of the fingerprints");
  command->footer("Example:\n  paraprint version");
  command->callback([&run] {
    run = [] {
      const Result<Profiler> profiler = Profiler::create(ProfileOptions{});
      if (!profiler) return report_error(profiler.error());
      return print_output(fmt::format("paraprint {}\n{}\n", version(), profiler->settings_identity()));
    };
  });
}

}  // namespace paraprint::cli
