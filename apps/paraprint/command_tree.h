// The declared commands and options as plain values, from which the manual pages and the completions of shells are
// written. --help shows the same.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace paraprint::cli {

struct OptionEntry {
  std::vector<std::string> flags;    // "--near", "-h", "--no-report"; empty if it is only taken by its place
  std::string positional;            // its name as an argument, else empty
  std::string kind;                  // "FLOAT", "TEXT", ...; empty for a switch
  std::string default_text;          // as shown to users; empty if there is none to show
  std::string description;           // one line
  std::string group;                 // its heading
  std::vector<std::string> choices;  // the values of an enumeration, else empty
  bool is_required = false;
  bool is_list = false;
  bool is_on = false;  // of a switch: its default

  bool is_switch() const { return kind.empty(); }
};

struct CommandEntry {
  std::string name;     // "add"
  std::string path;     // "index add"; empty for the program itself
  std::string summary;  // one line
  std::string footer;   // paragraphs; lines that begin with two spaces stand as they are
  std::vector<OptionEntry> options;
  std::vector<CommandEntry> commands;
};

// All visible commands and options, in the order of --help.
CommandEntry command_tree(CLI::App& app);

// Calls visit(entry) for an entry and everything below it, in order.
template <class Visit>
void for_each_command(const CommandEntry& entry, Visit&& visit) {
  visit(entry);
  for (const CommandEntry& command : entry.commands) for_each_command(command, visit);
}

// How the choices of an enumeration are attached to a declared option.
void attach_choices(CLI::Option& option, const std::vector<std::string>& choices);

}  // namespace paraprint::cli
