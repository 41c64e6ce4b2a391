// provenance.jsonl (docs/output.md): where the text of each page of a cluster comes from.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "corpus/page_metadata.h"
#include "provenance/traced_page.h"
#include "report/json_writer.h"

namespace paraprint::inline provenance {

// What a copy has that its source has not, and the reverse: letters and digits of sentences, and paragraphs, of which
// nothing matches.
struct TextChange {
  std::uint64_t added_characters = 0;
  std::uint64_t lost_characters = 0;
  std::uint32_t added_paragraphs = 0;
  std::uint32_t lost_paragraphs = 0;
};

struct ProvenanceRow {
  std::string_view id;
  std::string_view url;
  std::variant<std::uint64_t, std::string_view> cluster;  // as in clusters.tsv; in an index, an id
  const StatedOrigin* stated = nullptr;
  const TracedOrigin* traced = nullptr;             // null: the cluster was too large for this page to be traced
  std::string_view copied_from;                     // id of that page
  std::optional<TextChange> change = std::nullopt;  // of a page with a source
};

// The JSON object of a page.
std::string provenance_object(const ProvenanceRow& row);

// Writes what a page states as members of the open object.
void write_stated(JsonWriter& json, const PageMetadata& metadata, std::string_view date_place);

}  // namespace paraprint::inline provenance
