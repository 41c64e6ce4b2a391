// Decodes parameters and bodies into pages and options.
//
// A page is sent either as a plain body (HTML or text in any charset, with name and options as query parameters) or as
// a JSON object whose members have the same names. Unknown members are ignored, so that lines written by other programs
// can be sent unchanged; unknown parameters are refused, so that a misspelt option does not pass unnoticed.
#pragma once

#include <simdjson.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "paraprint/index.h"
#include "paraprint/model.h"
#include "serve/refusal.h"
#include "serve/target.h"

namespace paraprint::inline service {

struct PageRequest {
  Page page;                       // id, url, date, body
  std::optional<Profile> profile;  // instead of a body
  AddOptions options;
};

// One side of a comparison: a page, or a known one by its id.
struct ComparedSide {
  std::string known_id;  // empty: `page` is compared
  PageRequest page;
};
struct CompareRequest {
  ComparedSide a;
  ComparedSide b;
  bool with_evidence = false;
};

inline constexpr std::uint32_t kMatchesLimit = 1000;       // maximum of the option "matches"
inline constexpr std::uint32_t kTracedPagesLimit = 1000;   // the same of "limit"
inline constexpr std::size_t kProfileParagraphs = 20'000;  // of a profile sent instead of a page: as many as a page has
inline constexpr std::size_t kProfileSentences = 200'000;

// Media type without parameters, in lower case.
std::string media_type_of(std::string_view content_type);

// Kinds of body, by media type.
enum class PageBody : std::uint8_t { kJson, kHtml, kText };
std::optional<PageBody> page_body_of(std::string_view content_type);
bool is_json_lines_type(std::string_view content_type);

// Decodes requests; one instance per thread, because it keeps a parser, with the memory of usual texts. `identity`
// names the settings of the index's profiles; profiles made with other settings are refused.
class RequestDecoder {
 public:
  explicit RequestDecoder(std::string_view identity) : identity_(identity) {}

  // Decodes a complete request body. Members of a JSON body override the parameters.
  Answer<PageRequest> decode_page(std::string_view content_type, std::string_view body,
                                  const std::vector<TargetParameter>& parameters);
  // Decodes one line of a bulk request; its members override `defaults`, the options of the request.
  Answer<PageRequest> decode_line(std::string_view line, const AddOptions& defaults);
  Answer<CompareRequest> decode_comparison(std::string_view body);

 private:
  // The result is valid until the parser is used again or freed.
  Answer<simdjson::dom::object> parse(std::string_view json);
  Answer<void> read_members(const simdjson::dom::object& object, PageRequest& request);
  Answer<void> read_profile(std::string_view bytes, PageRequest& request) const;
  Answer<ComparedSide> read_side(const std::optional<simdjson::dom::element>& member, std::string_view name);

  std::string identity_;
  std::unique_ptr<simdjson::dom::parser> parser_;  // null before the first text, and after an unusually long one
};

// Decodes the options of a bulk request: evidence, matches, all, copies, replace. Other parameters are refused.
Answer<AddOptions> read_options(const std::vector<TargetParameter>& parameters);
// The options of tracing copies, likewise.
Answer<TraceOptions> read_trace_options(const std::vector<TargetParameter>& parameters);

}  // namespace paraprint::inline service
