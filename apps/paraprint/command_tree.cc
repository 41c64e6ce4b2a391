// Reads the declared commands and options out of the parser.
#include "command_tree.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <sstream>

namespace paraprint::cli {
namespace {

constexpr std::string_view kChoicesName = "choices:";

std::vector<std::string> choices_of(CLI::Option& declared) {
  std::vector<std::string> choices;
  try {
    const std::string name = declared.get_validator()->get_name();
    if (name.compare(0, kChoicesName.size(), kChoicesName) != 0) return choices;
    std::istringstream list(name.substr(kChoicesName.size()));
    for (std::string choice; std::getline(list, choice, ',');) choices.push_back(choice);
  } catch (const CLI::OptionNotFound&) {
    // An option without validators, as CLI11 tells it.
  }
  return choices;
}

OptionEntry option_entry(CLI::Option& declared) {
  OptionEntry entry;
  for (const std::string& name : declared.get_snames()) entry.flags.push_back("-" + name);
  for (const std::string& name : declared.get_lnames()) entry.flags.push_back("--" + name);
  // Names that turn a switch off come first among the long ones; --help and readers expect the plain name first.
  for (const std::string& name : declared.get_fnames()) {
    std::erase(entry.flags, "--" + name);
    entry.flags.push_back("--" + name);
  }
  if (declared.get_positional()) entry.positional = declared.get_name(true, false);
  if (declared.get_items_expected_max() > 0) entry.kind = declared.get_type_name();
  entry.is_on = entry.is_switch() && declared.get_default_str() == "true";
  if (!entry.is_switch()) entry.default_text = declared.get_default_str();
  entry.description = declared.get_description();
  entry.group = declared.get_group();
  entry.choices = choices_of(declared);
  entry.is_required = declared.get_required();
  entry.is_list = declared.get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll;
  return entry;
}

CommandEntry command_entry(CLI::App& app, const std::string& path) {
  CommandEntry entry{app.get_name(), path, app.get_description(), app.get_footer(), {}, {}};
  for (CLI::Option* option : app.get_options([](CLI::Option* one) { return !one->get_group().empty(); })) {
    entry.options.push_back(option_entry(*option));
  }
  for (CLI::App* command : app.get_subcommands([](CLI::App* one) { return !one->get_group().empty(); })) {
    entry.commands.push_back(
        command_entry(*command, path.empty() ? command->get_name() : path + ' ' + command->get_name()));
  }
  return entry;
}

}  // namespace

CommandEntry command_tree(CLI::App& app) {
  return command_entry(app, "");
}

void attach_choices(CLI::Option& option, const std::vector<std::string>& choices) {
  // The table checks the values; this validator only has them as its name, which --help does not show.
  option.check(CLI::Validator([](const std::string&) { return std::string(); }, "",
                              fmt::format("{}{}", kChoicesName, fmt::join(choices, ","))));
}

}  // namespace paraprint::cli
