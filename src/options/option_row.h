// One row per option: its name, the field it sets, its range, its help and what it influences. The command line, the
// configuration file, Python's keywords, validation, settings identities, summary.json, sweeps of `eval` and the tables
// of docs/cli.md are all made from these rows (option_table.h), so an option is added in one place.
//
// A name has underscores ("min_characters"). The command line writes it with dashes ("--min-characters"); everywhere
// else, error messages included, it is used as it is.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/assert.h"
#include "base/nearest_name.h"
#include "base/propagate.h"
#include "options/option_text.h"
#include "paraprint/read_options.h"
#include "paraprint/result.h"

namespace paraprint::inline options {

// A field of an enumeration, with a name per enumerator in the order of their values, which start at 0.
template <class Options>
struct ChoiceField {
  std::span<const std::string_view> names;
  std::size_t (*get)(const Options& options);
  void (*set)(Options& options, std::size_t choice);
};

template <auto Member, class Options, class Enum>
constexpr ChoiceField<Options> choice_field(Enum Options::*, std::span<const std::string_view> names) {
  return {names, [](const Options& options) { return static_cast<std::size_t>(options.*Member); },
          [](Options& options, std::size_t choice) { options.*Member = static_cast<Enum>(choice); }};
}
// choice<&ProfileOptions::idf>(kIdfSources)
template <auto Member>
constexpr auto choice(std::span<const std::string_view> names) {
  return choice_field<Member>(Member, names);
}

template <class Options>
using OptionField =
    std::variant<bool Options::*, int Options::*, std::uint16_t Options::*, std::uint32_t Options::*,
                 std::int64_t Options::*, std::uint64_t Options::*, double Options::*, std::string Options::*,
                 std::vector<std::string> Options::*, std::vector<StatusRange> Options::*, ChoiceField<Options>>;

// What an option influences, and where it can be used. A new option should have as few of these as is true.
enum OptionUse : std::uint32_t {
  kNoUse = 0,
  // It enters the settings identity of profiles: always, or only if it differs from the default, so that adding the
  // option left the identities of default settings as they were.
  kProfileIdentity = 1U << 0,
  kProfileIdentityIfSet = 1U << 1,
  kScoresIdentity = 1U << 2,  // it decides which pairs are scored, and how (docs/formats/scored-pairs.md)
  kStageIdentity = 1U << 3,   // it decides what the stages of a divided run store, in addition to profiles
  kKeepsOutput = 1U << 4,     // it never changes a run's output: not in summary.json
  kSwept = 1U << 5,           // `eval` has it as well, and varies it in specifications and sweeps
  kRunOnly = 1U << 6,         // only runs over files have it: it needs all pages, or their texts a second time
  kSize = 1U << 8,            // a number of bytes; "4GB" is understood
  kNotInFile = 1U << 9,       // not read from or stored in a configuration file
  kOnePerFlag = 1U << 10,     // a list whose items may contain commas: the flag is repeated instead
  kDuration = 1U << 11,       // a number of seconds; "7d" is understood
  // The command line takes it by its place, not by a flag; a list takes all that are left. Its items may be any text,
  // commas and nothing at all included.
  kPositional = 1U << 12,
  kRequired = 1U << 13,   // the command line is refused without it
  kNoDefault = 1U << 14,  // the member's initial value only says that the option was not given
};

// The group of --help that has --help itself.
inline constexpr std::string_view kGeneralGroup = "Options";

template <class Options>
struct OptionRow {
  std::string_view name;
  OptionField<Options> field;
  std::string_view group;  // heading in --help and docs/cli.md
  std::string_view help;   // one line, without a full stop at the end
  NumberRange range = {};  // of numbers
  std::uint32_t uses = kNoUse;
  // Its name in identities that are stored in files, if that is older than `name` and differs. Never changes.
  std::string_view stored_name = {};
  // Of a positional row: the flag, like "input" for `inputs`, by which it can be given as well, and by which a
  // configuration file knows it. Empty: by its place alone.
  std::string_view flag = {};

