#include "options.h"

#include <fmt/format.h>
#include <nanobind/stl/string.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string>
#include <vector>

#include "module.h"
#include "option_declarations.h"

namespace paraprint::python {
namespace {

using Declare = void (*)(CLI::App&, CallOptions&);

void declare_profile_call(CLI::App& app, CallOptions& options) {
  cli::declare_profile(app, options.profile);
}
void declare_batch_call(CLI::App& app, CallOptions& options) {
  cli::declare_profile(app, options.profile);
  cli::declare_reading(app, options.reading);
  cli::declare_resources(app, options.resources);
}
void declare_compare_call(CLI::App& app, CallOptions& options) {
  cli::declare_profile(app, options.profile);
  cli::declare_match(app, options.match);
}
void declare_evaluate_call(CLI::App& app, CallOptions& options) {
  cli::declare_evaluation(app, options.evaluation);
  cli::declare_match(app, options.match);
  cli::declare_candidates(app, options.candidates);
  cli::declare_reading(app, options.reading);
  cli::declare_resources(app, options.resources);
}
void declare_index_call(CLI::App& app, CallOptions& options) {
  cli::declare_profile(app, options.profile);
  cli::declare_match(app, options.match);
  cli::declare_candidates(app, options.candidates);
}
void declare_read_call(CLI::App& app, CallOptions& options) {
  cli::declare_reading(app, options.reading);
}
void declare_dedup_call(CLI::App& app, CallOptions& options) {
  cli::declare_output(app, options.output);
  cli::declare_survivors(app, options.survivors);
  cli::declare_match(app, options.match);
  cli::declare_alignment(app, options.match);
  cli::declare_candidates(app, options.candidates);
  cli::declare_profile(app, options.profile);
  cli::declare_profile_of_run(app, options.profile);
  cli::declare_reading(app, options.reading);
  cli::declare_resources(app, options.resources);
}

struct Call {
  std::string_view name;
  Declare declare;
};
constexpr Call kCalls[] = {
    {"profile", declare_profile_call}, {"batch", declare_batch_call}, {"compare", declare_compare_call},
    {"dedup", declare_dedup_call},     {"index", declare_index_call}, {"evaluate", declare_evaluate_call},
    {"read", declare_read_call},
};

void declare_options(std::string_view call, CLI::App& app, CallOptions& options) {
  app.set_help_flag("");  // an option named `help` would be taken for the flag
  const auto* found =
      std::find_if(std::begin(kCalls), std::end(kCalls), [&](const Call& row) { return row.name == call; });
  if (found == std::end(kCalls)) throw nb::key_error(std::string(call).c_str());
  found->declare(app, options);
}

std::string python_name(const CLI::Option& option) {
  std::string name = option.get_lnames().front();
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

// Positional arguments are arguments of the Python call, too.
std::vector<const CLI::Option*> named_options(const CLI::App& app) {
  std::vector<const CLI::Option*> options = app.get_options();
  std::erase_if(options, [](const CLI::Option* option) { return option->get_lnames().empty(); });
  return options;
}

bool is_switch(const CLI::Option& option) {
  return option.get_items_expected_max() == 0;
}

std::string item_text(nb::handle value) {
  return nb::cast<std::string>(nb::str(nb::module_::import_("os").attr("fspath")(value)));
}

// As it would be written on a command line: lists with commas, paths as they are.
std::string value_text(nb::handle value) {
  if (nb::isinstance<nb::list>(value) || nb::isinstance<nb::tuple>(value)) {
    std::string joined;
    for (nb::handle item : value) joined += (joined.empty() ? "" : ",") + value_text(item);
    return joined;
  }
  if (nb::hasattr(value, "__fspath__")) return item_text(value);
  return nb::cast<std::string>(nb::str(value));
}

// The arguments that set `option` to `value`, last first: so CLI11 takes them.
void append_arguments(const CLI::Option& option, nb::handle value, std::vector<std::string>& arguments) {
  const std::string flag = "--" + option.get_lnames().front();
  if (is_switch(option)) {
    if (!PyBool_Check(value.ptr())) {
      throw nb::type_error(fmt::format("option '{}' is a switch: True or False", python_name(option)).c_str());
    }
    arguments.push_back(flag + (nb::cast<bool>(value) ? "=true" : "=false"));
    return;
  }
  if (PyBool_Check(value.ptr())) {
    throw nb::type_error(fmt::format("option '{}' takes a value, not a bool", python_name(option)).c_str());
  }
  const bool is_list = nb::isinstance<nb::list>(value) || nb::isinstance<nb::tuple>(value);
  if (!is_list || option.get_items_expected_max() == 1) {
    arguments.push_back(value_text(value));
    arguments.push_back(flag);
    return;
  }
  std::vector<std::string> items;
  for (nb::handle item : value) items.push_back(value_text(item));
  for (auto item = items.rbegin(); item != items.rend(); ++item) {
    arguments.push_back(*item);
    arguments.push_back(flag);
  }
}

[[noreturn]] void refuse_name(const std::string& name, const std::vector<const CLI::Option*>& declared) {
  nb::list names;
  for (const CLI::Option* option : declared) names.append(python_name(*option));
  const nb::object near = nb::module_::import_("difflib").attr("get_close_matches")(name, names, 1);
  std::string message = fmt::format("there is no option '{}'", name);
  if (nb::len(near) > 0) message += fmt::format("; did you mean '{}'?", nb::cast<std::string>(nb::str(near[0])));
  throw nb::type_error(message.c_str());
}

}  // namespace

CallOptions options_of(std::string_view call, const nb::dict& keywords) {
  CallOptions options;
  CLI::App app;
  declare_options(call, app, options);
  const std::vector<const CLI::Option*> declared = named_options(app);
  std::vector<std::string> arguments;
  for (const auto& [key, value] : keywords) {
    const std::string name = nb::cast<std::string>(nb::str(key));
    const auto found = std::find_if(declared.begin(), declared.end(),
                                    [&](const CLI::Option* option) { return python_name(*option) == name; });
    if (found == declared.end()) refuse_name(name, declared);
    if (!value.is_none()) append_arguments(**found, value, arguments);
  }
  std::string refused;
  try {
    app.parse(arguments);
  } catch (const CLI::ParseError& error) {
    refused = error.what();
  }
  if (!refused.empty()) raise({ErrorCode::kInvalidArgument, refused});
  return options;
}

DedupOptions dedup_options_of(const std::vector<std::string>& inputs, const nb::dict& keywords) {
  CallOptions call = options_of("dedup", keywords);
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
        CLI::App app;
        declare_options(call, app, options);
        nb::list rows;
        for (const CLI::Option* option : named_options(app)) {
          rows.append(nb::make_tuple(python_name(*option), is_switch(*option) ? "switch" : option->get_type_name(),
                                     option->get_default_str(), option->get_group(), option->get_description()));
        }
        return rows;
      },
      nb::arg("call"));
  // Raises what a call with these keywords would raise.
  module.def(
      "check_options", [](const std::string& call, const nb::dict& keywords) { options_of(call, keywords); },
      nb::arg("call"), nb::arg("keywords"));
}

}  // namespace paraprint::python
