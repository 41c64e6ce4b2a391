#include "serve/page_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "archive/date.h"
#include "base/base64.h"
#include "profile/profile_codec.h"
#include "text/utf8.h"

namespace paraprint {
namespace {

// A parser keeps memory in proportion to the longest text it has seen: after an unusual one it is made anew.
constexpr std::size_t kUsualBytes = std::size_t{4} << 20;

struct MediaTypeRow {
  std::string_view name;
  PageBody body;
};
constexpr MediaTypeRow kMediaTypes[] = {
    {"application/json", PageBody::kJson},
    {"text/html", PageBody::kHtml},
    {"application/xhtml+xml", PageBody::kHtml},
    {"text/plain", PageBody::kText},
};

Answer<bool> flag_of(std::string_view name, std::string_view value) {
  if (value == "true" || value == "1" || value.empty()) return true;
  if (value == "false" || value == "0") return false;
  return refuse(Refusal::kBadParameter, fmt::format("{} is true or false", name));
}

Answer<std::uint32_t> matches_of(std::uint64_t count, Refusal refusal) {
  if (count >= 1 && count <= kMatchesLimit) return static_cast<std::uint32_t>(count);
  return refuse(refusal, fmt::format("matches is a number from 1 to {}", kMatchesLimit));
}

Answer<void> set_date(std::string_view text, Refusal refusal, PageRequest& request) {
  if (text.empty()) return {};
  std::optional<std::string> date = normalise_date(text);
  if (!date) return refuse(refusal, "date is none; write it like 2024-05-01T10:00:00Z");
  request.page.date = std::move(*date);
  return {};
}

// Whether `name` was one of the options.
Answer<bool> read_option(std::string_view name, std::string_view value, AddOptions& options) {
  if (name == "matches") {
    std::uint64_t count = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), count);
    const bool is_number = error == std::errc() && end == value.data() + value.size();
    Answer<std::uint32_t> matches = matches_of(is_number ? count : 0, Refusal::kBadParameter);
    if (!matches) return tl::unexpected<Refused>(matches.error());
    options.lookup.matches_maximum = *matches;
    return true;
  }
  if (name != "evidence" && name != "all" && name != "copies" && name != "replace") return false;
  Answer<bool> flag = flag_of(name, value);
  if (!flag) return flag;
  if (name == "evidence") options.lookup.with_evidence = *flag;
  if (name == "all") options.lookup.stop_at_same = !*flag;
  if (name == "copies") options.store_copies = *flag;
  if (name == "replace") options.replace_known = *flag;
  return true;
}

Answer<void> check_parameter(std::size_t i, const std::vector<TargetParameter>& parameters) {
  const auto is_same = [&](const TargetParameter& other) { return other.name == parameters[i].name; };
  const auto here = parameters.begin() + static_cast<std::ptrdiff_t>(i);
  if (std::none_of(parameters.begin(), here, is_same)) return {};
  return refuse(Refusal::kBadParameter, fmt::format("the parameter {} comes twice", parameters[i].name));
}

tl::unexpected<Refused> unknown_parameter(std::string_view name) {
  return refuse(Refusal::kBadParameter, fmt::format("this call has no parameter {}", name));
}

Answer<void> read_parameters(const std::vector<TargetParameter>& parameters, PageRequest& request) {
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (Answer<void> checked = check_parameter(i, parameters); !checked) return checked;
    const auto& [name, value] = parameters[i];
    if (name == "id") {
      request.page.id = value;
    } else if (name == "url") {
      request.page.url = value;
    } else if (name == "date") {
      if (Answer<void> set = set_date(value, Refusal::kBadParameter, request); !set) return set;
    } else {
      const Answer<bool> is_option = read_option(name, value, request.options);
      if (!is_option) return tl::unexpected<Refused>(is_option.error());
      if (!*is_option) return unknown_parameter(name);
    }
  }
  return {};
}

