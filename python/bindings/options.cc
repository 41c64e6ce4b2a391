// Keyword arguments, set through the option tables. What a call accepts is a list of tables, so a new row of a table is
// a keyword of every call that has the table.
#include "options.h"

#include <fmt/format.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "arguments.h"
#include "module.h"
#include "options/command_tables.h"
#include "options/option_table.h"

namespace paraprint::python {
namespace {

constexpr auto kEvery = [](const auto&) { return true; };

// Calls visit(rows, options, is_wanted) for each table of the call, in the order of --help.
template <class Visit>
void for_each_table(std::string_view call, CallOptions& options, Visit&& visit) {
  const bool is_frame = call == "frame";
  const bool is_run = call == "dedup" || is_frame;
  const bool is_evaluation = call == "evaluate";
  const bool is_comparison = is_evaluation || call == "compare" || call == "index";
  const bool makes_profiles = is_run || call == "profile" || call == "batch" || call == "compare" || call == "index";
  const bool judges_extractors = call == "evaluate_extraction";
  const bool finds_items = call == "contaminated";
  const bool reads = is_run || is_evaluation || judges_extractors || finds_items || call == "batch" || call == "read";
  if (!is_comparison && !makes_profiles && !reads) throw nb::key_error(std::string(call).c_str());
  if (is_run || is_evaluation) visit(preset_option_rows(), options.preset, kEvery);
  if (is_evaluation) {
    visit(labelled_input_option_rows(), options.evaluation.inputs, kEvery);
    visit(evaluate_option_rows(), options.evaluation, kEvery);
    visit(sample_option_rows(), options.sample, kEvery);
  }
  if (judges_extractors) visit(evaluate_extraction_option_rows(), options.extraction, kEvery);
  if (finds_items) visit(contamination_option_rows(), options.contamination, kEvery);
  if (is_run) {
    if (!is_frame) visit(output_option_rows(), options.output, kEvery);
    visit(survivor_option_rows(), options.survivors, kEvery);
  }
  const auto run_or_any = [is_run](const auto& row) { return is_run || kOfAnyCommand(row); };
  if (makes_profiles && !is_run) visit(profile_option_rows(), options.profile, run_or_any);
  if (is_comparison || is_run) visit(match_option_rows(), options.match, run_or_any);
  if (is_run || is_evaluation || call == "index") visit(candidate_option_rows(), options.candidates, kEvery);
  if (is_run) visit(profile_option_rows(), options.profile, run_or_any);
  if (is_evaluation) visit(profile_option_rows(), options.profile, kOfEvaluations);
  // The columns of a frame are named by arguments of the call, and there is nothing else to read.
  const auto limits_bodies = [](const auto& row) { return row.name == "max_body_bytes"; };
  if (is_frame) visit(read_option_rows(), options.reading, limits_bodies);
  if (reads && !is_frame) visit(read_option_rows(), options.reading, kEvery);
  if (is_run || is_evaluation || finds_items || call == "batch")
    visit(resource_option_rows(), options.resources, kEvery);
}

// The value of an option as it would be written on a command line; paths as they are.
std::string value_text(nb::handle value, std::string_view option) {
  const std::string name = fmt::format("option '{}'", option);
  if (nb::hasattr(value, "__fspath__")) {
    return given_text(nb::str(nb::module_::import_("os").attr("fspath")(value)), name);
  }
  return given_text(nb::str(value), name);
}

bool is_sequence(nb::handle value) {
  return nb::isinstance<nb::list>(value) || nb::isinstance<nb::tuple>(value);
}

// A sequence gives its items, and to an option that is not a list their text joined with commas, as in keep="a,b".
std::vector<std::string> value_texts(nb::handle value, bool is_list, std::string_view option) {
  std::vector<std::string> items;
  if (!is_sequence(value)) {
    const std::string text = value_text(value, option);
    if (!is_list) return {text};
    for (std::size_t begin = 0; begin <= text.size();) {
      const std::size_t comma = std::min(text.find(',', begin), text.size());
      items.push_back(text.substr(begin, comma - begin));
      begin = comma + 1;
    }
    return items;
  }
  for (nb::handle item : value) items.push_back(value_text(item, option));
  if (is_list) return items;
  std::string joined;
  for (const std::string& item : items) joined += (joined.empty() ? "" : ",") + item;
  return {joined};
}

template <class Options>
void set_from(const OptionRow<Options>& row, Options& options, nb::handle value) {
  const std::string name(row.name);
  if (is_switch(row)) {
    if (!PyBool_Check(value.ptr())) {
      throw nb::type_error(fmt::format("option '{}' takes True or False", name).c_str());
    }
    options.*std::get<bool Options::*>(row.field) = nb::cast<bool>(value);
    return;
  }
  if (PyBool_Check(value.ptr()))
    throw nb::type_error(fmt::format("option '{}' takes a value, not a bool", name).c_str());
  const bool splits = is_list(row) && !row.has(kOnePerFlag);
  check(set_option(
      row, options,
      is_sequence(value) || splits ? value_texts(value, is_list(row), name) : std::vector{value_text(value, name)}));
  check(check_option(row, options));
}

[[noreturn]] void refuse_name(std::string_view call, const std::string& name) {
  nb::list names;
  CallOptions options;
  for_each_table(call, options, [&](const auto rows, auto&, const auto& is_wanted) {
    for (const auto& row : rows) {
      if (is_wanted(row)) names.append(text(row.name));
    }
  });
  const nb::object near = nb::module_::import_("difflib").attr("get_close_matches")(name, names, 1);
  std::string message = fmt::format("there is no option '{}'", name);
  if (nb::len(near) > 0) message += fmt::format("; did you mean '{}'?", nb::cast<std::string>(nb::str(near[0])));
  throw nb::type_error(message.c_str());
}

// Before all other keywords, which override it.
void set_preset(std::string_view call, const nb::dict& keywords, CallOptions& options) {
  const bool is_evaluation = call == "evaluate";
  if (!keywords.contains("preset") || (call != "dedup" && call != "frame" && !is_evaluation)) return;
  const nb::object name = keywords["preset"];
  if (name.is_none()) return;
  check(apply_preset(value_text(name, "preset"), options.profile, options.candidates, options.match));
  if (is_evaluation)
    options.evaluation.algorithms = {std::exchange(options.profile.algorithm, ProfileOptions().algorithm)};
}

}  // namespace

CallOptions options_of(std::string_view call, const nb::dict& keywords) {
  CallOptions options;
  set_preset(call, keywords, options);
  for (const auto& [key, value] : keywords) {
    const std::string name = given_text(nb::str(key), "the name of an option");
    bool is_known = false;
    for_each_table(call, options, [&, value = value](const auto rows, auto& part, const auto& is_wanted) {
      for (const auto& row : rows) {
        if (row.name != name || !is_wanted(row) || is_known) continue;
        is_known = true;
        if (!value.is_none()) set_from(row, part, value);
      }
    });
    if (!is_known) refuse_name(call, name);
  }
  return options;
}

ReadOptions reading_of(const nb::dict& keywords, const std::string& score_field) {
  ReadOptions reading = options_of("read", keywords).reading;
  reading.score_field = score_field;
  return reading;
}

DedupOptions dedup_options_of(const std::vector<std::string>& inputs, const nb::dict& keywords, std::string_view name) {
  CallOptions call = options_of(name, keywords);
  DedupOptions options;
  options.inputs = inputs;
  options.reading = std::move(call.reading);
  options.profile = std::move(call.profile);
  options.candidates = call.candidates;
  options.match = call.match;
  options.survivors = std::move(call.survivors);
  options.output = std::move(call.output);
  options.resources = std::move(call.resources);
  return options;
}

void bind_options(nb::module_& module) {
  // (name, "switch" or the kind of value, default as text, group, help): for documentation, types and tests.
  module.def(
      "options",
      [](const std::string& call) {
        CallOptions options;
        nb::list found;
        for_each_table(call, options, [&](const auto rows, auto& part, const auto& is_wanted) {
          for (const auto& row : rows) {
            if (!is_wanted(row)) continue;
            found.append(nb::make_tuple(text(row.name), is_switch(row) ? text("switch") : text(kind_name(row)),
                                        text(option_text(row, part)), text(row.group), text(row.help)));
          }
        });
        return found;
      },
      nb::arg("call"));
  // Raises what a call with these keywords would raise.
  module.def(
      "score_field",
      [](const std::string& keep) {
        SurvivorOptions options;
        options.keep = keep;
        return text(options.score_field());
      },
      nb::arg("keep"));
  module.def(
      "check_options", [](const std::string& call, const nb::dict& keywords) { options_of(call, keywords); },
      nb::arg("call"), nb::arg("keywords"));
}

}  // namespace paraprint::python
