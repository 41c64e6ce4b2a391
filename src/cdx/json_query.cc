// Of two members with one name, the last value counts, in the place of the first one.
#include "cdx/json_query.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <array>
#include <charconv>
#include <cmath>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cdx/query_text.h"
#include "memory/seeded_hash.h"

namespace paraprint::inline cdx {
namespace {

using simdjson::dom::element;
using simdjson::dom::element_type;

// The shortest digits of the number, with an exponent beyond 16 digits, as Python's repr() has them.
std::string text_of(double value) {
  const double magnitude = std::fabs(value);
  std::array<char, 64> buffer{};
  const bool is_fixed = magnitude == 0 || (magnitude >= 1e-4 && magnitude < 1e16);
  const auto written = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                     is_fixed ? std::chars_format::fixed : std::chars_format::scientific);
  std::string text(buffer.data(), written.ptr);
  if (is_fixed && text.find('.') == std::string::npos) text += ".0";
  return text;
}

std::string text_of_scalar(const element& value) {
  switch (value.type()) {
    case element_type::STRING:
      return std::string(value.get_string().value_unsafe());
    case element_type::INT64:
      return fmt::format("{}", value.get_int64().value_unsafe());
    case element_type::UINT64:
      return fmt::format("{}", value.get_uint64().value_unsafe());
    case element_type::DOUBLE:
      return text_of(value.get_double().value_unsafe());
    case element_type::BOOL:
      return value.get_bool().value_unsafe() ? "True" : "False";
    default:
      return "None";
  }
}

// Collects what is named. Depth is limited by the parser.
class QueryOfJson {
 public:
  void add(const element& value, std::string_view name) {
    if (value.is_object()) {
      add_members(value.get_object().value_unsafe());
    } else if (value.is_array()) {
      const simdjson::dom::array children = value.get_array().value_unsafe();
      for (const element child : children) add(child, name);
    } else if (!name.empty()) {
      add_pair(name, text_of_scalar(value));
    }
  }

  std::string take() {
    std::string query;
    for (const auto& [name, value] : pairs_) {
      if (!query.empty()) query += '&';
      append_quoted(name, query);
      query += '=';
      append_quoted(value, query);
    }
    return query;
  }

 private:
  void add_members(const simdjson::dom::object& object) {
    std::unordered_map<std::string_view, element, SeededHash> last;
    for (const auto& [name, value] : object) last[name] = value;
    for (const auto& [name, value] : object) {
      const auto found = last.find(name);
      if (found == last.end()) continue;
      const element chosen = found->second;
      last.erase(found);
      add(chosen, name);
    }
  }

  // "a", "a.2_", "a.3_". A name that is made may be one that is given: then its value is replaced.
  void add_pair(std::string_view name, std::string value) {
    std::string key(name);
    if (places_.contains(key)) {
      const auto count = counts_.try_emplace(key, 1).first;
      key += fmt::format(".{}_", ++count->second);
    }
    const auto [place, is_new] = places_.try_emplace(key, pairs_.size());
    if (is_new) {
      pairs_.emplace_back(std::move(key), std::move(value));
    } else {
      pairs_[place->second].second = std::move(value);
    }
  }

  std::vector<std::pair<std::string, std::string>> pairs_;
  std::unordered_map<std::string, std::size_t, SeededHash> places_;  // in `pairs_`
  std::unordered_map<std::string, std::size_t, SeededHash> counts_;
};

}  // namespace

std::optional<std::string> json_query(std::string_view json) {
  simdjson::dom::parser parser;
  element document;
  QueryOfJson query;
  if (parser.parse(simdjson::padded_string(json)).get(document) == simdjson::SUCCESS) {
    query.add(document, "");
    return query.take();
  }
  if (json.find('\n') == std::string_view::npos) return std::nullopt;
  while (true) {
    const std::size_t end = json.find('\n');
    if (parser.parse(simdjson::padded_string(json.substr(0, end))).get(document) != simdjson::SUCCESS) {
      return std::nullopt;
    }
    query.add(document, "");
    if (end == std::string_view::npos) return query.take();
    json.remove_prefix(end + 1);
  }
}

}  // namespace paraprint::inline cdx
