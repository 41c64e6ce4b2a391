// Reads a configuration file line by line, and sets what it names.
#include "configuration_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <utility>

#include "options/option_table.h"

namespace paraprint::cli {
namespace {

constexpr std::string_view kBlanks = " \t\r";
constexpr std::string_view kEscapes = "\"\\btnfr";
constexpr std::string_view kEscaped = "\"\\\b\t\n\f\r";
constexpr std::string_view kBareKeyExtras = "-_.";
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";  // some editors begin every file with it

std::string_view trim(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kBlanks);
  return begin == std::string_view::npos ? std::string_view()
                                         : text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

bool is_bare_key(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || kBareKeyExtras.find(static_cast<char>(c)) != std::string_view::npos;
  });
}

class Reader {
 public:
  Reader(std::istream& input, std::string_view name) : input_(input), name_(name) {}

  std::vector<ConfigurationEntry> read() {
    std::vector<ConfigurationEntry> entries;
    std::map<std::pair<std::string, std::string>, std::size_t> lines;  // where each key was given
    std::string section;
    while (next_line()) {
      skip_blanks();
      if (at_end()) continue;
      ConfigurationEntry entry;
      entry.line = line_number_;
      if (rest_.front() == '[') {
        section = read_section();
        entry.section = section;
      } else {
        entry.section = section;
        entry.key = read_key();
        read_value(entry);
        const auto [earlier, is_new] = lines.emplace(std::pair(section, entry.key), entry.line);
        if (!is_new) fail(fmt::format("'{}' was already given in line {}", entry.key, earlier->second), entry.line);
      }
      expect_end_of_line();
      entries.push_back(std::move(entry));
    }
    if (input_.bad()) fail("the file cannot be read");
    return entries;
  }

 private:
  [[noreturn]] void fail(std::string_view message, std::size_t line = 0) const {
    throw CLI::ConfigError(fmt::format("paraprint: {}:{}: {}", name_, line != 0 ? line : line_number_, message));
  }

  bool next_line() {
    if (!std::getline(input_, line_)) return false;
    ++line_number_;
    if (line_number_ == 1 && line_.starts_with(kByteOrderMark)) line_.erase(0, kByteOrderMark.size());
    // The options that get values are text of C: a value would silently end there.
    if (line_.find('\0') != std::string::npos) fail("the file contains a zero byte; it must be text in UTF-8");
    rest_ = line_;
    return true;
  }
  void skip_blanks() { rest_.remove_prefix(std::min(rest_.find_first_not_of(kBlanks), rest_.size())); }
  bool at_end() const { return rest_.empty() || rest_.front() == '#'; }

  void expect_end_of_line() {
    skip_blanks();
    if (!at_end()) fail(fmt::format("unexpected '{}'; put text with spaces in quotes", trim(rest_)));
  }

  std::string read_section() {
    const std::size_t end = rest_.find(']');
    if (end == std::string_view::npos) fail(fmt::format("'{}' has no closing bracket", trim(rest_)));
    const std::string_view name = trim(rest_.substr(1, end - 1));
    if (!is_bare_key(name))
      fail(fmt::format("'{}' is not a section; write the name of a command, like [serve]", rest_.substr(0, end + 1)));
    rest_.remove_prefix(end + 1);
    return std::string(name);
  }

  std::string read_key() {
    const std::size_t end = rest_.find('=');
    const std::string_view key = trim(rest_.substr(0, end));
    if (end == std::string_view::npos) fail(fmt::format("'{}' has no value; write it like port = 8710", trim(rest_)));
    if (!is_bare_key(key)) fail(fmt::format("'{}' is not a key", key));
    rest_.remove_prefix(end + 1);
    return std::string(key);
  }

  void read_value(ConfigurationEntry& entry) {
    skip_blanks();
    if (at_end()) fail(fmt::format("'{}' has no value", entry.key));
    if (rest_.front() != '[') {
      entry.values.push_back(read_item(""));
      return;
    }
    rest_.remove_prefix(1);
    const std::size_t begin = line_number_;
    for (bool is_first = true;; is_first = false) {
      skip_lines(begin);
      if (!is_first && rest_.front() != ']') {
        if (rest_.front() != ',') fail("expected ',' or ']' in the array");
        rest_.remove_prefix(1);
        skip_lines(begin);
      }
      if (rest_.front() == ']') break;
      entry.values.push_back(read_item(",]"));
    }
    rest_.remove_prefix(1);
    // The option tables take an empty list as one empty value.
    if (entry.values.empty()) entry.values.emplace_back();
  }

  // Up to the next item of an array, which may be on another line.
  void skip_lines(std::size_t begin) {
    skip_blanks();
    while (at_end()) {
      if (!next_line()) fail("the array has no closing bracket", begin);
      skip_blanks();
    }
  }

  // `ends`: what ends a bare value besides blanks and comments.
  std::string read_item(std::string_view ends) {
    if (rest_.front() == '"') return read_quoted();
    if (rest_.front() == '\'') {
      const std::size_t end = rest_.find('\'', 1);
      if (end == std::string_view::npos) fail("the closing quote is missing");
      std::string text(rest_.substr(1, end - 1));
      rest_.remove_prefix(end + 1);
      return text;
    }
    if (rest_.front() == '{') fail("tables within braces are not supported");
    const std::size_t end = std::min(rest_.find_first_of(fmt::format("{}#{}", kBlanks, ends)), rest_.size());
    std::string text(rest_.substr(0, end));
    if (text.empty()) fail("a value is missing");
    rest_.remove_prefix(end);
    return text;
  }

