// Numbers are parsed with std::from_chars, which knows no locale: a decimal point means the same on every machine.
#include "options/option_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <optional>

#include "base/nearest_name.h"
#include "base/propagate.h"

namespace paraprint::inline options {
namespace {

Status not_a(std::string_view name, std::string_view text, std::string_view what) {
  return failure(ErrorCode::kInvalidArgument, fmt::format("{} is '{}'; it must be {}", name, text, what));
}

template <class Integer>
Status parse_integer(std::string_view name, std::string_view text, Integer& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && end == text.data() + text.size()) return {};
  return not_a(name, text, std::is_signed_v<Integer> ? "a whole number" : "a whole number, not negative");
}

// "200" or "200-299".
std::optional<StatusRange> parse_status(std::string_view text) {
  const auto number = [](std::string_view digits) {
    int value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return error == std::errc() && end == digits.data() + digits.size() ? value : -1;
  };
  const std::size_t dash = text.find('-');
  StatusRange range;
  range.first = number(text.substr(0, dash));
  range.last = dash == std::string_view::npos ? range.first : number(text.substr(dash + 1));
  if (range.first >= 100 && range.first <= range.last && range.last <= 999) return range;
  return std::nullopt;
}

}  // namespace

std::string flag_of(std::string_view name) {
  std::string flag = "--" + std::string(name);
  std::replace(flag.begin(), flag.end(), '_', '-');
  return flag;
}

OptionValue to_option_value(bool value) {
  return value;
}
OptionValue to_option_value(int value) {
  return std::int64_t{value};
}
OptionValue to_option_value(std::uint16_t value) {
  return std::uint64_t{value};
}
OptionValue to_option_value(std::uint32_t value) {
  return std::uint64_t{value};
}
OptionValue to_option_value(std::int64_t value) {
  return value;
}
OptionValue to_option_value(std::uint64_t value) {
  return value;
}
OptionValue to_option_value(double value) {
  return value;
}
OptionValue to_option_value(const std::string& value) {
  return value;
}
OptionValue to_option_value(const std::vector<std::string>& value) {
  return fmt::format("{}", fmt::join(value, ","));
}
OptionValue to_option_value(const std::vector<StatusRange>& value) {
  std::string text;
  for (const StatusRange& range : value) {
    if (!text.empty()) text += ',';
    text += fmt::format("{}", range.first);
    if (range.last != range.first) text += fmt::format("-{}", range.last);
  }
  return text;
}

std::string text_of(const OptionValue& value) {
  return std::visit([](const auto& known) { return fmt::format("{}", known); }, value);
}

Status parse_option(std::string_view name, std::string_view text, bool& value) {
  for (const std::string_view word : {"true", "on", "yes", "1"}) {
    if (text == word) return value = true, Status{};
  }
  for (const std::string_view word : {"false", "off", "no", "0"}) {
    if (text == word) return value = false, Status{};
  }
  return not_a(name, text, "on or off");
}
Status parse_option(std::string_view name, std::string_view text, int& value) {
  return parse_integer(name, text, value);
}
Status parse_option(std::string_view name, std::string_view text, std::uint16_t& value) {
  return parse_integer(name, text, value);
}
Status parse_option(std::string_view name, std::string_view text, std::uint32_t& value) {
  return parse_integer(name, text, value);
}
Status parse_option(std::string_view name, std::string_view text, std::int64_t& value) {
  return parse_integer(name, text, value);
}
Status parse_option(std::string_view name, std::string_view text, std::uint64_t& value) {
  return parse_integer(name, text, value);
}
Status parse_option(std::string_view name, std::string_view text, double& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && end == text.data() + text.size() && std::isfinite(value)) return {};
  return not_a(name, text, "a number");
}
Status parse_option(std::string_view, std::string_view text, std::string& value) {
  value = text;
  return {};
}
Status parse_option(std::string_view, std::span<const std::string> texts, std::vector<std::string>& value) {
  value.clear();
  // A configuration file stores an empty list as one empty string.
  std::copy_if(texts.begin(), texts.end(), std::back_inserter(value), [](const auto& text) { return !text.empty(); });
  return {};
}
Status parse_option(std::string_view name, std::span<const std::string> texts, std::vector<StatusRange>& value) {
  value.clear();
  for (const std::string& text : texts) {
    const std::optional<StatusRange> range = parse_status(text);
    if (!range) return not_a(name, text, "an HTTP status or a range like 200-299");
    value.push_back(*range);
  }
  return {};
}

