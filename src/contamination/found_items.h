// What a run found, as rows of its output files (docs/output.md).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "contamination/item_search.h"
#include "contamination/spanned_words.h"
#include "paraprint/model.h"
#include "report/json_writer.h"

namespace paraprint::inline contamination {

// An item and what holds it.
struct ItemRecord {
  std::string id;
  std::uint32_t benchmark = 0;  // its file
  std::uint64_t line = 0;
  std::string text;
  bool is_too_short = false;
  std::uint32_t same_as = 0;  // the first item with these words; its own number if it is that
  std::uint64_t documents_exact = 0;
  std::uint64_t documents_whole = 0;
  std::uint64_t documents_part = 0;
  std::uint64_t documents_common = 0;  // that have only passages of it that many documents have
};

// The places of ranges of words in the text that they were read from.
std::vector<TextSpan> spans_of(std::span<const SpannedWord> words, std::span<const WordRange> ranges);

// An item in a document, with places in bytes of the extracted text and of the item's text.
struct ContaminatedRow {
  std::string_view id;
  std::string_view url;  // empty if unknown
  std::string_view benchmark;
  std::string_view item;
  ItemVerdict verdict = ItemVerdict::kExact;
  double share = 0;
  std::uint32_t words = 0;
  double passage_score = 0;
  std::span<const TextSpan> spans;
  std::span<const TextSpan> item_spans;
  std::string_view file;
  std::uint64_t offset_bytes = 0;
};
void write_contaminated(JsonWriter& json, const ContaminatedRow& row);

void write_item(JsonWriter& json, const ItemRecord& item, std::string_view benchmark, std::string_view same_as);

}  // namespace paraprint::inline contamination
