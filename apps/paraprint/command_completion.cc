// `paraprint completion bash|zsh|fish`: a script with which the shell completes commands, options and their values.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>

#include "command_arguments.h"
#include "command_tree.h"
#include "commands.h"
#include "option_declarations.h"
#include "terminal.h"

namespace paraprint::cli {
namespace {

std::vector<std::string> names_of(const std::vector<CommandEntry>& commands) {
  std::vector<std::string> names;
  for (const CommandEntry& command : commands) names.push_back(command.name);
  return names;
}

// Between single quotes, in all three shells.
std::string shell_quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      out += c;
    }
  }
  return out + "'";
}

// ---------------------------------------------------------------------------------------------------------------------
// bash: one function that finds the command among the words so far and then looks up its lists.

std::string bash_flags(const CommandEntry& command) {
  std::vector<std::string> flags;
  for (const OptionEntry& option : command.options) flags.insert(flags.end(), option.flags.begin(), option.flags.end());
  return fmt::format("{}", fmt::join(flags, " "));
}

// Of each option that takes one of several values: "    'dedup --keep') values='...' ;;".
std::string bash_choices(const CommandEntry& command) {
  std::string out;
  for (const OptionEntry& option : command.options) {
    if (option.choices.empty()) continue;
    for (const std::string& flag : option.flags) {
      out += fmt::format("    {}) values={} ;;\n", shell_quoted(command.path + ' ' + flag),
                         shell_quoted(fmt::format("{}", fmt::join(option.choices, " "))));
    }
  }
  return out;
}

std::string bash_script(const CommandEntry& program) {
  std::string paths;
  std::string choices;
  std::string lists;
  for_each_command(program, [&](const CommandEntry& command) {
    if (!command.path.empty())
      paths += fmt::format("      {}) command={} ;;\n", shell_quoted(command.path), shell_quoted(command.path));
    choices += bash_choices(command);
    lists += fmt::format("    {}) commands={} flags={} ;;\n", shell_quoted(command.path),
                         shell_quoted(fmt::format("{}", fmt::join(names_of(command.commands), " "))),
                         shell_quoted(bash_flags(command)));
  });
  return fmt::format(
      R"(# Completion of paraprint for bash: source it, or put it into /usr/share/bash-completion/completions/paraprint
_paraprint() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}} command='' values='' i commands flags
  if [[ $current == '=' ]]; then
    current=''
  elif [[ $previous == '=' ]]; then
    previous=${{COMP_WORDS[COMP_CWORD-2]}}
  fi
  for ((i = 1; i < COMP_CWORD; ++i)); do
    case "${{command:+$command }}${{COMP_WORDS[i]}}" in
{}    esac
  done
  case "$command $previous" in
{}  esac
  case $command in
{}  esac
  if [[ -n $values ]]; then
    COMPREPLY=($(compgen -W "$values" -- "$current"))
  elif [[ $current == -* ]]; then
    COMPREPLY=($(compgen -W "$flags" -- "$current"))
  else
    COMPREPLY=($(compgen -W "$commands" -- "$current"))  # if none fits: files, by -o default
  fi
}}
complete -o default -F _paraprint paraprint
)",
      paths, choices, lists);
}

// ---------------------------------------------------------------------------------------------------------------------
// zsh: a function per command, with _arguments.

// In the brackets of a specification.
std::string zsh_description(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == '\\' || c == ':') out += '\\';
    out += c;
  }
  return out;
}

std::string zsh_value(const OptionEntry& option) {
  if (!option.choices.empty()) return fmt::format(":{}:({})", option.kind, fmt::join(option.choices, " "));
  return fmt::format(":{}:{}", option.kind, option.kind == "TEXT" ? "_files" : "");
}

std::string zsh_options(const CommandEntry& command) {
  std::string out;
  for (const OptionEntry& option : command.options) {
    for (const std::string& flag : option.flags) {
      std::string specification = option.is_list ? "*" : "";
      specification += flag;
      if (!option.is_switch()) specification += flag.size() > 2 ? "=" : "+";
      specification += '[' + zsh_description(option.description) + ']';
      if (!option.is_switch()) specification += zsh_value(option);
      out += " \\\n    " + shell_quoted(specification);
    }
  }
  return out;
}

std::string zsh_function_name(const CommandEntry& command) {
  std::string name = "_paraprint";
  if (!command.path.empty()) name += '_' + command.path;
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
}

