// Fuzzes the editor of JSON lines: what is no object is refused or passed over without harm; an object keeps all of its
// members, and has the new one, or the new text.
#include "report/json_line_editor.h"

#include <simdjson.h>

#include <cstdint>
#include <cstdlib>
#include <string>

namespace {

constexpr std::string_view kText = "new \"text\" \xE6\xB0\xB4\n";

// Whether the members of `before` are the first ones of `after`, and how many there are.
std::size_t common_members(const simdjson::dom::object& before, const simdjson::dom::object& after) {
  std::size_t count = 0;
  auto other = after.begin();
  for (const auto& member : before) {
    if (other == after.end() || member.key != (*other).key) std::abort();
    if (simdjson::minify(member.value) != simdjson::minify((*other).value) && member.key != "text") std::abort();
    ++other;
    ++count;
  }
  return count;
}

simdjson::dom::object object_of(simdjson::dom::parser& parser, std::string_view line) {
  simdjson::dom::object object;
  if (parser.parse(std::string(line)).get(object) != simdjson::SUCCESS) std::abort();
  return object;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view line(reinterpret_cast<const char*>(data), size);
  paraprint::JsonLineEditor editor;
  std::size_t members = 0;
  const bool is_object = editor
                             .for_each_member(line,
                                              [&](std::string_view, paraprint::TextSpan value) -> paraprint::Status {
                                                if (value.end_bytes > size || value.size_bytes() == 0) std::abort();
                                                ++members;
                                                return {};
                                              })
                             .has_value();
  simdjson::dom::parser parser;
  simdjson::dom::object object;
  if (parser.parse(std::string(line)).get(object) != simdjson::SUCCESS) return 0;
  if (!is_object) std::abort();
  simdjson::dom::parser of_edited;
  const simdjson::dom::object longer = object_of(of_edited, editor.with_members(line, members == 0, R"("new":[1])"));
  if (common_members(object, longer) + 1 != longer.size()) std::abort();
  std::string_view text;
  if (object.at_key("text").get(text) != simdjson::SUCCESS) return 0;
  const auto edited = editor.with_text(line, "text", kText);
  if (!edited) std::abort();
  const simdjson::dom::object other = object_of(of_edited, *edited);
  if (common_members(object, other) != other.size()) std::abort();
  if (other.at_key("text").get(text) != simdjson::SUCCESS || text != kText) std::abort();
  return 0;
}
