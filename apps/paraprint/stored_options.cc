// The file is written and read as a configuration file without sections (configuration_file.h), set by the parser that
// reads the command line of dedup. It begins with a line that says what it is and ends with one that has the length of
// all before, so that options which are lost are not replaced by defaults. Files of earlier versions have neither.
#include "stored_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <sstream>

#include "configuration_file.h"
#include "option_declarations.h"
#include "options/command_tables.h"

namespace paraprint::cli {
namespace {

constexpr std::string_view kFirstLine = "# The options of this run, for `paraprint recluster`.\n";
constexpr std::string_view kLastLine = "# The end, after ";

std::string last_line(std::string_view lines) {
  return fmt::format("{}{} bytes.\n", kLastLine, lines.size());
}

template <class Options>
std::string flag_in_file(const OptionRow<Options>& row) {
  return flag_of(row.has(kPositional) ? row.flag : row.name);
}

// Empty for an option without a value.
template <class Options>
std::string stored_line(const OptionRow<Options>& row, const CLI::Option& option, const Options& options) {
  const std::string key = flag_in_file(row).substr(2);
  const bool is_given = option.count() > 0;
  const bool is_text = kind_name(row) == "TEXT";
  if (is_given && is_list(row)) {
    std::vector<std::string> values;
    for (const std::string& value : option.results()) values.push_back(quoted_value(value));
    return values.size() == 1 ? fmt::format("{} = {}\n", key, values.front())
                              : fmt::format("{} = [{}]\n", key, fmt::join(values, ", "));
  }
  const std::string value = is_given || has_default(row) ? option_text(row, options) : std::string();
  if (!is_given && value.empty()) return {};
  return fmt::format("{} = {}\n", key, is_text ? quoted_value(value) : value);
}

// What a run is made of, and where it is: another one is another run.
constexpr std::array<std::string_view, 3> kOfTheRun = {"--input", "--out", "--restart"};

// Called by CLI11 when the flags that replace some options have been read.
class StoredOptionsFile : public CLI::ConfigTOML {
 public:
  StoredOptionsFile(CLI::App& reader, std::string path) : reader_(reader), path_(std::move(path)) {}

  std::vector<CLI::ConfigItem> from_config(std::istream& input) const override {
    // Otherwise the value of an unknown flag would be reported, as another input.
    if (reader_.remaining_size() > 0) throw CLI::ExtrasError(reader_.remaining());
    if (reader_.get_config_ptr()->count() > 0) {
      throw CLI::ConfigError("a run is reclustered with its own options; --config is for other commands");
    }
    for (const std::string_view flag : kOfTheRun) {
      if (reader_.get_option(std::string(flag))->count() == 0) continue;
      throw CLI::ConfigError(
          fmt::format("a run is reclustered where it is, with its inputs; {} is for `paraprint dedup`",
                      flag == "--input" ? "another input" : flag));
    }
    std::ostringstream text;
    text << input.rdbuf();
    const std::string content = std::move(text).str();
    const bool is_earlier = !content.starts_with(kFirstLine);
    if (!is_earlier) check_end(content);
    std::istringstream lines(content);
    const std::vector<ConfigurationEntry> entries = read_configuration(lines, path_);
    if (is_earlier) check_earlier(content, entries);
    for (const ConfigurationEntry& entry : entries) set(entry, is_earlier);
    return {};
  }

 private:
  [[noreturn]] void fail_damaged() const {
    throw CLI::ConfigError(fmt::format(
        "{}: the file is damaged; repeat `paraprint dedup` with the options of the run to write it again", path_));
  }

  void check_end(std::string_view content) const {
    const std::size_t line = content.rfind(kLastLine);
    if (line == std::string_view::npos || content.substr(line) != last_line(content.substr(0, line))) fail_damaged();
  }

  // The last option, which all files have, is there.
  void check_earlier(std::string_view content, const std::vector<ConfigurationEntry>& entries) const {
    const bool is_whole = std::any_of(entries.begin(), entries.end(),
                                      [](const ConfigurationEntry& entry) { return entry.key == "memory"; });
    if (!is_whole || !content.ends_with('\n')) fail_damaged();
  }

  // Earlier versions also stored what only their command line took.
  void set(const ConfigurationEntry& entry, bool is_earlier) const {
    if (is_earlier && reader_.get_option_no_throw("--" + entry.key) == nullptr) return;
    try {
      set_configured(reader_, entry);
    } catch (const CLI::ParseError& error) {
      throw CLI::ConfigError(fmt::format("{}:{}: {}", path_, entry.line, without_program(error.what())));
    }
  }

  CLI::App& reader_;
  const std::string path_;
};

}  // namespace

void declare_run(CLI::App& command, DedupOptions& options) {
  declare_options(command, dedup_argument_rows(), options);
  for_each_run_table(options, [&](const auto rows, auto& part) { declare_options(command, rows, part); });
}

std::string stored_options_text(const CLI::App& command, const DedupOptions& options) {
  std::string text(kFirstLine);
  const auto append = [&](const auto rows, const auto& part) {
    for (const auto& row : rows) {
      const CLI::Option& option = *command.get_option(flag_in_file(row));
      if (option.get_configurable()) text += stored_line(row, option, part);
    }
  };
  append(dedup_argument_rows(), options);
  for_each_run_table(options, append);
  return text + last_line(text);
}

Result<DedupOptions> read_stored_options(const std::string& folder, const std::vector<std::string>& overrides) {
  const std::string stored = stored_options_path(folder);
  std::error_code ignored;
  // A missing file is the usual mistake: a wrong folder, or a run that has not finished.
  if (!std::filesystem::exists(stored, ignored)) {
    return tl::unexpected<Error>(
        Error{ErrorCode::kNotFound, fmt::format("{}: contains no finished run of `paraprint dedup`", folder)});
  }
  DedupOptions options;
  CLI::App reader("stored options");
  declare_run(reader, options);
  reader.set_config("--config", stored, "", true);
  reader.config_formatter(std::make_shared<StoredOptionsFile>(reader, stored));
  try {
    std::vector<std::string> arguments(overrides.rbegin(), overrides.rend());  // CLI11 expects them reversed
    reader.parse(arguments);
  } catch (const CLI::ParseError& error) {
    return tl::unexpected<Error>(Error{ErrorCode::kInvalidArgument, std::string(without_program(error.what()))});
  }
  options.output.out = folder;
  return options;
}

}  // namespace paraprint::cli
