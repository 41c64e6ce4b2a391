// Decoding of requests. Everything here comes from the network: whatever is ambiguous (a repeated name) or not
// understood in the target is refused with a reason instead of guessed. JSON is parsed with simdjson, whose elements
// point into the parser's memory, so strings are copied before the next parse.
#include "serve/page_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <new>
#include <span>
#include <tuple>
#include <utility>

#include "base/base64.h"
#include "http/date.h"
#include "profile/profile_codec.h"
#include "text/utf8.h"

namespace paraprint::inline service {
namespace {

constexpr std::size_t kUsualBytes = std::size_t{1} << 20;

// A parser keeps memory proportional to the longest text it has parsed, many times its size: after an unusually long
// one it is freed, at the end of the call that needs what was parsed.
class ParserUse {
 public:
  explicit ParserUse(std::unique_ptr<simdjson::dom::parser>& parser) : parser_(parser) {}
  ~ParserUse() {
    if (parser_ && parser_->capacity() > kUsualBytes) parser_.reset();
  }
  ParserUse(const ParserUse&) = delete;
  ParserUse& operator=(const ParserUse&) = delete;

 private:
  std::unique_ptr<simdjson::dom::parser>& parser_;
};

// The types that a page can be sent as. JSON contains the page in a member; the others are the page.
struct MediaTypeRow {
  std::string_view name;
  PageBody body;
};
constexpr MediaTypeRow kMediaTypes[] = {
    {"application/json", PageBody::kJson},      {"text/html", PageBody::kHtml},
    {"application/xhtml+xml", PageBody::kHtml}, {"text/xml", PageBody::kHtml},
    {"application/xml", PageBody::kHtml},       {"text/plain", PageBody::kText},
};

// A flag without a value ("?evidence") is true.
Answer<bool> flag_of(std::string_view name, std::string_view value) {
  if (value == "true" || value == "1" || value.empty()) return true;
  if (value == "false" || value == "0") return false;
  return refuse(Refusal::kBadParameter, fmt::format("parameter {} must be true or false", name));
}

Answer<std::uint32_t> matches_of(std::uint64_t count, Refusal refusal) {
  if (count >= 1 && count <= kMatchesLimit) return static_cast<std::uint32_t>(count);
  return refuse(refusal, fmt::format("matches must be a number from 1 to {}", kMatchesLimit));
}

// Dates are normalised, so that the index has one form of them. An empty one counts as absent.
Answer<void> set_date(std::string_view text, Refusal refusal, PageRequest& request) {
  if (text.empty()) return {};
  std::optional<std::string> date = normalise_date(text);
  if (!date) return refuse(refusal, "invalid date; expected ISO 8601, e.g. 2024-05-01T10:00:00Z");
  request.page.date = std::move(*date);
  return {};
}

// The filter that the parameter `name` sets; null if it is none. Bodies have none: their other members may have any
// name.
std::string* filter_of(std::string_view name, StatementFilter& filter) {
  if (name == "published_from") return &filter.published_from;
  if (name == "published_until") return &filter.published_until;
  if (name == "source") return &filter.source;
  if (name == "site") return &filter.site;
  return nullptr;
}

// Sets the option `name`; false if there is no such option.
Answer<bool> read_option(std::string_view name, std::string_view value, AddOptions& options) {
  if (name == "matches") {
    std::uint64_t count = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), count);
    const bool is_number = error == std::errc() && end == value.data() + value.size();
    Answer<std::uint32_t> matches = matches_of(is_number ? count : 0, Refusal::kBadParameter);
    if (!matches) return tl::unexpected<Refused>(matches.error());
    options.lookup.matches = *matches;
    return true;
  }
  if (std::string* const filter = filter_of(name, options.lookup.filter)) {
    *filter = value;
    if (const Status valid = options.lookup.filter.validate(); !valid) {
      return refuse(Refusal::kBadParameter, valid.error().message);
    }
    return true;
  }
  if (name != "evidence" && name != "all" && name != "copies" && name != "replace") return false;
  Answer<bool> flag = flag_of(name, value);
  if (!flag) return flag;
  if (name == "evidence") options.lookup.evidence = *flag;
  if (name == "all") options.lookup.all = *flag;
  if (name == "copies") options.copies = *flag;
  if (name == "replace") options.replace_known = *flag;
  return true;
}

// Refuses a parameter that is given twice: which one counts would depend on the reader.
Answer<void> check_parameter(std::size_t i, const std::vector<TargetParameter>& parameters) {
  const auto is_same = [&](const TargetParameter& other) { return other.name == parameters[i].name; };
  const auto here = parameters.begin() + static_cast<std::ptrdiff_t>(i);
  if (std::none_of(parameters.begin(), here, is_same)) return {};
  return refuse(Refusal::kBadParameter, fmt::format("duplicate parameter {}", parameters[i].name));
}

