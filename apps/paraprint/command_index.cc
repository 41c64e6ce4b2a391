// `paraprint index add` and `find`: look up pages in the index of known pages, and with `add` store them. Both read
// pages in the order of the input and print one JSON line per page. The other subcommands are in command_index_care.cc.
#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "command_arguments.h"
#include "commands.h"
#include "option_declarations.h"
#include "options/command_tables.h"
#include "paraprint/engine.h"
#include "paraprint/index.h"
#include "paraprint/presets.h"
#include "stop_signals.h"
#include "terminal.h"

namespace paraprint::cli {
namespace {

struct PageAnswersCommand {
  IndexArguments arguments;
  PageStreamOptions pages;
  IndexOptions index;
  AddOptions add;
  bool is_adding = false;
  WarningArguments warnings;
};

Result<std::unique_ptr<PageIndex>> open_index(PageAnswersCommand& command, const RunControl& control) {
  const Result<Profiler> profiler = Profiler::create(command.pages.profile);
  if (!profiler) return tl::unexpected<Error>(profiler.error());
  // An existing index refuses to open with another identity, because its profiles would not be comparable.
  command.index.identity = profiler->settings_identity();
  command.index.algorithm = command.pages.profile.algorithm;
  command.index.create_if_missing = command.is_adding;
  command.index.read_only = command.arguments.read_only;
  return PageIndex::open(command.arguments.data, command.index, control);
}

// Looks up pages and prints the answers. A printed line is an acknowledgement: with --sync always, lines are held back,
// and one sync makes all their pages durable before they are printed.
class PageAnswers {
 public:
  PageAnswers(PageIndex& index, const PageAnswersCommand& command)
      : index_(index), command_(command), add_(command.add) {
    add_.wait_for_sync = false;
    // On a terminal every answer is printed at once.
    held_maximum_ = standard_output_is_terminal() ? 0 : kHeldMaximum;
  }

  Status answer(const StreamedPage& page) {
    // A page that is only looked up has the name that its input gives it.
    const std::string id = command_.is_adding ? id_in_index(page.page, page.profile) : page.page.id;
    IndexPageInput input;
    input.id = id;
    input.url = page.page.url;
    input.date = page.page.date;
    input.profile = &page.profile;
    input.fingerprint = &page.fingerprint;
    input.origin = page.origin;
    if (!command_.is_adding) {
      const Result<LookupOutcome> answer = index_.lookup(input, command_.add.lookup);
      if (!answer) return leave_out(answer.error());
      return write_output_line(lookup_json(input, *answer));
    }
    const Result<AddOutcome> answer = index_.lookup_or_add(input, add_);
    if (!answer) return leave_out(answer.error());
    if (held_.empty()) held_since_ = Clock::now();
    held_.push_back(added_json(input, *answer));
    const bool is_due = held_.size() > held_maximum_ || Clock::now() - held_since_ >= kHeldTime;
    return is_due ? print_held() : Status{};
  }

  Status print_held() {
    if (command_.index.sync == SyncMode::kAlways && !held_.empty()) {
      if (Status synced = index_.sync(); !synced) return synced;
    }
    for (const std::string& line : held_) {
      if (Status written = write_output_line(line); !written) return written;
    }
    held_.clear();
    return {};
  }

  std::uint64_t left_out() const { return left_out_; }  // pages without an answer

 private:
  using Clock = std::chrono::steady_clock;
  // A sync costs milliseconds, so up to 256 pages share one; the time limit keeps a slow input from delaying lines.
  static constexpr std::size_t kHeldMaximum = 255;
  static constexpr std::chrono::milliseconds kHeldTime{100};

  // A page that no index takes is no reason to do without the others; any other error ends the command.
  Status leave_out(const Error& error) {
    if (!index_.is_about_page(error)) return tl::unexpected<Error>(error);
    ++left_out_;
    if (!command_.warnings.quiet) print_line(error.message);
    return {};
  }

