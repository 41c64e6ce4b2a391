// Reads back what a run says of itself in summary.json: the settings in force, which a later recluster may have
// changed, and the totals.
#include <fmt/format.h>
#include <simdjson.h>

#include <cmath>
#include <string>
#include <vector>

#include "base/propagate.h"
#include "options/option_table.h"
#include "view/run_store.h"

namespace paraprint::inline explorer {
namespace {

// Real numbers have four decimals in the file.
constexpr double kRoundingError = 0.00005;

// A value as the option table reads it.
std::string text_of(simdjson::dom::element value) {
  if (value.is_string()) return std::string(std::string_view(value));
  return simdjson::minify(value);
}

std::vector<std::string> items_of(const std::string& text) {
  std::vector<std::string> items;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    items.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return items;
}

template <class Options>
void add_flag(const OptionRow<Options>& row, const Options& options, std::vector<std::string>& flags) {
  if (row.name == "near" || row.name == "never" || row.name == "always") return;
  const std::string flag = flag_of(row.name);
  const std::string text = option_text(row, options);
  if (is_switch(row)) {
    flags.push_back(text == "true" ? flag : "--no-" + flag.substr(2));
  } else {
    flags.push_back(flag);
    flags.push_back(text);
  }
}

// Options that did not change keep their exact values.
template <class Options>
Status apply_settings(std::span<const OptionRow<Options>> rows, simdjson::dom::object settings, Options& options,
                      std::vector<std::string>& flags) {
  for (const OptionRow<Options>& row : rows) {
    simdjson::dom::element value;
    if (row.has(kKeepsOutput) || settings.at_key(row.name).get(value) != simdjson::SUCCESS) continue;
    if (const auto* real = std::get_if<double Options::*>(&row.field)) {
      double number = 0;
      if (value.get(number) == simdjson::SUCCESS && std::abs(options.**real - number) <= kRoundingError) continue;
    }
    const std::string text = text_of(value);
    const std::string before = option_text(row, options);
    PARAPRINT_TRY(set_option(row, options, is_list(row) ? items_of(text) : std::vector<std::string>{text}));
    if (option_text(row, options) != before) add_flag(row, options, flags);
  }
  return {};
}

std::uint64_t counter(simdjson::dom::object summary, std::string_view stage, std::string_view name) {
  std::uint64_t count = 0;
  const bool is_there = summary.at_key("counters").at_key(stage).at_key(name).get(count) == simdjson::SUCCESS;
  return is_there ? count : 0;
}

}  // namespace

Status read_run_summary(const std::string& path, const std::string& text, DedupOptions& options, RunTotals& totals,
                        std::vector<std::string>& inputs) {
  simdjson::dom::parser parser;
  simdjson::dom::object summary;
  simdjson::dom::object settings;
  simdjson::dom::array names;
  std::string_view command;
  if (parser.parse(text).get(summary) != simdjson::SUCCESS ||
      summary.at_key("settings").get(settings) != simdjson::SUCCESS ||
      summary.at_key("inputs").get(names) != simdjson::SUCCESS ||
      summary.at_key("command").get(command) != simdjson::SUCCESS) {
    return failure(ErrorCode::kCorruptData, fmt::format("{}: not the summary of a run", path));
  }
  totals.command = command;
  totals.pages = counter(summary, "pages", "read");
  totals.kept = counter(summary, "pages", "kept");
  totals.removed = counter(summary, "pages", "removed");
  totals.clusters = counter(summary, "clusters", "clusters");
  simdjson::dom::array broken;
  if (summary.at_key("broken").get(broken) == simdjson::SUCCESS) {
    for (const simdjson::dom::element kind : broken) {
      std::uint64_t count = 0;
      if (kind.at_key("count").get(count) == simdjson::SUCCESS) totals.broken += count;
    }
  }
  for (const simdjson::dom::element name : names) {
    std::string_view input;
    if (name.get(input) == simdjson::SUCCESS) inputs.emplace_back(input);
  }
  Status applied = apply_settings(survivor_option_rows(), settings, options.survivors, totals.recluster_flags);
  if (applied) applied = apply_settings(match_option_rows(), settings, options.match, totals.recluster_flags);
  if (applied) return {};
  return failure(ErrorCode::kCorruptData, fmt::format("{}: {}", path, applied.error().message));
}

}  // namespace paraprint::inline explorer