  bool has(OptionUse use) const { return (uses & use) != 0; }
};

// Rows that every command has, not only runs over files.
inline constexpr auto kOfAnyCommand = [](const auto& row) { return !row.has(kRunOnly); };
// Rows that evaluations have.
inline constexpr auto kOfEvaluations = [](const auto& row) { return row.has(kSwept); };

template <class Options>
bool is_switch(const OptionRow<Options>& row) {
  return std::holds_alternative<bool Options::*>(row.field);
}

// Takes several values: a list, or the ranges of HTTP statuses.
template <class Options>
bool is_list(const OptionRow<Options>& row) {
  return std::holds_alternative<std::vector<std::string> Options::*>(row.field) ||
         std::holds_alternative<std::vector<StatusRange> Options::*>(row.field);
}

// The kind of value, as --help writes it: "", "INT", "UINT", "FLOAT", "SIZE", "TEXT". Empty for a switch.
template <class Options>
std::string_view kind_name(const OptionRow<Options>& row) {
  if (row.has(kSize)) return "SIZE";
  constexpr std::string_view kNames[] = {"",      "INT",  "UINT", "UINT", "INT", "UINT",
                                         "FLOAT", "TEXT", "TEXT", "TEXT", "TEXT"};
  static_assert(std::size(kNames) == std::variant_size_v<OptionField<Options>>);
  return kNames[row.field.index()];
}

// The value in force: lists are joined with commas, choices written by name.
template <class Options>
OptionValue option_value(const OptionRow<Options>& row, const Options& options) {
  return std::visit(
      [&](const auto& field) -> OptionValue {
        using Field = std::decay_t<decltype(field)>;
        if constexpr (std::is_same_v<Field, ChoiceField<Options>>) {
          return std::string(field.names[field.get(options)]);
        } else {
          return to_option_value(options.*field);
        }
      },
      row.field);
}

template <class Options>
std::string option_text(const OptionRow<Options>& row, const Options& options) {
  return text_of(option_value(row, options));
}

// Whether the member's initial value is a default that users may be shown.
template <class Options>
bool has_default(const OptionRow<Options>& row) {
  return !row.has(kRequired) && !row.has(kNoDefault);
}

// The help line, with the range of a number: "Number of matches; 1 to 16".
template <class Options>
std::string help_text(const OptionRow<Options>& row) {
  return help_with_range(row.help, row.range, row.has(kSize));
}

// kInvalidArgument if the value in force is out of range.
template <class Options>
Status check_option(const OptionRow<Options>& row, const Options& options) {
  return row.range.check(row.name, option_value(row, options), row.has(kSize));
}

template <class Options>
Status check_options(std::span<const OptionRow<Options>> rows, const Options& options) {
  for (const OptionRow<Options>& row : rows) PARAPRINT_TRY(check_option(row, options));
  return {};
}

// Sets the option from text, as the command line, a configuration file or a sweep gives it. Lists take every item of
// `texts`, everything else the last one. kInvalidArgument for text that is not a value; ranges are left to
// check_option(), so that each caller reports them in the same words.
template <class Options>
Status set_option(const OptionRow<Options>& row, Options& options, std::span<const std::string> texts) {
  return std::visit(
      [&](const auto& field) -> Status {
        using Field = std::decay_t<decltype(field)>;
        const std::string_view text = texts.empty() ? std::string_view() : std::string_view(texts.back());
        if constexpr (std::is_same_v<Field, ChoiceField<Options>>) {
          PARAPRINT_ASSIGN(const std::size_t found, find_choice(row.name, text, field.names));
          field.set(options, found);
          return {};
        } else if constexpr (std::is_same_v<Field, std::vector<std::string> Options::*>) {
          if (!row.has(kPositional)) return parse_option(row.name, texts, options.*field);
          (options.*field).assign(texts.begin(), texts.end());
          return {};
        } else if constexpr (std::is_same_v<Field, std::vector<StatusRange> Options::*>) {
          return parse_option(row.name, texts, options.*field);
        } else if constexpr (std::is_same_v<Field, std::int64_t Options::*>) {
          return row.has(kDuration) ? parse_duration(row.name, text, options.*field)
                                    : parse_option(row.name, text, options.*field);
        } else if constexpr (std::is_same_v<Field, std::uint64_t Options::*>) {
          return row.has(kSize) ? parse_size(row.name, text, options.*field)
                                : parse_option(row.name, text, options.*field);
        } else {
          return parse_option(row.name, text, options.*field);
        }
      },
      row.field);
}

// The row of that name; kInvalidArgument, with a suggestion, if there is none.
template <class Options>
Result<const OptionRow<Options>*> find_option(std::span<const OptionRow<Options>> rows, std::string_view name) {
  std::vector<std::string_view> names;
  for (const OptionRow<Options>& row : rows) {
    if (row.name == name) return &row;
    names.push_back(row.name);
  }
  return no_such_option(name, names);
}

// The value in force of the option of that name, which must exist.
template <class Options>
std::string option_text(std::span<const OptionRow<Options>> rows, std::string_view name, const Options& options) {
  const auto row = std::find_if(rows.begin(), rows.end(), [&](const auto& known) { return known.name == name; });
  PARAPRINT_ASSERT(row != rows.end());
  return option_text(*row, options);
}

// A value that enters an identity in another form than the option's own: a path by the content of its file, say.
struct ResolvedValue {
  std::string_view name;
  std::string text;  // empty: left out
};

// " name=value" for each row with `use`, in the order of the table. Rows with kProfileIdentityIfSet are left out if
// their value is the default and not among `resolved`.
template <class Options>
std::string identity_of(std::span<const OptionRow<Options>> rows, const Options& options, OptionUse use,
                        std::span<const ResolvedValue> resolved = {}) {
  const Options defaults;
  std::string identity;
  for (const OptionRow<Options>& row : rows) {
    if (!row.has(use)) continue;
    std::string text = option_text(row, options);
    const auto found = std::find_if(resolved.begin(), resolved.end(),
                                    [&](const ResolvedValue& value) { return value.name == row.name; });
    if (found != resolved.end()) {
      if (found->text.empty()) continue;
      text = found->text;
    } else if (use == kProfileIdentityIfSet && text == option_text(row, defaults)) {
      continue;
    }
    append_to_identity(identity, row.stored_name.empty() ? row.name : row.stored_name, text);
  }
  return identity;
}

}  // namespace paraprint::inline options
