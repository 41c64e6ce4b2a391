// What a request asks: parameters and bodies turned into pages and options.
//
// A page comes as a body of its own (HTML or text in any charset; its name and the options are parameters of the
// target), or as a JSON object with the same names as members. Members that nobody knows are passed over, so lines of
// other programs can be sent as they are; parameters that nobody knows are refused.
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

namespace paraprint {

struct PageRequest {
  Page page;                       // id, url, date, body
  std::optional<Profile> profile;  // instead of a body
  AddOptions options;
};

// One side of a comparison: a page, or a known one by its id.
struct ComparedSide {
  std::string known_id;  // empty: the page
  PageRequest page;
};
struct CompareRequest {
  ComparedSide a;
  ComparedSide b;
  bool with_evidence = false;
};

inline constexpr std::uint32_t kMatchesLimit = 1000;       // that a request may ask for
inline constexpr std::size_t kProfileParagraphs = 20'000;  // of a profile that comes as such: what a page may have
inline constexpr std::size_t kProfileSentences = 200'000;

// Media type without parameters, in lower case.
std::string media_type_of(std::string_view content_type);

// Kinds of body, by media type.
enum class PageBody : std::uint8_t { kJson, kHtml, kText };
std::optional<PageBody> page_body_of(std::string_view content_type);
bool is_json_lines_type(std::string_view content_type);

// Parsers of one thread. `identity` names the settings of the index's profiles; a profile that names others is
// refused.
class RequestDecoder {
 public:
  explicit RequestDecoder(std::string_view identity) : identity_(identity) {}

  // A whole body. Parameters first; members of a JSON body override them.
  Answer<PageRequest> decode_page(std::string_view content_type, std::string_view body,
                                  const std::vector<TargetParameter>& parameters);
  // A line of a bulk request; `defaults` are the options of the request.
  Answer<PageRequest> decode_line(std::string_view line, const AddOptions& defaults);
  Answer<CompareRequest> decode_comparison(std::string_view body);

 private:
  Answer<simdjson::dom::object> parse(std::string_view json);
  Answer<void> read_members(const simdjson::dom::object& object, PageRequest& request);
  Answer<void> read_profile(std::string_view bytes, PageRequest& request) const;
  Answer<ComparedSide> read_side(const simdjson::dom::object& object, std::string_view name);

  std::string identity_;
  std::unique_ptr<simdjson::dom::parser> parser_ = std::make_unique<simdjson::dom::parser>();
};

// The options of a request that has no page of its own (bulk): evidence, matches, all, copies, replace.
Answer<AddOptions> read_options(const std::vector<TargetParameter>& parameters);

}  // namespace paraprint