// The members of a page's JSON object that mean something, each at most once.
struct PageMembers {
  std::optional<simdjson::dom::element> id, url, date, html, text, body_base64, content_type, profile, settings,
      evidence, matches, all, copies, replace;
};

Answer<PageMembers> collect_members(const simdjson::dom::object& object) {
  using Field = std::optional<simdjson::dom::element> PageMembers::*;
  static constexpr std::pair<std::string_view, Field> kFields[] = {
      {"id", &PageMembers::id},
      {"url", &PageMembers::url},
      {"date", &PageMembers::date},
      {"html", &PageMembers::html},
      {"text", &PageMembers::text},
      {"body_base64", &PageMembers::body_base64},
      {"content_type", &PageMembers::content_type},
      {"profile", &PageMembers::profile},
      {"settings", &PageMembers::settings},
      {"evidence", &PageMembers::evidence},
      {"matches", &PageMembers::matches},
      {"all", &PageMembers::all},
      {"copies", &PageMembers::copies},
      {"replace", &PageMembers::replace},
  };
  PageMembers members;
  for (const simdjson::dom::key_value_pair member : object) {
    for (const auto& [name, field] : kFields) {
      if (member.key != name) continue;
      if ((members.*field).has_value()) {
        return refuse(Refusal::kDuplicateField, fmt::format("the member \"{}\" comes twice", name));
      }
      members.*field = member.value;
    }
  }
  return members;
}

bool is_given(const std::optional<simdjson::dom::element>& member) {
  return member.has_value() && !member->is_null();
}

// Sets `text` if the member is there.
Answer<void> read_text(const std::optional<simdjson::dom::element>& member, std::string_view name, std::string& text) {
  if (!is_given(member)) return {};
  std::string_view value;
  if (member->get(value) != simdjson::SUCCESS) {
    return refuse(Refusal::kBadField, fmt::format("\"{}\" is not a string", name));
  }
  text = value;
  return {};
}

Answer<void> read_flag(const std::optional<simdjson::dom::element>& member, std::string_view name, bool is_inverse,
                       bool& flag) {
  if (!is_given(member)) return {};
  bool value = false;
  if (member->get(value) != simdjson::SUCCESS) {
    return refuse(Refusal::kBadField, fmt::format("\"{}\" is neither true nor false", name));
  }
  flag = value != is_inverse;
  return {};
}

Answer<void> read_names(const PageMembers& members, PageRequest& request) {
  if (is_given(members.id) && members.id->is_number()) {
    request.page.id = simdjson::minify(*members.id);
  } else if (Answer<void> id = read_text(members.id, "id", request.page.id); !id) {
    return id;
  }
  if (Answer<void> url = read_text(members.url, "url", request.page.url); !url) return url;
  std::string date;
  if (Answer<void> read = read_text(members.date, "date", date); !read) return read;
  return set_date(date, Refusal::kBadField, request);
}

Answer<void> read_member_options(const PageMembers& members, AddOptions& options) {
  if (is_given(members.matches)) {
    std::uint64_t count = 0;
    if (members.matches->get(count) != simdjson::SUCCESS) count = 0;
    Answer<std::uint32_t> matches = matches_of(count, Refusal::kBadField);
    if (!matches) return tl::unexpected<Refused>(matches.error());
    options.lookup.matches_maximum = *matches;
  }
  Answer<void> read = read_flag(members.evidence, "evidence", false, options.lookup.with_evidence);
  if (read) read = read_flag(members.all, "all", true, options.lookup.stop_at_same);
  if (read) read = read_flag(members.copies, "copies", false, options.store_copies);
  if (read) read = read_flag(members.replace, "replace", false, options.replace_known);
  return read;
}

Answer<std::string> read_base64(const simdjson::dom::element& member, std::string_view name) {
  std::string_view text;
  if (member.get(text) == simdjson::SUCCESS) {
    if (std::optional<std::string> bytes = decode_base64(text)) return std::move(*bytes);
  }
  return refuse(Refusal::kBadField, fmt::format("\"{}\" is no base 64", name));
}

