// `paraprint extract` and `profile`: stream pages and print one JSON line per page, in the order of the input. They
// differ only in what is computed and printed, so they share their options. `paraprint version` is here as well,
// because it prints the settings identity that profiles carry.
#include <fmt/format.h>

#include <memory>

#include "commands.h"
#include "option_declarations.h"
#include "paraprint/engine.h"
#include "terminal.h"

namespace paraprint::cli {
namespace {

struct PagesCommand {
  PageStreamOptions options;
  bool prints_text = false;
  bool prints_bytes = false;
  bool is_quiet = false;
};

int run_pages(const PagesCommand& command) {
  // Every line carries the settings identity, because only profiles with the same one are comparable.
  std::string identity;
  if (command.options.with_profiles) {
    Result<Profiler> profiler = Profiler::create(command.options.profile);
    if (!profiler) return report_error(profiler.error());
    identity = profiler->settings_identity();
  }
  RunControl control;
  if (!command.is_quiet) control.warning = print_line;
  const Result<PageStreamOutcome> outcome = for_each_page(
      command.options,
      [&](const StreamedPage& page) {
        if (command.options.with_profiles) {
          return write_output_line(profile_json(page, identity, command.prints_bytes));
        }
        return write_output_line(command.prints_text ? text_of(page) : content_json(page));
      },
      control);
  if (!outcome) return report_error(outcome.error());
  if (Status written = flush_output(); !written) return report_error(written.error());
  return outcome->unreadable_inputs > 0 ? kUnreadableInput : kSuccess;
}

// The declarations that extract and profile share.
CLI::App* add_pages_command(CLI::App& app, Command& run, const char* name, const char* summary, bool with_profiles,
                            const std::shared_ptr<PagesCommand>& command) {
  CLI::App* pages = app.add_subcommand(name, summary);
  command->options.with_profiles = with_profiles;
  pages->add_option("--input,inputs", command->options.inputs, "WARC, JSONL or HTML files, folders of them, or -")
      ->required();
  pages->add_flag("--quiet", command->is_quiet, "Do not report broken records");
  pages->add_option("--threads", command->options.threads, "Threads; 0: one per processor")->capture_default_str();
  declare_options(*pages, profile_option_rows(), command->options.profile, kOfAnyCommand);
  declare_options(*pages, read_option_rows(), command->options.reading);
  pages->callback([command, &run] { run = [command] { return run_pages(*command); }; });
  return pages;
}

}  // namespace

void add_extract_command(CLI::App& app, Command& run) {
  auto command = std::make_shared<PagesCommand>();
  CLI::App* extract = add_pages_command(app, run, "extract", "Print the main content of pages", false, command);
  extract->add_flag("--text", command->prints_text, "Plain text instead of JSON lines");
  extract->footer(
      "Prints {\"id\",\"url\",\"title\",\"text\"} per line; the text has one paragraph per line.\n\n"
      "Examples:\n"
      "  paraprint extract --text page.html\n"
      "  paraprint extract pages.jsonl.gz > texts.jsonl\n"
      "  curl -s https://example.org/ | paraprint extract --text -");
}

void add_profile_command(CLI::App& app, Command& run) {
  auto command = std::make_shared<PagesCommand>();
  CLI::App* profile = add_pages_command(app, run, "profile", "Print the fingerprints of pages", true, command);
  profile->add_flag("--bytes", command->prints_bytes,
                    "Also print the binary form in base 64, which `paraprint serve` accepts instead of a page");
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