std::string zsh_function(const CommandEntry& command) {
  if (command.commands.empty()) {
    return fmt::format("{}() {{\n  _arguments -s{} \\\n    '*:input:_files'\n}}\n", zsh_function_name(command),
                       zsh_options(command));
  }
  std::string names;
  std::string calls;
  for (const CommandEntry& below : command.commands) {
    names += "    " + shell_quoted(below.name + ':' + zsh_description(below.summary)) + '\n';
    calls += fmt::format("        {}) {} ;;\n", below.name, zsh_function_name(below));
  }
  return fmt::format(R"({}() {{
  local context state state_descr line
  typeset -A opt_args
  local -a commands=(
{}  )
  _arguments -s -C{} \
    '1:command:->command' '*::argument:->arguments'
  case $state in
    command) _describe command commands ;;
    arguments)
      case $words[1] in
{}      esac ;;
  esac
}}
)",
                     zsh_function_name(command), names, zsh_options(command), calls);
}

std::string zsh_script(const CommandEntry& program) {
  std::string out =
      "#compdef paraprint\n# Completion of paraprint for zsh: a file named _paraprint in a folder of $fpath\n\n";
  for_each_command(program, [&](const CommandEntry& command) { out += zsh_function(command) + '\n'; });
  // Autoloaded by its name, or sourced.
  return out + "if [ \"$funcstack[1]\" = _paraprint ]; then _paraprint \"$@\"; else compdef _paraprint paraprint; fi\n";
}

// ---------------------------------------------------------------------------------------------------------------------
// fish: a line per option, under the condition that its command was given.

std::string fish_condition(const CommandEntry& command) {
  if (command.path.empty()) return "__fish_use_subcommand";
  const std::size_t space = command.path.find(' ');
  if (space == std::string::npos) {
    std::string condition = "__fish_seen_subcommand_from " + command.path;
    if (!command.commands.empty()) {
      condition += fmt::format("; and not __fish_seen_subcommand_from {}", fmt::join(names_of(command.commands), " "));
    }
    return condition;
  }
  return fmt::format("__fish_seen_subcommand_from {}; and __fish_seen_subcommand_from {}",
                     command.path.substr(0, space), command.name);
}

std::string fish_options(const CommandEntry& command) {
  std::string out;
  for (const OptionEntry& option : command.options) {
    for (const std::string& flag : option.flags) {
      out += fmt::format("complete -c paraprint -n {}", shell_quoted(fish_condition(command)));
      out += flag.starts_with("--") ? " -l " + flag.substr(2) : " -s " + flag.substr(1);
      if (!option.is_switch()) out += " -r";
      if (!option.choices.empty()) out += " -f -a " + shell_quoted(fmt::format("{}", fmt::join(option.choices, " ")));
      out += fmt::format(" -d {}\n", shell_quoted(option.description));
    }
  }
  return out;
}

std::string fish_script(const CommandEntry& program) {
  std::string out = "# Completion of paraprint for fish: ~/.config/fish/completions/paraprint.fish\n";
  for_each_command(program, [&](const CommandEntry& command) {
    for (const CommandEntry& below : command.commands) {
      out += fmt::format("complete -c paraprint -n {} -f -a {} -d {}\n", shell_quoted(fish_condition(command)),
                         below.name, shell_quoted(below.summary));
    }
    out += fish_options(command);
  });
  return out;
}

}  // namespace

void add_completion_command(CLI::App& app, Command& run) {
  auto arguments = std::make_shared<CompletionArguments>();
  CLI::App* command =
      app.add_subcommand("completion", "Print a script with which a shell completes commands and options");
  declare_options(*command, completion_command_rows(), *arguments);
  command->footer(
      "Examples:\n"
      "  source <(paraprint completion bash)\n"
      "  paraprint completion zsh > ~/.zfunc/_paraprint\n"
      "  paraprint completion fish > ~/.config/fish/completions/paraprint.fish");
  command->callback([arguments, &app, &run] {
    run = [arguments, &app] {
      const CommandEntry program = command_tree(app);
      switch (arguments->shell) {
        case Shell::kBash:
          return print_output(bash_script(program));
        case Shell::kZsh:
          return print_output(zsh_script(program));
        case Shell::kFish:
          break;
      }
      return print_output(fish_script(program));
    };
  });
}

}  // namespace paraprint::cli
