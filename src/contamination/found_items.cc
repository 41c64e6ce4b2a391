// Rows of contaminated.jsonl and items.jsonl.
#include "contamination/found_items.h"

namespace paraprint::inline contamination {
namespace {

void write_spans(JsonWriter& json, std::string_view name, std::span<const TextSpan> spans) {
  json.key(name);
  json.begin_array();
  for (const TextSpan& span : spans) {
    json.begin_array();
    json.value(span.begin_bytes);
    json.value(span.end_bytes);
    json.end_array();
  }
  json.end_array();
}

}  // namespace

std::vector<TextSpan> spans_of(std::span<const SpannedWord> words, std::span<const WordRange> ranges) {
  std::vector<TextSpan> spans;
  for (const WordRange& range : ranges) {
    spans.push_back({words[range.begin].span.begin_bytes, words[range.end - 1].span.end_bytes});
  }
  return spans;
}

void write_contaminated(JsonWriter& json, const ContaminatedRow& row) {
  json.begin_object();
  json.member("id", row.id);
  json.member("url", row.url);
  json.member("benchmark", row.benchmark);
  json.member("item", row.item);
  json.member("verdict", item_verdict_name(row.verdict));
  json.member("share", Real{row.share});
  json.member("words", row.words);
  json.member("passage_score", Real{row.passage_score, 1});
  write_spans(json, "spans", row.spans);
  write_spans(json, "item_spans", row.item_spans);
  json.member("file", row.file);
  json.member("offset_bytes", row.offset_bytes);
  json.end_object();
}

void write_item(JsonWriter& json, const ItemRecord& item, std::string_view benchmark, std::string_view same_as) {
  json.begin_object();
  json.member("item", std::string_view(item.id));
  json.member("benchmark", benchmark);
  if (item.line > 0) json.member("line", item.line);
  json.member("text", std::string_view(item.text));
  if (item.is_too_short) json.member("too_short", true);
  if (!same_as.empty()) json.member("same_as", same_as);
  json.member("documents_exact", item.documents_exact);
  json.member("documents_whole", item.documents_whole);
  json.member("documents_part", item.documents_part);
  json.member("documents_common", item.documents_common);
  json.end_object();
}

}  // namespace paraprint::inline contamination
