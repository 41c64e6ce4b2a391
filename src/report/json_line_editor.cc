// The parser of simdjson that reads on demand: it finds names and places, and passes over values.
#include "report/json_line_editor.h"

#include <simdjson.h>

#include <algorithm>

#include "base/propagate.h"
#include "report/json_writer.h"

namespace paraprint::inline report {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

tl::unexpected<Error> not_an_object() {
  return failure(ErrorCode::kCorruptData, "the line is not a JSON object");
}

}  // namespace

struct JsonLineEditor::Parser {
  simdjson::ondemand::parser parser;
};

JsonLineEditor::JsonLineEditor() : parser_(std::make_unique<Parser>()) {}
JsonLineEditor::~JsonLineEditor() = default;

Status JsonLineEditor::for_each_member(std::string_view line,
                                       const std::function<Status(std::string_view, TextSpan)>& visit) {
  const std::size_t mark = line.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
  // Copied, because the parser reads beyond the end of what it is given.
  padded_.assign(line.substr(mark));
  padded_.reserve(line.size() + simdjson::SIMDJSON_PADDING);
  simdjson::ondemand::document document;
  simdjson::ondemand::object object;
  const simdjson::padded_string_view view(padded_.data(), padded_.size(), padded_.capacity());
  if (parser_->parser.iterate(view).get(document) != simdjson::SUCCESS ||
      document.get_object().get(object) != simdjson::SUCCESS) {
    return not_an_object();
  }
  for (auto member : object) {
    std::string_view name;
    simdjson::ondemand::value value;
    if (member.unescaped_key().get(name) != simdjson::SUCCESS || member.value().get(value) != simdjson::SUCCESS) {
      return not_an_object();
    }
    std::string_view raw = value.raw_json_token();
    while (!raw.empty() && (raw.back() == ' ' || raw.back() == '\t' || raw.back() == '\n' || raw.back() == '\r')) {
      raw.remove_suffix(1);
    }
    const auto begin = static_cast<std::uint32_t>(raw.data() - padded_.data() + static_cast<std::ptrdiff_t>(mark));
    PARAPRINT_TRY(visit(name, {begin, begin + static_cast<std::uint32_t>(raw.size())}));
  }
  return {};
}

std::string_view JsonLineEditor::with_members(std::string_view line, bool is_empty, std::string_view members) {
  const std::size_t brace = std::min(line.rfind('}'), line.size());
  edited_.assign(line.substr(0, brace));
  if (!is_empty && !members.empty()) edited_ += ',';
  edited_.append(members).append(line.substr(brace));
  return edited_;
}

Result<std::string_view> JsonLineEditor::with_text(std::string_view line, std::string_view name,
                                                   std::string_view text) {
  TextSpan place;
  PARAPRINT_TRY(for_each_member(line, [&](std::string_view member, TextSpan value) -> Status {
    if (member == name && place.size_bytes() == 0) place = value;
    return {};
  }));
  if (place.size_bytes() == 0) return failure(ErrorCode::kCorruptData, "the line has lost its text");
  JsonWriter json;
  json.value(text);
  edited_.assign(line.substr(0, place.begin_bytes));
  edited_.append(json.take()).append(line.substr(place.end_bytes));
  return std::string_view(edited_);
}

}  // namespace paraprint::inline report
