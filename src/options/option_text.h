// Values of options as text and back: what all rows of the option tables share, whatever struct they belong to.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "options/option_checks.h"
#include "paraprint/read_options.h"
#include "paraprint/result.h"

namespace paraprint::inline options {

// The enumerators of CdxForm.
inline constexpr std::string_view kCdxForms[] = {"none", "cdxj", "cdx11"};

// How the command line writes the name of an option: "--min-characters" for "min_characters".
std::string flag_of(std::string_view name);

using OptionValue = std::variant<bool, std::int64_t, std::uint64_t, double, std::string>;

OptionValue to_option_value(bool value);
OptionValue to_option_value(int value);
OptionValue to_option_value(std::uint16_t value);
OptionValue to_option_value(std::uint32_t value);
OptionValue to_option_value(std::int64_t value);
OptionValue to_option_value(std::uint64_t value);
OptionValue to_option_value(double value);
OptionValue to_option_value(const std::string& value);
OptionValue to_option_value(const std::vector<std::string>& value);  // joined with commas
OptionValue to_option_value(const std::vector<StatusRange>& value);  // "200,300-399"
std::string text_of(const OptionValue& value);

// kInvalidArgument for text that is not such a value, naming the option.
Status parse_option(std::string_view name, std::string_view text, bool& value);
Status parse_option(std::string_view name, std::string_view text, int& value);
Status parse_option(std::string_view name, std::string_view text, std::uint16_t& value);
Status parse_option(std::string_view name, std::string_view text, std::uint32_t& value);
Status parse_option(std::string_view name, std::string_view text, std::int64_t& value);
Status parse_option(std::string_view name, std::string_view text, std::uint64_t& value);
Status parse_option(std::string_view name, std::string_view text, double& value);
Status parse_option(std::string_view name, std::string_view text, std::string& value);
Status parse_option(std::string_view name, std::span<const std::string> texts, std::vector<std::string>& value);
Status parse_option(std::string_view name, std::span<const std::string> texts, std::vector<StatusRange>& value);
// Bytes: "123", "64KB", "2 GiB"; units are powers of 1024.
Status parse_size(std::string_view name, std::string_view text, std::uint64_t& bytes);
// Seconds: "90", "15min", "12h", "7d"; -1 stands for itself.
Status parse_duration(std::string_view name, std::string_view text, std::int64_t& seconds);
// "64 MiB", "1000 bytes": in the largest unit that has no remainder.
std::string size_text(std::uint64_t bytes);
// The index of `text` among `names`.
Result<std::size_t> find_choice(std::string_view name, std::string_view text, std::span<const std::string_view> names);

// The values that a number may have. Both ends are included unless the minimum is excluded.
struct NumberRange {
  double minimum = -std::numeric_limits<double>::infinity();
  double maximum = std::numeric_limits<double>::infinity();
  bool excludes_minimum = false;

  // "1 to 16", "in (0, 1]" or "at least 3"; empty for any number. Of bytes if `is_size`: "at least 64 MiB".
  std::string text(bool is_size = false) const;

  // kInvalidArgument: "near is 2; it must be in (0, 1]".
  template <class Number>
  Status check(std::string_view name, Number value, bool is_size = false) const {
    const auto number = static_cast<double>(value);
    // Written so that NaN, which compares false with everything, is refused.
    const bool is_inside = (excludes_minimum ? number > minimum : number >= minimum) && number <= maximum;
    return is_inside ? Status{} : Status(outside(name, value, text(is_size)));
  }
  // The same of a value of any kind; only numbers can be out of range.
  Status check(std::string_view name, const OptionValue& value, bool is_size) const;
};

// "Number of matches; 1 to 16".
std::string help_with_range(std::string_view help, const NumberRange& range, bool is_size);
// kInvalidArgument, with the nearest of the names if one is near.
tl::unexpected<Error> no_such_option(std::string_view name, std::span<const std::string_view> names);
// Appends " name=text", the name with dashes.
void append_to_identity(std::string& identity, std::string_view name, std::string_view text);

}  // namespace paraprint::inline options
