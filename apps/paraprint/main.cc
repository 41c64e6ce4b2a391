// The command line of paraprint. Each command is declared in its own file, stores what to run in `run` while options
// are parsed, and calls the library afterwards. main() sets up the process (standard streams, limit of open files,
// signals), the parser, and the last handlers for exceptions: out of memory, and whatever libraries throw. They need no
// memory themselves.
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <iterator>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <system_error>

#include "commands.h"
#include "configuration_file.h"
#include "paraprint/engine.h"
#include "paraprint/extensions.h"
#include "terminal.h"

namespace {

constexpr const char* kFooter = R"(Examples:
  paraprint dedup crawl/*.warc.gz --out clean
  paraprint recluster clean --near 0.8 --keep earliest
  paraprint extract page.html
  paraprint compare a.html b.html
  paraprint crawl https://example.org/ --out example
  paraprint serve --data known
  paraprint COMMAND --help

Exit codes: 0 done; 1 reading or writing failed; 2 wrong options or inputs; 3 done, but an input could not be read to
its end; 4 the disk is full (free some space, then resume); 5 stopped by a signal (repeat the command to resume).)";

// Shows switches as they are written, with the default only if it is on: "--[no-]report (on)".
class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_option_name(const CLI::Option* option, bool is_positional) const override {
    if (option->get_fnames().empty()) return CLI::Formatter::make_option_name(option, is_positional);
    // The form that changes something: a switch that is off is turned on.
    const bool is_on = option->get_default_str() == "true";
    return (is_on ? "--[no-]" : "--") + option->get_lnames().front();
  }
  std::string make_option_opts(const CLI::Option* option) const override {
    if (option->get_items_expected_max() > 0) return CLI::Formatter::make_option_opts(option);
    return option->get_default_str() == "true" ? " (on)" : "";
  }
};

// If the caller closed fd 0, 1 or 2, the next file we open would get that number and receive our output. Each closed
// stream is replaced by a file opened in the wrong direction, so that using it remains an error.
void fill_closed_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) >= 0) continue;
    static_cast<void>(::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY));  // takes the lowest number
  }
}

// Connections and the files of a large index need more than the limit that shells begin with, which is meant for
// programs that use select(). The maximum is there because some systems allow a billion, and libraries may make tables
// of that size. A failure is none: the service says when the limit is too low.
void raise_limit_of_open_files() {
  constexpr rlim_t kOpenFilesMaximum = rlim_t{1} << 20;
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  const rlim_t wanted = std::min(limit.rlim_max, kOpenFilesMaximum);
  if (wanted <= limit.rlim_cur) return;
  limit.rlim_cur = wanted;
  static_cast<void>(::setrlimit(RLIMIT_NOFILE, &limit));
}

constexpr const char* kOutOfMemory =
    "paraprint: out of memory; lower --memory or --threads. Everything already written is kept\n";
constexpr const char* kOutOfThreads =
    "paraprint: cannot start a thread; allow more threads or memory. Everything already written is kept\n";

void write_to_standard_error(const char* text) {
  static_cast<void>(!::write(STDERR_FILENO, text, std::strlen(text)));
}

// RocksDB lets allocations fail in threads of its own, and leaves threads unjoined if it cannot start another one. Both
// end the process, as a kill would: no caller could be given the error. Other exceptions here are bugs.
[[noreturn]] void end_process() {
  if (const std::exception_ptr current = std::current_exception()) {
    try {
      std::rethrow_exception(current);
    } catch (const std::bad_alloc&) {
      write_to_standard_error(kOutOfMemory);
      std::_Exit(paraprint::cli::kFailure);
    } catch (const std::system_error&) {
      write_to_standard_error(kOutOfThreads);
      std::_Exit(paraprint::cli::kFailure);
    } catch (const std::exception& error) {
      write_to_standard_error("paraprint: unexpected: ");
      write_to_standard_error(error.what());
      write_to_standard_error("\n");
    } catch (...) {
      write_to_standard_error("paraprint: unexpected exception\n");
    }
    std::abort();
  }
  write_to_standard_error(kOutOfThreads);
  std::_Exit(paraprint::cli::kFailure);
}

// CLI11's message suspects that the file is missing, whatever the reason is.
int report_unreadable_configuration(const CLI::App& app) {
  const std::string path = app.get_config_ptr()->as<std::string>();
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  const std::string reason = file < 0 ? std::generic_category().message(errno) : "not a regular file";
  if (file >= 0) ::close(file);
  paraprint::cli::print_line("paraprint: cannot read the configuration file " + path + ": " + reason);
  return paraprint::cli::kUsage;
}

struct CommandRow {
  std::string_view name;
  void (*add)(CLI::App& app, paraprint::cli::Command& run);
  bool describes_others = false;
};

// In the order of --help. The parts that a build may leave out bring their commands with them.
constexpr CommandRow kCommands[] = {
    {"dedup", paraprint::cli::add_dedup_command},
    {"recluster", paraprint::cli::add_recluster_command},
    {"plan", paraprint::cli::add_plan_command},
    {"audit", paraprint::cli::add_audit_command},
    {"contaminated", paraprint::cli::add_contaminated_command},
    {"view", paraprint::cli::add_view_command},
    {"payloads", paraprint::cli::add_payloads_command},
    {"cdx", paraprint::cli::add_cdx_command},
    {"wacz", paraprint::cli::add_wacz_command},
    {"extract", paraprint::cli::add_extract_command},
    {"profile", paraprint::cli::add_profile_command},
    {"compare", paraprint::cli::add_compare_command},
#ifdef PARAPRINT_HAS_LAB
    {"eval", paraprint::cli::add_eval_command},
    {"eval-extract", paraprint::cli::add_eval_extract_command},
#endif
    {"algorithms", paraprint::cli::add_algorithms_command},
#ifdef PARAPRINT_HAS_LAB
    {"simulate", paraprint::cli::add_simulate_command},
#endif
    {"crawl", paraprint::cli::add_crawl_command},
    {"index", paraprint::cli::add_index_command},
    {"serve", paraprint::cli::add_serve_command},
#ifdef PARAPRINT_HAS_SEMANTICS
    {"vectors", paraprint::cli::add_vectors_command},
    {"topics", paraprint::cli::add_topics_command},
#endif
    {"completion", paraprint::cli::add_completion_command, true},
    {"manual", paraprint::cli::add_manual_command, true},
    {"version", paraprint::cli::add_version_command},
};

// The command if its name comes first and nothing can concern another one; null otherwise. Declaring the options of all
// commands takes longer than many a command's work.
const CommandRow* only_command(int argc, char** argv) {
  if (argc < 2) return nullptr;
  const std::span<char* const> others(argv + 2, static_cast<std::size_t>(argc) - 2);
  // A configuration file has sections for several commands.
  const bool is_configured = std::any_of(others.begin(), others.end(), [](const char* argument) {
    return std::string_view(argument).starts_with("--config");
  });
  const auto* const named = std::find_if(std::begin(kCommands), std::end(kCommands),
                                         [&](const CommandRow& command) { return command.name == argv[1]; });
  if (is_configured || named == std::end(kCommands) || named->describes_others) return nullptr;
  return named;
}

int run_command_line(int argc, char** argv) {
  using namespace paraprint::cli;
  CLI::App app("Near-duplicate web pages: a crawl in, a deduplicated crawl out, with the copied text shown.",
               "paraprint");
  app.require_subcommand(1);
  app.config_formatter(std::make_shared<ConfigurationFile>(app));
  app.set_config("--config", "", "Read options from a TOML file; sections are commands, like [dedup]");
  app.set_version_flag("--version", std::string(paraprint::version()));
  app.footer(kFooter);
  app.formatter(std::make_shared<HelpFormatter>());  // before the commands, which inherit it
  app.get_formatter()->column_width(34);
  Command run;
#ifdef PARAPRINT_HAS_LAB
  paraprint::enable_laboratory();
#endif
#ifdef PARAPRINT_HAS_SEMANTICS
  paraprint::enable_semantics();
#endif
  const CommandRow* const only = only_command(argc, argv);
  for (const CommandRow& command : kCommands) {
    if (only == nullptr || only == &command) command.add(app, run);
  }
  // Accept --config after the command too, except in recluster, which passes its options on unparsed.
  for (CLI::App* command : app.get_subcommands({})) {
    if (command->get_name() != "recluster") command->fallthrough();
  }
  // Parsing only sets `run`: a wrong option is reported before anything is read or written.
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (const auto unknown = app.remaining(); app.get_subcommands().empty() && !unknown.empty()) {
      print_line("paraprint: unknown command or option '" + unknown.front() + "'");
    }
    if (dynamic_cast<const CLI::FileError*>(&error) != nullptr) return report_unreadable_configuration(app);
    if (app.exit(error) != 0) return kUsage;
    return print_output("");  // help or version: failing to print it is an error
  }
  return run();
}

}  // namespace

int main(int argc, char** argv) {
  fill_closed_standard_streams();
  raise_limit_of_open_files();
  // A failed write must return an error that can be reported, not end the process.
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
  std::set_terminate(end_process);
  try {
    return run_command_line(argc, argv);
  } catch (const std::bad_alloc&) {
    write_to_standard_error(kOutOfMemory);
  } catch (const std::system_error&) {  // from RocksDB, which starts its own threads
    write_to_standard_error(kOutOfThreads);
  } catch (const std::exception& error) {
    paraprint::cli::print_line(std::string("paraprint: ") + error.what());
  }
  return paraprint::cli::kFailure;
}
