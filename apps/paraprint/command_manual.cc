// `paraprint manual`: manual pages for man(1), of the program and of each command.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <memory>
#include <sstream>

#include "command_arguments.h"
#include "command_tree.h"
#include "commands.h"
#include "option_declarations.h"
#include "paraprint/engine.h"
#include "terminal.h"

namespace paraprint::cli {
namespace {

// Text as roff takes it: backslashes and hyphens escaped, and no line that looks like a request.
std::string roff(std::string_view text) {
  std::string out;
  if (!text.empty() && (text.front() == '.' || text.front() == '\'')) out += "\\&";
  for (const char c : text) {
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
  }
  return out;
}

std::string bold(std::string_view text) {
  return "\\fB" + roff(text) + "\\fR";
}
std::string italic(std::string_view text) {
  return "\\fI" + roff(text) + "\\fR";
}

// "paraprint-index-add"
std::string page_name(const CommandEntry& command) {
  std::string name = "paraprint";
  if (!command.path.empty()) name += '-' + command.path;
  std::replace(name.begin(), name.end(), ' ', '-');
  return name;
}

std::string program_text(const CommandEntry& command) {
  return command.path.empty() ? "paraprint" : "paraprint " + command.path;
}

std::string heading(const CommandEntry& command) {
  std::string name = page_name(command);
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::toupper(c); });
  return fmt::format(".TH {} 1 \"\" \"paraprint {}\" \"paraprint manual\"\n", roff(name), version());
}

std::string synopsis(const CommandEntry& command) {
  std::string out = bold(program_text(command)) + " [" + italic("OPTIONS") + "]";
  for (const OptionEntry& option : command.options) {
    if (option.positional.empty()) continue;
    const std::string name = italic(option.positional) + (option.is_list ? "..." : "");
    out += option.is_required ? ' ' + name : " [" + name + ']';
  }
  if (!command.commands.empty()) out += ' ' + italic("COMMAND");
  return out + '\n';
}

// "--near FLOAT", with what it is if not given.
std::string option_heading(const OptionEntry& option) {
  std::string out;
  for (const std::string& flag : option.flags) out += (out.empty() ? "" : ", ") + bold(flag);
  if (out.empty()) out = italic(option.positional) + (option.is_list ? "..." : "");
  if (!option.is_switch() && !option.flags.empty()) out += ' ' + italic(option.kind);
  if (option.is_on) out += " (on)";
  if (!option.default_text.empty()) out += roff(" (" + option.default_text + ")");
  return out;
}

// The options in the order of declaration, under the headings of --help.
std::string options_text(const CommandEntry& command) {
  std::string out;
  std::string group;
  for (const OptionEntry& option : command.options) {
    if (option.group != group) {
      group = option.group;
      out += fmt::format(".SS \"{}\"\n", roff(group));
    }
    out += fmt::format(".TP\n{}\n{}\n", option_heading(option), roff(option.description));
  }
  return out.empty() ? out : ".SH OPTIONS\n" + out;
}

std::string commands_text(const CommandEntry& command) {
  std::string out;
  for (const CommandEntry& below : command.commands) {
    out += fmt::format(".TP\n{}(1)\n{}\n", bold(page_name(below)), roff(below.summary));
  }
  return out.empty() ? out : ".SH COMMANDS\n" + out;
}

// Paragraphs and examples as they are; indented lines keep their breaks.
std::string footer_text(const std::string& footer) {
  std::string out;
  std::istringstream lines(footer);
  bool is_literal = false;
  bool begins_paragraph = false;  // an empty line was read; none is needed behind a heading
  for (std::string line; std::getline(lines, line);) {
    if (line.empty()) {
      begins_paragraph = true;
      continue;
    }
    const bool is_indented = line.starts_with("  ");
    if (is_literal && !is_indented) out += ".fi\n";
    if (line == "Example:" || line == "Examples:") {
      out += ".SH EXAMPLES\n";
    } else {
      if (out.empty()) out += ".SH NOTES\n";
      if (begins_paragraph) out += ".PP\n";
      if (is_indented && !is_literal) out += ".nf\n";
      out += roff(is_indented ? line.substr(2) : line) + '\n';
    }
    is_literal = is_indented;
    begins_paragraph = false;
  }
  return out + (is_literal ? ".fi\n" : "");
}

std::string see_also(const CommandEntry& command) {
  if (command.path.empty()) return "";
  std::string up = "paraprint";
  if (const std::size_t space = command.path.find(' '); space != std::string::npos) {
    up += '-' + command.path.substr(0, space);
  }
  return fmt::format(".SH SEE ALSO\n{}(1)\n", bold(up));
}

std::string manual_page(const CommandEntry& command) {
  return heading(command) + ".SH NAME\n" + roff(page_name(command)) + " \\- " + roff(command.summary) +
         "\n.SH SYNOPSIS\n" + synopsis(command) + commands_text(command) + options_text(command) +
         footer_text(command.footer) + see_also(command);
}

int write_pages(const CommandEntry& program, const std::string& folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  int code = kSuccess;
  for_each_command(program, [&](const CommandEntry& command) {
    if (code != kSuccess) return;
    const std::string path = (std::filesystem::path(folder) / (page_name(command) + ".1")).string();
    if (Status written = write_file(path, manual_page(command)); !written) code = report_error(written.error());
  });
  return code;
}

int print_page(const CommandEntry& program, const std::vector<std::string>& words) {
  const CommandEntry* found = &program;
  for (const std::string& word : words) {
    const auto below = std::find_if(found->commands.begin(), found->commands.end(),
                                    [&](const CommandEntry& command) { return command.name == word; });
    if (below == found->commands.end()) {
      print_line(fmt::format("paraprint: {} has no command '{}'", program_text(*found), word));
      return kUsage;
    }
    found = &*below;
  }
  return print_output(manual_page(*found));
}

}  // namespace

void add_manual_command(CLI::App& app, Command& run) {
  auto arguments = std::make_shared<ManualArguments>();
  CLI::App* command = app.add_subcommand("manual", "Print the manual page of the program or of a command, for man");
  declare_options(*command, manual_command_rows(), *arguments);
  command->footer(
      "Examples:\n"
      "  paraprint manual dedup | man -l -\n"
      "  paraprint manual --out ~/.local/share/man/man1");
  command->callback([arguments, &app, &run] {
    run = [arguments, &app] {
      const CommandEntry program = command_tree(app);
      return arguments->out.empty() ? print_page(program, arguments->command) : write_pages(program, arguments->out);
    };
  });
}

}  // namespace paraprint::cli
