// Every value is checked here, so that calls work with page numbers that exist and numbers in range.
#include "view/call_input.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <charconv>

#include "serve/page_request.h"

namespace paraprint::inline explorer {
namespace {

constexpr std::size_t kShownBytes = 60;  // of a value in a message

template <class Number>
std::optional<Number> parsed(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace

CallParameters::CallParameters(const std::vector<TargetParameter>& parameters,
                               std::initializer_list<std::string_view> names)
    : parameters_(parameters) {
  for (auto at = parameters.begin(); at != parameters.end() && !refused_; ++at) {
    if (std::find(names.begin(), names.end(), at->name) == names.end()) {
      refuse_value(fmt::format("unknown parameter {}", at->name.substr(0, kShownBytes)));
    }
    if (std::any_of(parameters.begin(), at, [&](const TargetParameter& other) { return other.name == at->name; })) {
      refuse_value(fmt::format("duplicate parameter {}", at->name));
    }
  }
}

void CallParameters::refuse_value(std::string message) {
  if (!refused_) refused_ = Refused{Refusal::kBadParameter, std::move(message)};
}

Answer<void> CallParameters::refused() const {
  if (refused_) return tl::unexpected<Refused>(*refused_);
  return {};
}

std::string CallParameters::text(std::string_view name) const {
  for (const TargetParameter& parameter : parameters_) {
    if (parameter.name == name) return parameter.value;
  }
  return {};
}

std::uint64_t CallParameters::number(std::string_view name, std::uint64_t otherwise, std::uint64_t maximum) {
  const std::string given = text(name);
  if (given.empty()) return otherwise;
  const auto number = parsed<std::uint64_t>(given);
  if (number && *number <= maximum) return *number;
  refuse_value(
      fmt::format("{} is '{}'; it must be a whole number up to {}", name, given.substr(0, kShownBytes), maximum));
  return otherwise;
}

double CallParameters::share(std::string_view name, double otherwise) {
  const std::string given = text(name);
  if (given.empty()) return otherwise;
  const auto number = parsed<double>(given);
  if (number && *number >= 0 && *number <= 1) return *number;
  refuse_value(fmt::format("{} is '{}'; it must be a number from 0 to 1", name, given.substr(0, kShownBytes)));
  return otherwise;
}

std::vector<std::uint32_t> CallParameters::page_list(std::string_view name, std::uint32_t pages, std::size_t count) {
  const std::string given = text(name);
  std::vector<std::uint32_t> list;
  for (std::size_t begin = 0; begin < given.size();) {
    const std::size_t end = std::min(given.find(',', begin), given.size());
    const auto page = parsed<std::uint32_t>(std::string_view(given).substr(begin, end - begin));
    if (!page || *page >= pages || list.size() == count) {
      refuse_value(
          fmt::format("{} must be up to {} numbers of pages below {}, separated by commas", name, count, pages));
      return {};
    }
    list.push_back(*page);
    begin = end + 1;
  }
  return list;
}

std::uint32_t CallParameters::page(std::string_view name, std::uint32_t pages) {
  const std::string given = text(name);
  const auto page = parsed<std::uint32_t>(given);
  if (page && *page < pages) return *page;
  refuse_value(
      fmt::format("{} is '{}'; it must be the number of a page, below {}", name, given.substr(0, kShownBytes), pages));
  return 0;
}

std::string CallParameters::day(std::string_view name) {
  std::string given = text(name);
  constexpr std::string_view kForm = "0000-00-00";
  bool is_day = given.empty() || given.size() == 4 || given.size() == 7 || given.size() == kForm.size();
  for (std::size_t i = 0; i < std::min(given.size(), kForm.size()); ++i) {
    is_day = is_day && (kForm[i] == '-' ? given[i] == '-' : given[i] >= '0' && given[i] <= '9');
  }
  if (!is_day) {
    refuse_value(fmt::format("{} is '{}'; it must be a year, month or day, such as 2010-03", name,
                             given.substr(0, kShownBytes)));
  }
  return given;
}

std::string CallParameters::export_format() {
  std::string format = text("format");
  if (!format.empty() && format != "tsv" && format != "jsonl") refuse_value("format must be tsv or jsonl");
  return format;
}

Answer<CallBody> read_call_body(const RequestHead& head, std::string_view body) {
  if (page_body_of(head.content_type) != PageBody::kJson) {
    return refuse(Refusal::kUnsupportedType, "Content-Type must be application/json");
  }
  simdjson::dom::parser parser;
  simdjson::dom::object object;
  if (parser.parse(body.data(), body.size()).get(object) != simdjson::SUCCESS) {
    return refuse(Refusal::kBadJson, "the body is not a JSON object");
  }
  CallBody read;
  const std::pair<std::string_view, std::optional<std::uint64_t>*> numbers[] = {
      {"a", &read.a}, {"b", &read.b}, {"number", &read.number}, {"pairs", &read.pairs}, {"seed", &read.seed}};
  const std::pair<std::string_view, std::string*> words[] = {{"ruling", &read.ruling}, {"judgement", &read.judgement}};
  for (const auto& [name, into] : numbers) {
    simdjson::dom::element value;
    if (object.at_key(name).get(value) != simdjson::SUCCESS) continue;
    std::uint64_t number = 0;
    if (value.get(number) != simdjson::SUCCESS) {
      return refuse(Refusal::kBadField, fmt::format("the field \"{}\" must be a whole number", name));
    }
    *into = number;
  }
  for (const auto& [name, into] : words) {
    simdjson::dom::element value;
    if (object.at_key(name).get(value) != simdjson::SUCCESS) continue;
    std::string_view word;
    if (value.get(word) != simdjson::SUCCESS) {
      return refuse(Refusal::kBadField, fmt::format("the field \"{}\" must be a string", name));
    }
    *into = word;
  }
  return read;
}

Refused refused_by_run(const Error& error) {
  switch (error.code) {
    case ErrorCode::kNotFound:
      return {Refusal::kUnknownId, error.message};
    case ErrorCode::kInvalidArgument:
      return {Refusal::kBadParameter, error.message};
    case ErrorCode::kNoSpace:
      return {Refusal::kNoSpace, error.message};
    case ErrorCode::kCancelled:
      return {Refusal::kStopping, error.message};
    default:
      return {Refusal::kInternal, error.message};
  }
}

}  // namespace paraprint::inline explorer
