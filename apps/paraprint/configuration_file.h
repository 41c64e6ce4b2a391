// Reads --config: a TOML file with one section per command. CLI11 has a reader of its own, whose errors name neither
// the file nor the line, and which cuts a quoted value at "#"; it is replaced by this one.
//
// Understood is what options need: sections, comments, quoted and bare values, arrays, also over several lines.
#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <istream>
#include <string>
#include <string_view>
#include <vector>

namespace paraprint::cli {

struct ConfigurationEntry {
  std::string section;              // "index.add"; empty before the first section
  std::string key;                  // "near"; empty: the entry is the section itself
  std::vector<std::string> values;  // several of an array
  std::size_t line = 0;             // counted from 1
};

// The entries of a file in their order. CLI::ConfigError "NAME:LINE: ..." for text that is not such a file.
std::vector<ConfigurationEntry> read_configuration(std::istream& input, std::string_view name);

// A value as read_configuration() reads it: in quotes, with escapes. It must not contain a zero byte.
std::string quoted_value(std::string_view text);

// Sets the option of `command` that the entry names, unless the command line has set it. CLI::ConfigError if there is
// none of that name, or the value is refused.
void set_configured(CLI::App& command, const ConfigurationEntry& entry);

// A message without the name of the program, with which those of the option tables begin.
std::string_view without_program(std::string_view message);

// Sets the options of `app` and its commands that the command line has not set. Every section and key of the file must
// exist, also those of commands that are not run. CLI::ConfigError "FILE:LINE: ..." otherwise, or if a value is
// refused.
class ConfigurationFile : public CLI::ConfigTOML {
 public:
  explicit ConfigurationFile(CLI::App& app) : app_(app) {}

  // Called by CLI11 when the command line has been read. There is nothing left to do for the caller.
  std::vector<CLI::ConfigItem> from_config(std::istream& input) const override;

 private:
  CLI::App& app_;
};

}  // namespace paraprint::cli