  std::string read_quoted() {
    std::string text;
    for (std::size_t i = 1; i < rest_.size(); ++i) {
      if (rest_[i] == '"') {
        rest_.remove_prefix(i + 1);
        return text;
      }
      if (rest_[i] != '\\') {
        text += rest_[i];
        continue;
      }
      const std::size_t escape = ++i < rest_.size() ? kEscapes.find(rest_[i]) : std::string_view::npos;
      if (escape == std::string_view::npos) {
        fail("unknown escape after '\\'; write '\\\\' for one backslash, or use single quotes");
      }
      text += kEscaped[escape];
    }
    fail("the closing quote is missing");
  }

  std::istream& input_;
  std::string_view name_;
  std::string line_;
  std::string_view rest_;  // what is left of line_
  std::size_t line_number_ = 0;
};

std::string suggestion(const std::string& name, const std::vector<std::string>& names) {
  const std::string text =
      suggestion_for(name, names, [](const std::string& known) { return std::string_view(known); });
  return text.empty() ? text : ';' + text;
}

std::vector<std::string> command_names(const CLI::App& parent) {
  std::vector<std::string> names;
  for (const CLI::App* command :
       parent.get_subcommands([](const CLI::App* command) { return !command->get_name().empty(); })) {
    names.push_back(command->get_name());
  }
  return names;
}

CLI::App& find_command(CLI::App& app, std::string_view path) {
  CLI::App* found = &app;
  for (std::string_view left = path; !left.empty();) {
    const std::string name(left.substr(0, left.find('.')));
    const std::vector<std::string> names = command_names(*found);
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      throw CLI::ConfigError(fmt::format("there is no command '{}'{}", name, suggestion(name, names)));
    }
    found = found->get_subcommand(name);
    left.remove_prefix(std::min(name.size() + 1, left.size()));
  }
  return *found;
}

CLI::Option& find_option(CLI::App& command, const ConfigurationEntry& entry) {
  CLI::Option* const option = command.get_option_no_throw("--" + entry.key);
  if (option == nullptr) {
    std::vector<std::string> names;
    for (const CLI::Option* known : command.get_options({})) {
      if (!known->get_lnames().empty() && known->get_configurable()) names.push_back(known->get_lnames().back());
    }
    const std::string place = entry.section.empty() ? "there is" : fmt::format("[{}] has", entry.section);
    throw CLI::ConfigError(fmt::format("{} no option '{}'{}", place, entry.key, suggestion(entry.key, names)));
  }
  if (!option->get_configurable()) {
    throw CLI::ConfigError(fmt::format("'{}' can only be given on the command line", entry.key));
  }
  return *option;
}

void set(CLI::App& app, const ConfigurationEntry& entry) {
  CLI::App& command = find_command(app, entry.section);
  if (entry.key.empty()) return;
  if (entry.section.empty()) {
    throw CLI::ConfigError(
        fmt::format("'{}' is not in a section; begin with the name of a command, like [serve]", entry.key));
  }
  set_configured(command, entry);
}

}  // namespace

std::string_view without_program(std::string_view message) {
  constexpr std::string_view kProgram = "paraprint: ";
  return message.starts_with(kProgram) ? message.substr(kProgram.size()) : message;
}

void set_configured(CLI::App& command, const ConfigurationEntry& entry) {
  CLI::Option& option = find_option(command, entry);
  const bool is_switch = option.get_items_expected_max() == 0;
  const bool is_list = option.get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll;
  if (!is_list && entry.values.size() != 1) {
    throw CLI::ConfigError(fmt::format("'{}' takes one value, not {}", entry.key, entry.values.size()));
  }
  const std::string& value = entry.values.front();
  if (is_switch && value != "true" && value != "false") {
    throw CLI::ConfigError(fmt::format("{} is '{}'; it must be true or false", entry.key, value));
  }
  if (!option.empty()) return;  // the command line takes precedence
  if (is_switch) {
    option.add_result(option.get_flag_value("--" + entry.key, value));
    return;
  }
  option.add_result(entry.values);
  option.run_callback();
}

std::string quoted_value(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    const std::size_t escape = kEscaped.find(c);
    if (escape == std::string_view::npos) {
      quoted += c;
    } else {
      quoted += {'\\', kEscapes[escape]};
    }
  }
  return quoted + '"';
}

std::vector<ConfigurationEntry> read_configuration(std::istream& input, std::string_view name) {
  return Reader(input, name).read();
}

std::vector<CLI::ConfigItem> ConfigurationFile::from_config(std::istream& input) const {
  const std::string name = app_.get_config_ptr()->as<std::string>();
  for (const ConfigurationEntry& entry : read_configuration(input, name)) {
    try {
      set(app_, entry);
    } catch (const CLI::ParseError& error) {
      const std::string message = error.what();
      throw CLI::ConfigError(fmt::format("paraprint: {}:{}: {}", name, entry.line, without_program(message)));
    }
  }
  return {};
}

}  // namespace paraprint::cli