tl::unexpected<Refused> unknown_parameter(std::string_view name) {
  return refuse(Refusal::kBadParameter, fmt::format("unknown parameter {}", name));
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

// The members of a page's JSON object that have a meaning, each at most once.
struct PageMembers {
  std::optional<simdjson::dom::element> id, url, date, html, text, body_base64, content_type, profile, settings,
      evidence, matches, all, copies, replace;
};

struct WantedMember {
  std::string_view name;
  std::optional<simdjson::dom::element>* value;
};

// One pass over the object. Looking up each name would take the first of two equal names and hide the duplicate.
Answer<void> find_members(const simdjson::dom::object& object, std::span<const WantedMember> wanted) {
  for (const simdjson::dom::key_value_pair member : object) {
    for (const auto& [name, value] : wanted) {
      if (member.key != name) continue;
      if (value->has_value()) return refuse(Refusal::kDuplicateField, fmt::format("duplicate field \"{}\"", name));
      *value = member.value;
    }
  }
  return {};
}

Answer<PageMembers> collect_members(const simdjson::dom::object& object) {
  PageMembers members;
  const WantedMember wanted[] = {
      {"id", &members.id},
      {"url", &members.url},
      {"date", &members.date},
      {"html", &members.html},
      {"text", &members.text},
      {"body_base64", &members.body_base64},
      {"content_type", &members.content_type},
      {"profile", &members.profile},
      {"settings", &members.settings},
      {"evidence", &members.evidence},
      {"matches", &members.matches},
      {"all", &members.all},
      {"copies", &members.copies},
      {"replace", &members.replace},
  };
  if (Answer<void> found = find_members(object, wanted); !found) return tl::unexpected<Refused>(found.error());
  return members;
}

// null counts as absent: many programs write it for a missing value.
bool is_given(const std::optional<simdjson::dom::element>& member) {
  return member.has_value() && !member->is_null();
}

// Sets `text` if the member is given.
Answer<void> read_text(const std::optional<simdjson::dom::element>& member, std::string_view name, std::string& text) {
  if (!is_given(member)) return {};
  std::string_view value;
  if (member->get(value) != simdjson::SUCCESS) {
    return refuse(Refusal::kBadField, fmt::format("field \"{}\" must be a string", name));
  }
  text = value;
  return {};
}

Answer<void> read_flag(const std::optional<simdjson::dom::element>& member, std::string_view name, bool& flag) {
  if (!is_given(member)) return {};
  bool value = false;
  if (member->get(value) != simdjson::SUCCESS) {
    return refuse(Refusal::kBadField, fmt::format("field \"{}\" must be true or false", name));
  }
  flag = value;
  return {};
}

// Numeric ids are accepted and become the text of the number.
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

// Options in a body override those of the target. A "matches" that is not a whole number fails the range check.
Answer<void> read_member_options(const PageMembers& members, AddOptions& options) {
  if (is_given(members.matches)) {
    std::uint64_t count = 0;
    if (members.matches->get(count) != simdjson::SUCCESS) count = 0;
    Answer<std::uint32_t> matches = matches_of(count, Refusal::kBadField);
    if (!matches) return tl::unexpected<Refused>(matches.error());
    options.lookup.matches = *matches;
  }
  Answer<void> read = read_flag(members.evidence, "evidence", options.lookup.evidence);
  if (read) read = read_flag(members.all, "all", options.lookup.all);
  if (read) read = read_flag(members.copies, "copies", options.copies);
  if (read) read = read_flag(members.replace, "replace", options.replace_known);
  return read;
}

// null or another type is refused like text that cannot be decoded: the member was chosen as the form of the page.
Answer<std::string> read_base64(const simdjson::dom::element& member, std::string_view name) {
  std::string_view text;
  if (member.get(text) == simdjson::SUCCESS) {
    if (std::optional<std::string> bytes = decode_base64(text)) return std::move(*bytes);
  }
  return refuse(Refusal::kBadField, fmt::format("field \"{}\" is not valid base64", name));
}

// Sets a body that has its own type and charset.
Answer<void> set_body(std::string_view content_type, std::string body, PageRequest& request) {
  const std::optional<PageBody> kind = page_body_of(content_type);
  if (kind != PageBody::kHtml && kind != PageBody::kText) {
    return refuse(Refusal::kUnsupportedType,
                  "content_type must be text/html, application/xhtml+xml, text/xml, application/xml or text/plain");
  }
  request.page.format = kind == PageBody::kText ? PageFormat::kPlainText : PageFormat::kHtml;
  request.page.content_type = content_type;
  request.page.body_is_utf8 = false;
  request.page.body = std::move(body);
  return {};
}

}  // namespace

// ASCII only: media types have no other letters, and the result must not depend on the locale.
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

// Neither name is registered; both are in use.
bool is_json_lines_type(std::string_view content_type) {
  const std::string type = media_type_of(content_type);
  return type == "application/x-ndjson" || type == "application/jsonl";
}