// A body with its own type and charset.
Answer<void> set_body(std::string_view content_type, std::string body, PageRequest& request) {
  const std::optional<PageBody> kind = page_body_of(content_type);
  if (kind != PageBody::kHtml && kind != PageBody::kText) {
    return refuse(Refusal::kUnsupportedType, "content_type is text/html, application/xhtml+xml or text/plain");
  }
  request.page.format = kind == PageBody::kText ? PageFormat::kPlainText : PageFormat::kHtml;
  request.page.content_type = content_type;
  request.page.body_is_utf8 = false;
  request.page.body = std::move(body);
  return {};
}

}  // namespace

std::string media_type_of(std::string_view content_type) {
  std::string type(content_type.substr(0, content_type.find(';')));
  while (!type.empty() && (type.back() == ' ' || type.back() == '\t')) type.pop_back();
  std::transform(type.begin(), type.end(), type.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; });
  return type;
}

std::optional<PageBody> page_body_of(std::string_view content_type) {
  const std::string type = media_type_of(content_type);
  for (const MediaTypeRow& row : kMediaTypes) {
    if (row.name == type) return row.body;
  }
  return std::nullopt;
}

bool is_json_lines_type(std::string_view content_type) {
  const std::string type = media_type_of(content_type);
  return type == "application/x-ndjson" || type == "application/jsonl";
}

Answer<AddOptions> read_options(const std::vector<TargetParameter>& parameters) {
  AddOptions options;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (Answer<void> checked = check_parameter(i, parameters); !checked) {
      return tl::unexpected<Refused>(checked.error());
    }
    const Answer<bool> is_option = read_option(parameters[i].name, parameters[i].value, options);
    if (!is_option) return tl::unexpected<Refused>(is_option.error());
    if (!*is_option) return unknown_parameter(parameters[i].name);
  }
  return options;
}

Answer<simdjson::dom::object> RequestDecoder::parse(std::string_view json) {
  if (parser_->capacity() > kUsualBytes) parser_ = std::make_unique<simdjson::dom::parser>();
  simdjson::dom::element element;
  const simdjson::error_code error = parser_->parse(json.data(), json.size()).get(element);
  if (error == simdjson::UTF8_ERROR) return refuse(Refusal::kBadUtf8, "the JSON is not UTF-8");
  if (error != simdjson::SUCCESS) {
    return refuse(Refusal::kBadJson, fmt::format("no JSON: {}", simdjson::error_message(error)));
  }
  simdjson::dom::object object;
  if (element.get(object) != simdjson::SUCCESS) return refuse(Refusal::kBadJson, "the JSON is no object");
  return object;
}

Answer<void> RequestDecoder::read_profile(std::string_view bytes, PageRequest& request) const {
  Profile profile;
  if (Status decoded = decode_profile(bytes, profile); !decoded) {
    return refuse(Refusal::kBadProfile, decoded.error().message);
  }
  if (profile.paragraphs.size() > kProfileParagraphs || profile.sentences.size() > kProfileSentences) {
    return refuse(
        Refusal::kBadProfile,
        fmt::format("the profile has {} paragraphs and {} sentences; the limits are {} and {}",
                    profile.paragraphs.size(), profile.sentences.size(), kProfileParagraphs, kProfileSentences));
  }
  request.profile = std::move(profile);
  return {};
}