Status parse_size(std::string_view name, std::string_view text, std::uint64_t& bytes) {
  constexpr std::string_view kUnits = "kmgtpe";
  constexpr std::uint32_t kBitsPerUnit = 10;
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  std::string unit(end, text.data() + text.size());
  std::erase(unit, ' ');
  std::transform(unit.begin(), unit.end(), unit.begin(), [](unsigned char c) { return std::tolower(c); });
  const bool is_plain = unit.empty() || unit == "b";
  const std::size_t prefix = is_plain ? 0 : kUnits.find(unit.front());
  const bool is_unit = is_plain || (prefix != std::string_view::npos &&
                                    (unit.size() == 1 || unit.substr(1) == "b" || unit.substr(1) == "ib"));
  const std::uint32_t shift = is_plain || !is_unit ? 0 : kBitsPerUnit * static_cast<std::uint32_t>(prefix + 1);
  if (error != std::errc() || !is_unit || number > (std::numeric_limits<std::uint64_t>::max() >> shift)) {
    return not_a(name, text, "a number of bytes, like 123, 64KB or 2GB");
  }
  bytes = number << shift;
  return {};
}

Status parse_duration(std::string_view name, std::string_view text, std::int64_t& seconds) {
  struct Unit {
    std::string_view name;
    std::int64_t seconds;
  };
  constexpr Unit kUnits[] = {{"", 1}, {"s", 1}, {"min", 60}, {"h", 3600}, {"d", 86'400}};
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  std::string_view rest(end, static_cast<std::size_t>(text.data() + text.size() - end));
  while (rest.starts_with(' ')) rest.remove_prefix(1);
  for (const Unit& unit : kUnits) {
    if (error != std::errc() || unit.name != rest) continue;
    if (std::abs(number) > std::numeric_limits<std::int64_t>::max() / unit.seconds) break;
    seconds = number * unit.seconds;
    return {};
  }
  return not_a(name, text, "a number of seconds, or a duration like 90s, 15min, 12h or 7d");
}

Result<std::size_t> find_choice(std::string_view name, std::string_view text, std::span<const std::string_view> names) {
  const auto found = std::find(names.begin(), names.end(), text);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  return not_one_of(name, text, fmt::format("{}", fmt::join(names, ", ")));
}

std::string size_text(std::uint64_t bytes) {
  constexpr std::string_view kUnits[] = {"GiB", "MiB", "KiB"};
  std::uint32_t bits = 30;
  for (const std::string_view unit : kUnits) {
    if (bytes > 0 && bytes % (std::uint64_t{1} << bits) == 0) return fmt::format("{} {}", bytes >> bits, unit);
    bits -= 10;
  }
  return fmt::format("{} bytes", bytes);
}

std::string NumberRange::text(bool is_size) const {
  const auto end = [is_size](double value) {
    return is_size ? size_text(static_cast<std::uint64_t>(value)) : fmt::format("{}", value);
  };
  const bool has_minimum = std::isfinite(minimum);
  const bool has_maximum = std::isfinite(maximum);
  if (excludes_minimum) return fmt::format("in ({}, {}]", minimum, maximum);
  if (has_minimum && has_maximum) return fmt::format("{} to {}", end(minimum), end(maximum));
  return has_minimum ? fmt::format("at least {}", end(minimum)) : std::string();
}

Status NumberRange::check(std::string_view name, const OptionValue& value, bool is_size) const {
  if (const auto* number = std::get_if<std::int64_t>(&value)) return check(name, *number, is_size);
  if (const auto* number = std::get_if<std::uint64_t>(&value)) return check(name, *number, is_size);
  if (const auto* number = std::get_if<double>(&value)) return check(name, *number, is_size);
  return {};
}

std::string help_with_range(std::string_view help, const NumberRange& range, bool is_size) {
  const std::string text = range.text(is_size);
  return text.empty() ? std::string(help) : fmt::format("{}; {}", help, text);
}

tl::unexpected<Error> no_such_option(std::string_view name, std::span<const std::string_view> names) {
  return failure(ErrorCode::kInvalidArgument,
                 fmt::format("there is no option '{}';{}", name,
                             suggestion_for(name, names, [](std::string_view known) { return known; })));
}

void append_to_identity(std::string& identity, std::string_view name, std::string_view text) {
  identity += ' ';
  std::replace_copy(name.begin(), name.end(), std::back_inserter(identity), '_', '-');
  identity += '=';
  identity += text;
}

}  // namespace paraprint::inline options