Answer<TraceOptions> read_trace_options(const std::vector<TargetParameter>& parameters) {
  TraceOptions options;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (Answer<void> checked = check_parameter(i, parameters); !checked) {
      return tl::unexpected<Refused>(checked.error());
    }
    const auto& [name, value] = parameters[i];
    if (std::string* const filter = filter_of(name, options.filter)) {
      *filter = value;
    } else if (name == "limit") {
      const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), options.pages);
      const bool is_number = error == std::errc() && end == value.data() + value.size();
      if (!is_number || options.pages < 1 || options.pages > kTracedPagesLimit) {
        return refuse(Refusal::kBadParameter, fmt::format("limit must be a number from 1 to {}", kTracedPagesLimit));
      }
    } else {
      return unknown_parameter(name);
    }
  }
  if (const Status valid = options.filter.validate(); !valid) {
    return refuse(Refusal::kBadParameter, valid.error().message);
  }
  return options;
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
  // parse() copies the text into a padded buffer of its own, so `json` needs no padding.
  if (!parser_) parser_ = std::make_unique<simdjson::dom::parser>();
  simdjson::dom::element element;
  const simdjson::error_code error = parser_->parse(json.data(), json.size()).get(element);
  if (error == simdjson::MEMALLOC) {
    // It has some of its memory, takes that for all of it, and would use what it has not.
    parser_.reset();
    throw std::bad_alloc();
  }
  if (error == simdjson::UTF8_ERROR) return refuse(Refusal::kBadUtf8, "the JSON is not valid UTF-8");
  if (error != simdjson::SUCCESS) {
    return refuse(Refusal::kBadJson, fmt::format("invalid JSON: {}", simdjson::error_message(error)));
  }
  simdjson::dom::object object;
  if (element.get(object) != simdjson::SUCCESS) return refuse(Refusal::kBadJson, "the JSON is not an object");
  return object;
}

// A forged profile could have far more paragraphs than any page and make the comparison slow, hence the limits.
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
  // The first form that is given counts, so an object with several of them is not an error. Strings of JSON are UTF-8,
  // whatever charset the page itself declares.
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
    return refuse(Refusal::kMissingPage, "a page needs one of \"html\", \"text\", \"body_base64\" and \"profile\"");
  }
  // Profiles made with other settings cannot be compared, and nothing in their bytes shows the difference.
  std::string settings;
  if (read = read_text(members.settings, "settings", settings); !read) return read;
  if (settings != identity_) {
    return refuse(Refusal::kOtherSettings,
                  fmt::format("the profile's \"settings\" must be those of the index: {}", identity_));
  }
  Answer<std::string> bytes = read_base64(*members.profile, "profile");
  if (!bytes) return tl::unexpected<Refused>(bytes.error());
  return read_profile(*bytes, request);
}

// For a plain body the parameters are the only way to give a name; for JSON they are defaults.
Answer<PageRequest> RequestDecoder::decode_page(std::string_view content_type, std::string_view body,
                                                const std::vector<TargetParameter>& parameters) {
  PageRequest request;
  Answer<void> read = read_parameters(parameters, request);
  if (!read) return tl::unexpected<Refused>(read.error());
  const std::optional<PageBody> kind = page_body_of(content_type);
  if (!kind) {
    return refuse(
        Refusal::kUnsupportedType,
        "Content-Type must be application/json, text/html, application/xhtml+xml, text/xml, application/xml or "
        "text/plain");
  }
  const ParserUse use(parser_);
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

// A line has no type of its own and is always a JSON object. It may override every option of the request.
Answer<PageRequest> RequestDecoder::decode_line(std::string_view line, const AddOptions& defaults) {
  PageRequest request;
  request.options = defaults;
  const ParserUse use(parser_);
  const Answer<simdjson::dom::object> object = parse(line);
  if (!object) return tl::unexpected<Refused>(object.error());
  const Answer<void> read = read_members(*object, request);
  if (!read) return tl::unexpected<Refused>(read.error());
  return request;
}

// A known id wins over the other members of the side.
Answer<ComparedSide> RequestDecoder::read_side(const std::optional<simdjson::dom::element>& member,
                                               std::string_view name) {
  simdjson::dom::object page;
  if (!member || member->get(page) != simdjson::SUCCESS) {
    return refuse(Refusal::kBadField, fmt::format("field \"{}\" is missing or not an object", name));
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

// Both sides are read before the parser is used again, because their elements live in it.
Answer<CompareRequest> RequestDecoder::decode_comparison(std::string_view body) {
  const ParserUse use(parser_);
  const Answer<simdjson::dom::object> object = parse(body);
  if (!object) return tl::unexpected<Refused>(object.error());
  CompareRequest request;
  std::optional<simdjson::dom::element> a, b, evidence;
  const WantedMember wanted[] = {{"a", &a}, {"b", &b}, {"evidence", &evidence}};
  if (Answer<void> found = find_members(*object, wanted); !found) {
    return tl::unexpected<Refused>(found.error());
  }
  for (const auto& [name, member, side] : {std::tuple{"a", &a, &request.a}, std::tuple{"b", &b, &request.b}}) {
    Answer<ComparedSide> read = read_side(*member, name);
    if (!read) return tl::unexpected<Refused>(read.error());
    *side = std::move(*read);
  }
  if (Answer<void> read = read_flag(evidence, "evidence", request.with_evidence); !read) {
    return tl::unexpected<Refused>(read.error());
  }
  return request;
}

}  // namespace paraprint::inline service