Answer<void> RequestDecoder::read_members(const simdjson::dom::object& object, PageRequest& request) {
  const Answer<PageMembers> found = collect_members(object);
  if (!found) return tl::unexpected<Refused>(found.error());
  const PageMembers& members = *found;
  Answer<void> read = read_names(members, request);
  if (read) read = read_member_options(members, request.options);
  if (!read) return read;
  request.page.body_is_utf8 = true;
  if (is_given(members.html)) {
    request.page.format = PageFormat::kHtml;
    return read_text(members.html, "html", request.page.body);
  }
  if (is_given(members.text)) {
    request.page.format = PageFormat::kPlainText;
    return read_text(members.text, "text", request.page.body);
  }
  if (is_given(members.body_base64)) {
    std::string content_type = "text/html";
    if (read = read_text(members.content_type, "content_type", content_type); !read) return read;
    Answer<std::string> body = read_base64(*members.body_base64, "body_base64");
    if (!body) return tl::unexpected<Refused>(body.error());
    return set_body(content_type, std::move(*body), request);
  }
  if (!is_given(members.profile)) {
    return refuse(Refusal::kMissingPage, "a page needs one of \"html\", \"text\", \"body_base64\", \"profile\"");
  }
  std::string settings;
  if (read = read_text(members.settings, "settings", settings); !read) return read;
  if (settings != identity_) {
    return refuse(Refusal::kOtherSettings,
                  fmt::format("\"settings\" of the profile have to be those of the index: {}", identity_));
  }
  Answer<std::string> bytes = read_base64(*members.profile, "profile");
  if (!bytes) return tl::unexpected<Refused>(bytes.error());
  return read_profile(*bytes, request);
}

Answer<PageRequest> RequestDecoder::decode_page(std::string_view content_type, std::string_view body,
                                                const std::vector<TargetParameter>& parameters) {
  PageRequest request;
  Answer<void> read = read_parameters(parameters, request);
  if (!read) return tl::unexpected<Refused>(read.error());
  const std::optional<PageBody> kind = page_body_of(content_type);
  if (!kind) {
    return refuse(Refusal::kUnsupportedType,
                  "Content-Type has to be application/json, text/html, application/xhtml+xml or text/plain");
  }
  if (*kind == PageBody::kJson) {
    const Answer<simdjson::dom::object> object = parse(body);
    if (!object) return tl::unexpected<Refused>(object.error());
    read = read_members(*object, request);
  } else {
    read = set_body(content_type, std::string(body), request);
  }
  if (!read) return tl::unexpected<Refused>(read.error());
  return request;
}

Answer<PageRequest> RequestDecoder::decode_line(std::string_view line, const AddOptions& defaults) {
  PageRequest request;
  request.options = defaults;
  const Answer<simdjson::dom::object> object = parse(line);
  if (!object) return tl::unexpected<Refused>(object.error());
  const Answer<void> read = read_members(*object, request);
  if (!read) return tl::unexpected<Refused>(read.error());
  return request;
}

Answer<ComparedSide> RequestDecoder::read_side(const simdjson::dom::object& object, std::string_view name) {
  simdjson::dom::object page;
  if (object.at_key(name).get(page) != simdjson::SUCCESS) {
    return refuse(Refusal::kBadField, fmt::format("\"{}\" is missing or no object", name));
  }
  ComparedSide side;
  std::string_view known;
  if (page.at_key("known_id").get(known) == simdjson::SUCCESS && !known.empty()) {
    side.known_id = known;
    return side;
  }
  if (Answer<void> read = read_members(page, side.page); !read) return tl::unexpected<Refused>(read.error());
  return side;
}

Answer<CompareRequest> RequestDecoder::decode_comparison(std::string_view body) {
  const Answer<simdjson::dom::object> object = parse(body);
  if (!object) return tl::unexpected<Refused>(object.error());
  CompareRequest request;
  for (const auto& [name, side] : {std::pair{"a", &request.a}, std::pair{"b", &request.b}}) {
    Answer<ComparedSide> read = read_side(*object, name);
    if (!read) return tl::unexpected<Refused>(read.error());
    *side = std::move(*read);
  }
  bool evidence = false;
  if (object->at_key("evidence").get(evidence) == simdjson::SUCCESS) request.with_evidence = evidence;
  return request;
}

}  // namespace paraprint