  PageIndex& index_;
  const PageAnswersCommand& command_;
  AddOptions add_;
  std::uint64_t left_out_ = 0;
  std::size_t held_maximum_ = 0;
  std::vector<std::string> held_;
  Clock::time_point held_since_;
};

Result<PageStreamOutcome> answer_pages(PageIndex& index, const PageAnswersCommand& command, const RunControl& control) {
  PageAnswers answers(index, command);
  Result<PageStreamOutcome> outcome = for_each_page(
      command.pages, [&](const StreamedPage& page) { return answers.answer(page); }, control);
  // Also after an error or a stop, because the held pages have been added.
  const Status printed = answers.print_held();
  if (outcome && !printed) return tl::unexpected<Error>(printed.error());
  if (answers.left_out() > 0 && !command.warnings.quiet) {
    print_line(fmt::format("{} pages were left out, since an index cannot take them", answers.left_out()));
  }
  return outcome;
}

int run_pages(PageAnswersCommand& command) {
  RunControl control;
  control.stop = &catch_stop_signals();
  if (!command.warnings.quiet) control.warning = print_line;
  const char* const advice =
      command.is_adding ? "pages added so far are kept; repeat the command to add the rest" : kBeginsAgain;
  const Result<std::unique_ptr<PageIndex>> index = open_index(command, control);
  if (!index) return report_end(index.error(), advice);
  const Result<PageStreamOutcome> outcome = answer_pages(**index, command, control);
  const Status written = flush_output();
  if (!outcome) return report_end(outcome.error(), advice);
  if (!written) return report_error(written.error());
  return report_stream(*outcome, command.warnings.quiet);
}

void add_pages_command(CLI::App& group, Command& run, const char* name, const char* summary, const char* footer,
                       bool is_adding) {
  auto command = std::make_shared<PageAnswersCommand>();
  command->is_adding = is_adding;
  CLI::App* pages = group.add_subcommand(name, summary);
  declare_preset(*pages, [command](const std::string& preset) {
    return apply_preset(preset, command->pages.profile, command->index.candidates, command->index.match);
  });
  declare_options(*pages, index_folder_rows(), command->arguments);
  declare_options(*pages, page_stream_argument_rows(), command->pages);
  declare_options(*pages, lookup_option_rows(), command->add.lookup);
  if (is_adding) {
    declare_options(*pages, index_add_option_rows(), command->add);
    declare_options(*pages, origin_option_rows(), command->pages.detail);
    declare_options(*pages, index_option_rows(), command->index);
  } else {
    declare_options(*pages, statement_filter_rows(), command->add.lookup.filter);
    declare_options(*pages, index_reading_rows(), command->arguments);
  }
  declare_options(*pages, page_stream_option_rows(), command->pages);
  declare_options(*pages, warning_argument_rows(), command->warnings);
  declare_options(*pages, match_option_rows(), command->index.match, kOfAnyCommand);
  declare_options(*pages, candidate_option_rows(), command->index.candidates);
  declare_options(*pages, profile_option_rows(), command->pages.profile, kOfAnyCommand);
  declare_options(*pages, read_option_rows(), command->pages.reading);
  pages->footer(footer);
  pages->callback([command, &run] { run = [command] { return run_pages(*command); }; });
}

}  // namespace

void add_index_command(CLI::App& app, Command& run) {
  CLI::App* group = app.add_subcommand("index", "Maintain and query an index of known pages");
  group->require_subcommand(1);
  add_pages_command(*group, run, "add", "Report for each page whether it is known, and add it",
                    "Prints a JSON line per page: id, url, verdict against the known pages, change (new, unchanged, "
                    "changed),\nwhether it was stored, cluster, and the known pages that match.\n\n"
                    "Examples:\n"
                    "  paraprint index add --data known crawl.warc.gz\n"
                    "  paraprint index add --data known --no-copies pages.jsonl.gz\n"
                    "  paraprint index add --data known --provenance crawl.warc.gz    # see 'index provenance'\n"
                    "  paraprint index add --data simhashes --algorithm simhash-integrated crawl/",
                    true);
  add_pages_command(*group, run, "find", "Report for each page whether it is known, without storing it",
                    "Examples:\n"
                    "  paraprint index find --data known page.html\n"
                    "  curl -s https://example.org/ | paraprint index find --data known --evidence -\n"
                    "  paraprint index find --data known --read-only page.html    # while a service changes it\n"
                    "  paraprint index find --data known --published-from 2024-05 --source example.org page.html",
                    false);
  add_index_care_commands(*group, run);
  group->footer(
      "Examples:\n"
      "  paraprint index add --data known crawl.warc.gz\n"
      "  paraprint index find --data known page.html\n"
      "  paraprint index expire --data known --days 90\n"
      "  paraprint index backup --data known --to known-monday\n"
      "  paraprint dedup new-crawl/ --index known --out clean");
}

}  // namespace paraprint::cli
