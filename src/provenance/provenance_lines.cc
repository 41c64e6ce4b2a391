// The order of members is part of the format: equal runs have equal bytes. What a page does not state is left out.
#include "provenance/provenance_lines.h"

namespace paraprint::inline provenance {
namespace {

template <class Values, class NameOf>
void write_names(JsonWriter& json, std::string_view member, const Values& values, const NameOf& name_of) {
  json.key(member);
  json.begin_array();
  for (const auto value : values) json.value(name_of(value));
  json.end_array();
}

void write_traced(JsonWriter& json, const ProvenanceRow& row) {
  constexpr int kConfidenceDecimals = 2;
  const TracedOrigin& traced = *row.traced;
  json.key("copied_from");
  if (traced.copied_from) {
    json.value(row.copied_from);
    json.member("confidence", Real{traced.confidence, kConfidenceDecimals});
    write_names(json, "reasons", traced.reasons, reason_name);
    if (!traced.against.empty()) write_names(json, "against", traced.against, reason_name);
  } else {
    json.null();
  }
  json.member("is_first", traced.is_first);
  if (traced.is_first) json.member("first_confidence", Real{traced.first_confidence, kConfidenceDecimals});
  if (!traced.problems.empty()) write_names(json, "problems", traced.problems, problem_name);
}

}  // namespace

void write_stated(JsonWriter& json, const PageMetadata& metadata, std::string_view date_place) {
  const auto write = [&json](std::string_view name, std::string_view value) {
    if (!value.empty()) json.member(name, value);
  };
  write("date", metadata.date_published);
  if (!metadata.date_published.empty()) json.member("date_place", date_place);
  write("modified", metadata.date_modified);
  write("author", metadata.author);
  write("site_name", metadata.site_name);
  write("source_name", metadata.source_name);
  write("source_url", metadata.source_url);
  write("canonical_url", metadata.canonical_url);
}

std::string provenance_object(const ProvenanceRow& row) {
  JsonWriter json;
  json.begin_object();
  json.member("id", row.id);
  json.member("url", row.url);
  std::visit([&](const auto cluster) { json.member("cluster", cluster); }, row.cluster);
  if (row.stated != nullptr) write_stated(json, row.stated->metadata, date_place_name(row.stated->date_place));
  json.member("is_traced", row.traced != nullptr);
  if (row.traced != nullptr) write_traced(json, row);
  if (row.change) {
    json.member("added_characters", row.change->added_characters);
    json.member("lost_characters", row.change->lost_characters);
    json.member("added_paragraphs", row.change->added_paragraphs);
    json.member("lost_paragraphs", row.change->lost_paragraphs);
  }
  json.end_object();
  return json.take();
}

}  // namespace paraprint::inline provenance
