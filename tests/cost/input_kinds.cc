// What the tables of kinds have in common.
#include "input_kinds.h"

#include <algorithm>
#include <utility>

#include "repeated_text.h"

namespace paraprint {
namespace {

constexpr std::string_view kText = "{text}";

}  // namespace

std::vector<HostileKind> hostile_input_kinds() {
  std::vector<HostileKind> kinds;
  for (const auto add : {add_web_inputs, add_archive_inputs, add_container_inputs, add_http_inputs, add_file_inputs,
                         add_word_table_inputs, add_algorithm_inputs, add_contamination_inputs, add_search_inputs}) {
    add(kinds);
  }
  return kinds;
}

std::function<std::string(std::size_t, std::size_t)> items_of_text(std::string_view head, std::string_view unit,
                                                                   std::string_view tail, char separator,
                                                                   std::size_t text_bytes) {
  const std::size_t at = unit.find(kText);
  const std::string before(unit.substr(0, at));
  const std::string after(at == std::string_view::npos ? std::string_view() : unit.substr(at + kText.size()));
  return [=, head = std::string(head), tail = std::string(tail)](std::size_t size_bytes, std::size_t items) {
    Sequence sequence(1);
    const std::size_t fixed_bytes = before.size() + after.size();
    const std::size_t each_bytes = std::max(size_bytes / std::max<std::size_t>(items, 1), fixed_bytes + 1);
    std::string input(head);
    for (std::size_t number = 0; input.size() < size_bytes; ++number) {
      append_unit(before, number, input);
      if (at == std::string_view::npos) continue;
      input += words_of(std::min(each_bytes - fixed_bytes, text_bytes), separator, sequence);
      append_unit(after, number, input);
    }
    return input.append(tail);
  };
}

std::function<std::string(std::size_t, std::size_t)> of_size(std::function<std::string(std::size_t)> make) {
  return [make = std::move(make)](std::size_t size_bytes, std::size_t) { return make(size_bytes); };
}

std::function<std::string(std::size_t)> repeated(std::string_view head, std::string_view unit, std::string_view tail) {
  return [head = std::string(head), unit = std::string(unit), tail = std::string(tail)](std::size_t size_bytes) {
    std::string input(head);
    fill(unit, size_bytes, input);
    return input.append(tail);
  };
}

std::function<std::string(std::size_t)> in_two_halves(std::string_view head, std::string_view first,
                                                      std::string_view between, std::string_view second,
                                                      std::string_view tail) {
  return [head = std::string(head), first = std::string(first), between = std::string(between),
          second = std::string(second), tail = std::string(tail)](std::size_t size_bytes) {
    std::string input(head);
    fill(first, size_bytes / 2, input);
    input += between;
    fill(second, size_bytes, input);
    return input.append(tail);
  };
}

}  // namespace paraprint
