// The file is read with the declarations of dedup, by the parser that reads its command line, so it may have everything
// that a command line may.
#include "stored_options.h"

#include <fmt/format.h>

#include <filesystem>

#include "option_declarations.h"
#include "options/command_tables.h"

namespace paraprint::cli {

void declare_run(CLI::App& command, DedupOptions& options) {
  declare_options(command, dedup_argument_rows(), options);
  for_each_run_table(options, [&](const auto rows, auto& part) { declare_options(command, rows, part); });
}

Result<DedupOptions> read_stored_options(const std::string& folder, const std::vector<std::string>& overrides) {
  const std::string stored = stored_options_path(folder);
  DedupOptions options;
  CLI::App reader("stored options");
  declare_run(reader, options);
  reader.set_config("--config", stored, "", true);
  try {
    std::vector<std::string> arguments(overrides.rbegin(), overrides.rend());  // CLI11 expects them reversed
    reader.parse(arguments);
  } catch (const CLI::ParseError& error) {
    // A missing file is the usual mistake: a wrong folder, or a run that has not finished.
    std::error_code ignored;
    if (!std::filesystem::exists(stored, ignored)) {
      return tl::unexpected<Error>(
          Error{ErrorCode::kNotFound, fmt::format("{}: contains no finished run of `paraprint dedup`", folder)});
    }
    return tl::unexpected<Error>(Error{ErrorCode::kInvalidArgument, error.what()});
  }
  options.output.out = folder;
  return options;
}

}  // namespace paraprint::cli
